"""Our own CSV: one row a decision, its candidate plays in one cell (`option_cells`). RECORDS.md has the columns."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ludometrics.backgammon.option_cells import board_texts
from ludometrics.backgammon.play_words import find_words
from ludometrics.backgammon.records import UNKNOWN, Decisions, Kind, Library, Match, Opinion

#: Columns that a match has in its first row; further rows leave them empty or repeat them.
MATCH_COLUMNS = (
    "length",
    "player_0",
    "player_1",
    "date",
    "tournament",
    "round",
    "source",
    "engine",
    "met",
    "start_score",
    "final_score",
)
#: Whole numbers, as `record_checks.LIMITS` names them.
NUMBER_COLUMNS = (
    "game",
    "move",
    "seat",
    "away",
    "away_opponent",
    "crawford",
    "post_crawford",
    "cube",
    "cube_owner",
    "legal_plays",
    "duration_ms",
    "depth",
    "line",
)
FLOAT_COLUMNS = ("no_double", "double_take", "double_pass", "luck")
COLUMNS = (
    "match",
    *MATCH_COLUMNS,
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
    "board",
    "dice",
    "legal_plays",
    "played",
    "no_double",
    "double_take",
    "double_pass",
    "luck",
    "duration_ms",
    "depth",
    "opinion",
    "line",
    "options",
)
NEEDED = ("match", "game", "seat", "kind", "board")
KINDS = {kind.name.lower(): int(kind) for kind in Kind}
OPINIONS = {opinion.name.lower(): int(opinion) for opinion in Opinion if opinion != Opinion.NONE}
#: Words of `Decisions.played` of cube decisions.
ACTIONS = {Kind.DOUBLE: {"no_double": 0, "double": 1}, Kind.RESPONSE: {"pass": 0, "take": 1}}


def csv_bytes(library: Library) -> bytes:
    """The content of a file for a library whose decisions stand match after match."""
    decisions = library.decisions
    counts = np.bincount(decisions.match, minlength=len(library.matches))
    order: list[int | None] = []  # rows of the file; None: a match without decisions
    firsts, keys = [], []
    for match, count, end in zip(library.matches, counts, np.cumsum(counts), strict=True):
        firsts.append(len(order))
        order += list(range(end - count, end)) if count else [None]
        keys += [match.key] * max(int(count), 1)
    said = {name: [""] * len(order) for name in MATCH_COLUMNS}
    for first, match in zip(firsts, library.matches, strict=True):
        for name, text in _match_cells(match).items():
            said[name][first] = _quoted(text)
    taken = pa.array(order, pa.int64())
    table = {
        name: pc.fill_null(column.take(taken).cast(pa.string()), "")
        for name, column in _decision_columns(decisions).items()
    }
    table |= {name: pa.array(texts, pa.string()) for name, texts in said.items()}
    table["match"] = pa.array([_quoted(key) for key in keys], pa.string())
    lines = pc.binary_join_element_wise(*(table[name] for name in COLUMNS), ",")
    return "\n".join([",".join(COLUMNS), *lines.to_pylist(), ""]).encode("utf-8")


def _quoted(text: str) -> str:
    if any(sign in text for sign in ',"\r\n') or text != text.strip():
        return '"' + text.replace('"', '""') + '"'
    return text


def _match_cells(match: Match) -> dict[str, str]:
    cells = {name: getattr(match, name, "") for name in MATCH_COLUMNS}
    cells |= {"length": str(match.length), "player_0": match.players[0], "player_1": match.players[1]}
    for name in ("start_score", "final_score"):
        score = getattr(match, name)
        cells[name] = "" if score is None else f"{score[0]} {score[1]}"
    return cells


def _decision_columns(decisions: Decisions) -> dict[str, pa.Array]:
    values = {
        name: getattr(decisions, name) for name in ("game", "move", "seat", "cube", "cube_owner", "depth")
    }
    values |= {name: getattr(decisions, name) for name in ("legal_plays", "duration_ms", "line")}
    values |= {
        "crawford": decisions.crawford.astype(np.int8),
        "post_crawford": decisions.post_crawford.astype(np.int8),
    }
    values |= {"away": decisions.away[:, 0], "away_opponent": decisions.away[:, 1]}
    values |= {"dice": decisions.dice[:, 0].astype(np.int32) * 10 + decisions.dice[:, 1]}
    empty = {name: UNKNOWN for name in ("depth", "legal_plays", "duration_ms")} | {"dice": 0, "line": 0}
    columns = {
        name: pa.array(column, mask=column == empty[name] if name in empty else None)
        for name, column in values.items()
    }
    for place, name in enumerate(FLOAT_COLUMNS[:3]):
        columns[name] = pa.array(decisions.equities[:, place], mask=np.isnan(decisions.equities[:, place]))
    columns["luck"] = pa.array(decisions.luck, mask=np.isnan(decisions.luck))
    kinds = pa.array(decisions.kind)
    columns["kind"] = pa.array([kind.name.lower() for kind in Kind]).take(kinds)
    columns["board"] = pa.array(board_texts(decisions.board))
    known = pa.array(decisions.opinion.astype(np.int64), mask=decisions.opinion == Opinion.NONE)
    columns["opinion"] = pa.array(list(OPINIONS)).take(known)
    played = pa.array(decisions.played.astype(np.int64), mask=decisions.played == UNKNOWN)
    texts = played.cast(pa.string())
    for kind, actions in ACTIONS.items():
        # Numbers of options beyond 1 belong to checker plays only.
        action = pa.array(list(actions)).take(
            pc.if_else(pc.greater(played, 1), pa.scalar(0, pa.int64()), played)
        )
        texts = pc.if_else(pc.equal(kinds, int(kind)), action, texts)
    columns["played"] = texts
    columns["options"] = _option_texts(decisions)
    return columns


def _option_texts(decisions: Decisions) -> pa.Array:
    options = decisions.options
    words, lengths = find_words(decisions.board, decisions.dice, decisions.option_start, options.board)
    plays = pa.array(
        [bytes(word[:length]).decode("ascii") for word, length in zip(words, lengths, strict=True)],
        pa.string(),
    )
    odd = lengths == 0
    if odd.any():
        boards = np.full(len(odd), "", object)
        boards[odd] = board_texts(options.board[odd])
        plays = pc.if_else(pa.array(odd), pa.array(boards, pa.string()), plays)

    def text_of(values: np.ndarray, unknown: np.ndarray, before: str) -> pa.Array:
        texts = pc.fill_null(pa.array(values, mask=unknown).cast(pa.string()), "")
        return pc.if_else(pa.array(unknown), "", pc.binary_join_element_wise(before, texts, ""))

    unknown = np.isnan(options.equity)
    none = np.where(np.isnan(options.shares[:, 0]), ":", ":?")  # a place must be held where chances follow
    equity = pc.if_else(
        pa.array(unknown), pa.array(none.tolist(), pa.string()), text_of(options.equity, unknown, ":")
    )
    parts = [plays, equity]
    parts += [text_of(share, np.isnan(share), " ") for share in options.shares.T]
    parts += [text_of(options.depth, options.depth == UNKNOWN, " @")]
    joined = pc.binary_join_element_wise(*parts, "")
    lists = pa.ListArray.from_arrays(pa.array(decisions.option_start, pa.int32()), joined)
    cells = pc.binary_join(lists, ";")
    return pc.if_else(pc.equal(cells, ""), pa.scalar(None, pa.string()), cells)
