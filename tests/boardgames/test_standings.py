"""The table of a group: who is established, who is provisional, and as of which day."""

from dataclasses import replace
from datetime import date

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludometrics.boardgames.engine import rate_log
from ludometrics.boardgames.records import Game, Seat
from ludometrics.boardgames.settings import EngineSettings
from ludometrics.boardgames.standings import BAND, day_number, standings
from small_logs import GUEST, make_log, make_play, random_log, ranked_log

DUEL = EngineSettings(use_weight=False, use_confidence=False, use_margin=False, use_duration=False)


def numbers(ratings):
    """All arrays of a rating, copied."""
    return {name: np.copy(value) for name, value in vars(ratings).items() if isinstance(value, np.ndarray)}


def test_provisional_while_the_plays_tell_less_than_the_prior():
    """Each duel here leaves v = 1/(1/v + info): the mark goes when v falls to half the prior's."""
    rows = {n: standings(rate_log(ranked_log(*["ab"] * n, days=0.01), DUEL)) for n in range(1, 14)}
    marks = {n: table[0].provisional for n, table in rows.items()}
    half = 180.0 / 2**0.5
    assert marks == {n: bool(table[0].deviation > half) for n, table in rows.items()}
    assert marks[1] and not marks[13]
    assert [row.rank for row in rows[1]] == [None, None] and [row.rank for row in rows[13]] == [1, 2]


def test_established_by_the_low_end_and_provisional_below_a_line():
    log = ranked_log(*["ab"] * 20, "nab", days=0.01)
    table = standings(rate_log(log, DUEL))
    assert [(row.person, row.rank, row.provisional) for row in table] == [
        ("a", 1, False),
        ("b", 2, False),
        ("n", None, True),
    ]
    newcomer = table[2]
    assert newcomer.rating > table[1].rating  # a high rating alone does not lift above the line
    assert newcomer.low == pytest.approx(newcomer.rating - 1.645 * newcomer.deviation)
    assert newcomer.high == pytest.approx(newcomer.rating + 1.645 * newcomer.deviation)
    assert BAND == 1.645


def test_equals_share_a_rank():
    """Two players with mirrored histories against each other stand level after a draw."""
    tie = [make_play(n, "go", [("a", "5"), ("b", "5")], hours=n) for n in range(20)]
    assert [row.rank for row in standings(rate_log(make_log(tie), DUEL))] == [1, 1]


def test_deviations_are_aged_to_the_day_and_asking_changes_nothing():
    """A stored deviation shown without its growth by absence is stale, and so is the mark made from it."""
    rated = rate_log(ranked_log(*["ab"] * 30, days=0.01), DUEL)
    before = numbers(rated.ratings)
    now = standings(rated)
    later = standings(rated, date(2025, 1, 1))
    much_later = standings(rated, date(2040, 1, 1))
    for first, second, third in zip(now, later, much_later, strict=True):
        days = (date(2025, 1, 1) - date(2024, 1, 1)).days - rated.schedule.day[-1]
        assert second.deviation == pytest.approx((first.deviation**2 + 9.0 * days) ** 0.5)
        assert third.deviation == 180.0 and third.provisional and third.rank is None
        assert first.rating == second.rating == third.rating
    after = numbers(rated.ratings)
    assert all((before[name] == after[name]).all() for name in before)
    assert standings(rated) == now


def test_the_day_of_the_last_play_is_that_of_no_absence():
    rated = rate_log(ranked_log("ab", "ab", days=2.0), DUEL)
    last = rated.log.plays[-1].at
    assert day_number(rated) == day_number(rated, last.date()) == rated.schedule.day[-1]
    assert [row.deviation for row in standings(rated)] == rated.ratings.deviations.tolist()
    assert day_number(rated, date(2024, 2, 1)) == 31.0


def test_a_log_with_later_plays_has_to_be_cut_first():
    rated = rate_log(ranked_log("ab", "ab", days=2.0), DUEL)
    with pytest.raises(ValueError, match=r"a play of 2024-01-03, after 2024-01-02: rate log.between"):
        standings(rated, date(2024, 1, 2))


def test_whoever_has_no_rated_play_is_a_newcomer_and_guests_are_nobody():
    coop = Game("coop", "Coop", cooperative=True)
    log = make_log(
        [
            make_play(1, "go", [("a", 1), ("b", 2), (GUEST, 3), (GUEST, 4)]),
            make_play(2, "coop", [Seat("c", winner=True), Seat("a", winner=True)], hours=1),
        ],
        games=[coop],
    )
    rows = {row.person: row for row in standings(rate_log(log, DUEL))}
    assert set(rows) == {"a", "b", "c"}
    assert (rows["c"].rating, rows["c"].deviation, rows["c"].plays_rated) == (1000.0, 180.0, 0)


def test_nobody():
    assert standings(rate_log(make_log([]), DUEL), date(2024, 1, 1)) == ()


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10**6), years=st.integers(0, 12))
def test_order_of_any_table(seed, years):
    rated = rate_log(random_log(np.random.default_rng(seed)), EngineSettings(deviation=80.0))
    table = standings(rated, date(2025 + years, 1, 1))
    sure = [row for row in table if not row.provisional]
    assert list(table) == sure + [row for row in table if row.provisional]
    for rows in (sure, table[len(sure) :]):
        worth = [row.rating - row.deviation for row in rows]
        assert worth == sorted(worth, reverse=True)
    assert [row.rank for row in sure] == [
        1 + sum(other.rating - other.deviation > row.rating - row.deviation for other in sure) for row in sure
    ]


def test_a_renamed_log_is_ordered_alike():
    """Keys and names have no say, even between equals."""
    log = ranked_log("abcd", "dcba", days=1.0)
    other = {"a": "z", "b": "y", "c": "x", "d": "w"}
    plays = [
        replace(play, seats=tuple(replace(seat, person=other[seat.person]) for seat in play.seats))
        for play in log.plays
    ]
    table, turned = (standings(rate_log(each, DUEL)) for each in (log, make_log(plays)))
    assert [other[row.person] for row in table] == [row.person for row in turned]
