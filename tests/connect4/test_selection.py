"""The choice of an agent: its criterion, the tournament, and why the winner must play again."""

import math

import numpy as np
import pandas as pd
import pytest

from arena_rows import row
from ludometrics.connect4.run_table import CONDITIONS, STANDARD, Condition
from ludometrics.connect4.selection import criterion, select_agent, selection_summary, tournament_table

TWO = (Condition("depth 1", 0.0, "first"), Condition("depth 2", 0.0, "second"))


def games(wins, drawn=0, *, n=10, conditions=TWO):
    """An evaluation as the arena gives it: no columns of a run."""
    rows = [row(0, won, drawn=drawn, games=n, pairing=one) for won, one in zip(wins, conditions, strict=True)]
    return (
        pd.DataFrame(rows)
        .drop(columns=["recipe", "run", "step", "moves"])
        .assign(opponent_forfeits=0, seed=1)
    )


class Playing:
    """Agents are chances to win: plays by binomial draws from the seed and the agent, and keeps what it was asked."""

    def __init__(self, n=200, conditions=CONDITIONS):
        self.n, self.conditions, self.asked = n, conditions, []

    def __call__(self, agent, seed):
        self.asked.append((agent, seed))
        rng = np.random.default_rng([seed, *np.array(agent).view(np.uint32).ravel()])
        return games(
            rng.binomial(self.n, agent[1], len(self.conditions)), n=self.n, conditions=self.conditions
        )


def test_criterion_by_hand():
    # (8 - 2) / 10 = 0.6 and (5 - 5) / 10 = 0: mean 0.3. Variances with n - 1: (1 - 0.36) 10/9 and 10/9.
    found = criterion(games([8, 5]), TWO)
    assert found.score == pytest.approx(0.3)
    assert found.standard_error == pytest.approx(math.sqrt((0.64 + 1.0) / 9) / 2)
    assert (found.low, found.high) == pytest.approx((0.3 - 1.96 * 0.213437, 0.3 + 1.96 * 0.213437), abs=1e-5)
    assert (found.games, found.conditions) == (20, 2)


def test_draws_count_half_way_and_random_does_not_count():
    table = pd.concat([games([4, 4], 2), games([0], conditions=STANDARD[:1])])
    found = criterion(table, TWO)
    assert found.score == 0.0 and found.standard_error == pytest.approx(math.sqrt(0.8 / 9 * 2) / 2)
    assert found.games == 20


def test_the_standard_error_is_the_spread_of_repetitions():
    rng = np.random.default_rng(1)
    chances = rng.uniform(0.5, 0.95, 22)
    found = [criterion(games(rng.binomial(50, chances), n=50, conditions=CONDITIONS)) for _ in range(40)]
    spread = np.std([one.score for one in found], ddof=1)
    # The spread of 40 scores is known to 11 %: three times that.
    assert np.mean([one.standard_error for one in found]) == pytest.approx(spread, rel=0.33)


def test_a_single_game_has_no_standard_error():
    found = criterion(games([1, 0], n=1), TWO)
    assert found.score == 0.0 and math.isnan(found.standard_error) and math.isnan(found.low)


def test_the_tournament_ranks_agents():
    found = tournament_table({"low": games([2, 2]), "high": games([9, 9]), "also high": games([9, 9])}, TWO)
    assert found["agent"].tolist() == ["high", "also high", "low"]  # of equals the first given
    assert found["place"].tolist() == [1, 2, 3]
    assert found["behind"].tolist() == pytest.approx([0.0, 0.0, 1.4])
    assert found["behind_error"].tolist() == pytest.approx(
        [0.0, math.hypot(*found["standard_error"][:2]), math.hypot(*found["standard_error"][::2])]
    )


def test_agents_meet_the_same_seed_and_the_winner_a_fresh_one():
    agents = {"a": (0, 0.6), "b": (1, 0.9), "c": (2, 0.7)}
    play = Playing()
    found = select_agent(agents, play, seed=3, fresh_seed=4)
    assert found.winner == "b"
    assert play.asked == [((0, 0.6), 3), ((1, 0.9), 3), ((2, 0.7), 3), ((1, 0.9), 4)]
    assert found.fresh == criterion(found.fresh_games)
    own = found.games[found.games["agent"] == "b"]
    assert len(found.games) == 66 and criterion(own).score == found.table["score"].iloc[0]
    assert found.bias == pytest.approx(found.table["score"].iloc[0] - found.fresh.score)
    assert found.bias_low < found.bias < found.bias_high


def test_the_winners_own_score_is_too_high_and_its_fresh_one_is_not():
    # Ten equal agents score 0.4 in truth; the highest of ten is 1.54 standard errors above it, give or take 0.59.
    agents = {str(number): (number, 0.7) for number in range(10)}
    conditions = CONDITIONS[:2]
    found = [
        select_agent(
            agents, Playing(50, conditions), seed=trial, fresh_seed=10_000 + trial, conditions=conditions
        )
        for trial in range(10)
    ]
    own = np.mean([one.table["score"].iloc[0] for one in found])
    fresh = np.mean([one.fresh.score for one in found])
    error = math.sqrt(0.84 / 100)  # 1 - 0.4^2 over 100 games
    assert fresh == pytest.approx(0.4, abs=3 * error / math.sqrt(10))
    assert own - 0.4 == pytest.approx(1.54 * error, abs=3 * 0.59 * error / math.sqrt(10))
    assert np.mean([one.bias for one in found]) == pytest.approx(own - fresh)


def test_the_summary_sets_both_scores_beside_one_another():
    found = select_agent({"a": (0, 0.6), "b": (1, 0.9)}, Playing(), seed=3, fresh_seed=4)
    table = selection_summary(found)
    assert table["quantity"].tolist() == ["chosen by", "on fresh games", "bias"]
    assert set(table["agent"]) == {"b"}
    value = table["value"]
    assert value[0] - value[1] == pytest.approx(value[2])
    assert table["games"].tolist() == [4400, 4400, 8800]
    assert ((table["low"] < value) & (value < table["high"])).all()


def test_what_cannot_be_chosen_from_is_refused():
    with pytest.raises(ValueError, match="fresh_seed is 3, as seed"):
        select_agent({"a": (0, 0.5)}, Playing(), seed=3, fresh_seed=3)
    with pytest.raises(ValueError, match="there are no agents"):
        select_agent({}, Playing(), seed=3, fresh_seed=4)
    with pytest.raises(
        ValueError, match="agent 'b': 1 of 2 conditions were not played, the first depth 2 second"
    ):
        tournament_table({"a": games([1, 1]), "b": games([1], conditions=TWO[:1])}, TWO)
    with pytest.raises(ValueError, match="conditions is empty"):
        criterion(games([1, 1]), [])
    with pytest.raises(ValueError, match="depth 1 first: the row stands twice"):
        criterion(pd.concat([games([1, 1]), games([1, 1])]), TWO)
