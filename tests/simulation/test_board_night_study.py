"""Mechanisms, numbers, presets, checks and claims of the board-night study, at a small size."""

import dataclasses
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from ludometrics.boardgames.ablation import MECHANISMS, Mechanism
from ludometrics.boardgames.engine import rate_log
from ludometrics.boardgames.grid import IN_USE, KNOBS
from ludometrics.boardgames.judging import score_pairs
from ludometrics.boardgames.settings import PRESETS
from ludometrics.simulation import board_night_checks as checks
from ludometrics.simulation import board_night_claims as claims
from ludometrics.simulation import board_night_mechanisms as mechanisms
from ludometrics.simulation import board_night_presets as presets
from ludometrics.simulation.board_night_truth import true_chances
from ludometrics.simulation.boardgame_groups import simulate_group
from ludometrics.simulation.boardgame_worlds import GROUPS

TUNED = PRESETS["tuned"]
BLOCK = {"seed": 5, "first": 0, "count": 4, "progress": False}


def by_name(*names):
    return [one for one in MECHANISMS if one.name in names]


@pytest.fixture(scope="module")
def tried():
    """Weights in a world in which they say nearly everything, and one that changes nothing at all."""
    strong = dataclasses.replace(GROUPS["weight"], weight=1.5, spread=120.0)
    nothing = Mechanism("nothing", "mechanism", "nothing else", {"margin_scores": 6}, {"margin_scores": 6})
    chosen = [*by_name("game weight W, its shape", "weight shared by opponents"), nothing]
    return mechanisms.try_mechanisms(
        strong, TUNED, sizes=(100, 300), mechanisms=chosen, replicates=50, **BLOCK
    )


def test_a_true_mechanism_helps_in_truth_and_nothing_changes_nothing(tried):
    assert len(tried) == 4 * 3 * 2
    last = tried[tried["plays"] == 300].groupby("mechanism")["truth"].mean()
    assert last["game weight W, its shape"] < -0.0003
    assert last["nothing"] == 0.0
    wrong = dataclasses.replace(GROUPS["weight"], weight=-1.5, spread=120.0)
    only = by_name("game weight W, its shape")
    hurt = mechanisms.try_mechanisms(wrong, TUNED, sizes=(300,), mechanisms=only, replicates=50, **BLOCK)
    assert hurt["truth"].mean() > 0.0003
    assert (tried["seen_low"] <= tried["seen"]).all() and (tried["seen"] <= tried["seen_high"]).all()
    assert (tried["n"] <= tried["plays"]).all() and tried["n"].min() > 50


def test_what_makes_forecasts_true_is_below_0_in_truth_and_in_the_results():
    """A mechanism with which forecasts are the true chances, and without which they are a coin's."""
    group = simulate_group(dataclasses.replace(GROUPS["wide"], plays=150), rng=np.random.default_rng(2))
    rated = rate_log(group.log, TUNED)
    pairs, chance = true_chances(group, score_pairs(rated.schedule, rated.ratings))
    knows, coin = (dataclasses.replace(pairs, forecast=given) for given in (chance, 0.0 * chance + 0.5))
    won = np.where(pairs.outcome == 1.0, chance, 1.0 - chance)
    wanted = pd.Series(np.log(0.5 / won)).groupby(pairs.play).mean()
    play, truth, seen = mechanisms._differences(group, knows, coin)
    assert play.tolist() == wanted.index.tolist() and seen == pytest.approx(wanted.to_numpy(), abs=1e-12)
    assert (truth < 0.0).all() and seen.mean() < 0.0
    _, hurt, lost = mechanisms._differences(group, coin, knows)
    assert (hurt > 0.0).all() and lost == pytest.approx(-seen, abs=1e-12)


def test_mechanisms_are_counted_over_groups(tried):
    table = mechanisms.mechanisms_table(tried, rng=np.random.default_rng(1))
    shares = table[list(mechanisms.SEEN)].sum(axis=1)
    assert len(table) == 6 and (table["n"] == 4).all() and np.allclose(shares, 1.0)
    own = table.set_index(["mechanism", "plays"])
    nothing = own.loc[("nothing", 300)]
    assert nothing["neutral"] == 1.0 and nothing["verdict"] == "neutral" and nothing["worse"] == 0.0
    part = tried[(tried["mechanism"] == "weight shared by opponents") & (tried["plays"] == 100)]
    found = own.loc[("weight shared by opponents", 100)]
    assert found["truth"] == pytest.approx(part["truth"].mean())
    assert found["worse"] == (part["seen"] > 0).mean()


def test_numbers_begin_with_the_settings_in_use():
    (knob,) = [one for one in KNOBS if one.name == "deviation"]
    table = mechanisms.try_numbers(GROUPS["wide"], TUNED, plays=150, knobs=[knob], **BLOCK)
    assert table.loc[0, "knob"] == IN_USE and table.loc[0, "difference"] == 0.0
    assert "110" not in set(table["value"]) and len(table) == len(knob.values)
    gaps = table["excess"] - table.loc[0, "excess"]
    assert table["difference"].to_numpy() == pytest.approx(gaps.to_numpy(), abs=1e-12)
    # People 120 points apart are not told apart from a prior of 60.
    narrow = table[table["value"] == "60"].iloc[0]
    assert narrow["difference"] > 0.0


def test_numbers_that_forecast_better_than_the_base_lie_below_0():
    """From a base that tells nobody apart every prior in the list is better."""
    (knob,) = [one for one in KNOBS if one.name == "deviation"]
    useless = dataclasses.replace(TUNED, deviation=1.0, floor=1.0)
    table = mechanisms.try_numbers(GROUPS["wide"], useless, plays=150, knobs=[knob], **BLOCK)
    assert (table["difference"].iloc[1:] < 0.0).all() and (table["excess"] > 0.0).all()
    assert (table["low"] <= table["difference"]).all() and (table["difference"] <= table["high"]).all()


def test_the_interval_of_a_gap_has_the_variances_of_both():
    """Deviations of 50 and 50: the gap's is 71, and 1.96 times that are 139 points; the third plays too seldom."""
    for off, held in ((120.0, 1.0), (138.0, 1.0), (140.0, 0.0)):
        ratings = SimpleNamespace(
            plays=np.array([10, 30, 9]),
            rating=np.array([1000.0 + off, 1000.0, 0.0]),
            variance=np.array([2500.0, 2500.0, 1.0]),
        )
        order, error, coverage = presets._of_people(ratings, np.array([1010.0, 1010.0, 5000.0]))
        assert (error, coverage) == (off / 2, held) and np.isnan(order)


@pytest.fixture(scope="module")
def rated():
    return presets.try_presets(GROUPS["wide"], plays=250, **BLOCK)


def test_presets_are_held_against_the_truth(rated):
    assert list(rated["engine"].unique()) == ["bgelo", "tuned", "bare"] and len(rated) == 12
    assert (rated["excess"] > 0.0).all() and (rated["order"] > 0.2).all()
    assert rated["coverage"].between(0.8, 1.0).all()
    assert (rated["late_deviation"].dropna() < rated["first_deviation"].max()).all()
    wide = rated.set_index(["engine", "replication"])["first_deviation"].unstack(0)
    assert (wide["bgelo"] > wide["tuned"]).all()


def test_presets_are_compared_group_by_group(rated):
    table = presets.presets_table(rated, rng=np.random.default_rng(1)).set_index(["engine", "measure"])
    gap = (
        rated[rated["engine"] == "bare"]["excess"].to_numpy()
        - rated[rated["engine"] == "tuned"]["excess"].to_numpy()
    )
    assert table.loc[("bare", "excess"), "difference"] == pytest.approx(gap.mean())
    assert table.loc[("tuned", "excess"), "difference"] == 0.0
    assert table.loc[("tuned", "error"), "verdict"] == "" and (table["n"] <= 4).all()


def test_checks_are_counted_by_variant_and_size():
    trials = checks.try_checks(
        GROUPS["all"], TUNED, sizes=(120,), variants=("sound", "results shuffled"), replicates=50,
        **(BLOCK | {"count": 2}),
    )  # fmt: skip
    assert set(trials["check"]) >= {"calibration", "weight"} and len(trials) == 2 * 2 * 6
    table = checks.checks_table(trials)
    sums = table[table["check"] != "any"].groupby(["plays", "variant", "check"])["share"].sum()
    assert np.allclose(sums, 1.0) and (table["n"] == 2).all()


def test_formulas_of_the_author():
    rows = {row["claim"]: row for row in claims.formula_claims()}
    short = rows["weight by duration of a ten-minute play"]
    assert short["ours"] == pytest.approx(np.sqrt(1 / 6)) and short["verdict"] == "not reproduced"
    lost = rows["comparisons lost with a guest's seat at a table of four"]
    assert lost["ours"] == 3.0 and lost["verdict"] == "reproduced"
    table = rows["moves of a table of six, unshared, in those of a duel"]
    assert table["ours"] == pytest.approx(2.988, abs=0.001) and table["verdict"] == "reproduced"


def test_events_are_counted_among_simulated_and_real_groups(rated):
    row = {"world": "all (bgelo)", "plays": 600, "neutral": 0.25, "worse": 0.75, "n": 4}
    seen = pd.DataFrame(
        [{**row, "mechanism": name} for name in ("margin of 0.6-1.4", "margin G", "duration D")]
        + [{**row, "mechanism": "margin G", "plays": 1200, "neutral": 1.0}]
    )
    verdict = {
        "world": "all (bgelo)",
        "check": "weight",
        "verdict": "supported",
        "plays": 300,
        "low": 0.1,
        "high": 0.9,
    }
    counted = pd.DataFrame(
        [
            {**verdict, "variant": "sound", "count": 3, "n": 4, "share": 0.75},
            {**verdict, "variant": "weight shuffled", "count": 1, "n": 4, "share": 0.25},
        ]
    )
    single = {"preset": "bgelo", "n": 100, "low": -0.001, "high": 0.003, "verdict": "undecided"}
    real = pd.DataFrame(
        [
            {**single, "mechanism": name, "export": export, "difference": gap}
            for name in ("margin of 0.6-1.4", "margin G", "duration D")
            for export, gap in (("1", 0.001), ("2", -0.001), ("all", 0.0005))
        ]
    )
    rows = {
        row["claim"]: row
        for row in claims.group_claims(seen, rated.assign(world="all (bgelo)"), counted, real)
    }
    worse = "margins of 0.6-1.4 instead of 0.8-1.2 make forecasts worse"
    assert (rows[worse]["ours"], rows[worse]["n"]) == (0.75, 4)
    assert (rows[f"{worse}: real exports"]["ours"], rows[f"{worse}: real exports"]["n"]) == (0.5, 2)
    assert rows["the margin factor (0.8-1.2) is neutral"]["ours"] == 0.25
    assert "0.25 [0.10, 0.90]" in rows["curated weights are supported by their check"]["note"]
    assert rows["60 plays make a rating surer than a streak over 2"]["ours"] == 1.0


def rows_of(names, *rows):
    return pd.DataFrame(rows, columns=names.split())


def test_each_event_is_read_from_its_own_column_and_rows():
    """Shares that all differ, among rows of other worlds, sizes, engines, checks and presets that must not count."""
    own, mechanism = "all (bgelo)", ("margin of 0.6-1.4", "margin G", "duration D")
    tried = rows_of(
        "world plays mechanism helps neutral hurts worse undecided n",
        *((own, 600, name, 0.0, 0.1 * n, 0.4, 0.9 - 0.1 * n, 0.0, 10) for n, name in enumerate(mechanism, 1)),
        *((own, plays, name, 0.0, 0.0, 0.0, 0.0, 1.0, 10) for plays in (300, 1200) for name in mechanism),
        *(("plain", 600, name, 0.0, 0.0, 0.0, 0.0, 1.0, 10) for name in mechanism),
    )
    rated = rows_of(
        "world engine first_deviation late_deviation",
        (own, "bgelo", 150.0, 50.0),
        (own, "bgelo", 160.0, 170.0),
        (own, "bgelo", 170.0, 80.0),
        (own, "bgelo", 180.0, np.nan),
        (own, "tuned", 100.0, 110.0),
        ("plain", "bgelo", 100.0, 110.0),
    )
    checked = rows_of(
        "world plays variant check verdict share low high count n",
        (own, 1200, "sound", "weight", "supported", 0.7, 0.4, 0.9, 7, 10),
        (own, 1200, "weight shuffled", "weight", "supported", 0.2, 0.1, 0.5, 2, 10),
        (own, 1200, "sound", "weight", "undecided", 0.3, 0.1, 0.6, 3, 10),
        (own, 1200, "sound", "confidence", "supported", 0.4, 0.2, 0.7, 4, 10),
        (own, 300, "sound", "weight", "supported", 0.1, 0.0, 0.4, 1, 10),
        (own, 300, "weight shuffled", "weight", "supported", 0.0, 0.0, 0.3, 0, 10),
        ("plain", 1200, "sound", "weight", "supported", 0.0, 0.0, 0.3, 0, 10),
    )
    verdicts = [("neutral", -0.001), ("undecided", 0.002), ("undecided", -0.002), *[("hurts", 0.003)] * 3]
    real = rows_of(
        "preset export mechanism verdict difference low high n",
        *(
            ("bgelo", str(n), name, verdict, gap, gap - 0.001, gap + 0.001, 100)
            for name in mechanism
            for n, (verdict, gap) in enumerate(verdicts)
        ),
        *(("bgelo", "all", name, "undecided", 0.0007, -0.002, 0.003, 500) for name in mechanism),
        *(("tuned", "0", name, "neutral", -0.001, -0.002, 0.0, 100) for name in mechanism),
    )
    found = {row["claim"]: row for row in claims.group_claims(tried, rated, checked, real)}
    worse, margin, duration = (
        "margins of 0.6-1.4 instead of 0.8-1.2 make forecasts worse",
        "the margin factor (0.8-1.2) is neutral",
        "the duration factor is neutral",
    )
    shares = {
        worse: (0.8, 10),
        f"{worse}: real exports": (4 / 6, 6),
        margin: (0.2, 10),
        f"{margin}: real exports": (1 / 6, 6),
        duration: (0.3, 10),
        f"{duration}: real exports": (1 / 6, 6),
        "curated weights are supported by their check": (0.7, 10),
        "60 plays make a rating surer than a streak over 2": (2 / 3, 3),
    }
    assert {key: (row["ours"], row["n"]) for key, row in found.items()} == {
        key: (pytest.approx(share), n) for key, (share, n) in shares.items()
    }
    notes = {key: row["note"] for key, row in found.items()}
    assert "+0.00070 [-0.00200, +0.00300], n = 500 plays: undecided" in notes[f"{margin}: real exports"]
    assert "0.20 [0.10, 0.50]" in notes["curated weights are supported by their check"]
    assert (
        "160 points after 2 plays, 100 after 60" in notes["60 plays make a rating surer than a streak over 2"]
    )
