"""Sessions: a day lasts until five in the morning, and places part them."""

import json
from collections import Counter
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludometrics.boardgames.records import Play
from ludometrics.boardgames.sessions import find_sessions, session_day

CASES = json.loads(Path(__file__).parents[1].joinpath("data/boardgames/sessions.json").read_text("utf-8"))


def plays_at(moments):
    return [Play(str(number), "go", at, at, (), location=place) for number, (at, place) in enumerate(moments)]


@pytest.mark.parametrize("case", CASES, ids=[case["desc"] for case in CASES])
def test_cases(case):
    moments = [(datetime.fromisoformat(at), place) for at, place in case["plays"]]
    found = [(s.day.isoformat(), s.location, list(s.plays)) for s in find_sessions(plays_at(moments))]
    assert found == [tuple(session) for session in case["sessions"]]


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(
            st.datetimes(datetime(2024, 1, 1), datetime(2024, 1, 9)), st.sampled_from(["", "Cafe", "Home"])
        ),
        max_size=30,
    )
)
def test_every_play_is_in_one_session_of_its_own_day(moments):
    plays = plays_at(sorted(moments))
    sessions = find_sessions(plays)
    assert Counter(place for session in sessions for place in session.plays) == Counter(range(len(plays)))
    for session in sessions:
        assert list(session.plays) == sorted(session.plays)
        for place in session.plays:
            assert session_day(plays[place].at) == session.day
            assert plays[place].location in ("", session.location)
    assert [session.plays[0] for session in sessions] == sorted(session.plays[0] for session in sessions)


@settings(deadline=None)
@given(st.datetimes(datetime(1990, 1, 1), datetime(2090, 1, 1)))
def test_a_session_day_lasts_from_five_to_five(at):
    begins = datetime.combine(session_day(at), datetime.min.time()) + timedelta(hours=5)
    assert begins <= at < begins + timedelta(days=1)
