"""Where an agent goes wrong: its moves in played games held against the perfect scores of the positions.

A slip is a move after which the position is worth less to the agent, by perfect play, than before it: a won one drawn
or lost, a drawn one lost.
"""

from collections.abc import Iterable

import numpy as np
import pandas as pd

from ludometrics.connect4.agents import NetworkAgent
from ludometrics.connect4.bitboard import CELLS, COLUMN, COLUMNS, SIDES, STRIDE
from ludometrics.connect4.board_batches import Positions
from ludometrics.connect4.network import ValueNetwork
from ludometrics.connect4.opponents import UNLIMITED, Engine
from ludometrics.evaluation import cluster_intervals

TRACE_COLUMNS = [
    "opponent",
    "error",
    "side",
    "game",
    "ply",
    "column",
    "score",
    "truth_before",
    "truth_after",
    "slip",
    "result",
]
ENDS = ("", "_low", "_high")


def replay(moves: str) -> list[tuple[int, int, int]]:
    """Give the positions of a game, from the empty board on: tokens, those of the side to move, moves left.

    Raises
    ------
    ValueError
        A character that is no column, or a full column: the move's number is named.

    Examples
    --------
    >>> replay("33")
    [(0, 0, 42), (134217728, 0, 41), (402653184, 134217728, 40)]
    """
    state = (0, 0, CELLS)
    found = [state]
    for number, character in enumerate(moves):
        if character not in "0123456":
            raise ValueError(f"move {number} of {moves!r} is {character!r}: columns are 0 to {COLUMNS - 1}")
        tokens, active, left = state
        shift = STRIDE * int(character)
        held = tokens >> shift & int(COLUMN)
        if held == int(COLUMN):
            raise ValueError(f"move {number} of {moves!r}: column {character} is full")
        state = (tokens | (held + 1) << shift, tokens ^ active, left - 1)
        found.append(state)
    return found


def trace_games(games: pd.DataFrame, network: ValueNetwork, *, engine: Engine | None = None) -> pd.DataFrame:
    """Hold every move of an agent against perfect play.

    Parameters
    ----------
    games : DataFrame
        Games of the arena, one row each: opponent, error, side, game, moves, result.
    network : ValueNetwork
        The agent's.
    engine : Engine, optional
        BitBully with the 12-ply book with distances; made if not given.

    Returns
    -------
    DataFrame
        One row a move of the agent: opponent, error, side, game, ply (from 0), column, score (what the agent gave its
        move, -100 to 100), truth_before, truth_after (1 won, 0 drawn, -1 lost for the agent by perfect play), slip,
        result (of the game).
    """
    engine = engine or Engine("12-ply-dist")
    agent, rows = NetworkAgent(network), []
    for game in games.itertuples():
        positions = replay(game.moves)
        own = range(SIDES.index(game.side), len(game.moves), 2)
        batch = Positions(*np.array([positions[ply] for ply in own], dtype=np.int64).reshape(-1, 3).T)
        for ply, scores in zip(own, agent.scores(batch), strict=True):
            column = int(game.moves[ply])
            truth = engine.scores(UNLIMITED, *positions[ply])
            before, after = np.sign(max(truth.values())), np.sign(truth[column])
            score = int(scores[column])
            met = (game.opponent, game.error, game.side, game.game, ply, column)
            rows.append((*met, score, int(before), int(after), bool(after < before), game.result))
    return pd.DataFrame(rows, columns=TRACE_COLUMNS)


def slip_table(trace: pd.DataFrame, *, replicates: int = 2000, rng: np.random.Generator) -> pd.DataFrame:
    """Sum slips up by opponent, with intervals that resample games.

    Parameters
    ----------
    trace : DataFrame
        Of `trace_games`.
    replicates, rng
        As in `ludometrics.evaluation.cluster_interval`.

    Returns
    -------
    DataFrame
        opponent, error, side, moves, slips (a move, with slips_low and slips_high), first_slip (median ply of the first
        one in games that have one; NaN without), value_error (root mean square of score / 100 less the truth after the
        move, with ends), n (games).
    """
    rows = []
    groups = trace.groupby(["opponent", "error", "side"], sort=False)
    for (met, part), stream in zip(groups, rng.spawn(len(groups)), strict=True):
        games = part["game"].to_numpy()
        off = ((part["score"] / 100 - part["truth_after"]) ** 2).to_numpy()
        values = np.column_stack([part["slip"].to_numpy(float), off])
        slips, wrong = cluster_intervals(values, games, replicates=replicates, rng=stream)
        firsts = part[part["slip"]].groupby("game")["ply"].min()
        found = {f"slips{end}": value for end, value in zip(ENDS, slips[:3], strict=True)}
        found |= {f"value_error{end}": np.sqrt(value) for end, value in zip(ENDS, wrong[:3], strict=True)}
        first = float(firsts.median()) if len(firsts) else np.nan
        names = dict(zip(("opponent", "error", "side"), met, strict=True))
        rows.append({**names, "moves": len(part), **found, "first_slip": first, "n": part["game"].nunique()})
    return pd.DataFrame(rows)


def shared_positions(games: pd.DataFrame, others: Iterable[str]) -> pd.DataFrame:
    """Tell how much of a pairing's games is known ground: the share of positions, by ply, that other games met too.

    Parameters
    ----------
    games : DataFrame
        Games of the arena: opponent, error, side, moves.
    others : iterable of str
        Moves of games that stand for what the agent knows, such as those it played against itself.

    Returns
    -------
    DataFrame
        opponent, error, side, ply, known (share), n (games that got there).
    """
    known = {position for moves in others for position in replay(moves)}
    rows = []
    for met, part in games.groupby(["opponent", "error", "side"], sort=False):
        paths = [replay(moves) for moves in part["moves"]]
        for ply in range(max(map(len, paths))):
            there = [path[ply] for path in paths if len(path) > ply]
            rows.append((*met, ply, float(np.mean([position in known for position in there])), len(there)))
    return pd.DataFrame(rows, columns=["opponent", "error", "side", "ply", "known", "n"])
