"""What the widget says, in the words of the page."""

from collections.abc import Mapping
from typing import Any

from ludometrics.draughts.position import side_name
from ludometrics.gamelog.names import fold_name

#: Why a press of a square was refused.
REFUSALS = {
    "ambiguous": "More than one way leads there: jump square by square.",
    "jumping": "Keep jumping.",
    "must-capture": "You must capture.",
    "not-there": "That piece cannot move there.",
    "empty": "Choose one of your pieces first.",
    "not-yours": "That piece is not yours to move.",
    "other-piece": "You must capture with another piece.",
    "cannot-move": "That piece cannot move.",
}
WELCOME = "Choose an opponent and press Start."
ELSEWHERE = "The game has gone on elsewhere: this is the present position."
GONE = "That game is no longer kept. If it was finished, its result stands in the tables."
BUSY = "The folder of games is busy. Nothing is lost."
UNSAVED = "The game is over but not saved yet: the folder of games is busy. Nothing is lost."
HINTS = {
    "match": "A level at which you should win about as often as you lose, by your rating so far.",
    "rated": "Nine steps from the weakest to the strongest, whose strength was measured in many games.",
    "name": "1 to 20 letters, digits, spaces or _ . ' ( ) -",
}
UNDO = "Your last move and the computer's answer are taken back. From then on the game is not rated."
TODAY_FOOT = "3 points for a win, 1 for a draw. In italics: the computer."
RATINGS_FOOT = (
    "* fewer than five games: the rating is still settling. Elo is the course's and knows no uncertainty; the interval "
    "holds the strength behind a Glicko rating in about 19 cases of 20. In italics: levels of the computer."
)
_PIECES = {"b": "black man", "B": "black king", "w": "white man", "W": "white king"}


def turn_text(view: Mapping[str, Any]) -> str:
    """Whose move it is, and what was played; how the game ended.

    Parameters
    ----------
    view : mapping
        As of `ludometrics.web.views.view`.

    Returns
    -------
    str
    """
    if view["result"]:
        return view["result"]["text"]
    names, turn, human = view["names"], view["turn"], view["human"]
    if view["mode"] == "computer" and turn != human:
        return f"{names[turn]} is thinking …"
    words = []
    last = view["moves"][-1] if view["moves"] else None
    if last and last["by"] != human:
        words.append(f"{names[last['by']]} played {last['text']}.")
    if view["mode"] == "computer":
        words.append(f"Your turn ({side_name(turn)}).")
    else:
        words.append(f"{side_name(turn)} to move: {names[turn]}.")
    if any(move["captures"] for move in view["legal"]):
        words.append("You must capture.")
    return " ".join(words)


def match_text(view: Mapping[str, Any]) -> str:
    """The level that "Match me" chose, and why; empty where it did not choose."""
    match = view["match"]
    if not match:
        return ""
    level = match["level_name"]
    if match["level_rating"] is not None:
        level += f" (rated {round(match['level_rating'])})"
    words = [f"Matched with {level}: {match['reason']}."]
    if match["rating"] is not None:
        settling = ", still settling" if match["provisional"] else ""
        expected = "" if match["expected"] is None else f"; expected score {match['expected']:.2f}"
        words.append(f"Your rating: {round(match['rating'])}{settling}{expected}.")
    elif match["provisional"]:
        words.append("Your rating is still settling.")
    return " ".join(words)


def rated_text(view: Mapping[str, Any]) -> str:
    """Whether the game counts; empty where that goes without saying."""
    if not view["result"]:
        return "" if view["rated"] else "Not rated: a move was taken back."
    return "Saved: it counts in the tables." if view["rated"] and view["result"]["saved"] else ""


def missing_text(name: str, name2: str | None) -> str:
    """What is wrong with names as typed, of two people or (without the second) of one; empty if nothing is.

    Examples
    --------
    >>> missing_text("Ann", "ANN ")
    'Both names are the same.'
    >>> missing_text(" ", None)
    'Your name is missing.'
    """
    if not name.strip():
        return "Your name is missing." if name2 is None else "Black's name is missing."
    if name2 is None:
        return ""
    if not name2.strip():
        return "White's name is missing."
    return "Both names are the same." if fold_name(name) == fold_name(name2) else ""


def resign_text(view: Mapping[str, Any]) -> str:
    """What resigning would mean."""
    if view["mode"] == "two":
        return f"{view['names'][view['turn']]}, whose move it is, loses the game."
    return "You lose the game."


def piece_name(sign: str) -> str:
    """A piece in words.

    >>> piece_name("B"), piece_name(".")
    ('black king', 'empty')
    """
    return _PIECES.get(sign, "empty")
