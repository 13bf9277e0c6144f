"""Levels and games: seeds, batches, settings, and what a level can be trusted to do."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludometrics.draughts import (
    LEVELS,
    MEDIUM_B,
    REASONS,
    START,
    Game,
    Level,
    Rules,
    choose_move,
    legal_moves,
    parse_fen,
    parse_level,
    play_game,
    play_games,
    play_seeded_games,
    result,
    winner,
)
from ludometrics.draughts.rules import apply_move

BATCH = (np.array([1, 2, 2, 3, 0]), np.array([0.3, 0.0, 0.35, 0.2, 0.0]), np.array([2, 1, 2, 1, 1]), 0.1)

RECORDED = json.loads(
    (Path(__file__).parents[1] / "data" / "draughts" / "recorded_games.json").read_text(encoding="utf-8")
)


def _same(first, second):
    return all(np.array_equal(a, b) for a, b in zip(first, second, strict=True))


def test_presets_are_the_inferred_levels():
    preset = LEVELS["inferred"]
    assert [(level.depth, level.chance, level.name) for level in preset.values()] == [
        (2, 0.35, "Low"),
        (4, 0.10, "Medium"),
        (6, 0.0, "High"),
    ]
    assert list(preset) == ["easy", "medium", "hard"]
    assert (MEDIUM_B.depth, MEDIUM_B.chance) == (4, 0.05)


def test_same_seed_same_games():
    first = play_games(*BATCH, rng=np.random.default_rng(11))
    assert _same(first, play_games(*BATCH, rng=np.random.default_rng(11)))
    assert not _same(first, play_games(*BATCH, rng=np.random.default_rng(12)))
    one = play_game(Level(2, 0.1), Level(2), rng=np.random.default_rng(11))
    assert one == play_game(Level(2, 0.1), Level(2), rng=np.random.default_rng(11))


@pytest.mark.parametrize("case", RECORDED["cases"], ids=lambda case: f"seed {case['seed']}")
def test_recorded_games_are_repeated(case):
    """Games recorded once; equal on every machine, since the kernels compare integers and 53-bit fractions only."""
    black, white = Level(*case["black"]), Level(*case["white"])
    game = play_game(black, white, rng=np.random.default_rng(case["seed"]))
    assert [game.winner, game.reason, game.plies] == case["result"]
    assert " ".join(map(str, game.moves[:12])) == case["first_moves"]


def test_types_and_shapes_of_results():
    results = play_games(*BATCH, rng=np.random.default_rng(11))
    assert results.outcomes.dtype == np.float64 and set(results.outcomes) <= {0.0, 0.5, 1.0}
    assert results.reasons.dtype == np.int8 and set(results.reasons) <= set(range(len(REASONS)))
    assert results.plies.dtype == np.int32 and results.plies.max() <= 200
    assert {array.shape for array in results} == {(5,)}
    assert play_games(1, 0.1, 1, 0.1, rng=np.random.default_rng(1)).outcomes.shape == (1,)
    empty = play_games(np.empty(0, int), np.empty(0), 2, 0.0, rng=np.random.default_rng(1))
    assert {array.shape for array in empty} == {(0,)}


def test_a_game_depends_on_its_seed_and_settings_alone():
    """Games taken out of a batch, or played in another order, end as they did in it."""
    seeds = np.random.default_rng(11).integers(2**63 - 1, size=5)
    whole = play_games(*BATCH, rng=np.random.default_rng(11))
    depths, chances, others, other_chance = BATCH
    assert _same(whole, play_seeded_games(*BATCH, seeds))
    order = np.array([3, 0, 4, 1, 2])
    shuffled = play_seeded_games(depths[order], chances[order], others[order], other_chance, seeds[order])
    assert _same([array[order] for array in whole], shuffled)
    for i in range(5):
        alone = play_seeded_games(depths[i], chances[i], others[i], other_chance, seeds[i : i + 1])
        assert _same([array[i : i + 1] for array in whole], alone)


def test_one_game_equals_a_batch_of_one():
    for seed in range(5):
        game = play_game(Level(2, 0.2), Level(1, 0.1), rng=np.random.default_rng(seed))
        batch = play_games(2, 0.2, 1, 0.1, rng=np.random.default_rng(seed))
        assert (batch.outcomes[0], REASONS[batch.reasons[0]], batch.plies[0]) == (
            game.outcome,
            game.reason,
            game.plies,
        )


def test_record_is_a_legal_game_that_ends_as_it_says():
    rng = np.random.default_rng(21)
    for rules in (Rules(), Rules(repetitions=2), Rules(quiet_moves=4), Rules(ply_cap=30)):
        for _ in range(6):
            game = play_game(Level(1, 0.3), Level(2, 0.1), rng=rng, rules=rules)
            position = game.start
            for move in game.moves:
                position = apply_move(position, move)
            assert position == game.positions[-1] and len(game.positions) == game.plies + 1
            assert result(game.positions, rules) == (game.winner, game.reason)
            before = [result(game.positions[:n], rules) for n in range(1, game.plies + 1)]
            assert before == [None] * game.plies


def test_games_may_begin_anywhere():
    start = parse_fen("W:WK22:B18,19,26,27")
    batch = play_games(2, 0.0, [1, 2], 0.0, rng=np.random.default_rng(1), start=start)
    assert batch.outcomes.tolist() == [0.0, 0.0] and batch.plies.tolist() == [1, 1]


def test_global_random_state_is_left_alone():
    np.random.seed(5)
    before = np.random.get_state()
    play_games(*BATCH, rng=np.random.default_rng(1))
    choose_move(START, Level(2, 0.5), rng=np.random.default_rng(1))
    after = np.random.get_state()
    assert before[0] == after[0] and np.array_equal(before[1], after[1]) and before[2:] == after[2:]


def test_deterministic_levels_do_not_replay_one_game():
    games = play_games(np.full(12, 2), 0.0, 2, 0.0, rng=np.random.default_rng(1))
    assert len(set(games.plies.tolist())) > 6


def test_equally_good_moves_are_chosen_evenly():
    """Depth 1 sees seven equal first moves: each comes up 1 time in 7 (limit: 4 standard errors)."""
    rng, n = np.random.default_rng(8), 3500
    moves = [choose_move(START, Level(1), rng=rng) for _ in range(n)]
    values = {move: moves.count(move) for move in set(moves)}
    assert len(values) == 7
    limit = 4 * np.sqrt(n * (1 / 7) * (6 / 7))
    assert all(abs(count - n / 7) < limit for count in values.values())


def test_careless_moves_come_as_often_as_they_should():
    """In this position a capture chain is plainly best; a careless level misses it with chance 1 - 1/moves."""
    start, rng, n, chance = parse_fen("B:W10,18,11:B6,7"), np.random.default_rng(9), 4000, 0.3
    careful = choose_move(start, Level(2), rng=rng)
    kept = sum(choose_move(start, Level(2, chance), rng=rng) == careful for _ in range(n))
    expected = 1 - chance + chance / len(legal_moves(start))
    assert abs(kept / n - expected) < 4 * np.sqrt(expected * (1 - expected) / n)


@pytest.mark.parametrize("depth", [1, 3, 5])
def test_nearer_win_is_taken(depth):
    """14x23 takes the last man; it is chosen although the search also sees later wins."""
    start = parse_fen("B:W18:BK14,K1")
    assert str(choose_move(start, Level(depth), rng=np.random.default_rng(depth))) == "14x23"


def test_win_in_reach_is_not_shuffled_away():
    """Three kings against one: the depth-6 level sees the win at once and carries it out without delay."""
    start = parse_fen("W:WK7,K6,K10:BK4")
    games = play_games(
        0, 0.0, np.full(20, 6), 0.0, rng=np.random.default_rng(1), start=start, rules=Rules(ply_cap=0)
    )
    assert np.all(games.outcomes == 0.0) and games.plies.max() <= 7


def test_deeper_levels_win():
    """Depth 3 beats depth 1 far beyond chance in 60 games from either side."""
    rng = np.random.default_rng(4)
    as_black = play_games(np.full(30, 3), 0.1, 1, 0.1, rng=rng).outcomes
    as_white = 1 - play_games(np.full(30, 1), 0.1, 3, 0.1, rng=rng).outcomes
    assert np.concatenate([as_black, as_white]).mean() > 0.9


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 3), st.floats(0, 1), st.integers(0, 3), st.floats(0, 1), st.integers(0, 2**63 - 2))
def test_every_game_ends_by_a_known_reason_within_the_cap(black, chance, white, other_chance, seed):
    games = play_seeded_games(black, chance, white, other_chance, [seed])
    reason = REASONS[games.reasons[0]]
    assert games.plies[0] <= 200
    assert (reason == "no-move") == (games.outcomes[0] != 0.5)
    assert (reason == "cap") <= (games.plies[0] == 200)


def test_choose_move_refuses_a_lost_position():
    with pytest.raises(ValueError, match="there is no legal move in B:W25,30:B21"):
        choose_move(parse_fen("B:W25,30:B21"), Level(2), rng=np.random.default_rng(1))


def test_winner_of_an_outcome():
    assert [winner(score) for score in (1.0, 0.5, 0.0)] == ["b", "draw", "w"]
    with pytest.raises(ValueError, match=r"outcome is 0.3; allowed are 1"):
        winner(0.3)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((21,), "depth is 21; allowed are the whole numbers 0 to 20"),
        ((-1,), "depth is -1"),
        ((2.0,), "depth is 2.0"),
        ((True,), "depth is True"),
        ((2, 1.5), "chance is 1.5; allowed are the numbers 0 to 1"),
        ((2, float("nan")), "chance is nan"),
        ((2, "0.1"), "chance is '0.1'"),
    ],
)
def test_bad_levels_are_refused(arguments, words):
    with pytest.raises(ValueError, match=words):
        Level(*arguments)


@pytest.mark.parametrize("text", ["4,0.1", " 4 , .10 ", "medium", "MEDIUM"])
def test_ways_to_write_a_level(text):
    assert parse_level(text) == LEVELS["inferred"]["medium"]
    assert parse_level("6") == LEVELS["inferred"]["hard"]


@pytest.mark.parametrize("text", ["", "strong", "4;0.1", "4,0.1,3", "x,0.1", "4,2", "2.5,0.1"])
def test_bad_text_of_a_level(text):
    with pytest.raises(ValueError, match="write easy, medium, hard, l1 to l9 or depth,chance"):
        parse_level(text)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (([1, 25], 0.1, 2, 0.1), r"depths are \[1, 25\]"),
        (([1.0], 0.1, 2, 0.1), r"depths are \[1.0\]"),
        ((1, [0.1, np.nan], 2, 0.1), "chances are"),
        ((1, -0.1, 2, 0.1), "chances are"),
        (([1, 2], [0.1, 0.1, 0.1], 2, 0.1), "rows of one length"),
        (([[1, 2]], 0.1, 2, 0.1), "rows of one length"),
        ((np.full(20, -1), 0.1, 2, 0.1), r"'...'"),
    ],
)
def test_bad_settings_of_a_batch(arguments, words):
    with pytest.raises(ValueError, match=words):
        play_games(*arguments, rng=np.random.default_rng(1))


@pytest.mark.parametrize("seeds", [[-1], [0.5], 3, [[1]]])
def test_bad_seeds(seeds):
    with pytest.raises(ValueError, match="seeds are"):
        play_seeded_games(1, 0.1, 1, 0.1, seeds)


def test_rng_must_be_a_generator():
    for rng in (None, 5, np.random.RandomState(1)):
        with pytest.raises(ValueError, match=r"pass a numpy\.random\.Generator"):
            play_games(1, 0.1, 1, 0.1, rng=rng)


def test_game_in_progress_gives_outcome_and_reason():
    game = Game(parse_fen("B:W10,18:B6"))
    assert (game.outcome, game.reason) == (None, None)
    game = game.play(game.legal_moves()[0])
    assert (game.outcome, game.reason) == (1.0, "no-move")
