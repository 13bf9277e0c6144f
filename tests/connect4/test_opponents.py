"""The nine opponents against BitBully itself: the same moves from the same lots, whatever was searched before."""

import random
import runpy
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

bitbully = pytest.importorskip("bitbully")

from bitbully.agent_interface import Connect4Agent  # noqa: E402

from ludometrics.connect4 import opponents  # noqa: E402
from ludometrics.connect4.opponents import (  # noqa: E402
    OPPONENTS,
    Engine,
    Engines,
    Opponent,
    check_opponent,
    error_columns,
)

Board = bitbully.Board
SEARCHING = [name for name in OPPONENTS if name != "random"]
LINE = "334425411"


@pytest.fixture(scope="module")
def engines() -> Engines:
    return Engines()


@st.composite
def positions(draw: st.DrawFn) -> object:
    """Boards in play, by any moves."""
    board = Board()
    for choice in draw(st.lists(st.integers(0, 6), max_size=41)):
        if board.is_legal_move(choice) and not board.play_on_copy(choice).is_game_over():
            board.play(choice)
    return board


def after(moves: str) -> tuple[int, int, int]:
    return Board(moves).native.rawState()


def fresh(name: str, moves: str) -> dict[int, int]:
    """Scores of an engine that has searched nothing before."""
    strength = OPPONENTS[name]
    return bitbully.BitBully(strength.book, max_depth=strength.depth).score_all_moves(Board(moves))


def test_there_are_nine():
    assert {name: tuple(strength) for name, strength in OPPONENTS.items()} == {
        "random": (0, None),
        "depth 1": (1, None),
        "depth 2": (2, None),
        "depth 4": (4, None),
        "depth 8": (8, None),
        "depth 8 book 8": (8, "8-ply"),
        "depth 10 book 8": (10, "8-ply"),
        "depth 16 book 12": (16, "12-ply-dist"),
        "perfect": (-1, "12-ply-dist"),
    }


def test_the_perfect_player_knows_the_seven_first_moves(engines):
    scores = Opponent("perfect", engines=engines).scores(*after(""))
    assert scores == {0: -2, 1: -1, 2: 0, 3: 1, 4: 0, 5: -1, 6: -2}
    assert next(iter(scores)) == 3


@pytest.mark.parametrize("name", SEARCHING)
def test_moves_are_bitbullys_own_with_ties_broken_at_random(name, engines):
    strength, opponent = OPPONENTS[name], Opponent(name, seed=7, engines=engines)
    judge = bitbully.BitBully(
        strength.book, max_depth=strength.depth, tie_break="random", rng=random.Random(7)
    )
    for moves in ("", "33", "333333", "01234560", LINE, "33442541153310"):
        judge.reset_transposition_table()  # asked a second time, BitBully may score a position otherwise
        assert opponent.best_move(Board(moves)) == judge.best_move(Board(moves))


def test_equal_moves_are_drawn_from_bitbullys_list(engines):
    opponent, rng = Opponent("perfect", seed=7, engines=engines), random.Random(7)
    assert fresh("perfect", "333333") == {2: 1, 4: 1, 1: 0, 5: 0, 0: -1, 6: -1}
    found = [opponent.column(*after("333333")) for _ in range(50)]
    assert found == [rng.choice([2, 4]) for _ in range(50)]
    assert opponent.score_all_moves(Board("333333")) == fresh("perfect", "333333")
    assert opponent.score_move(Board("333333"), 5) == 0
    with pytest.raises(ValueError, match="column 3 is full or not on the board"):
        opponent.score_move(Board("333333"), 3)


@pytest.mark.parametrize(
    ("name", "later", "earlier"),
    # A search of the later position leaves deeper entries behind, and BitBully's scores of the earlier one change.
    [
        ("depth 2", "3530064", "3530"),
        ("depth 2", "55365", "55"),
        ("depth 4", "60422", "6042"),
        ("depth 4", "2024053", "202405"),
    ],
)
def test_scores_do_not_depend_on_what_was_searched_before(name, later, earlier):
    depth = OPPONENTS[name].depth
    engine = Engine()
    for moves in (later, earlier, later):
        assert engine.scores(depth, *after(moves)) == fresh(name, moves)
    assert (engine.searches, engine.clearings) == (2, 2)


def test_a_game_played_on_needs_one_clearing_and_no_other_depth_leaks_in():
    engine = Engine()
    for depth, name in ((4, "depth 4"), (2, "depth 2")):
        for plies in range(0, len(LINE), 2):
            assert engine.scores(depth, *after(LINE[:plies])) == fresh(name, LINE[:plies])
    assert (engine.searches, engine.clearings) == (10, 2)


def test_exact_scores_need_no_clearing(engines):
    engine = engines.get("12-ply-dist")
    before = engine.clearings
    for plies in (14, 13, 12):
        moves = "33442541153310"[:plies]
        assert engine.scores(-1, *after(moves)) == fresh("perfect", moves)
    assert engine.clearings == before


def test_what_is_kept_is_bounded(monkeypatch):
    monkeypatch.setattr("ludometrics.connect4.opponents.MOST_KEPT", 2)
    engine = Engine()
    for moves in ("", "3", "33", "333"):
        engine.scores(1, *after(moves))
    assert len(engine._kept) == 2
    assert engine.scores(1, *after("")) == fresh("depth 1", "")


@settings(deadline=None, max_examples=200)
@given(positions())
def test_an_error_never_lets_the_other_side_win_unless_it_has_to(board):
    tokens, active, _ = board.native.rawState()
    safe = [
        column
        for column in board.legal_moves()
        if board.play_on_copy(column).has_win() or not board.play_on_copy(column).can_win_next()
    ]
    assert error_columns(tokens, active) == (safe or board.legal_moves())
    if not any(board.can_win_next(column) for column in board.legal_moves()):
        assert set(safe) == set(board.legal_moves(non_losing=True))


@pytest.mark.parametrize(
    ("moves", "columns"),
    [
        ("", [0, 1, 2, 3, 4, 5, 6]),
        ("06162", [3]),  # Yellow's three at the bottom are to be stopped
        ("1012062", [0, 1, 2, 4, 5, 6]),  # column 3 would give Yellow the second row
        ("010101", [0, 1]),  # win, or stop the other side
        ("16263", [0, 1, 2, 3, 4, 5, 6]),  # a bottom row open at both ends cannot be stopped: any move
    ],
)
def test_errors_by_hand(moves, columns):
    assert error_columns(*after(moves)[:2]) == columns


def test_errors_come_at_their_rate_from_the_games_own_lots(engines):
    opponent, rng = Opponent("perfect", 0.25, seed=11, engines=engines), random.Random(11)
    found = [opponent.column(*after("")) for _ in range(4000)]
    wanted = [rng.choice(range(7)) if rng.random() < 0.25 else 3 for _ in range(4000)]
    assert found == wanted
    # 25 % err, and six of seven errors show: 857 expected, standard deviation 26.
    assert 857 - 4 * 26 < sum(column != 3 for column in found) < 857 + 4 * 26


def test_a_restart_repeats_the_game_and_no_global_generator_is_touched():
    state = random.getstate()
    opponent = Opponent("random", seed=5)
    first = [opponent.column(*after("")) for _ in range(100)]
    opponent.restart(6)
    assert [opponent.column(*after("")) for _ in range(100)] != first
    opponent.restart(5)
    assert [opponent.column(*after("")) for _ in range(100)] == first
    assert set(first) == set(range(7))
    assert {opponent.column(*after("333333")) for _ in range(100)} == {0, 1, 2, 4, 5, 6}
    assert random.getstate() == state


def test_unknown_opponents_and_impossible_errors():
    with pytest.raises(ValueError, match=r"opponent 'depth 3' is not known: one of 'random', 'depth 1'"):
        Opponent("depth 3")
    for error in (-0.1, 1.5, float("nan")):
        with pytest.raises(ValueError, match="a probability from 0 to 1 is wanted"):
            check_opponent("perfect", error)
    full = Board("356454044355213214236342036665225610001110")
    for name, error in (("random", 0.0), ("depth 1", 0.0), ("depth 1", 1.0)):
        with pytest.raises(ValueError, match="the board is full"):
            Opponent(name, error).best_move(full)


def test_without_bitbully_the_message_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "bitbully", None)
    with pytest.raises(ImportError, match=r'pip install "ludometrics\[connect4\]"'):
        runpy.run_path(opponents.__file__)


def test_opponents_follow_bitbullys_protocol():
    assert isinstance(Opponent("random"), Connect4Agent)
