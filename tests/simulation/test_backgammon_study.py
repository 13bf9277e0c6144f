"""The study of backgammon players of known skill: its many-at-once forms against the library's own, one by one."""

import numpy as np
import pandas as pd
import pytest

from backgammon_pools import ERRORS, made_pool
from ludometrics.backgammon.assessment import assess
from ludometrics.backgammon.biases import find_biases, signed_bias
from ludometrics.backgammon.error_families import family_labels
from ludometrics.backgammon.luck import tally_luck
from ludometrics.backgammon.rates import Rate, l7, pr, rates_by_rule, ratio_interval
from ludometrics.backgammon.records import Kind
from ludometrics.backgammon.settings import RULES
from ludometrics.backgammon.study_effect import compare_windows
from ludometrics.backgammon.study_plan import recoverable_loss, study_plan
from ludometrics.backgammon.tournaments import compare_rates
from ludometrics.simulation import backgammon_habits as habits
from ludometrics.simulation import backgammon_leaks as leaks
from ludometrics.simulation.backgammon_claims import formula_claims, needed_table, study_claims
from ludometrics.simulation.backgammon_collecting import collect_results
from ludometrics.simulation.backgammon_coverage import coverage_table, ratio_intervals, single_match_table
from ludometrics.simulation.backgammon_order import MEASURES, order_table, rule_table, spread_table
from ludometrics.simulation.backgammon_pool import Appearances, appearances, judged_pool
from ludometrics.simulation.backgammon_results import engine_table, length_table, luck_table
from ludometrics.simulation.backgammon_tables import KEYS, save
from ludometrics.simulation.backgammon_temperature import temperature_table
from made_matches import add_checker, add_match, new_match

POOL = made_pool()
BY_MATCH, BY_GAME = appearances(POOL), appearances(POOL, by="game")


def generator(seed=1):
    return np.random.default_rng(seed)


@pytest.mark.parametrize("name", ERRORS)
def test_sums_of_appearances_give_the_rates_of_the_library(name):
    own = BY_MATCH.where(BY_MATCH.player == POOL.names.index(name))
    mask = POOL.player == POOL.names.index(name)
    library, judged = POOL.library, POOL.assessment
    rates = rates_by_rule(library, judged, mask)
    for column, rule in enumerate(RULES):
        factor = 1.0 if rule == "gnubg" else 0.5
        assert factor * own.errors[:, column].sum() / own.counts[:, column].sum() == pytest.approx(
            rates[rule].value
        )
    value = np.sqrt(7) * own.loss.sum() / np.sqrt(own.length).sum()
    assert value == pytest.approx(l7(library, judged, mask).value)
    games = BY_GAME.where(BY_GAME.player == POOL.names.index(name))
    assert games.errors.sum() == own.errors.sum() and len(games) == 3 * len(own)


def test_many_intervals_are_the_librarys():
    rng = generator()
    sums, weights = rng.random((40, 5)), rng.integers(0, 3, (40, 5)).astype(float)
    sums[0], weights[0] = weights[0], np.full(5, 1.0)
    value, low, high = ratio_intervals(sums, weights)
    with pytest.raises(ValueError, match="allowed are published, student"):
        ratio_intervals(sums, weights, "bootstrap")
    for row in range(40):
        expected = [np.nan if end is None else end for end in ratio_interval(sums[row], weights[row])]
        got = [value[row], low[row], high[row]]
        np.testing.assert_allclose(got, expected, rtol=1e-12)


def test_many_bias_verdicts_are_the_librarys():
    rng = generator()
    decisions = rng.integers(15, 60, 200)
    much = rng.binomial(decisions, 0.1)
    little = rng.binomial(decisions - much, 0.1)
    verdicts = leaks.bias_verdicts(np.column_stack([much, little, decisions]).astype(float))
    assert list(verdicts) == [
        signed_bias(*map(int, row)).verdict for row in zip(much, little, decisions, strict=True)
    ]
    assert len(set(verdicts)) == 4


def test_bias_sums_add_up_to_the_librarys_counts():
    seats = leaks._bias_sums(POOL, 0)
    for player, name in enumerate(POOL.names):
        if name not in ERRORS:
            continue
        found = find_biases(POOL.library, POOL.assessment, POOL.player == player)
        total = seats.sums[seats.player == player].sum(axis=0)
        for column, bias in enumerate((found.takes, found.doubles, found.blots)):
            assert total[column].tolist() == [bias.too_much, bias.too_little, bias.decisions]


def test_a_clear_bias_is_found_only_where_it_is_planted():
    table = leaks.bias_table(POOL, matches=[3, 12], draws=50, rng=generator())
    assert set(table["role"]) == {"innocent"}
    assert table["found"].isna().all() and (table["accused"] <= 1).all()
    shares = table[["too_much", "too_little", "balanced", "insufficient"]].sum(axis=1)
    np.testing.assert_allclose(shares, 1)
    clear = table[table["least_mp"] == 50]
    assert (clear["accused"].to_numpy() <= table[table["least_mp"] == 0]["accused"].to_numpy() + 0.2).all()
    assert leaks.role_of("taker", "takes") == "planted"
    assert leaks.role_of("taker", "doubles") == "other leak"
    assert leaks.role_of("t020", "takes") == "innocent"


def test_plan_ends_are_the_librarys():
    rng = generator()
    excesses = [rng.normal(0.01, 0.02, size) for size in (3, 5, 9, 20)]
    sums = np.array([[len(x), x.sum(), (x**2).sum()] for x in excesses])
    for low, values in zip(leaks.plan_lows(sums), excesses, strict=True):
        expected = recoverable_loss(values)[1]
        assert low == (pytest.approx(expected) if len(values) >= 5 and expected > 0 else -np.inf)


def test_the_plan_of_all_matches_is_the_librarys():
    seats = leaks.family_sums(POOL)
    families = zip(seats.plan, seats.kind, seats.theme, strict=True)
    labels = [family_labels(*family) for family in families]
    for name in ("t020", "t050"):
        player = POOL.names.index(name)
        plan = study_plan(POOL.library, POOL.assessment, POOL.player == player)
        lows = leaks.plan_lows(seats.sums[seats.player == player].sum(axis=0))
        ranked = [labels[k] for k in np.argsort(-lows, kind="stable") if np.isfinite(lows[k])]
        assert ranked == [(family.plan.label, family.kind, family.theme.label) for family in plan.families]
    table = leaks.plan_table(POOL, matches=[4], draws=40, rng=generator())
    assert table["player"].tolist() == [name for name in POOL.names if name in ERRORS]
    assert table["first"].isna().all() and table["empty"].between(0, 1).all()


def test_windows_are_the_librarys():
    before, after = np.array([0.02] * 10), np.array([0.01, 0.03])
    sums = [np.array([[[len(x), 0, 0, x.sum(), (x**2).sum()]]]) for x in (before, after)]
    decisions = [np.array([[50.0]]), np.array([[60.0]])]
    row = habits._windows(sums, decisions, np.array([0]), np.array([0]))
    change = compare_windows(before, 50, after, 60)
    assert change.verdict == "improved" and row[:4] == (1.0, 0.0, 0.0, 0.0)
    assert row[4] == pytest.approx(100 * change.gain)
    none = habits._windows(sums, [np.array([[20.0]]), decisions[1]], np.array([0]), np.array([0]))
    assert none[3] == 1.0 and compare_windows(before, 20, after, 60).verdict == "insufficient"
    assert habits._windows(sums, decisions, np.array([-1]), np.array([0])) is None


def test_tournament_verdicts_are_the_librarys():
    pairs = [("t020", "t020"), ("t050", "t020")]
    options = {"matches": [3], "usual": 8, "draws": 60, "pairs": pairs}
    table = habits.tournament_table(BY_MATCH, POOL.names, rng=generator(), **options)
    assert table.loc[1, "worse"] > 0.7
    rng, row = generator(), POOL.names.index("t020")
    own = BY_MATCH.where(np.flatnonzero(BY_MATCH.player == row))
    verdicts = []
    here = rng.integers(len(own), size=(60, 3))
    usual = rng.integers(len(own), size=(60, 8))
    for first, second in zip(here, usual, strict=True):
        rates = []
        for chosen in (first, second):
            ends = ratio_interval(own.errors[chosen, 0], own.counts[chosen, 0])
            rates.append(Rate(*ends, 100, len(chosen), ""))
        verdicts.append(compare_rates("", *rates, 20).verdict)
    assert table.loc[0, ["worse", "better"]].tolist() == [
        np.mean([verdict == name for verdict in verdicts]) for name in ("worse", "better")
    ]


def test_order_of_players_far_apart_and_of_one_with_himself():
    options = {"matches": [1, 4], "draws": 40, "worlds": 5}
    table = order_table(BY_MATCH, POOL.names, rng=generator(), **options)
    far = table[(table["better"] == "engine") & (table["worse"] == "t050") & (table["matches"] == 4)]
    assert (far["share"] == 1).all() and set(table["measure"]) == set(MEASURES)
    ranking = rule_table(BY_MATCH, POOL.names, rng=generator(), **options)
    assert (ranking[ranking["measure"] == "blunderdb"][["difference", "difference_low"]] == 0).all(axis=None)
    assert ranking["share"].between(0.5, 1).all()
    needed = needed_table(table)
    assert needed[(needed["better"] == "engine") & (needed["worse"] == "t050")]["matches"].max() <= 4


def test_matches_needed():
    table = order_table(BY_MATCH, POOL.names, matches=[1, 2, 3], draws=10, worlds=2, rng=generator())
    table = table[(table["better"] == "engine") & (table["worse"] == "t020") & (table["measure"] == "xg")]
    table[["share", "high", "low"]] = [[0.96, 0.99, 0.7], [0.94, 0.99, 0.8], [0.97, 0.99, 0.9]]
    assert needed_table(table)[["matches", "low"]].to_numpy().tolist() == [[3.0, 1.0]]
    assert np.isnan(needed_table(table)["high"][0])


def test_spread_of_a_single_match():
    table = spread_table(BY_MATCH, POOL.names, replicates=50, rng=generator())
    own = table[(table["player"] == "t050") & (table["measure"] == "blunderdb")].iloc[0]
    mine = BY_MATCH.where(BY_MATCH.player == POOL.names.index("t050"))
    assert own["deviation"] == pytest.approx(np.std(0.5 * mine.errors[:, 0] / mine.counts[:, 0], ddof=1))
    assert own["low"] < own["value"] < own["high"]
    library, judged = POOL.library, POOL.assessment
    assert own["value"] == pytest.approx(pr(library, judged, POOL.player == POOL.names.index("t050")).value)


def test_coverage_rises_with_the_units():
    table = coverage_table(BY_MATCH, POOL.names, units=[3, 30], draws=400, rng=generator(), measures=["pr"])
    own = table.set_index(["method", "player", "units"])["coverage"].unstack()
    assert (own.loc["published", 30] > own.loc["published", 3]).all() and (own[30] > 0.88).all()
    # Student's quantile is the larger, so its intervals hold the truth more often on the same draws.
    assert (own.loc["student"] >= own.loc["published"]).all(axis=None)
    assert (table["coverage"] + table["below"] + table["above"]).to_numpy() == pytest.approx(1)
    single = single_match_table(BY_GAME, POOL.names)
    assert single["n"].sum() == len(BY_MATCH) and (single["games"].astype(str) == "3").all()


def test_temperature_comes_back_where_choices_follow_it():
    rng = generator(3)
    builder = new_match(7, players=("t050", "engine"))
    costs = np.array([0, 0.02, 0.05, 0.1])
    for number in range(60):
        if number:
            add_match(builder, 7, f"m{number}", ("t050", "engine"))
        for move in range(20):
            seen = -costs + rng.gumbel(0, 0.05, 4)
            add_checker(builder, list(-costs), played=int(seen.argmax()), seat=0, move=move)
    table = temperature_table(judged_pool(builder.library()), replicates=20, rng=generator()).set_index(
        "player"
    )
    assert table.loc["t050", "planted"] == 0.05
    estimate = table.loc["t050", "estimate"]
    assert estimate == pytest.approx(0.05, abs=0.006)
    assert table.loc["t050", "low"] <= estimate <= table.loc["t050", "high"]


def test_haste_easy_decisions_and_cut_lists():
    pace = habits.pace_table(POOL)
    assert pace[pace["type"] == "all"]["share"].dropna().between(0.2, 0.8).all()
    easy = habits.easy_table(POOL)
    assert easy["easy"].between(0.05, 0.95).all() and (easy["l7_without"] <= easy["l7"]).all()
    cut = habits.cut_table(POOL, listed=[1, 2, 3])
    assert cut["share"].is_monotonic_increasing and cut["share"].iloc[-1] == pytest.approx(1)
    study = habits.study_table(POOL, matches=[6], draws=40, rng=generator())
    np.testing.assert_allclose(study[["improved", "worse", "undetermined", "insufficient"]].sum(axis=1), 1)


def test_results_against_the_engine(tmp_path):
    rows = []
    for number in range(40):
        folder = tmp_path / f"e{number:04d}"
        folder.mkdir()
        players = '["t050", "engine"]' if number % 2 else '["engine", "t050"]'
        wins = number % 4 == 0  # the engine, in seat 0, wins half of its even matches
        score = "[7, 2]" if wins else "[3, 7]"
        text = f'{{"players": {players}, "length": 7, "score": {score}, "plies": null}}'
        (folder / "played.json").write_text(text, encoding="utf-8")
        rows.append(wins)
    scores = collect_results(tmp_path)
    assert len(scores) == 40 and scores["score_1"].eq(7).sum() == sum(rows)
    table = engine_table(scores, BY_MATCH, POOL.names, replicates=50, rng=generator()).set_index("player")
    # t050 sits second in even matches and loses those with 7-2: 10 of 20; first in odd ones and loses all 20.
    assert table.loc["t050", "won"] == 10 / 40 and table.loc["t050", "n"] == 40
    assert table.loc["t050", "foretold"] < 0.5
    assert table.loc["t050", "gap"] == pytest.approx(table.loc["t050", "won"] - table.loc["t050", "foretold"])


def test_luck_and_lengths():
    table = luck_table(POOL, BY_MATCH, replicates=30, rng=generator()).set_index(["gap", "quantity"])
    assert table.loc[("all", "won by the better"), "n"] == len(POOL.library.matches)
    own = BY_MATCH.where(BY_MATCH.player == POOL.names.index("t020"))
    lengths = length_table(BY_MATCH, POOL.names, "t020", replicates=30, rng=generator())
    assert lengths["length"].tolist() == [7] and lengths["n"].tolist() == [len(own)]
    value = np.sqrt(7) * own.loss.mean() / np.sqrt(7)
    assert lengths["l7"][0] == pytest.approx(value)


def test_equal_seeds_give_equal_tables():
    for make in (
        lambda: order_table(BY_MATCH, POOL.names, matches=[2], draws=10, worlds=3, rng=generator(9)),
        lambda: leaks.plan_table(POOL, matches=[2], draws=10, rng=generator(9)),
        lambda: luck_table(POOL, BY_MATCH, replicates=10, rng=generator(9)),
    ):
        assert make().equals(make())


def test_formula_claims_hold():
    assert [row["verdict"] for row in formula_claims()] == ["reproduced"] * 3


def test_wider_intervals_are_the_librarys():
    rng = generator(4)
    sums, weights = rng.random((20, 6)), rng.integers(1, 4, (20, 6)).astype(float)
    for method in ("student", "log student"):
        value, low, high = ratio_intervals(sums, weights, method)
        for row in range(20):
            expected = ratio_interval(sums[row], weights[row], interval=method)
            np.testing.assert_allclose([value[row], low[row], high[row]], expected, rtol=1e-12)


def test_planted_leaks_are_found_where_they_are():
    leaky = made_pool(leak=True)
    table = leaks.bias_table(leaky, matches=[18], draws=30, rng=generator()).set_index(
        ["player", "bias", "least_mp"]
    )
    assert table.loc[("taker", "takes", 0), "found"] == table.loc[("taker", "takes", 50), "found"] == 1
    assert table.loc[("late", "doubles", 0), "found"] == 1
    plans = leaks.plan_table(leaky, matches=[18], draws=30, rng=generator()).set_index("player")
    assert plans.loc["taker", "planted"] == "wrong take" and plans.loc["taker", "first"] > 0.9
    assert plans.loc["late", "planted"] == "offer missed" and plans.loc["late", "first"] > 0.9
    assert leaks.PLANTED_THEME["cautious"].label == "passive"


def test_easy_decisions_by_hand():
    easy = habits.easy_table(POOL).set_index("player")
    for name in ERRORS:
        mask = POOL.player == POOL.names.index(name)
        assert easy.loc[name, "pr"] == pytest.approx(pr(POOL.library, POOL.assessment, mask).value)
        assert easy.loc[name, "l7"] == pytest.approx(l7(POOL.library, POOL.assessment, mask).value)
        hard = mask & (POOL.assessment.difficulty_equity >= 0.0005)
        assert easy.loc[name, "pr_without"] == pytest.approx(pr(POOL.library, POOL.assessment, hard).value)


def test_gains_lie_between_their_ends():
    study = habits.study_table(POOL, matches=[8], draws=60, rng=generator()).dropna()
    assert (study["gain_low"] < study["gain"]).all() and (study["gain"] < study["gain_high"]).all()
    # Nothing changed: what was chosen beforehand gains about nothing.
    own = study[study["chosen"] == "beforehand"]
    assert (own["gain_low"] < 0.5 * (own["gain_high"] - own["gain_low"])).all()


def test_results_by_hand():
    scores = pd.DataFrame(
        [("e1", "t050", "engine", 7, 7, 1, False), ("e2", "engine", "t050", 7, 7, 1, False)] * 10
        + [("m1", "t050", "engine", 7, 7, 1, True)] * 10,
        columns=["match", "player_1", "player_2", "length", "score_1", "score_2", "analysed"],
    )
    row = engine_table(scores, BY_MATCH, POOL.names, replicates=200, rng=generator()).iloc[0]
    own, engine = (
        l7(POOL.library, POOL.assessment, POOL.player == POOL.names.index(name)).value
        for name in ("t050", "engine")
    )
    assert (row["won"], row["n"]) == (0.5, 20)
    assert row["foretold"] == pytest.approx(0.5 - (own - engine))
    assert row["gap_high"] - row["gap_low"] > 2 * 1.95 * np.sqrt(0.25 / 20)
    lengths = length_table(BY_MATCH, POOL.names, "t020", replicates=10, rng=generator())
    mask = POOL.player == POOL.names.index("t020")
    assert lengths["pr"][0] == pytest.approx(pr(POOL.library, POOL.assessment, mask).value)


def test_luck_by_hand():
    table = luck_table(POOL, BY_MATCH, replicates=10, rng=generator()).set_index(["gap", "quantity"])["value"]
    tally, wins, adjusted, balance = tally_luck(POOL.library, POOL.assessment), [], [], []
    order = list(ERRORS)
    for number, match in enumerate(POOL.library.matches):
        better = 0 if order.index(match.players[0]) < order.index(match.players[1]) else 1
        own = tally.of(number, better)
        wins.append(match.winner == better)
        adjusted.append(own.adjusted)
        inside = POOL.library.decisions.match == number
        losses = [
            np.nansum(
                POOL.assessment.loss[inside & POOL.assessment.counted & (POOL.library.decisions.seat == seat)]
            )
            for seat in (better, 1 - better)
        ]
        balance.append(losses[1] - losses[0])
    assert table[("all", "won by the better")] == pytest.approx(np.mean(wins))
    assert table[("all", "adjusted result")] == pytest.approx(np.mean(adjusted))
    assert table[("all", "adjusted less balance")] == pytest.approx(np.mean(np.array(adjusted) - balance))


def test_claims_on_made_tables():
    options = {"draws": 40, "rng": generator()}
    players = spread_table(BY_MATCH, POOL.names, replicates=20, rng=generator())
    tables = {
        "players": players,
        "coverage": coverage_table(BY_MATCH, POOL.names, units=[3, 10], **options),
        "games": coverage_table(BY_GAME, POOL.names, units=[3, 10], measures=["pr"], **options),
        "lengths": length_table(BY_MATCH, POOL.names, "t020", replicates=10, rng=generator()),
        "pace": habits.pace_table(POOL),
        "easy": habits.easy_table(POOL),
        "tournaments": habits.tournament_table(BY_MATCH, POOL.names, matches=[3], usual=5, **options),
        "study": habits.study_table(POOL, matches=[6], **options),
    }
    claims = study_claims(tables)
    assert len({row["claim"] for row in claims}) == len(claims)
    own = players[(players["measure"] == "blunderdb") & (players["player"] == "t050")].iloc[0]
    row = next(row for row in claims if "player t050" in row["claim"])
    assert (row["published"], row["ours"], row["n"]) == (1.5, own["deviation"], own["n"])
    assert row["ours_low"] <= row["ours"] <= row["ours_high"]
    assert [row["verdict"] for row in claims if "eXtreme Gammon" in row["claim"]] == ["cannot tell"]
    lengths = tables["lengths"]
    three = lengths.assign(
        length=3, l7=2 * lengths["l7"], l7_low=2 * lengths["l7_low"], l7_high=2 * lengths["l7_high"]
    )
    row = next(
        row
        for row in study_claims(tables | {"lengths": pd.concat([lengths, three])})
        if "3 points" in row["claim"]
    )
    assert row["ours"] == pytest.approx(2) and row["ours_low"] < 2 < row["ours_high"]


def test_exactly_95_percent_is_sure():
    table = order_table(BY_MATCH, POOL.names, matches=[1, 2], draws=10, worlds=2, rng=generator())
    table = table[(table["better"] == "engine") & (table["worse"] == "t020") & (table["measure"] == "xg")]
    table[["share", "high", "low"]] = [[0.95, 0.95, 0.90], [0.96, 0.97, 0.95]]
    assert needed_table(table)[["matches", "low", "high"]].to_numpy().tolist() == [[1.0, 1.0, 2.0]]


def test_two_equal_players_stand_in_order_half_of_the_time():
    own = BY_MATCH.where(np.flatnonzero(BY_MATCH.player == POOL.names.index("t020"))[:1])
    twice = [own.player * 0 + POOL.names.index(name) for name in ("engine", "t020")]
    both = Appearances(
        np.concatenate(twice),
        *(np.concatenate([values] * 2) for name, values in vars(own).items() if name != "player"),
    )
    table = order_table(both, POOL.names, matches=[2], draws=10, worlds=3, rng=generator())
    assert (table[["share", "low", "high"]] == 0.5).all(axis=None)


def test_tables_have_keys(tmp_path):
    with pytest.raises(ValueError, match="allowed are coverage"):
        save(None, "nothing", rule="xg", cell="xg", out=str(tmp_path))
    assert all(KEYS.values())


def test_rules_change_what_is_counted():
    library = POOL.library
    assert (
        assess(library, POOL.assessment.settings.changed(rule="snowie")).counted.sum()
        >= POOL.assessment.counted.sum()
    )
    assert (library.decisions.kind == Kind.RESPONSE).any()
