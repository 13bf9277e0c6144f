"""A/B tests on games of people who come back.

Versions are dealt by hash (`assign_by_hash`, `assign_per_game`, ...) and recorded before play in a `Ledger`; a `Plan`
says beforehand how many games there are to be. `analyse` picks the unit of the analysis from the way the versions were
dealt and says in one line what the games allow; `report_text` shows what stands behind it. `read_saved` reads daily
files, `read_own` a CSV. The methods are here one by one as well, the course's own (`analyse_naive`) among them, to be
compared with.

>>> import numpy as np
>>> import pandas as pd
>>> from ludometrics.abtest import analyse, assign_per_game
>>> games = pd.DataFrame({"player": [f"Player {n}" for n in range(10)] * 40, "game": np.repeat(np.arange(40), 10)})
>>> games["variant"] = [assign_per_game("new opening", *game) for game in games.itertuples(index=False)]
>>> rng = np.random.default_rng(1)
>>> games["score"] = 1.0 * (rng.random(400) < np.where(games["variant"] == "B", 0.35, 0.55))  # here they are played
>>> print(analyse(games, rng=rng).verdict.text)
B looks tougher: players score 19.4 points less (95 % range -29.2 to -9.6 points; p < 0.001; n = 10 players).
"""

from ludometrics.abtest.analysis import POWER, Analysis, analyse, effect_sequence
from ludometrics.abtest.assignment import (
    assign_alternating,
    assign_blocked,
    assign_by_hash,
    assign_per_game,
    player_key,
)
from ludometrics.abtest.breakdown import (
    group_table,
    method_table,
    own_differences,
    player_table,
    sensitivity_table,
)
from ludometrics.abtest.cluster import ClusterFit, cluster_difference, cluster_regression
from ludometrics.abtest.contrasts import paired_differences, weighted_contrasts
from ludometrics.abtest.decision import Decision, decide
from ludometrics.abtest.drawing import draw_forest
from ludometrics.abtest.effects import Effect, player_effect, stratified_effect
from ludometrics.abtest.estimation import Estimation, estimate
from ludometrics.abtest.ledger import Ledger, assign, compare_with_games, read_ledger
from ludometrics.abtest.ledger_lines import Assignment
from ludometrics.abtest.naive import NaiveResult, analyse_naive, naive_difference
from ludometrics.abtest.own_games import read_own
from ludometrics.abtest.permutation import deal_players, flip_blocks
from ludometrics.abtest.planning import (
    DesignError,
    PlayerCorrelation,
    arm_size,
    design_effect,
    design_error,
    design_power,
    detectable_effect,
    detectable_from_error,
    games_needed,
    intra_player_correlation,
    players_needed,
    power_table,
)
from ludometrics.abtest.plans import Plan, load_plan, make_plan, plan_hash, save_plan
from ludometrics.abtest.quality import SampleRatio, effective_players, quality_table, sample_ratio
from ludometrics.abtest.randomisation import RandomisationTest, deal_games, flip_pairs
from ludometrics.abtest.recorded import add_recorded
from ludometrics.abtest.report import report_json, report_text
from ludometrics.abtest.saved import SavedTest, collect_games, read_saved
from ludometrics.abtest.scores import (
    Ratio,
    WinOdds,
    outcome_shares,
    ratio_difference,
    ratio_of_sums,
    score_variance,
    variance_from_sums,
    win_odds,
)
from ludometrics.abtest.sequences import (
    asymptotic_half_width,
    confidence_sequence,
    log_supermartingale,
    mixture_rho,
    normal_mixture_bound,
    r_for,
    repeated_looks,
)
from ludometrics.abtest.trial import Trial, Unit, find_unit, read_trial
from ludometrics.abtest.verdicts import (
    LEAST_PLAYERS,
    MARGIN,
    Facts,
    Verdict,
    equivalence,
    give_verdict,
    verdict_at_any_time,
)
from ludometrics.abtest.wild import WildResult, wild_cluster_bootstrap

__all__ = [
    "LEAST_PLAYERS",
    "MARGIN",
    "POWER",
    "Analysis",
    "Assignment",
    "ClusterFit",
    "Decision",
    "DesignError",
    "Effect",
    "Estimation",
    "Facts",
    "Ledger",
    "NaiveResult",
    "Plan",
    "PlayerCorrelation",
    "RandomisationTest",
    "Ratio",
    "SampleRatio",
    "SavedTest",
    "Trial",
    "Unit",
    "Verdict",
    "WildResult",
    "WinOdds",
    "add_recorded",
    "analyse",
    "analyse_naive",
    "arm_size",
    "assign",
    "assign_alternating",
    "assign_blocked",
    "assign_by_hash",
    "assign_per_game",
    "asymptotic_half_width",
    "cluster_difference",
    "cluster_regression",
    "collect_games",
    "compare_with_games",
    "confidence_sequence",
    "deal_games",
    "deal_players",
    "decide",
    "design_effect",
    "design_error",
    "design_power",
    "detectable_effect",
    "detectable_from_error",
    "draw_forest",
    "effect_sequence",
    "effective_players",
    "equivalence",
    "estimate",
    "find_unit",
    "flip_blocks",
    "flip_pairs",
    "games_needed",
    "give_verdict",
    "group_table",
    "intra_player_correlation",
    "load_plan",
    "log_supermartingale",
    "make_plan",
    "method_table",
    "mixture_rho",
    "naive_difference",
    "normal_mixture_bound",
    "outcome_shares",
    "own_differences",
    "paired_differences",
    "plan_hash",
    "player_effect",
    "player_key",
    "player_table",
    "players_needed",
    "power_table",
    "quality_table",
    "r_for",
    "ratio_difference",
    "ratio_of_sums",
    "read_ledger",
    "read_own",
    "read_saved",
    "read_trial",
    "repeated_looks",
    "report_json",
    "report_text",
    "sample_ratio",
    "save_plan",
    "score_variance",
    "sensitivity_table",
    "stratified_effect",
    "variance_from_sums",
    "verdict_at_any_time",
    "weighted_contrasts",
    "wild_cluster_bootstrap",
    "win_odds",
]
