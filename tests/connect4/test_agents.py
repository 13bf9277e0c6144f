"""The network's player against its rule, on numbers by hand and on random positions; the random player."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludometrics.connect4 import agents
from ludometrics.connect4.agents import (
    FULL_SCORE,
    NetworkAgent,
    RandomAgent,
    best_columns,
    score_plain,
)
from ludometrics.connect4.board_batches import Positions
from ludometrics.connect4.network import ValueNetwork, new_network, values
from ludometrics.connect4.patterns import draw_patterns

CASES = json.loads((Path(__file__).parents[1] / "data" / "connect4" / "agent_scores.json").read_text("utf-8"))
CENTRE_FIRST = [3, 2, 4, 1, 5, 0, 6]


def played(moves: str) -> tuple[int, int, int]:
    """Play moves with sets of cells, without the library's rules."""
    sides, heights = [0, 0], [0] * 7
    for ply, digit in enumerate(moves):
        column = int(digit)
        sides[ply % 2] |= 1 << (9 * column + heights[column])
        heights[column] += 1
    return sides[0] | sides[1], sides[len(moves) % 2], 42 - len(moves)


def batch(*moves: str) -> Positions:
    return Positions(*np.array([played(one) for one in moves], dtype=np.int64).T)


class FakeBoard:
    """As much of a board of BitBully as an agent looks at."""

    def __init__(self, moves: str) -> None:
        self.native = self
        self.rawState = lambda: played(moves)


@pytest.fixture(scope="module")
def network() -> ValueNetwork:
    rng = np.random.default_rng(5)
    made = new_network(draw_patterns(12, 6, rng=rng))
    made.weights[...] = rng.normal(0, 0.2, made.weights.shape)
    return made


@st.composite
def games(draw: st.DrawFn) -> str:
    """Moves of a game that is not over."""
    moves, heights = "", [0] * 7
    for choice in draw(st.lists(st.integers(0, 6), max_size=41)):
        if heights[choice] == 6:
            continue
        tokens, active, left = played(moves)
        if score_plain(tokens, active, left, np.zeros(7))[choice] == 100:
            continue
        heights[choice] += 1
        moves += str(choice)
    return moves


@pytest.mark.parametrize("case", CASES, ids=[case["desc"][:40] for case in CASES])
def test_scores_by_hand(case, monkeypatch):
    told = np.array([[np.nan if value is None else value for value in case["values"]]], dtype=np.float32)
    monkeypatch.setattr(agents, "afterstate_values", lambda network, positions: told)
    agent, board = NetworkAgent(new_network(np.array([[0]]))), FakeBoard(case["moves"])
    wanted = {column: score for column, score in enumerate(case["scores"]) if score is not None}
    assert agent.score_all_moves(board) == wanted
    assert agent.best_move(board) == case["column"]
    assert agent.choose(batch(case["moves"])).tolist() == [case["column"]]
    assert [agent.score_move(board, column) for column in wanted] == list(wanted.values())


@settings(deadline=None)
@given(games(), st.lists(st.floats(-1, 1, width=32), min_size=7, max_size=7))
def test_the_compiled_loop_is_its_plain_twin(moves, told):
    told = np.array(told, dtype=np.float32)
    tokens, active, left = (part[None] for part in np.array(played(moves), dtype=np.int64))
    found = np.empty((1, 7), dtype=np.int16)
    agents._score_columns(tokens, active, left, told[None], found)
    assert found[0].tolist() == score_plain(*played(moves), told)


@given(st.lists(st.sampled_from([FULL_SCORE, -100, -1, 0, 1, 100]), min_size=7, max_size=7))
def test_ties_go_to_the_centre_then_to_the_left(scores):
    found = int(best_columns(np.array([scores]))[0])
    legal = [column for column in CENTRE_FIRST if scores[column] != FULL_SCORE]
    assert found == (max(legal, key=lambda column: scores[column]) if legal else -1)


def test_a_batch_is_its_boards_one_by_one(network):
    agent = NetworkAgent(network)
    moves = ["", "3", "001122", "06162", "333333", "1012062", "4455"]
    many = agent.choose(batch(*moves))
    assert many.dtype == np.int64
    assert many.tolist() == [agent.best_move(FakeBoard(one)) for one in moves]
    scores = agent.scores(batch(*moves))
    assert scores.shape == (7, 7)
    for row, one in zip(scores.tolist(), moves, strict=True):
        assert {c: s for c, s in enumerate(row) if s != FULL_SCORE} == agent.score_all_moves(FakeBoard(one))


def test_scores_as_bitbullys_own_board_gives_them(network):
    """The rule written down once more with BitBully's board and the network's value of each single position."""
    bitbully = pytest.importorskip("bitbully")
    protocol = pytest.importorskip("bitbully.agent_interface")
    agent, rng = NetworkAgent(network), np.random.default_rng(8)
    seen = set()
    for _ in range(60):
        board = bitbully.Board()
        while not board.is_game_over():
            wanted = {}
            for column in board.legal_moves():
                after = board.play_on_copy(column)
                value = values(network, Positions(*after.native.rawState()))[0].item()
                value = -value if board.current_player() == 2 else value
                if after.has_win():
                    wanted[column] = 100
                elif after.can_win_next():
                    wanted[column] = -100
                else:
                    wanted[column] = 0 if after.is_full() else int(100 * value)
            assert agent.score_all_moves(board) == wanted
            assert agent.best_move(board) == min(wanted, key=lambda c: (-wanted[c], abs(c - 3), c))
            seen |= set(wanted.values())
            board.play(int(rng.choice(list(wanted))))
    assert {100, -100} < seen
    assert isinstance(agent, protocol.Connect4Agent)


def test_a_network_that_knows_nothing_plays_the_centre():
    assert NetworkAgent(new_network(np.array([[0, 6]]))).best_move(FakeBoard("")) == 3


def test_bad_weights_and_full_boards_are_refused(network):
    broken = new_network(network.indexing.patterns)
    broken.weights[1, 3] = np.inf
    with pytest.raises(ValueError, match="weight 3 of side 1 is inf"):
        NetworkAgent(broken)
    full = CASES[-1]["moves"] + "0"
    with pytest.raises(ValueError, match="position 1 is a full board"):
        NetworkAgent(network).choose(batch("", full))
    with pytest.raises(ValueError, match="position 0: tokens 2"):
        NetworkAgent(network).choose(Positions(np.array([2]), np.array([0]), np.array([41])))
    with pytest.raises(ValueError, match="column 3 is full or not on the board"):
        NetworkAgent(network).score_move(FakeBoard("333333"), 3)
    with pytest.raises(ValueError, match="the board is full"):
        RandomAgent(np.random.default_rng(1)).best_move(FakeBoard(full))


def test_the_random_player_plays_each_legal_column_and_repeats_with_its_seed():
    before = np.random.get_state()[1].tolist()
    agent, board = RandomAgent(np.random.default_rng(3)), FakeBoard("333333")
    first = [agent.best_move(board) for _ in range(200)]
    assert set(first) == {0, 1, 2, 4, 5, 6}
    agent.restart(3)
    assert [agent.best_move(board) for _ in range(200)] == first
    agent.restart(4)
    assert [agent.best_move(board) for _ in range(200)] != first
    assert agent.score_all_moves(board) == dict.fromkeys([0, 1, 2, 4, 5, 6], 0)
    assert agent.score_move(board, 5) == 0
    assert np.random.get_state()[1].tolist() == before
