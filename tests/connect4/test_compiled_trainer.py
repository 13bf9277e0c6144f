"""The compiled trainer: against a plain twin, on numbers worked out by hand, on one thread and on two, resumed."""

import numba
import numpy as np
import pytest

from compiled_twin import Twin, draw, uniform
from ludometrics.connect4 import compiled_play, compiled_update
from ludometrics.connect4.compiled_lookup import build_lookup, content_after
from ludometrics.connect4.compiled_play import Ring
from ludometrics.connect4.compiled_settings import CompiledSettings
from ludometrics.connect4.compiled_trainer import CompiledTrainer
from ludometrics.connect4.patterns import draw_patterns
from ludometrics.connect4.realisable import cell_digit, index_patterns

SMALL = {
    "batch": 6,
    "pattern_count": 5,
    "pattern_length": 4,
    "horizon": 2,
    "learning_rate": 0.01,
    "epsilon": 0.3,
}
NO_BLUR = {"first_blur": 0.0, "second_blur": 0.0}
SETTINGS = {
    "tree backup": {},
    "tree backup, longer horizon": {"horizon": 5},
    "no blur": NO_BLUR,
    "neither side errs": {"first_errors": 0.0},
    "squared error": {"second_loss": "squared error"},
    "cross entropy": {"first_loss": "cross entropy"},
    "both sides err": {"first_errors": 0.4, "second_errors": 0.2, "trace": 1.0},
    "published": NO_BLUR
    | {
        "targets": "published",
        "second_loss": "squared error",
        "lookahead": False,
        "tau": 0.15,
        "clip": 0.1,
        "trace": 0.7,
    },
    "published, no target network": NO_BLUR | {"targets": "published"},
    "target network": {"tau": 0.3, "average_every": 3},
    "openings": {"opening_share": 0.6, "opening_plies": 5},
    "no mirrored updates": {"mirrored_updates": False},
    "falling exploration and rate": {"epsilon_final": 0.02, "epsilon_steps": 30, "learning_rate_decay": 0.9},
    "no averaging, horizon 0": {"average_span": 0.0, "horizon": 0},
}
TOLERANCE = 2e-4  # single precision through 70 steps of Adam; weights reach about 0.1


@pytest.mark.parametrize("name", SETTINGS)
def test_the_plain_twin_learns_the_same_weights(name):
    settings = CompiledSettings(**(SMALL | {"epsilon_final": SMALL["epsilon"]} | SETTINGS[name]))
    trainer = CompiledTrainer(settings, seed=3)
    twin = Twin(settings, trainer._key, np.random.default_rng(settings.pattern_seed))
    for _ in range(7):
        trainer.run(10)
        for _ in range(10):
            twin.step()
    indexing = trainer.indexing
    kinds = {"online": trainer.weights.online, "average": trainer.weights.average}
    if settings.tau < 1:
        kinds["target"] = trainer.weights.target
    for kind, flat in kinds.items():
        found = np.zeros((2, indexing.states), np.float32)
        for (side, number, digits), weight in twin.tables[kind].items():
            index = indexing.offsets[number]
            cells = indexing.patterns[number].tolist()
            for column in {cell // 6 for cell in cells}:
                rows = [
                    (cell % 6, digit)
                    for cell, digit in zip(cells, digits, strict=True)
                    if cell // 6 == column
                ]
                content = next(
                    content
                    for content in range(1, 128)
                    if all(cell_digit(content, row) == digit for row, digit in rows)
                )
                index += indexing.partial[number, column, content]
            found[side, index] = weight
        np.testing.assert_allclose(flat.reshape(2, -1), found, atol=TOLERANCE, err_msg=kind)
        assert np.count_nonzero(found) > 100 or (kind == "average" and settings.average_span == 0)


def test_threads_do_not_change_a_bit():
    settings = CompiledSettings(batch=300, pattern_count=20, pattern_length=6, clip=0.1, tau=0.15)
    found = []
    for threads in (1, 2):
        before = numba.get_num_threads()
        numba.set_num_threads(min(threads, numba.config.NUMBA_NUM_THREADS))
        try:
            trainer = CompiledTrainer(settings, seed=5)
            sums = trainer.run(60)
        finally:
            numba.set_num_threads(before)
        found.append((sums, trainer.state()))
    assert found[0][0] == found[1][0]
    for name, array in found[0][1].items():
        np.testing.assert_array_equal(array, found[1][1][name], err_msg=name)


def test_a_resumed_run_equals_an_unbroken_one():
    settings = CompiledSettings(batch=50, pattern_count=10, pattern_length=5, epsilon_steps=40)
    whole = CompiledTrainer(settings, seed=8)
    whole.run(25)
    kept = {name: np.array(array) for name, array in whole.state().items()}
    whole.run(35)
    resumed = CompiledTrainer(settings, seed=8)
    resumed.restore(kept)
    assert (resumed.step, resumed.moves) == (25, 1250)
    resumed.run(35)
    for name, array in whole.state().items():
        np.testing.assert_array_equal(array, resumed.state()[name], err_msg=name)
    with pytest.raises(ValueError, match="ring_value is missing"):
        resumed.restore({name: array for name, array in kept.items() if name != "ring_value"})
    with pytest.raises(ValueError, match="boards_tokens has shape"):
        CompiledTrainer(settings.with_changes(batch=51), seed=8).restore(kept)


def test_seeds_differ_and_repeat_and_the_global_generator_is_left_alone():
    settings = CompiledSettings(batch=20, pattern_count=5, pattern_length=4)
    np.random.seed(1)
    state = np.random.get_state()[1].copy()
    weights = []
    for seed in (1, 1, 2):
        trainer = CompiledTrainer(settings, seed=seed)
        trainer.run(40)
        weights.append(trainer.weights.online.copy())
    assert (np.random.get_state()[1] == state).all()
    assert (weights[0] == weights[1]).all() and (weights[0] != weights[2]).any()


def ring_of(records: list[tuple]) -> Ring:
    """A ring of one board from (value, result, ended, random, chance = 1, rest = 0), oldest first."""
    size = len(records)
    whole = [(*record, 1.0, 0.0)[:6] if len(record) == 4 else record for record in records]
    value, result, ended, random, chance, rest = (
        np.array(column).reshape(size, 1) for column in zip(*whole, strict=True)
    )
    return Ring(
        np.zeros((size, 1), np.int32),
        np.ones(size, np.int64),
        np.zeros((size, 1, 2), np.uint16),
        *(numbers.astype(np.float32) for numbers in (value, chance, rest, result)),
        *(marks.astype(bool) for marks in (ended, random)),
        np.zeros((size, 1), bool),
    )


OPEN = (False, False)  # neither ended nor random


def test_published_targets_by_hand():
    # Horizon 2, lambda 1/2; values 0.2, 0.4, -0.6, 0.8 from the oldest to the newest:
    # 0.8 -> 0.5 * 0.8 + 0.5 * 0.8 -> 0.5 * -0.6 + 0.5 * 0.8 = 0.1 -> 0.5 * 0.4 + 0.5 * 0.1 = 0.25
    records = [(value, 0, *OPEN) for value in (0.2, 0.4, -0.6, 0.8)]
    fold = compiled_update.fold_target
    assert fold(ring_of(records), 3, 2, 0, np.float32(0.5)) == pytest.approx(0.25, abs=1e-6)
    # The game ended with a win for Red at the second move: -1, then 0.5 * 0.4 + 0.5 * -1 = -0.3
    records[1] = (0.4, -1, True, False)
    assert fold(ring_of(records), 3, 2, 0, np.float32(0.5)) == pytest.approx(-0.3, abs=1e-6)
    # Exploration on the way changes nothing; the oldest move's own result is the target.
    records[0] = (0.2, 1, True, True)
    assert fold(ring_of(records), 3, 2, 0, np.float32(0.5)) == 1


def test_tree_backup_targets_by_hand():
    # Horizon 2, lambda 1/2; values as above, chances of the moves played 0.9, 0.8, 1, the others' shares 0.05, -0.1, 0:
    # 0.8 -> 0 + 1 * 0.8 = 0.8 -> -0.1 + 0.8 * (0.5 * -0.6 + 0.5 * 0.8) = -0.02
    # -> 0.05 + 0.9 * (0.5 * 0.4 + 0.5 * -0.02) = 0.221
    records = [(0.2, 0, *OPEN, 0.9, 0.05), (0.4, 0, *OPEN, 0.8, -0.1), (-0.6, 0, *OPEN), (0.8, 0, *OPEN)]
    fold = compiled_update.fold_target
    assert fold(ring_of(records), 3, 2, 0, np.float32(0.5)) == pytest.approx(0.221, abs=1e-6)
    # A slip that the players would never make is not followed: the value of their own move stands alone.
    records[0] = (0.2, 0, False, True, 0.0, 0.7)
    assert fold(ring_of(records), 3, 2, 0, np.float32(0.5)) == pytest.approx(0.7, abs=1e-6)
    # The game ended with the third move: -1 -> -0.1 + 0.8 * (0.5 * -0.6 + 0.5 * -1) = -0.74
    # -> 0.05 + 0.9 * (0.5 * 0.4 + 0.5 * -0.74) = -0.103
    records[0] = (0.2, 0, *OPEN, 0.9, 0.05)
    records[2] = (-0.6, -1, True, False)
    assert fold(ring_of(records), 3, 2, 0, np.float32(0.5)) == pytest.approx(-0.103, abs=1e-6)


def test_a_player_who_errs_shares_out_his_moves_by_hand():
    # Three moves may be played, worth 0.5, -0.2, 0.1; the first is greedy, errors 0.3: chances 0.8, 0.1, 0.1.
    allowed = sum(np.int64(1) << 9 * column for column in (0, 3, 6))
    values = np.array([0.5, 0, 0, -0.2, 0, 0, 0.1], np.float32)
    for chosen, chance, rest in ((0, 0.8, -0.01), (3, 0.1, 0.41), (6, 0.1, 0.38)):
        found = compiled_play.share_out(np.float32(0.3), allowed, 0, chosen, values)
        assert found == pytest.approx((chance, rest), abs=1e-6)


@pytest.mark.parametrize("side", [0, 1], ids=["Yellow to move", "Red to move"])
@pytest.mark.parametrize("entropy", [False, True], ids=["squared error", "cross entropy"])
def test_slopes_are_derivatives_of_the_loss(entropy, side):
    # One position whose game was won, or lost, with the next move: the target is 1, or -1.
    lookup = build_lookup(index_patterns(draw_patterns(3, 4, rng=np.random.default_rng(1))))
    states = 1000
    weights = np.random.default_rng(2).normal(0, 0.2, 2 * states).astype(np.float32)

    def measure(total: float, target: float) -> float:
        value = np.tanh(total)
        if not entropy:
            return (value - target) ** 2
        return -sum((1 + s * target) / 2 * np.log((1 + s * value) / 2) for s in (1, -1) if 1 + s * target)

    # The second player chose a position with Yellow to move.
    losses = (entropy, not entropy) if side else (not entropy, entropy)
    for result in (1, -1):
        ring = ring_of([(0, result, True, False), (0, 0, *OPEN)])
        small = np.zeros((2, 1, len(lookup.offsets)), np.uint16)
        ring = ring._replace(index=small, yellows=np.full(2, 1 - side))
        slope, sums, trace = np.zeros(1, np.float32), np.zeros(6), np.float32(0.8)
        compiled_update.weigh_places(0, 1, 1, 0, True, trace, *losses, lookup, ring, weights, slope, sums)
        # On the board and its mirror image: offsets stand twice.
        total = float(weights[side * states + lookup.offsets].sum())
        rise = (measure(total + 1e-4, result) - measure(total - 1e-4, result)) / 2e-4
        assert 2 * slope[0] == pytest.approx(rise, rel=1e-3)
        assert sums[:3] == pytest.approx([1, (np.tanh(total) - result) ** 2, np.tanh(total)], rel=1e-4)


def test_one_step_of_adam_by_hand():
    # First step: mean and square are those of the gradient after correction, so the weight moves by the rate.
    one = np.float32(1)
    arrays = [np.zeros(3, np.float32) for _ in range(3)]
    gradient = np.array([0.5, -0.02, 0], np.float32)
    rate = np.float32(0.1 * np.sqrt(1 - 0.999) / (1 - 0.9))
    epsilon = np.float32(1e-8 * np.sqrt(1 - 0.999))
    compiled_update.step_adam(*arrays, gradient, one, np.float32(0.9), np.float32(0.999), rate, epsilon)
    np.testing.assert_allclose(arrays[0], [-0.1, 0.1, 0], atol=1e-5)
    np.testing.assert_allclose(arrays[1], [0.05, -0.002, 0], rtol=1e-5)
    np.testing.assert_allclose(arrays[2], [0.00025, 4e-7, 0], rtol=1e-3)
    assert not gradient.any()
    tiny = [np.full(1, value, np.float32) for value in (0.3, 1e-20, 1e-30, 0)]
    compiled_update.step_adam(*tiny, one, np.float32(0.9), np.float32(0.999), rate, epsilon)
    assert tiny[1][0] == tiny[2][0] == 0, "moments that would become denormal are cleared"


def test_settings_by_step():
    settings = CompiledSettings(epsilon=0.2, epsilon_final=0.02, epsilon_steps=25_000)
    np.testing.assert_allclose(settings.epsilons_at([0, 12_500, 25_000, 30_000]), [0.2, 0.11, 0.02, 0.02])
    published = CompiledSettings(learning_rate=3e-4, learning_rate_final=1e-6, learning_rate_decay=0.99999)
    assert published.rates_at([25_000])[0] == pytest.approx(1e-6 + 2.99e-4 * np.exp(-0.25), rel=1e-4)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("batch", 0, "batch is 0: allowed are 1 to 1000000"),
        ("batch", 2.5, "batch is 2.5: a whole number is wanted"),
        ("epsilon", 1.5, "epsilon is 1.5: allowed are 0.0 to 1.0"),
        ("trace", float("nan"), "trace is nan: allowed are 0.0 to 1.0"),
        ("beta2", 1.0, "beta2 is 1.0"),
        ("lookahead", 2, "lookahead is 2: True or False"),
        ("targets", "best", "targets is 'best': allowed are 'tree backup', 'published'"),
        ("targets", "published", "first_blur is 0.1: targets of kind 'published' need it to be 0"),
        ("first_loss", "hinge", "first_loss is 'hinge': allowed are 'cross entropy', 'squared error'"),
        ("horizon", True, "horizon is True: a whole number is wanted"),
        ("lookahead", False, "lookahead is False: targets of kind 'tree backup' need it to be True"),
    ],
)
def test_settings_refuse_values_outside_their_range(name, value, message):
    with pytest.raises(ValueError, match=message):
        CompiledSettings(**{name: value})
    with pytest.raises(
        ValueError, match="no setting is called 'lamda': allowed are adam_epsilon, average_every"
    ):
        CompiledSettings().with_changes(lamda=0.5)


def test_draws_are_the_same_in_plain_python_and_evenly_spread():
    key = np.uint64(2**63 + 12345)
    for step, board, purpose in [(0, 0, 1), (7, 4999, 6), (10**6, 3, 4)]:
        bits = compiled_play.draw(key, step, board, purpose)
        assert int(bits) == draw(int(key), step, board, purpose)
        assert compiled_play.uniform(bits) == uniform(int(bits))
    numbers = [uniform(draw(1, step, board, 1)) for step in range(60) for board in range(60)]
    assert np.histogram(numbers, 10, (0, 1))[0].min() > 290 and abs(np.mean(numbers) - 0.5) < 0.02
    assert abs(np.corrcoef(numbers[:-1], numbers[1:])[0, 1]) < 0.05


def test_lookup_gives_the_index_before_and_after_a_token():
    rng = np.random.default_rng(4)
    patterns = np.array([[0, 1, 7, 13], [40, 41, 35, 34], [18, 19, 20, 21]])
    indexing = index_patterns(patterns)
    lookup = build_lookup(indexing)
    for _ in range(200):
        heights = rng.integers(0, 7, 7).tolist()
        contents = [(1 << height) | int(rng.integers(1 << height)) for height in heights]
        column, side = int(rng.integers(7)), int(rng.integers(2))
        for mirror in (False, True):
            seen = contents[::-1] if mirror else contents
            for number in range(3):
                place = number + 3 * mirror
                index = sum(int(lookup.rows[c, contents[c], place]) for c in range(7))
                assert index == sum(int(indexing.partial[number, c, seen[c]]) for c in range(7))
                grown = list(contents)
                grown[column] = content_after(contents[column], side)
                expected = sum(int(lookup.rows[c, grown[c], place]) for c in range(7))
                assert index + int(lookup.gains[side, column, contents[column], place]) == expected
    assert content_after(0b1101, 0) == 0b11101 and content_after(0b1101, 1) == 0b10101
    assert content_after(0b1000000, 0) == 0b1000000, "a full column stays as it is"


def test_lookup_refuses_patterns_of_too_many_states():
    with pytest.raises(ValueError, match="pattern 0 has 117,649 realisable states"):
        build_lookup(index_patterns(np.array([[0, 1, 6, 7, 12, 13, 18, 19, 24, 25, 30, 31]])))


def test_training_measures_itself():
    trainer = CompiledTrainer(CompiledSettings(batch=40, pattern_count=5, pattern_length=4), seed=1)
    sums = trainer.run(100)
    assert sums["learned"] <= 40 * (100 - 9) and 0 < sums["random"] < 0.2 * 4000
    assert sums["yellow_wins"] + sums["red_wins"] <= sums["games"] and sums["games"] > 100
    assert -1 <= sums["value_min"] <= sums["value"] / sums["learned"] <= sums["value_max"] <= 1
    assert 0 < sums["nonzero_gradients"] <= 40 * 2 * 5 and sums["norm"] == 0
    assert 0 <= sums["moves_left"] / 4000 <= 42 and sums["squared_error"] / sums["learned"] < 1
    with pytest.raises(ValueError, match="steps is 0"):
        trainer.run(0)
    with pytest.raises(ValueError, match="seed is -1"):
        CompiledTrainer(trainer.settings, seed=-1)
