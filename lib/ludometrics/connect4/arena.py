"""The arena: an agent plays the nine opponents on both sides, and every game can be played again.

Each game draws from random numbers of its own, which follow from the seed, the pairing and the number of the game; and
an opponent's move depends on nothing but these and the position. So the games are the same whatever else is played, in
whatever order, in how many processes, and after whatever was played before.
"""

from collections.abc import Sequence
from numbers import Integral
from typing import Any

import pandas as pd
from tqdm.auto import tqdm

from ludometrics.connect4.arena_games import (
    AGENT,
    GAME_LIMIT_S,
    MOVE_LIMIT_S,
    OPPONENT,
    SIDES,
    GameRecord,
    Limits,
    Pairing,
    Task,
    pairings,
)
from ludometrics.connect4.arena_workers import Workers
from ludometrics.connect4.opponents import OPPONENTS

__all__ = [
    "GAME_COLUMNS",
    "QUICK_PAIRINGS",
    "TABLE_COLUMNS",
    "Pairing",
    "Workers",
    "pairings",
    "play_games",
    "record_games",
    "summarise",
]

TABLE_COLUMNS = [
    "opponent",
    "error",
    "side",
    "games",
    "won",
    "drawn",
    "lost",
    "forfeits",
    "opponent_forfeits",
    "seed",
]
GAME_COLUMNS = list(GameRecord._fields)
#: What a trainer looks at: first against the perfect player, second against one that errs.
QUICK_PAIRINGS = (
    Pairing("perfect", "first"),
    Pairing("perfect", "second", 0.1),
    Pairing("perfect", "second", 0.2),
)
_TOGETHER = 10  # games of a pairing that a process plays in one go

_every = pairings  # the functions below have a parameter of that name


def play_games(
    agent: Any,
    pairings: Sequence[Pairing] | None = None,
    games: int = 50,
    *,
    seed: int,
    workers: int | Workers = 0,
    progress: bool = False,
    move_limit_s: float = MOVE_LIMIT_S,
    game_limit_s: float = GAME_LIMIT_S,
) -> pd.DataFrame:
    """Evaluate an agent: games against each opponent, counted.

    Parameters
    ----------
    agent : object
        A value network, or a player with `choose(positions)` or with BitBully's `best_move(board)`. A method
        `restart(seed)`, if it has one, is called before each game: a player that draws lots is to begin there.
    pairings : sequence of Pairing, optional
        Whom to meet; the 24 standard pairings unless given. `QUICK_PAIRINGS` are three for a look in between.
    games : int
        Games of each pairing, at least 1.
    seed : int
        Seed of the evaluation, 0 or more. The same seed gives the same games.
    workers : int or Workers
        Processes that play; 0: this one. An open `Workers` serves many evaluations and saves their start.
    progress : bool
        Show a bar.
    move_limit_s, game_limit_s : float
        Time allowed to each side for a move and for all its moves of a game, in seconds: of the clock for the agent, of
        work for the opponent. It is looked at after each move.

    Returns
    -------
    DataFrame
        One row a pairing, in the order given: opponent, error, side, games, won, drawn, lost, forfeits (of the lost
        games: time, illegal move, exception), opponent_forfeits (the same of the won games), seed.

    Raises
    ------
    ValueError
        No pairing, a pairing given twice, a number outside its range, or an agent that cannot be asked.
    RuntimeError
        A process failed.

    Source
    ------
    The published Connect-4 recipe (Thill 2026, techdays26).
    """
    table = record_games(
        agent,
        pairings,
        games,
        seed=seed,
        workers=workers,
        progress=progress,
        move_limit_s=move_limit_s,
        game_limit_s=game_limit_s,
    )
    return summarise(table, seed=seed)


def record_games(
    agent: Any,
    pairings: Sequence[Pairing] | None = None,
    games: int = 50,
    *,
    seed: int,
    workers: int | Workers = 0,
    progress: bool = False,
    move_limit_s: float = MOVE_LIMIT_S,
    game_limit_s: float = GAME_LIMIT_S,
) -> pd.DataFrame:
    """Evaluate an agent and give every game.

    Parameters, errors and source are those of `play_games`.

    Returns
    -------
    DataFrame
        One row a game, pairing after pairing: opponent, error, side, game, seed, moves, result (1, 0.5, 0 from the
        agent's view), reason, own_s, opponent_s; see `GameRecord`.
    """
    chosen = _check_pairings(pairings)
    for name, number, least in (("games", games, 1), ("seed", seed, 0)):
        if isinstance(number, bool) or not isinstance(number, Integral) or number < least:
            raise ValueError(f"{name} is {number!r}: a whole number of at least {least} is wanted")
    for name, limit in (("move_limit_s", move_limit_s), ("game_limit_s", game_limit_s)):
        if not limit > 0:
            raise ValueError(f"{name} is {limit!r}: seconds above 0 are wanted")
    games, seed = int(games), int(seed)
    limits = Limits(move_limit_s, game_limit_s)
    tasks = [
        Task(pairing, first, min(first + _TOGETHER, games), seed, limits)
        for pairing in sorted(chosen, key=_turn)
        for first in range(0, games, _TOGETHER)
    ]
    if isinstance(workers, Workers):
        done = _play(workers, agent, tasks, progress)
    else:
        with Workers(workers) as own:
            done = _play(own, agent, tasks, progress)
    order = {(one.opponent, one.error, one.side): place for place, one in enumerate(chosen)}
    done.sort(key=lambda record: (order[record.opponent, record.error, record.side], record.game))
    return pd.DataFrame(done, columns=GAME_COLUMNS)


def summarise(table: pd.DataFrame, *, seed: int) -> pd.DataFrame:
    """Count the games of each pairing.

    Parameters
    ----------
    table : DataFrame
        Games, as of `record_games`.
    seed : int
        Seed of the evaluation, for the last column.

    Returns
    -------
    DataFrame
        As of `play_games`, pairings in the order in which they first appear.

    Examples
    --------
    >>> games = pd.DataFrame(
    ...     {"opponent": "random", "error": 0.0, "side": "first", "result": [1, 0.5, 0, 0],
    ...      "reason": ["four in a row", "board full", "four in a row", "agent: illegal move: column 3 is full"]}
    ... )
    >>> summarise(games, seed=1)[["games", "won", "drawn", "lost", "forfeits"]].values.tolist()
    [[4, 1, 1, 2, 1]]
    """
    counted = table[["opponent", "error", "side"]].assign(
        games=1,
        won=(table["result"] == 1).astype(int),
        drawn=(table["result"] == 0.5).astype(int),
        lost=(table["result"] == 0).astype(int),
        forfeits=table["reason"].str.startswith(f"{AGENT}:").astype(int),
        opponent_forfeits=table["reason"].str.startswith(f"{OPPONENT}:").astype(int),
    )
    found = counted.groupby(["opponent", "error", "side"], sort=False, as_index=False).sum()
    return found.assign(seed=seed)[TABLE_COLUMNS]


def _check_pairings(given: Sequence[Pairing] | None) -> tuple[Pairing, ...]:
    chosen = _every() if given is None else tuple(given)
    if not chosen:
        raise ValueError("pairings is empty: at least one is wanted")
    for place, one in enumerate(chosen):
        if not isinstance(one, Pairing):
            raise ValueError(f"pairings[{place}] is {one!r}: a Pairing is wanted")
        if one in chosen[:place]:
            raise ValueError(f"pairings[{place}] is {one}: it was given before")
    return chosen


def _turn(pairing: Pairing) -> int:
    """Put the long games at both ends, one side in each half: the two sides have no position in common."""
    weight = 1 + list(OPPONENTS).index(pairing.opponent)
    return -weight if pairing.side == SIDES[0] else weight


def _play(workers: Workers, agent: Any, tasks: list[Task], progress: bool) -> list[GameRecord]:
    done: list[GameRecord] = []
    total = sum(task.last - task.first for task in tasks)
    with tqdm(total=total, unit="game", disable=not progress) as bar:
        for _, records in workers.play(agent, tasks):
            done += records
            bar.update(len(records))
    return done
