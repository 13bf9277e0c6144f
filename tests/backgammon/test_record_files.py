"""Our own files of decisions: what is written is read, and whatever cannot be is refused with its place."""

import csv
import gzip
import io
import json
import re
from dataclasses import fields, replace
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludometrics.backgammon import number_lists, record_files
from ludometrics.backgammon.boards import START
from ludometrics.backgammon.building import RecordError
from ludometrics.backgammon.moves import legal_boards
from ludometrics.backgammon.notation import parse_play
from ludometrics.backgammon.option_cells import Cells, board_text, read_board, read_option
from ludometrics.backgammon.play_words import board_after_word, word_between
from ludometrics.backgammon.record_csv import COLUMNS
from ludometrics.backgammon.record_files import (
    SUFFIXES,
    Thinning,
    is_record_content,
    read_record_bytes,
    read_records,
    thinned,
    write_records,
)
from ludometrics.backgammon.record_json import json_bytes
from ludometrics.backgammon.records import DOUBLE, TAKE, UNKNOWN, Kind, Library, Opinion, no_decisions
from record_worlds import noisy, record_world

DOCUMENT = files("ludometrics.backgammon").joinpath("RECORDS.md").read_text(encoding="utf-8")
SCHEMA = json.loads(
    files("ludometrics.backgammon").joinpath("record_schema.json").read_text(encoding="utf-8")
)


def same(first: Library, second: Library) -> None:
    assert first.matches == second.matches
    for part, other in (
        (first.decisions, second.decisions),
        (first.decisions.options, second.decisions.options),
    ):
        for item in fields(part):
            if item.name != "options":
                values, others = getattr(part, item.name), getattr(other, item.name)
                assert values.dtype == others.dtype, item.name
                np.testing.assert_array_equal(values, others, err_msg=item.name)


# Round trips

FORMS = [*((suffix, False) for suffix in SUFFIXES), (".json", True)]


@pytest.mark.parametrize(("suffix", "rows"), FORMS, ids=[f"{suffix}-{rows}" for suffix, rows in FORMS])
@pytest.mark.parametrize(
    "make", [record_world, lambda seed: noisy(record_world(seed), 5)], ids=["decimal", "noisy"]
)
def test_round_trip(tmp_path, suffix, rows, make):
    library = make(1)
    assert len({*library.decisions.kind.tolist()}) == 3
    path = write_records(library, tmp_path / f"library{suffix}", rows=rows)
    same(read_records(path), library)
    again = write_records(read_records(path), tmp_path / f"again{suffix}", rows=rows)
    assert again.read_bytes() == path.read_bytes()


@settings(deadline=None, max_examples=15)
@given(seed=st.integers(10, 10_000), turns=st.integers(1, 12))
def test_round_trip_of_any(seed, turns):
    library = record_world(seed, turns=turns)
    same(read_record_bytes(json_bytes(library), "x"), library)
    same(read_record_bytes(record_files.csv_bytes(library), "x"), library)


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("rows", [False, True])
def test_library_without_anything(tmp_path, suffix, rows):
    nothing = Library((), no_decisions())
    same(read_records(write_records(nothing, tmp_path / f"none{suffix}", rows=rows)), nothing)
    only_matches = record_world(3).only(np.array([False, False, True]))
    assert len(only_matches.matches) == 1 and len(only_matches.decisions) == 0
    same(read_records(write_records(only_matches, tmp_path / f"matches{suffix}", rows=rows)), only_matches)


def test_problems_are_no_part_of_a_file(tmp_path):
    library = replace(record_world(1), problems=(record_files.Library,))
    assert read_records(write_records(library, tmp_path / "a.json")).problems == ()


def test_long_lists_are_read_apart(monkeypatch):
    library = record_world(4, matches=6)
    content = json_bytes(library)
    plain = read_record_bytes(content, "x")
    monkeypatch.setattr(number_lists, "_LIST", re.compile(number_lists._LIST.pattern.replace(b"4096", b"4")))
    text, spans = number_lists.number_lists(content)
    assert len(spans) > 20 and len(text) < len(content) / 2
    same(read_record_bytes(content, "x"), plain)


@pytest.mark.parametrize(
    "text",
    ["1,2.5,-3e2,null", " 1 , -0.125\n,12345678901234567890,0.1234567890123456789,1e-7", "[]", "1,,2", "01", "1.", ".5",
     "+1", "1e", "--1", "nul", "1,nulll", "1 2", "-", ""],
)  # fmt: skip
def test_lists_of_numbers_as_json_has_them(text):
    data = np.frombuffer(text.encode() or b" ", np.uint8)
    span = number_lists.Span(0, len(text))
    try:
        wanted = json.loads(f"[{text}]")
        wanted = (
            None if not wanted or not all(isinstance(item, int | float | None) for item in wanted) else wanted
        )
    except ValueError:
        wanted = None
    if wanted is None:
        assert number_lists._count(data, 0, len(text)) == -1
    else:
        np.testing.assert_array_equal(number_lists.read_numbers(data, span), np.array(wanted, float))


# Words and cells


def plain_hops(board, hops):
    """A play, hop by hop, as the rules of checkers say."""
    after = list(board)
    for source, die in hops:
        assert after[source] > 0
        after[source] -= 1
        if source > die:
            assert after[source - die] >= -1
            if after[source - die] == -1:
                after[source - die] = 0
                after[0] -= 1
            after[source - die] += 1
    return after


WORDS = [
    ("hf", (3, 1), "8/5 6/5"),
    ("xm", (6, 5), "24/18 13/8"),
    ("XV", (2, 5), "24/22/17*"),
    ("mmhh", (5, 5), "13/8(2) 8/3(2)"),
    ("M", (6, 2), None),
]


@pytest.mark.parametrize(("word", "dice", "notation"), WORDS, ids=[word for word, _, _ in WORDS])
def test_words(word, dice, notation):
    board = START.copy()
    if word == "XV":
        board[17], board[1] = -1, -4
    large, small = max(dice), min(dice)
    order = [small, large] if word.isupper() else [large, small]
    order = [large] * 4 if large == small else order
    hops = [(ord(letter.lower()) - 96, die) for letter, die in zip(word, order, strict=False)]
    after = board_after_word(board, word, dice)
    assert after.tolist() == plain_hops(board.tolist(), hops)
    if notation:
        assert after.tolist() == parse_play(notation, board).tolist()


@pytest.mark.parametrize(
    ("word", "reason"),
    [("h", ""), ("zz", "none of a to y"), ("hfm", "more hops"), ("", "more hops"), ("aa", "no checker"),
     ("mH", "mixes"), ("xf", "the other side holds"), ("ö", "a to y")],
)  # fmt: skip
def test_words_that_are_none(word, reason):
    board = START.copy()
    if not reason:
        assert board_after_word(board, word, (3, 1))[5] == 1
        return
    with pytest.raises(ValueError, match=reason):
        board_after_word(board, word, (5, 1))


def test_every_legal_play_has_a_word():
    decisions = record_world(2, turns=60).decisions
    rng = np.random.default_rng(0)
    for row in rng.permutation(np.flatnonzero(decisions.kind == Kind.CHECKER))[:60]:
        board, dice = decisions.board[row], tuple(decisions.dice[row].tolist())
        for after in legal_boards(board, dice):
            word = word_between(board, after, dice)
            assert word
            assert board_after_word(board, word, dice).tolist() == after.tolist()


def test_no_word_for_what_cannot_be_played():
    assert word_between(START, START, (3, 1)) == ""
    assert word_between(START, -START[::-1], (6, 6)) == ""
    moved = START.copy()
    moved[[6, 1]] = 4, -1
    assert word_between(START, moved, (6, 5)) == ""


CELLS = [
    "hf:0.16 0.55 0.17 0.01 0.12 0.01 @2;XM:-0.25",
    "hf:;xh: @3;mf:? 0.5 0.1 0 0.2 0",
    "8/5 6/5: 0.16",
    ".b...BD.B...eE...c.e....B.:-1e-05 @100",
    "hf:0.12345678901234567",
    "  hf : 0.5 ; 24/23 13/10 : -.5 @0",
    "",
    "   ",
]


def test_cells_are_read_as_their_options_are():
    """What the kernel reads and what `read_option` reads is the same."""
    data = np.frombuffer("".join(CELLS).encode(), np.uint8)
    offsets = np.concatenate([[0], np.cumsum([len(cell) for cell in CELLS])])
    boards, dice = np.tile(START, (len(CELLS), 1)), np.tile(np.array([3, 1], np.int8), (len(CELLS), 1))
    cells = Cells(data, offsets, boards, dice)
    wanted = [read_option(text, START, (3, 1)) for cell in CELLS for text in cell.split(";") if text.strip()]
    assert len(wanted) == cells.start[-1] == 10
    assert (
        cells.slow.tolist() == [False, True, False, False, True, False, False, True, True][:0]
        or cells.slow.sum() >= 2
    )
    for place, option in enumerate(wanted):
        if not cells.slow[place]:
            assert cells.board[place].tolist() == list(option.board)
            np.testing.assert_equal(cells.equity[place], option.equity)
            assert cells.depth[place] == option.depth
            shares = np.full(5, np.nan) if option.shares is None else option.shares
            np.testing.assert_array_equal(cells.shares[place], np.array(shares, np.float32))


def test_boards():
    assert board_text(START) == ".b....E.C...eE...c.e....B."
    for text in (board_text(START), board_text(START).replace(".", "-"), "4HPwATDgc/ABMA"):
        assert read_board(text).tolist() == START.tolist()
    for text in ("", "B" * 26, "4HPwATDgc/AB!A", ".b....E.C...eE...c.e....B", "b.....E.C...eE...c.e....b."):
        with pytest.raises(ValueError):
            read_board(text)


# Documents


def test_every_column_is_described():
    table = DOCUMENT.split("## CSV")[1].split("## JSON")[0]
    described = {
        name
        for line in table.splitlines()
        if line.startswith("| `")
        for name in re.findall("`([a-z_0-1]+)`", line.split("|")[1])
    }
    assert described == set(COLUMNS)


def test_example_of_the_document():
    example = re.search("```json\n(.*?)```", DOCUMENT, re.DOTALL)[1]
    library = read_record_bytes(example.encode(), "example.json")
    assert library.matches[0].final_score == (7, 4)
    assert library.decisions.played.tolist() == [0, 0]
    assert library.decisions.board[1].tolist() == (-library.decisions.options.board[0][::-1]).tolist()
    option = re.search("`(8/5 6/5: .*?)`", DOCUMENT)[1]
    assert [read_option(text, START, (3, 1)).depth for text in option.split(";")] == [2, UNKNOWN]


def test_files_of_ours_are_known():
    assert is_record_content(json_bytes(record_world(1)))
    assert is_record_content(record_files.csv_bytes(record_world(1)))
    assert not is_record_content(b'{"player_white": 1}')
    assert not is_record_content(b"match,date\n")


def schema_validator():
    fastjsonschema = pytest.importorskip("fastjsonschema")
    return fastjsonschema.compile(SCHEMA)


@pytest.mark.parametrize("rows", [False, True], ids=["columns", "rows"])
def test_schema_allows_what_is_written(rows):
    validate = schema_validator()
    for library in (record_world(1), noisy(record_world(2), 3), Library((), no_decisions())):
        validate(json.loads(json_bytes(library, rows=rows)))


# By hand

HAND = """match,length,player_0,player_1,game,seat,kind,away,away_opponent,board,dice,played,no_double,\
double_take,double_pass,options
one,5,Ann,Bo,1,0,checker,5,5,.b....E.C...eE...c.e....B.,13,8/5 6/5,,,,8/5 6/5:0.16 @2; 24/23 13/10: -0.01 @2
,,,,1,1,double,5,5,4HPwATDgc/ABMA,,double,0.5,0.4,1,

,,,,1,0,response,5,5,4HPwATDgc/ABMA,,take,0.5,0.4,1,
"""


@pytest.mark.parametrize("form", ["plain", "bom", "crlf", "gz"])
def test_csv_by_hand(form):
    content = HAND.encode()
    content = {
        "bom": b"\xef\xbb\xbf" + content,
        "crlf": content.replace(b"\n", b"\r\n"),
        "gz": gzip.compress(content),
    }.get(form, content)
    library = read_record_bytes(content, "hand.csv")
    decisions = library.decisions
    assert library.matches[0].players == ("Ann", "Bo")
    assert decisions.kind.tolist() == [Kind.CHECKER, Kind.DOUBLE, Kind.RESPONSE]
    assert decisions.played.tolist() == [0, DOUBLE, TAKE]
    assert decisions.dice.tolist() == [[3, 1], [0, 0], [0, 0]]
    assert decisions.options.board[0].tolist() == parse_play("8/5 6/5", START).tolist()
    assert decisions.opinion.tolist() == [Opinion.NONE] * 3
    assert decisions.cube.tolist() == [1, 1, 1]
    assert np.isnan(decisions.luck).all()


def changed(row: int, column: str, value: str) -> bytes:
    """HAND with another cell; rows as a spreadsheet numbers them, the header being 1."""
    rows = list(csv.reader(io.StringIO(HAND)))
    rows[row - 1][rows[0].index(column)] = value
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()


BAD_CELLS = [
    (2, "match", "", "row 2: match is empty"),
    (2, "length", "", "row 2: length is empty, allowed are 0 (money) to 64 points"),
    (2, "length", "99999", "row 2: length is 99999"),
    (3, "player_0", "Cy", "row 3: player_0 is Cy, allowed are 'Ann', as above, or nothing"),
    (3, "game", "0", "row 3: game is 0, allowed are whole numbers from 1 to 1000000"),
    (3, "game", "", "row 3: game is empty"),
    (3, "game", "one", "row 3: game is one, allowed are whole numbers from 1"),
    (5, "seat", "2", "row 5: seat is 2, allowed are whole numbers from 0 to 1"),
    (5, "kind", "Take", "row 5: kind is Take, allowed are checker, double, response"),
    (5, "kind", "", "row 5: kind is empty, allowed are checker, double, response in a row with a"),
    (2, "away", "6", "row 2: away is [6, 5], allowed are 1 to the length of the match"),
    (2, "board", "here", "row 2: board 'here', allowed are 26 signs"),
    (2, "board", ".b....P.C...eE...c.e....B.", "row 2: board '.b....P"),
    (2, "board", ".b....O.C...eE...c.e....B.", "row 2, options, number 0: 25 checkers of one side"),
    (2, "dice", "17", "row 2, options, number 0: dice [7, 1]"),
    (2, "dice", "170", "row 2: dice is 170, allowed are two digits from 1 to 6"),
    (3, "board", ".b....O.C...eE...c.e....B.", "row 3: board is 25, allowed are at most 15 checkers a side"),
    (2, "dice", "", "row 2, options, number 0: "),
    (5, "dice", "31", "row 5: dice is [3, 1], allowed are none in a cube decision"),
    (2, "played", "2", "row 2: played is 2, allowed are the number of an option, from 0"),
    (2, "played", "13/13", "row 2: played: "),
    (2, "played", "13/9", "row 2: played is 13/9, allowed are the 2 plays of its options, or their numbers from 0"),
    (2, "played", "24/23 24/21", "row 2: played is 24/23 24/21, allowed are the 2 plays of its options"),
    (3, "played", "take", "row 3: played is take, allowed are no_double, double"),
    (3, "no_double", "-1000", "row 3: no_double ... is [-1000.0, 0.4, 1.0], allowed are numbers below 100 in size"),
    (3, "no_double", "0,5", "row 3: no_double is 0,5, allowed are numbers"),
    (3, "no_double", "inf", "row 3: no_double is infinite, allowed are numbers"),
    (2, "no_double", "0.5", "row 2: no_double ... is [0.5, nan, nan], allowed are empty in a checker play"),
    (2, "options", "8/5 6/5", "row 2, options, number 0: option '8/5 6/5', wanted is play:equity"),
    (2, "options", "hf:1;hf", "row 2, options, number 1: option 'hf', wanted is play:equity"),
    (2, "options", "hf:0.1 0.2", "row 2, options, number 0: option 'hf:0.1 0.2' has 2 numbers, allowed are 0, 1 and 6"),
    (2, "options", "hf:x", "row 2, options, number 0: 'x' is no number"),
    (2, "options", "hf:nan", "row 2, options, number 0: 'nan' is no number"),
    (2, "options", "hf:0.1 @2.5", "row 2, options, number 0: depth '2.5'"),
    (2, "options", "hq:0.1", "row 2, options, number 0: play 'hq' leaves a point where the player has no checker"),
    (2, "options", "hf:200", "row 2, options, number 0: equity is 200.0, allowed are numbers below 100 in size"),
    (2, "options", "hf:0.1 0.2 0.3 0.4 0.5 1.2", "row 2, options, number 0: chances is"),
    (2, "options", "hf:0.1;.b....E.C...eD...c.e....C.:0", "row 2, options, number 1: board is"),
    (2, "options", "hf:0.1;......E.C...eE...c.e....AA:0", "row 2, options, number 1: board is"),
    (3, "options", "hf:0.1", "row 3"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("row", "column", "value", "message"), BAD_CELLS, ids=[f"{number}" for number in range(len(BAD_CELLS))]
)
def test_bad_cells(row, column, value, message):
    with pytest.raises(RecordError) as caught:
        read_record_bytes(changed(row, column, value), "hand.csv")
    assert str(caught.value).startswith("hand.csv, " + message.split("row", 1)[0] + "row")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "x: it is empty"),
        (b"match,game\n", "x: no column 'seat', needed are match, game, seat, kind, board"),
        (HAND.replace("length", "points").encode(), "x: column 'points', allowed are match, length"),
        (HAND.replace("dice", "kind").encode(), "x: column 'kind' stands there twice"),
        (HAND.replace("one,5,Ann", "one,5").encode(), "x, row 2: 15 cells, the header has 16"),
        (HAND.encode().replace(b"Ann", b"\xff"), "x: byte "),
        (
            (HAND + "two,5" + "," * 14 + "\none" + "," * 15 + "\n").encode(),
            "x, row 7: match is one, allowed are keys whose rows",
        ),
        (HAND.encode() + b"\0\0\0", "x"),
        (gzip.compress(HAND.encode())[:-9], "x: the packed file is cut short"),
        (gzip.compress(HAND.encode()) + b"more", "x: 4 bytes after the packed file"),
        (b"\x1f\x8b\x08" + b"\0" * 40, "x: "),
    ],
    ids=[f"{number}" for number in range(11)],
)  # fmt: skip
def test_bad_tables(content, message):
    with pytest.raises(RecordError) as caught:
        read_record_bytes(content, "x")
    assert message in str(caught.value)


def test_what_unpacks_to_too_much_is_refused(monkeypatch):
    monkeypatch.setattr(record_files, "MOST_BYTES", 1 << 20)
    with pytest.raises(RecordError, match="x: it unpacks to more than 1 MB"):
        read_record_bytes(gzip.compress(b"," * (2 << 20)), "x")


# JSON that is wrong


def columns_document() -> dict:
    return json.loads(json_bytes(record_world(1, matches=2, turns=6)))


def rows_document() -> dict:
    return json.loads(json_bytes(record_world(1, matches=2, turns=6), rows=True))


def column_of(document: dict, name: str) -> list:
    """A column as a list, whether one value stood for all."""
    told, n = document["columns"][name], sum(match["decisions"] for match in document["matches"])
    document["columns"][name] = told if isinstance(told, list) else [told] * n
    return document["columns"][name]


BAD_COLUMNS = [
    (lambda d: d.update(version=2), "format is 'ludometrics.backgammon.decisions', version 2, allowed is", True),
    (lambda d: d.update(extra=1), "field 'extra', allowed are format, version, matches", True),
    (lambda d: d.update(matches=3), "matches is no list of objects", True),
    (lambda d: d["matches"][0].update(length=70), "match 1: length is 70, allowed are 0 (money) to 64 points", True),
    (lambda d: d["matches"][0].update(players=["Ann"]), "match 1: players is ['Ann'], allowed are two", True),
    (lambda d: d["matches"][1].update(key="key 0"), "match 2: key is key 0, allowed are keys that differ", False),
    (lambda d: d["matches"][0].update(date="1.2.2026"), "match 1: date is 1.2.2026, allowed are days", True),
    (lambda d: d["matches"][0].update(start_score=[5, 0]), "match 1: start_score is (5, 0), allowed are", False),
    (lambda d: d["matches"][0].update(decisions=-1), "match 1: decisions is -1, allowed are how many", True),
    (lambda d: d["columns"].pop("kind"), "columns: no 'kind', needed are game, seat, kind, board", False),
    (lambda d: d["columns"].update(elo=3), "columns: field 'elo', allowed are", True),
    (lambda d: d["columns"].update(seat="0"), "columns: seat is 0, allowed are numbers, null, or a list", True),
    (lambda d: column_of(d, "seat").append(0), "columns: seat has", False),
    (lambda d: column_of(d, "seat").__setitem__(2, 5), "decision 3: seat is 5, allowed are whole", True),
    (lambda d: column_of(d, "seat").__setitem__(2, True), "decision 3: seat is True, allowed are", True),
    (lambda d: column_of(d, "cube").__setitem__(0, 3), "decision 1: cube is 3, allowed are powers of two", False),
    (lambda d: column_of(d, "cube").__setitem__(0, 10**400), "cube has a number that is too large", True),
    (lambda d: column_of(d, "luck").__setitem__(0, 0.5), "decision 1: luck is 0.5, allowed are whole", False),
    (lambda d: column_of(d, "board").__setitem__(0, None), "decision 1: board follows from no decision before", False),
    (lambda d: column_of(d, "board").__setitem__(0, "x" * 26), "decision 1: board 'xxxx", True),
    (lambda d: column_of(d, "plays").__setitem__(0, "zz"), "plays, number 0: 'zz' has a letter that is none", False),
    (lambda d: column_of(d, "plays").__setitem__(0, 5), "decision 1: plays is 5, allowed are texts", True),
    (lambda d: column_of(d, "plays").__setitem__(0, ""), "decision 1: played is the number of no option", False),
    (lambda d: d["columns"]["option_steps"].__setitem__(0, 0.5), "options, number 0: option_steps is 0.5", False),
    (lambda d: d["columns"].update(option_equity=0), "option_steps and option_equity, allowed is one of them", False),
    (lambda d: d["decimals"].pop("options"), "option_steps without decimals of options", False),
    (lambda d: d["decimals"].update(luck=99), "decimals: luck is 99, allowed are 0 to 15", True),
    (lambda d: d["columns"].update(win=99999), "chances is", False),
    (lambda d: column_of(d, "played").__setitem__(0, 30), "decision 1: played", False),
]  # fmt: skip


@pytest.mark.parametrize(
    ("change", "message", "by_schema"), BAD_COLUMNS, ids=[f"{number}" for number in range(len(BAD_COLUMNS))]
)
def test_bad_columns(change, message, by_schema):
    document = columns_document()
    change(document)
    with pytest.raises(RecordError) as caught:
        read_record_bytes(json.dumps(document).encode(), "x.json")
    assert str(caught.value).startswith("x.json")
    assert message in str(caught.value)
    if by_schema:
        refused_by_schema(document)


def refused_by_schema(document) -> None:
    with pytest.raises(ValueError):
        schema_validator()(document)


def first(document: dict, kind: str) -> dict:
    return next(
        row
        for match in document["matches"]
        for row in match["decisions"]
        if row["kind"] == kind and (kind != "checker" or "options" in row)
    )


BAD_ROWS = [
    (lambda d: d.update(decimals={}), "decimals without columns", True),
    (lambda d: d["matches"][0].update(decisions=4), "match 1: decisions is 4, allowed are lists of objects", True),
    (lambda d: d["matches"][0]["decisions"].insert(0, 3), "match 1, decision 1: not an object", True),
    (lambda d: first(d, "checker").pop("board"), "no 'board', needed are game, seat, kind, board", True),
    (lambda d: first(d, "checker").update(elo=1), "field 'elo', allowed are game, move, seat", True),
    (lambda d: first(d, "checker").update(seat="Ann"), "seat is Ann, allowed are whole numbers from 0 to 1", True),
    (lambda d: first(d, "checker").update(kind="play"), "kind is play, allowed are checker, double, response", True),
    (lambda d: first(d, "checker").update(away=[1]), "away is [1], allowed are lists of 2 numbers", True),
    (lambda d: first(d, "checker").update(crawford=1), "crawford is 1, allowed are true and false", True),
    (lambda d: first(d, "checker").update(dice=[7, 1]), "dice is [7, 1], allowed are two from 1 to 6", True),
    (lambda d: first(d, "checker").update(dice=None), "dice is [0, 0], allowed are two from 1 to 6", False),
    (lambda d: first(d, "checker").update(played="33"), "played: ", False),
    (lambda d: first(d, "checker").update(played=40), "played is 40, allowed are the", False),
    (lambda d: first(d, "checker").update(opinion="yes"), "opinion is yes, allowed are differs, agrees", True),
    (lambda d: first(d, "checker").update(luck=True), "luck is True, allowed are numbers", True),
    (lambda d: first(d, "checker")["options"][0].pop("play"), "options, number 0: play is None, allowed", True),
    (lambda d: first(d, "checker")["options"][0].update(play="zz"), "options, number 0: play 'zz'", False),
    (lambda d: first(d, "checker")["options"][0].update(shares=[1, 2]), "shares is [1, 2], allowed are lists", True),
    (lambda d: first(d, "checker")["options"][0].update(depth=-3), "options, number 0: depth is -3", True),
    (lambda d: first(d, "checker")["options"][0].update(mwc=1), "field 'mwc', allowed are play, equity", True),
    (lambda d: first(d, "double").update(options=[{"play": "hf"}]), "options is 1, allowed are none", False),
    (lambda d: first(d, "double").update(played="take"), "played is take, allowed are no_double, double", False),
    (lambda d: first(d, "double").update(equities=[1, 2]), "equities is [1, 2], allowed are lists of 3 numbers", True),
    (lambda d: first(d, "double").update(depth=0.5), "depth is 0.5, allowed are whole numbers from 0", True),
]  # fmt: skip


@pytest.mark.parametrize(
    ("change", "message", "by_schema"), BAD_ROWS, ids=[f"{number}" for number in range(len(BAD_ROWS))]
)
def test_bad_rows(change, message, by_schema):
    document = rows_document()
    change(document)
    with pytest.raises(RecordError) as caught:
        read_record_bytes(json.dumps(document).encode(), "x.json")
    assert str(caught.value).startswith("x.json")
    assert message in str(caught.value)
    if by_schema:
        refused_by_schema(document)


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"{", "no JSON"), (b"[1]", "not an object but a list"), (b'{"a": NaN}', "no JSON: NaN is no number"),
     (b"[" * 100_000, "no JSON"), (b'{"a": "\xff"}', "no JSON")],
    ids=["cut", "list", "nan", "deep", "bytes"],
)  # fmt: skip
def test_no_json(content, message):
    with pytest.raises(RecordError, match=f"x: {message}"):
        read_record_bytes(content, "x")


# Writing


def test_bad_libraries_are_not_written(tmp_path):
    library = record_world(1)
    with pytest.raises(ValueError, match=r"suffix '.txt', allowed are .json, .csv, .json.gz, .csv.gz"):
        write_records(library, tmp_path / "a.txt")
    twice = replace(library, matches=(library.matches[0], *library.matches[:2]))
    with pytest.raises(ValueError, match="two matches with the key 'key 0'"):
        write_records(twice, tmp_path / "a.json")
    luck = np.where(library.decisions.kind == Kind.DOUBLE, 0.1, library.decisions.luck)
    bad = replace(library, decisions=replace(library.decisions, luck=luck))
    with pytest.raises(
        ValueError, match=r"a.csv, decision \d+: luck is 0.1, allowed are empty in a cube decision"
    ):
        write_records(bad, tmp_path / "a.csv")
    turned = replace(library.decisions, match=library.decisions.match[::-1].copy())
    with pytest.raises(ValueError, match="do not stand match after match"):
        write_records(replace(library, decisions=turned), tmp_path / "a.csv")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("fewest", [1, 2, 3])
def test_thinning(fewest):
    library = noisy(record_world(6, turns=40), 1)
    decisions, less = library.decisions, thinned(library, Thinning(window=0.5, fewest=fewest)).decisions
    assert not less.line.any()
    for row in range(len(decisions)):
        part, rest = decisions.options_of(row), less.options_of(row)
        equity, depth = decisions.options.equity[part], decisions.options.depth[part]
        known = ~np.isnan(equity)
        deepest = depth[known].max() if known.any() else 0
        top = max(equity[known & (depth == deepest)], default=np.nan)
        played = decisions.played[row] if decisions.kind[row] == Kind.CHECKER else UNKNOWN
        ranked = sorted(np.flatnonzero(known), key=lambda k: (-depth[k], -equity[k]))[:fewest]
        kept = [k for k in range(len(equity)) if k == played or k in ranked or not top - equity[k] > 0.5]
        np.testing.assert_array_equal(less.options.board[rest], decisions.options.board[part][kept])
        np.testing.assert_allclose(less.options.equity[rest], equity[kept], atol=5.1e-5)
        if played != UNKNOWN:
            assert kept[less.played[row]] == played
        told = np.flatnonzero(~np.isnan(less.options.shares[rest][:, 0]))
        assert all(kept[place] == played or equity[kept[place]] == top for place in told)
    np.testing.assert_array_equal(
        less.played[decisions.kind != Kind.CHECKER], decisions.played[decisions.kind != Kind.CHECKER]
    )


def test_thin_files_are_small_and_whole(tmp_path):
    library = noisy(record_world(8, matches=20, turns=60), 2)
    whole = write_records(library, tmp_path / "whole.json.gz")
    thin = write_records(library, tmp_path / "thin.json.gz", thin=Thinning())
    assert thin.stat().st_size < 0.5 * whole.stat().st_size
    same(read_records(thin), thinned(library))


def test_large_files_are_not_opened(tmp_path):
    path = Path(tmp_path, "large.csv")
    with open(path, "wb") as file:
        file.truncate(record_files.MOST_BYTES + (1 << 20))  # sparse
    with pytest.raises(RecordError, match="1025 MB, allowed are 1024"):
        read_records(path)
