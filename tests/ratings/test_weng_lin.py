"""Weng and Lin's update: openskill's values, the compiled replay against its twin, and what must always hold."""

import json
import math
import warnings
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludometrics.ratings import index_tables, weng_lin
from ludometrics.ratings.weng_lin import WengLinSettings

CASES = json.loads((Path(__file__).parents[1] / "data" / "ratings" / "weng_lin.json").read_text())
NINE_PLACES = 5e-10
#: On openskill's scale, where a start deviation is 25/3: sums in another order, over some hundred plays.
OPENSKILL = 1e-9
#: Twins add in another order; relative to ratings of some thousand points.
TWIN = 1e-9
#: Two scales, or two origins, round differently.
SCALES = 1e-9
START, DEVIATION = 25.0, 25.0 / 3.0
SMALL = WengLinSettings(start=START, start_deviation=DEVIATION, beta=25.0 / 6.0, tau=25.0 / 300.0)
MODELS = ("plackett-luce", "bradley-terry")
FIELDS = ("ratings", "variances", "games", "last_times", "forecasts")
both_models = pytest.mark.parametrize("model", MODELS)


def small(model, **fields):
    return WengLinSettings(**{**vars(SMALL), "model": model, **fields})


def random_tables(seed, n=100, m=12, sizes=(2, 3, 4, 5, 6, 7, 8), levels=4):
    """Plays as lists of (player, rank); ranks of few levels, so that many tie."""
    rng = np.random.default_rng(seed)
    return [
        [
            (int(player), int(rng.integers(levels)))
            for player in rng.choice(m, rng.choice(sizes), replace=False)
        ]
        for _ in range(n)
    ]


def as_pairs(tables, rng=None):
    """Rows of a log: pairs, outcomes, plays; with `rng` in any order within a play and either way round."""
    rows = []
    for play, table in enumerate(tables):
        of_play = [(i, j, 0.5 + 0.5 * ((a < b) - (a > b)), play) for (i, a), (j, b) in combinations(table, 2)]
        if rng is not None:
            of_play = [of_play[k] for k in rng.permutation(len(of_play))]
            of_play = [(j, i, 1 - y, p) if rng.random() < 0.5 else (i, j, y, p) for i, j, y, p in of_play]
        rows += of_play
    rows = np.array(rows, dtype=float).reshape(-1, 4)
    return rows[:, :2].astype(int), rows[:, 2], rows[:, 3].astype(int)


def replayed(tables, options=None, rng=None, **more):
    pairs, outcomes, plays = as_pairs(tables, rng)
    return weng_lin.replay(pairs, outcomes, plays=plays, settings=options, **more)


@pytest.mark.parametrize("case", CASES["tables"], ids=lambda case: f"{case['model']} {case['desc']}")
def test_one_table_from_the_prior(case):
    k = len(case["ranks"])
    ratings, deviations = weng_lin.update(
        [START] * k, [DEVIATION] * k, case["ranks"], settings=small(case["model"])
    )
    assert ratings == pytest.approx(case["ratings"], abs=NINE_PLACES)
    assert deviations == pytest.approx(case["deviations"], abs=NINE_PLACES)


def test_two_teams_as_two_players():
    """A team is the sum of its mates; of its move each mate of two equals gets half, in the variance too."""
    case = CASES["teams"]
    options = small("plackett-luce", tau=SMALL.tau * math.sqrt(2))
    ratings, deviations = weng_lin.update(
        [2 * START] * 2, [DEVIATION * math.sqrt(2)] * 2, case["ranks"], settings=options
    )
    grown = DEVIATION**2 + SMALL.tau**2
    kept = deviations**2 / (2 * grown)
    assert START + (ratings - 2 * START) / 2 == pytest.approx(case["ratings"], abs=NINE_PLACES)
    assert np.sqrt(grown * (1 + kept) / 2) == pytest.approx(case["deviations"], abs=NINE_PLACES)


@both_models
@pytest.mark.parametrize("levels", [3, 10**6], ids=["many ties", "hardly a tie"])
def test_replay_equals_openskill(model, levels):
    models = pytest.importorskip("openskill.models")
    names = {"plackett-luce": "PlackettLuce", "bradley-terry": "BradleyTerryFull"}
    theirs = getattr(models, names[model])()
    players = [theirs.rating() for _ in range(12)]
    tables = random_tables(5, n=250, levels=levels)
    for table in tables:
        rated = theirs.rate([[players[player]] for player, _ in table], ranks=[rank + 1 for _, rank in table])
        for (player, _), [rating] in zip(table, rated, strict=True):
            players[player] = rating
    ours = replayed(tables, small(model))
    assert ours.ratings == pytest.approx([player.mu for player in players], abs=OPENSKILL)
    assert ours.deviations == pytest.approx([player.sigma for player in players], abs=OPENSKILL)


def test_normal_forecast_of_a_duel_is_openskills():
    models = pytest.importorskip("openskill.models")
    theirs = models.PlackettLuce()
    one, other = theirs.rating(mu=31, sigma=4), theirs.rating(mu=26, sigma=6.5)
    value = weng_lin.expected_score(31, 26, 4, 6.5, beta=SMALL.beta, curve="normal")
    assert value == pytest.approx(theirs.predict_win([[one], [other]])[0], abs=OPENSKILL)


@both_models
@pytest.mark.parametrize("forecast", weng_lin.FORECASTS)
@pytest.mark.parametrize("anchored", [(), (1, 4)])
def test_compiled_replay_equals_plain_python(model, forecast, anchored):
    tables = random_tables(1)
    options = WengLinSettings(model=model, forecast=forecast)
    fast, slow = (
        replayed(tables, options, anchored=anchored, ratings=np.linspace(900, 2100, 12), compiled=flag)
        for flag in (True, False)
    )
    for field in FIELDS:
        assert getattr(fast, field) == pytest.approx(getattr(slow, field), rel=TWIN, abs=TWIN), field


def test_forecasts_are_made_before_the_play():
    options = WengLinSettings(start_deviation=300, tau=40)
    pairs, outcomes, plays = [[0, 1], [0, 2], [1, 2], [2, 0]], [1, 1, 0.5, 1], [3, 3, 3, 4]
    start = {"ratings": [1700, 1500, 1400], "deviations": [60, 90, 200]}
    grown = np.sqrt(np.square([60, 90, 200]) + 40**2)
    record = weng_lin.replay(pairs, outcomes, plays=plays, settings=options, **start)
    expected = [
        weng_lin.expected_score(start["ratings"][i], start["ratings"][j], grown[i], grown[j])
        for i, j in pairs[:3]
    ]
    assert record.forecasts[:3] == pytest.approx(expected, abs=TWIN)
    after = weng_lin.update(*start.values(), [1, 2, 2], settings=options)
    spread = np.sqrt(after[1] ** 2 + 40**2)
    last = weng_lin.expected_score(after[0][2], after[0][0], spread[2], spread[0])
    assert record.forecasts[3] == pytest.approx(last, abs=TWIN)


def test_table_forecast_has_the_spread_of_the_table():
    options = WengLinSettings(forecast="table", tau=0)
    record = replayed([[(0, 1), (1, 2), (2, 3)]], options, ratings=[1900, 1500, 1200], deviations=100)
    c = math.sqrt(3 * (100**2 + 175**2))
    expected = [1 / (1 + math.exp(-gap / c)) for gap in (400, 700, 300)]
    assert record.forecasts == pytest.approx(expected, abs=TWIN)
    duel = {"ratings": [1900, 1500], "deviations": [100, 50]}
    same = [
        replayed([[(0, 1), (1, 2)]], WengLinSettings(forecast=forecast), **duel).forecasts[0]
        for forecast in ("pair", "table")
    ]
    assert same[0] == pytest.approx(same[1], abs=TWIN)


@both_models
@given(seed=st.integers(0, 10**6), cut=st.integers(0, 20))
@settings(max_examples=25, deadline=None)
def test_two_halves_equal_one_pass_to_the_bit(model, seed, cut):
    tables = random_tables(seed, n=20)
    times = np.arange(20)
    options = WengLinSettings(model=model)

    def run(part, days, state=None):
        pairs, outcomes, plays = as_pairs(part)
        return weng_lin.replay(
            pairs, outcomes, plays=plays, times=days[plays], settings=options, n_players=12, state=state
        )

    whole = run(tables, times)
    first = run(tables[:cut], times)
    second = run(tables[cut:], times[cut:], first)
    for field in FIELDS[:-1]:
        np.testing.assert_array_equal(getattr(second, field), getattr(whole, field), field)
    np.testing.assert_array_equal([*first.forecasts, *second.forecasts], whole.forecasts)


@both_models
@given(seed=st.integers(0, 10**6))
@settings(max_examples=30, deadline=None)
def test_order_of_seats_and_names_changes_no_bit(model, seed):
    rng = np.random.default_rng(seed)
    tables = random_tables(seed, n=12)
    name = rng.permutation(12)
    other = [
        [(int(name[player]), rank) for player, rank in rng.permutation(table).tolist()] for table in tables
    ]
    options = WengLinSettings(model=model)
    one, two = replayed(tables, options, n_players=12), replayed(other, options, rng, n_players=12)
    for field in FIELDS[:-1]:
        np.testing.assert_array_equal(getattr(two, field)[name], getattr(one, field), field)


@both_models
@given(
    k=st.integers(2, 8),
    gap=st.floats(-3000, 3000),
    spread=st.floats(30, 350),
    above=st.integers(0, 3),
    below=st.integers(0, 3),
)
@settings(max_examples=50, deadline=None)
def test_equal_players_who_tie_stay_exactly_equal(model, k, gap, spread, above, below):
    """sublee/trueskill issue 13, vivekjoshy/openskill.py issues 166 and 173."""
    ratings = [1500 + gap] * k + [1480.3] * above + [1333.1] * below
    deviations = [spread] * k + [77.7] * above + [120.0] * below
    ranks = [5] * k + [1] * above + [9] * below
    after = weng_lin.update(ratings, deviations, ranks, settings=WengLinSettings(model=model))
    for values in after:
        assert len(set(values[:k].tolist())) == 1


@both_models
@pytest.mark.parametrize("ranks", [[0, 0], [1, 1], [7, 7, 7], [-2.5] * 5])
def test_a_tie_of_all_moves_no_equal(model, ranks):
    k = len(ranks)
    ratings, deviations = weng_lin.update([1500] * k, [350] * k, ranks, settings=WengLinSettings(model=model))
    assert ratings.tolist() == [1500] * k
    assert len(set(deviations.tolist())) == 1 and deviations[0] < 350


@both_models
@given(seed=st.integers(0, 10**6), factor=st.floats(0.01, 100), shift=st.floats(-5000, 5000))
@settings(max_examples=25, deadline=None)
def test_scale_and_origin_do_not_matter(model, seed, factor, shift):
    tables = random_tables(seed, n=15)
    one = replayed(tables, small(model), n_players=12)
    other = WengLinSettings(
        start=shift,
        start_deviation=DEVIATION * factor,
        beta=SMALL.beta * factor,
        tau=SMALL.tau * factor,
        model=model,
    )
    two = replayed(tables, other, n_players=12)
    rounding = SCALES * (1 + abs(shift) / factor)
    assert (two.ratings - shift) / factor == pytest.approx(one.ratings - START, abs=rounding)
    assert two.deviations / factor == pytest.approx(one.deviations, abs=rounding)
    assert two.forecasts == pytest.approx(one.forecasts, abs=rounding)


@both_models
@given(seed=st.integers(0, 10**6))
@settings(max_examples=40, deadline=None)
def test_plays_teach_and_a_better_place_pays(model, seed):
    rng = np.random.default_rng(seed)
    k = int(rng.integers(2, 8))
    ratings, deviations = rng.normal(1500, 300, k), rng.uniform(40, 350, k)
    options = WengLinSettings(model=model, tau=0)
    places = np.arange(k)
    after = weng_lin.update(ratings, deviations, places, settings=options)
    assert (after[1] <= deviations).all() and (after[1] > 0).all()
    assert after[0][0] >= ratings[0] and after[0][-1] <= ratings[-1]
    for at in range(1, k):
        up = places.copy()
        up[[at - 1, at]] = up[[at, at - 1]]
        better = weng_lin.update(ratings, deviations, up, settings=options)
        assert better[0][at] > after[0][at]


@both_models
@given(gap=st.floats(0, 4000), own=st.floats(30, 350), other=st.floats(30, 350))
@settings(max_examples=30, deadline=None)
def test_a_draw_with_a_stronger_player_never_costs(model, gap, own, other):
    """lichess issue 21025."""
    options = WengLinSettings(model=model)
    ratings, _ = weng_lin.update([1500, 1500 + gap], [own, other], [1, 1], settings=options)
    assert ratings[0] >= 1500 and ratings[1] <= 1500 + gap


@pytest.mark.parametrize("compiled", [True, False])
@both_models
def test_ranks_with_and_without_a_gap_are_one_order(model, compiled):
    """sublee/trueskill issue 40."""
    records = []
    for ranks in ([1, 2, 2, 3], [1, 2, 2, 4]):
        games = index_tables([0] * 4, list("abcd"), ranks)
        records.append(
            weng_lin.replay(
                games.pairs,
                games.outcomes,
                plays=games.plays,
                settings=small(model),
                compiled=compiled,
            )
        )
    np.testing.assert_array_equal(records[0].ratings, records[1].ratings)
    assert records[0].ratings[1] == records[0].ratings[2]


@both_models
@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("gap", [5000.0, 1e9])
@pytest.mark.parametrize("ranks", [(1, 2), (2, 1), (1, 1), (1, 2, 3), (3, 2, 1), (2, 1, 2)])
def test_huge_gaps_are_finite_and_silent(model, compiled, gap, ranks):
    """sublee/trueskill issues 3 and 5."""
    ratings = np.array([1500 - gap, 1500 + gap, 1500])[: len(ranks)]
    tables = [list(enumerate(ranks))] * 3
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for forecast in weng_lin.FORECASTS:
            options = WengLinSettings(model=model, forecast=forecast)
            record = replayed(tables, options, ratings=ratings, deviations=1.5, compiled=compiled)
            for field in FIELDS:
                assert np.isfinite(getattr(record, field)).all(), field
            assert (record.variances > 0).all()
            assert ((record.forecasts >= 0) & (record.forecasts <= 1)).all()
        weng_lin.expected_score(ratings, ratings[::-1])


@both_models
@pytest.mark.parametrize("compiled", [True, False])
def test_large_tables(model, compiled):
    """sublee/trueskill issue 22, FigBug/Multiplayer-ELO issue 11: 200 are finite, all of 40 move."""
    many = [[(player, player // 3) for player in range(200 if compiled else 60)]]
    record = replayed(many, WengLinSettings(model=model), compiled=compiled)
    assert np.isfinite(record.ratings).all() and (record.variances > 0).all()
    assert (np.diff(record.ratings) <= 0).all()
    moved = replayed([[(player, player) for player in range(40)]], WengLinSettings(model=model))
    moves = moved.ratings - 1500
    assert (moves[:-1] > moves[1:]).all() and (moves[[0, -1]] != 0).all()


def test_kappa_bounds_what_a_play_takes_from_a_variance():
    options = WengLinSettings(beta=1e-3, kappa=0.95, tau=0)
    _, deviations = weng_lin.update([1500, 1500], [350, 350], [1, 2], settings=options)
    assert deviations**2 == pytest.approx(0.95 * 350**2, rel=TWIN)


def test_anchored_players_stand_still_and_teach():
    record = replayed([[(0, 1), (1, 2), (2, 3)]] * 5, anchored=[1])
    assert (record.ratings[1], record.deviations[1], record.games[1]) == (1500, 350, 5)
    assert record.ratings[0] > 1500 > record.ratings[2]


def test_duels_need_no_plays_and_times_are_only_remembered():
    pairs, outcomes = [[0, 1], [1, 2], [2, 0]], [1, 0.5, 1]
    duels = weng_lin.replay(pairs, outcomes)
    dated = weng_lin.replay(pairs, outcomes, plays=[5, 2, 9], times=[-1e4, 0, 2.5], n_players=4)
    np.testing.assert_array_equal(dated.ratings[:3], duels.ratings)
    np.testing.assert_array_equal(dated.forecasts, duels.forecasts)
    np.testing.assert_array_equal(dated.last_times, [2.5, 0, 2.5, np.nan])


@pytest.mark.parametrize("compiled", [True, False])
def test_an_empty_log_leaves_the_start(compiled):
    record = weng_lin.replay([], [], n_players=2, ratings=[1, 2], compiled=compiled)
    assert (
        record.ratings.tolist() == [1, 2] and len(record.forecasts) == 0 and record.games.tolist() == [0, 0]
    )


BAD_PLAYS = {
    "lacks a pair": (
        [[3, 4], [0, 1], [1, 2]],
        [1, 1, 1],
        ["x", "b", "b"],
        r"play b \(rows 1 to 2\).* 0 and 2",
    ),
    "teams": (
        [[0, 2], [0, 3], [1, 2], [1, 3]],
        [1, 1, 1, 1],
        [8, 8, 8, 8],
        r"play 8 \(rows 0 to 3\).* 0 and 1",
    ),
    "two tables under one label": ([[0, 1], [2, 3]], [1, 1], [8, 8], r"play 8 \(rows 0 to 1\).* 0 and 2"),
    "pair twice": ([[0, 1], [1, 0]], [1, 0], [2, 2], r"row 1 of play 2 has players 1 and 0 again"),
    "pair twice, another missing": (
        [[0, 1], [0, 2], [0, 1]],
        [1, 1, 1],
        [2, 2, 2],
        r"row 2 of play 2 has players 0 and 1 again",
    ),
    "circle": ([[0, 1], [1, 2], [2, 0]], [1, 1, 1], [2, 2, 2], r"outcome of row 0 is 1 .* play 2"),
    "ties that do not hold together": (
        [[5, 6], [0, 1], [1, 2], [0, 2]],
        [1, 0.5, 0.5, 1],
        [1, 2, 2, 2],
        r"outcome of row 2 is 0.5 for players 1 and 2.* play 2",
    ),
}


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("case", BAD_PLAYS.values(), ids=BAD_PLAYS)
def test_plays_that_are_no_finishing_order_are_named(case, compiled):
    pairs, outcomes, plays, message = case
    with pytest.raises(ValueError, match=message):
        weng_lin.replay(pairs, outcomes, plays=plays, compiled=compiled)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"beta": 0}, "beta is 0"),
        ({"start_deviation": -1}, "start_deviation is -1"),
        ({"tau": -0.1}, "tau is -0.1"),
        ({"kappa": 1.5}, "kappa is 1.5"),
        ({"start": math.nan}, "start is nan"),
        ({"model": "elo"}, "model is 'elo'.*plackett-luce, bradley-terry"),
        ({"forecast": "probit"}, "forecast is 'probit'.*pair, table, normal"),
    ],
)
def test_bad_settings(fields, message):
    with pytest.raises(ValueError, match=message):
        WengLinSettings(**fields)


def test_bad_arguments():
    with pytest.raises(ValueError, match=r"outcome of game 0 is 0.7"):
        weng_lin.replay([[0, 1]], [0.7])
    with pytest.raises(ValueError, match="deviation is -3"):
        weng_lin.replay([[0, 1]], [1], deviations=[2, -3])
    with pytest.raises(ValueError, match="play 4 goes on in row 2"):
        weng_lin.replay([[0, 1]] * 3, [1] * 3, plays=[4, 9, 4])
    with pytest.raises(ValueError, match="given together with an earlier record"):
        weng_lin.replay([[0, 1]], [1], ratings=1500, state=weng_lin.replay([[0, 1]], [1]))
    with pytest.raises(ValueError, match="two or more finite"):
        weng_lin.update([1500], [350], [1])
    with pytest.raises(ValueError, match="two or more finite"):
        weng_lin.update([1500, 1500], [350, 350], [1, math.nan])
    with pytest.raises(ValueError, match="ratings has shape"):
        weng_lin.update([1500, 1500], [350, 350], [1, 2, 3])
    with pytest.raises(ValueError, match="curve is 'probit'"):
        weng_lin.expected_score(1500, 1400, curve="probit")
