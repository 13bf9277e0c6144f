"""Calibration: bins that hold what they promise, the slope against a general optimiser, and the coverage of both."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, special

from ludometrics.evaluation import (
    calibration_curve,
    calibration_slope,
    expected_calibration_error,
    log_loss,
)
from ludometrics.evaluation.clusters import draw_units

COLUMNS = ["bin", "n", "units", "forecast", "outcome", "low", "high"]
#: A general optimiser of a smooth function finds its place to about the root of the machine's precision.
OPTIMISER = 1e-6

GAMES = st.lists(
    st.tuples(st.floats(0.01, 0.99), st.sampled_from([0.0, 0.5, 1.0]), st.integers(0, 5)),
    min_size=4,
    max_size=40,
)


def seeded(seed=1):
    return np.random.default_rng(seed)


def world(rng, *, n_units=150, games=4, slope=1.0, spread=0.8, shared=0.5, draws=0.0):
    """Games whose true expected score has the logit slope * logit(forecast).

    With chance `shared` a game takes its luck from its unit, so that the games of a unit agree more than they should
    while each outcome alone keeps its chance.
    """
    units = np.repeat(np.arange(n_units), games)
    logits = rng.normal(0, spread, n_units * games)
    luck = np.where(rng.random(len(units)) < shared, rng.random(n_units)[units], rng.random(len(units)))
    outcomes = np.where(luck < special.expit(slope * logits), 1.0, 0.0)
    outcomes[rng.random(len(units)) < draws] = 0.5
    return special.expit(logits), outcomes, units


def general_slope(forecasts, outcomes, weights=None):
    """The maximum of the quasi-likelihood by a bounded search that knows no derivative."""
    logits = special.logit(forecasts)
    weights = np.ones(len(logits)) if weights is None else weights

    def loss(slope):
        # logaddexp(0, z) - y z is the cross-entropy of y with 1/(1 + exp(-z)).
        return (weights * (np.logaddexp(0, slope * logits) - outcomes * slope * logits)).sum()

    return optimize.minimize_scalar(loss, bounds=(-50, 50), method="bounded", options={"xatol": 1e-10}).x


# --- the curve


def test_a_curve_by_hand():
    forecasts = [0.6] * 5 + [0.4] * 5 + [0.9] * 10
    outcomes = [1, 1, 1, 0, 0.5, 0, 0, 0, 0, 1] + [1] * 8 + [0, 0]
    units = list("aabbccddee") + list("ffgghhiijj")
    curve = calibration_curve(
        forecasts, outcomes, units=units, bins=2, min_games=10, min_units=5, rng=seeded()
    )
    assert curve.columns.tolist() == COLUMNS
    # From the favourite's side: 3.5 of 5 and 4 of 5 at 0.6; 8 of 10 at 0.9.
    assert curve.iloc[:, :5].to_numpy() == pytest.approx(
        np.array([[1, 10, 5, 0.6, 0.75], [2, 10, 5, 0.9, 0.8]])
    )
    assert (curve["low"] < curve["outcome"]).all() and (curve["outcome"] < curve["high"]).all()


def test_bins_hold_equally_many_games_in_order():
    forecasts, outcomes, units = world(seeded(), n_units=300, games=3)
    curve = calibration_curve(forecasts, outcomes, units=units, rng=seeded(2))
    assert curve["n"].tolist() == [90] * 10 and curve["bin"].tolist() == list(range(1, 11))
    favourites = np.sort(np.maximum(forecasts, 1 - forecasts)).reshape(10, 90)
    assert curve["forecast"].to_numpy() == pytest.approx(favourites.mean(axis=1), abs=1e-12)
    assert (curve["forecast"] >= 0.5).all()


@pytest.mark.parametrize(
    ("n_units", "games", "bins"),
    [(300, 2, 10), (150, 2, 6), (12, 50, 10), (25, 2, 1), (9, 50, 0), (49, 1, 0)],
)
def test_there_are_as_many_bins_as_can_be_filled(n_units, games, bins):
    """At least 50 games of 10 units in each: 600, 300, 600 (each unit in most bins), 50, and two that fall short."""
    forecasts, outcomes, units = world(seeded(), n_units=n_units, games=games)
    curve = calibration_curve(forecasts, outcomes, units=units, rng=seeded(2), replicates=50)
    assert len(curve) == bins
    assert (curve["n"] >= 50).all() and (curve["units"] >= 10).all()
    assert curve.columns.tolist() == COLUMNS and curve["n"].dtype == np.int64


def test_units_in_a_bin_are_counted():
    forecasts, outcomes, units = world(seeded(), n_units=40, games=20)
    curve = calibration_curve(forecasts, outcomes, units=units, rng=seeded(2), replicates=50, bins=4)
    bins = pd.qcut(np.maximum(forecasts, 1 - forecasts), 4, labels=False)
    assert curve["units"].tolist() == pd.Series(units).groupby(bins).nunique().tolist()


def test_equal_forecasts_share_a_bin_and_empty_bins_are_absent():
    """Two thirds of the forecasts are 0.5: of six bins by rank, three would be empty."""
    rng = seeded()
    forecasts = np.concatenate([np.full(400, 0.5), rng.uniform(0.6, 0.9, 200)])
    outcomes = rng.choice([0.0, 1.0], size=600)
    curve = calibration_curve(forecasts, outcomes, bins=6, rng=seeded(2), replicates=50)
    assert curve["n"].tolist() == [400, 100, 100] and curve["bin"].tolist() == [1, 2, 3]
    assert curve["forecast"].iloc[0] == 0.5 and curve["outcome"].iloc[0] == 0.5
    assert curve.notna().all(axis=None)


def test_equal_forecasts_go_where_their_middle_is():
    """Of two bins of 150, the 120 games at 0.7 lie on both sides of the cut, with their middle below it."""
    forecasts = np.repeat([0.6, 0.7, 0.8], [80, 120, 100])
    outcomes = np.tile([1.0, 0.0], 150)
    curve = calibration_curve(forecasts, outcomes, bins=2, rng=seeded(), replicates=20)
    assert curve["n"].tolist() == [200, 100]


def test_a_bin_of_one_unit_has_no_interval():
    forecasts, outcomes = np.repeat([0.6, 0.9], 60), np.tile([1.0, 0.0], 60)
    units = ["one play"] * 60 + list(range(60))
    curve = calibration_curve(
        forecasts, outcomes, units=units, bins=2, min_units=1, rng=seeded(), replicates=100
    )
    assert curve["units"].tolist() == [1, 60]
    assert curve["low"].isna().tolist() == curve["high"].isna().tolist() == [True, False]


def test_from_the_first_players_side():
    """A first player who wins more than was forecast shows only there: the favourite is first half the time."""
    rng = seeded()
    logits = rng.normal(0, 0.7, 4000)
    outcomes = (rng.random(4000) < special.expit(logits + 0.5)).astype(float)
    forecasts = special.expit(logits)
    first = calibration_curve(forecasts, outcomes, oriented=False, rng=seeded(2), replicates=200)
    assert first["forecast"].iloc[0] < 0.3 < 0.7 < first["forecast"].iloc[-1]
    assert (first["low"] > first["forecast"]).sum() >= 9
    favourite = calibration_curve(forecasts, outcomes, rng=seeded(2), replicates=200)
    assert (favourite["low"] > favourite["forecast"]).sum() <= 2


def test_intervals_of_the_curve_hold_the_truth():
    """Calibrated worlds: in 95 % of bins the interval holds the mean forecast, which is the true mean."""
    held = []
    for trial in range(60):
        forecasts, outcomes, units = world(seeded((1, trial)), n_units=100, games=6)
        curve = calibration_curve(forecasts, outcomes, units=units, rng=seeded((2, trial)), replicates=300)
        held += ((curve["low"] <= curve["forecast"]) & (curve["forecast"] <= curve["high"])).tolist()
    assert len(held) == 600
    # Three binomial standard errors at 94 % over 600 bins are 2.9 points.
    assert np.mean(held) == pytest.approx(0.94, abs=0.03)


def test_each_unit_counts_once_where_asked():
    """One unit of fifty games at odds with fifty of one."""
    forecasts, outcomes = np.full(100, 0.7), np.repeat([1.0, 0.0], 50)
    units = [0] * 50 + list(range(1, 51))
    options = {"units": units, "replicates": 50}
    by_game = calibration_curve(forecasts, outcomes, **options, rng=seeded())
    by_unit = calibration_curve(forecasts, outcomes, weighting="unit", **options, rng=seeded())
    assert by_game["outcome"].tolist() == pytest.approx([1 / 2])
    assert by_unit["outcome"].tolist() == pytest.approx([1 / 51])
    by_unit = expected_calibration_error(forecasts, outcomes, weighting="unit", **options, rng=seeded())
    assert by_unit.value == pytest.approx(0.7 - 1 / 51)


# --- the slope


@pytest.mark.parametrize("draws", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("slope", [-0.5, 0.4, 1.0, 2.5])
def test_the_slope_against_a_general_optimiser(slope, draws):
    forecasts, outcomes, units = world(seeded(3), slope=slope, draws=draws, n_units=100)
    ours = calibration_slope(forecasts, outcomes, units=units, replicates=1, rng=seeded())
    assert ours.value == pytest.approx(general_slope(forecasts, outcomes), abs=OPTIMISER)
    assert ours.n == 100


def test_the_slope_of_units_that_count_once():
    rng = seeded(4)
    forecasts, outcomes, _ = world(rng)
    units = rng.geometric(0.05, size=len(forecasts))
    sizes = pd.Series(units).map(pd.Series(units).value_counts()).to_numpy()
    ours = calibration_slope(forecasts, outcomes, units=units, weighting="unit", replicates=1, rng=seeded())
    assert ours.value == pytest.approx(general_slope(forecasts, outcomes, 1 / sizes), abs=OPTIMISER)


def test_replicates_of_the_slope_are_slopes_of_resamples():
    """The interval again, each replicate built game by game and fitted by the general optimiser."""
    forecasts, outcomes, units = world(seeded(5), n_units=20, games=5)
    (counts,) = draw_units(20, 60, rng=seeded(1))
    slopes = []
    for row in counts:
        rows = np.repeat(np.arange(100), row[units].astype(int))
        slopes.append(general_slope(forecasts[rows], outcomes[rows]))
    ours = calibration_slope(forecasts, outcomes, units=units, replicates=60, level=0.8, rng=seeded(1))
    assert ours[1:3] == pytest.approx(np.quantile(slopes, [0.1, 0.9]), abs=1e-5)


def test_over_confidence_by_a_known_factor_has_its_inverse_as_slope():
    forecasts, outcomes, units = world(seeded(6), n_units=300)
    once = calibration_slope(forecasts, outcomes, units=units, replicates=50, rng=seeded(1))
    stretched = special.expit(2 * special.logit(forecasts))
    twice = calibration_slope(stretched, outcomes, units=units, replicates=50, rng=seeded(1))
    assert np.array(twice[:3]) * 2 == pytest.approx(np.array(once[:3]), rel=1e-9)


def test_the_slope_is_where_the_log_loss_is_least():
    forecasts, outcomes, _ = world(seeded(7))
    slope = calibration_slope(forecasts, outcomes, replicates=1, rng=seeded()).value
    at, below, above = (
        log_loss(special.expit(s * special.logit(forecasts)), outcomes).mean()
        for s in (slope, slope - 0.01, slope + 0.01)
    )
    assert at < below and at < above


@pytest.mark.parametrize("slope", [0.6, 1.0])
def test_coverage_of_the_slope(slope):
    trials, hits = 80, 0
    for trial in range(trials):
        forecasts, outcomes, units = world(seeded((8, trial)), n_units=60, slope=slope, shared=0.9)
        ours = calibration_slope(forecasts, outcomes, units=units, replicates=100, rng=seeded((9, trial)))
        hits += ours.low <= slope <= ours.high
    # Three binomial standard errors at 93 % over 80 trials are 8.6 points.
    assert hits / trials == pytest.approx(0.93, abs=0.086)


def test_the_interval_of_the_slope_that_resamples_games_is_too_short():
    """Games of a unit that all have the same forecast and the same luck are one game."""
    forecasts, outcomes, _ = world(seeded(9), n_units=200, games=1)
    alone = calibration_slope(forecasts, outcomes, replicates=200, rng=seeded(1))
    fourfold, units = (np.repeat(forecasts, 4), np.repeat(outcomes, 4)), np.repeat(np.arange(200), 4)
    whole = calibration_slope(*fourfold, units=units, replicates=200, rng=seeded(1))
    assert whole == pytest.approx(alone, rel=1e-9)
    single = calibration_slope(*fourfold, replicates=200, rng=seeded(1))
    # Half as wide: four times as many games; 200 draws tell a width to some 8 %.
    assert (single.high - single.low) / (whole.high - whole.low) == pytest.approx(0.5, abs=0.12)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("forecasts", "outcomes"),
    [
        ([0.5, 0.5, 0.5], [1, 0, 0.5]),
        ([0.7, 0.4, 0.5], [1, 0, 0]),
        ([1.0, 0.0], [1, 0]),
        ([0.7, 0.4, 0.5], [0, 1, 1]),
        ([0.5], [1]),
    ],
    ids=["no favourite", "favourites win all", "certain and right", "favourites lose all", "one game"],
)
def test_where_there_is_no_slope_it_is_nan(forecasts, outcomes):
    slope = calibration_slope(forecasts, outcomes, replicates=20, rng=seeded())
    assert all(map(math.isnan, slope[:3])) and slope.n == len(forecasts)


@pytest.mark.filterwarnings("error")
def test_replicates_without_a_slope_open_the_interval():
    """One upset in eight: (7/8)^8 = 34 % of replicates miss it, and have favourites that win all."""
    slope = calibration_slope([0.8] * 8, [1] * 7 + [0], replicates=500, rng=seeded())
    assert slope.value == pytest.approx(math.log(7) / math.log(4))
    assert math.isfinite(slope.low) and slope.high == math.inf
    # Favourites alone that name none are drawn in (1/2)^2 = 1/4 of replicates: they tell nothing.
    slope = calibration_slope([0.5, 0.8, 0.8], [1, 1, 0], units=[1, 2, 2], replicates=200, rng=seeded())
    assert slope[:3] == pytest.approx((0, 0, 0), abs=1e-9)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("upset", [0.0, 1.0])
def test_certainty_that_fails_does_not_break_the_slope(upset):
    forecasts, outcomes, units = world(seeded(10))
    forecasts, outcomes = np.append(forecasts, upset), np.append(outcomes, 1 - upset)
    with_it = calibration_slope(
        forecasts, outcomes, units=np.append(units, 150), replicates=100, rng=seeded()
    )
    without = calibration_slope(forecasts[:-1], outcomes[:-1], units=units, replicates=100, rng=seeded())
    assert 0 < with_it.value < without.value - 0.1  # 27.6 logits pull hard
    assert all(map(math.isfinite, with_it))


@settings(deadline=None, max_examples=100)
@given(
    st.lists(
        st.tuples(st.floats(0, 1) | st.sampled_from([1e-16, 0.5 + 1e-15, 1.0]), st.sampled_from([0, 0.5, 1])),
        min_size=1,
        max_size=12,
    )
)
def test_the_slope_never_fails(games):
    forecasts, outcomes = np.array(games, dtype=float).T
    slope = calibration_slope(forecasts, outcomes, replicates=5, rng=seeded())
    if math.isfinite(slope.value):
        logits = np.log(np.maximum(forecasts, 1e-12)) - np.log(np.maximum(1 - forecasts, 1e-12))
        terms = logits * (outcomes - special.expit(slope.value * logits))
        # The equation that defines the slope, against the size of its terms.
        assert abs(terms.sum()) <= 1e-6 * np.abs(terms).sum() + 1e-12 * np.abs(logits).sum()


# --- the error


def test_the_error_by_hand():
    # Two bins of 60: forecast 0.6 with 45 of 60 won, forecast 0.9 with 48 of 60: (0.15 + 0.10) / 2.
    forecasts = [0.6] * 60 + [0.9] * 60
    outcomes = [1] * 45 + [0] * 15 + [1] * 48 + [0] * 12
    error = expected_calibration_error(forecasts, outcomes, rng=seeded())
    assert (error.value, error.n) == (pytest.approx(0.125), 120)
    assert error.low < error.value < error.high


def test_the_error_is_that_of_the_curve():
    forecasts, outcomes, units = world(seeded(11), slope=0.4)
    curve = calibration_curve(forecasts, outcomes, units=units, rng=seeded(), replicates=10)
    by_curve = (curve["n"] * (curve["outcome"] - curve["forecast"]).abs()).sum() / curve["n"].sum()
    error = expected_calibration_error(forecasts, outcomes, units=units, rng=seeded(), replicates=10)
    assert error.value == pytest.approx(by_curve)


def test_the_error_of_one_bin_is_that_of_a_mean():
    """One bin far from calibrated: the normal interval of a mean, 0.3 +- 1.96 sqrt(0.24 / 2000)."""
    outcomes = np.repeat([1.0, 0.0], [1200, 800])
    error = expected_calibration_error(np.full(2000, 0.9), outcomes, rng=seeded())
    half = 1.96 * math.sqrt(0.24 / 2000)
    assert (error.value, error.low, error.high) == pytest.approx((0.3, 0.3 - half, 0.3 + half), abs=0.004)


@pytest.mark.parametrize(("slope", "promised"), [(1.0, 0.97), (0.5, 0.96)])
def test_coverage_of_the_error(slope, promised):
    """Of calibrated forecasts the interval must hold 0, though the value and its replicates never do."""
    trials, hits, above = 150, 0, 0
    logits = np.abs(seeded(12).normal(0, 0.8, 200_000))
    true = np.abs(special.expit(logits) - special.expit(slope * logits)).mean()
    for trial in range(trials):
        forecasts, outcomes, units = world(seeded((13, trial)), slope=slope)
        error = expected_calibration_error(
            forecasts, outcomes, units=units, rng=seeded((14, trial)), replicates=200
        )
        hits += error.low <= true <= error.high
        above += error.value > true
    # Three binomial standard errors at 96 % over 150 trials are 4.8 points.
    assert hits / trials == pytest.approx(promised, abs=0.048)
    assert above / trials > 0.8  # the value is biased upwards: no interval of replicates about it would do


def test_too_little_for_one_bin_has_no_error():
    error = expected_calibration_error([0.7] * 49, [1] * 49, rng=seeded())
    assert error.n == 49 and all(map(math.isnan, error[:3]))
    one_unit = expected_calibration_error([0.7] * 50, [1] * 50, units=["a"] * 50, min_units=1, rng=seeded())
    assert one_unit.value == pytest.approx(0.3) and math.isnan(one_unit.low)


# --- what must not matter


@settings(deadline=None, max_examples=20)
@given(GAMES, st.randoms(use_true_random=False))
def test_swapped_players_shuffled_rows_and_renamed_units(games, random):
    forecasts, outcomes, units = np.array(games).T
    mirrored = np.round(forecasts * 1024) / 1024  # whose 1 - p is exact
    order = random.sample(range(len(games)), len(games))
    options = {"bins": 3, "min_games": 4, "min_units": 1}
    for measure, settings_of in (
        (calibration_curve, options),
        (expected_calibration_error, options),
        (calibration_slope, {}),
    ):
        runs = [
            measure(p, y, units=u, replicates=20, rng=seeded(), **settings_of)
            for p, y, u in (
                (mirrored, outcomes, units),
                (1 - mirrored, 1 - outcomes, units),
                (mirrored[order], outcomes[order], units[order]),
                (mirrored, outcomes, [f"play {int(u)}" for u in units]),
            )
        ]
        for other in runs[1:]:
            np.testing.assert_allclose(
                np.array(other, dtype=float), np.array(runs[0], dtype=float), rtol=1e-6, atol=1e-9
            )


def test_equal_seeds_agree_to_the_byte():
    forecasts, outcomes, units = world(seeded(15), n_units=60)
    for measure in (calibration_curve, calibration_slope, expected_calibration_error):
        one, same, other = (
            np.array(measure(forecasts, outcomes, units=units, replicates=50, rng=seeded(seed)), dtype=float)
            for seed in (1, 1, 2)
        )
        assert one.tobytes() == same.tobytes() != other.tobytes()


@pytest.mark.parametrize("measure", [calibration_curve, calibration_slope, expected_calibration_error])
@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"forecasts": [0.5, 1.5]}, "forecast of game 1 is 1.5"),
        ({"outcomes": [1, 0.25]}, "outcome of game 1 is 0.25"),
        ({"units": ["a", None]}, "unit of game 1 is missing"),
        ({"forecasts": [], "outcomes": []}, "there are no games"),
        ({"weighting": "day"}, "weighting is 'day'"),
        ({"level": 1.0}, "the level is 1.0"),
        ({"replicates": 0}, "replicates is 0"),
    ],
)
def test_bad_input_is_refused(measure, changes, message):
    bins = {} if measure is calibration_slope else {"min_games": 1, "min_units": 1}
    arguments = {"forecasts": [0.6, 0.7], "outcomes": [1, 0], "rng": seeded()} | bins | changes
    with pytest.raises(ValueError, match=message):
        measure(arguments.pop("forecasts"), arguments.pop("outcomes"), **arguments)


@pytest.mark.parametrize("measure", [calibration_curve, expected_calibration_error])
def test_no_bins_are_refused(measure):
    with pytest.raises(ValueError, match="bins is 0"):
        measure([0.6], [1], bins=0, rng=seeded())


# --- weights of games


def test_a_weight_of_two_is_a_game_twice():
    rng = seeded(12)
    forecasts, outcomes, units = world(rng, n_units=40)
    weights = rng.integers(0, 3, len(units))
    repeated = np.repeat(np.arange(len(units)), weights)
    options = {"replicates": 50}
    slope = calibration_slope(forecasts, outcomes, units=units, weights=weights, **options, rng=seeded())
    again = calibration_slope(
        forecasts[repeated], outcomes[repeated], units=units[repeated], **options, rng=seeded()
    )
    assert tuple(slope) == pytest.approx(tuple(again))
    whole = {"bins": 1, "min_games": 1, "min_units": 1, **options}
    curve = calibration_curve(forecasts, outcomes, units=units, weights=weights, **whole, rng=seeded())
    other = calibration_curve(
        forecasts[repeated], outcomes[repeated], units=units[repeated], **whole, rng=seeded()
    )
    assert curve.drop(columns="n").to_numpy() == pytest.approx(other.drop(columns="n").to_numpy())
    error = expected_calibration_error(
        forecasts, outcomes, units=units, weights=weights, **whole, rng=seeded()
    )
    other = expected_calibration_error(
        forecasts[repeated], outcomes[repeated], units=units[repeated], **whole, rng=seeded()
    )
    assert tuple(error) == pytest.approx(tuple(other))
