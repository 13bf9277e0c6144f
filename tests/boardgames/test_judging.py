"""Judging: which pairs are scored, what counts once, and what is resampled."""

import math

import numpy as np
import pytest

from ludometrics.boardgames.engine import rate_log
from ludometrics.boardgames.judging import (
    JUDGEMENT_COLUMNS,
    SEASONED,
    earlier_plays,
    judge_fully,
    judge_group,
    score_pairs,
)
from ludometrics.boardgames.records import Seat
from ludometrics.boardgames.settings import EngineSettings
from ludometrics.evaluation import COIN, judge, log_loss
from small_logs import GUEST, make_log, make_play, random_log, ranked_log


def seeded(seed=1):
    return np.random.default_rng(seed)


def pairs_of(log, **changes):
    group = rate_log(log, EngineSettings(**changes))
    return score_pairs(group.schedule, group.ratings)


def rated(seed=3, **options):
    return rate_log(random_log(seeded(seed), plays=60, **options), EngineSettings())


def row(table, measure="log_loss", games_of="decisive"):
    return table[(table["measure"] == measure) & (table["games_of"] == games_of)].iloc[0]


def test_guests_and_unknown_orders_are_not_scored():
    flag = [Seat("a", winner=True), Seat("b"), Seat("c")]
    log = make_log(
        [
            make_play(0, "go", [("a", 1), (GUEST, 2), ("b", 3)]),
            make_play(1, "go", flag, hours=1),
            make_play(2, "go", [("a", 1), ("b", 2), ("c", 2)], hours=2),
        ]
    )
    pairs = pairs_of(log)
    # One pair of people beside the guest; the winner against each loser, not the losers; all three, one of them a tie.
    assert pairs.play.tolist() == [0, 1, 1, 2, 2, 2]
    assert pairs.outcome.tolist() == [1, 1, 1, 1, 1, 0.5]


def test_forecasts_are_made_before_the_play():
    pairs = pairs_of(ranked_log("ab", "ab", "ab"))
    assert pairs.forecast[0] == 0.5
    assert 0.5 < pairs.forecast[1] < pairs.forecast[2]


def test_a_day_begins_at_five_in_the_morning():
    # The log begins at 19:00: 04:59:59, 05:00 and 05:00:01 of the next day, and 05:00 a hundred days on.
    hours = [0, 10 - 1 / 3600, 10, 10 + 1 / 3600, 24 * 100 + 10]
    log = make_log([make_play(n, "go", [("a", 1), ("b", 2)], hours=h) for n, h in enumerate(hours)])
    days = pairs_of(log).day
    assert (days - days[0]).tolist() == [0, 0, 1, 1, 101]


def test_plays_before_are_counted_by_person():
    group = rate_log(ranked_log("ab", ["c", GUEST, "a"], "abc"), EngineSettings())
    names = [(*group.ratings.people, GUEST)[person] for person in group.schedule.person]
    found = dict(
        zip(
            zip(group.schedule.play_of_seat.tolist(), names, strict=True),
            earlier_plays(group.schedule),
            strict=True,
        )
    )
    assert found == {
        (0, "a"): 0,
        (0, "b"): 0,
        (1, "a"): 1,
        (1, "c"): 0,
        (1, GUEST): 0,
        (2, "a"): 2,
        (2, "b"): 1,
        (2, "c"): 1,
    }
    pairs = score_pairs(group.schedule, group.ratings)
    assert pairs.earlier.tolist() == [0, 0, 1, 1, 1]


def test_pairs_have_one_name_whatever_the_settings():
    log = random_log(seeded(4), guests=0.3)
    first, second = pairs_of(log), pairs_of(log, guests="drop", deviation=60.0)
    assert len(set(first.pair.tolist())) == len(first)
    assert set(second.pair.tolist()) <= set(first.pair.tolist())


def test_a_judgement_by_plays_is_that_of_the_evaluation():
    group = rated()
    pairs = score_pairs(group.schedule, group.ratings)
    for weighting, same in (("play", "unit"), ("pair", "game")):
        expected = judge(
            pairs.forecast, pairs.outcome, units=pairs.play, weighting=same, replicates=50, rng=seeded()
        )
        found = judge_group(group, weighting=weighting, replicates=50, rng=seeded())
        assert found.equals(expected)
    assert tuple(found.columns) == JUDGEMENT_COLUMNS


def test_each_play_counts_once_by_plays_and_by_days():
    group = rated()
    pairs = score_pairs(group.schedule, group.ratings)
    decisive = pairs.outcome != 0.5
    losses = log_loss(pairs.forecast, pairs.outcome)
    means = [losses[decisive & (pairs.play == play)].mean() for play in np.unique(pairs.play[decisive])]
    by_play = row(judge_group(group, replicates=50, rng=seeded()))
    by_day = row(judge_group(group, unit="day", replicates=50, rng=seeded()))
    assert by_play["value"] == pytest.approx(np.mean(means)) == by_day["value"]
    assert by_play["n"] == len(means) and by_day["n"] == len(np.unique(pairs.day[decisive])) < len(means)
    assert (by_play["low"], by_play["high"]) != (by_day["low"], by_day["high"])
    whole = row(judge_group(group, unit="day", replicates=50, rng=seeded()), games_of="all")
    means = [losses[pairs.play == play].mean() for play in np.unique(pairs.play)]
    assert whole["value"] == pytest.approx(np.mean(means)) and whole["games"] == len(pairs)
    pairwise = row(judge_group(group, unit="day", weighting="pair", replicates=50, rng=seeded()))
    assert pairwise["value"] == pytest.approx(losses[decisive].mean())


def test_beginnings_can_be_left_out():
    group = rated()
    pairs = score_pairs(group.schedule, group.ratings)
    found = judge_group(group, least_earlier=SEASONED, weighting="pair", replicates=50, rng=seeded())
    kept = pairs.earlier >= SEASONED
    assert 0 < row(found, games_of="all")["games"] == kept.sum() < len(pairs)
    losses = log_loss(pairs.forecast[kept], pairs.outcome[kept])
    assert row(found, games_of="all")["value"] == pytest.approx(losses.mean())


def test_all_four_reports_stand_under_each_other():
    group = rated()
    whole = judge_fully(group, replicates=50, rng=seeded())
    assert whole[["least_earlier", "weighting"]].drop_duplicates().to_numpy().tolist() == [
        [0, "play"],
        [0, "pair"],
        [SEASONED, "play"],
        [SEASONED, "pair"],
    ]
    first = whole[(whole["least_earlier"] == 0) & (whole["weighting"] == "play")]
    assert row(first)["value"] == row(judge_group(group, replicates=50, rng=seeded(2)))["value"]


def test_first_plays_are_the_coin():
    table = judge_group(rate_log(ranked_log("ab", "cd", "ef"), EngineSettings()), replicates=50, rng=seeded())
    assert row(table)["value"] == pytest.approx(COIN) and math.isnan(row(table, "slope")["value"])


def test_ties_alone_leave_no_headline():
    log = make_log([make_play(n, "go", [("a", "7"), ("b", "7")], hours=24 * n) for n in range(4)])
    for unit in ("play", "day"):
        table = judge_group(rate_log(log, EngineSettings()), unit=unit, replicates=50, rng=seeded())
        assert math.isnan(row(table)["value"]) and row(table)["games"] == 0
        assert row(table, games_of="all")["value"] == pytest.approx(COIN)


def test_nothing_to_judge_is_an_empty_table():
    group = rate_log(ranked_log(["a", GUEST]), EngineSettings())
    for table in (judge_group(group, rng=seeded()), judge_group(rated(), least_earlier=10**6, rng=seeded())):
        assert len(table) == 0 and tuple(table.columns) == JUDGEMENT_COLUMNS
    assert len(judge_fully(group, rng=seeded())) == 0


def test_equal_seeds_give_equal_tables_and_order_in_the_file_does_not_count():
    log = random_log(seeded(5))
    turned = make_log(
        [type(play)(**(vars_of(play) | {"seats": play.seats[::-1]})) for play in log.plays],
        games=log.games.values(),
    )
    tables = [
        judge_fully(rate_log(x, EngineSettings()), replicates=20, rng=seeded()) for x in (log, log, turned)
    ]
    assert tables[0].equals(tables[1]) and tables[0].equals(tables[2])


def vars_of(play):
    return {name: getattr(play, name) for name in play.__slots__}


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        ({"unit": "week"}, "unit is 'week': allowed are 'play', 'day'"),
        ({"weighting": "seat"}, "weighting is 'seat'"),
    ],
)
def test_other_choices_are_refused(choice, message):
    with pytest.raises(ValueError, match=message):
        judge_group(rated(), **choice, rng=seeded())
