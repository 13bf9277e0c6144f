"""A/B tests watched while they run: what daily looks do to each analysis, and what early looking costs."""

import math

import numpy as np
import pandas as pd

from ludometrics.abtest.analysis import effect_sequence
from ludometrics.abtest.naive import LEAST_GAMES
from ludometrics.simulation.ab_games import ABGames
from ludometrics.simulation.ab_settings import ABSettings
from ludometrics.simulation.ab_study import (
    DEALT,
    SILENT,
    Answer,
    answer_naive,
    answer_ours,
    simulate_with_rng,
    trial_of,
)
from ludometrics.simulation.outcome_tables import Outcomes

#: Looks at a test: once a day for the course's twenty days, elsewhere after every twentieth of the games.
LOOKS = 20
METHODS = ("naive", "default", "sequence")
#: Designs whose games can be watched by a confidence sequence.
WATCHED = ("game", "alternate")


def look_rows(games: ABGames, *, by_day: bool, looks: int = LOOKS) -> list[np.ndarray]:
    """Games that have been played at each look.

    Parameters
    ----------
    games : ABGames
    by_day : bool
        Whether a look falls on each day; else after equal shares of the games.
    looks : int

    Returns
    -------
    list of ndarray of bool, shape (n,)
    """
    n = len(games.player)
    if by_day:
        return [games.day <= day for day in range(1, looks + 1)]
    # Games of one round are played side by side: they are cut by their order within it.
    place = np.arange(n)
    return [place < math.ceil(n * look / looks) for look in range(1, looks + 1)]


def watch_methods(
    settings: ABSettings, outcomes: Outcomes, *, seed: int, first: int, count: int, progress: bool = False
) -> pd.DataFrame:
    """Look at a test again and again, and stop in thought as soon as a method speaks of a difference.

    Parameters
    ----------
    settings, outcomes, seed, first, count, progress
        As in `ab_study.rate_methods`.

    Returns
    -------
    DataFrame
        One row a method ("naive", "default", and "sequence" where versions are dealt within players) and look: method,
        look, replication (the first), trials, at (verdicts of a difference at this look), ever (at this one or one
        before), wrong (ranges that have left out the truth at this look or one before), games (sum, at this look).
    """
    counts: dict[tuple[str, int], np.ndarray] = {}
    for games, rng in simulate_with_rng(
        settings, outcomes, seed=seed, first=first, count=count, progress=progress
    ):
        for method, answers in _watch(games, settings, rng=rng).items():
            ever = wrong = False
            for look, (answer, played) in enumerate(answers, start=1):
                different = answer.decided and answer.different != 0
                ever |= different
                if answer.decided and not math.isnan(answer.low):
                    wrong |= not answer.low <= answer.truth <= answer.high
                row = counts.setdefault((method, look), np.zeros(4, dtype=np.int64))
                row += [different, ever, wrong, played]
    rows = [
        {"method": method, "look": look, "replication": first, "trials": count}
        | dict(zip(("at", "ever", "wrong", "games"), map(int, row), strict=True))
        for (method, look), row in counts.items()
    ]
    return pd.DataFrame(rows)


def watch_one(
    settings: ABSettings, outcomes: Outcomes, *, seed: int, number: int, points: int = 60
) -> pd.DataFrame:
    """Follow one test: the ranges of every analysis as games come in.

    Parameters
    ----------
    settings, outcomes, seed
        As in `ab_study.rate_methods`.
    number : int
        Of the replication.
    points : int
        Looks, evenly over the games.

    Returns
    -------
    DataFrame
        One row a method and look: method, look, games, estimate, low, high (nan where there is none), true_effect.
    """
    ((games, rng),) = simulate_with_rng(settings, outcomes, seed=seed, first=number, count=1)
    rows = []
    for method, answers in _watch(games, settings, looks=points, by_day=False, rng=rng).items():
        for look, (answer, played) in enumerate(answers, start=1):
            rows.append((method, look, played, answer.estimate, answer.low, answer.high, answer.truth))
    return pd.DataFrame(rows, columns=["method", "look", "games", "estimate", "low", "high", "true_effect"])


def _watch(
    games: ABGames, settings: ABSettings, *, looks: int = LOOKS, by_day: bool | None = None, rng
) -> dict[str, list[tuple[Answer, int]]]:
    by_day = settings.exposure == "matching" if by_day is None else by_day
    said: dict[str, list[tuple[Answer, int]]] = {"naive": [], "default": []}
    selections = look_rows(games, by_day=by_day, looks=looks)
    for rows in selections:
        played = int(rows.sum())
        if not played:  # nobody has met the level yet
            said["naive"].append((SILENT, 0))
            said["default"].append((SILENT, 0))
            continue
        said["naive"].append((answer_naive(games, rows=rows), played))
        said["default"].append((answer_ours(games, settings.assignment, rows=rows, rng=rng), played))
    if settings.assignment in WATCHED:
        said["sequence"] = _watch_sequence(games, settings, selections)
    return said


def _watch_sequence(
    games: ABGames, settings: ABSettings, selections: list[np.ndarray]
) -> list[tuple[Answer, int]]:
    """What the confidence sequence says at each look; it is narrowest at the end of the test."""
    answers = []
    for rows in selections:
        played = int(rows.sum())
        answer = SILENT
        if played >= 2 * LEAST_GAMES:
            # Made anew from the games so far, as an analyst would: values never depend on later games.
            table = effect_sequence(
                trial_of(games, rows=rows), DEALT[settings.assignment], n_opt=len(games.player), alpha=0.05
            )
            last = table.iloc[-1] if len(table) else None
            if last is not None and not math.isnan(last["low"]):
                low, high = float(last["low"]), float(last["high"])
                different = 1 if low > 0.0 else -1 if high < 0.0 else 0
                truth = float(games.effects[games.player[rows], games.is_black[rows].astype(np.int64)].mean())
                answer = Answer(True, different, float(last["estimate"]), low, high, math.nan, truth)
        answers.append((answer, played))
    return answers
