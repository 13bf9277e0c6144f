"""What the log says of each game."""

import numpy as np
import pytest

from ludometrics.boardgames.engine import rate_log
from ludometrics.boardgames.game_profiles import SPECIALIST_PLAYS, game_profiles
from ludometrics.boardgames.records import Game
from ludometrics.boardgames.settings import EngineSettings
from ludometrics.boardgames.stats import appearances, share_bounds
from small_logs import GUEST, make_log, make_play, random_log, ranked_log

AUTHOR = EngineSettings()


def profiles(log, way=AUTHOR):
    rated = rate_log(log, way)
    order = sorted({row.person for row in appearances(rated)})
    return {row.game: row for row in game_profiles(rated, appearances(rated), order)}


def test_one_game_by_hand():
    go = Game("go", "Go", min_minutes=20, max_minutes=40)
    log = make_log(
        [
            make_play(1, "go", [("a", "3"), ("b", "5")], minutes=50),
            make_play(2, "go", [("a", 1), ("b", 2), (GUEST, 3)], hours=1, minutes=10),
            make_play(3, "go", [("a", "")], hours=2),
            make_play(4, "chess", [("a", 1), ("b", 2)], hours=3),
        ],
        games=[go],
    )
    found = profiles(log)
    assert list(found) == ["go", "chess"]  # the most played first
    row = found["go"]
    assert (row.plays_logged, row.plays_rated) == (3, 2)
    assert row.tables == {1: 1, 2: 1, 3: 1}
    assert row.sources == {"scores": 1, "ranks": 1, "flag": 0}
    assert row.minutes == 30.0  # median of what was logged: the stated 30 of the third does not count
    assert row.hours == pytest.approx((50 + 10 + 30) / 60)
    assert row.best == ()  # two rated plays are too few
    assert found["chess"].minutes is None and found["chess"].hours == 0.0


def test_stated_minutes_stand_in_where_none_was_logged():
    go = Game("go", "Go", min_minutes=20, max_minutes=40)
    log = make_log([make_play(1, "go", [("a", 1), ("b", 2)])], games=[go])
    assert profiles(log)["go"].minutes == 30.0


def test_many_plays_come_before_luck_in_a_few():
    """b has won all of 3, a 20 of 24: a is named first, by the low end of the interval."""
    log = ranked_log(*["ac"] * 20, *["ca"] * 4, *["bc"] * 3)
    best = profiles(log)["go"].best
    assert [row.person for row in best] == ["a", "b", "c"]
    assert best[1].plays == SPECIALIST_PLAYS and best[1].pair_score == 1.0
    assert (best[0].low, best[0].high) == pytest.approx(share_bounds(20, 24))


@pytest.mark.parametrize(
    "spread, lowest, expected",
    [
        ("all", False, np.std([1, 5, 9, 21, 25, 29], ddof=1)),
        ("all", True, np.std([1, 5, 9, 21, 25, 29], ddof=1)),
        ("within", False, 4.0),
    ],
    ids=["all scores", "lowest wins", "within plays"],
)
def test_spread_of_scores(spread, lowest, expected):
    tables = ([("a", "1"), ("b", "5"), ("c", "9")], [("a", "21"), ("b", "25"), ("c", "29")])
    plays = [make_play(n, "go", table, hours=n) for n, table in enumerate(tables)]
    plays.append(make_play(9, "go", [("a", 1), ("b", 2)], hours=9))  # no scores
    log = make_log(plays, games=[Game("go", "Go", highest_wins=not lowest)])
    assert profiles(log, EngineSettings(margin_spread=spread))["go"].spread == pytest.approx(expected)


def test_a_spread_is_not_told_before_it_is_trusted():
    plays = [make_play(1, "go", [(person, str(n)) for n, person in enumerate("abcdefg")])]
    assert profiles(make_log(plays))["go"].spread is None  # seven scores, one play


def test_unknown_games_are_in_no_profile():
    log = ranked_log("ab")
    log.games.clear()
    assert profiles(log) == {}


@pytest.mark.parametrize("seed", range(5))
def test_counts_add_up(seed):
    log = random_log(np.random.default_rng(seed))
    found = profiles(log)
    assert sum(row.plays_logged for row in found.values()) == len(log.plays)
    for row in found.values():
        assert sum(row.tables.values()) == row.plays_logged and sum(row.sources.values()) == row.plays_rated
        assert GUEST not in {one.person for one in row.best}
        assert all(one.low <= one.pair_score <= one.high for one in row.best)
