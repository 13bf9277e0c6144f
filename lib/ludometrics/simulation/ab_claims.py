"""What the adaptive-draughts course says of its two A/B tests, held against ours.

Each was run once: its numbers are held against the 95 % prediction interval for one run.
"""

import math

import pandas as pd
from scipy import stats

from ludometrics.abtest.naive import naive_difference
from ludometrics.evaluation import Estimate
from ludometrics.provenance import claim
from ludometrics.simulation.ab_summary import EXPERIMENTS
from ludometrics.simulation.days_claims import count_claim

#: Published of one run each: text, value, design and quantity.
PUBLISHED = (
    ("first test: score of B minus score of A", 0.161, "names_matching", "difference"),
    ("first test: mean score against A", 0.147, "names_matching", "mean_a"),
    ("first test: mean score against B", 0.308, "names_matching", "mean_b"),
    ("first test: games against A", 51, "names_matching", "games_a"),
    ("first test: games against B", 73, "names_matching", "games_b"),
    ("first test: share of B's games that Ada played", 0.58, "names_matching", "share_strongest"),
    ("second test: score of B minus score of A", -0.09, "alternate_fixed", "difference"),
    ("second test: mean score against A", 0.199, "alternate_fixed", "mean_a"),
    ("second test: mean score against B", 0.109, "alternate_fixed", "mean_b"),
)
#: Why means and numbers of games stray.
LEVELS = (
    "the course's levels are inferred: our Medium is rated below the course's (see draughts_simulation), so that "
    "players score more against it and are matched with it more often"
)
#: Ranges that the course prints: they follow from means and games by its formula.
RANGES = {"first": (0.161, 0.017, 0.305), "second": (-0.09, -0.178, -0.002)}


def course_test_claims(parts: pd.DataFrame) -> list[dict]:
    """Set the course's numbers beside ours.

    Parameters
    ----------
    parts : DataFrame
        Of `ab_summary.course_table`.

    Returns
    -------
    list of dict
        Rows of `ludometrics.provenance.claim`.

    Source
    ------
    The adaptive-draughts course, module on A/B tests.
    """
    own = parts[parts["truth"] == "course"].set_index(["design", "quantity"])
    rows = _range_claims()
    for text, published, design, quantity in PUBLISHED:
        row = own.loc[(design, quantity)]
        rows.append(claim(text, published, *_one_run(row), note=_note(own, design, quantity)))
    rows.append(_strongest_claim(own))
    rows.append(_event_claim(own, "names_matching", "says_easier", "first test: B is called easier"))
    rows.append(_event_claim(own, "alternate_fixed", "says_tougher", "second test: B is called tougher"))
    return rows


def _range_claims() -> list[dict]:
    rows = []
    for name, (difference, low, high) in RANGES.items():
        n_a, mean_a, n_b, mean_b, _ = EXPERIMENTS[name]
        found = naive_difference(n_a, mean_a, n_b, mean_b)
        for what, published, ours in (
            ("difference", difference, found.difference),
            ("lower end", low, found.low),
            ("upper end", high, found.high),
        ):
            rows.append(
                claim(
                    f"{name} test: {what} of the range, by the course's formula",
                    published,
                    ours,
                    ours,
                    ours,
                    1,
                    published_low=published - 0.0005,
                    published_high=published + 0.0005,
                    note="from the published games and means; the interval is rounding",
                )
            )
    return rows


def _one_run(row: pd.Series) -> Estimate:
    n = int(row["n"])
    half = float(stats.t.ppf(0.975, n - 1)) * row["sd"] * math.sqrt(1.0 + 1.0 / n)
    return Estimate(float(row["mean"]), float(row["mean"] - half), float(row["mean"] + half), n)


def _note(own: pd.DataFrame, design: str, quantity: str) -> str:
    if quantity != "difference":
        return LEVELS if quantity in ("mean_a", "mean_b", "games_a") else ""
    players, version = (own.loc[(design, name), "mean"] for name in ("players", "version"))
    if design == "alternate_fixed":
        return f"the version's true effect is {version:.3f}; every player meets both equally often"
    return f"of the mean {players:+.3f} comes from who played and {version:+.3f} from the version"


def _strongest_claim(own: pd.DataFrame) -> dict:
    """The course's explanation, tried: B's players without Ada should not look better."""
    names = ("players", "players_without", "without_strongest", "version")
    players, others, without, version = (own.loc[("names_matching", name), "mean"] for name in names)
    note = (
        f"who played makes {players:+.3f} with her games and {others:+.3f} without: she does turn the sign. But "
        f"without her the mean difference is {without:+.3f} where the version makes {version:+.3f}: the cause is that "
        "eight players were dealt once, whoever they are"
    )
    text = "first test was wrong because the strongest player was in B: without her B scores less"
    return _event_claim(own, "names_matching", "less_without", text, note)


def _event_claim(own: pd.DataFrame, design: str, quantity: str, text: str, note: str = "") -> dict:
    row = own.loc[(design, quantity)]
    return count_claim(text, round(row["mean"] * row["n"]), int(row["n"]), note=note)
