"""Bradley-Terry: two published data sets, and what must always hold."""

import json
import warnings
from dataclasses import astuple
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog, minimize

from ludometrics.ratings import bradley_terry, bradley_terry_existence, bradley_terry_newton
from ludometrics.ratings.bradley_terry import BradleyTerrySettings
from ludometrics.ratings.chunks import chunk_starts

CASES = json.loads((Path(__file__).parents[1] / "data" / "ratings" / "bradley_terry.json").read_text())
#: Elo points to a natural logarithm of odds.
LOG_ODDS = np.log(10) / 400
SIX_PLACES = 5e-7
FOUR_PLACES = 5e-5
#: Elo points: what a minimiser that knows no derivatives leaves.
MINIMISED = 1e-3
#: Sparse and dense solvers; columns of the inverse are solved to 1e-5, their diagonals are better by the square.
SPARSE = 1e-6
quiet = pytest.mark.filterwarnings("ignore::ludometrics.ratings.bradley_terry.SeparationWarning")


def random_log(seed, n=300, m=8, first_move=60.0):
    rng = np.random.default_rng(seed)
    ratings = rng.normal(0, 150, size=m)
    first = rng.integers(m, size=n)
    second = (first + rng.integers(1, m, size=n)) % m
    expected = 1 / (1 + 10 ** ((ratings[second] - ratings[first] - first_move) / 400))
    outcomes = np.where(rng.random(n) < 0.2, 0.5, rng.random(n) < expected)
    return np.stack([first, second], axis=1), outcomes


def minimised(pairs, outcomes, m, *, weights=None, prior=None, move_prior=None, with_move=False):
    """Ratings (player 0 at 0 without a prior) and first move that a general minimiser finds, and its Hessian."""
    weights = np.ones(len(outcomes)) if weights is None else weights
    pairs = np.asarray(pairs)

    def loss(x):
        ratings = x[:m] if prior else np.append(0.0, x[: m - 1])
        gap = LOG_ODDS * (ratings[pairs[:, 0]] - ratings[pairs[:, 1]] + (x[-1] if with_move else 0.0))
        chance = 1 / (1 + np.exp(-gap))
        value = -np.sum(weights * (outcomes * np.log(chance) + (1 - outcomes) * np.log(1 - chance)))
        if prior:
            value += np.sum(ratings**2) / (2 * prior**2)
        return value + (x[-1] ** 2 / (2 * move_prior**2) if move_prior else 0.0)

    size = (m if prior else m - 1) + with_move
    # In natural units, in which the function is about as curved in every direction.
    found = minimize(lambda x: loss(x / LOG_ODDS), np.zeros(size), method="BFGS", jac="3-point", tol=1e-7)
    x = found.x / LOG_ODDS
    return x[:m] if prior else np.append(0.0, x[: m - 1]), x[-1] if with_move else 0.0, loss, x


def hessian(loss, x, step=2.0):
    """By central differences of the second order, exact to about step^2."""
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


def baseball():
    case = CASES["baseball"]
    log = []
    for home, row in case["home_wins_losses"].items():
        for away, (won, lost) in row.items():
            pair = (case["teams"].index(home), case["teams"].index(away))
            log += [(pair, 1.0)] * won + [(pair, 0.0)] * lost
    return [pair for pair, _ in log], [outcome for _, outcome in log]


def test_baseball():
    case = CASES["baseball"]
    pairs, outcomes = baseball()
    record = bradley_terry.fit(pairs, outcomes, reference=case["teams"].index("Baltimore"))
    abilities = dict(zip(case["teams"], record.ratings * LOG_ODDS, strict=True))
    assert len(outcomes) == 273
    assert abilities == pytest.approx(case["abilities"], abs=5e-5)
    assert record.log_likelihood == pytest.approx(case["log_likelihood"], abs=5e-7)
    assert record.errors[:-1] * LOG_ODDS == pytest.approx(np.full(6, 0.31), abs=0.04)  # published: about 0.3
    # Without draws both kinds of error estimate the same thing.
    assert record.robust_errors[:-1] == pytest.approx(record.errors[:-1], rel=0.1)


def test_citations():
    case = CASES["citations"]
    counts = np.array(case["cited_by_citing"])
    pairs = [(i, j) for i in range(4) for j in range(4) if i != j for _ in range(counts[i, j])]
    record = bradley_terry.fit(pairs, np.ones(len(pairs)))
    assert record.ratings * LOG_ODDS == pytest.approx(case["abilities"], abs=5e-6)


@given(seed=st.integers(0, 10**6))
@settings(max_examples=20, deadline=None)
def test_order_sides_and_reference_do_not_matter(seed):
    rng = np.random.default_rng(seed)
    pairs = np.array([(i, j) for i in range(4) for j in range(4) if i != j] * 4)
    outcomes = rng.choice([0, 0.5, 1], size=len(pairs))
    outcomes[:12] = 0.5  # ties everybody to everybody, so that a fit exists
    one = bradley_terry.fit(pairs, outcomes, reference=1, reference_rating=1500)
    order = rng.permutation(len(pairs))
    other = bradley_terry.fit(pairs[order][:, ::-1], 1 - outcomes[order], reference=3)
    assert np.diff(one.ratings) == pytest.approx(np.diff(other.ratings), abs=1e-6)
    assert one.ratings[1] == 1500 and one.errors[1] == 0


def test_draws_make_robust_errors_smaller():
    record = bradley_terry.fit([[0, 1]] * 100, [1.0] * 20 + [0.0] * 20 + [0.5] * 60)
    assert record.robust_errors[1] == pytest.approx(record.errors[1] * np.sqrt(0.4))


@pytest.mark.parametrize("outcome", [1, 0])
def test_a_player_that_never_scored_is_an_error(outcome):
    with pytest.raises(ValueError, match="no finite ratings fit"):
        bradley_terry.fit([[0, 1], [1, 2], [2, 1]], [outcome, 1, 1])


def test_players_that_never_met_are_an_error():
    with pytest.raises(ValueError, match="no finite ratings fit"):
        bradley_terry.fit([[0, 1], [2, 3]], [0.5, 0.5])


def test_baseball_at_home():
    case = CASES["baseball"]
    pairs, outcomes = baseball()
    record = bradley_terry.fit(pairs, outcomes, reference=case["teams"].index("Baltimore"), first_move=True)
    assert record.first_move * LOG_ODDS == pytest.approx(case["home"]["first_move"], abs=SIX_PLACES)
    assert record.log_likelihood == pytest.approx(case["home"]["log_likelihood"], abs=SIX_PLACES)
    shares = np.exp(record.ratings * LOG_ODDS)
    shares = dict(zip(case["teams"], shares / shares.sum(), strict=True))
    assert shares == pytest.approx(case["home"]["shares"], abs=FOUR_PLACES)
    # Twice the gain of the logarithm is about the square of estimate over standard error (Wilks, Wald).
    gain = 2 * (case["home"]["log_likelihood"] - case["log_likelihood"])
    assert (record.first_move / record.first_move_error) ** 2 == pytest.approx(gain, rel=0.05)


def test_six_games_of_choix():
    case = CASES["six_games"]
    deviation = 1 / np.sqrt(2 * case["alpha"]) / LOG_ODDS
    record = bradley_terry.fit(case["winner_loser"], np.ones(6), prior_deviation=deviation)
    assert record.ratings * LOG_ODDS == pytest.approx(case["abilities"], abs=SIX_PLACES)
    assert not record.separated


@quiet
@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("prior_deviation", [200.0, 5000.0])
def test_a_chain_is_antisymmetric_and_falls(prior_deviation, sparse):
    m = CASES["chain"]["players"]
    pairs = [(i, i + 1) for i in range(m - 1)]
    record = bradley_terry.fit(pairs, np.ones(m - 1), prior_deviation=prior_deviation, sparse=sparse)
    assert record.converged and record.separated
    assert (np.diff(record.ratings) < 0).all()
    assert record.ratings == pytest.approx(-record.ratings[::-1], abs=1e-6)


def test_only_wins_give_finite_ratings_and_a_warning():
    case = CASES["only_wins"]
    log = [(0, 1)] * case["games"], np.ones(case["games"])
    with pytest.warns(bradley_terry.SeparationWarning, match=r"players \[1\] and \[0\]"):
        record = bradley_terry.fit(*log, prior_deviation=case["prior_deviation"], reference_rating=1500)
    assert record.separated and record.converged
    assert record.ratings - 1500 == pytest.approx([case["rating"], -case["rating"]], abs=1e-6)
    assert (record.errors < case["prior_deviation"]).all() and (record.errors > 0).all()
    with pytest.raises(ValueError, match="no finite ratings fit"):
        bradley_terry.fit(*log)


@pytest.mark.parametrize("prior", [None, 120.0])
@pytest.mark.parametrize("with_move", [False, True])
def test_against_a_general_minimiser(prior, with_move):
    pairs, outcomes = random_log(3)
    weights = np.random.default_rng(4).choice([0.0, 0.5, 1.0, 2.0], size=len(outcomes))
    record = bradley_terry.fit(pairs, outcomes, weights=weights, prior_deviation=prior, first_move=with_move)
    ratings, move, loss, x = minimised(pairs, outcomes, 8, weights=weights, prior=prior, with_move=with_move)
    assert record.ratings == pytest.approx(ratings, abs=MINIMISED)
    assert record.first_move == pytest.approx(move, abs=MINIMISED)
    errors = np.sqrt(np.diag(np.linalg.inv(hessian(loss, x))))
    assert record.errors[0 if prior else 1 :] == pytest.approx(errors[: 8 if prior else 7], rel=1e-4)
    if with_move:
        assert record.first_move_error == pytest.approx(errors[-1], rel=1e-4)
    else:
        assert record.first_move == record.first_move_error == 0.0


def test_prior_of_the_first_move():
    pairs, outcomes = random_log(5, n=60)
    record = bradley_terry.fit(pairs, outcomes, prior_deviation=100, first_move=True, first_move_deviation=20)
    _, move, _, _ = minimised(pairs, outcomes, 8, prior=100, with_move=True, move_prior=20)
    assert record.first_move == pytest.approx(move, abs=MINIMISED)
    free = bradley_terry.fit(pairs, outcomes, prior_deviation=100, first_move=True)
    assert 0 < record.first_move < free.first_move and record.first_move_error < free.first_move_error


@given(seed=st.integers(0, 10**6))
@settings(max_examples=15, deadline=None)
def test_weights(seed):
    pairs, outcomes = random_log(seed, n=60, m=5)
    counts = np.random.default_rng(seed).integers(0, 4, size=len(outcomes))
    options = {"n_players": 5, "prior_deviation": 150, "first_move": True, "first_move_deviation": 50}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        one = bradley_terry.fit(pairs, outcomes, weights=counts, **options)
        other = bradley_terry.fit(np.repeat(pairs, counts, axis=0), np.repeat(outcomes, counts), **options)
    assert one.ratings == pytest.approx(other.ratings, abs=1e-8)
    assert one.errors == pytest.approx(other.errors, rel=1e-9)
    assert one.first_move_error == pytest.approx(other.first_move_error, rel=1e-9)
    assert one.log_likelihood == pytest.approx(other.log_likelihood, rel=1e-9)
    assert one.separated == other.separated


def test_robust_errors_take_the_weighted_game_as_the_unit():
    twice = bradley_terry.fit([[0, 1], [1, 0]] * 50, [1, 1] * 50, weights=np.full(100, 2.0))
    once = bradley_terry.fit([[0, 1], [1, 0]] * 50, [1, 1] * 50)
    assert twice.robust_errors == pytest.approx(once.robust_errors)
    assert twice.errors == pytest.approx(once.errors / np.sqrt(2))


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("prior_deviation", [None, 150.0])
def test_permuted_players_give_permuted_results(prior_deviation, sparse):
    pairs, outcomes = random_log(7, n=400)
    order = np.random.default_rng(8).permutation(8)
    one = bradley_terry.fit(
        pairs, outcomes, reference=2, first_move=True, prior_deviation=prior_deviation, sparse=sparse
    )
    other = bradley_terry.fit(
        order[pairs],
        outcomes,
        reference=order[2],
        first_move=True,
        prior_deviation=prior_deviation,
        sparse=sparse,
    )
    for field in ("ratings", "errors", "robust_errors"):
        assert getattr(other, field)[order] == pytest.approx(
            getattr(one, field), abs=1e-4 if sparse else 1e-8
        )
    assert other.first_move == pytest.approx(one.first_move, abs=1e-7)


@quiet
@pytest.mark.parametrize("prior_deviation", [None, 150.0])
@pytest.mark.parametrize("first_move", [False, True])
@pytest.mark.parametrize("reach", [200, 2])  # a web, and a ring whose conjugate gradients give up
def test_sparse_equals_dense(prior_deviation, first_move, reach):
    rng = np.random.default_rng(11)
    m, n = 300, 9000
    first = rng.integers(m, size=n)
    pairs = np.stack([first, (first + rng.integers(1, reach, size=n)) % m], axis=1)
    outcomes = rng.choice([0, 0.5, 1], size=n, p=[0.3, 0.3, 0.4])
    dense, sparse = (
        bradley_terry.fit(
            pairs, outcomes, prior_deviation=prior_deviation, first_move=first_move, sparse=sparse
        )
        for sparse in (False, True)
    )
    for one, other in zip(astuple(dense), astuple(sparse), strict=True):
        assert other == pytest.approx(one, abs=SPARSE, rel=SPARSE)
    problem = bradley_terry_newton.Problem(
        bradley_terry_newton.gather(pairs, outcomes, np.ones(n), m),
        np.zeros(m + 1),
        np.arange(m + 1) > 0,
        True,
    )
    x = np.append(dense.ratings - dense.ratings[0], dense.first_move)
    one, other = (
        bradley_terry_newton.gap_variances(problem._replace(sparse=sparse), x, pairs[:50, 0], pairs[:50, 1])
        for sparse in (False, True)
    )
    assert other == pytest.approx(one, rel=SPARSE)


def test_many_players_are_sparse_by_themselves_and_errors_can_be_left_out():
    rng = np.random.default_rng(12)
    m, n = bradley_terry_newton.DENSE_PLAYERS + 1, 60_000
    first = rng.integers(m, size=n)
    pairs = np.stack([first, (first + rng.integers(1, m, size=n)) % m], axis=1)
    record = bradley_terry.fit(pairs, rng.choice([0, 0.5, 1], size=n), errors=False)
    assert record.converged and np.isfinite(record.ratings).all()
    assert np.isnan(record.errors).all() and np.isnan(record.robust_errors).all()
    assert len(record.errors) == m and record.first_move_error == 0.0


@pytest.mark.parametrize(
    "pairs, outcomes, message",
    [
        ([[0, 1], [1, 0], [0, 1]], [1, 1, 0], "first move decides so much"),
        ([[0, 1]] * 4, [1, 0, 0.5, 1], "cannot be told apart"),
        ([[0, 2], [0, 3], [1, 2], [1, 3]] * 2, [1, 0, 0, 1, 0, 1, 1, 0], "cannot be told apart"),
    ],
)
def test_a_first_move_that_the_games_do_not_tell(pairs, outcomes, message):
    with pytest.raises(ValueError, match=message):
        bradley_terry.fit(pairs, outcomes, first_move=True)
    with pytest.warns(bradley_terry.SeparationWarning, match=message):
        record = bradley_terry.fit(pairs, outcomes, first_move=True, prior_deviation=200)
    assert record.separated and np.isfinite([*record.ratings, record.first_move]).all()
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a prior on the first move is all that these games lack
        bradley_terry.fit(pairs, outcomes, first_move=True, first_move_deviation=50)


def test_a_first_move_that_won_every_game_needs_its_own_prior():
    log = [[0, 1], [1, 0]], [1, 1]
    with pytest.raises(ValueError, match="first players scored 2 of 2; give first_move_deviation"):
        bradley_terry.fit(*log, first_move=True, prior_deviation=200)
    record = bradley_terry.fit(*log, first_move=True, prior_deviation=200, first_move_deviation=50)
    assert record.first_move > 0 and not record.separated
    assert record.ratings == pytest.approx([0, 0], abs=1e-9)


def finite_by_linear_programme(pairs, outcomes, m, with_move):
    """Whether no ratings and first move separate the games, by the largest sum of margins with all within 1."""
    rows = np.zeros((len(pairs), m + 1))
    rows[np.arange(len(pairs)), pairs[:, 0]], rows[np.arange(len(pairs)), pairs[:, 1]] = 1, -1
    rows[:, -1] = with_move
    win, loss, draw = rows[outcomes == 1], rows[outcomes == 0], rows[outcomes == 0.5]
    up = np.concatenate([win, -loss])
    fixed = np.zeros((1, m + 1))
    fixed[0, 0] = 1
    equal = np.concatenate([draw, fixed])
    bounds = [(-m, m)] * m + [(-1, 1) if with_move else (0, 0)]
    for cost in (-up.sum(axis=0), *np.eye(m + 1), *-np.eye(m + 1)):
        found = linprog(
            cost, A_ub=-up, b_ub=np.zeros(len(up)), A_eq=equal, b_eq=np.zeros(len(equal)), bounds=bounds
        )
        if found.fun < -1e-7:
            return False
    return True


@given(seed=st.integers(0, 10**6))
@settings(max_examples=40, deadline=None)
def test_existence_against_a_linear_programme(seed):
    rng = np.random.default_rng(seed)
    m, n = int(rng.integers(2, 5)), int(rng.integers(2, 14))
    pairs, outcomes = random_log(seed, n=n, m=m)
    if rng.random() < 0.5:
        pairs = np.sort(pairs, axis=1)  # always the same of two players moves first
    cells = bradley_terry_newton.gather(pairs, outcomes, np.ones(n), m)
    for with_move in (False, True):
        why = bradley_terry_existence.obstacle(cells, m, first_move=with_move)
        assert (why == "") == finite_by_linear_programme(pairs, outcomes, m, with_move), why


def test_replay_forecasts_by_the_fit_to_all_games_before():
    pairs, outcomes = random_log(21, n=230)
    priors = {"prior_deviation": 180.0, "first_move": True, "first_move_deviation": 40.0}
    chosen = BradleyTerrySettings(refit_every=50, **priors)
    record = bradley_terry.replay(pairs, outcomes, settings=chosen)
    assert record.chunks.tolist() == [0, 50, 100, 150, 200, 230]
    assert (record.forecasts[:50] == 0.5).all()
    for low, high in zip(record.chunks[1:-1], record.chunks[2:], strict=True):
        fitted = bradley_terry.fit(pairs[:low], outcomes[:low], n_players=8, **priors)
        gap = fitted.ratings[pairs[low:high, 0]] - fitted.ratings[pairs[low:high, 1]] + fitted.first_move
        assert record.forecasts[low:high] == pytest.approx(1 / (1 + 10 ** (-gap / 400)), abs=1e-9)
    whole = bradley_terry.fit(pairs, outcomes, reference_rating=1500, **priors)
    assert record.ratings == pytest.approx(whole.ratings, abs=1e-6)
    assert record.first_move == pytest.approx(whole.first_move, abs=1e-6)
    assert (record.deviations < whole.errors).all() and (record.deviations > 0.5 * whole.errors).all()
    assert record.games.tolist() == np.bincount(pairs.ravel()).tolist()


@pytest.mark.parametrize("shrink, sparse", [(False, False), (True, False), (True, True)])
def test_replay_never_looks_ahead(shrink, sparse):
    pairs, outcomes = random_log(22, n=200)
    times = (
        np.sort(np.random.default_rng(22).integers(0, 30, 200)) - 35_460.0
    )  # from 1872-11-30, counted from 1970
    later = outcomes.copy()
    later[120:] = 1 - later[120:]
    chosen = BradleyTerrySettings(refit_every=10, first_move=True, shrink=shrink)
    one, other = (
        bradley_terry.replay(pairs, values, times=times, settings=chosen, sparse=sparse)
        for values in (outcomes, later)
    )
    end = one.chunks[one.chunks > 120][0]
    assert one.forecasts[:end].tobytes() == other.forecasts[:end].tobytes()
    assert not np.array_equal(one.forecasts[end:], other.forecasts[end:])
    for low in one.chunks[1:-1]:
        assert times[low - 1] < times[low]  # games of one time are not told of each other


def test_shrunk_forecasts_lie_nearer_one_half():
    pairs, outcomes = random_log(23, n=200)
    plain, shrunk = (
        bradley_terry.replay(pairs, outcomes, settings=BradleyTerrySettings(shrink=shrink)).forecasts
        for shrink in (False, True)
    )
    assert (np.abs(shrunk[100:] - 0.5) < np.abs(plain[100:] - 0.5)).all()
    assert (np.sign(shrunk - 0.5) == np.sign(plain - 0.5)).all()


def test_chunks():
    times = [0, 0, 0, 1, 1, 4, 9, 9]
    assert chunk_starts(times, 8).tolist() == [0, 3, 5, 6, 8]
    assert chunk_starts(times, 8, refit_days=2).tolist() == [0, 5, 6, 8]
    assert chunk_starts(times, 8, refit_every=4).tolist() == [0, 5, 8]
    assert chunk_starts(None, 5, refit_every=2, refit_days=1).tolist() == [0, 2, 4, 5]
    assert chunk_starts([], 0).tolist() == [0]


@pytest.mark.parametrize(
    "options, message",
    [
        ({"weights": [1.0]}, "weights has shape"),
        ({"weights": [1.0, -1.0]}, "weight of game 1 is -1"),
        ({"weights": [[1.0, 1.0], [1.0, 2.0]]}, "weights of game 1 are"),
        ({"max_steps": 0}, "max_steps is 0"),
        ({"prior_deviation": 0.0}, "prior_deviation is 0"),
        ({"prior_deviation": float("nan")}, "prior_deviation is nan"),
        ({"first_move": True, "first_move_deviation": -1.0}, "first_move_deviation is -1"),
        ({"reference": 2}, "reference is 2"),
    ],
)
def test_bad_settings_are_errors(options, message):
    with pytest.raises(ValueError, match=message):
        bradley_terry.fit([[0, 1], [1, 0]], [1, 1], **options)


@pytest.mark.parametrize(
    "options, message",
    [
        ({"refit_every": 0}, "refit_every is 0"),
        ({"refit_every": 1.5}, "refit_every is 1.5"),
        ({"refit_days": -1.0}, "refit_days is -1"),
        ({"prior_deviation": 0.0}, "prior_deviation is 0"),
        ({"first_move_deviation": -1.0}, "first_move_deviation is -1"),
    ],
)
def test_bad_settings_of_a_replay_are_errors(options, message):
    with pytest.raises(ValueError, match=message):
        bradley_terry.replay([[0, 1], [1, 0]], [1, 1], settings=BradleyTerrySettings(**options))


def test_steps_that_run_out_are_reported():
    with pytest.warns(bradley_terry.ConvergenceWarning, match="after 1 steps"):
        record = bradley_terry.fit([[0, 1]] * 4, [1, 1, 1, 0], max_steps=1)
    assert not record.converged and record.steps == 1
