"""GNU Backgammon's own totals of a game or match, as its text export prints them and its SGF keeps them (GS).

They are not used by any measure; they tell whether a file was read as its program meant it. What an error costs is
positive here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ludometrics.backgammon.gnubg_units import parse_number
from ludometrics.backgammon.records import UNKNOWN
from ludometrics.backgammon.sgf_nodes import parse_sgf

#: Sorts of cube errors, in the order of both kinds of file.
CUBE_ERRORS = (
    "missed doubles below cash point",
    "missed doubles above cash point",
    "wrong doubles below double point",
    "wrong doubles above too good point",
    "wrong takes",
    "wrong passes",
)
_GAME = re.compile(r"^Game statistics for game (\d+)")
_MATCH = re.compile(r"^(?:Match|Session) statistics")
_SECTION = re.compile(
    r"^(Chequer|Checker|Luck|Cube|Overall).* statistics$|^(Chequerplay|Checkerplay) statistics$"
)
_COUNTS = re.compile(r"^(\D.*?) {2,}(\d+)(?: \([^)]*\)\))? +(\d+)(?: \([^)]*\)\))? *$")
_PAIR = re.compile(r"([+-][\d.,]+|n/a) *(?:\( *([+-][\d.,]+)(%?)\))?")
_CUBE_LABELS = (
    "Missed doubles below CP",
    "Missed doubles above CP",
    "Wrong doubles below DP",
    "Wrong doubles above TG",
    "Wrong takes",
    "Wrong passes",
)
_COUNT_FIELDS = {
    "Total moves": "moves",
    "Unforced moves": "unforced",
    "Moves marked doubtful": "doubtful",
    "Moves marked bad": "bad",
    "Moves marked very bad": "very_bad",
    "Total cube decisions": "cube_decisions",
    "Close or actual cube decisions": "close_cubes",
    "Doubles": "doubles",
    "Takes": "takes",
    "Passes": "passes",
}


class PlayerTotals(NamedTuple):
    """One player's part; UNKNOWN or NaN where the file does not say.

    Attributes
    ----------
    moves, unforced : int
        Rolls, those that could not be played included; rolls with more than one legal play.
    doubtful, bad, very_bad : int
        Marked plays.
    checker_error, cube_error : float
        Normalised equity.
    checker_loss, cube_loss : float
        Match winning chances, a fraction; NaN in money play.
    luck, luck_chance : float
        Normalised equity; match winning chances.
    cube_decisions, close_cubes : int
        All that could be taken; those that were close, or taken.
    doubles, takes, passes : int
    cube_errors : tuple of 6 int
        By CUBE_ERRORS.
    """

    moves: int = UNKNOWN
    unforced: int = UNKNOWN
    doubtful: int = UNKNOWN
    bad: int = UNKNOWN
    very_bad: int = UNKNOWN
    checker_error: float = np.nan
    checker_loss: float = np.nan
    luck: float = np.nan
    luck_chance: float = np.nan
    cube_decisions: int = UNKNOWN
    close_cubes: int = UNKNOWN
    doubles: int = UNKNOWN
    takes: int = UNKNOWN
    passes: int = UNKNOWN
    cube_errors: tuple[int, ...] = (UNKNOWN,) * len(CUBE_ERRORS)
    cube_error: float = np.nan
    cube_loss: float = np.nan

    @property
    def error(self) -> float:
        """Checker plays and cube together."""
        return self.checker_error + self.cube_error

    @property
    def loss(self) -> float:
        """Checker plays and cube together."""
        return self.checker_loss + self.cube_loss


class Totals(NamedTuple):
    """Totals of one game, or of the match or session (``game`` 0)."""

    game: int
    players: tuple[PlayerTotals, PlayerTotals]


def text_totals(text: str) -> tuple[Totals, ...]:
    """The statistics at the end of one file of a text export: of its game, and in the last file of the match too.

    Examples
    --------
    >>> block = '''Game statistics for game 2
    ... Chequerplay statistics
    ... Total moves                                2                       3
    ... Error total EMG (MWC)                         -0.024 ( -0.182%)       -0,031 ( -0,236%)'''
    >>> totals = text_totals(block)[0]
    >>> totals.game, [player.moves for player in totals.players], totals.players[1].checker_error
    (2, [2, 3], 0.031)
    """
    found: list[tuple[int, list[str]]] = []
    for line in text.replace("\r\n", "\n").split("\n"):
        game = _GAME.match(line)
        if game:
            found.append((int(game[1]), []))
        elif _MATCH.match(line):
            found.append((0, []))
        elif line.startswith("Statistics from database"):
            break
        elif found:
            found[-1][1].append(line)
    return tuple(Totals(game, _text_players(lines)) for game, lines in found)


def _text_players(lines: Sequence[str]) -> tuple[PlayerTotals, PlayerTotals]:
    values: tuple[dict, dict] = ({"cube_errors": [UNKNOWN] * 6}, {"cube_errors": [UNKNOWN] * 6})
    section = ""
    for line in lines:
        head = _SECTION.match(line.strip())
        if head:
            section = "Checker" if line.startswith("C") and "play" in line else line.split()[0]
            continue
        for seat, (name, value) in _items(line, section):
            if isinstance(name, int):
                values[seat]["cube_errors"][name] = value
            else:
                values[seat][name] = value
    first, second = (PlayerTotals(**{**side, "cube_errors": tuple(side["cube_errors"])}) for side in values)
    return first, second


def _items(line: str, section: str) -> Iterator[tuple[int, tuple[str | int, float]]]:
    """(seat, (field or number of the cube error, value)) of one line."""
    counts = _COUNTS.match(line)
    if counts:
        label = counts[1]
        field: str | int | None = _COUNT_FIELDS.get(label)
        for place, wrong in enumerate(_CUBE_LABELS):
            field = place if label.startswith(wrong) else field
        if field is not None:
            yield 0, (field, int(counts[2]))
            yield 1, (field, int(counts[3]))
        return
    names = {
        ("Checker", "Error total"): ("checker_error", "checker_loss", -1.0),
        ("Cube", "Error total"): ("cube_error", "cube_loss", -1.0),
        ("Luck", "Luck total"): ("luck", "luck_chance", 1.0),
    }.get((section, line[:11].strip()))
    if names is None:
        return
    pairs = _PAIR.findall(line.partition("  ")[2])
    for seat, (equity, chance, percent) in enumerate(pairs[:2]):
        try:
            if equity != "n/a":
                yield seat, (names[0], names[2] * parse_number(equity) + 0.0)
            if chance and percent:  # of a session these are points
                yield seat, (names[1], names[2] * parse_number(chance) / 100 + 0.0)
        except ValueError:
            continue


def sgf_totals(text: str) -> tuple[Totals, ...]:
    """GNU Backgammon's totals of every game of an SGF file that has some that can be read.

    Close cube decisions are not among them.
    """
    totals = []
    for number, tree in enumerate(parse_sgf(text).trees):
        root = tree.nodes[0]
        facts = dict(item.split(":", 1) for item in root.properties.get("MI", []) if ":" in item)
        parts = {value[:1]: value[2:].split() for value in root.properties.get("GS", [])}
        try:
            money = not int(facts.get("length", 0))
            game = int(facts.get("game", number)) + 1
            players = (_sgf_player(parts, 0, money), _sgf_player(parts, 1, money))
        except (ValueError, IndexError):
            continue
        if parts:
            totals.append(Totals(game, players))
    return tuple(totals)


def _sgf_player(parts: dict[str, list[str]], seat: int, money: bool) -> PlayerTotals:
    """One player's numbers out of M (plays), C (cube) and D (dice); counts alternate between the players."""
    values: dict = {}
    if "M" in parts:
        counts, sums = parts["M"][:12], parts["M"][12:]
        names = ("unforced", "moves", "very_bad", "bad", "doubtful")
        values |= {name: int(counts[2 * place + seat]) for place, name in enumerate(names)}
        values["checker_error"] = parse_number(sums[2 * seat])
        values["checker_loss"] = parse_number(sums[2 * seat + 1])
    if "C" in parts:
        counts, sums = parts["C"][:20], parts["C"][20:]
        names = ("cube_decisions", "doubles", "takes", "passes")
        values |= {name: int(counts[2 * place + seat]) for place, name in enumerate(names)}
        values["cube_errors"] = tuple(int(counts[8 + 2 * place + seat]) for place in range(6))
        own = [parse_number(value) for value in sums[12 * seat : 12 * seat + 12]]
        values["cube_error"], values["cube_loss"] = sum(own[0::2]), sum(own[1::2])
    if "D" in parts:
        sums = parts["D"][10:]
        values["luck"], values["luck_chance"] = (
            parse_number(value) for value in sums[2 * seat : 2 * seat + 2]
        )
    if money:
        values |= {"checker_loss": np.nan, "cube_loss": np.nan, "luck_chance": np.nan}
    return PlayerTotals(**values)
