"""The power study: what each variant does to a group, and shares of verdicts with their intervals."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from ludometrics.boardgames.check_power import (
    ANY,
    VARIANTS,
    break_group,
    reverse_weights,
    shuffle_results,
    verdict_shares,
)
from ludometrics.boardgames.checks import REFUTED, SUPPORTED, VERDICTS
from ludometrics.boardgames.engine import rate_log
from ludometrics.boardgames.factors import weight_factor
from ludometrics.boardgames.settings import EngineSettings
from ludometrics.boardgames.weights import game_weights
from ludometrics.evaluation import share_interval
from small_logs import random_log, ranked_log

SETTINGS = EngineSettings()


def seeded(seed=1):
    return np.random.default_rng(seed)


def make_group(rng):
    log = random_log(rng, plays=70)
    return log, game_weights(log.games, SETTINGS, skill={key: n / 4 for n, key in enumerate(log.games)})


def test_shuffled_results_stay_in_their_play_and_together():
    log, _ = make_group(seeded())
    shuffled = shuffle_results(log, rng=seeded(2))
    moved = 0
    for old, new in zip(log.plays, shuffled.plays, strict=True):
        assert [seat.person for seat in old.seats] == [seat.person for seat in new.seats]
        results = [sorted((s.rank, s.score, s.winner) for s in play.seats) for play in (old, new)]
        assert results[0] == results[1]
        moved += old.seats != new.seats
        assert replace(old, seats=()) == replace(new, seats=())
    assert moved > 30
    assert shuffle_results(log, rng=seeded(2)) == shuffled != shuffle_results(log, rng=seeded(3))


def test_every_place_is_as_likely_for_everybody():
    log, rng = ranked_log("abcde"), seeded(4)
    first = [shuffle_results(log, rng=rng).plays[0].seats[0].rank for _ in range(600)]
    assert np.bincount(first, minlength=6)[1:] == pytest.approx(600 / 5, abs=4 * np.sqrt(600 / 5))


def test_weights_are_turned_round():
    _, weights = make_group(seeded())
    turned = reverse_weights(weights, SETTINGS)
    for key, one in weights.items():
        # Half a point above and below the middle of 0.5 to 1.5.
        assert turned[key].weight == pytest.approx(2.0 - one.weight)
        assert turned[key].weight == pytest.approx(
            weight_factor(turned[key].complexity, turned[key].skill, SETTINGS)
        )
        back = reverse_weights(turned, SETTINGS)[key]
        assert (back.weight, back.skill) == pytest.approx((one.weight, one.skill))


def test_a_game_of_unknown_weight_has_no_other_side():
    log, _ = make_group(seeded())
    unknown = game_weights(log.games, SETTINGS)
    assert {one.weight for one in reverse_weights(unknown, SETTINGS).values()} == {1.0}
    off = replace(SETTINGS, use_weight=False)
    assert {one.weight for one in reverse_weights(game_weights(log.games, off), off).values()} == {1.0}


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_variant_is_rated(variant):
    log, weights = make_group(seeded())
    found = break_group(log, weights, SETTINGS, variant, rng=seeded(2))
    sound = rate_log(log, SETTINGS, weights=weights)
    assert (found.ratings.rating.tolist() == sound.ratings.rating.tolist()) == (variant == "sound")
    assert found.settings.deviation == (720.0 if variant == "prior x4" else 180.0)
    assert found.schedule.play.tolist() == sound.schedule.play.tolist()


def test_shares_are_counted_with_wilsons_intervals():
    rows = [
        (group, "sound", check, verdict)
        for group, verdict in enumerate([SUPPORTED, REFUTED, SUPPORTED])
        for check in ("calibration", "weight")
    ]
    table = verdict_shares(pd.DataFrame(rows, columns=["group", "variant", "check", "verdict"]))
    assert table["check"].tolist() == ["calibration"] * 4 + ["weight"] * 4 + [ANY]
    assert table["verdict"].tolist()[:4] == list(VERDICTS)
    found = table.iloc[0]
    assert (found["count"], found["n"]) == (2, 3)
    assert (found["share"], found["low"], found["high"]) == share_interval(2, 3)[:3]
    last = table.iloc[-1]
    assert (last["verdict"], last["count"], last["n"]) == (REFUTED, 1, 3)


def test_what_cannot_be_measured_is_told():
    with pytest.raises(ValueError, match="variant is 'odd': allowed are 'sound'"):
        break_group(*make_group(seeded()), SETTINGS, "odd", rng=seeded())
