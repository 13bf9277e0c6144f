"""Packages that people use, as the study calls them."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.regression.linear_model import OLS

from ludometrics.provenance import read_table
from ludometrics.simulation.ab_games import simulate_ab
from ludometrics.simulation.ab_peers import PEERS, _cluster, _tea_tasting, rate_peers
from ludometrics.simulation.ab_settings import preset
from ludometrics.simulation.outcome_tables import load_outcomes

pytest.importorskip("tea_tasting")


@pytest.fixture(scope="module")
def outcomes():
    return load_outcomes(read_table("results/draughts_outcomes/outcomes.csv"))


@pytest.fixture(scope="module")
def games(outcomes):
    return simulate_ab(preset("hash_fixed", 24, "course"), outcomes, rng=np.random.default_rng(3))


def test_statsmodels_clusters_by_player(games):
    design = np.column_stack([np.ones(len(games.score)), games.variant])
    fit = OLS(games.score, design).fit(cov_type="cluster", cov_kwds={"groups": games.player}, use_t=True)
    low, high = fit.conf_int()[1]
    said = _cluster(games, 0.0)
    assert (said.estimate, said.low, said.high) == pytest.approx((fit.params[1], low, high))


def test_tea_tasting_takes_games_or_players(games):
    a, b = (games.score[games.variant == version] for version in (0, 1))
    welch = stats.ttest_ind(b, a, equal_var=False).confidence_interval()
    said = _tea_tasting(games, 0.0, by_player=False)
    assert (said.low, said.high) == pytest.approx((welch.low, welch.high))
    players = _tea_tasting(games, 0.0, by_player=True)
    assert players.estimate == pytest.approx(said.estimate)
    assert players.high - players.low > said.high - said.low  # players differ more than games of one player


def test_counts_of_all_packages(outcomes):
    table = rate_peers(preset("alternate_fixed", 24, "none"), outcomes, seed=1, first=0, count=3)
    assert list(table["method"]) == list(PEERS) and (table["verdicts"] == 3).all()
    assert pd.api.types.is_integer_dtype(table["covered"]) and (table["covered"] <= table["ranges"]).all()
