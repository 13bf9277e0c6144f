"""Players that choose a column: one that looks a token ahead and asks a value network, and one that plays at random.

Both follow the agent protocol of BitBully (`score_all_moves`, `best_move`, `score_move`), so its boards, its window and
its arena take them; the network's player also chooses for a whole batch of positions at once.
"""

from typing import Any, Protocol

import numpy as np
from numba import njit

from ludometrics.connect4.bitboard import (
    COLUMN,
    COLUMNS,
    STRIDE,
    landing_squares,
    winning_squares,
)
from ludometrics.connect4.board_batches import Positions
from ludometrics.connect4.network import PositionBatch, ValueNetwork, afterstate_values

WIN_SCORE = 100  # the side to move wins with this token; -100: the other side wins with the next one
FULL_SCORE = -1000  # stands for a full column where an array has to hold something, as in BitBully
CENTRE = COLUMNS // 2


class Board(Protocol):
    """A board of BitBully: its `native` part tells all tokens, those of the side to move, and the moves left."""

    @property
    def native(self) -> Any:
        """Give the compiled board."""


class NetworkAgent:
    """The evaluated player: wins at once, avoids to lose at once, and for the rest believes its network.

    A token that wins scores 100; one after which the other side can win at once scores -100; any other scores the value
    of the position after it from the mover's view, times 100, truncated towards zero (0 where it fills the board). The
    highest score is played; among equal ones the column nearest to the centre, then the left one.

    Parameters
    ----------
    network : ValueNetwork
        Patterns and weights.

    Raises
    ------
    ValueError
        Weights that are not finite.

    Source
    ------
    The published Connect-4 recipe (Thill 2026, techdays26).

    Examples
    --------
    >>> from ludometrics.connect4.network import new_network
    >>> agent = NetworkAgent(new_network(np.array([[0, 6]])))  # knows nothing: all scores are 0
    >>> agent.choose(Positions(np.array([0]), np.array([0]), np.array([42])))
    array([3])
    """

    def __init__(self, network: ValueNetwork) -> None:
        if not np.isfinite(network.weights).all():
            side, place = np.argwhere(~np.isfinite(network.weights))[0]
            raise ValueError(
                f"weight {place} of side {side} is {network.weights[side, place]}: all weights are to be finite"
            )
        self.network = network

    def scores(self, positions: PositionBatch) -> np.ndarray:
        """Score every move of a batch of positions.

        Parameters
        ----------
        positions : PositionBatch
            B positions in which the game is not over.

        Returns
        -------
        (B, 7) int16 array
            -100 to 100 from the view of the side to move; -1000 where the column is full.

        Raises
        ------
        ValueError
            Numbers that are no position: the row is named.
        """
        values = afterstate_values(self.network, positions)
        tokens, active, left = (
            np.atleast_1d(np.asarray(part, dtype=np.int64))
            for part in (positions.tokens, positions.active, positions.moves_left)
        )
        found = np.empty(values.shape, dtype=np.int16)
        _score_columns(tokens, active, left, values, found)
        return found

    def choose(self, positions: PositionBatch) -> np.ndarray:
        """Choose a move in each of a batch of positions.

        Parameters
        ----------
        positions : PositionBatch
            B positions in which the game is not over.

        Returns
        -------
        (B,) int64 array
            Columns, 0 to 6.

        Raises
        ------
        ValueError
            Numbers that are no position, or a full board: the row is named.
        """
        columns = best_columns(self.scores(positions))
        if (columns < 0).any():
            raise ValueError(
                f"position {int(np.argmin(columns))} is a full board: there is no move to choose"
            )
        return columns

    def score_all_moves(self, board: Board) -> dict[int, int]:
        """Score the legal moves on a board of BitBully.

        Returns
        -------
        dict
            Score, -100 to 100, by column; full columns are left out.
        """
        row = self.scores(_one(board))[0].tolist()
        return {column: score for column, score in enumerate(row) if score != FULL_SCORE}

    def best_move(self, board: Board) -> int:
        """Choose a column on a board of BitBully.

        Raises
        ------
        ValueError
            The board is full.
        """
        return int(self.choose(_one(board))[0])

    def score_move(self, board: Board, column: int, first_guess: int = 0) -> int:
        """Score one legal move on a board of BitBully; `first_guess` is there for the protocol and not used.

        Raises
        ------
        ValueError
            The column is full or outside the board.
        """
        del first_guess
        return pick_score(self.score_all_moves(board), column)


class RandomAgent:
    """Plays any legal column, each as likely as the others.

    Parameters
    ----------
    rng : numpy.random.Generator
        Stream of random numbers.

    Source
    ------
    Own.
    """

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng

    def restart(self, seed: int) -> None:
        """Begin a new game with random numbers of its own."""
        self.rng = np.random.default_rng(seed)

    def score_all_moves(self, board: Board) -> dict[int, int]:
        """Score the legal moves on a board of BitBully: 0 each."""
        tokens = int(board.native.rawState()[0])
        return {column: 0 for column in range(COLUMNS) if (tokens >> STRIDE * column) & int(COLUMN) != COLUMN}

    def best_move(self, board: Board) -> int:
        """Choose a column on a board of BitBully.

        Raises
        ------
        ValueError
            The board is full.
        """
        legal = list(self.score_all_moves(board))
        if not legal:
            raise ValueError("the board is full: there is no move to choose")
        return int(self.rng.choice(legal))

    def score_move(self, board: Board, column: int, first_guess: int = 0) -> int:
        """Score one legal move: 0.

        Raises
        ------
        ValueError
            The column is full or outside the board.
        """
        del first_guess
        return pick_score(self.score_all_moves(board), column)


def best_columns(scores: np.ndarray) -> np.ndarray:
    """Choose the column with the highest score: among equal ones the nearest to the centre, then the left one.

    Parameters
    ----------
    scores : (B, 7) int array
        Scores by column; -1000 for a full one.

    Returns
    -------
    (B,) int64 array
        Columns, 0 to 6; -1 where all are full.

    Examples
    --------
    >>> best_columns(np.array([[5, 0, 9, 1, 9, 0, 0], [7, 0, 0, 0, 0, 0, 7]], dtype=np.int16))
    array([2, 0])
    """
    found = np.empty(len(scores), dtype=np.int64)
    _pick_columns(np.ascontiguousarray(scores, dtype=np.int16), found)
    return found


@njit(cache=True)
def _score_columns(tokens, active, left, values, found) -> None:
    for board in range(len(tokens)):
        every, own = tokens[board], active[board]
        landing = landing_squares(every)
        wins = winning_squares(own, every) & landing
        for column in range(COLUMNS):
            square = landing & (COLUMN << (STRIDE * column))
            if square == 0:
                found[board, column] = FULL_SCORE
            elif wins & square:
                found[board, column] = WIN_SCORE
            elif left[board] == 1:
                found[board, column] = 0  # the board is full: a draw
            elif winning_squares(every ^ own, every | square) & landing_squares(every | square):
                found[board, column] = -WIN_SCORE
            else:
                value = np.float64(values[board, column])
                # int() cuts the decimals off, on either side of zero.
                found[board, column] = int(100.0 * (-value if left[board] & 1 else value))


@njit(cache=True)
def _pick_columns(scores, found) -> None:
    for board in range(len(scores)):
        best, found[board] = FULL_SCORE, -1
        for step in range(COLUMNS):
            # From the centre outwards, the left one first: 3, 2, 4, 1, 5, 0, 6.
            column = CENTRE - (step + 1) // 2 if step & 1 else CENTRE + step // 2
            if scores[board, column] > best:
                best, found[board] = scores[board, column], column


def score_plain(tokens: int, active: int, moves_left: int, values: np.ndarray) -> list[int]:
    """Score the moves of one position with nothing but the rules: the twin of the compiled loop.

    Parameters
    ----------
    tokens, active, moves_left : int
        A position in which the game is not over.
    values : (7,) float array
        Value of the position after each move, from Yellow's view.

    Returns
    -------
    list of int
        Seven scores; -1000 for a full column.

    Source
    ------
    Own.
    """
    found = []
    for column in range(COLUMNS):
        square = _drop(tokens, column)
        if not square:
            found.append(FULL_SCORE)
        elif _four(active | square):
            found.append(WIN_SCORE)
        elif moves_left == 1:
            found.append(0)
        elif any(
            _four(tokens ^ active | reply)
            for reply in (_drop(tokens | square, answer) for answer in range(COLUMNS))
            if reply
        ):
            found.append(-WIN_SCORE)
        else:
            found.append(int(float(values[column]) * (-100.0 if moves_left % 2 else 100.0)))
    return found


def _drop(tokens: int, column: int) -> int:
    """Give the square a token falls on, 0 where the column is full."""
    held = (tokens >> STRIDE * column) & int(COLUMN)
    return 0 if held == COLUMN else (held + 1) << STRIDE * column


def _four(own: int) -> bool:
    return any(own & own >> step & own >> 2 * step & own >> 3 * step for step in (1, 8, 9, 10))


def pick_score(scores: dict[int, int], column: int) -> int:
    """Give the score of one column.

    Raises
    ------
    ValueError
        The column is full or outside the board.
    """
    if column not in scores:
        raise ValueError(f"column {column} is full or not on the board: {list(scores)} can be played")
    return scores[column]


def _one(board: Board) -> Positions:
    return Positions(*(np.array([number], dtype=np.int64) for number in board.native.rawState()))
