"""What the adaptive-draughts course says of its twenty days, held against ours.

The course ran its simulation once. Its numbers are therefore held against the 95 % prediction interval for one run.
"""

import pandas as pd

from ludometrics.evaluation import Estimate, prediction_interval, share_interval
from ludometrics.provenance import claim
from ludometrics.ratings import elo

#: Rating after twenty days, Elo points, as the course gives them.
PUBLISHED_RATINGS = {
    "Sim Ada": 1433,
    "Sim Dan": 1323,
    "Computer (Low)": 1135,
    "Computer (Medium)": 1524,
    "Computer (High)": 1634,
}
#: Mean over players of abs(mean score - 0.5), as the course gives it by phase.
PUBLISHED_EVENNESS = {"1-10": 0.296, "11-20": 0.223}
_FITTED = "the levels Low and Medium were chosen so that this number and others come out"


def course_claims(players: pd.DataFrame, phases: pd.DataFrame, equal: pd.DataFrame) -> list[dict]:
    """Set the course's numbers beside ours.

    Parameters
    ----------
    players, phases : DataFrame
        Of the scenario ``course``, as `simulate_replications` gives them.
    equal : DataFrame
        Of `compare_players`: distances of neighbours on the scale of the levels.

    Returns
    -------
    list of dict
        Rows of `ludometrics.provenance.claim`.

    Source
    ------
    The adaptive-draughts course, modules on ratings, matching and simulation.
    """
    ratings = players.pivot(index="replication", columns="name", values="rating")
    rows = [*_formula_claims()]
    for name, published in PUBLISHED_RATINGS.items():
        rows.append(_single(f"rating of {name} after 20 days", published, ratings[name]))
    close = f"{_between(equal, 'Sim Fin', 'Sim Gus')}, {_between(equal, 'Sim Gus', 'Sim Hal')}: nearly equal"
    last = ratings[["Sim Fin", "Sim Gus", "Sim Hal"]]
    rows.append(_single("lowest rating of Fin, Gus and Hal", 804, last.min(axis=1), note=close))
    rows.append(_single("highest rating of Fin, Gus and Hal", 830, last.max(axis=1), note=close))
    gap = ratings["Sim Gus"] - ratings["Sim Fin"]
    rows.append(_single("rating of Gus above Fin (intended: below)", 10, gap, note=close))
    above = ratings["Sim Dan"] > ratings[["Sim Ben", "Sim Cat"]].max(axis=1)
    note = f"{_between(equal, 'Sim Cat', 'Sim Dan')}; Ben is truly stronger, the order of one run was luck"
    rows.append(event_claim("Dan is rated above Ben and Cat", above, note=note))
    levels = ratings[["Computer (Low)", "Computer (Medium)", "Computer (High)"]]
    ordered = (levels.diff(axis=1).iloc[:, 1:] > 0).all(axis=1)
    rows.append(event_claim("the levels are rated in the order Low, Medium, High", ordered))
    for phase, published in PUBLISHED_EVENNESS.items():
        values = phases.loc[phases["phase"] == phase, "mean_distance"]
        rows.append(_single(f"evenness, days {phase}", published, values, fitted=True, note=_FITTED))
    wide = phases.pivot(index="replication", columns="phase", values="mean_distance")
    better = wide["11-20"] < wide["1-10"]
    rows.append(event_claim("games are more even with matching than before", better))
    return rows


def _formula_claims() -> list[dict]:
    """Numbers that follow from the formula: exact, so that only the author's rounding is an interval."""
    winner, loser = elo.update(1200.0, 1200.0, 1.0)
    ahead = elo.update(1600.0, 1200.0, 1.0)[0] - 1600.0
    cases = (
        ("expected score 200 points ahead", 0.76, 0.005, float(elo.expected_score(1400, 1200))),
        ("expected score 400 points ahead", 0.91, 0.005, float(elo.expected_score(1600, 1200))),
        ("both at 1200: rating of the winner", 1216, 0.5, float(winner)),
        ("both at 1200: rating of the loser", 1184, 0.5, float(loser)),
        ("gain of a winner who is 400 points ahead", 3, 0.5, float(ahead)),
    )
    return [
        claim(
            text,
            published,
            ours,
            ours,
            ours,
            1,
            published_low=published - rounding,
            published_high=published + rounding,
            note="by formula; the published interval is its rounding",
        )
        for text, published, rounding, ours in cases
    ]


def _single(text: str, published: float, values: pd.Series, **more) -> dict:
    run = prediction_interval(values)
    return claim(text, published, *run, **more)


def event_claim(text: str, happened: pd.Series, **more) -> dict:
    """Set an event of a published run beside the share of our runs in which it happens.

    An outcome of at least 2.5 % of our runs is foretold; only a rarer one contradicts the published run.

    Parameters
    ----------
    text : str
        What happened, in words.
    happened : Series of bool
        One value a run.
    **more
        Passed to `ludometrics.provenance.claim`; `note` is added to.

    Returns
    -------
    dict
        Row of `claim`.
    """
    return count_claim(text, int(happened.sum()), len(happened), **more)


def count_claim(text: str, count: int, n: int, **more) -> dict:
    """As `event_claim`, from the number of runs in which it happened.

    Parameters
    ----------
    text : str
    count, n : int
        Runs in which it happened, and runs.
    **more
        As for `event_claim`.

    Returns
    -------
    dict
        Row of `claim`.

    Examples
    --------
    >>> count_claim("heads", 1, 100)["verdict"], count_claim("heads", 3, 100)["verdict"]
    ('not reproduced', 'reproduced')
    """
    share = share_interval(count, n)
    low, high = (0.0 if share.value <= 0.975 else share.value), (1.0 if share.value >= 0.025 else share.value)
    note = "; ".join(filter(None, ["1: it happened; ours: share of runs", more.pop("note", "")]))
    return claim(text, 1.0, *Estimate(share.value, low, high, share.n), note=note, **more)


def _between(equal: pd.DataFrame, stronger: str, weaker: str) -> str:
    row = equal[(equal["stronger"] == stronger) & (equal["weaker"] == weaker)].iloc[0]
    names = f"{stronger.removeprefix('Sim ')} and {weaker.removeprefix('Sim ')}"
    interval = f"[{row['difference_low']:.0f}, {row['difference_high']:.0f}]"
    return f"{names} are {row['difference']:.0f} {interval} points apart by their settings"
