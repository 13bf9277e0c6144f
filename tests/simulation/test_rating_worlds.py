"""Worlds of players of known strength: that what is drawn is what the settings say, and that it repeats."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from ludometrics.draughts import Level
from ludometrics.provenance import read_table
from ludometrics.ratings import bradley_terry, check_games, elo
from ludometrics.ratings.checks import check_times
from ludometrics.simulation.presets import COURSE_PLAYERS
from ludometrics.simulation.rating_worlds import davidson, simulate_world
from ludometrics.simulation.world_presets import ADDS, COURSE_STRENGTHS, PRESETS, WorldSettings

#: Standard errors: a right world fails one such check in 16,000, and seeds are fixed.
Z = 4.0
STATIC = PRESETS["static"]


def run(settings=STATIC, seed=1):
    return simulate_world(settings, rng=np.random.default_rng(seed))


def within(value, expected, error):
    return abs(value - expected) <= Z * error


@pytest.fixture(scope="module", params=PRESETS)
def world(request):
    return run(PRESETS[request.param])


def test_the_log_is_one_that_ratings_take(world):
    settings, games = world.settings, world.games
    assert len(games) == settings.games and len(games.players) == settings.players
    pairs, _, _ = check_games(games.pairs, games.outcomes, n_players=settings.players)
    assert pairs.dtype == np.int64 and games.players[:2] == ("p000", "p001")
    check_times(games.times, len(games))
    assert games.times[0] >= 0 and games.times[-1] <= settings.days
    assert world.games_played.sum() == 2 * settings.games
    counts = np.bincount(games.times.astype(int), minlength=settings.days)
    assert (counts == settings.games / settings.days).all()


def test_outcomes_follow_the_true_probabilities(world):
    outcomes, expected, draw = world.games.outcomes, world.expected, world.draw_probability
    n = len(outcomes)
    assert ((expected > 0) & (expected < 1) & (draw >= 0)).all()
    variance = expected - expected**2 - draw / 4
    assert within(outcomes.mean(), expected.mean(), np.sqrt(variance.mean() / n))
    assert within((outcomes == 0.5).mean(), draw.mean(), np.sqrt((draw * (1 - draw)).mean() / n))
    favoured = expected > 0.7
    assert within(
        outcomes[favoured].mean(),
        expected[favoured].mean(),
        np.sqrt(variance[favoured].mean() / favoured.sum()),
    )


def test_the_oracle_loses_what_it_must(world):
    n = len(world.expected)
    for loss, points in (
        (world.oracle_log_loss(), lambda s, e: -(s * np.log(e) + (1 - s) * np.log(1 - e))),
        (world.oracle_brier(), lambda s, e: (s - e) ** 2),
    ):
        losses = points(world.games.outcomes, world.expected)
        assert loss.realised == pytest.approx(losses.mean(), abs=1e-12)
        assert within(loss.realised, loss.expected, losses.std() / np.sqrt(n))
    half = world.oracle_log_loss(slice(n // 2, None))
    mask = world.oracle_log_loss(np.arange(n) >= n // 2)
    assert half == mask != world.oracle_log_loss()


def test_equal_seeds_agree_and_the_global_generator_is_left_alone(world):
    before = np.random.get_state()[1].copy()
    same, other = run(world.settings), run(world.settings, seed=2)
    assert (np.random.get_state()[1] == before).all()
    for name in ("expected", "draw_probability", "strengths_at_games", "final_strengths", "joined"):
        assert getattr(world, name).tobytes() == getattr(same, name).tobytes(), name
    for name in ("pairs", "outcomes", "times"):
        assert getattr(world.games, name).tobytes() == getattr(same.games, name).tobytes(), name
        assert getattr(world.games, name).tobytes() != getattr(other.games, name).tobytes(), name


def test_presets_with_equal_seeds_share_players_and_luck():
    static = run()
    for name in ("draws", "first_move"):
        other = run(PRESETS[name])
        assert (other.games.pairs == static.games.pairs).all()
        assert (other.final_strengths == static.final_strengths).all()
    drifting = run(PRESETS["drifting"])
    assert (drifting.strengths_at_games[:60] == static.strengths_at_games[:60]).all()
    assert (run(PRESETS["first_move"]).games.outcomes >= static.games.outcomes).all()


def test_strengths_have_the_deviation_that_is_set():
    strengths = run(WorldSettings(players=400, games=1, strength_deviation=150)).final_strengths
    assert within(strengths.std(), 150, 150 / np.sqrt(800)) and within(strengths.mean(), 0, 150 / 20)
    assert (run(replace(STATIC, strength_deviation=0)).final_strengths == 0).all()


def test_everybody_meets_everybody_alike():
    world = run(WorldSettings(players=5, games=4000))
    counts = np.bincount(world.games.pairs @ [5, 1], minlength=25).reshape(5, 5)
    assert (np.diag(counts) == 0).all()
    off = counts[~np.eye(5, dtype=bool)]
    assert (np.abs(off - 200) <= Z * np.sqrt(200 * 0.95)).all()


def test_drift_has_the_deviation_of_its_days():
    settings = WorldSettings(players=300, days=50, games=20_000, drift=9)
    world, still = run(settings), run(replace(settings, drift=0))
    changes = world.final_strengths - still.final_strengths
    assert within(changes.std(), 9 * np.sqrt(49), 9 * 7 / np.sqrt(600))
    day = world.games.times.astype(int)
    for when in (10, 30):
        rows = day == when
        players, where = np.unique(world.games.pairs[rows], return_index=True)
        moved = (world.strengths_at_games[rows].ravel()[where]) - still.final_strengths[players]
        assert within(moved.std(), 9 * np.sqrt(when), 9 * np.sqrt(when / (2 * len(players))))
        # During a day strengths stay.
        table = pd.DataFrame(
            {"player": world.games.pairs[rows].ravel(), "strength": world.strengths_at_games[rows].ravel()}
        )
        assert (table.groupby("player")["strength"].nunique() == 1).all()
    last = day == 49
    assert (world.strengths_at_games[last] == world.final_strengths[world.games.pairs[last]]).all()


def test_newcomers_never_play_before_they_join():
    world = run(PRESETS["newcomers"])
    assert (world.joined[:30] == 0).all() and len(set(world.joined[30:].tolist())) > 15
    assert world.joined.max() < world.settings.days
    assert (world.games.times[:, None] >= world.joined[world.games.pairs]).all()
    late = world.joined > 60
    assert late.any() and (world.games_played[late] < world.games_played[:30].min()).all()


def test_activity_spreads_the_numbers_of_games():
    world = run(PRESETS["unequal"])
    played, n = world.games_played, world.settings.games
    weights = np.outer(world.activity, world.activity)
    np.fill_diagonal(weights, 0)
    share = 2 * weights.sum(axis=1) / weights.sum()
    assert (np.abs(played - n * share) <= Z * np.sqrt(n * share)).all()
    assert played.max() > 4 * np.median(played) and world.activity.max() == 1
    assert run().activity.tolist() == [1.0] * 60


@pytest.mark.parametrize("drift", [0.0, 8.0])
def test_assortative_pairs_are_near_in_strength(drift):
    world = run(replace(STATIC, assortative=50.0, drift=drift))
    gaps = np.abs(np.diff(world.strengths_at_games, axis=1))
    free = np.abs(np.diff(run(replace(STATIC, drift=drift)).strengths_at_games, axis=1))
    # A normal gap of deviation 283 that is kept with a weight of deviation 50 has deviation 49.
    assert np.sqrt(np.mean(gaps**2)) < 60 < 200 < np.sqrt(np.mean(free**2))
    narrow = run(replace(STATIC, assortative=1e-6))
    assert len(np.unique(np.sort(narrow.games.pairs, axis=1), axis=0)) == 1


def test_draws_between_equals_have_their_share():
    world = run(replace(STATIC, strength_deviation=0, draw_share=0.4))
    assert world.draw_probability == pytest.approx(0.4) and world.expected == pytest.approx(0.5)
    assert not (run().games.outcomes == 0.5).any()


def test_the_first_player_has_its_advantage():
    world = run(PRESETS["first_move"])
    assert world.games.outcomes.mean() > 0.5 + Z * 0.5 / np.sqrt(6000)
    equals = run(replace(PRESETS["first_move"], strength_deviation=0))
    assert equals.expected == pytest.approx(elo.expected_score(100, 0))
    assert world.expected_scores() + world.expected_scores().T == pytest.approx(1)


def test_cliques_have_their_share_of_games_across():
    settings = PRESETS["cliques"]
    for world in (
        run(),
        run(settings),
        run(replace(settings, newcomers=0.5, activity=1.0, assortative=100.0)),
    ):
        met = world.cliques[world.games.pairs]
        share, n = world.settings.cross_share, world.settings.games
        assert within((met[:, 0] != met[:, 1]).mean(), share, np.sqrt(share * (1 - share) / n))
    for share in (0.0, 1.0):
        crossing = run(replace(settings, cross_share=share))
        met = crossing.cliques[crossing.games.pairs]
        assert ((met[:, 0] != met[:, 1]) == bool(share)).all()
    assert np.bincount(world.cliques).tolist() == [15] * 4


def test_cliques_differ_in_mean_strength():
    settings = WorldSettings(
        players=400, games=1, cliques=200, cross_share=0.1, clique_deviation=300, strength_deviation=0
    )
    world = run(settings)
    means = world.final_strengths[:200]
    assert (world.final_strengths[200:] == means).all() and within(means.std(), 300, 300 / 20)


def test_three_players_beat_each_other_in_a_ring():
    world = run(PRESETS["intransitive"])
    beats = world.expected_scores() > 0.5
    assert np.trace(np.linalg.matrix_power(beats.astype(int), 3)) > 0
    still = run().expected_scores() > 0.5
    assert np.trace(np.linalg.matrix_power(still.astype(int), 3)) == 0
    assert world.expected_scores() + world.expected_scores().T == pytest.approx(1)


def test_final_strength_is_the_mean_log_odds_against_all():
    world = run(PRESETS["intransitive"])
    scores = world.expected_scores()
    odds = 400 * np.log10(scores / (1 - scores))
    centred = world.final_strengths - world.final_strengths.mean()
    assert odds.mean(axis=1) == pytest.approx(centred, abs=1e-6)
    first, second = world.games.pairs.T
    assert world.expected == pytest.approx(scores[first, second], abs=1e-12)


def test_ideal_ratings_foretell_the_scores_of_a_round_robin(world):
    ratings, scores = world.ideal_ratings(), world.expected_scores()
    forecast = elo.expected_score(ratings[:, None], ratings[None, :])
    assert forecast.sum(axis=1) == pytest.approx(scores.sum(axis=1), abs=1e-9)
    assert ratings.mean() == pytest.approx(world.final_strengths.mean(), abs=1e-6)
    if not (world.settings.draw_share or world.settings.intransitivity):
        assert ratings == pytest.approx(world.final_strengths, abs=1e-6)


def test_draws_draw_ideal_ratings_together():
    near = run(WorldSettings(players=20, games=1, strength_deviation=5, draw_share=0.4))
    centred = near.final_strengths - near.final_strengths.mean()
    assert near.ideal_ratings() - near.final_strengths.mean() == pytest.approx(0.6 * centred, abs=0.01)


def test_bradley_terry_finds_the_ideal_ratings():
    world = run(WorldSettings(players=6, games=40_000, draw_share=0.3))
    fitted = bradley_terry.fit(world.games.pairs, world.games.outcomes)
    ideal = world.ideal_ratings()
    errors = (fitted.ratings - (ideal - ideal[0]))[1:] / fitted.errors[1:]
    assert (np.abs(errors) < Z).all()
    far = (fitted.ratings - (world.final_strengths - world.final_strengths[0]))[1:] / fitted.errors[1:]
    assert np.abs(far).max() > 2 * Z


def test_ideal_ratings_of_players_too_far_apart():
    with pytest.raises(ValueError, match="too far apart"):
        run(WorldSettings(players=3, games=5, strengths=(0.0, 1e6, 2e6), draw_share=0.1)).ideal_ratings()


def test_no_draws_is_elo_and_an_advantage_is_a_gap():
    gaps = np.array([-1e5, -800.0, -1.0, 0.0, 35.0, 400.0, 1e5])
    expected, draw = davidson(gaps, 0.0)
    assert expected == pytest.approx(elo.expected_score(gaps, 0.0), abs=1e-15) and (draw == 0).all()


@given(gap=st.floats(-2000, 2000), draw_share=st.floats(0, 0.95))
@hypothesis_settings(max_examples=100, deadline=None)
def test_davidson_by_its_definition(gap, draw_share):
    expected, draw = (float(value) for value in davidson(gap, draw_share))
    root = 10 ** (gap / 800)
    weights = np.array([root, 2 * draw_share / (1 - draw_share), 1 / root])
    win, drawn, _ = weights / weights.sum()
    assert draw == pytest.approx(drawn, abs=1e-12) and expected == pytest.approx(win + drawn / 2, abs=1e-12)
    back, same = davidson(-gap, draw_share)
    assert float(back) == pytest.approx(1 - expected, abs=1e-12) and float(same) == draw


def test_the_course_has_the_strengths_that_were_measured():
    table = read_table("results/draughts_levels/levels.csv")
    ratings = {Level(int(row.depth), row.chance): row.rating for row in table.itertuples()}
    assert [round(ratings[level], 1) for _, level in COURSE_PLAYERS] == list(COURSE_STRENGTHS)
    course = PRESETS["course"]
    assert (course.players, course.days, course.games) == (8, 20, 560)
    assert run(course).final_strengths.tolist() == list(COURSE_STRENGTHS)


def test_each_preset_says_what_it_adds_and_shares_its_size():
    assert list(PRESETS) == list(ADDS)
    sizes = {(s.players, s.days, s.games) for name, s in PRESETS.items() if name != "course"}
    assert sizes == {(60, 100, 6000)}


def test_all_settings_together_and_other_sizes():
    everything = WorldSettings(
        players=9,
        days=7,
        games=100,
        drift=10,
        newcomers=0.5,
        activity=5,
        assortative=1.0,
        draw_share=0.9,
        advantage=-50,
        cliques=2,
        cross_share=0.5,
        clique_deviation=100,
        intransitivity=300,
    )
    for seed in range(20):
        world = run(everything, seed)
        check_games(world.games.pairs, world.games.outcomes, n_players=9)
        assert (world.games.times[:, None] >= world.joined[world.games.pairs]).all()
    smallest = run(WorldSettings(players=2, days=1, games=1, drift=5))
    assert sorted(smallest.games.pairs[0].tolist()) == [0, 1]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"players": 1}, "players is 1: it must be a whole number of at least 2"),
        ({"players": 60.0}, "players is 60.0"),
        ({"days": 0}, "days is 0: it must be a whole number of at least 1"),
        ({"games": True}, "games is True"),
        ({"cliques": 0}, "cliques is 0"),
        (
            {"strength_deviation": -1.0},
            "strength_deviation is -1.0: it must be a finite number of at least 0",
        ),
        ({"strength_deviation": "200"}, "strength_deviation is '200'"),
        ({"drift": float("nan")}, "drift is nan"),
        ({"newcomers": 1.0}, r"newcomers is 1.0: it must be a finite number in \[0, 1\)"),
        ({"activity": 6.0}, r"activity is 6.0: it must be a finite number in \[0, 5\]"),
        ({"assortative": 0.0}, "assortative is 0.0: it must be a finite number above 0, or None"),
        ({"draw_share": 1.0}, "draw_share is 1.0"),
        ({"advantage": float("inf")}, "advantage is inf"),
        ({"cliques": 4, "cross_share": 1.5}, r"cross_share is 1.5: it must be a finite number in \[0, 1\]"),
        ({"cliques": 4, "clique_deviation": -1.0}, "clique_deviation is -1.0"),
        ({"intransitivity": -5.0}, "intransitivity is -5.0"),
        ({"strengths": (1.0, 2.0)}, "60 finite numbers are needed"),
        ({"players": 2, "strengths": (1.0, float("nan"))}, "2 finite numbers are needed"),
        (
            {"players": 4, "strengths": (0.0,) * 4, "cliques": 2, "clique_deviation": 9.0},
            "clique_deviation is 9: it must be 0 where strengths are given",
        ),
        ({"cross_share": 0.1}, "cross_share is 0.1: it must be 0 where cliques is 1"),
        ({"clique_deviation": 10.0}, "clique_deviation is 10: it must be 0 where cliques is 1"),
        ({"cliques": 4, "players": 8, "newcomers": 0.25}, "6 players are there from the start, at least 8"),
        ({"newcomers": 0.99}, "1 players are there from the start, at least 2"),
    ],
)
def test_settings_that_make_no_world(changes, message):
    with pytest.raises(ValueError, match=message):
        WorldSettings(**changes)
