"""Trainer A: against a plain twin, on numbers worked out by hand, repeated, resumed, and a learner that learns."""

from types import SimpleNamespace

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from ludometrics.connect4.bitboard import BOTTOM, has_four, winning_squares  # noqa: E402
from ludometrics.connect4.network import afterstate_values, values_plain  # noqa: E402
from ludometrics.connect4.recipe import recipe  # noqa: E402
from ludometrics.connect4.torch_trainer import TorchTrainer, check_device  # noqa: E402
from ludometrics.connect4.training_log import METRIC_COLUMNS  # noqa: E402
from torch_twin import Twin  # noqa: E402

SMALL = {
    "batch": 4,
    "pattern_count": 5,
    "pattern_length": 4,
    "horizon": 2,
    "learning_rate": 0.01,
    "epsilon": 0.3,
}
SETTINGS = {
    "as published but small": {"epsilon": 0.1, "horizon": 5},
    "much at random": {},
    "falling exploration and rate": {
        "epsilon_final": 0.02,
        "epsilon_steps": 30,
        "learning_rate_decay": 0.9,
        "trace": 0.75,
        "horizon": 8,
    },
    "slow target": {"tau": 0.05},
    "no target network": {"tau": 1.0},
    "always clipped": {"clip": 0.01},
    "never clipped": {"clip": 0.0},
    "losing moves left out": {"exclude_losing": True},
    "only the next value": {"horizon": 0},
    "only results": {"trace": 1.0},
    "all at random": {"epsilon": 1.0},  # only moves that end a game are learned
}
TOLERANCE = 2e-4  # single precision through 90 steps of Adam at 0.01


def small(**changes):
    return recipe(**(SMALL | changes))


@pytest.mark.parametrize("name", SETTINGS)
def test_the_plain_twin_learns_the_same_weights(name):
    settings = small(**SETTINGS[name])
    trainer = TorchTrainer(settings, seed=3)
    first = int(np.random.SeedSequence(3).generate_state(1, np.uint64)[0] >> np.uint64(1))
    generator = torch.Generator().manual_seed(first)
    twin = Twin(settings, generator, np.random.default_rng(settings.pattern_seed))
    for _ in range(90):
        twin.step()
    row = trainer.run_measured(90)
    partial, offsets = trainer.indexing.partial, trainer.indexing.offsets
    online, target = (weights.detach().view(2, -1).numpy() for weights in (trainer.online, trainer.target))
    assert len(twin.online) > 50
    filled = np.zeros_like(online, dtype=bool)
    for (side, number, digits), weight in twin.online.items():
        place = offsets[number] + index_of(trainer.indexing.patterns[number], partial[number], digits)
        filled[side, place] = True
        assert online[side, place] == pytest.approx(weight, abs=TOLERANCE)
        assert target[side, place] == pytest.approx(twin.target[side, number, digits], abs=TOLERANCE)
    assert not online[~filled].any() and not target[~filled].any()
    assert row["updated"] == twin.learned / (90 * settings.batch)
    assert row["loss"] == pytest.approx(twin.squared_error / twin.learned, rel=1e-3)


def index_of(cells, partial, digits):
    """Find the index of a state by looking for contents of its columns that show it."""
    total = 0
    for column in {int(cell) // 6 for cell in cells}:
        wanted = {
            int(cell) % 6: digit for cell, digit in zip(cells, digits, strict=True) if cell // 6 == column
        }
        total += partial[column, content_showing(wanted)]
    return total


def content_showing(wanted):
    for height in range(7):
        for colours in range(1 << height):
            seen = {
                row: (1 if colours >> row & 1 else 2) if row < height else (3 if row == height else 0)
                for row in wanted
            }
            if seen == wanted:
                return 1 << height | colours
    raise AssertionError(f"no column shows {wanted}")


def test_the_first_step_of_learning_worked_out_by_hand():
    # One board, one pattern of one cell (the bottom of some column), no exploration. Yellow moves first and wins on
    # the fourth token of a column (move 7) if Red plays elsewhere; here a result is planted instead.
    settings = recipe(batch=1, pattern_count=1, pattern_length=1, horizon=0, epsilon=0.0, clip=0.0, tau=0.25)
    trainer = TorchTrainer(settings, seed=1)
    # Yellow has three in column 0, Red three in column 6; Yellow to move wins in column 0.
    trainer._boards = trainer._boards._replace(
        tokens=torch.tensor([0b111 | 0b111 << 54]), active=torch.tensor([0b111]), left=torch.tensor([36])
    )
    trainer.restore(trainer.state(), step=0)
    row = trainer.run_measured(1)
    # V = 0, G = 1: the loss is 1. Adam's first step is the rate, 3e-4, up for each weight looked up.
    assert row["loss"] == 1.0 and row["wins"] == 1 and row["finished"] == 1.0 and row["moves_left"] == 36.0
    moved = trainer.online.detach()[trainer.online.detach() != 0]
    assert row["nonzero_gradients"] == len(moved) in (1, 2)
    assert moved.tolist() == pytest.approx([3e-4] * len(moved), rel=1e-5)
    assert trainer.target[trainer.target != 0].tolist() == pytest.approx([0.75e-4] * len(moved), rel=1e-5)
    assert row["weight_change"] == pytest.approx(1.0) and row["updated"] == 1.0 and row["random"] == 0.0
    # The game that was won begins again, and the next position is an empty board.
    assert [int(part[0]) for part in trainer._boards] == [0, 0, 42]


def test_rows_of_metrics_cover_the_steps_since_the_row_before():
    trainer = TorchTrainer(small(batch=40), seed=5)
    early = trainer.run_measured(2)
    assert list(early) == list(METRIC_COLUMNS)
    assert (
        early["step"] == 2 and early["moves"] == 80 and early["moves_left"] == 41.5 and early["updated"] == 0
    )
    assert np.isnan(early["loss"]) and np.isnan(early["value_min"]) and early["weight_norm"] == 0
    row = trainer.run_measured(58)
    assert row["learning_rate"] == trainer.recipe.learning_rate_at(59)
    assert row["wins"] == row["finished"] * 58 * 40 > 20
    assert -1 < row["value_min"] < row["value_mean"] < row["value_max"] < 1 and 0 < row["value_sd"] < 1
    assert row["weight_norm"] == pytest.approx(
        float(np.linalg.norm(trainer.online.detach().numpy())), rel=1e-5
    )
    whole = TorchTrainer(small(batch=40), seed=5)
    whole.run(60)
    torch.testing.assert_close(whole.online, trainer.online, rtol=0, atol=0)  # measuring changes nothing


def test_games_are_played_by_the_rules_to_their_end():
    trainer = TorchTrainer(small(batch=300, epsilon=1.0), seed=2)
    seen = []
    for _ in range(60):
        left = trainer._boards.left.clone()
        trainer.run(1)
        going = trainer._boards.left
        assert ((going == left - 1) | (going == 42)).all()
        counts = [bin(tokens).count("1") for tokens in trainer._boards.tokens.tolist()]
        assert counts == (42 - going).tolist()
        seen += left[(going == 42)].tolist()
    # A game cannot end before its seventh token, and random games end by their 42nd, some of them full.
    assert max(seen) == 36 and min(seen) <= 6


def test_kept_indices_stay_those_of_the_boards():
    trainer = TorchTrainer(small(batch=50), seed=2)
    trainer.run(70)
    kept, places = trainer._index.clone(), trainer._places.clone()
    trainer.restore(trainer.state(), step=70)  # works them out anew
    torch.testing.assert_close(trainer._index, kept, rtol=0, atol=0)
    torch.testing.assert_close(trainer._places, places, rtol=0, atol=0)


def test_the_same_seed_learns_the_same_bits_and_another_does_not():
    runs = [TorchTrainer(small(batch=100), seed=seed) for seed in (7, 7, 8)]
    rows = [run.run_measured(80) for run in runs]
    assert rows[0] == rows[1] != rows[2]
    for name, array in runs[0].state().items():
        np.testing.assert_array_equal(array, runs[1].state()[name], err_msg=name)
    assert not np.array_equal(runs[0].state()["online"], runs[2].state()["online"])


def test_one_thread_and_many_learn_the_same_bits():
    settings = recipe(batch=900, pattern_count=20, pattern_length=5, horizon=2, learning_rate=0.01)
    runs = [TorchTrainer(settings, seed=7, threads=threads) for threads in (1, 2, 3)]
    before = torch.get_num_threads()
    rows = [run.run_measured(40) for run in runs]
    assert rows[0] == rows[1] == rows[2]
    for name, array in runs[0].state().items():
        for run in runs[1:]:
            np.testing.assert_array_equal(array, run.state()[name], err_msg=name)
    assert torch.get_num_threads() == before


def test_the_global_generators_are_not_touched():
    torch.manual_seed(5)
    np.random.seed(5)
    wanted = torch.rand(3).tolist(), np.random.rand(3).tolist()
    torch.manual_seed(5)
    np.random.seed(5)
    TorchTrainer(small(), seed=1).run(10)
    assert (torch.rand(3).tolist(), np.random.rand(3).tolist()) == wanted


@pytest.mark.parametrize("at", [0, 1, 2, 41])
def test_a_state_restored_goes_on_as_if_nothing_had_happened(at):
    whole, cut = TorchTrainer(small(), seed=4), TorchTrainer(small(), seed=4)
    if at:
        cut.run(at)
    state = cut.state()
    other = TorchTrainer(small(), seed=4)
    other.run(13)
    other.restore(state, step=at)
    assert whole.run_measured(60) == other.run_measured(60 - at)
    for name, array in whole.state().items():
        np.testing.assert_array_equal(other.state()[name], array, err_msg=name)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda state: state.pop("ring_value"), "ring_value is missing"),
        (lambda state: state.update(online=state["online"][1:]), "online has shape"),
        (lambda state: state.update(board_left=state["board_left"].astype(np.int32)), "board_left .* int32"),
    ],
    ids=["missing", "shape", "type"],
)
def test_states_of_others_are_refused_whole(change, message):
    trainer = TorchTrainer(small(), seed=4)
    trainer.run(10)
    before, state = trainer.state(), TorchTrainer(small(), seed=4).state()
    change(state)
    with pytest.raises(ValueError, match=message):
        trainer.restore(state, step=0)
    for name, array in trainer.state().items():
        np.testing.assert_array_equal(array, before[name])


def test_the_network_is_the_one_that_was_asked_for():
    for evaluated in ("target", "online"):
        trainer = TorchTrainer(small(evaluated=evaluated), seed=6)
        trainer.run(30)
        network = trainer.network
        weights = trainer.target if evaluated == "target" else trainer.online.detach()
        np.testing.assert_array_equal(network.weights.ravel(), weights.numpy())
        assert network.about["step"] == 30 and network.about["moves"] == 120 and network.about["seed"] == 6
        assert network.about["settings"] == trainer.recipe.as_dict()
        kept = network.weights.copy()
        trainer.run(1)
        np.testing.assert_array_equal(network.weights, kept)  # a copy


def test_values_while_training_are_those_of_the_network():
    trainer = TorchTrainer(small(batch=60), seed=6)
    trainer.run(40)
    network, boards = trainer.network, trainer._boards
    positions = SimpleNamespace(
        tokens=boards.tokens.numpy(), active=boards.active.numpy(), moves_left=boards.left.numpy()
    )
    wanted = values_plain(network, positions)
    trainer.run(1)
    np.testing.assert_allclose(trainer._ring.value[40 % 3].numpy(), wanted, atol=1e-6)


def test_bad_seeds_and_devices_are_refused():
    for seed in (-1, 1.0, True):
        with pytest.raises(ValueError, match=f"seed is {seed}"):
            TorchTrainer(small(), seed=seed)
    with pytest.raises(ValueError, match="device is 'abacus': torch cannot use it here"):
        check_device("abacus")
    for threads in (0, 2.0):
        with pytest.raises(ValueError, match=f"threads is {threads}"):
            TorchTrainer(small(), seed=1, threads=threads)
    with pytest.raises(ValueError, match="steps is 0"):
        TorchTrainer(small(), seed=1).run(0)


def test_a_learner_of_two_seconds_beats_the_random_player():
    settings = recipe(batch=200, pattern_count=40, pattern_length=6, learning_rate=0.003)
    trainer = TorchTrainer(settings, seed=1)
    before = score_against_random(trainer.network)
    trainer.run(400)
    after = score_against_random(trainer.network)
    assert before < 0.8 and after > 0.9


def score_against_random(network, games=400):
    """Share of games won, half of them as Yellow, by one who takes a win, else the best value; nothing else is seen."""
    rng = np.random.default_rng(3)
    won = 0
    for learner in (0, 1):
        boards = [(0, 0, 42)] * (games // 2)
        while boards:
            tokens, active, left = (np.array(part, dtype=np.int64) for part in zip(*boards, strict=True))
            noise = rng.random((len(boards), 7))
            side = left[0] % 2
            values = afterstate_values(
                network, SimpleNamespace(tokens=tokens, active=active, moves_left=left)
            )
            scores = np.where(np.isnan(values), -np.inf, noise)
            if side == learner:
                wins = np.stack(
                    [winning_squares(own, all_) for own, all_ in zip(active, tokens, strict=True)]
                )
                landing = (tokens + BOTTOM) & wins
                won_here = (landing[:, None] >> (9 * np.arange(7)) & 63) != 0
                scores = np.where(won_here, 2.0, values * (1 - 2 * side) + 1e-9 * noise)
                scores = np.where(np.isnan(values), -np.inf, scores)
            following = []
            for number, column in enumerate(scores.argmax(axis=1).tolist()):
                bits, own = int(tokens[number]), int(active[number])
                square = (bits + (1 << 9 * column)) & (63 << 9 * column)
                if has_four(own | square):
                    won += side == learner
                elif left[number] > 1:
                    following.append((bits | square, bits ^ own, int(left[number]) - 1))
            boards = following
    return won / games


@pytest.mark.slow
def test_what_is_compiled_learns_the_same():
    plain, compiled = TorchTrainer(small(), seed=3), TorchTrainer(small(), seed=3, compiled=True)
    rows = plain.run_measured(40), compiled.run_measured(40)
    torch.testing.assert_close(compiled.online, plain.online, atol=1e-6, rtol=0)
    assert rows[0]["wins"] == rows[1]["wins"]
