"""Settings of the published recipe and its variants, and what they give at a step."""

import dataclasses
import json

import pytest

from ludometrics.connect4.recipe import VARIANTS, Recipe, decaying_exploration, recipe, slow_target


def test_the_published_settings():
    assert dataclasses.asdict(recipe()) == {
        "name": "recipe",
        "batch": 50_000,
        "steps": 25_000,
        "epsilon": 0.1,
        "epsilon_final": 0.1,
        "epsilon_steps": 0,
        "trace": 0.7,
        "horizon": 5,
        "learning_rate": 3e-4,
        "learning_rate_final": 1e-6,
        "learning_rate_decay": 0.99999,
        "beta1": 0.9,
        "beta2": 0.999,
        "adam_epsilon": 1e-8,
        "clip": 0.1,
        "tau": 0.15,
        "tie_noise": 1e-4,
        "exclude_losing": False,
        "evaluated": "target",
        "log_every": 100,
        "evaluate_every": 1000,
        "checkpoint_every": 1000,
        "pattern_count": 200,
        "pattern_length": 8,
        "pattern_seed": 2012,
    }


def test_variants_differ_in_what_was_published_and_nothing_else():
    def changes(variant):
        own, other = variant.as_dict(), recipe().as_dict()
        return {name: value for name, value in own.items() if value != other[name]}

    assert changes(slow_target()) == {"name": "slow target", "tau": 0.05}
    assert changes(decaying_exploration()) == {
        "name": "decaying exploration",
        "epsilon": 0.2,
        "epsilon_final": 0.02,
        "epsilon_steps": 25_000,
        "trace": 0.75,
        "horizon": 8,
    }
    assert {name: make().name for name, make in VARIANTS.items()} == {name: name for name in VARIANTS}


@pytest.mark.parametrize(
    ("settings", "step", "share"),
    [
        (recipe(), 0, 0.1),
        (recipe(), 24_999, 0.1),
        (decaying_exploration(), 0, 0.2),
        (decaying_exploration(), 5000, 0.164),  # 0.2 - 0.18 / 5
        (decaying_exploration(), 25_000, 0.02),
        (decaying_exploration(), 40_000, 0.02),
        (recipe(epsilon=0.0, epsilon_final=1.0, epsilon_steps=4), 3, 0.75),
    ],
    ids=lambda value: value.name if isinstance(value, Recipe) else str(value),
)
def test_exploration_at_a_step(settings, step, share):
    assert settings.epsilon_at(step) == pytest.approx(share, rel=1e-12)


@pytest.mark.parametrize(
    ("settings", "step", "rate"),
    [
        (recipe(), 0, 3e-4),
        (recipe(), 1, 1e-6 + 2.99e-4 * 0.99999),
        (recipe(), 25_000, 2.338612e-4),  # 1e-6 + 2.99e-4 exp(-0.25000125)
        (recipe(learning_rate=1.0, learning_rate_final=0.5, learning_rate_decay=0.5), 3, 0.5625),
    ],
    ids=lambda value: value.name if isinstance(value, Recipe) else str(value),
)
def test_learning_rate_at_a_step(settings, step, rate):
    assert settings.learning_rate_at(step) == pytest.approx(rate, rel=1e-6)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"bach": 5}, "no setting is called 'bach': allowed are name, batch"),
        ({"batch": 0}, "batch is 0: allowed are 1 to"),
        ({"batch": 5.0}, "batch is 5.0: a whole number"),
        ({"batch": True}, "batch is True"),
        ({"tau": 0.0}, "tau is 0.0"),
        ({"tau": "0.1"}, "tau is '0.1': a number"),
        ({"trace": float("nan")}, "trace is nan"),
        ({"beta2": 1.0}, "beta2 is 1.0"),
        ({"clip": -1.0}, "clip is -1.0"),
        ({"evaluated": "both"}, "evaluated is 'both': allowed are 'online', 'target'"),
        ({"exclude_losing": 1}, "exclude_losing is 1: True or False"),
        ({"name": " "}, "name is ' '"),
    ],
    ids=str,
)
def test_settings_outside_their_range_are_named(changes, message):
    with pytest.raises(ValueError, match=message):
        recipe(**changes)


def test_settings_survive_json():
    assert Recipe(**json.loads(json.dumps(decaying_exploration().as_dict()))) == decaying_exploration()
