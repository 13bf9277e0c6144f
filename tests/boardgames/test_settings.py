"""The settings object: the author's numbers, and what is refused."""

import dataclasses

import pytest

from ludometrics.boardgames.settings import PRESETS, EngineSettings, preset


def test_the_faithful_preset_holds_the_published_numbers():
    published = {
        "gate": False, "start": 1000.0, "deviation": 180.0, "per_opponent": True, "guests": "unknown",
        "unresolved": "tie", "weight_base": 0.5, "weight_complexity": 0.35, "weight_skill": 0.65,
        "familiarity_half": 2.0, "margin_low": 0.8, "margin_high": 1.2, "margin_full": 3.0, "margin_scores": 6,
        "margin_plays": 2, "full_minutes": 60.0, "use_weight": True, "use_confidence": True, "use_margin": True,
        "use_duration": True,
    }  # fmt: skip
    assert {name: getattr(PRESETS["bgelo"], name) for name in published} == published


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"deviation": "110"}, "deviation is '110': it must be a finite number"),
        ({"deviation": float("nan")}, "deviation is nan: it must be a finite number"),
        ({"floor": 200.0}, "floor is 200 and deviation 180: 0 < floor <= deviation"),
        ({"floor": 0.0}, "0 < floor"),
        ({"gate": 1}, "gate is 1: it must be True or False"),
        ({"guests": "keep"}, "guests is 'keep': allowed are 'unknown', 'drop'"),
        ({"margin_plays": 2.5}, "margin_plays is 2.5: it must be a finite whole number"),
        ({"margin_plays": True}, "margin_plays is True"),
        ({"absence": -1.0}, "absence is -1: it must be at least 0"),
        ({"full_minutes": 0.0}, "full_minutes is 0: it must be above 0"),
        ({"confidence_low": 1.5}, "confidence_low is 1.5: it must be in 0 to 1"),
        ({"deviation": 1e308}, "deviation is 1e.308: it must be at most 100000"),
        ({"deviation": 1e-200, "floor": 1e-200}, "deviation is 1e-200: it must be at least 0.001"),
        ({"start": -1e9}, "start is -1e.09: it must be at least -100000 and at most 100000"),
        ({"absence": 1e200}, "absence is 1e.200: it must be at most 100000"),
        ({"drift": 1e200}, "drift is 1e.200: it must be at most 100000"),
        ({"weight_base": 1e9}, "weight_base is 1e.09: it must be at most 1000"),
        ({"margin_high": 1e300}, "margin_high is 1e.300: it must be at most 1000"),
        ({"full_minutes": 1e5}, "full_minutes is 100000: it must be at most 10000"),
        ({"margin_scores": 10**20}, "margin_scores is 1e.20: it must be at most 1000000"),
        ({"margin_plays": 10**400}, "margin_plays is beyond all numbers: it must be at most 1000000"),
        ({"margin_low": 1.3}, "margin_low is 1.3 and margin_high 1.2: they must rise"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_what_is_refused(changes, message):
    with pytest.raises(ValueError, match=message.replace("(", r"\(")):
        EngineSettings(**changes)


def test_presets_take_changes_and_refuse_others():
    assert preset("tuned", absence=5) == dataclasses.replace(PRESETS["tuned"], absence=5.0)
    with pytest.raises(ValueError, match="preset is 'best': allowed are 'bgelo', 'tuned'"):
        preset("best")
    with pytest.raises(ValueError, match="deviaton is no setting: allowed are absence"):
        preset("tuned", deviaton=100.0)


def test_a_whole_number_is_the_same_setting():
    assert EngineSettings(deviation=110) == EngineSettings(deviation=110.0)
    assert isinstance(EngineSettings(deviation=110).deviation, float)
