"""Positions, moves and drawings: by hand, against lists of cells, against BitBully, and by properties."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from board_twin import (
    ALL_POSITIONS,
    bit,
    bitbully_answers,
    bits,
    drawn_positions,
    grid_of,
    has_four,
    landing_cells,
    rows_of,
    safe_cells,
    winning_cells,
)
from ludometrics.connect4 import board
from ludometrics.connect4.board_batches import (
    FAULTS,
    Positions,
    contents,
    legal_moves,
    mirror_positions,
    non_losing_moves,
    play_moves,
    random_positions,
    winners,
    winning_moves,
)

DATA = Path(__file__).parents[1] / "data" / "connect4"
DRAWN = json.loads((DATA / "drawn_positions.json").read_text())
FULL = next(case["rows"] for case in DRAWN if case["desc"].startswith("a full board"))
# Sequences of moves from the empty board by their length, counted with BitBully's board class.
PERFT = [1, 7, 49, 343, 2401, 16807, 117649, 823536, 5673234, 39394572]
# Positions after so many tokens, games that were won before left out (OEIS A212693, Tromp).
DISTINCT = [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275, 558186]


@st.composite
def positions(draw):
    """Positions of games of any length; columns that cannot be played are passed over."""
    position = board.EMPTY
    for column in draw(st.lists(st.integers(0, 6), max_size=60)):
        if column in board.legal_columns(position):
            position = board.play(position, column)
    return position


def one(position) -> Positions:
    return Positions(*(np.array([number]) for number in position))


def squares(table: np.ndarray, landing: list[int]) -> list[int]:
    """Turn columns into their landing squares."""
    return [
        sum(square & 63 << 9 * column for column, held in enumerate(row) if held)
        for row, square in zip(table.tolist(), landing, strict=True)
    ]


@pytest.mark.parametrize("case", DRAWN, ids=[case["desc"] for case in DRAWN])
@pytest.mark.parametrize("mirrored", [False, True])
def test_drawn_positions(case, mirrored):
    position = board.from_drawing("\n".join(row[::-1] if mirrored else row for row in case["rows"]))

    def seen(columns):
        return tuple(sorted(6 - column for column in columns)) if mirrored else tuple(columns)

    assert board.winner(position) == case["winner"]
    assert board.legal_columns(position) == seen(case["legal"])
    assert board.winning_columns(position) == seen(case["winning"])
    assert board.non_losing_columns(position) == seen(case["non_losing"])
    assert board.is_over(position) == (not case["legal"])


def test_perft_to_depth_9():
    assert [board.perft(board.EMPTY, depth) for depth in range(10)] == PERFT


def test_perft_counts_what_playing_counts():
    def count(position, depth):
        if depth == 0:
            return 1
        return sum(count(board.play(position, column), depth - 1) for column in board.legal_columns(position))

    for moves in ("3333330004", "010101", "0101010", "22334405616"):
        for depth in range(4):
            assert board.perft(board.from_moves(moves), depth) == count(board.from_moves(moves), depth)


def test_perft_of_a_board_nearly_full():
    position = board.from_drawing("\n".join(["....R.Y", *FULL[1:]]))
    assert position.moves_left == 5
    assert board.perft(position, 6) == 0
    assert 0 < board.perft(position, 5) <= 120


def test_distinct_positions_to_9_plies():
    reached, counts = one(board.EMPTY), [1]
    for _ in range(9):
        rows, columns = np.nonzero(legal_moves(reached))
        after = play_moves(Positions(*(part[rows] for part in reached)), columns)
        # A position is its seven contents; as one number they are sorted faster.
        keys = contents(after) @ (1 << 8 * np.arange(7))
        _, first = np.unique(keys, return_index=True)
        reached = Positions(*(part[first] for part in after))
        counts.append(len(first))
    assert counts == DISTINCT


def test_one_at_a_time_is_by_brute_force():
    for numbers in rows_of(drawn_positions())[1500:2000]:
        position, grid = board.Position(*numbers), grid_of(*numbers)
        mover = -1 if position.moves_left % 2 else 1
        won = has_four(grid, -mover)
        landing = [] if won else landing_cells(grid)
        wins = [cell for cell in landing if cell in winning_cells(grid, mover)]
        safe = set() if won else {*safe_cells(grid, mover), *wins}
        assert board.winner(position) == (-mover if won else 0)
        assert board.is_over(position) == (not landing)
        assert board.legal_columns(position) == tuple(column for column, _ in landing)
        assert board.winning_columns(position) == tuple(column for column, _ in wins)
        assert board.non_losing_columns(position) == tuple(sorted(column for column, _ in safe))
        assert board.cells(position) == grid
        for column, row in landing:
            grid[row][column] = mover
            after = board.play(position, column)
            assert board.cells(after) == grid and after.moves_left == position.moves_left - 1
            assert board.winner(after) == (mover if (column, row) in wins else 0)
            grid[row][column] = 0


def test_batches_are_bitbullys_on_100_000_positions():
    pytest.importorskip("bitbully")
    drawn, wanted = drawn_positions(), bitbully_answers()
    assert len(drawn.tokens) == ALL_POSITIONS
    won = wanted.won
    # BitBully's boards play on after a win; and its non-losing moves leave out wins that answer no threat.
    legal = [0 if over else held for over, held in zip(won, wanted.legal, strict=True)]
    wins = [0 if over else held for over, held in zip(won, wanted.wins, strict=True)]
    safe = [0 if over else held | win for over, held, win in zip(won, wanted.non_losing, wins, strict=True)]
    assert squares(legal_moves(drawn), wanted.legal) == legal
    assert squares(winning_moves(drawn), wanted.legal) == wins
    assert squares(non_losing_moves(drawn), wanted.legal) == safe
    assert (winners(drawn) != 0).tolist() == won
    assert rows_of(mirror_positions(drawn)) == wanted.mirrored


def test_batches_are_the_same_as_one_at_a_time():
    drawn = Positions(*(part[:2000] for part in drawn_positions()))
    tables = {
        board.legal_columns: legal_moves(drawn),
        board.winning_columns: winning_moves(drawn),
        board.non_losing_columns: non_losing_moves(drawn),
    }
    reflected, sides, held = (
        rows_of(mirror_positions(drawn)),
        winners(drawn).tolist(),
        contents(drawn).tolist(),
    )
    for row, numbers in enumerate(rows_of(drawn)):
        position = board.Position(*numbers)
        for function, table in tables.items():
            assert function(position) == tuple(np.flatnonzero(table[row]).tolist())
        assert board.mirror(position) == reflected[row]
        assert board.winner(position) == sides[row]
        # A column's content by the cells: a one above the tokens, Yellow's tokens ones, Red's zeros.
        grid = board.cells(position)
        columns = [
            [grid[height][column] for height in range(6) if grid[height][column]] for column in range(7)
        ]
        assert held[row] == [
            int("1" + "".join("1" if side == 1 else "0" for side in reversed(column)), 2)
            for column in columns
        ]


def test_games_are_bitbullys_token_by_token():
    core = pytest.importorskip("bitbully.bitbully_core")
    games, rng = 500, np.random.default_rng(5)
    boards = [core.BoardCore() for _ in range(games)]
    reached = Positions(np.zeros(games, np.int64), np.zeros(games, np.int64), np.full(games, 42))
    compared = 0
    while boards:
        legal = legal_moves(reached)
        running = np.flatnonzero(legal.any(axis=1))
        boards = [boards[row] for row in running]
        reached = Positions(*(part[running] for part in reached))
        columns = np.where(legal[running], rng.random((len(running), 7)), -1).argmax(axis=1)
        reached = play_moves(reached, columns)
        for each, column in zip(boards, columns.tolist(), strict=True):
            assert each.play(column)
        assert [each.rawState() for each in boards] == rows_of(reached)
        compared += len(boards)
    assert compared > 8_000


def test_boards_of_bitbully_and_back():
    bitbully = pytest.importorskip("bitbully")
    for moves in ("", "3", "3342", "0102030", "22334405616"):
        position, theirs = board.from_moves(moves), bitbully.Board(moves)
        assert theirs.native.rawState() == position
        assert board.to_bitbully(position) == theirs
        assert board.from_bitbully(theirs) == board.from_bitbully(theirs.native) == position
        assert isinstance(board.from_bitbully(theirs), board.Position)
    theirs = bitbully.Board("0102030")
    assert theirs.play(6)
    with pytest.raises(ValueError, match="game ended earlier"):
        board.from_bitbully(theirs)
    with pytest.raises(ValueError, match="no board of BitBully"):
        board.from_bitbully("3342")
    with pytest.raises(ValueError, match="above an empty cell"):
        board.to_bitbully((2, 0, 41))


def test_without_bitbully_it_is_said_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "bitbully", None)
    with pytest.raises(ImportError, match=r'pip install "ludometrics\[connect4\]"'):
        board.to_bitbully(board.EMPTY)


@given(positions())
@settings(deadline=None)
def test_drawing_and_reading_it_give_the_position(position):
    text = board.draw(position)
    assert board.from_drawing(text) == position
    assert board.from_drawing(text.replace(" ", "").removesuffix("\n0123456")) == position
    assert [len(line) for line in text.splitlines()] == [13] * 7


@given(positions())
@settings(deadline=None)
def test_mirrored_positions(position):
    mirrored = board.mirror(position)
    assert board.mirror(mirrored) == position
    assert board.winner(mirrored) == board.winner(position)
    assert board.perft(mirrored, 3) == board.perft(position, 3)
    for function in (board.legal_columns, board.winning_columns, board.non_losing_columns):
        assert function(mirrored) == tuple(6 - column for column in reversed(function(position)))
    assert contents(one(mirrored)).tolist() == contents(one(position))[:, ::-1].tolist()
    for column in board.legal_columns(position):
        assert board.play(mirrored, 6 - column) == board.mirror(board.play(position, column))


@given(st.lists(st.integers(0, 6), max_size=12))
@settings(deadline=None)
def test_moves_as_text_and_as_numbers(columns):
    try:
        position = board.from_moves(columns)
    except ValueError as error:
        with pytest.raises(ValueError, match=str(error).partition(" of ")[0]):
            board.from_moves("".join(map(str, columns)))
        return
    assert (
        board.from_moves("".join(map(str, columns))) == board.from_moves(np.array(columns, int)) == position
    )
    assert position.moves_left == 42 - len(columns)


def test_a_drawing_worked_out_by_hand():
    assert board.draw(board.from_moves("33420")) == "\n".join(
        [
            ". . . . . . .",
            ". . . . . . .",
            ". . . . . . .",
            ". . . . . . .",
            ". . . R . . .",
            "Y . R Y Y . .",
            "0 1 2 3 4 5 6",
        ]
    )


@pytest.mark.parametrize(
    ("moves", "column", "message"),
    [
        ("333333", 3, "column 3 is full: 0, 1, 2, 4, 5, 6 can be played"),
        ("3", 7, "column 7 is not on the board: allowed are 0 to 6"),
        ("3", -1, "column -1 is not on the board"),
        ("3", 2.0, r"column 2\.0 is no whole number"),
        ("3", "2", "column '2' is no whole number"),
        ("3", True, "column True is no whole number"),
        ("0102030", 6, "the game is over: Yellow has won"),
        ("61625354", 3, "the game is over: Red has won"),
    ],
)
def test_moves_that_cannot_be_played(moves, column, message):
    with pytest.raises(ValueError, match=message):
        board.play(board.from_moves(moves), column)


def test_a_full_board_takes_no_move():
    full = board.from_drawing("\n".join(FULL))
    with pytest.raises(ValueError, match="the board is full, a draw"):
        board.play(full, 0)


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        ("3333333", "move 7 of '3333333': column 3 is full"),
        ("337", "move 3 of '337': column '7' is no whole number"),
        ("3 3", "move 2 of '3 3': column ' '"),
        ("3²", "move 2 of '3²': column '²'"),
        (["3", "01"], "move 2 of .*: column '01'"),
        ([3, 7], "move 2 of .*: column 7 is not on the board"),
        ("01020306", "move 8 of '01020306': the game is over: Yellow has won"),
    ],
)
def test_games_that_cannot_be(moves, message):
    with pytest.raises(ValueError, match=message):
        board.from_moves(moves)


EMPTY_ROW = "......."
# Row 0 holds Yellow's four, covered by Red's tokens; Yellow's one token on top is not of the four.
COVERED = ["..R....", "RRYR...", "YYYY.RY"]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (
            ["...Y...", "......."],
            r"row 1 \(from the bottom, 0 to 5\), column 3: 'Y' stands above an empty cell",
        ),
        (
            ["..x...."],
            r"row 0 \(from the bottom, 0 to 5\), column 2: 'x' is no cell: allowed are Y, R and \.",
        ),
        (["..y...."], "column 2: 'y' is no cell"),
        (["YY....."], "2 tokens are Yellow's and 0 Red's: Yellow moves first"),
        (["R......"], "0 tokens are Yellow's and 1 Red's"),
        (["Y....."], "row 0 .*, 'Y.....', has 6 cells, not 7"),
        (["RRR....", "YYYYR.."], "the side to move has four in a row: its game ended earlier"),
        (COVERED, "was there before its last token"),
    ],
)
def test_drawings_that_cannot_be(rows, message):
    with pytest.raises(ValueError, match=message):
        board.from_drawing("\n".join([EMPTY_ROW] * (6 - len(rows)) + rows))


@pytest.mark.parametrize("rows", [0, 5, 7])
def test_drawings_of_another_height(rows):
    with pytest.raises(ValueError, match=f"the drawing has {rows} rows: a board has 6"):
        board.from_drawing("\n".join([EMPTY_ROW] * rows))


YELLOW_FOUR = bits((column, 0) for column in range(4))
FAULTY = [
    (1, (1 << 6, 0, 41)),
    (1, (-(1 << 63), 0, 41)),
    (2, (1, 2, 41)),
    (3, (2, 0, 41)),
    (4, (1, 0, 42)),
    (5, (3, 3, 40)),
    (5, (3, 0, 40)),
    (5, (1, 1, 41)),
    (6, (YELLOW_FOUR | YELLOW_FOUR << 1, YELLOW_FOUR, 34)),
    (7, (YELLOW_FOUR | YELLOW_FOUR << 1 | bit(2, 2), bits([(0, 1), (1, 1), (2, 2), (3, 1)]), 33)),
]


@pytest.mark.parametrize(("fault", "numbers"), FAULTY)
def test_numbers_that_are_no_position(fault, numbers):
    with pytest.raises(ValueError, match=f"tokens {numbers[0]}, active .* are no position: ") as caught:
        board.play(numbers, 6)
    assert str(caught.value).endswith(FAULTS[fault])
    batch = Positions(*(np.array([good, bad]) for good, bad in zip(board.EMPTY, numbers, strict=True)))
    for function in (contents, legal_moves, winning_moves, non_losing_moves, winners, mirror_positions):
        with pytest.raises(
            ValueError, match=f"position 1: tokens {numbers[0]}, .* are no position: "
        ) as caught:
            function(batch)
        assert str(caught.value).endswith(FAULTS[fault])


@pytest.mark.parametrize("numbers", [(0, 0), (0, 0, 42, 0), ("0", 0, 42), (0.0, 0, 42), 3, (1 << 70, 0, 41)])
def test_other_than_three_whole_numbers(numbers):
    with pytest.raises(ValueError, match="is no position: wanted are three whole numbers"):
        board.legal_columns(numbers)


@pytest.mark.parametrize("depth", [-1, 43, 2.0, True, "3"])
def test_depths_that_cannot_be(depth):
    with pytest.raises(ValueError, match="allowed are 0 to 42 moves"):
        board.perft(board.EMPTY, depth)


def test_batches_refuse_what_cannot_be_played():
    start = one(board.EMPTY)
    two = Positions(*(np.repeat(part, 2) for part in start))
    for columns, message in [
        ([3, 7], "position 1: column 7 is not on the board"),
        ([-1, 3], "position 0: column -1 is not on the board"),
        ([3], r"columns have shape \(1,\)"),
        ([3.0, 3.0], "type float64"),
    ]:
        with pytest.raises(ValueError, match=message):
            play_moves(two, np.array(columns))
    for moves, message in [
        ("333333", "position 1: column 3 is full"),
        ("0102030", "position 1: the game is over"),
    ]:
        pair = Positions(*(np.array(part) for part in zip(board.EMPTY, board.from_moves(moves), strict=True)))
        with pytest.raises(ValueError, match=message):
            play_moves(pair, np.array([3, 3]))
    with pytest.raises(ValueError, match=r"active has shape \(2,\)"):
        contents(start._replace(active=np.zeros(2, np.int64)))
    with pytest.raises(ValueError, match=r"moves_left has shape .* and type float64"):
        contents(start._replace(moves_left=np.array([42.0])))


def test_one_position_alone_is_a_batch_of_one():
    assert contents(board.from_moves("33")).tolist() == [[1, 1, 1, 5, 1, 1, 1]]


def test_no_positions_at_all():
    none = random_positions(0, rng=np.random.default_rng(1))
    assert contents(none).shape == legal_moves(none).shape == (0, 7)
    assert winners(none).shape == mirror_positions(none).tokens.shape == (0,)


def test_random_positions_repeat_and_leave_the_global_generator_alone():
    before = np.random.get_state()[1].tolist()
    first, again, other = (random_positions(300, rng=np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert rows_of(first) == rows_of(again) != rows_of(other)
    assert np.random.get_state()[1].tolist() == before


@pytest.mark.parametrize("plies", [(0, 0), (7, 9), (41, 42)])
def test_random_positions_have_the_plies_asked_for(plies):
    drawn = random_positions(400, rng=np.random.default_rng(3), plies=plies)
    assert set((42 - drawn.moves_left).tolist()) == set(range(plies[0], plies[1] + 1))
    winners(drawn)  # refuses what is no position, games that went on after a win among them


def test_random_positions_are_as_likely_as_random_games_make_them():
    # Two tokens: 7 upright pairs and 42 others, each with probability 1/49; chi-square, 48 degrees of freedom.
    drawn = random_positions(49_000, rng=np.random.default_rng(4), plies=(2, 2))
    _, counts = np.unique(contents(drawn), axis=0, return_counts=True)
    assert len(counts) == 49
    assert ((counts - 1000) ** 2 / 1000).sum() < 85  # p = 0.001 lies at 84


@pytest.mark.parametrize(
    ("n", "plies", "message"),
    [(-1, (0, 42), "n is -1"), (1, (3, 2), "plies are 3 to 2"), (1, (0, 43), "plies are 0 to 43")],
)
def test_random_positions_that_cannot_be_drawn(n, plies, message):
    with pytest.raises(ValueError, match=message):
        random_positions(n, rng=np.random.default_rng(1), plies=plies)
