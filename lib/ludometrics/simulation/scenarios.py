"""The simulations that are compared, by name: from the course's to ours, one mechanism at a time."""

from dataclasses import replace

from ludometrics.matching import RULES
from ludometrics.simulation.draughts_days import DaysSettings
from ludometrics.simulation.presets import LADDERS


def _scenarios() -> dict[str, DaysSettings]:
    course = DaysSettings(rule=RULES["course"])
    nine = replace(course, ladder=LADDERS["nine"])
    anchored = replace(nine, rule=RULES["anchored"])
    matched = replace(nine, rule=RULES["matched"], random_days=0)
    prompt = replace(matched, rerate="game")
    default = replace(prompt, rule=RULES["default"])
    chain = {
        "course": course,
        "nine": nine,
        "anchored": anchored,
        "matched": matched,
        "prompt": prompt,
        "fast": replace(prompt, rule=RULES["fast"]),
        "glicko1": replace(prompt, rule=RULES["glicko1"]),
        "posterior": replace(prompt, rule=RULES["posterior"]),
        "default": default,
    }
    changes = {
        name: replace(default, rule=RULES[name]) for name in ("gentle", "expected", "quality", "thompson")
    }
    # Levels that are rated like players need games at all levels before anything can be matched.
    changes["wandering"] = replace(default, rule=RULES["wandering"], random_days=10)
    changes["daily"] = replace(default, rerate="day")
    changes["three-levels"] = replace(default, ladder=LADDERS["course"])
    return chain | changes


#: Settings by name. The first nine are a chain: "course"; nine levels at even steps for three; levels keep their
#: offline ratings; no random days, newcomers are matched from their first game; ratings follow each game at once;
#: K 96, 48, 20; Glicko-1 in its place; a whole distribution in its place; hysteresis. The others change one thing
#: in "default": doubling steps at the start, three ways of choosing under uncertainty, levels rated like players
#: (with random days before), ratings of the morning only, the course's three levels.
SCENARIOS: dict[str, DaysSettings] = _scenarios()
