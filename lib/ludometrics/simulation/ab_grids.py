"""The grid of the A/B study: one design with several numbers of players and truths, as tidy tables."""

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd

from ludometrics.simulation.ab_course import measure_course
from ludometrics.simulation.ab_peers import rate_peers
from ludometrics.simulation.ab_settings import ABSettings, preset
from ludometrics.simulation.ab_study import rate_methods
from ludometrics.simulation.ab_watch import watch_methods, watch_one
from ludometrics.simulation.outcome_tables import COURSE_TYPES, TYPES, Outcomes

#: Truths of which power curves and looks are made, besides no difference.
CHANGE = "course"
#: Games of each player in the test that is followed as an example.
FOLLOWED_GAMES = 128
#: Games of a test beyond which no power is measured: every valid method has all of it there.
MOST_GAMES = 8_000
#: In place of a number of games where matching decides who plays how much.
AS_MATCHED = 0


def is_fixed(design: str) -> bool:
    """Whether every player's games are laid down beforehand, so that their number can be varied.

    Examples
    --------
    >>> is_fixed("hash_fixed"), is_fixed("hash_matching")
    (True, False)
    """
    return preset(design, len(COURSE_TYPES), "none").exposure == "fixed"


def methods_grid(
    design: str, players: Sequence[int], truths: Sequence[str], outcomes: Outcomes, *, peers: int = 0, **block
) -> pd.DataFrame:
    """How the analyses do in one design.

    Parameters
    ----------
    design : str
        Key of `ab_settings.PRESETS`.
    players : sequence of int
    truths : sequence of str
    outcomes : Outcomes
    peers : int
        Replications in which the packages of `ab_peers` are tried too: with one player of each type, and no or the
        course's change.
    **block
        seed, first, count, progress: as in `ab_study.rate_methods`.

    Returns
    -------
    DataFrame
        design, players, truth, and the columns of `ab_study.rate_methods`.
    """
    tables = []
    for n in players:
        for truth in truths:
            settings = preset(design, n, truth)
            parts = [rate_methods(settings, outcomes, **block)]
            if peers and n == len(TYPES) and truth in ("none", CHANGE):
                parts.append(rate_peers(settings, outcomes, **{**block, "count": peers}))
            table = pd.concat(parts, ignore_index=True)
            tables.append(_named(table, design=design, players=n, truth=truth))
    return pd.concat(tables, ignore_index=True)


def power_grid(
    design: str,
    players: Sequence[int],
    games_each: Sequence[int],
    outcomes: Outcomes,
    **block,
) -> pd.DataFrame:
    """Power against the number of games of each player, with the course's change.

    Parameters
    ----------
    design, players, outcomes, **block
        As in `methods_grid`.
    games_each : sequence of int
        Of both versions together; where they are heavy-tailed, the mean. Tests of more than `MOST_GAMES` are left out.

    Returns
    -------
    DataFrame
        design, players, games_each (`AS_MATCHED` where matching decides who plays how much), and the columns of
        `ab_study.rate_methods`.
    """
    sizes = list(games_each) if is_fixed(design) else [AS_MATCHED]
    tables = [
        _named(
            rate_methods(preset(design, n, CHANGE, games_each=games or None), outcomes, **block),
            design=design,
            players=n,
            games_each=games,
        )
        for n in players
        for games in sizes
        if n * games <= MOST_GAMES
    ]
    return pd.concat(tables, ignore_index=True)


def looks_grid(design: str, players: Sequence[int], outcomes: Outcomes, **block) -> pd.DataFrame:
    """What repeated looks do, without a difference and with the course's change.

    Returns
    -------
    DataFrame
        design, players, truth, and the columns of `ab_watch.watch_methods`.
    """
    tables = [
        _named(
            watch_methods(preset(design, n, truth), outcomes, **block), design=design, players=n, truth=truth
        )
        for n in players
        for truth in ("none", CHANGE)
    ]
    return pd.concat(tables, ignore_index=True)


def course_settings(design: str, truth: str) -> ABSettings:
    """The course's eight players in a design; where versions alternate, A comes first, as in its fair test."""
    settings = preset(design, len(COURSE_TYPES), truth)
    return replace(settings, fixed_order=True) if settings.assignment == "alternate" else settings


def course_grid(design: str, outcomes: Outcomes, **block) -> pd.DataFrame:
    """The difference between the groups taken apart, with the course's eight players.

    Returns
    -------
    DataFrame
        design, truth, and the columns of `ab_course.measure_course`.
    """
    tables = [
        _named(measure_course(course_settings(design, truth), outcomes, **block), design=design, truth=truth)
        for truth in ("none", CHANGE)
    ]
    return pd.concat(tables, ignore_index=True)


def follow_one(design: str, players: int, outcomes: Outcomes, *, seed: int, number: int) -> pd.DataFrame:
    """Follow one test with the course's change, game by game.

    Returns
    -------
    DataFrame
        design, players, replication, and the columns of `ab_watch.watch_one`.
    """
    settings = preset(design, players, CHANGE, games_each=FOLLOWED_GAMES if is_fixed(design) else None)
    table = watch_one(settings, outcomes, seed=seed, number=number)
    return _named(table, design=design, players=players, replication=number)


def _named(table: pd.DataFrame, **names) -> pd.DataFrame:
    return pd.concat([pd.DataFrame(names, index=table.index), table], axis=1)
