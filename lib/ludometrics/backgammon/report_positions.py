"""A decision as a report shows it: the board, what was asked, what was answered, what would have been best."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ludometrics.backgammon.assessment import Assessment
from ludometrics.backgammon.board_svg import draw_position
from ludometrics.backgammon.board_words import Position
from ludometrics.backgammon.notation import NO_PLAY, format_play
from ludometrics.backgammon.positions import board_from_position_id, decision_xgid, from_xgid
from ludometrics.backgammon.records import DOUBLE, NO_DOUBLE, PASS, TAKE, UNKNOWN, Kind, Library

ANSWERS = 5  # candidates told at most, and the play made besides


class Answer(NamedTuple):
    """One way to answer.

    Attributes
    ----------
    text : str
        A play, or a cube action; "" where the play cannot be told.
    equity : float
        Of a take or pass the doubler's.
    cost : float
        What it gives away, normalised equity.
    played, best : bool
    """

    text: str
    equity: float
    cost: float
    played: bool
    best: bool


class View(NamedTuple):
    """A decision as it is shown.

    Attributes
    ----------
    row : int
        Of `Library.decisions`.
    match : str
        Day and opponent.
    place : str
        Game and move.
    question : str
    played, best : str
        "" where it is not known.
    answers : tuple of Answer
        The best first.
    error_mp : int
        UNKNOWN where it was not scored.
    loss, difficulty : float
        Match winning chances, as fractions; NaN.
    xgid : str
    picture : str
        An ``<svg>`` element, with the play made and the best as arrows.
    """

    row: int
    match: str
    place: str
    question: str
    played: str
    best: str
    answers: tuple[Answer, ...]
    error_mp: int
    loss: float
    difficulty: float
    xgid: str
    picture: str


def position_of(library: Library, row: int) -> Position:
    """What a board of decision ``row`` shows."""
    decisions = library.decisions
    match = library.matches[decisions.match[row]]
    seat = int(decisions.seat[row])
    return Position(
        board=tuple(decisions.board[row].tolist()),
        cube=int(decisions.cube[row]),
        cube_owner=int(decisions.cube_owner[row]),
        offered=bool(decisions.kind[row] == Kind.RESPONSE),
        dice=tuple(decisions.dice[row].tolist()),
        away=tuple(decisions.away[row].tolist()),
        length=match.length,
        crawford=bool(decisions.crawford[row]),
        post_crawford=bool(decisions.post_crawford[row]),
        names=(match.players[seat], match.players[1 - seat]),
    )


def read_position(text: str) -> Position:
    """A position out of an XGID, or out of a Position ID of GNU Backgammon.

    Raises
    ------
    ValueError
        Neither of them.
    """
    if ":" not in text:
        return Position(board_from_position_id(text))
    said = from_xgid(text)
    return Position(
        board=tuple(said.board),
        cube=said.cube,
        cube_owner=said.cube_owner,
        offered=said.doubled,
        dice=tuple(said.dice),
        away=tuple(said.away),
        length=said.length,
        crawford=said.crawford,
        post_crawford=said.length > 1 and not said.crawford and min(said.away) == 1,
    )


def view_decision(library: Library, assessment: Assessment, row: int, *, arrows: bool = True) -> View:
    """A decision with its picture and its answers.

    Parameters
    ----------
    library : Library
    assessment : Assessment
        Of the same library.
    row : int
    arrows : bool
        Draw the play made and the best one; a question must not show its answer.

    Returns
    -------
    View
    """
    decisions, position = library.decisions, position_of(library, row)
    checker = decisions.kind[row] == Kind.CHECKER
    answers = (_plays if checker else _actions)(library, assessment, row)
    played = next((answer.text for answer in answers if answer.played), "")
    best = next((answer.text for answer in answers if answer.best), "")
    question = _question(position)
    drawn = {"played": played, "best": best} if checker and arrows else {}
    return View(
        row=row,
        match=_match(library, row),
        place=f"game {decisions.game[row]}, move {decisions.move[row]}",
        question=question,
        played=played,
        best=best,
        answers=answers,
        error_mp=int(assessment.error_mp[row]),
        loss=float(assessment.loss[row]),
        difficulty=float(assessment.difficulty[row]),
        xgid=decision_xgid(library, row),
        picture=draw_position(position, title=question, **drawn),
    )


def _match(library: Library, row: int) -> str:
    decisions = library.decisions
    match, seat = library.matches[decisions.match[row]], int(decisions.seat[row])
    return f"{match.date or 'undated'}, against {match.players[1 - seat]}"


def _question(position: Position) -> str:
    if position.dice != (0, 0):
        return f"How is {position.dice[0]}-{position.dice[1]} to be played?"
    again = "Redouble" if position.cube > 1 else "Double"
    return f"Take or pass at {2 * position.cube}?" if position.offered else f"{again} or roll?"


def _plays(library: Library, assessment: Assessment, row: int) -> tuple[Answer, ...]:
    """The best candidates and the play made."""
    decisions = library.decisions
    place = decisions.options_of(row)
    equity = decisions.options.equity[place]
    best, played = int(assessment.best[row]), int(decisions.played[row])
    if best == UNKNOWN or not len(equity):
        return ()
    order = [best, *(number for number in np.argsort(-equity, kind="stable") if number != best)]
    shown = [int(number) for at, number in enumerate(order) if at < ANSWERS or number == played]
    return tuple(
        Answer(
            text=_play(library, row, place.start + number),
            equity=float(equity[number]),
            cost=max(float(equity[best] - equity[number]), 0.0),
            played=number == played,
            best=number == best,
        )
        for number in shown
        if not np.isnan(equity[number])
    )


def _play(library: Library, row: int, option: int) -> str:
    decisions = library.decisions
    try:
        play = format_play(decisions.board[row], decisions.options.board[option], decisions.dice[row])
    except ValueError:  # a file may hold a play that its own roll does not allow
        return ""
    return "" if play in NO_PLAY else play


def _actions(library: Library, assessment: Assessment, row: int) -> tuple[Answer, ...]:
    """Both actions of a cube decision, the better one first."""
    decisions = library.decisions
    no_double, take, drop = (float(value) for value in decisions.equities[row])
    best, played = int(assessment.best[row]), int(decisions.played[row])
    if best == UNKNOWN:
        return ()
    reply = min(take, drop)
    if decisions.kind[row] == Kind.RESPONSE:
        options = [(TAKE, "take", take, take - reply), (PASS, "pass", drop, drop - reply)]
    else:
        top = max(no_double, reply)
        word = "redouble" if decisions.cube[row] > 1 else "double"
        answer = "pass" if take > drop else "take"
        good = no_double > reply and take > drop
        options = [
            (NO_DOUBLE, f"too good to {word}" if good else f"no {word}", no_double, top - no_double),
            (DOUBLE, f"{word}, {answer}", reply, top - reply),
        ]
    answers = [Answer(text, value, cost, code == played, code == best) for code, text, value, cost in options]
    return tuple(sorted(answers, key=lambda answer: not answer.best))
