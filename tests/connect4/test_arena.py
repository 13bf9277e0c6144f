"""Games that can be repeated, sides that forfeit, and what is counted."""

import time

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("bitbully")

from ludometrics.connect4 import arena_games
from ludometrics.connect4.agents import NetworkAgent, RandomAgent
from ludometrics.connect4.arena import (
    GAME_COLUMNS,
    QUICK_PAIRINGS,
    TABLE_COLUMNS,
    Pairing,
    Workers,
    pairings,
    play_games,
    record_games,
    summarise,
)
from ludometrics.connect4.arena_games import Limits, Mover, game_seeds, play_game
from ludometrics.connect4.network import ValueNetwork, new_network
from ludometrics.connect4.opponents import Opponent
from ludometrics.connect4.patterns import draw_patterns

FIRST, SECOND = Pairing("random", "first"), Pairing("random", "second")
CLOCKS = ["own_s", "opponent_s"]  # the two columns that differ from one evaluation to the next
SOME = [
    Pairing("depth 2", "second"),
    Pairing("random", "first"),
    Pairing("depth 4", "first"),
    Pairing("depth 8 book 8", "second", 0.2),
    Pairing("depth 1", "first", 0.1),
]
#: 41 tokens without a four; column 0 fills the board.
DRAWN = "356454044355213214236342036665225610001110"


class Scripted:
    """Plays, as an agent or as an opponent, what it was told: columns, or exceptions to raise."""

    def __init__(self, *moves: object) -> None:
        self.moves = moves
        self.restart(0)

    def restart(self, seed: int) -> None:
        self.left = list(self.moves)

    def column(self, *state: int) -> object:
        move = self.left.pop(0)
        if isinstance(move, Exception):
            raise move
        return move

    def best_move(self, board: object) -> object:
        return self.column()


class Unsendable(Scripted):
    """An agent that another process cannot unpack."""

    def __reduce__(self):
        return int, ("no number",)


class Ticks:
    """A clock: between a look before a move and the look after it, the seconds told for the side whose turn it is."""

    def __init__(self, own: float, other: float) -> None:
        self.steps, self.now, self.looks = (own, other), 0.0, 0

    def __call__(self) -> float:
        if self.looks % 2:
            self.now += self.steps[self.looks // 2 % 2]
        self.looks += 1
        return self.now


@pytest.fixture(scope="module")
def network() -> ValueNetwork:
    rng = np.random.default_rng(5)
    made = new_network(draw_patterns(12, 6, rng=rng))
    made.weights[...] = rng.normal(0, 0.2, made.weights.shape)
    return made


@pytest.fixture(scope="module")
def whole(network) -> pd.DataFrame:
    """Three games of each of some pairings, played in this process."""
    return record_games(network, SOME, 3, seed=4)


def scripted(pairing, own, other, **more):
    if "clock" in more:
        more["opponent_clock"] = more["clock"]
    return play_game(Mover(Scripted(*own)), Scripted(*other), pairing, 0, seed=1, **more)


def same(left: pd.DataFrame, right: pd.DataFrame) -> None:
    pd.testing.assert_frame_equal(
        left.drop(columns=CLOCKS).reset_index(drop=True), right.drop(columns=CLOCKS).reset_index(drop=True)
    )


def test_the_24_pairings():
    found = pairings()
    assert len(set(found)) == len({one.number for one in found}) == 24
    assert [(one.opponent, one.error, one.side) for one in found][:3] == [
        ("random", 0.0, "first"),
        ("random", 0.0, "second"),
        ("depth 1", 0.0, "first"),
    ]
    assert [(one.error, one.side) for one in found if one.opponent == "perfect"] == [
        (error, side) for error in (0.0, 0.1, 0.2, 0.3) for side in ("first", "second")
    ]
    assert sum(one.opponent != "random" for one in found) == 22
    assert set(QUICK_PAIRINGS) < set(found)


def test_pairings_that_are_none():
    with pytest.raises(ValueError, match="opponent 'deep blue' is not known"):
        Pairing("deep blue", "first")
    with pytest.raises(ValueError, match="side is 'third': the agent plays 'first' or 'second'"):
        Pairing("perfect", "third")
    with pytest.raises(ValueError, match=r"error is 1\.1, a probability"):
        Pairing("perfect", "first", 1.1)


def test_seeds_follow_from_seed_pairing_and_game():
    pairing = Pairing("perfect", "second", 0.1)
    assert pairing.number == 17 * 1_000_001 + 100_000  # the ninth opponent's second side, 0.1 in millionths
    sequence = np.random.SeedSequence(3, spawn_key=(17_100_017, 5))
    assert game_seeds(3, pairing, 5) == tuple(
        int(word) // 2 for word in sequence.generate_state(2, np.uint64)
    )
    many = [game_seeds(seed, one, game) for seed in (0, 1) for one in pairings() for game in range(50)]
    assert len({number for pair in many for number in pair}) == 2 * 2400


def test_the_same_seed_gives_the_same_games_in_any_order_and_of_any_part(network, whole):
    for one in SOME:
        alone = record_games(network, [one], 1, seed=4)
        same(alone, whole[(whole.opponent == one.opponent) & (whole.game < 1)])
    turned = record_games(network, SOME[::-1], 3, seed=4)
    assert turned.opponent.drop_duplicates().tolist() == [one.opponent for one in SOME[::-1]]
    same(turned.sort_values(["opponent", "game"]), whole.sort_values(["opponent", "game"]))
    assert record_games(network, [FIRST], 3, seed=5).moves.tolist() != whole.moves[3:6].tolist()


def test_one_or_two_processes_play_the_same_games(network, whole, monkeypatch):
    monkeypatch.setattr("ludometrics.connect4.arena._TOGETHER", 1)
    with Workers(2) as workers:
        same(record_games(network, SOME, 3, seed=4, workers=workers), whole)
        again = play_games(network, SOME[:2], 2, seed=4, workers=workers)
        pd.testing.assert_frame_equal(again, play_games(network, SOME[:2], 2, seed=4))
        with pytest.raises(RuntimeError, match=r"a worker of the arena failed:(.|\n)*no number"):
            record_games(Unsendable(), SOME, 1, seed=4, workers=workers)
        with pytest.raises(RuntimeError, match="these workers are closed"):
            record_games(network, SOME, 1, seed=4, workers=workers)
    with Workers(1) as workers:
        workers._processes[0].terminate()
        with pytest.raises(RuntimeError, match="ended before its work was done"):
            record_games(network, SOME, 1, seed=4, workers=workers)


def test_a_game_is_legal_and_ends_where_it_says(whole):
    from bitbully import Board

    assert whole.columns.tolist() == GAME_COLUMNS
    for row in whole.itertuples():
        before, board = Board(row.moves[:-1]), Board(row.moves)
        assert not before.is_game_over() and board.is_game_over()
        yellow = {1: 1.0, 2: 0.0, None: 0.5}[board.winner()]
        assert row.result == (yellow if row.side == "first" else 1 - yellow)
        assert row.reason == ("board full" if row.result == 0.5 else "four in a row")
        assert row.own_s > 0 and row.opponent_s > 0


def test_any_agent_of_bitbullys_protocol_plays(network, whole):
    class OnlyBestMove:
        def best_move(self, board):
            column = NetworkAgent(network).best_move(board)
            board.play(column)  # its board is its own
            return column

    same(record_games(OnlyBestMove(), SOME[:2], 3, seed=4), whole[:6])
    with pytest.raises(ValueError, match="an agent of type int has neither `choose` nor `best_move`"):
        play_games(3, [FIRST], 1, seed=1)


def test_agents_that_draw_lots_repeat_as_well():
    agent = RandomAgent(np.random.default_rng())
    first = record_games(agent, [FIRST, SECOND], 3, seed=2)
    same(record_games(agent, [SECOND], 3, seed=2), first[3:])
    assert first.moves.nunique() == 6
    strong = record_games(Opponent("depth 4"), [FIRST], 4, seed=2)
    assert strong.result.tolist() == [1.0] * 4


@pytest.mark.parametrize(
    ("pairing", "own", "other", "result", "moves"),
    [
        (FIRST, [3, 3, 3, 3], [4, 4, 4], 1.0, "3434343"),
        (FIRST, [0, 0, 1, 6], [4, 4, 4, 4], 0.0, "04041464"),
        (SECOND, [4, 4, 4, 4], [0, 0, 1, 6], 1.0, "04041464"),
        (SECOND, [4, 4, 4], [3, 3, 3, 3], 0.0, "3434343"),
    ],
)
def test_a_four_wins_for_the_side_that_made_it(pairing, own, other, result, moves):
    record = scripted(pairing, own, other)
    assert (record.result, record.moves, record.reason) == (result, moves, "four in a row")


@pytest.mark.parametrize("pairing", [FIRST, SECOND])
def test_a_full_board_is_a_draw(pairing):
    moves = [int(digit) for digit in DRAWN]
    own, other = (moves[::2], moves[1::2]) if pairing is FIRST else (moves[1::2], moves[::2])
    record = scripted(pairing, own, other)
    assert (record.result, record.moves, record.reason) == (0.5, DRAWN, "board full")


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        (7, "illegal move: column 7 is not on the board"),
        (-1, "illegal move: column -1 is not on the board"),
        (3, "illegal move: column 3 is full"),
        (None, "illegal move: None is no column"),
        (2.0, "illegal move: 2.0 is no column"),
        (ZeroDivisionError("one\nby none"), "ZeroDivisionError: one by none"),
    ],
)
def test_illegal_moves_and_exceptions_lose(move, reason):
    record = scripted(FIRST, [3, 3, 3, move], [3, 3, 3])
    assert (record.result, record.moves, record.reason) == (0.0, "333333", f"agent: {reason}")
    record = scripted(SECOND, [3, 3, 3], [3, 3, 3, move])
    assert (record.result, record.moves, record.reason) == (1.0, "333333", f"opponent: {reason}")


def test_more_than_four_seconds_for_a_move_lose():
    assert Limits() == (4.0, 45.0)
    plays = ([3, 3, 3, 3], [4, 4, 4, 4])
    assert scripted(FIRST, *plays, clock=Ticks(4.0, 4.0)).reason == "four in a row"
    slow = scripted(FIRST, *plays, clock=Ticks(4.25, 1.0))
    assert (slow.result, slow.moves) == (0.0, "")
    assert slow.reason == "agent: time: 4.25 s for a move, 4 s are allowed"
    slow = scripted(FIRST, *plays, clock=Ticks(1.0, 4.25))
    assert (slow.result, slow.moves) == (1.0, "3")
    assert slow.reason == "opponent: time: 4.25 s for a move, 4 s are allowed"
    # It counts after the move: even the one that would have won.
    slow = scripted(FIRST, *plays, clock=Ticks(4.0, 4.0), limits=Limits(4.0, 15.5))
    assert (slow.result, slow.moves) == (0.0, "343434")
    assert slow.reason == "agent: time: 16.00 s for a game, 15.5 s are allowed"
    assert (slow.own_s, slow.opponent_s) == (16.0, 12.0)


def test_more_than_45_seconds_for_a_game_lose():
    moves = [int(digit) for digit in DRAWN]
    # 12 moves of 3.75 s are 45 s, the thirteenth is too much; each side has a clock of its own.
    record = scripted(FIRST, moves[::2], moves[1::2], clock=Ticks(3.75, 3.5))
    assert (record.result, record.moves) == (0.0, DRAWN[:24])
    assert record.reason == "agent: time: 48.75 s for a game, 45 s are allowed"
    record = scripted(FIRST, moves[::2], moves[1::2], clock=Ticks(2.0, 2.125))
    assert (record.result, record.reason) == (0.5, "board full")


def test_a_slow_agent_loses_by_the_clock_of_the_machine_and_is_counted(monkeypatch):
    class Slow:
        def best_move(self, board):
            time.sleep(0.02)
            return 3

    found = play_games(Slow(), [FIRST, SECOND], 2, seed=1, move_limit_s=0.01)
    assert found[["won", "drawn", "lost", "forfeits", "opponent_forfeits"]].values.tolist() == [
        [0, 0, 2, 2, 0],
        [0, 0, 2, 2, 0],
    ]
    games = record_games(Slow(), [FIRST], 1, seed=1, game_limit_s=0.01)
    assert games.reason[0].startswith("agent: time: 0.0") and games.reason[0].endswith(
        "for a game, 0.01 s are allowed"
    )
    monkeypatch.setattr(Opponent, "column", lambda self, *state: 7)
    found = play_games(Slow(), [FIRST], 2, seed=1)
    assert found[["won", "lost", "forfeits", "opponent_forfeits"]].values.tolist() == [[2, 0, 0, 2]]


def test_counting_by_hand():
    games = pd.DataFrame(
        {
            "opponent": ["perfect"] * 5 + ["random"],
            "error": [0.1] * 4 + [0.2, 0.0],
            "side": ["second"] * 5 + ["first"],
            "result": [1.0, 0.0, 0.0, 0.5, 1.0, 0.0],
            "reason": [
                "four in a row",
                "four in a row",
                "agent: time: 4.10 s for a move, 4 s are allowed",
                "board full",
                "opponent: KeyError: 3",
                "agent: illegal move: column 3 is full",
            ],
        }
    )
    found = summarise(games, seed=9)
    assert found.columns.tolist() == TABLE_COLUMNS
    assert found.values.tolist() == [
        ["perfect", 0.1, "second", 4, 1, 1, 2, 1, 0, 9],
        ["perfect", 0.2, "second", 1, 1, 0, 0, 0, 1, 9],
        ["random", 0.0, "first", 1, 0, 0, 1, 1, 0, 9],
    ]


def test_the_table_is_the_games_counted(network, whole):
    table = play_games(network, SOME[:2], 3, seed=4)
    pd.testing.assert_frame_equal(table, summarise(whole[:6], seed=4))
    assert (table.won + table.drawn + table.lost == table.games).all()
    assert table.games.tolist() == [3, 3]
    assert list(zip(table.opponent, table.side, table.error, strict=True)) == [
        (one.opponent, one.side, one.error) for one in SOME[:2]
    ]


def test_no_global_generator_is_touched(network):
    before = np.random.get_state()[1].tolist()
    play_games(network, [FIRST], 1, seed=1)
    assert np.random.get_state()[1].tolist() == before


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"games": 0}, "games is 0: a whole number of at least 1 is wanted"),
        ({"games": 2.5}, "games is 2.5"),
        ({"seed": -1}, "seed is -1: a whole number of at least 0 is wanted"),
        ({"seed": True}, "seed is True"),
        ({"move_limit_s": 0}, "move_limit_s is 0: seconds above 0 are wanted"),
        ({"game_limit_s": float("nan")}, "game_limit_s is nan"),
        ({"workers": -1}, "workers is -1: a whole number from 0"),
        ({"pairings": []}, "pairings is empty"),
        ({"pairings": ["perfect"]}, r"pairings\[0\] is 'perfect': a Pairing is wanted"),
        ({"pairings": [FIRST, FIRST]}, r"pairings\[1\] is .* it was given before"),
    ],
)
def test_settings_outside_their_range(network, settings, message):
    with pytest.raises(ValueError, match=message):
        play_games(network, **{"pairings": [FIRST], "games": 1, "seed": 1} | settings)


def test_a_networks_loops_are_ready_before_a_clock_runs(network, monkeypatch):
    asked = []
    monkeypatch.setattr(NetworkAgent, "choose", lambda self, positions: asked.append(positions) or [3])
    list(Workers(0).play(network, []))
    assert [int(asked[0].moves_left[0]), len(asked)] == [42, 1]
    assert arena_games.MOVE_LIMIT_S == 4.0


def test_the_opponents_time_is_its_own_work_not_the_machines(network):
    hurried = Limits(4.0, 45.0)
    wall, work = Ticks(0.0, 0.0), Ticks(5.0, 5.0)
    record = play_game(
        Mover(Scripted(0, 1)),
        Scripted(2, 3),
        FIRST,
        0,
        seed=1,
        limits=hurried,
        clock=wall,
        opponent_clock=work,
    )
    assert record.reason.startswith("opponent: time") and record.own_s == 0
