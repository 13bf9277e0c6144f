"""How hard decisions are for whom: the temperature of the difficulty measure, estimated from players' choices."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.optimize import minimize_scalar

from ludometrics.backgammon.records import Kind
from ludometrics.backgammon.settings import DEFAULTS
from ludometrics.simulation.backgammon_players import PLAYERS
from ludometrics.simulation.backgammon_pool import Pool

WINDOW = 0.2  # normalised equity; the candidates of the pool are whole up to it
LOWEST, HIGHEST = 0.001, 0.5  # of the search, normalised equity


def temperature_table(pool: Pool, *, replicates: int, rng: np.random.Generator) -> pd.DataFrame:
    """The temperature at which a player's checker plays are likeliest, beside the one planted in him.

    P(play i) = exp(-cost_i / T) / sum over the listed candidates; costs are those of the analysis, which the player
    himself did not see. Only candidates up to WINDOW worse than the best enter, and only plays among them: the file
    lists the play made at any cost, but not its equals, and without the condition hot players would look hotter.

    Returns
    -------
    DataFrame
        player: `planted` temperature, `estimate` with its bootstrap interval over matches (one step of Newton a
        draw), `pr_at` the mean difficulty in PR's unit at the planted temperature and `pr_default` at that of the
        settings over the counted checker plays, `pr` his own on them; `n` matches, `decisions`.
    """
    decisions, judged = pool.library.decisions, pool.assessment
    counts = np.diff(decisions.option_start)
    usable = judged.counted & (decisions.kind == Kind.CHECKER) & (counts > 1) & (decisions.played >= 0)
    rows = []
    for player, name in enumerate(pool.names):
        own = np.flatnonzero(usable & (pool.player == player))
        if not len(own):
            continue
        data = _ChoiceData(pool, own)
        policy = PLAYERS[name]
        best = minimize_scalar(
            lambda log_t, data=data: -data.log_likelihood(np.exp(log_t)).sum(),
            bounds=(np.log(LOWEST), np.log(HIGHEST)),
            method="bounded",
        )
        estimate = float(np.exp(best.x))
        low, high = data.bootstrap(estimate, replicates, rng=rng)
        planted = policy.temperature if policy.temperature == policy.hurried_temperature else np.nan
        own_pr = 0.5 * judged.error_mp[own].mean()
        at_planted = 500 * data.expected_cost(planted).mean() if planted and not np.isnan(planted) else np.nan
        at_default = 500 * data.expected_cost(DEFAULTS.temperature).mean()
        rows.append(
            (name, planted, estimate, low, high, at_planted, at_default, own_pr, data.matches, data.decisions)
        )
    columns = ["player", "planted", "estimate", "low", "high", "pr_at", "pr_default", "pr", "n", "decisions"]
    return pd.DataFrame(rows, columns=columns)


class _ChoiceData:
    """Costs of the candidates of some decisions, flat, and which was played."""

    def __init__(self, pool: Pool, rows: np.ndarray) -> None:
        decisions, judged = pool.library.decisions, pool.assessment
        starts, ends = decisions.option_start[rows], decisions.option_start[rows + 1]
        lengths = ends - starts
        first = np.concatenate([[0], np.cumsum(lengths)[:-1]])
        flat = np.repeat(starts - first, lengths) + np.arange(lengths.sum())
        equity = decisions.options.equity
        best = np.repeat(equity[starts + judged.best[rows]], lengths)
        costs = np.maximum(best - equity[flat], 0)
        played = costs[first + decisions.played[rows]]
        near, used = costs <= WINDOW, played <= WINDOW
        taken = near & np.repeat(used, lengths)
        counts = np.add.reduceat(near.astype(int), first)[used]
        self.first = np.concatenate([[0], np.cumsum(counts)[:-1]])
        self.costs, self.played = costs[taken], played[used]
        self.decisions = len(self.played)
        self.unit = np.unique(decisions.match[rows][used], return_inverse=True)[1]
        self.matches = int(self.unit.max()) + 1

    def log_likelihood(self, temperature: float) -> np.ndarray:
        """Of each decision."""
        sums = np.add.reduceat(np.exp(-self.costs / temperature), self.first)
        return -self.played / temperature - np.log(sums)

    def expected_cost(self, temperature: float) -> np.ndarray:
        """Of each decision, choosing at this temperature."""
        weights = np.exp(-self.costs / temperature)
        return np.add.reduceat(weights * self.costs, self.first) / np.add.reduceat(weights, self.first)

    def bootstrap(self, estimate: float, replicates: int, *, rng: np.random.Generator) -> tuple[float, float]:
        """95 % interval of the temperature over whole matches, each draw by one Newton step in log T."""
        step = 1e-3
        shifted = [self.log_likelihood(estimate * np.exp(shift)) for shift in (-step, 0.0, step)]
        slope = np.bincount(self.unit, (shifted[2] - shifted[0]) / (2 * step))
        bend = np.bincount(self.unit, (shifted[2] - 2 * shifted[1] + shifted[0]) / step**2)
        drawn = rng.integers(self.matches, size=(replicates, self.matches))
        logs = np.log(estimate) - slope[drawn].sum(axis=1) / bend[drawn].sum(axis=1)
        low, high = np.percentile(np.exp(logs), [2.5, 97.5])
        return float(low), float(high)
