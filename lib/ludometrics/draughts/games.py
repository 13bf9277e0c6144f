"""Games between levels, and a game in progress.

A level's search knows nothing of repetitions, of the 40-move rule and of the cap; the game keeps them exactly.
Every game has a random stream of its own, so that its result depends on its seed and its settings only.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from ludometrics.draughts import kernels
from ludometrics.draughts.layout import spread
from ludometrics.draughts.levels import MAX_DEPTH, Level
from ludometrics.draughts.position import START, Position
from ludometrics.draughts.rules import (
    REASONS,
    Move,
    Result,
    Rules,
    allowed_text,
    apply_move,
    decode,
    legal_moves,
    move_pieces,
    result,
    sides,
)

_SEEDS = 2**63 - 1


def winner(outcome: float) -> str:
    """'b', 'w' or 'draw' for Black's score 1, 0 or 0.5.

    >>> winner(1.0), winner(0.5), winner(0.0)
    ('b', 'draw', 'w')
    """
    names = {1.0: "b", 0.5: "draw", 0.0: "w"}
    if outcome not in names:
        raise ValueError(f"outcome is {outcome!r}; allowed are 1 (Black won), 0.5 (draw) and 0 (White won)")
    return names[outcome]


@dataclass(frozen=True)
class Game:
    """A game in progress, for people and for single moves; a move gives a new Game.

    Parameters
    ----------
    start : Position
    moves : tuple of Move
    rules : Rules
        The ply cap is 0 (off) unless given: it belongs to simulations.

    Examples
    --------
    >>> game = Game().play(Move((11, 15), ()))
    >>> game.position.turn, game.result
    ('w', None)
    """

    start: Position = START
    moves: tuple[Move, ...] = ()
    rules: Rules = Rules(ply_cap=0)  # noqa: RUF009 (frozen)
    positions: tuple[Position, ...] = field(default=(), repr=False, compare=False)

    def __post_init__(self) -> None:
        positions = [self.start]
        known = self.positions if len(self.positions) == len(self.moves) + 1 else ()
        for move in () if known else self.moves:
            positions.append(apply_move(positions[-1], move))
        object.__setattr__(self, "positions", known or tuple(positions))

    @property
    def position(self) -> Position:
        """The present position."""
        return self.positions[-1]

    @property
    def result(self) -> Result | None:
        """How the game ended, or None."""
        return result(self.positions, self.rules)

    @property
    def outcome(self) -> float | None:
        """Black's score 1, 0.5 or 0, or None while the game goes on."""
        return {"b": 1.0, "w": 0.0, "draw": 0.5}[self.result.winner] if self.result else None

    @property
    def reason(self) -> str | None:
        """One of `REASONS`, or None while the game goes on."""
        return self.result.reason if self.result else None

    def legal_moves(self) -> list[Move]:
        """Legal moves, none once the game is over."""
        return [] if self.result else legal_moves(self.position)

    def play(self, move: Move) -> "Game":
        """The game after a move; ValueError if the move is not legal or the game is over."""
        if self.result:
            raise ValueError(f"move {move} comes after the end of the game: {self.result.reason}")
        after = apply_move(self.position, move)
        return Game(self.start, (*self.moves, move), self.rules, (*self.positions, after))

    def undo(self) -> "Game":
        """The game before its last move; ValueError if there is none."""
        if not self.moves:
            raise ValueError("no move to take back: the game has just begun")
        return Game(self.start, self.moves[:-1], self.rules, self.positions[:-1])


@dataclass(frozen=True)
class GameRecord:
    """A finished game.

    Parameters
    ----------
    start : Position
    moves : tuple of Move
    outcome : float
        Black's score: 1, 0.5 or 0.
    reason : str
        One of `REASONS`.
    plies : int
    rules : Rules
    """

    start: Position
    moves: tuple[Move, ...]
    outcome: float
    reason: str
    plies: int
    rules: Rules

    @property
    def winner(self) -> str:
        """'b', 'w' or 'draw'."""
        return winner(self.outcome)

    @property
    def positions(self) -> list[Position]:
        """All plies + 1 positions."""
        positions = [self.start]
        for move in self.moves:
            positions.append(move_pieces(positions[-1], move))
        return positions


class GameResults(NamedTuple):
    """Results of n games.

    Parameters
    ----------
    outcomes : (n,) float64 array
        Score of Black in {0, 0.5, 1}.
    reasons : (n,) int8 array
        Index into `REASONS`.
    plies : (n,) int32 array
    """

    outcomes: np.ndarray
    reasons: np.ndarray
    plies: np.ndarray


def choose_move(position: Position, level: Level, *, rng: np.random.Generator) -> Move:
    """The move a level plays in a position.

    Parameters
    ----------
    position : Position
    level : Level
    rng : numpy.random.Generator
        Gives the seed of the choice (one draw).

    Raises
    ------
    ValueError
        If there is no legal move.

    Examples
    --------
    >>> from ludometrics.draughts import parse_fen
    >>> str(choose_move(parse_fen("B:W10,18:B6"), Level(2), rng=np.random.default_rng(1)))
    '6x15x22'
    """
    state = _draw_seeds(rng, 1).astype(np.uint64)
    stack, frames = _search_space(level.depth)
    own, other, kings, black = sides(position)
    count = kernels.write_moves(stack[0], own, other, kings, black)
    if count == 0:
        raise ValueError(f"no move to choose: {allowed_text(position, [])}")
    row = kernels.choose_row(stack, frames, state, count, black, level.depth, float(level.chance))
    return decode(int(stack[0, row, kernels.CODE]))


def play_game(
    black: Level,
    white: Level,
    *,
    rng: np.random.Generator,
    rules: Rules = Rules(),  # noqa: B008 (frozen)
    start: Position = START,
) -> GameRecord:
    """Play one game between two levels.

    Parameters
    ----------
    black, white : Level
    rng : numpy.random.Generator
        Gives the seed of the game (one draw, as for a game of `play_games`).
    rules : Rules
    start : Position

    Returns
    -------
    GameRecord

    Examples
    --------
    >>> game = play_game(Level(2), Level(2), rng=np.random.default_rng(1))
    >>> game.plies == len(game.moves), game.reason in REASONS
    (True, True)
    """
    depths, chances = _settings([black.depth], [black.chance], [white.depth], [white.chance])
    codes, results = _play(depths, chances, _draw_seeds(rng, 1), rules, start)
    plies = int(results.plies[0])
    moves = tuple(decode(int(code)) for code in codes[:plies])
    outcome = float(results.outcomes[0])
    return GameRecord(start, moves, outcome, REASONS[results.reasons[0]], plies, rules)


def play_games(
    black_depths: np.ndarray | Sequence[int] | int,
    black_chances: np.ndarray | Sequence[float] | float,
    white_depths: np.ndarray | Sequence[int] | int,
    white_chances: np.ndarray | Sequence[float] | float,
    *,
    rng: np.random.Generator,
    rules: Rules = Rules(),  # noqa: B008 (frozen)
    start: Position = START,
) -> GameResults:
    """Play n games between levels given as arrays.

    Parameters
    ----------
    black_depths, white_depths : (n,) int or scalar
        Plies looked ahead, 0..20.
    black_chances, white_chances : (n,) float or scalar
        Probability of a careless move, 0..1.
    rng : numpy.random.Generator
        One seed a game is drawn from it before the first game.
    rules : Rules
    start : Position

    Returns
    -------
    GameResults
        A game's result depends on its seed and its settings only, not on the other games of the call.

    Raises
    ------
    ValueError
        If a setting is out of range or the shapes do not fit.

    Examples
    --------
    >>> play_games([1, 2], 0.3, 2, 0.3, rng=np.random.default_rng(1)).outcomes.shape
    (2,)
    """
    depths, chances = _settings(black_depths, black_chances, white_depths, white_chances)
    return _play(depths, chances, _draw_seeds(rng, len(depths)), rules, start)[1]


def play_seeded_games(
    black_depths: np.ndarray | Sequence[int] | int,
    black_chances: np.ndarray | Sequence[float] | float,
    white_depths: np.ndarray | Sequence[int] | int,
    white_chances: np.ndarray | Sequence[float] | float,
    seeds: np.ndarray | Sequence[int],
    *,
    rules: Rules = Rules(),  # noqa: B008 (frozen)
    start: Position = START,
) -> GameResults:
    """`play_games` with the games' seeds given, (n,) ints in 0..2**63 - 1: to repeat some games of a batch.

    Examples
    --------
    >>> first, second = play_seeded_games(2, 0.3, 2, 0.3, [5, 5]).plies
    >>> bool(first == second)
    True
    """
    values = np.asarray(seeds)
    if values.ndim != 1 or values.dtype.kind not in "iu" or (values.size and int(values.min()) < 0):
        raise ValueError(f"seeds are {seeds!r}; they must be a row of whole numbers, 0 or more")
    depths, chances = _settings(black_depths, black_chances, white_depths, white_chances, len(values))
    return _play(depths, chances, values, rules, start)[1]


def _draw_seeds(rng: np.random.Generator, n: int) -> np.ndarray:
    if not isinstance(rng, np.random.Generator):
        raise ValueError(
            f"rng is {rng!r}; pass a numpy.random.Generator, such as numpy.random.default_rng(1)"
        )
    return rng.integers(_SEEDS, size=n)


def _settings(
    black_depths: object,
    black_chances: object,
    white_depths: object,
    white_chances: object,
    n: int | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Depths (n, 2) int64 and chances (n, 2) float64 of Black and White, checked."""
    given = [np.atleast_1d(np.asarray(v)) for v in (black_depths, white_depths, black_chances, white_chances)]
    shapes = [values.shape for values in given]
    try:
        size = np.broadcast_shapes(*shapes, *([(n,)] if n is not None else []))
    except ValueError:
        size = ()
    if len(size) != 1 or (n is not None and size != (n,)):
        raise ValueError(
            f"depths and chances have the shapes {shapes}; they must be scalars or rows of one length"
        )
    for values in given[:2]:
        if values.dtype.kind not in "iu" or np.any((values < 0) | (values > MAX_DEPTH)):
            raise ValueError(f"depths are {_few(values)}; allowed are the whole numbers 0 to {MAX_DEPTH}")
    for values in given[2:]:
        if values.dtype.kind not in "iuf" or not np.all((values >= 0) & (values <= 1)):
            raise ValueError(f"chances are {_few(values)}; allowed are the numbers 0 to 1")
    full = [np.broadcast_to(values, size) for values in given]
    return (
        np.stack(full[:2], axis=1).astype(np.int64),
        np.stack(full[2:], axis=1).astype(np.float64),
    )


def _few(values: np.ndarray) -> str:
    return str(values.tolist() if values.size <= 10 else [*values[:10].tolist(), "..."])


def _search_space(depth: int) -> tuple[np.ndarray, np.ndarray]:
    return kernels.new_stack(max(int(depth), 1)), np.zeros((max(int(depth), 1) + 1, 4), dtype=np.int64)


def _play(
    depths: np.ndarray, chances: np.ndarray, seeds: np.ndarray, rules: Rules, start: Position
) -> tuple[np.ndarray, GameResults]:
    """Codes of the moves of the last game (longest possible game,), and the results of all."""
    n, longest = len(depths), rules.longest_game
    results = GameResults(np.empty(n), np.empty(n, dtype=np.int8), np.empty(n, dtype=np.int32))
    history, codes = np.empty((longest + 1, 3), dtype=np.int64), np.empty(longest, dtype=np.int64)
    black, white, kings = (spread(bits) for bits in start[:3])
    first = np.array([black, white, kings, start.turn == "b"], dtype=np.int64)
    limits = np.array([rules.repetitions, 2 * rules.quiet_moves, rules.ply_cap], dtype=np.int64)
    stack, frames = _search_space(depths.max(initial=1))
    kernels.play_batch(
        stack, frames, history, codes, first, depths, chances, seeds.astype(np.uint64), limits, *results
    )
    return codes, results
