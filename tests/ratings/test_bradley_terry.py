"""Bradley-Terry: two published data sets, and what must always hold."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludometrics.ratings import bradley_terry

CASES = json.loads((Path(__file__).parents[1] / "data" / "ratings" / "bradley_terry.json").read_text())
#: Elo points to a natural logarithm of odds.
LOG_ODDS = np.log(10) / 400


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
