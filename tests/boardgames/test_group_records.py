"""Records of a group: who holds them, by hand, and that no guest ever does."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludometrics.boardgames.engine import rate_log
from ludometrics.boardgames.group_records import find_records
from ludometrics.boardgames.records import Game, Seat
from ludometrics.boardgames.sessions import find_sessions
from ludometrics.boardgames.settings import EngineSettings
from ludometrics.boardgames.stats import appearances
from small_logs import GUEST, make_log, make_play, random_log, ranked_log

DUEL = EngineSettings(use_weight=False, use_confidence=False, use_margin=False, use_duration=False)


def records(log, way=DUEL):
    rated = rate_log(log, way)
    order = sorted(key for key, person in log.people.items() if not person.is_guest)
    found = find_records(rated, appearances(rated), find_sessions(log.plays), order)
    assert len({row.record for row in found}) == len(found)
    return rated, {row.record: row for row in found}


def test_gains_and_losses():
    rated, found = records(ranked_log("ab", "ab", "ab", "ba"))
    moves = rated.ratings.after - rated.ratings.before
    assert found["biggest gain"].value == moves.max() and found["biggest loss"].value == moves.min()
    # The upset at the end moves most: b gains, a loses.
    assert (found["biggest gain"].person, found["biggest gain"].play) == ("b", 3)
    assert (found["biggest loss"].person, found["biggest loss"].play) == ("a", 3)


def test_a_newcomers_move_is_no_record_of_the_established():
    log = ranked_log(*["ab"] * 20, "ba", "na", days=0.01)
    _, found = records(log)
    assert found["biggest gain"].person == "n" or found["biggest gain"].play == 0
    assert (found["biggest gain, established"].person, found["biggest gain, established"].play) == ("b", 20)
    assert found["biggest loss, established"].person == "a"
    assert found["highest rating"].person == "a"


def test_the_biggest_upset_is_the_lowest_forecast_that_won():
    rated, found = records(ranked_log(*["ab"] * 8, "ba", "ab", "ba"))
    row = found["biggest upset"]
    chances = 1.0 - rated.ratings.forecast[[8, 10]]
    assert (row.person, row.other) == ("b", "a")
    assert row.value == pytest.approx(chances.min()) and row.play == (8, 10)[int(chances.argmin())]


def test_an_upset_by_a_guest_or_of_a_guest_is_nobodys():
    """Neither the guest who beats the best, nor who beats one from the last place of the table, is anybody."""
    rated, found = records(ranked_log(*["ab"] * 8, [GUEST, "a"], ["b", GUEST]))
    by_guest, of_guest = rated.ratings.forecast[-2:]
    assert by_guest < 0.5 and of_guest > 0.5  # a guest's seat comes first
    assert rated.ratings.outcome[-2:].tolist() == [1.0, 0.0]
    assert "biggest upset" not in found


def test_no_upset_where_every_favourite_won():
    assert "biggest upset" not in records(ranked_log("ab", "ab"))[1]


def test_a_streak_is_broken_by_a_defeat_and_not_by_a_cooperative_play():
    coop = Game("coop", "Coop", cooperative=True)
    lost = [Seat("a"), Seat("b")]
    wins = [make_play(n, "go", [("a", 1), ("b", 2)], hours=n) for n in (1, 2, 4, 5)]
    log = make_log([*wins, make_play(3, "coop", lost, hours=3)], games=[coop])
    row = records(log)[1]["longest winning streak"]
    assert (row.person, row.value, row.play) == ("a", 4, 4)
    log = make_log([*wins, make_play(3, "go", [("a", 2), ("b", 1)], hours=3)])
    row = records(log)[1]["longest winning streak"]
    assert (row.value, row.play) == (2, 1)  # the first of two equal ones


def test_best_session_is_a_sum_over_an_evening():
    log = make_log(
        [
            make_play(1, "go", [("a", 1), ("b", 2)]),
            make_play(2, "go", [("a", 1), ("b", 2)], hours=6),  # one o'clock at night
            make_play(3, "go", [("b", 1), ("a", 2)], hours=48),
        ]
    )
    rated, found = records(log)
    moves = (rated.ratings.after - rated.ratings.before)[rated.schedule.person == 0]
    row = found["best session"]
    assert (row.person, row.play) == ("a", 1) and row.value == pytest.approx(moves[:2].sum())


def test_totals_are_of_all_logged_plays():
    log = make_log(
        [
            make_play(1, "go", [("a", 1), ("b", 2)], minutes=60),
            make_play(2, "chess", [("a", "")], hours=1, minutes=30),
        ]
    )
    _, found = records(log)
    assert {name: (found[name].person, found[name].value) for name in found if name.startswith("most")} == {
        "most plays": ("a", 2),
        "most hours": ("a", 1.5),
        "most different games": ("a", 2),
    }


def test_the_shared_anonymous_account_holds_nothing():
    """It sits at every table, twice at some, and wins them all: still nobody."""
    log = make_log(
        [make_play(n, "go", [(GUEST, 1), (GUEST, 2), ("a", 3), ("b", 4)], hours=n) for n in range(12)]
    )
    rated, found = records(log)
    assert (np.diff(rated.schedule.starts) == 4).all()  # two anonymous seats stay two seats
    assert {row.person for row in found.values()} <= {"a", "b"}
    assert {"biggest upset", "longest winning streak"}.isdisjoint(found)


def test_no_plays_no_records():
    assert records(make_log([]))[1] == {}


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_nobody_beats_a_record(seed):
    rated, found = records(random_log(np.random.default_rng(seed), guests=0.3), EngineSettings())
    schedule, ratings = rated.schedule, rated.ratings
    assert all(row.person != GUEST and row.other != GUEST for row in found.values())
    moves = (ratings.after - ratings.before)[schedule.person >= 0]
    assert found["biggest gain"].value == moves.max() and found["biggest loss"].value == moves.min()
    decisive = ratings.scored & (ratings.outcome != 0.5)
    won = np.where(ratings.outcome == 1.0, ratings.forecast, 1.0 - ratings.forecast)[decisive]
    if (won < 0.5).any():
        assert found["biggest upset"].value == won.min()
