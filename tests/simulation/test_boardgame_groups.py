"""Groups of known strength: that what happens is what the settings say, and that a belief is true only where it is."""

from dataclasses import fields, replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from ludometrics.boardgames.engine import rate_log
from ludometrics.boardgames.factors import duration_factor, familiarity, weight_factor
from ludometrics.boardgames.settings import EngineSettings, preset
from ludometrics.boardgames.weights import game_weights
from ludometrics.simulation.boardgame_groups import simulate_group
from ludometrics.simulation.boardgame_worlds import ADDS, GROUPS, SIZES, GroupWorld

#: Standard errors: a right world fails one such check in 16,000, and seeds are fixed.
Z = 4.0
PLAIN = GROUPS["plain"]
LARGE = replace(PLAIN, plays=8000, years=20.0)


def run(world=PLAIN, seed=1):
    return simulate_group(world, rng=np.random.default_rng(seed))


def within(value, expected, error):
    return abs(value - expected) <= Z * error


@pytest.fixture(scope="module", params=GROUPS)
def group(request):
    return run(GROUPS[request.param])


def values(group):
    """What each belief is about, at each play."""
    games = list(group.log.games.values())
    weight = {
        game.key: weight_factor(group.complexity[game.bgg_id], group.skill[game.key], EngineSettings())
        for game in games
    }
    return {
        "weight": np.array([weight[play.game] for play in group.log.plays]),
        "confidence": group.table_familiarity,
        "duration": duration_factor(group.minutes, EngineSettings()),
    }


# What is written down


def test_the_log_is_whole_and_in_order(group):
    log, world = group.log, group.world
    assert len(log.plays) == world.plays == len(group.sensitivity) and len(log.games) == world.games
    assert all(one.order < other.order for one, other in pairwise(log.plays))
    assert list(log.games) == sorted(log.games) and list(log.people) == sorted(log.people)
    assert log.owner in group.people and len(group.people) == world.people
    keys = [*log.games, *log.people, *(play.key for play in log.plays)]
    assert len(set(keys)) == len(keys) and all(key == key.casefold() for key in keys)


def test_the_arrays_are_those_of_the_log(group):
    people = [*group.people]
    for place, play in enumerate(group.log.plays):
        seats = slice(group.starts[place], group.starts[place + 1])
        assert len(play.seats) == seats.stop - seats.start in SIZES
        known = [seat.person if seat.person in group.strengths else None for seat in play.seats]
        assert known == [None if who < 0 else people[who] for who in group.person[seats]]
        assert len({key for key in known if key}) == sum(key is not None for key in known) >= 2
        if not np.isnan(group.sensitivity[place]):
            assert [seat.winner for seat in play.seats] == (group.rank[seats] == 1).tolist()
            assert sorted(group.rank[seats]) == list(range(1, len(play.seats) + 1))


def test_the_engine_reads_the_true_orders():
    group = run(replace(PLAIN, cooperative_games=2, automata=0.3, guests=0.2))
    rated = rate_log(group.log, preset("tuned"))
    competitive = np.flatnonzero(~np.isnan(group.sensitivity))
    assert rated.schedule.play.tolist() == competitive.tolist()
    for row, place in enumerate(competitive):
        outcome = rated.outcomes[place]
        true = group.rank[group.starts[place] : group.starts[place + 1]]
        if outcome.source == "flag":
            true = np.minimum(true, 2)
        assert list(outcome.ranks) == true.tolist()
        assert group.whole_order[place] == (outcome.source != "flag") == (not rated.schedule.flag_only[row])
    assert rated.ratings.scored.sum() == group.pairs.scored.sum()


def test_what_is_said_of_the_games_is_what_the_engine_takes():
    group = run()
    weights = game_weights(group.log.games, EngineSettings(), complexity=group.complexity, skill=group.skill)
    assert {row.source for row in weights.values()} == {"complexity and skill"}
    engine = np.array([weights[play.game].weight for play in group.log.plays])
    assert values(group)["weight"] == pytest.approx(engine, abs=1e-12)


def test_familiarity_counts_earlier_plays():
    group = run(replace(PLAIN, cooperative_games=3, guests=0.2))
    played = {}
    for place, play in enumerate(group.log.plays):
        known = [seat for seat in play.seats if seat.person in group.strengths]
        before = [played.get((seat.person, play.game), 0) for seat in known]
        assert group.table_familiarity[place] == pytest.approx(
            np.mean(familiarity(before, EngineSettings())), abs=1e-12
        )
        assert [seat.new_player for seat in known] == [n == 0 for n in before]
        for seat in known:
            played[seat.person, play.game] = played.get((seat.person, play.game), 0) + 1


def test_shares_are_those_that_are_set():
    world = replace(LARGE, guests=0.2, automata=0.5, default_time=0.3, durations=0.7)
    group = run(world)
    n = world.plays
    sizes = np.diff(group.starts)
    chances = np.array(world.table_sizes) / sum(world.table_sizes)
    counts = np.array([(sizes == size).mean() for size in SIZES])
    assert (np.abs(counts - chances) <= Z * np.sqrt(chances * (1 - chances) / n)).all()
    beyond = (sizes - 2).sum()
    assert within((group.person < 0).sum() / beyond, 0.2, np.sqrt(0.16 / beyond))
    automata = [
        group.log.people[seat.person].is_automaton
        for play in group.log.plays
        for seat in play.seats
        if group.log.people[seat.person].is_guest
    ]
    assert within(np.mean(automata), 0.5, 0.5 / np.sqrt(len(automata)))
    logged = np.array([play.minutes for play in group.log.plays])
    assert within((logged > 0).mean(), 0.7, np.sqrt(0.21 / n))
    assert (logged[logged > 0] == group.minutes[logged > 0]).all()
    days = {play.at.date(): play.at.hour == 10 for play in group.log.plays if play.at.hour in (10, 19)}
    assert within(np.mean(list(days.values())), 0.3, np.sqrt(0.21 / len(days)))
    assert len(group.meeting_days) == world.evenings and (np.diff(group.meeting_days) > 0).all()


def test_some_come_often_and_some_rarely():
    uneven, even = (run(replace(LARGE, attendance=sigma, absence=0.0)) for sigma in (1.0, 0.0))
    counts = [np.bincount(group.person[group.person >= 0], minlength=12) for group in (uneven, even)]
    assert counts[0].max() > 4 * counts[0].min()
    assert counts[1].max() < 1.2 * counts[1].min()


def test_who_is_away_does_not_come():
    world = replace(LARGE, absence=1.0, absence_days=2000.0, table_sizes=(1.0, 0.0, 0.0, 0.0, 0.0))
    longest = []
    for group in (run(world), run(replace(world, absence=0.0))):
        day = np.array([play.at.toordinal() for play in group.log.plays])
        of_seat = np.repeat(day, np.diff(group.starts))
        gaps = [
            np.diff(np.unique([day[0], day[-1], *of_seat[group.person == who]])).max() for who in range(12)
        ]
        longest.append(np.mean(gaps))
    assert longest[0] > 3 * longest[1]


# The truth


def test_pairs_follow_their_true_chances(group):
    pairs = group.pairs
    variance = pairs.chance * (1 - pairs.chance)
    assert within(pairs.outcome.mean(), pairs.chance.mean(), np.sqrt(variance.mean() / len(variance)))


@pytest.mark.parametrize("name", ["plain", "all"])
def test_pairs_follow_the_logistic_curve_in_every_part_of_it(name):
    pairs = run(replace(GROUPS[name], plays=8000, years=20.0, spread=250.0)).pairs
    favourite = np.maximum(pairs.chance, 1 - pairs.chance)
    won = np.where(pairs.chance > 0.5, pairs.outcome, 1 - pairs.outcome)
    part = np.digitize(favourite, np.quantile(favourite, np.arange(0.1, 1.0, 0.1)))
    for own in range(10):
        chance = favourite[part == own]
        # Pairs of one play are not independent: each table counts as one draw.
        plays = len(np.unique(pairs.play[part == own]))
        assert within(won[part == own].mean(), chance.mean(), np.sqrt((chance * (1 - chance)).mean() / plays))


def test_winner_and_the_others_follow_it_too_where_only_the_winner_is_known():
    pairs = run(replace(LARGE, sources=(0.0, 0.0, 1.0), lowest_games=0, spread=250.0)).pairs
    assert pairs.scored.sum() < 0.8 * len(pairs.scored)
    chance, outcome = pairs.chance[pairs.scored], pairs.outcome[pairs.scored]
    favourite = np.where(chance > 0.5, outcome, 1 - outcome)
    error = np.sqrt((chance * (1 - chance)).mean() / len(np.unique(pairs.play[pairs.scored])))
    assert within(favourite.mean(), np.maximum(chance, 1 - chance).mean(), error)


def test_the_oracle_loses_what_it_must(group):
    for weighting in ("play", "pair"):
        loss = group.oracle_log_loss(weighting=weighting)
        assert loss.expected <= np.log(2) + 1e-12
        # The losses of 600 plays spread by about 0.3 each.
        assert within(loss.realised, loss.expected, 0.3 / np.sqrt(group.world.plays))


def test_nobody_is_better_than_anybody_in_the_coin():
    group = run(GROUPS["coin"])
    assert set(group.strengths.values()) == {1000.0} and (group.pairs.chance == 0.5).all()
    assert group.oracle_log_loss().realised == pytest.approx(np.log(2), abs=1e-12)


def test_strengths_spread_and_wander_as_set():
    still, moving = (
        run(replace(LARGE, people=400, spread=100.0)),
        run(replace(LARGE, people=400, spread=100.0, drift=2.0)),
    )
    ends = np.array(list(still.strengths.values()))
    assert within(ends.std(), 100, 100 / np.sqrt(800)) and within(ends.mean(), 1000, 100 / 20)
    days = still.meeting_days[-1] - still.meeting_days[0]
    change = moving.paths[-1] - still.paths[-1]
    assert within(change.std(), 2 * np.sqrt(days), 2 * np.sqrt(days / 800))
    assert (moving.paths[0] == still.paths[0]).all() and (still.paths == still.paths[0]).all()
    who = moving.person[0]
    assert moving.seat_strength[0] == moving.paths[0, who]
    assert list(moving.strengths.values()) == moving.paths[-1].tolist()


# Beliefs


def test_predictability_is_the_same_whichever_belief_is_true(group):
    assert np.nanmean(group.sensitivity**2) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("belief", ["weight", "confidence", "duration"])
def test_a_belief_is_true_where_it_was_made_true_and_only_there(belief):
    for name, world in GROUPS.items():
        group = run(world)
        if name in (belief, "all", "reversed" if belief == "weight" else ""):
            log_a = np.log(group.sensitivity)
            design = np.column_stack([np.ones(len(log_a)), *values(group).values()])
            slope = np.linalg.lstsq(design, log_a, rcond=None)[0][1 + list(values(group)).index(belief)]
            strength = getattr(world, belief)
            assert slope * values(group)[belief].std() == pytest.approx(strength, abs=1e-9)
        elif name in ("plain", "margin", "drifting", "coin"):
            assert group.sensitivity == pytest.approx(1.0, abs=1e-12)
    assert PLAIN.beliefs == () and GROUPS["all"].beliefs == ("weight", "confidence", "duration", "margin")


def test_what_games_differ_by_may_have_nothing_to_do_with_what_is_said_of_them():
    correlations = []
    for seed in range(40):
        group = run(replace(GROUPS["unrelated"], plays=100), seed)
        of_game = {
            play.game: (w, a)
            for play, w, a in zip(group.log.plays, values(group)["weight"], group.sensitivity, strict=True)
        }
        correlations.append(np.corrcoef(np.array(list(of_game.values())).T)[0, 1])
        assert np.std(np.log(group.sensitivity)) > 0.2
    assert within(np.mean(correlations), 0.0, np.std(correlations) / np.sqrt(40))


def favourites_edge(group):
    """How much more often the favourite won by a wide gap of scores than by a narrow one."""
    scores = np.array([float(seat.score or "nan") for play in group.log.plays for seat in play.seats])
    pairs = group.pairs
    gap = np.abs(scores[pairs.first] - scores[pairs.second])
    game = np.array([play.game for play in group.log.plays])[pairs.play]
    scored = {key for key in set(game) if not np.isnan(gap[game == key]).any()}
    usual = {key: gap[game == key].mean() if key in scored else np.nan for key in set(game)}
    scaled = gap / np.array([usual[key] for key in game])
    won = (pairs.chance > 0.5) == (pairs.outcome == 1)
    wide, narrow = scaled > np.nanquantile(scaled, 0.75), scaled < np.nanquantile(scaled, 0.25)
    return won[wide].mean() - won[narrow].mean(), 0.5 * np.sqrt(1 / wide.sum() + 1 / narrow.sum())


def test_gaps_tell_something_only_where_they_were_made_to():
    # At tables of two: elsewhere the order tells something, and gaps follow it.
    duels = replace(LARGE, spread=250.0, table_sizes=(1.0, 0.0, 0.0, 0.0, 0.0))
    edge, error = favourites_edge(run(duels))
    assert within(edge, 0.0, error)
    edge, error = favourites_edge(run(replace(duels, margin=1.0)))
    assert edge > Z * error


def test_scores_have_the_true_order_and_lowest_wins_is_turned_round():
    for margin in (0.0, 0.5, 1.0):
        group = run(replace(PLAIN, margin=margin, lowest_games=5, sources=(1.0, 0.0, 0.0)))
        for place, play in enumerate(group.log.plays):
            sign = 1 if group.log.games[play.game].highest_wins else -1
            scores = [-sign * int(seat.score) for seat in play.seats]
            true = group.rank[group.starts[place] : group.starts[place + 1]]
            assert np.argsort(np.argsort(scores)).tolist() == (true - 1).tolist()


# Seeds and settings


@pytest.mark.parametrize("name", [name for name in GROUPS if name not in ("wide", "drifting", "coin")])
def test_groups_with_equal_seeds_share_people_tables_and_luck(name):
    plain, other = run(), run(GROUPS[name])
    assert other.strengths == plain.strengths
    assert other.complexity == plain.complexity and other.skill == plain.skill
    assert (other.person == plain.person).all() and (other.minutes == plain.minutes).all()
    for one, two in zip(plain.log.plays, other.log.plays, strict=True):
        assert (one.key, one.game, one.at, one.entered, one.minutes) == (
            two.key,
            two.game,
            two.at,
            two.entered,
            two.minutes,
        )


def test_equal_seeds_agree_and_the_global_generator_is_left_alone(group):
    before = np.random.get_state()[1].copy()
    same, other = run(group.world), run(group.world, seed=2)
    assert (np.random.get_state()[1] == before).all()
    assert same.log == group.log != other.log
    for name in ("sensitivity", "minutes", "person", "seat_strength", "rank", "paths"):
        assert getattr(group, name).tobytes() == getattr(same, name).tobytes(), name


@hypothesis_settings(max_examples=40, deadline=None)
@given(
    people=st.integers(6, 20),
    games=st.integers(3, 12),
    plays=st.integers(1, 60),
    cooperative=st.integers(0, 2),
    evening=st.floats(1, 5),
    shares=st.tuples(*[st.sampled_from([0.0, 0.3, 1.0])] * 5),
    strengths=st.tuples(*[st.floats(-1, 1)] * 3),
    seed=st.integers(0, 2**32),
)
def test_any_group_is_one(people, games, plays, cooperative, evening, shares, strengths, seed):
    names = ("guests", "automata", "default_time", "absence", "margin")
    world = GroupWorld(
        people=people,
        games=games,
        plays=plays,
        cooperative_games=cooperative,
        lowest_games=1,
        plays_an_evening=evening,
        **dict(zip(names, shares, strict=True)),
        **dict(zip(("weight", "confidence", "duration"), strengths, strict=True)),
    )
    group = run(world, seed)
    assert all(a.order < b.order for a, b in pairwise(group.log.plays))
    assert np.isfinite(group.seat_strength).all() and (group.minutes >= 5).all()
    competitive = ~np.isnan(group.sensitivity)
    if competitive.any():
        assert np.mean(group.sensitivity[competitive] ** 2) == pytest.approx(1.0, rel=1e-9)
    sizes = np.diff(group.starts)[competitive]
    assert len(group.pairs.chance) == (sizes * (sizes - 1) // 2).sum()
    assert ((group.pairs.chance > 0) & (group.pairs.chance < 1)).all()


def test_every_group_is_described():
    assert list(ADDS) == list(GROUPS)


@pytest.mark.parametrize(
    "changes, words",
    [
        ({"people": 1}, "people is 1: it must be a whole number of at least 2"),
        ({"people": 5}, "people is 5: at least 6 are needed, the largest table"),
        ({"plays": 2.0}, "plays is 2.0: it must be a whole number"),
        ({"spread": -1.0}, "spread is -1.0"),
        ({"spread": float("nan")}, "spread is nan"),
        ({"guests": 1.1}, r"guests is 1.1: it must be a finite number in \[0, 1\]"),
        ({"weight": 3.0}, r"weight is 3.0: it must be a finite number in \[-2, 2\]"),
        ({"margin": True}, "margin is True"),
        ({"table_sizes": (1.0, 2.0)}, "table_sizes is .* 5 chances of at least 0"),
        ({"sources": (0.0, 0.0, 0.0)}, "sources is .* not all 0"),
        ({"cooperative_games": 29, "lowest_games": 2}, "together they must be at most 30"),
        ({"years": 0.1}, "these are 240 days of play, at most 37 are allowed"),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, dict) else "",
)
def test_settings_that_cannot_be_are_refused(changes, words):
    with pytest.raises(ValueError, match=words):
        GroupWorld(**changes)


def test_every_number_among_the_settings_is_checked():
    for item in fields(GroupWorld):
        with pytest.raises(ValueError, match=item.name):
            GroupWorld(**{item.name: "many"})


def test_an_oracle_needs_something_to_foretell():
    with pytest.raises(ValueError, match="weighting is 'game'"):
        run().oracle_log_loss(weighting="game")
    with pytest.raises(ValueError, match="nothing can be foretold"):
        run(GroupWorld(plays=3, games=1, cooperative_games=1, lowest_games=0)).oracle_log_loss()
