"""Whole-history rating: against a general minimiser, Bradley-Terry and its twin, and what must always hold."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from ludometrics.ratings import bradley_terry, glicko1, whr, whr_newton
from ludometrics.ratings.whr import WhrSettings

CASES = json.loads((Path(__file__).parents[1] / "data" / "ratings" / "whr.json").read_text())
#: Elo points to a natural logarithm of odds.
LOG_ODDS = np.log(10) / 400
#: Elo points: what a minimiser that knows no derivatives leaves.
MINIMISED = 1e-3
#: Elo points: both stop after a step below 1e-6, and the next would be far shorter still.
TWIN = 1e-9
LIVELY = WhrSettings(start=1000, start_deviation=200, drift=15, first_move=40)


def random_log(seed, n=200, m=6, days=40):
    rng = np.random.default_rng(seed)
    first = rng.integers(m, size=n)
    second = (first + rng.integers(1, m, size=n)) % m
    strength = rng.normal(0, 150, size=m)
    chance = 1 / (1 + 10 ** ((strength[second] - strength[first]) / 400))
    outcomes = np.where(rng.random(n) < 0.2, 0.5, rng.random(n) < chance)
    return np.stack([first, second], axis=1), outcomes, np.sort(rng.integers(0, days, n)).astype(float)


def negative_log_posterior(pairs, outcomes, times, options, weights=None):
    """Function of the ratings of all (player, day), by player and then by day; and that list."""
    weights = np.ones(len(outcomes)) if weights is None else weights
    used = [game for game in range(len(outcomes)) if weights[game] > 0]
    nodes = sorted({(int(player), float(times[game])) for game in used for player in pairs[game]})
    number = {node: k for k, node in enumerate(nodes)}

    def loss(ratings):
        value = 0.0
        for k, (player, day) in enumerate(nodes):
            if k and nodes[k - 1][0] == player:
                variance = options.drift**2 * (day - nodes[k - 1][1])
                value += (ratings[k] - ratings[k - 1]) ** 2 / (2 * variance)
            else:
                value += (ratings[k] - options.start) ** 2 / (2 * options.start_deviation**2)
        for game in used:
            first, second = (number[int(player), float(times[game])] for player in pairs[game])
            gap = LOG_ODDS * (ratings[first] - ratings[second] + options.first_move)
            win, loss = -np.log1p(np.exp(-gap)), -np.log1p(np.exp(gap))
            value -= weights[game] * (outcomes[game] * win + (1 - outcomes[game]) * loss)
        return value

    return loss, nodes


def numeric_hessian(loss, x, step=1.0):
    moves = step * np.eye(len(x))
    return np.array(
        [
            [
                (loss(x + a + b) - loss(x + a - b) - loss(x - a + b) + loss(x - a - b)) / (4 * step**2)
                for b in moves
            ]
            for a in moves
        ]
    )


def check_minimum(record, loss, start):
    scale = 1 / LOG_ODDS  # in natural units the function is about as curved in every direction
    found = minimize(lambda x: loss(start + scale * x), np.zeros(len(record.days)), method="BFGS", tol=1e-6)
    assert record.ratings == pytest.approx(start + scale * found.x, abs=0.05)
    # BFGS by differences stops early; Newton's next step from our point is the sharper test.
    hessian = numeric_hessian(loss, record.ratings)
    gradient = np.array(
        [
            (loss(record.ratings + move) - loss(record.ratings - move)) / 0.2
            for move in 0.1 * np.eye(len(record.days))
        ]
    )
    assert np.linalg.solve(hessian, gradient) == pytest.approx(np.zeros(len(gradient)), abs=MINIMISED)
    return hessian


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("weighted", [False, True])
def test_against_a_general_minimiser(seed, weighted):
    pairs, outcomes, times = random_log(seed, n=24, m=4, days=6)
    weights = np.random.default_rng(seed).choice([0.0, 0.5, 2.0], size=24) if weighted else None
    record = whr.fit(pairs, outcomes, times, settings=LIVELY, weights=weights)
    loss, nodes = negative_log_posterior(pairs, outcomes, times, LIVELY, weights)
    player = np.repeat(np.arange(4), np.diff(record.starts))
    assert list(zip(player.tolist(), record.days.tolist(), strict=True)) == nodes
    hessian = check_minimum(record, loss, LIVELY.start)
    assert record.converged and record.log_posterior == pytest.approx(-loss(record.ratings), rel=1e-12)
    # Joint deviations: the diagonal of the inverse. Conditional ones: of the inverse of the player's own block.
    inverse = np.linalg.inv(hessian)
    assert record.joint and record.deviations == pytest.approx(np.sqrt(np.diag(inverse)), rel=1e-4)
    for low, high in zip(record.starts[:-1], record.starts[1:], strict=True):
        block = np.linalg.inv(hessian[low:high, low:high])
        assert record.conditional_deviations[low:high] == pytest.approx(np.sqrt(np.diag(block)), rel=1e-4)
        assert record.covariances[low : high - 1] == pytest.approx(
            np.diag(inverse[low:high, low:high], 1), rel=1e-3
        )
        conditional = whr.fit(pairs, outcomes, times, settings=LIVELY, weights=weights, joint=False)
        assert conditional.covariances[low : high - 1] == pytest.approx(np.diag(block, 1), rel=1e-3)
    assert not conditional.joint
    assert np.array_equal(conditional.deviations, record.conditional_deviations)
    assert (record.deviations >= record.conditional_deviations).all()


def test_three_games():
    case = CASES["three_games"]
    options = WhrSettings(start=0, start_deviation=200, drift=np.sqrt(case["drift_squared"]))
    log = np.array(case["pairs"]), case["outcomes"], case["times"]
    record = whr.fit(*log, settings=options)
    one, other = whr.history(record, 0), whr.history(record, 1)
    assert (one[1] < 0).all() and (np.diff(one[1]) < 0).all()  # it won first and then lost twice
    assert one[1] == pytest.approx(-other[1], abs=1e-9) and one[2] == pytest.approx(other[2], abs=1e-9)
    check_minimum(record, negative_log_posterior(*log, options)[0], 0.0)


@pytest.mark.parametrize("options", [WhrSettings(), LIVELY, WhrSettings(drift=0), WhrSettings(drift=1e-3)])
def test_compiled_and_plain_agree(options):
    log = random_log(5)
    one, other = (whr.fit(*log, settings=options, compiled=compiled) for compiled in (True, False))
    assert one.ratings == pytest.approx(other.ratings, abs=TWIN)
    assert one.log_posterior == pytest.approx(other.log_posterior, rel=1e-12)
    assert one.converged and other.converged
    forecasts = [
        whr.replay(
            *log[:2], times=log[2], settings=replace(options, refit_days=8), compiled=compiled
        ).forecasts
        for compiled in (True, False)
    ]
    assert forecasts[0] == pytest.approx(forecasts[1], abs=TWIN)


def test_slopes_of_compiled_and_plain_agree():
    pairs, outcomes, times = random_log(6)
    rng = np.random.default_rng(6)
    _, days, histories = whr._gather(pairs, outcomes, times, rng.random(200), 6, LIVELY)
    x = rng.normal(0, 300, size=len(days))
    for one, other in zip(
        whr_newton.slopes(*histories, x), whr_newton.slopes_plain(*histories, x), strict=True
    ):
        assert one == pytest.approx(other, rel=1e-10, abs=1e-12)


def test_joint_deviations_by_columns_equal_those_of_the_dense_inverse(monkeypatch):
    log = random_log(7)
    dense = whr.fit(*log, settings=LIVELY)
    monkeypatch.setattr(whr, "JOINT_NODES", 0)
    columns = whr.fit(*log, settings=LIVELY, joint=True)
    assert columns.deviations == pytest.approx(dense.deviations, rel=1e-8)
    assert columns.covariances == pytest.approx(dense.covariances, rel=1e-6)
    assert columns.joint and not whr.fit(*log, settings=LIVELY).joint


@pytest.mark.parametrize("drift", [0.0, 1e-3])
def test_without_drift_it_is_bradley_terry(drift):
    pairs, outcomes, times = random_log(8)
    options = WhrSettings(start_deviation=180, drift=drift)
    record = whr.fit(pairs, outcomes, times, settings=options)
    whole = bradley_terry.fit(pairs, outcomes, prior_deviation=180, reference_rating=1500)
    ends = record.starts[1:] - 1
    assert record.ratings[ends] == pytest.approx(whole.ratings, abs=1e-3)
    assert record.deviations[ends] == pytest.approx(whole.errors, abs=1e-3)
    assert (len(record.days) == 6) == (drift == 0)


def test_more_drift_lets_ratings_move_more():
    log = random_log(9)
    spans = [
        np.ptp(whr.history(whr.fit(*log, settings=WhrSettings(drift=drift)), 0)[1]) for drift in (1, 10, 50)
    ]
    assert spans[0] < spans[1] < spans[2]


@given(seed=st.integers(0, 10**6))
@settings(max_examples=10, deadline=None)
def test_shifted_times_and_permuted_players_and_sides(seed):
    pairs, outcomes, times = random_log(seed, n=80)
    order = np.random.default_rng(seed).permutation(6)
    options = replace(LIVELY, first_move=0.0)
    one = whr.fit(pairs, outcomes, times, settings=options, n_players=6)
    # 1872-11-30, the first international of football, counted from 1970; and each pair the other way round.
    other = whr.fit(order[pairs[:, ::-1]], 1 - outcomes, times - 35_460, settings=options, n_players=6)
    for player in range(6):
        days, ratings, deviations = whr.history(one, player)
        moved = whr.history(other, order[player])
        assert np.array_equal(moved[0], days - 35_460)
        assert moved[1] == pytest.approx(ratings, abs=1e-6)
        assert moved[2] == pytest.approx(deviations, abs=1e-6)


def test_weight_two_is_the_game_twice_and_weight_zero_none():
    pairs, outcomes, times = random_log(10, n=60)
    counts = np.random.default_rng(10).integers(0, 3, size=60)
    one = whr.fit(pairs, outcomes, times, settings=LIVELY, weights=counts)
    rows = np.repeat(np.arange(60), counts)
    other = whr.fit(pairs[rows], outcomes[rows], times[rows], settings=LIVELY)
    assert np.array_equal(one.days, other.days)
    assert one.ratings == pytest.approx(other.ratings, abs=TWIN)
    assert one.deviations == pytest.approx(other.deviations, abs=TWIN)


def test_a_player_with_only_wins_in_60000_games_stays_finite():
    rng = np.random.default_rng(29)
    n, m = 60_000, 300
    first = rng.integers(m, size=n)
    pairs = np.stack([first, (first + rng.integers(1, m, size=n)) % m], axis=1)
    outcomes = rng.choice([0.0, 1.0], size=n)
    outcomes[pairs[:, 0] == 0], outcomes[pairs[:, 1] == 0] = 1.0, 0.0
    record = whr.fit(pairs, outcomes, np.sort(rng.integers(0, 500, n)))
    assert record.converged and record.steps < 20 and not record.joint
    assert np.isfinite(record.ratings).all() and np.isfinite(record.deviations).all()
    rating = whr.history(record, 0)[1]
    assert (rating > record.ratings[record.starts[1] :].max()).all() and (rating < 5000).all()


def test_ratings_on_any_day():
    pairs, outcomes, times = random_log(11)
    record = whr.fit(pairs, outcomes, times * 10, settings=LIVELY, n_players=7)
    days, ratings, deviations = whr.history(record, 2)
    same = whr.at(record, 2, days)
    assert same[0] == pytest.approx(ratings, abs=1e-9) and same[1] == pytest.approx(deviations, abs=1e-9)
    k = int(np.argmax(np.diff(days)))
    middle = (days[k] + days[k + 1]) / 2
    # A node without games changes nothing, so that a game of next to no weight on that day tells the right answer.
    row = int(np.searchsorted(times * 10, middle))
    told = whr.fit(
        np.insert(pairs, row, [2, 0], axis=0),
        np.insert(outcomes, row, 0.5),
        np.insert(times * 10, row, middle),
        settings=LIVELY,
        n_players=7,
        weights=np.insert(np.ones(200), row, 1e-9),
    )
    at = np.searchsorted(whr.history(told, 2)[0], middle)
    found = whr.at(record, 2, middle)
    assert found[0] == pytest.approx(whr.history(told, 2)[1][at], abs=1e-4)
    assert found[1] == pytest.approx(whr.history(told, 2)[2][at], abs=1e-4)
    later = whr.at(record, 2, days[-1] + 100.0)
    assert later[0] == pytest.approx(ratings[-1])
    assert later[1] == pytest.approx(np.hypot(deviations[-1], LIVELY.drift * 10))
    assert [float(value) for value in whr.at(record, 6, 50.0)] == [LIVELY.start, LIVELY.start_deviation]
    many = whr.at(record, [[0], [6]], [1.0, 2.0, 3.0])
    assert many[0].shape == many[1].shape == (2, 3)


def test_ratings_on_any_day_of_an_empty_log():
    record = whr.fit([], [], [], n_players=2)
    assert record.converged and record.starts.tolist() == [0, 0, 0] and len(record.days) == 0
    assert [values.tolist() for values in whr.at(record, [0, 1], 3.0)] == [[1500.0] * 2, [350.0] * 2]


def test_replay_forecasts_by_the_fit_to_all_games_before():
    pairs, outcomes, times = random_log(12)
    record = whr.replay(pairs, outcomes, times=times, settings=replace(LIVELY, refit_days=7))
    newcomers = glicko1.expected_score(1040, 1000, 200, 200)
    assert record.forecasts[: record.chunks[1]] == pytest.approx(newcomers)
    for low, high in zip(record.chunks[1:-1], record.chunks[2:], strict=True):
        fitted = whr.fit(pairs[:low], outcomes[:low], times[:low], settings=LIVELY, n_players=6, joint=False)
        one, other = (whr.at(fitted, pairs[low:high, side], times[low:high]) for side in (0, 1))
        expected = glicko1.expected_score(one[0] + 40, other[0], one[1], other[1])
        assert record.forecasts[low:high] == pytest.approx(expected, abs=1e-9)
    whole = whr.fit(pairs, outcomes, times, settings=LIVELY)
    ends = whole.starts[1:] - 1
    assert record.ratings == pytest.approx(whole.ratings[ends], abs=1e-6)
    grown = whole.conditional_deviations[ends] ** 2 + LIVELY.drift**2 * (times[-1] - whole.days[ends])
    assert record.deviations == pytest.approx(np.sqrt(grown), abs=1e-6)
    assert record.games.tolist() == np.bincount(pairs.ravel()).tolist()


@pytest.mark.parametrize(
    "chunks", [{"refit_days": 5, "refit_every": 1}, {"refit_days": 0, "refit_every": 30}, {}]
)
def test_replay_never_looks_ahead(chunks):
    pairs, outcomes, times = random_log(13)
    later = outcomes.copy()
    later[120:] = 1 - later[120:]
    chosen = WhrSettings(**chunks)
    one, other = (whr.replay(pairs, values, times=times, settings=chosen) for values in (outcomes, later))
    end = one.chunks[one.chunks > 120][0]
    assert one.forecasts[:end].tobytes() == other.forecasts[:end].tobytes()
    assert not np.array_equal(one.forecasts[end:], other.forecasts[end:])
    shorter = whr.replay(pairs[:end], outcomes[:end], times=times[:end], n_players=6, settings=chosen)
    assert one.forecasts[:end].tobytes() == shorter.forecasts.tobytes()
    assert all(times[low - 1] < times[low] for low in one.chunks[1:-1])


def test_without_times_a_replay_is_that_of_ratings_that_do_not_wander():
    pairs, outcomes, _ = random_log(15)
    one = whr.replay(pairs, outcomes, settings=LIVELY)
    other = whr.replay(pairs, outcomes, times=np.arange(200.0), settings=replace(LIVELY, drift=0))
    assert one.forecasts == pytest.approx(other.forecasts, abs=TWIN)


def test_forecasts_beat_a_coin_on_players_who_differ():
    pairs, outcomes, times = random_log(14, n=600)
    forecasts = whr.replay(pairs, outcomes, times=times).forecasts
    loss = -np.mean(outcomes * np.log(forecasts) + (1 - outcomes) * np.log(1 - forecasts))
    assert loss < np.log(2) - 0.02


@pytest.mark.parametrize(
    "log, options, message",
    [
        (([[0, 1]], [0.7], [0]), {}, "outcome of game 0"),
        (([[0, 1]] * 2, [1, 0], [1, 0]), {}, "time of game 1"),
        (([[0, 1]], [1], [np.nan]), {}, "time of game 0"),
        (([[0, 1]], [1], [0, 1]), {}, "times has shape"),
        (([[0, 1]], [1], [0]), {"weights": [-1]}, "weight of game 0"),
        (([[0, 1]], [1], [0]), {"weights": [[1, 2]]}, "weights of game 0 are"),
        (([[0, 3]], [1], [0]), {"n_players": 2}, "players of game 0"),
    ],
)
def test_bad_logs_are_errors(log, options, message):
    with pytest.raises(ValueError, match=message):
        whr.fit(*log, **options)


@pytest.mark.parametrize(
    "field, value",
    [
        ("start_deviation", 0.0),
        ("drift", -1.0),
        ("tolerance", 0.0),
        ("start", np.inf),
    ],
)
def test_bad_settings_are_errors(field, value):
    with pytest.raises(ValueError, match=f"{field} is"):
        WhrSettings(**{field: value})


def test_bad_questions_are_errors():
    record = whr.fit([[0, 1]], [1], [0])
    for question in (lambda: whr.history(record, 2), lambda: whr.at(record, [0, -1], 0.0)):
        with pytest.raises(ValueError, match="allowed are 0 to 1"):
            question()
    with pytest.raises(ValueError, match="must be finite"):
        whr.at(record, 0, np.inf)


def test_steps_that_run_out_are_reported():
    with pytest.warns(bradley_terry.ConvergenceWarning, match="after 1 steps"):
        record = whr.fit([[0, 1]], [1], [0], settings=WhrSettings(max_steps=1))
    assert not record.converged and record.steps == 1
