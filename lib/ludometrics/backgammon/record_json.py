"""Our own JSON, in columns (small, fast) or one object a decision (for other programs). RECORDS.md describes both.

In columns a board may be null where it follows from the decision before: nobody has moved, or the play that was made
leads to it. Equities, luck and chances may be whole numbers with a number of decimals for all; those of the options are
then steps: the first as it is, each further one as how much less it is than the one before.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from ludometrics.backgammon.option_cells import board_texts
from ludometrics.backgammon.play_words import find_words
from ludometrics.backgammon.record_chain import follows
from ludometrics.backgammon.record_csv import ACTIONS
from ludometrics.backgammon.records import UNKNOWN, Decisions, Kind, Library, Match, Opinion, Options

FORMAT = "ludometrics.backgammon.decisions"
VERSION = 1
#: Most decimals that numbers are tried with before they are written in full.
MOST_DECIMALS = 8
SHARES = ("win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon")
#: Fields of a match.
MATCH_FIELDS = (
    "key",
    "length",
    "players",
    "date",
    "tournament",
    "round",
    "source",
    "engine",
    "met",
    "start_score",
    "final_score",
    "decisions",
)
#: Columns with one value a decision, in the order of a file.
WHOLE_COLUMNS = (
    "game",
    "move",
    "seat",
    "kind",
    "away",
    "away_opponent",
    "crawford",
    "post_crawford",
    "cube",
    "cube_owner",
    "dice",
    "legal_plays",
    "played",
    "duration_ms",
    "depth",
    "opinion",
    "line",
)
EQUITY_COLUMNS = ("no_double", "double_take", "double_pass")
#: Columns with one value an option.
OPTION_COLUMNS = ("option_equity", "option_steps", "option_depth", "option_shares")


def json_bytes(library: Library, *, rows: bool = False) -> bytes:
    """The content of a file; ``rows``: one object a decision instead of columns."""
    head = {"format": FORMAT, "version": VERSION}
    document = head | (_rows(library) if rows else _columns(library))
    if rows:
        return _lines(document)
    return (json.dumps(document, separators=(",", ":"), ensure_ascii=False, allow_nan=False) + "\n").encode(
        "utf-8"
    )


def _lines(document: dict[str, Any]) -> bytes:
    """A document of rows with a line for each match and each decision."""

    def dump(value: Any) -> str:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)

    matches = []
    for match in document["matches"]:
        decisions = ",\n".join(map(dump, match.pop("decisions")))
        matches.append(f'{dump(match)[:-1]}, "decisions": [\n{decisions}\n]}}')
    text = dump({name: value for name, value in document.items() if name != "matches"})[:-1]
    return (text + ', "matches": [\n' + ",\n".join(matches) + "\n]}\n").encode("utf-8")


def _match(match: Match, decisions: Any) -> dict[str, Any]:
    fields = {name: getattr(match, name) for name in MATCH_FIELDS[:-1]}
    return fields | {"decisions": decisions}


def _decimals(values: np.ndarray) -> int | None:
    """Fewest decimals with which whole numbers give every value back exactly; None where none does."""
    known = values[~np.isnan(values)]
    for decimals in range(MOST_DECIMALS + 1):
        scaled = np.round(known.astype(np.float64) * 10**decimals)
        if (np.abs(scaled) < 2**53).all() and ((scaled / 10**decimals).astype(known.dtype) == known).all():
            return decimals
    return None


def _numbers(values: np.ndarray, unknown: np.ndarray) -> list | int | float | None:
    """Values for JSON, null where unknown; a single one where all are alike."""
    numbers = values.tolist()
    for place in np.flatnonzero(unknown).tolist():
        numbers[place] = None
    if numbers and all(number == numbers[0] for number in numbers):
        return numbers[0]
    return numbers


def _floats(values: np.ndarray, decimals: int | None) -> list | int | float | None:
    unknown = np.isnan(values)
    if decimals is None:
        return _numbers(values.astype(np.float64), unknown)
    scaled = np.round(np.where(unknown, 0, values).astype(np.float64) * 10**decimals)
    return _numbers(scaled.astype(np.int64), unknown)


def _columns(library: Library) -> dict[str, Any]:
    decisions, options = library.decisions, library.decisions.options
    counts = np.bincount(decisions.match, minlength=len(library.matches)).tolist()
    decimals = {
        "equities": _decimals(decisions.equities),
        "luck": _decimals(decisions.luck),
        "options": _decimals(options.equity),
        "shares": _decimals(options.shares),
    }
    columns: dict[str, Any] = {}
    for name, values in whole_columns(decisions).items():
        columns[name] = _numbers(values, (values == UNKNOWN) & (name != "cube_owner"))
    for place, name in enumerate(EQUITY_COLUMNS):
        columns[name] = _floats(decisions.equities[:, place], decimals["equities"])
    columns["luck"] = _floats(decisions.luck, decimals["luck"])
    told = board_texts(decisions.board)
    columns["board"] = [None if known else text for known, text in zip(follows(decisions), told, strict=True)]
    columns["plays"] = _plays(decisions)
    columns |= _option_columns(decisions, decimals)
    matches = [_match(match, count) for match, count in zip(library.matches, counts, strict=True)]
    known = {name: number for name, number in decimals.items() if number is not None}
    return {"matches": matches, "decimals": known, "columns": columns}


def whole_columns(decisions: Decisions) -> dict[str, np.ndarray]:
    """The columns of whole numbers by their names in a file."""
    values = {name: getattr(decisions, name) for name in WHOLE_COLUMNS if hasattr(decisions, name)}
    values |= {"away": decisions.away[:, 0], "away_opponent": decisions.away[:, 1]}
    values |= {
        "crawford": decisions.crawford.astype(int),
        "post_crawford": decisions.post_crawford.astype(int),
    }
    values["dice"] = decisions.dice[:, 0].astype(int) * 10 + decisions.dice[:, 1]
    return {name: values[name] for name in WHOLE_COLUMNS}


def _plays(decisions: Decisions) -> list[str]:
    words = play_texts(decisions)
    start = decisions.option_start.tolist()
    return [" ".join(words[low:high]) for low, high in pairwise(start)]


def play_texts(decisions: Decisions) -> list[str]:
    """A word, or else the signs of the board, for every option."""
    after = decisions.options.board
    words, lengths = find_words(decisions.board, decisions.dice, decisions.option_start, after)
    texts = [
        bytes(word[:length]).decode("ascii") for word, length in zip(words, lengths.tolist(), strict=True)
    ]
    for option in np.flatnonzero(lengths == 0).tolist():
        texts[option] = board_texts(after[option : option + 1])[0]
    return texts


def _option_columns(decisions: Decisions, decimals: dict[str, int | None]) -> dict[str, Any]:
    options, places = decisions.options, decimals["options"]
    columns: dict[str, Any] = {}
    if places is None:
        columns["option_equity"] = _floats(options.equity, None)
    else:
        scaled = np.round(np.nan_to_num(options.equity) * 10**places).astype(np.int64)
        unknown = np.isnan(options.equity)
        columns["option_steps"] = _numbers(_steps(scaled, unknown, decisions.option_start), unknown)
    columns["option_depth"] = _numbers(options.depth, options.depth == UNKNOWN)
    with_shares = ~np.isnan(options.shares[:, 0])
    columns["option_shares"] = _numbers(with_shares.astype(int), np.zeros(len(with_shares), bool))
    for place, name in enumerate(SHARES):
        columns[name] = _floats(options.shares[with_shares, place], decimals["shares"])
    return columns


def _steps(scaled: np.ndarray, unknown: np.ndarray, start: np.ndarray) -> np.ndarray:
    """The first known equity of each decision, and how much less every further one is than the known one before."""
    steps = scaled.copy()
    known = np.flatnonzero(~unknown)
    rows = np.searchsorted(start, known, side="right")
    further = np.flatnonzero(rows[1:] == rows[:-1]) + 1
    steps[known[further]] = scaled[known[further - 1]] - scaled[known[further]]
    return steps


def _rows(library: Library) -> dict[str, Any]:
    decisions = library.decisions
    plays, options = play_texts(decisions), decisions.options
    texts = board_texts(decisions.board)
    matches = []
    ends = np.cumsum(np.bincount(decisions.match, minlength=len(library.matches))).tolist()
    begins = [0, *ends][:-1]
    for match, begin, end in zip(library.matches, begins, ends, strict=True):
        told = [_row(decisions, options, row, texts[row], plays) for row in range(begin, end)]
        matches.append(_match(match, told))
    return {"matches": matches}


def _row(
    decisions: Decisions, options: Options, row: int, board: str, plays: Sequence[str]
) -> dict[str, Any]:
    """One decision as an object; what is unknown is left out."""
    kind = Kind(int(decisions.kind[row]))
    told: dict[str, Any] = {name: int(getattr(decisions, name)[row]) for name in ("game", "move", "seat")}
    told |= {"kind": kind.name.lower(), "away": decisions.away[row].tolist()}
    told |= {name: True for name in ("crawford", "post_crawford") if getattr(decisions, name)[row]}
    told |= {"cube": int(decisions.cube[row]), "cube_owner": int(decisions.cube_owner[row]), "board": board}
    if kind == Kind.CHECKER:
        told["dice"] = decisions.dice[row].tolist()
    for name, none in (("legal_plays", UNKNOWN), ("duration_ms", UNKNOWN), ("depth", UNKNOWN), ("line", 0)):
        value = int(getattr(decisions, name)[row])
        told |= {} if value == none else {name: value}
    played = int(decisions.played[row])
    if played != UNKNOWN:
        told["played"] = played if kind == Kind.CHECKER else list(ACTIONS[kind])[played]
    if decisions.opinion[row] != Opinion.NONE:
        told["opinion"] = Opinion(int(decisions.opinion[row])).name.lower()
    if not np.isnan(decisions.luck[row]):
        told["luck"] = float(decisions.luck[row])
    if not np.isnan(decisions.equities[row]).all():
        told["equities"] = [None if np.isnan(value) else value for value in decisions.equities[row].tolist()]
    part = decisions.options_of(row)
    if part.stop > part.start:
        told["options"] = [_option(options, option, plays[option]) for option in range(part.start, part.stop)]
    return told


def _option(options: Options, option: int, play: str) -> dict[str, Any]:
    told: dict[str, Any] = {"play": play}
    if not np.isnan(options.equity[option]):
        told["equity"] = float(options.equity[option])
    if not np.isnan(options.shares[option, 0]):
        told["shares"] = [
            float(str(share)) for share in options.shares[option]
        ]  # the shortest form of single precision
    if options.depth[option] != UNKNOWN:
        told["depth"] = int(options.depth[option])
    return told
