"""Tuning: the cut leaves units whole, the choice keeps to its part of the games, the rule is what it says."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludometrics.evaluation import cluster_errors, cluster_interval, one_standard_error, split, tune


def seeded(seed=1):
    return np.random.default_rng(seed)


# --- the split


def test_splits_by_hand():
    assert split(9).tuning.tolist() == [True] * 6 + [False] * 3
    assert split(["a", "a", "b", "c", "c", "c"]).report.tolist() == [False] * 3 + [True] * 3
    assert split(4, 0.5, times=[40, 10, 30, 20]).tuning.tolist() == [False, True, False, True]
    assert split(["x", "y"], 0.999).tuning.tolist() == [True, False]  # neither part is empty
    assert split(["x", "y"], 0.001).tuning.tolist() == [True, False]
    # Games of one time stay in the order of the rows.
    assert (
        split(300, times=np.repeat([2.0, 1.0], 150)).report.tolist()
        == [False] * 50 + [True] * 100 + [False] * 150
    )


def test_the_share_is_one_of_units_not_of_games():
    units = ["long"] * 60 + ["b", "c"]
    assert split(units).tuning.sum() == 61
    assert split(units, 1 / 3).tuning.sum() == 60


def test_the_cut_waits_until_no_unit_is_under_way():
    """b is under way from the third game to the fifth: the cut goes before or after it."""
    units = ["a", "a", "b", "c", "b", "d"]
    assert split(units, 0.5).tuning.tolist() == [True, True, False, False, False, False]
    assert split(units, 0.6).tuning.tolist() == [True, True, True, True, True, False]
    with pytest.raises(ValueError, match="no moment lies between whole units"):
        split(["a", "b", "a", "b"])
    assert split(["a", "b", "a", "b"], 0.5, times=[1, 3, 2, 4]).tuning.tolist() == [True, False, True, False]


@given(st.data())
def test_a_split_is_by_time_and_whole(data):
    sizes = data.draw(st.lists(st.integers(1, 5), min_size=2, max_size=12))
    share = data.draw(st.floats(0.05, 0.95))
    units = np.repeat(np.arange(len(sizes)), sizes)
    times = np.arange(len(units), dtype=float)
    order = np.array(data.draw(st.permutations(range(len(units)))))
    tuning, report = split(units[order], share, times=times[order])
    assert (tuning ^ report).all() and tuning.any() and report.any()
    assert times[order][tuning].max() < times[order][report].min()
    assert not set(units[order][tuning]) & set(units[order][report])
    wanted = min(max(share * len(sizes), 1), len(sizes) - 1)
    assert abs(len(set(units[order][tuning])) - wanted) <= 0.5 + 1e-9


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((1,), {}, "no moment"),
        ((0,), {}, "no moment"),
        ((["a", "a"],), {}, "no moment"),
        ((4, 0.0), {}, "share is 0.0"),
        ((4, 1.0), {}, "share is 1.0"),
        ((4, math.nan), {}, "share is nan"),
        ((2,), {"times": [1.0]}, r"times has shape \(1,\)"),
        ((2,), {"times": [1.0, np.nan]}, "time of game 1 is nan"),
        ((["a", None],), {}, "unit of game 1 is missing"),
    ],
)
def test_bad_splits_are_refused(arguments, options, message):
    with pytest.raises(ValueError, match=message):
        split(*arguments, **options)


# --- one standard error


def table_of_losses(steps, seed=1, n=200):
    """Settings that lose more than the first by the given steps, with differences of standard error 0.01 each."""
    rng = seeded(seed)
    luck = rng.exponential(0.6, n)
    noise = rng.normal(0, 1, (n, len(steps)))
    noise = (noise - noise.mean(axis=0)) / noise.std(axis=0, ddof=1) * 0.01 * math.sqrt(n)
    noise[:, 0] = 0
    return luck[:, None] + noise + np.array(steps)


def test_the_simplest_within_one_error_of_the_difference():
    losses = table_of_losses([0.0, 0.0101, 0.0099, 0.005])
    assert cluster_errors(losses - losses[:, [0]], None)[1:] == pytest.approx([0.01] * 3)
    assert one_standard_error(losses, None, [0, 1, 2, 3]) == 0
    assert one_standard_error(losses, None, [1, 2, 3, 0]) == 2  # 1 is simplest, but just too far
    assert one_standard_error(losses, None, [1, 3, 2, 0]) == 3
    # The best's own loss has a standard error of about 0.04: by it all of them will do.
    assert one_standard_error(losses, None, [1, 2, 3, 0], of="best") == 1


def test_the_classical_rule_by_hand():
    losses = np.array([[1.0, 1.6], [2.0, 2.5], [3.0, 3.7]])
    # Means 2 and 2.6; the best's error is 1/sqrt(3) = 0.577 < 0.6; the difference's is 0.0577.
    assert one_standard_error(losses, None, [1, 0], of="best") == 0
    losses[:, 1] -= 0.03
    assert one_standard_error(losses, None, [1, 0], of="best") == 1
    assert one_standard_error(losses, None, [1, 0]) == 0


def test_errors_are_those_of_units():
    """Games of a unit repeated: as one game, ever so many."""
    losses = table_of_losses([0.0, 0.009], n=30)
    units = np.arange(30)
    assert one_standard_error(losses, units, [1, 0]) == 1
    assert one_standard_error(np.repeat(losses, 9, axis=0), np.repeat(units, 9), [1, 0]) == 1
    assert one_standard_error(np.repeat(losses, 9, axis=0), None, [1, 0]) == 0
    assert (
        one_standard_error(np.repeat(losses, 9, axis=0), np.repeat(units, 9), [1, 0], weighting="unit") == 1
    )


def test_settings_that_are_the_same_are_settled_by_simplicity():
    losses = np.tile(table_of_losses([0.0]), 3)
    assert [one_standard_error(losses, None, order) for order in ([0, 1, 2], [2, 0, 1], [1, 2, 0])] == [
        0,
        2,
        1,
    ]


@pytest.mark.parametrize(
    ("units", "order", "of", "message"),
    [
        (None, [0], "difference", "must name each of 2 columns once"),
        (None, [0, 0], "difference", "order_of_simplicity is"),
        (None, [0, 2], "difference", "order_of_simplicity is"),
        (None, [0, 1], "worst", "of is 'worst'"),
        (["a", "a"], [0, 1], "difference", "there is one unit"),
    ],
)
def test_bad_choices_are_refused(units, order, of, message):
    with pytest.raises(ValueError, match=message):
        one_standard_error([[0.5, 0.6], [0.6, 0.7]], units, order, of=of)
    with pytest.raises(ValueError, match="loss of game 1 in column 0 is nan"):
        one_standard_error([[0.5, 0.6], [np.nan, 0.7]], None, [0, 1])


# --- tune


def turning(seed=1, n_units=90, games=4):
    """Losses of settings of which the first is best in the first two thirds, the second in the rest."""
    rng = seeded(seed)
    units = np.repeat(np.arange(n_units), games)
    luck = rng.exponential(0.6, len(units))
    late = units >= n_units * 2 // 3
    losses = {
        "early": luck + np.where(late, 0.05, 0.0),
        "late": luck + np.where(late, 0.0, 0.05),
        "never": luck + 0.1,
    }
    return pd.DataFrame(losses), units, late


def test_chosen_on_the_first_part_reported_on_the_rest():
    losses, units, late = turning()
    result = tune(losses, units, rng=seeded())
    assert (result.chosen, result.hindsight, result.n_settings) == ("early", "late", 3)
    for name, estimate in (("early", result.chosen_loss), ("late", result.hindsight_loss)):
        alone = cluster_interval(losses[name][late], units[late], rng=seeded())
        assert estimate == pytest.approx(alone, abs=1e-12) and estimate.n == 30
    assert result.difference == pytest.approx((0.05, 0.05, 0.05, 30), abs=1e-9)


def test_what_comes_after_the_cut_cannot_change_the_choice():
    losses, units, late = turning()
    chosen = tune(losses, units, rng=seeded()).chosen
    other = losses.copy()
    other.loc[late] = seeded(2).exponential(5, other[late].shape)
    assert tune(other, units, rng=seeded()).chosen == chosen


def test_a_shuffled_log_with_times_is_the_log():
    losses, units, _ = turning()
    order = seeded(3).permutation(len(units))
    plain = tune(losses, units, rng=seeded())
    shuffled = tune(losses.iloc[order], units[order], times=np.arange(len(units))[order], rng=seeded())
    assert shuffled[:2] == plain[:2]
    for one, other in zip(shuffled[2:5], plain[2:5], strict=True):
        assert one == pytest.approx(other, abs=1e-9)


def test_a_simple_setting_within_an_error_is_chosen():
    losses = pd.DataFrame(table_of_losses([0.0, 0.003, 0.5], n=300), columns=["best", "simple", "bad"])
    assert tune(losses, None, rng=seeded()).chosen == "best"
    assert tune(losses, None, order_of_simplicity=["bad", "simple", "best"], rng=seeded()).chosen == "simple"


def test_the_rule_counts_units_within_tune():
    """Ninefold games in units of nine: the same error, the same choice; as games of their own, a third of it."""
    losses = table_of_losses([0.0, 0.0035], n=300)
    first = losses[:200]
    first[:, 1] += 0.009 - (first[:, 1] - first[:, 0]).mean()  # 0.77 standard errors of 200 games
    many = pd.DataFrame(np.repeat(losses, 9, axis=0), columns=["best", "simple"])
    options = {"order_of_simplicity": ["simple", "best"], "replicates": 20, "rng": seeded()}
    assert tune(many, np.repeat(np.arange(300), 9), **options).chosen == "simple"
    assert tune(many, None, **options).chosen == "best"


def test_one_setting_leaves_no_choice():
    result = tune({"only": [0.5, 0.6, 0.7, 0.8, 0.9, 1.0]}, None, rng=seeded())
    assert (result.chosen, result.hindsight, result.n_settings) == ("only", "only", 1)
    assert result.difference == (0, 0, 0, 2)


def test_equal_seeds_agree():
    losses, units, _ = turning()
    assert tune(losses, units, rng=seeded(1)) == tune(losses, units, rng=seeded(1))


@pytest.mark.parametrize(
    "order", [["early"], ["early", "late", "other"], ["early", "late", "never", "never"]]
)
def test_bad_orders_are_refused(order):
    losses, units, _ = turning()
    with pytest.raises(ValueError, match="must name each of"):
        tune(losses, units, order_of_simplicity=order, rng=seeded())


def test_bad_losses_are_refused():
    with pytest.raises(ValueError, match="loss of 'a' of game 1 is nan"):
        tune({"a": [0.5, np.nan, 0.5]}, None, rng=seeded())
    with pytest.raises(ValueError, match="no moment"):
        tune({"a": [0.5, 0.5]}, ["x", "x"], rng=seeded())
