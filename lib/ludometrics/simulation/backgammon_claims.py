"""What the author of blunderDB says of his measures, beside what players of known skill show."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import pandas as pd

from ludometrics.backgammon.assessment import MP
from ludometrics.backgammon.choices import choice_difficulty
from ludometrics.backgammon.rates import PR_FACTOR, Rate, elo
from ludometrics.backgammon.settings import DEFAULTS
from ludometrics.evaluation import mean_interval
from ludometrics.provenance import claim
from ludometrics.simulation.backgammon_players import LADDER, LEAKS
from ludometrics.simulation.days_claims import count_claim

#: Share of pairs or draws from which on something is called sure.
SURE = 0.95
_STEADY = [name for name in (*LADDER, *LEAKS) if name != "hasty"]


def needed_table(order: pd.DataFrame) -> pd.DataFrame:
    """Matches after which two players of the ladder stand in order in 95 % of draws.

    Parameters
    ----------
    order : DataFrame
        Of `backgammon_order.order_table`.

    Returns
    -------
    DataFrame
        better, worse, measure: `matches` (the fewest tried with a share of at least 0.95, and with all larger numbers
        too; NaN: none), `low` and `high` (the same by the upper and the lower ends of the shares' intervals), `most`
        tried, `n`.
    """
    rows = []
    for (better, worse, measure), part in order.groupby(["better", "worse", "measure"], sort=True):
        part = part.sort_values("matches")
        ends = [
            _first_sure(part["matches"].to_numpy(), part[name].to_numpy())
            for name in ("share", "high", "low")
        ]
        rows.append((better, worse, measure, *ends, part["matches"].max(), part["n"].min()))
    return pd.DataFrame(rows, columns=["better", "worse", "measure", "matches", "low", "high", "most", "n"])


def _first_sure(matches: np.ndarray, shares: np.ndarray) -> float:
    fails = np.flatnonzero(shares < SURE)
    after = fails[-1] + 1 if len(fails) else 0
    return float(matches[after]) if after < len(matches) else math.nan


def formula_claims() -> list[dict]:
    """Statements that follow from the definitions: exact on our side."""
    step = 1e-6
    slope = (elo(Rate(step, None, None, 0, 0, "")).value - elo(Rate(0.0, None, None, 0, 0, "")).value) / step
    five = PR_FACTOR * choice_difficulty([0, 0.01, 0.02, 0.03, 0.04], DEFAULTS.temperature)
    return [
        _exact("Elo difference per L / sqrt(N), near none", -3474.36, slope * math.sqrt(7), rounding=0.005),
        _exact("mean error of five candidates 0.01 apart, as a PR", 6.0, five, rounding=0.5),
        _exact("cost at which two options are hardest, thousandths", 32.0, _hardest(), rounding=0.5),
    ]


def _hardest() -> float:
    costs = np.arange(0.001, 0.2, 0.001)
    return MP * float(
        costs[np.argmax([choice_difficulty([0, cost], DEFAULTS.temperature) for cost in costs])]
    )


def _exact(text: str, published: float, ours: float, *, rounding: float, note: str = "") -> dict:
    ends = {"published_low": published - rounding, "published_high": published + rounding}
    return claim(text, published, ours, ours, ours, 1, note=note, **ends)


def study_claims(tables: Mapping[str, pd.DataFrame]) -> list[dict]:
    """Statements that the pool can be asked.

    Parameters
    ----------
    tables : mapping of DataFrame
        The study's tables by name, under the counting rule of the settings.
    """
    return [
        *_spread_claims(tables["players"]),
        *_coverage_claims(tables["coverage"], tables["games"]),
        *_length_claims(tables["lengths"]),
        *_habit_claims(tables),
        _untold(),
    ]


def _spread_claims(players: pd.DataFrame) -> list[dict]:
    own = players[players["measure"] == DEFAULTS.rule].set_index("player")
    rows = []
    for name in own.index:
        row = own.loc[name]
        text = f"standard error of the PR of one seven-point match, player {name} (PR {row['value']:.1f})"
        ends = row["deviation"], row["deviation_low"], row["deviation_high"], int(row["n"])
        rows.append(claim(text, 1.5, *_ordered(*ends), note="published for no PR in particular"))
    snowie = players[players["measure"] == "snowie"].set_index("player")
    share = mean_interval((snowie["value"] / own["value"]).loc[list(own.index)].to_numpy())
    note = "mean over the players; published as about a half, so taken as 0.45 to 0.55"
    rows.append(
        claim("Snowie's rate over PR", 0.5, *share, published_low=0.45, published_high=0.55, note=note)
    )
    return rows


def _coverage_claims(coverage: pd.DataFrame, games: pd.DataFrame) -> list[dict]:
    coverage, games = (part[part["method"] == DEFAULTS.interval] for part in (coverage, games))
    rows = []
    parts = (
        ("matches", "pr", coverage[coverage["measure"] == "pr"]),
        ("matches", "l7", coverage[coverage["measure"] == "l7"]),
        ("games", "pr", games),
    )
    for unit, measure, part in parts:
        for count in sorted({3, 10, int(part["units"].max())}):
            own = part[part["units"] == count]
            if len(own) < 2:
                continue
            text = f"coverage of the 95 % interval of {measure.upper()} from {count} {unit}"
            note = "mean over the players; three or four units are published as only indicative"
            rows.append(claim(text, 0.95, *mean_interval(own["coverage"].to_numpy()), note=note))
    return rows


def _length_claims(lengths: pd.DataFrame) -> list[dict]:
    own = lengths.set_index("length")
    if 7 not in own.index:
        return []
    base = own.loc[7]
    rows = []
    for length in own.index[own.index != 7]:
        row = own.loc[length]
        ratio = row["l7"] / base["l7"]
        # Both are bootstrap intervals over other matches; their relative half-widths add up in squares.
        half = ratio * math.hypot(
            *((part["l7_high"] - part["l7_low"]) / (2 * part["l7"]) for part in (row, base))
        )
        text = f"L7 of one player at {length} points over that at 7"
        note = "1 if losses grow as the root of the length; published as approximate below 7 points"
        rows.append(
            claim(text, 1.0, ratio, ratio - half, ratio + half, int(min(row["n"], base["n"])), note=note)
        )
    return rows


def _habit_claims(tables: Mapping[str, pd.DataFrame]) -> list[dict]:
    pace = tables["pace"][tables["pace"]["type"] == "all"].set_index("player")
    steady = pace.loc[[name for name in _STEADY if name in pace.index]]
    steady = (steady["share"] - steady["quick"]).dropna()
    rows = []
    if len(steady) > 1:
        text = "share of errors that are hasty less that of decisions that are quick, where haste changes nothing"
        note = 'mean over players; published: "split evenly"; a bit less than half of the decisions is below a median'
        rows.append(claim(text, 0.0, *mean_interval(steady.to_numpy()), note=note))
    easy = tables["easy"]
    if len(easy) > 1:
        lower = int((easy["pr"] < easy["pr_without"]).sum())
        rows.append(count_claim("PR is lower with the easy decisions than without them", lower, len(easy)))
        ratio = (easy["l7"] / easy["l7_without"]).to_numpy()
        note = "published: L7 does not move, taken as within 5 %; it cannot be lower"
        ends = {"published_low": 0.95, "published_high": 1.05}
        text = "L7 with the easy decisions over L7 without them"
        rows.append(claim(text, 1.0, *mean_interval(ratio), note=note, **ends))
    for table, unchanged, text in _UNCHANGED:
        column, published, ends, note = _EXPECTED[table]
        own = tables[table]
        values = own.loc[unchanged(own), column].dropna().to_numpy()
        if len(values) > 1:
            rows.append(claim(text, published, *mean_interval(values), note=note, **ends))
    return rows


_UNCHANGED = (
    (
        "tournaments",
        lambda own: (own["here"] == own["usual"]) & (own["matches"] == 3),
        "tournaments of three matches that are called worse though nothing changed",
    ),
    (
        "study",
        lambda own: (own["chosen"] == "beforehand") & (own["matches"] == own["matches"].max()),
        'families called "improved" though nothing changed, chosen beforehand',
    ),
    (
        "study",
        lambda own: (own["chosen"] == "from the matches before") & (own["matches"] == own["matches"].max()),
        'families called "improved" though nothing changed, chosen from the matches before',
    ),
)
_EXPECTED = {
    "tournaments": (
        "worse",
        0.0,
        {"published_low": 0.0, "published_high": 0.05},
        'mean over players; published: "almost never"',
    ),
    "study": ("improved", 0.025, {}, "mean over players; 2.5 % is what a 95 % interval promises"),
}


def _untold() -> dict:
    text = "largest difference to the MWC losses of eXtreme Gammon, points, but for known exceptions"
    return claim(text, 0.06, None, None, None, 0, note="cannot be told without genuine .xg files")


def _ordered(value: float, low: float, high: float, n: int) -> tuple[float, float, float, int]:
    """A bootstrap interval of a standard deviation lies low and may miss the value by a hair."""
    return value, min(low, value), max(high, value), n
