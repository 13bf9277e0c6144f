"""The engine: reference values, the plain twin, and what must hold for every log."""

import dataclasses
import itertools
import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludometrics.boardgames.arrays import build_schedule
from ludometrics.boardgames.engine import loop_input, rate, rate_log
from ludometrics.boardgames.engine_loops import one_pass
from ludometrics.boardgames.engine_plain import plain_pass
from ludometrics.boardgames.finishing import finish_all
from ludometrics.boardgames.records import PlayLog, Seat
from ludometrics.boardgames.settings import EngineSettings
from ludometrics.boardgames.weights import GameWeight, game_weights
from ludometrics.ratings import glicko1
from small_logs import GUEST, make_log, make_play, random_log, ranked_log

CASES = json.loads(
    (Path(__file__).parents[1] / "data" / "boardgames" / "engine_cases.json").read_text(encoding="utf-8")
)
#: Every factor off, no absence, no floor: the textbook's update.
FLAT = EngineSettings(
    use_weight=False, use_confidence=False, use_margin=False, use_duration=False, absence=0.0, floor=1.0
)
#: Printed digits of the reference values.
PRINTED = 5e-7
#: The twins add the same numbers in the same order, but fold and take roots otherwise.
ROUNDING = 1e-9
VARIANTS = {
    "author": EngineSettings(gate=False),
    "tuned": EngineSettings(deviation=110.0),
    "across": EngineSettings(teams="across", drift=5.0),
    "drop": EngineSettings(guests="drop", unresolved="skip", confidence_by="least"),
    "pair": EngineSettings(confidence_by="pair", margin_spread="within", per_opponent=False),
    "corrected": EngineSettings(margin_correction=True, margin_low=0.6, margin_high=1.4),
    "flat": FLAT,
}


def of(rated, person):
    """Rating and deviation of a person."""
    place = rated.ratings.people.index(person)
    return rated.ratings.rating[place], rated.ratings.deviations[place]


@pytest.mark.parametrize("case", CASES, ids=[case["desc"][:40] for case in CASES])
def test_reference_values(case):
    people = [f"p{n}" for n in range(len(case["ranks"]))]
    log = make_log([make_play(1, "go", list(zip(people, case["ranks"], strict=True)))])
    if len(set(case["ranks"])) == 1:  # all ranks equal are no order: tied scores are
        log = make_log([make_play(1, "go", [(person, "5") for person in people])])
    changes = dataclasses.replace(FLAT, use_weight=True)
    # Without a rating a game weighs 1; half of that is a game of half the skill and the complexity.
    half = GameWeight(1.0, math.nan, 0.0, "skill")
    weights = {"go": half} if case["weight"] == 0.5 else None
    ratings = rate_log(log, changes, weights=weights).ratings
    assert ratings.rating == pytest.approx(case["ratings"], abs=PRINTED)
    assert ratings.deviations == pytest.approx(case["deviations"], abs=PRINTED)


def test_duels_are_glicko1():
    rng = np.random.default_rng(5)
    pairs = [rng.choice(6, 2, replace=False) for _ in range(60)]
    log = ranked_log(*[[f"p{a}", f"p{b}"] for a, b in pairs], days=2.5)
    ours = rate_log(log, dataclasses.replace(FLAT, absence=4.0, floor=45.0)).ratings
    theirs = glicko1.replay(
        np.array(pairs),
        np.ones(len(pairs)),
        times=np.arange(len(pairs)) * 2.5,
        n_players=6,
        settings=glicko1.Glicko1Settings(1000.0, 180.0, 4.0, 45.0, 180.0),
    )
    assert ours.rating == pytest.approx(theirs.ratings, abs=ROUNDING)
    assert ours.deviations == pytest.approx(theirs.deviations, abs=ROUNDING)
    # The pairs of a play stand by person: the winner's forecast is turned round where he comes second.
    winner = np.where(ours.outcome == 1.0, ours.forecast, 1.0 - ours.forecast)
    assert winner == pytest.approx(theirs.forecasts, abs=ROUNDING)


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("seed", [1, 2])
def test_twins_agree(name, seed):
    log, chosen = random_log(np.random.default_rng(seed), plays=90), VARIANTS[name]
    weights = game_weights(log.games, chosen, complexity={1: 2.2, 2: 4.1}, skill={})
    schedule = build_schedule(log, finish_all(log, chosen), weights, chosen)
    given_to_loops = loop_input(schedule, chosen)
    fast, plain = one_pass(*given_to_loops), plain_pass(*given_to_loops)
    assert len(schedule.play) > 60
    for field, column in plain.items():
        assert np.allclose(getattr(fast, field), column, rtol=0, atol=ROUNDING, equal_nan=True), field


def test_variants_differ():
    """Each switch reaches the pass: no two of the variants give the same ratings."""
    log = random_log(np.random.default_rng(3), plays=120)
    results = {name: rate_log(log, chosen).ratings.rating for name, chosen in VARIANTS.items()}
    for first, second in itertools.combinations(results, 2):
        assert not np.allclose(results[first], results[second]), (first, second)


@given(seed=st.integers(0, 10**6))
@settings(max_examples=15, deadline=None)
def test_order_in_the_file_and_at_the_table_does_not_count(seed):
    rng = np.random.default_rng(seed)
    log = random_log(rng, plays=25)
    shuffled = []
    for play in log.plays:
        seats = tuple(play.seats[place] for place in rng.permutation(len(play.seats)))
        shuffled.append(dataclasses.replace(play, seats=seats))
    again = make_log([shuffled[place] for place in rng.permutation(len(shuffled))], games=log.games.values())
    one, two = (rate_log(each, EngineSettings(teams="across")).ratings for each in (log, again))
    for field in ("rating", "variance", "before", "after", "forecast", "outcome", "margin"):
        assert getattr(one, field).tobytes() == getattr(two, field).tobytes(), field


def test_deleting_a_play_is_a_fresh_run_without_it():
    log = random_log(np.random.default_rng(8), plays=40)
    without = PlayLog(log.games, log.people, log.plays[:17] + log.plays[18:])
    fresh = make_log(list(without.plays), games=log.games.values(), people=log.people.values())
    assert (
        rate_log(without, EngineSettings()).ratings.rating.tobytes()
        == rate_log(fresh, EngineSettings()).ratings.rating.tobytes()
    )


def test_a_big_table_moves_no_more_than_a_duel():
    """Tables of 200 and of 40: deviations as after a duel, moves within its own, none of them 0."""
    duel = rate_log(ranked_log(["a", "b"]), FLAT).ratings
    for size in (40, 200):
        table = rate_log(ranked_log([f"p{n:03d}" for n in range(size)]), FLAT).ratings
        assert table.deviations == pytest.approx(np.full(size, duel.deviations[0]), abs=ROUNDING)
        moves = table.rating - 1000.0
        assert np.abs(moves).max() <= duel.rating[0] - 1000.0 + ROUNDING
        assert size % 2 or np.all(moves != 0.0)


def test_without_sharing_a_table_of_six_moves_more_than_a_duel():
    six = [f"p{n}" for n in range(6)]
    shared = rate_log(ranked_log(six), FLAT)
    unshared = rate_log(ranked_log(six), dataclasses.replace(FLAT, per_opponent=False))
    assert of(unshared, "p0")[0] - 1000.0 > 2.0 * (of(shared, "p0")[0] - 1000.0)


def test_a_gap_of_5000_points_and_an_upset_stay_finite():
    far = dataclasses.replace(FLAT, deviation=2000.0)
    tables = [["strong", "weak"]] * 200 + [["weak", "strong"]]
    ratings = rate_log(ranked_log(*tables), far).ratings
    assert np.isfinite(ratings.rating).all() and np.isfinite(ratings.forecast).all()
    assert ratings.before.max() - ratings.before.min() > 2000.0
    assert 0.0 < ratings.forecast[-1] < 1.0


def test_weight_scales_move_and_shrink_and_never_turns_a_sign():
    moves, deviations = [], []
    for skill in (0.0, 0.3, 0.6, 1.0):
        weights = {"go": GameWeight(1.0, math.nan, skill, "skill")}
        rated = rate_log(ranked_log(["a", "b"]), dataclasses.replace(FLAT, use_weight=True), weights=weights)
        moves.append(of(rated, "a")[0] - 1000.0)
        deviations.append(of(rated, "a")[1])
    assert np.all(np.diff(moves) > 0.0) and moves[0] > 0.0
    assert np.all(np.diff(deviations) < 0.0)


def test_weight_0_changes_nothing():
    nothing = dataclasses.replace(FLAT, use_weight=True, weight_base=0.0)
    weights = {"go": GameWeight(0.0, 1.0, 0.0, "complexity and skill")}
    rated = rate_log(ranked_log(["a", "b"], ["a", "b"]), nothing, weights=weights)
    assert of(rated, "a") == (1000.0, 180.0) and of(rated, "b") == (1000.0, 180.0)
    assert rated.ratings.evidence.tolist() == [0.0] * 4


def test_equal_results_of_equal_players_are_equal_to_the_bit():
    ratings = rate_log(make_log([make_play(1, "go", [("a", "7"), ("b", "7"), ("c", "7")])]), FLAT).ratings
    assert ratings.rating.tolist() == [1000.0] * 3


def test_a_tie_with_a_stronger_player_never_lowers_a_rating():
    log = make_log(
        [make_play(n, "go", [("strong", "9"), ("other", "1")], hours=n) for n in range(8)]
        + [make_play(50, "go", [("strong", "5"), ("weak", "5")], hours=50)]
    )
    assert of(rate_log(log, EngineSettings()), "weak")[0] > 1000.0


def test_absence_is_additive_and_capped():
    settled = [["a", "b"], ["b", "a"]] * 10
    once = rate_log(ranked_log(*settled), EngineSettings(absence=3.0)).ratings
    last = once.last_day[0]
    assert once.aged_deviations(last + 365)[0] ** 2 == pytest.approx(once.variance[0] + 9 * 365)
    assert once.aged_deviations(last + 10**6)[0] == 180.0
    # 60 points are 83 after a year, 45 are 109 after three, at 3 points a root day.
    assert math.sqrt(60**2 + 9 * 365) == pytest.approx(83.0, abs=0.1)
    assert math.sqrt(45**2 + 9 * 365 * 3) == pytest.approx(109.0, abs=0.1)


def test_the_floor_holds_and_regulars_at_it_move_by_6():
    many = [["a", "b"], ["b", "a"]] * 60
    ratings = rate_log(ranked_log(*many, days=0.0), dataclasses.replace(FLAT, floor=45.0)).ratings
    assert ratings.deviations.tolist() == [45.0, 45.0]
    assert abs(ratings.after[-1] - ratings.before[-1]) == pytest.approx(6.0, abs=0.5)


def test_the_floor_holds_the_deviation_up_and_not_the_move():
    """An even duel of newcomers is the textbook's, 164 points of deviation after it, whatever the floor."""
    high = rate_log(ranked_log(["a", "b"]), dataclasses.replace(FLAT, floor=170.0)).ratings
    rating, deviation = glicko1.update(1000.0, 180.0, [1000.0], [180.0], [1.0])
    assert deviation == pytest.approx(164.2, abs=0.1) and high.deviations.tolist() == [170.0, 170.0]
    assert high.rating == pytest.approx([rating, 2000.0 - rating], abs=ROUNDING)


@pytest.mark.parametrize("changes", [{"absence": 3.0}, {"drift": 200.0}], ids=["absence", "drift"])
def test_nobody_is_less_known_than_a_newcomer(changes):
    """30 years away are 3 x sqrt(10950) = 314 points, a drift of 200 is beyond 180 alone: both end at 180."""
    log = ranked_log(["a", "b"], ["a", "b"], days=10950.0)
    ratings = rate_log(log, dataclasses.replace(FLAT, **changes)).ratings
    assert ratings.deviation_before.tolist() == [180.0] * 4 and ratings.deviation_after[0] < 170.0


def test_the_days_before_the_last_play_take_nothing_from_a_deviation_and_add_nothing():
    ratings = rate_log(ranked_log(["a", "b"], ["b", "a"]), EngineSettings()).ratings
    last = ratings.last_day[0]
    for day in (last - 365.0, last):
        assert ratings.aged_deviations(day).tolist() == ratings.deviations.tolist()


def test_random_results_between_equals_do_not_drift():
    rng = np.random.default_rng(11)
    tables = [["a", "b"] if first else ["b", "a"] for first in rng.random(3000) < 0.5]
    ratings = rate_log(ranked_log(*tables, days=0.0), dataclasses.replace(FLAT, floor=45.0)).ratings
    assert ratings.rating.mean() == pytest.approx(1000.0, abs=1.0)
    assert np.isfinite(ratings.rating).all()


def test_a_guest_is_a_new_unknown_at_every_appearance():
    log = make_log([make_play(n, "go", [(GUEST, 1), ("a", 2), (GUEST, 3)], hours=n) for n in range(5)])
    rated = rate_log(log, EngineSettings())
    guests = rated.schedule.person < 0
    assert rated.ratings.people == ("a",) and guests.sum() == 10
    assert set(rated.ratings.before[guests]) == {1000.0}
    assert set(rated.ratings.deviation_before[guests]) == {180.0}
    assert not rated.ratings.scored.any()
    assert of(rated, "a")[1] < 180.0


def test_dropping_a_guest_is_another_result():
    """Third of four behind a guest is not second of three."""
    seats = [("a", 1), (GUEST, 2), ("b", 3), ("c", 4)]
    log = make_log([make_play(1, "go", seats)])
    kept, dropped = (rate_log(log, dataclasses.replace(FLAT, guests=how)) for how in ("unknown", "drop"))
    assert of(kept, "b")[0] < 1000.0 == of(dropped, "b")[0]
    # The n - 1 comparisons with the guest are what is lost.
    assert len(kept.ratings.forecast) - len(dropped.ratings.forecast) == 3
    assert rate_log(make_log([make_play(1, "go", [("a", 1), (GUEST, 2)])]),
                    dataclasses.replace(FLAT, guests="drop")).ratings.people == ()  # fmt: skip


def test_losers_of_a_flag_are_tied_or_skipped_and_never_scored():
    seats = [Seat("a", winner=True), Seat("b"), Seat("c")]
    log = make_log([make_play(1, "go", seats)])
    tie = rate_log(log, FLAT).ratings
    skip = rate_log(log, dataclasses.replace(FLAT, unresolved="skip")).ratings
    assert tie.scored.tolist() == skip.scored.tolist() == [True, True, False]
    assert tie.pair_weight.tolist() == [0.5, 0.5, 0.5] and skip.pair_weight.tolist() == [0.5, 0.5, 0.0]
    assert skip.deviations[1] > tie.deviations[1]


def test_two_winners_of_a_flag_are_tied_and_that_is_known():
    """Of two winners and two losers only the losers' order is open."""
    seats = [Seat("a", winner=True), Seat("b", winner=True), Seat("c"), Seat("d")]
    log = make_log([make_play(1, "go", seats)])
    for unresolved, last in (("tie", 1 / 3), ("skip", 0.0)):
        ratings = rate_log(log, dataclasses.replace(FLAT, unresolved=unresolved)).ratings
        assert ratings.pair_seats.tolist() == [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]
        assert ratings.outcome.tolist() == [0.5, 1.0, 1.0, 1.0, 1.0, 0.5]
        assert ratings.scored.tolist() == [True] * 5 + [False]
        assert ratings.pair_weight.tolist() == pytest.approx([1 / 3] * 5 + [last])


def test_team_mates_gain_nothing_from_each_other():
    seats = [Seat(name, rank=1 + (name in "cd"), team=str(int(name in "cd"))) for name in "abcd"]
    log = make_log([make_play(1, "go", seats, uses_teams=True)])
    ratings = rate_log(log, dataclasses.replace(FLAT, teams="across")).ratings
    assert ratings.rating[0] == ratings.rating[1] > 1000.0 > ratings.rating[2] == ratings.rating[3]
    assert ratings.scored.sum() == 4 and ratings.evidence.tolist() == [1.0] * 4
    duel = rate_log(ranked_log(["a", "b"]), FLAT).ratings
    assert ratings.rating[0] == pytest.approx(duel.rating[0], abs=ROUNDING)


def test_the_margin_is_walk_forward():
    """The scores of a play are judged by the spread of the plays before it, and only from 6 scores in 2 plays."""
    scores = [("10", "20", "30"), ("12", "18", "33"), ("5", "25", "26")]
    log = make_log(
        [
            make_play(n, "go", [(name, score) for name, score in zip("abc", row, strict=True)], hours=n)
            for n, row in enumerate(scores)
        ]
    )
    margins = rate_log(log, EngineSettings()).ratings.margin
    spread = np.std([10, 20, 30, 12, 18, 33], ddof=1)
    wanted = [0.8 + 0.4 * min(1.0, gap / (3 * spread)) for gap in (20, 21, 1)]
    assert margins.tolist() == pytest.approx([1.0] * 6 + wanted, abs=ROUNDING)


def test_the_scores_of_guests_are_scores_of_the_game():
    """Without the guest's there would be four scores of two people, of which no spread is taken yet."""
    rows = [("10", "20", "30"), ("12", "18", "33")]
    plays = [
        make_play(n, "go", list(zip(["a", "b", GUEST], row, strict=True)), hours=n)
        for n, row in enumerate(rows)
    ]
    log = make_log([*plays, make_play(2, "go", [("a", "5"), ("b", "25")], hours=2)])
    margins = rate_log(log, EngineSettings()).ratings.margin
    spread = np.std([10, 20, 30, 12, 18, 33], ddof=1)
    assert margins.tolist() == pytest.approx([1.0] * 6 + [0.8 + 0.4 * 20 / (3 * spread)], abs=ROUNDING)


@pytest.mark.parametrize("guest", [1, 2], ids=["the guest wins", "the guest loses"])
def test_a_pair_with_a_guest_is_as_sure_as_the_known_seat(guest):
    """After two plays of the game familiarity is 2/4: C = 0.5 + 0.5 x 0.5; of two such people it is the same."""
    settings = dataclasses.replace(FLAT, use_confidence=True, confidence_by="pair")
    duels = [make_play(n, "go", [("a", 1), ("b", 2)], hours=n) for n in range(2)]
    log = make_log([*duels, make_play(2, "go", [(GUEST, guest), ("a", 3 - guest)], hours=2)])
    assert rate_log(log, settings).ratings.pair_weight.tolist() == pytest.approx([0.5, 0.5 + 0.5 / 3, 0.75])


def test_scores_of_both_directions_share_a_spread():
    """One play of a game scored lowest-wins does not blow up the spread of the others."""
    rows = [("10", "20", 0), ("12", "22", 0), ("11", "21", 0), ("20", "10", 2), ("10", "20", 0)]
    log = make_log(
        [make_play(n, "go", [("a", a), ("b", b)], hours=n, scoring=s) for n, (a, b, s) in enumerate(rows)]
    )
    ratings = rate_log(log, EngineSettings()).ratings
    spread = np.std([10, 20, 12, 22, 11, 21, 20, 10], ddof=1)
    assert ratings.margin[-1] == pytest.approx(0.8 + 0.4 * 10 / (3 * spread), abs=ROUNDING)


def test_lists_of_nothing():
    ratings = rate_log(make_log([]), EngineSettings()).ratings
    assert ratings.people == () and len(ratings.forecast) == 0
    alone = rate_log(make_log([make_play(1, "go", [("a", 1)])]), EngineSettings()).ratings
    assert alone.people == ()


def test_a_schedule_says_when_it_was_built_for_other_settings():
    log = random_log(np.random.default_rng(1), plays=5)
    built = build_schedule(log, finish_all(log, FLAT), game_weights(log.games, FLAT), FLAT)
    with pytest.raises(ValueError, match="built for guests 'unknown', not 'drop'"):
        rate(built, dataclasses.replace(FLAT, guests="drop"))


@given(seed=st.integers(0, 10**6), play=st.integers(0, 24))
@settings(max_examples=25, deadline=None)
def test_a_better_place_in_a_duel_never_lowers_the_rating_after_it(seed, play):
    """At the play itself; over later plays it can fail for Glicko-1 in rare logs, since deviations differ then."""
    rng = np.random.default_rng(seed)
    tables = [list(rng.permutation(["a", "b", "c"])[:2]) for _ in range(25)]
    lost = ranked_log(*tables[: play + 1])
    won = ranked_log(*tables[:play], tables[play][::-1])
    loser = tables[play][1]
    assert of(rate_log(won, FLAT), loser)[0] > of(rate_log(lost, FLAT), loser)[0]
