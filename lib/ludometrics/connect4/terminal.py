"""A game against a network in a terminal: the board in letters, a column typed, the network's opinion beside it."""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from ludometrics.connect4.agents import FULL_SCORE, NetworkAgent
from ludometrics.connect4.bitboard import SIDES
from ludometrics.connect4.board import EMPTY, Position, draw, from_moves, is_over, legal_columns, winner
from ludometrics.connect4.board_batches import Positions
from ludometrics.connect4.command import read_network


def play_in_terminal(
    weights: Path, *, side: str, values: bool, ask: Callable[[str], str], say: Callable[[str], None]
) -> str:
    """Play one game.

    Parameters
    ----------
    weights : Path
        The network's file.
    side : str
        The person's side: "first" (Yellow) or "second".
    values : bool
        Show the score that the network gave each of its moves, -100 to 100 from its own view.
    ask, say : callable
        How to ask for a line and how to show one.

    Returns
    -------
    str
        The moves played.
    """
    agent = NetworkAgent(read_network(weights))
    moves: list[int] = []
    person = SIDES.index(side)
    say("Columns are 0 to 6; u takes your last move back, q ends the game.")
    while True:
        position = from_moves(moves) if moves else EMPTY
        if len(moves) % 2 == person or is_over(position):
            say(draw(position))
        if is_over(position):
            say({1: "Yellow wins.", -1: "Red wins.", 0: "A draw."}[winner(position)])
            break
        if len(moves) % 2 == person:
            chosen = _ask_move(position, ask, say)
            if chosen == "q":
                break
            if chosen == "u":
                moves = moves[: max(person, len(moves) - 2)] if len(moves) >= 2 else moves
            else:
                moves.append(int(chosen))
        else:
            moves.append(_reply(agent, position, say if values else None))
    text = "".join(map(str, moves))
    say(f"Moves: {text}")
    return text


def _ask_move(position: Position, ask: Callable[[str], str], say: Callable[[str], None]) -> str:
    legal = list(legal_columns(position))
    while True:
        text = ask("Your column").strip().lower()
        if text in ("q", "u"):
            return text
        if text.isdecimal() and int(text) in legal:
            return text
        say(f"{text!r} cannot be played: allowed are {', '.join(map(str, legal))}, u and q")


def _reply(agent: NetworkAgent, position: Position, say: Callable[[str], None] | None) -> int:
    batch = Positions(*(np.array([number], np.int64) for number in position))
    if say is not None:
        scores = agent.scores(batch)[0].tolist()
        shown = "  ".join(f"{column}: {score}" for column, score in enumerate(scores) if score != FULL_SCORE)
        say(f"The network's scores: {shown}")
    column = int(agent.choose(batch)[0])
    if say is not None:
        say(f"The network plays {column}.")
    return column
