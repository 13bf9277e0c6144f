"""Checks of the data: the split, the versions, exposure, colours, and who carries the games."""

import json
import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from ludometrics.abtest.estimation import estimate
from ludometrics.abtest.quality import (
    NO_SPLIT,
    check_split,
    effective_players,
    quality_table,
    sample_ratio,
    two_versions,
)
from ludometrics.abtest.trial import read_trial

CASES = json.loads((Path(__file__).parents[1] / "data" / "abtest" / "sample_ratio.json").read_text())
SEED = 1


def looked_at(games, blocks=None, **others):
    """Trial, estimate, and the table of checks by name."""
    trial = read_trial(games, blocks=blocks)
    result = estimate(trial, rng=np.random.default_rng(SEED), **others)
    table = quality_table(trial, result, rng=np.random.default_rng(SEED))
    assert table.columns.tolist() == ["check", "finding", "p", "status"]
    assert set(table["status"]) <= {"sound", "look", "unsound"}
    assert table["check"].is_unique
    return trial, result, table.set_index("check")


def hash_games(n_a=10, n_b=10, each=4, **columns):
    """Players with one version each, `each` games of alternate colours, scores 1, 0, 0.5 in turn."""
    rows = [
        (f"{version}{number:03d}", version, (1.0, 0.0, 0.5)[(number + game) % 3], "bw"[game % 2])
        for version, n in (("A", n_a), ("B", n_b))
        for number in range(n)
        for game in range(each)
    ]
    games = pd.DataFrame(rows, columns=["player", "variant", "score", "colour"])
    return games.assign(assigned=games["variant"], **columns)


# ------------------------------------------------------------------ the split


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["desc"])
def test_sample_ratio(case):
    split = sample_ratio(*case["counts"])
    assert (split.n_a, split.n_b, split.what) == (*case["counts"], "players")
    assert split.statistic == pytest.approx(case["statistic"], abs=6e-4)
    # Printed to 2 to 5 digits.
    assert split.p == pytest.approx(case["p"], rel=0.01)
    if "chi_square_p" in case:
        assert stats.chi2.sf(split.statistic, 1) == pytest.approx(case["chi_square_p"], abs=6e-5)


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 2000), st.integers(0, 2000), st.sampled_from([0.5, 0.1, 0.7]))
def test_sample_ratio_is_binomial_or_chi_square(n_a, n_b, share):
    if n_a + n_b == 0:
        return
    split, n = sample_ratio(n_a, n_b, share_b=share), n_a + n_b
    variance = n * share * (1 - share)
    assert split.statistic == pytest.approx((n_b - n * share) ** 2 / variance, abs=1e-9)
    if n < 1000:
        assert split.p == pytest.approx(stats.binomtest(n_b, n, share).pvalue)
    else:
        assert split.p == pytest.approx(2 * stats.norm.sf(abs(n_b - n * share) / math.sqrt(variance)))
    mirrored = sample_ratio(n_b, n_a, share_b=1 - share)
    assert (mirrored.p, mirrored.statistic) == pytest.approx((split.p, split.statistic), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("arguments", [(0, 0), (-1, 5), (5, -1)])
def test_bad_counts_are_named(arguments):
    with pytest.raises(ValueError, match=f"a split of {arguments[0]} and {arguments[1]}"):
        sample_ratio(*arguments)


@pytest.mark.parametrize("share", [0.0, 1.0, -0.5, math.nan])
def test_bad_shares_are_named(share):
    with pytest.raises(ValueError, match=f"at a share of {share}"):
        sample_ratio(5, 5, share_b=share)


def test_players_are_counted_where_players_were_dealt():
    """A player with a hundred games was dealt once; one who left every game unfinished was dealt as well."""
    games = hash_games(8, 9)
    heavy = pd.concat([games, *[games[games["player"] == "A000"]] * 25])
    gone = pd.DataFrame({"player": [f"Gone {n}" for n in range(3)], "variant": "B", "score": None})
    gone = gone.assign(colour="b", assigned="B")
    trial, result, _ = looked_at(pd.concat([heavy, gone]))
    assert result.players == (8, 9)
    assert check_split(trial, result) == sample_ratio(8, 12)


def test_games_are_counted_where_games_were_dealt():
    games = hash_games().assign(variant=["A", "A", "A", "B"] * 20).drop(columns="assigned")
    unfinished = games.head(4).assign(score=None)
    trial, result, table = looked_at(pd.concat([games, unfinished]), assignment="game")
    assert check_split(trial, result) == sample_ratio(63, 21, what="games")
    assert table.loc["split", "finding"] == "63 games in A, 21 in B"
    assert table.loc["split", "status"] == "unsound"


def test_designs_that_balance_by_themselves_have_no_split():
    games = hash_games(8, 8)
    blocks = {name: int(name[1:]) for name in games["player"]}
    trial, result, table = looked_at(games, blocks=blocks)
    assert check_split(trial, result) == NO_SPLIT and "split" not in table.index
    games = games.assign(variant=["A", "B", "B", "A"] * 16)
    trial, result, table = looked_at(games.drop(columns="assigned"), assignment="alternate")
    assert check_split(trial, result) == NO_SPLIT and "split" not in table.index


# ------------------------------------------------------------------ each check


def test_good_data_are_sound():
    _, _, table = looked_at(hash_games(12, 12))
    assert table["status"].eq("sound").all(), table
    assert set(table.index) == {
        "split",
        "versions",
        "recorded",
        "exposure",
        "unfinished",
        "colours",
        "carried A",
        "carried B",
    }


def test_an_uneven_split_is_unsound():
    _, _, table = looked_at(hash_games(40, 10))
    assert table.loc["split", "status"] == "unsound"
    assert table.loc["split", "p"] == pytest.approx(stats.binomtest(10, 50).pvalue)


def test_players_of_both_versions():
    games = hash_games().drop(columns="assigned")
    both = pd.concat([games, games.head(1).assign(variant="B")])
    trial, result, table = looked_at(both, design="between")
    assert two_versions(trial, result) == 1
    assert table.loc["versions", "status"] == "unsound"
    assert "1 of 20 players met both" in table.loc["versions", "finding"]
    trial, result, table = looked_at(both)
    assert two_versions(trial, result) == 0
    assert table.loc["versions", "status"] == "look"
    assert "only they count" in table.loc["versions", "finding"]


@pytest.mark.parametrize(("wrong", "status"), [(0, "sound"), (1, "look"), (2, "look"), (3, "unsound")])
def test_recorded_versions(wrong, status):
    """Of 200 games 2 may be misdealt, one in a hundred."""
    games = hash_games(10, 10, each=10)
    assigned = games["variant"].where(np.arange(200) >= wrong, "B")
    _, _, table = looked_at(games.assign(assigned=assigned))
    assert (table.loc["recorded", "status"], f"{wrong} of 200 games" in table.loc["recorded", "finding"]) == (
        status,
        True,
    )


def test_versions_that_were_not_recorded():
    _, _, table = looked_at(hash_games().drop(columns="assigned"))
    assert table.loc["recorded", "status"] == "look"


def test_exposure():
    """Players with B sent elsewhere after a few games: the number of games tells the versions apart."""
    games = hash_games(12, 12, each=12)
    sent_away = games[(games["variant"] == "A") | (games.groupby("player").cumcount() < 3)]
    _, _, table = looked_at(sent_away)
    assert table.loc["exposure", "status"] == "look"
    assert table.loc["exposure", "finding"] == "12.0 games a player in A, 3.0 in B"
    assert table.loc["exposure", "p"] < 0.001
    assert looked_at(games)[2].loc["exposure", "p"] == 1.0


def test_exposure_is_no_question_within_players():
    _, _, table = looked_at(hash_games().assign(variant=["A", "B"] * 40).drop(columns="assigned"))
    assert "exposure" not in table.index


def test_unfinished_games():
    games = hash_games(10, 10, each=10)
    left = games.assign(score=games["score"].where((games["variant"] == "A") | (np.arange(200) % 5 > 0)))
    _, _, table = looked_at(left)
    assert table.loc["unfinished", "finding"] == "0 of 100 in A, 20 of 100 in B left unfinished"
    assert table.loc["unfinished", "p"] == pytest.approx(stats.fisher_exact([[0, 100], [20, 80]]).pvalue)
    assert table.loc["unfinished", "status"] == "look"
    # Left unfinished as often with either version: worth no look.
    even = games.assign(score=games["score"].where(np.arange(200) % 5 > 0))
    assert looked_at(even)[2].loc["unfinished", "status"] == "sound"


def test_colours():
    games = hash_games(10, 10, each=10)
    _, _, table = looked_at(games)
    assert (table.loc["colours", "p"], table.loc["colours", "status"]) == (1.0, "sound")
    black = games.assign(colour=games["colour"].where(games["variant"] == "A", "b"))
    _, _, table = looked_at(black)
    assert table.loc["colours", "finding"] == "players had Black in 50 % of A's games, 100 % of B's"
    assert table.loc["colours", "p"] == pytest.approx(stats.fisher_exact([[50, 50], [0, 100]]).pvalue)
    assert table.loc["colours", "status"] == "look"
    assert looked_at(games.drop(columns="colour"))[2].loc["colours", "status"] == "look"


def test_one_player_carries_a_group():
    games = hash_games(12, 12)
    heavy = pd.concat([games, *[games[games["player"] == "B003"]] * 50])
    _, _, table = looked_at(heavy)
    assert table.loc["carried A", "status"] == "sound"
    assert table.loc["carried B", "status"] == "look"
    assert "most games: B003, 82 %" in table.loc["carried B", "finding"]


def test_few_players_weigh_little_though_they_play_alike():
    _, _, table = looked_at(hash_games(9, 12))
    assert (table.loc["carried A", "status"], table.loc["carried B", "status"]) == ("look", "sound")
    assert "9 players weigh as 9.0" in table.loc["carried A", "finding"]


def test_half_of_many_players_carry_a_group():
    """Twelve of forty play forty times as much: more than ten still weigh, but fewer than half."""
    games = hash_games(40, 40)
    heavy = pd.concat([games, *[games[games["player"].between("A000", "A011")]] * 39])
    _, _, table = looked_at(heavy)
    assert "40 players weigh as 13." in table.loc["carried A", "finding"]
    assert (table.loc["carried A", "status"], table.loc["carried B", "status"]) == ("look", "sound")


@pytest.mark.parametrize("design", ["between", "within"])
def test_one_group_is_empty(design):
    _, _, table = looked_at(hash_games(8, 0), design=design)
    assert table.loc["colours", "finding"] == "one group is empty"
    assert "carried B" not in table.index
    if design == "between":
        assert table.loc["exposure", "finding"] == "one group is empty"


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 50), min_size=1, max_size=12))
def test_effective_players(games):
    effective = effective_players(np.array(games))
    if not sum(games):
        assert effective == 0.0
    else:
        shares = np.array(games) / sum(games)
        assert effective == pytest.approx(1 / sum(share**2 for share in shares))
        assert 1.0 - 1e-12 <= effective <= np.count_nonzero(games) + 1e-12
        assert effective_players(3 * np.array([*games, 0])) == pytest.approx(effective)


def test_an_even_split_is_rarely_called_uneven():
    """All splits of twenty players by a fair coin, weighted by their chance: below a thousandth are called so."""
    chance = stats.binom(20, 0.5).pmf
    called = sum(chance(n_b) for n_b in range(21) if sample_ratio(20 - n_b, n_b).p < 0.001)
    assert 0.0 < called <= 0.001
