"""The simulations that are compared, by name: from the course's to ours, one mechanism at a time."""

from dataclasses import replace

from ludometrics.draughts import Rules
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
        "steady": replace(prompt, rule=RULES["steady"]),
        "default": default,
    }
    changes = {name: replace(prompt, rule=RULES[name]) for name in ("expected", "quality", "thompson")}
    # Levels that are rated like players need games at all levels before anything can be matched.
    changes["wandering"] = replace(default, rule=RULES["wandering"], random_days=10)
    changes["daily"] = replace(default, rerate="day")
    changes["three-levels"] = replace(default, ladder=LADDERS["course"])
    easier = replace(RULES["default"], name="target-0.6", target=0.6)
    changes["target-0.6"] = replace(default, rule=easier)
    changes["no-repetition"] = replace(course, rules=Rules(repetitions=0))
    return chain | changes


#: Settings by name: a chain from "course" to "default" in which each adds one mechanism (`ADDS` says which), then
#: scenarios that change one thing.
SCENARIOS: dict[str, DaysSettings] = _scenarios()

#: What each scenario adds to the one it is compared with, in words.
ADDS: dict[str, str] = {
    "course": "the course: three levels rated along, ten random days",
    "nine": "nine levels at even steps",
    "anchored": "levels keep the ratings measured offline",
    "matched": "newcomers matched from the first game, no random days",
    "prompt": "ratings follow each game, not each day",
    "fast": "K falls from 96 to 20",
    "glicko1": "Glicko-1 in place of Elo",
    "posterior": "a whole distribution in place of Glicko-1",
    "steady": "hysteresis: a level is kept unless another is clearly nearer",
    "default": "a gentle first level and doubling steps",
    "expected": "least expected distance under the rating's uncertainty",
    "quality": "best match quality under the rating's uncertainty",
    "thompson": "a rating drawn from its uncertainty (Thompson)",
    "wandering": "levels rated like players, after ten random days",
    "daily": "ratings of the morning only",
    "three-levels": "the course's three levels",
    "target-0.6": "expected score 0.6 wanted (distance from 0.6)",
    "no-repetition": "no draw by repetition",
}

_CHAIN = (
    "course",
    "nine",
    "anchored",
    "matched",
    "prompt",
    "fast",
    "glicko1",
    "posterior",
    "steady",
    "default",
)
#: The scenario that each is compared with: the one before it in the chain, or the one in which it changes a thing.
COMPARED_WITH: dict[str, str] = {
    **dict(zip(_CHAIN[1:], _CHAIN, strict=False)),
    **{name: "default" for name in ("wandering", "daily", "three-levels", "target-0.6")},
    **{name: "steady" for name in ("expected", "quality", "thompson")},
    "no-repetition": "course",
}
