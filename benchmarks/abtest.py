"""Speed of the A/B analysis and of its simulation; writes results/bench/abtest.csv.

Run on one core: ``python benchmarks/abtest.py``. Each figure is the median of five timings in CPU time after a warm-up.
The reference is another way to the same numbers, timed in this process, or, for an absolute bar, the bar itself.
"""

import numpy as np
import pandas as pd
from _timing import COLUMNS, row, seconds
from scipy import stats
from statsmodels.regression.linear_model import OLS

from ludometrics.abtest import deal_games, deal_players, stratified_effect
from ludometrics.abtest.decision import decide
from ludometrics.abtest.effects import gather_strata
from ludometrics.abtest.randomisation import DRAWS
from ludometrics.provenance import read_table, write_table
from ludometrics.simulation.ab_games import simulate_ab
from ludometrics.simulation.ab_grids import methods_grid
from ludometrics.simulation.ab_settings import PRESETS, preset
from ludometrics.simulation.ab_study import trial_of
from ludometrics.simulation.outcome_tables import load_outcomes

OUTCOMES = load_outcomes(read_table("results/draughts_outcomes/outcomes.csv"))
#: The study's grid: designs, numbers of players, truths, replications, and the cores it may use.
REPLICATIONS, CORES, BAR_MINUTES, SAMPLE = 1500, 2, 15.0, 10


def _trial(design: str, players: int):
    return trial_of(simulate_ab(preset(design, players, "course"), OUTCOMES, rng=np.random.default_rng(1)))


def _dummies(score, variant, stratum):
    """The same effect and error by statsmodels, a constant for each stratum."""
    constants = np.eye(int(stratum.max()) + 1)[stratum]
    constants = constants[:, constants.any(axis=0)]
    fit = OLS(score, np.column_stack([variant, constants])).fit()
    return fit.params[0], fit.HC2_se[0]


def _sampled(score, variant, stratum, draws: int = DRAWS, *, rng) -> float:
    """The same p-value by shuffling versions within strata, vectorised over draws."""
    order = np.argsort(stratum, kind="stable")
    score, variant, stratum = score[order], variant[order], stratum[order]
    mean = np.bincount(stratum, weights=score)[stratum] / np.bincount(stratum)[stratum]
    observed = abs(float(variant @ (score - mean)))
    count = 0
    for _ in range(0, draws, 100):
        keys = rng.random((100, len(score))) + stratum
        shuffled = variant[np.argsort(keys, axis=1)]
        count += int((np.abs(shuffled @ (score - mean)) >= observed - 1e-9).sum())
    return (count + 1) / (draws + 1)


def _effect_rows() -> list[dict]:
    trial = _trial("game_fixed", 200)
    columns = (trial.score, trial.variant, trial.stratum)
    strata = gather_strata(trial.variant, trial.stratum)  # others fit themselves and break HC2 there
    informative = (trial.score[strata.kept], trial.variant[strata.kept], strata.index)
    assert np.allclose(stratified_effect(*columns)[:2], _dummies(*informative))
    ours, theirs = seconds(lambda: stratified_effect(*columns)), seconds(lambda: _dummies(*informative))
    rows = [
        row(
            "effect within players, 200 players, statsmodels with constants",
            1 / ours,
            1 / theirs,
            20,
            "fits/s",
        )
    ]
    ours = seconds(lambda: deal_games(*columns))
    theirs = seconds(lambda: _sampled(*columns, rng=np.random.default_rng(1)), repeats=3)
    rows.append(
        row(
            f"games dealt again, all ways, numpy with {DRAWS:,} of them", 1 / ours, 1 / theirs, 100, "tests/s"
        )
    )
    value, variant = np.random.default_rng(1).random(200), np.arange(200) % 2
    ours = seconds(lambda: deal_players(value, variant, rng=np.random.default_rng(1)))

    def difference(a, b, axis):
        return a.mean(axis=axis) - b.mean(axis=axis)

    theirs = seconds(
        lambda: stats.permutation_test(
            (value[variant == 1], value[variant == 0]),
            difference,
            n_resamples=DRAWS,
            vectorized=True,
            rng=np.random.default_rng(1),
        )
    )
    rows.append(row(f"200 players dealt again, {DRAWS:,} ways, scipy", 1 / ours, 1 / theirs, 5, "tests/s"))
    return rows


def _decision_rows() -> list[dict]:
    rows = []
    for design, players in (("game_fixed", 200), ("hash_fixed", 200), ("alternate_fixed", 8)):
        trial = _trial(design, players)
        ours = seconds(lambda trial=trial: decide(trial, draws=999, rng=np.random.default_rng(1)))
        rows.append(
            row(f"verdict, {design}, {players} players", 1e3 * ours, 20.0, 1, "ms", less_is_better=True)
        )
    return rows


def _grid_row() -> dict:
    """Minutes of the whole grid for the course's analysis and ours, from a few of its replications."""

    def some() -> None:
        for design in PRESETS:
            players = (
                [8]
                if design == "names_matching"
                else [24, 200]
                if design == "blocked_fixed"
                else [8, 24, 200]
            )
            methods_grid(
                design, players, ["none", "course", "large"], OUTCOMES, seed=1, first=0, count=SAMPLE
            )

    minutes = seconds(some, repeats=3) * REPLICATIONS / SAMPLE / CORES / 60
    return row(
        f"grid of the study, {REPLICATIONS:,} replications, {CORES} cores", minutes, BAR_MINUTES, 1, "minutes",
        less_is_better=True,
    )  # fmt: skip


def main() -> None:
    """Measure and write the table."""
    rows = [*_effect_rows(), *_decision_rows(), _grid_row()]
    table = pd.DataFrame(rows, columns=COLUMNS)
    print(table.to_string(index=False))
    write_table(table, "results/bench/abtest.csv", key=["case"])


if __name__ == "__main__":
    main()
