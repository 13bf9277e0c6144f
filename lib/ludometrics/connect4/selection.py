"""Choice of one agent among many: a tournament, its winner, and what the winner scores on fresh games.

The best of many scores is partly the luckiest one. The score that the winner was chosen by is therefore too high on
average, and what counts is its score on games that had no part in the choice.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ludometrics.connect4.run_table import (
    CONDITIONS,
    PAIRING,
    Condition,
    check_runs,
    describe,
)
from ludometrics.evaluation import NORMAL_95

#: Plays an agent with a seed and gives a row a pairing: opponent, error, side, games, won, drawn, lost, forfeits.
Play = Callable[[Any, int], pd.DataFrame]


class Criterion(NamedTuple):
    """The score by which agents are chosen.

    Attributes
    ----------
    score : float
        Mean over conditions of (W - L)/N, -1 to 1.
    standard_error : float
        Of the games of this one agent: sqrt(sum over k conditions of s^2 / N) / k; NaN if a condition has one game.
    low, high : float
        Score +- 1.96 standard errors.
    games : int
        In all.
    conditions : int
        k.
    """

    score: float
    standard_error: float
    low: float
    high: float
    games: int
    conditions: int


class Selection(NamedTuple):
    """What a tournament gave.

    Attributes
    ----------
    winner : str
        Name of the agent with the highest criterion; of equals, the one given first.
    table : DataFrame
        Of `tournament_table`.
    games : DataFrame
        The tournament's rows: agent, then one row a pairing.
    fresh : Criterion
        Of the winner on games that had no part in the choice.
    fresh_games : DataFrame
        Its rows, one a pairing.
    bias, bias_low, bias_high : float
        The winner's score in the tournament less its fresh one, and the interval of that difference: on average above
        0, for luck helped to win; the more agents and the fewer games, the more.
    """

    winner: str
    table: pd.DataFrame
    games: pd.DataFrame
    fresh: Criterion
    fresh_games: pd.DataFrame
    bias: float
    bias_low: float
    bias_high: float


def criterion(table: pd.DataFrame, conditions: Sequence[Condition] = CONDITIONS) -> Criterion:
    """Score one agent's games: the mean over conditions of (W - L)/N, each condition counted once.

    Parameters
    ----------
    table : DataFrame
        One row a pairing, as of `arena.play_games`; pairings that are not among the conditions are left out.
    conditions : sequence of Condition
        The 22 against BitBully unless given.

    Returns
    -------
    Criterion
        s^2 is the variance of the results 1, 0, -1 of a condition's games, with n - 1; it is 0 where all end alike, so
        that the standard error is a little too small near the ends of the scale.

    Raises
    ------
    ValueError
        As `check_runs`; a condition that was not played.

    Source
    ------
    The published Connect-4 recipe (Thill 2026, techdays26); standard error: own.

    Examples
    --------
    >>> games = {"error": 0.0, "side": "first", "games": 50, "forfeits": 0}
    >>> table = pd.DataFrame(
    ...     [games | {"opponent": "depth 1", "won": 40, "drawn": 5, "lost": 5},
    ...      games | {"opponent": "depth 2", "won": 50, "drawn": 0, "lost": 0}]
    ... )
    >>> found = criterion(table, [Condition("depth 1", 0.0, "first"), Condition("depth 2", 0.0, "first")])
    >>> found.score, round(found.standard_error, 4), found.games
    (0.85, 0.0457, 100)
    """
    wanted = [tuple(one) for one in conditions]
    if not wanted:
        raise ValueError("conditions is empty: at least one is needed")
    rows = check_runs(table.assign(recipe="agent", run=0, step=0, moves=0))
    rows = rows.set_index(list(PAIRING))
    lacking = [Condition(*one) for one in wanted if one not in rows.index]
    if lacking:
        raise ValueError(
            f"{len(lacking)} of {len(wanted)} conditions were not played, the first {describe(lacking[0])}"
        )
    played = rows.loc[wanted]
    games, lost, won = (played[name].to_numpy(dtype=float) for name in ("games", "lost", "won"))
    means = (won - lost) / games
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = np.where(games > 1, ((won + lost) / games - means**2) * games / (games - 1), math.nan)
    error = float(np.sqrt((spread.clip(0.0) / games).sum()) / len(wanted))
    score = float(means.mean())
    ends = score - NORMAL_95 * error, score + NORMAL_95 * error
    return Criterion(score, error, *ends, int(games.sum()), len(wanted))


def tournament_table(
    tables: Mapping[str, pd.DataFrame], conditions: Sequence[Condition] = CONDITIONS
) -> pd.DataFrame:
    """Rank agents by the criterion.

    Parameters
    ----------
    tables : mapping of str to DataFrame
        The rows of each agent by its name.
    conditions : sequence of Condition
        As for `criterion`.

    Returns
    -------
    DataFrame
        One row an agent, the best first: place (from 1), agent, the fields of `Criterion`, behind (the winner's score
        less its own) and behind_error (sqrt of the sum of both squared errors; 0 for the winner itself).

    Raises
    ------
    ValueError
        No agent; as `criterion`, naming the agent.

    Source
    ------
    Own.
    """
    if not tables:
        raise ValueError("there are no agents: at least one is needed")
    rows = []
    for name, table in tables.items():
        try:
            rows.append({"agent": name, **criterion(table, conditions)._asdict()})
        except ValueError as error:
            raise ValueError(f"agent {name!r}: {error}") from None
    found = pd.DataFrame(rows).sort_values("score", ascending=False, kind="stable", ignore_index=True)
    found.insert(0, "place", range(1, len(found) + 1))
    behind = found["score"].iloc[0] - found["score"]
    error = np.hypot(found["standard_error"], found["standard_error"].iloc[0])
    error.iloc[0] = 0.0
    return found.assign(behind=behind, behind_error=error)


def select_agent(
    agents: Mapping[str, Any],
    play: Play,
    *,
    seed: int,
    fresh_seed: int,
    conditions: Sequence[Condition] = CONDITIONS,
) -> Selection:
    """Let each agent play, choose the one with the highest criterion, and measure it again on fresh games.

    Parameters
    ----------
    agents : mapping of str to object
        Agents by name.
    play : callable
        Plays an agent with a seed, such as ``lambda agent, seed: play_games(agent, games=200, seed=seed)``. It is
        called once for each agent with `seed`, so that all meet the same random numbers, and once for the winner with
        `fresh_seed`.
    seed, fresh_seed : int
        Two that differ, and that no evaluation used on the way: training must not have looked at these games.
    conditions : sequence of Condition
        As for `criterion`.

    Returns
    -------
    Selection

    Raises
    ------
    ValueError
        Equal seeds, no agent, a condition that was not played.

    Source
    ------
    The published Connect-4 recipe (Thill 2026, techdays26).
    """
    if seed == fresh_seed:
        raise ValueError(
            f"fresh_seed is {fresh_seed}, as seed: the winner would be given the same games again"
        )
    tables = {name: play(agent, seed) for name, agent in agents.items()}
    table = tournament_table(tables, conditions)
    winner = str(table["agent"].iloc[0])
    fresh_games = play(agents[winner], fresh_seed)
    fresh = criterion(fresh_games, conditions)
    first = table.iloc[0]
    bias = float(first["score"]) - fresh.score
    half = NORMAL_95 * math.hypot(float(first["standard_error"]), fresh.standard_error)
    games = pd.concat(
        [part.assign(agent=name)[["agent", *part.columns]] for name, part in tables.items()],
        ignore_index=True,
    )
    return Selection(winner, table, games, fresh, fresh_games, bias, bias - half, bias + half)


def selection_summary(selection: Selection) -> pd.DataFrame:
    """Set the winner's score in the tournament beside its score on fresh games.

    Parameters
    ----------
    selection : Selection

    Returns
    -------
    DataFrame
        Three rows: quantity ("chosen by", "on fresh games", "bias"), agent, value, low, high, standard_error, games.
    """
    first = selection.table.iloc[0]
    names = ["score", "low", "high", "standard_error", "games"]
    fresh = selection.fresh._asdict()
    bias = [selection.bias, selection.bias_low, selection.bias_high]
    error = math.hypot(first["standard_error"], fresh["standard_error"])
    rows = [
        ("chosen by", *(first[name] for name in names)),
        ("on fresh games", *(fresh[name] for name in names)),
        ("bias", *bias, error, int(first["games"]) + fresh["games"]),
    ]
    table = pd.DataFrame(rows, columns=["quantity", "value", "low", "high", "standard_error", "games"])
    table.insert(1, "agent", selection.winner)
    return table
