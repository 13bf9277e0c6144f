"""One game of the arena: who meets whom, the random numbers of each game, time limits, and what became of it."""

import operator
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ludometrics.connect4.agents import NetworkAgent
from ludometrics.connect4.bitboard import CELLS, COLUMNS, SIDES
from ludometrics.connect4.board_batches import Positions
from ludometrics.connect4.network import ValueNetwork
from ludometrics.connect4.opponents import OPPONENTS, Board, Engines, Opponent, check_opponent

ERRORS = (0.1, 0.2, 0.3)  # of the perfect player, in six of the standard pairings
MOVE_LIMIT_S, GAME_LIMIT_S = 4.0, 45.0
LONGEST_REASON = 200  # characters of an exception's message that are kept
FOUR, FULL = "four in a row", "board full"
AGENT, OPPONENT = "agent", "opponent"  # a reason "agent: ..." or "opponent: ..." says who forfeited and why

State = tuple[int, int, int]


@dataclass(frozen=True, order=True)
class Pairing:
    """Whom the agent meets, on which side, and how often that opponent errs.

    Attributes
    ----------
    opponent : str
        A key of `OPPONENTS`.
    side : str
        Side of the agent: "first" (Yellow) or "second" (Red).
    error : float
        Probability of an error before each of the opponent's moves, 0 to 1.

    Raises
    ------
    ValueError
        An unknown opponent or side, or a probability outside 0 to 1.
    """

    opponent: str
    side: str
    error: float = 0.0

    def __post_init__(self) -> None:
        """Refuse what is not there."""
        check_opponent(self.opponent, self.error)
        if self.side not in SIDES:
            raise ValueError(f"side is {self.side!r}: the agent plays {SIDES[0]!r} or {SIDES[1]!r}")

    @property
    def number(self) -> int:
        """Number that stands for the pairing, whatever else is played: opponent, side, and error in millionths."""
        place = 2 * list(OPPONENTS).index(self.opponent) + SIDES.index(self.side)
        return 1_000_001 * place + round(1_000_000 * self.error)


def pairings() -> tuple[Pairing, ...]:
    """Give the 24 standard pairings: nine opponents and the perfect player's three rates of error, on both sides.

    Source
    ------
    The published Connect-4 recipe (Thill 2026, techdays26).

    Examples
    --------
    >>> len(pairings())
    24
    >>> pairings()[-1]
    Pairing(opponent='perfect', side='second', error=0.3)
    """
    met = [(name, 0.0) for name in OPPONENTS] + [("perfect", error) for error in ERRORS]
    return tuple(Pairing(name, side, error) for name, error in met for side in SIDES)


class Limits(NamedTuple):
    """Time allowed to either side in seconds: for one move, and for all its moves of a game."""

    move_s: float = MOVE_LIMIT_S
    game_s: float = GAME_LIMIT_S


class GameRecord(NamedTuple):
    """One game: a row of the table of games.

    Attributes
    ----------
    opponent, error, side
        The pairing.
    game : int
        Number of the game within its pairing, from 0.
    seed : int
        Seed of the opponent's random numbers in this game.
    moves : str
        Columns, 0 to 6, in the order played; a move that was forfeited is not among them.
    result : float
        1 won, 0.5 drawn, 0 lost, from the agent's view.
    reason : str
        "four in a row", "board full", or "agent: ..." / "opponent: ..." with the reason of a forfeit.
    own_s, opponent_s : float
        Seconds that the agent (by the clock) and the opponent (of work) thought.
    """

    opponent: str
    error: float
    side: str
    game: int
    seed: int
    moves: str
    result: float
    reason: str
    own_s: float
    opponent_s: float


def game_seeds(seed: int, pairing: Pairing, game: int) -> tuple[int, int]:
    """Give the seeds of one game's opponent and agent: always the same ones, whatever else is played and when.

    Parameters
    ----------
    seed : int
        Seed of the evaluation, 0 or more.
    pairing : Pairing
        Who meets whom.
    game : int
        Number of the game within the pairing, from 0.
    """
    words = np.random.SeedSequence(seed, spawn_key=(pairing.number, game)).generate_state(2, np.uint64)
    return int(words[0] >> np.uint64(1)), int(words[1] >> np.uint64(1))


class Mover:
    """An agent as the arena asks it: a state and the moves so far in, a column out.

    Parameters
    ----------
    agent : object
        A value network, or a player with `choose(positions)` or with BitBully's `best_move(board)`. If it has a method
        `restart(seed)`, that is called before each game.

    Raises
    ------
    ValueError
        An agent with none of these.
    """

    def __init__(self, agent: Any) -> None:
        self.agent = NetworkAgent(agent) if isinstance(agent, ValueNetwork) else agent
        if not hasattr(self.agent, "choose") and not hasattr(self.agent, "best_move"):
            raise ValueError(f"an agent of type {type(agent).__name__} has neither `choose` nor `best_move`")
        self._batched = hasattr(self.agent, "choose")

    def warm_up(self) -> None:
        """Have a network's compiled loops loaded, or compiled, before a clock runs."""
        if isinstance(self.agent, NetworkAgent):
            self.column((0, 0, CELLS), [])

    def restart(self, seed: int) -> None:
        """Begin a new game."""
        if hasattr(self.agent, "restart"):
            self.agent.restart(seed)

    def column(self, state: State, moves: list[int]) -> Any:
        """Ask for a move; what comes back is not checked yet."""
        if self._batched:
            return self.agent.choose(Positions(*np.array(state, dtype=np.int64)[:, None]))[0]
        # A board of its own: the agent may do with it what it likes.
        return self.agent.best_move(Board(moves))


def play_game(
    mover: Mover,
    opponent: Opponent,
    pairing: Pairing,
    game: int,
    *,
    seed: int,
    limits: Limits = Limits(),  # noqa: B008 - a tuple of numbers
    clock: Callable[[], float] = time.perf_counter,
    opponent_clock: Callable[[], float] = time.thread_time,
) -> GameRecord:
    """Play one game from the empty board.

    A side that takes too long, plays an illegal move or raises an exception loses. Time is looked at after each move.

    Parameters
    ----------
    mover : Mover
        The agent.
    opponent : Opponent
        The opponent of the pairing.
    pairing : Pairing
        Who meets whom.
    game : int
        Number of the game within the pairing, from 0.
    seed : int
        Seed of the evaluation.
    limits : Limits
        Time allowed.
    clock, opponent_clock : callable
        Clocks in seconds. That of the opponent counts the work of its thread: a search must not lose on time because
        the machine has other things to do.

    Returns
    -------
    GameRecord
        What was played, the result, and why.
    """
    seed_of_game, own_seed = game_seeds(seed, pairing, game)
    opponent.restart(seed_of_game)
    mover.restart(own_seed)
    board, moves, spent = Board().native, [], {AGENT: 0.0, OPPONENT: 0.0}
    turn = AGENT if pairing.side == SIDES[0] else OPPONENT
    winner, reason = None, FULL
    while winner is None and board.movesLeft():
        player, turn = turn, OPPONENT if turn == AGENT else AGENT
        state = board.rawState()
        now = clock if player == AGENT else opponent_clock
        start = now()
        try:
            column = mover.column(state, moves) if player == AGENT else opponent.column(*state)
            wrong = None
        except Exception as fault:
            wrong = " ".join(f"{type(fault).__name__}: {fault}".split())[:LONGEST_REASON]
        took = now() - start
        spent[player] += took
        wrong = wrong or _find_fault(column, took, spent[player], limits, board)
        if wrong:
            winner, reason = turn, f"{player}: {wrong}"
            break
        moves.append(int(column))
        board.play(moves[-1])
        if board.hasWin():
            winner, reason = player, FOUR
    result = {AGENT: 1.0, OPPONENT: 0.0, None: 0.5}[winner]
    met = (pairing.opponent, pairing.error, pairing.side)
    text = "".join(map(str, moves))
    return GameRecord(*met, game, seed_of_game, text, result, reason, spent[AGENT], spent[OPPONENT])


def _find_fault(column: Any, took: float, spent: float, limits: Limits, board: Any) -> str | None:
    """Say what is wrong with a move, if anything."""
    if took > limits.move_s:
        return f"time: {took:.2f} s for a move, {limits.move_s:g} s are allowed"
    if spent > limits.game_s:
        return f"time: {spent:.2f} s for a game, {limits.game_s:g} s are allowed"
    try:
        place = operator.index(column)
    except TypeError:
        return f"illegal move: {column!r} is no column"
    if not 0 <= place < COLUMNS:
        return f"illegal move: column {place} is not on the board"
    if not board.isLegalMove(place):
        return f"illegal move: column {place} is full"
    return None


class Task(NamedTuple):
    """Games of one pairing that are played one after another: `first` to `last`, without `last`."""

    pairing: Pairing
    first: int
    last: int
    seed: int
    limits: Limits


def play_task(mover: Mover, task: Task, engines: Engines) -> list[GameRecord]:
    """Play the games of a task."""
    opponent = Opponent(task.pairing.opponent, task.pairing.error, engines=engines)
    return [
        play_game(mover, opponent, task.pairing, game, seed=task.seed, limits=task.limits)
        for game in range(task.first, task.last)
    ]
