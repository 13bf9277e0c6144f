"""The nine opponents: a random player and BitBully at eight strengths, with errors added on request.

**An opponent's move depends on nothing but the position and its own random numbers.** BitBully keeps what it has
searched in a transposition table, and a search of limited depth takes from it whatever was searched at least as deep:
left to itself, its scores depend on the games played before. Within one game, an entry written at an earlier move is
always too shallow for a later one, by the plies in between, so it is never used; the table is therefore cleared
whenever the next search does not start later in the game than the one before, and only then. Searches of unlimited
depth are exact and need no clearing. Since scores are thus a function of the position, they are kept, and no position
is searched twice.
"""

import operator
import random
from pathlib import Path
from typing import Any, NamedTuple

from ludometrics.connect4.agents import pick_score
from ludometrics.connect4.bitboard import (
    BOTTOM,
    COLUMN,
    COLUMNS,
    PLAYABLE,
    STRIDE,
    non_losing_squares,
    winning_squares,
)

try:
    from bitbully import Board, bitbully_core
    from bitbully_databases import BitBullyDatabases
except ImportError as fault:
    raise ImportError('the opponents are BitBully\'s: pip install "ludometrics[connect4]"') from fault

MOST_KEPT = 300_000  # positions whose scores an engine keeps: some 100 MB
UNLIMITED = -1
_LANDING, _SQUARES, _FULL = int(BOTTOM), int(PLAYABLE), int(COLUMN)


class Strength(NamedTuple):
    """How far an opponent looks.

    Attributes
    ----------
    depth : int
        Plies searched; -1: to the end of the game, 0: it does not search but plays at random.
    book : str, optional
        Opening book, by BitBully's name.
    """

    depth: int
    book: str | None = None


#: The opponents by name, the weakest first.
OPPONENTS: dict[str, Strength] = {
    "random": Strength(0),
    "depth 1": Strength(1),
    "depth 2": Strength(2),
    "depth 4": Strength(4),
    "depth 8": Strength(8),
    "depth 8 book 8": Strength(8, "8-ply"),
    "depth 10 book 8": Strength(10, "8-ply"),
    "depth 16 book 12": Strength(16, "12-ply-dist"),
    "perfect": Strength(UNLIMITED, "12-ply-dist"),
}


def check_opponent(name: str, error: float = 0.0) -> None:
    """Check that there is such an opponent.

    Raises
    ------
    ValueError
        An unknown name, or a probability of errors outside 0 to 1: what there is is named.
    """
    if name not in OPPONENTS:
        raise ValueError(f"opponent {name!r} is not known: one of {', '.join(map(repr, OPPONENTS))}")
    if not 0 <= error <= 1:
        raise ValueError(f"opponent {name!r}: error is {error}, a probability from 0 to 1 is wanted")


class Engine:
    """BitBully with one opening book, and the scores it gave.

    Parameters
    ----------
    book : str, optional
        Opening book: "8-ply", "12-ply", "12-ply-dist"; none: it searches from the first token on.

    Attributes
    ----------
    searches, clearings : int
        Positions searched so far, and how often the transposition table was cleared for it.
    """

    def __init__(self, book: str | None = None) -> None:
        self._core: Any = (
            bitbully_core.BitBullyCore(Path(BitBullyDatabases.get_database_path(book)))
            if book
            else bitbully_core.BitBullyCore()
        )
        self._board: Board = bitbully_core.BoardCore()
        self._depth, self._left = UNLIMITED, 0
        self._kept: dict[tuple[int, int, int], dict[int, int]] = {}
        self.searches = self.clearings = 0

    def scores(self, depth: int, tokens: int, active: int, moves_left: int) -> dict[int, int]:
        """Score the legal moves of a position in which the game is not over.

        Parameters
        ----------
        depth : int
            Plies to search; -1 for the exact scores.
        tokens, active, moves_left : int
            The position.

        Returns
        -------
        dict
            Score by column, positive where the side to move wins (the sooner the higher); the best one first.
        """
        key = (depth, tokens, active)
        found = self._kept.get(key)
        if found is None:
            self._clear_for(depth, moves_left)
            self._board.setRawState(tokens, active, moves_left)
            row = enumerate(self._core.scoreMoves(self._board, max_depth=depth))
            found = dict(
                sorted((one for one in row if one[1] > -100), key=operator.itemgetter(1), reverse=True)
            )
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            self._kept[key] = found
            self.searches += 1
        return found

    def _clear_for(self, depth: int, moves_left: int) -> None:
        """Clear what BitBully remembers if the search to come could make use of it and so depend on it."""
        later = depth == self._depth and moves_left < self._left
        if depth != UNLIMITED and not later:
            self._core.resetTranspositionTable()
            self.clearings += 1
        self._depth, self._left = depth, moves_left


class Engines:
    """The engines of one process: one a book, made when first asked for (each takes 100 MB)."""

    def __init__(self) -> None:
        self._made: dict[str | None, Engine] = {}

    def get(self, book: str | None) -> Engine:
        """Give the engine with this book."""
        if book not in self._made:
            self._made[book] = Engine(book)
        return self._made[book]


class Opponent:
    """One of the nine opponents, for as many games as wanted.

    It plays the move with the highest score and draws lots among equal ones. With errors: before each move it draws
    whether it errs, and if so plays any move after which the other side cannot win at once, or any legal one if there
    is none.

    Parameters
    ----------
    name : str
        A key of `OPPONENTS`.
    error : float
        Probability of an error, 0 to 1.
    seed : int
        Seed of the first game; BitBully takes a `random.Random`, so does this.
    engines : Engines, optional
        Engines to share with other opponents.

    Raises
    ------
    ValueError
        An unknown name or a probability outside 0 to 1.

    Source
    ------
    BitBully (Thill); errors as in the published Connect-4 recipe (Thill 2026, techdays26).

    Examples
    --------
    >>> Opponent("perfect", seed=1).column(0, 0, 42)  # the centre is the one winning first move
    3
    """

    def __init__(self, name: str, error: float = 0.0, seed: int = 0, engines: Engines | None = None) -> None:
        check_opponent(name, error)
        self.name, self.error = name, error
        self.strength = OPPONENTS[name]
        self._engines = engines if engines is not None else Engines()
        # Books are read and rules compiled here, where no clock runs.
        if self.strength.depth:
            self._engines.get(self.strength.book)
        if error:
            error_columns(0, 0)
        self.restart(seed)

    def restart(self, seed: int) -> None:
        """Begin a new game with random numbers of its own."""
        self._rng = random.Random(seed)  # noqa: S311 - games, not secrets

    def scores(self, tokens: int, active: int, moves_left: int) -> dict[int, int]:
        """Score the legal moves of a position, the best one first; the random player's are all 0."""
        if not self.strength.depth:
            return dict.fromkeys(_columns((tokens + _LANDING) & _SQUARES), 0)
        return self._engines.get(self.strength.book).scores(self.strength.depth, tokens, active, moves_left)

    def column(self, tokens: int, active: int, moves_left: int) -> int:
        """Choose a move.

        Parameters
        ----------
        tokens, active, moves_left : int
            A position in which the game is not over.

        Returns
        -------
        int
            Column, 0 to 6.

        Raises
        ------
        ValueError
            The board is full.
        """
        if self.error and self._rng.random() < self.error:
            return self._rng.choice(error_columns(tokens, active))
        scores = self.scores(tokens, active, moves_left)
        if not scores:
            raise ValueError("the board is full: there is no move to choose")
        highest = max(scores.values())
        best = [column for column, score in scores.items() if score == highest]
        # One move left to choose from takes no random number: the same as BitBully's own choice with this generator.
        return best[0] if len(best) == 1 and self.strength.depth else self._rng.choice(best)

    def score_all_moves(self, board: Board) -> dict[int, int]:
        """Score the legal moves on a board of BitBully."""
        return dict(self.scores(*board.native.rawState()))

    def best_move(self, board: Board) -> int:
        """Choose a column on a board of BitBully."""
        return self.column(*board.native.rawState())

    def score_move(self, board: Board, column: int, first_guess: int = 0) -> int:
        """Score one legal move on a board of BitBully; `first_guess` is there for the protocol and not used."""
        del first_guess
        return pick_score(self.score_all_moves(board), column)


def error_columns(tokens: int, active: int) -> list[int]:
    """Give the moves an error is drawn from: those after which the other side cannot win at once, else all legal ones.

    Parameters
    ----------
    tokens, active : int
        A position in which the game is not over.

    Returns
    -------
    list of int
        Columns in ascending order. A token that wins is one of them: after it nobody wins any more.

    Raises
    ------
    ValueError
        The board is full.

    Source
    ------
    The published Connect-4 recipe (Thill 2026, techdays26).

    Examples
    --------
    >>> error_columns(0, 0)
    [0, 1, 2, 3, 4, 5, 6]
    """
    landing = (tokens + _LANDING) & _SQUARES
    if not landing:
        raise ValueError("the board is full: there is no move to choose")
    wins = int(winning_squares(active, tokens)) & landing
    return _columns(int(non_losing_squares(active, tokens)) | wins) or _columns(landing)


def _columns(squares: int) -> list[int]:
    return [column for column in range(COLUMNS) if squares >> STRIDE * column & _FULL]
