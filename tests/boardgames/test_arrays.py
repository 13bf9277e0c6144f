"""The log as arrays: what of it is rated, in which order, and what is known of each play."""

import dataclasses
import math

import numpy as np
import pytest

from ludometrics.boardgames.arrays import build_schedule, fill_factors, first_plays
from ludometrics.boardgames.engine import rate, rate_log
from ludometrics.boardgames.finishing import finish_all
from ludometrics.boardgames.records import Game, Seat
from ludometrics.boardgames.settings import EngineSettings
from ludometrics.boardgames.weights import GameWeight, game_weights
from small_logs import GUEST, make_log, make_play

AUTHOR = EngineSettings()
#: Another value of each setting that changes what is rated, who is seated or what is known.
OTHERS = {
    "gate": False,
    "teams": "across",
    "guests": "drop",
    "owner_experience": True,
    "new_player_resets": True,
}


def schedule_of(log, settings=AUTHOR, weights=None):
    weights = weights or game_weights(log.games, settings)
    return build_schedule(log, finish_all(log, settings), weights, settings)


@pytest.fixture
def log():
    chess = Game("chess", "Chess", min_minutes=20, max_minutes=40)
    return make_log(
        [
            make_play(1, "go", [("b", 2), ("a", 1)], minutes=90),
            make_play(2, "go", [("a", 1), ("b", 2)], hours=1, ignored=True),
            make_play(3, "chess", [(GUEST, 2), ("c", 1), ("a", 3)], hours=24),
            make_play(4, "go", [("a", 2), ("c", 1)], hours=36),
        ],
        games=[chess],
    )


def test_layout(log):
    schedule = schedule_of(log)
    assert schedule.people == ("a", "b", "c") and schedule.games == ("chess", "go")
    assert schedule.play.tolist() == [0, 2, 3] and schedule.starts.tolist() == [0, 2, 5, 7]
    # Within a play by person, guests first; `seat` leads back to the order in the log.
    assert schedule.person.tolist() == [0, 1, -1, 0, 2, 0, 2]
    assert schedule.seat.tolist() == [1, 0, 0, 2, 1, 0, 1]
    assert schedule.rank.tolist() == [1, 2, 2, 3, 1, 2, 1]
    assert schedule.game.tolist() == [1, 0, 1]
    assert schedule.play_of_seat.tolist() == [0, 0, 1, 1, 1, 2, 2]
    assert schedule.day.tolist() == pytest.approx([19 / 24, 1 + 19 / 24, 2 + 7 / 24])
    assert schedule.minutes[:2].tolist() == [90.0, 30.0] and math.isnan(schedule.minutes[2])


def test_experience_counts_every_logged_play_before_this_one(log):
    """Also the ignored one: rules are learned in it too."""
    experience = schedule_of(log).experience
    assert experience[[0, 1, 3, 4, 5, 6]].tolist() == [0, 0, 0, 0, 2, 0]
    assert math.isnan(experience[2])


def test_plays_of_an_edition_teach_the_game():
    games = ["old", "new", "chess", "old"]
    plays = [make_play(n, game, [("a", 1), ("b", 2)], hours=n) for n, game in enumerate(games)]
    log, editions = make_log(plays), {"new": "old"}
    alone = schedule_of(log)
    outcomes, weights = finish_all(log, AUTHOR), game_weights(log.games, AUTHOR)
    together = build_schedule(log, outcomes, weights, AUTHOR, editions=editions)
    assert alone.experience.tolist() == [0, 0, 0, 0, 0, 0, 1, 1]
    assert together.experience.tolist() == [0, 0, 1, 1, 0, 0, 2, 2]
    # They stay two games: each keeps its own scores and weight.
    assert together.games == ("chess", "new", "old")
    assert rate_log(log, AUTHOR, editions=editions).schedule.experience.tolist() == [0, 0, 1, 1, 0, 0, 2, 2]


def test_dropped_guests_leave_the_rest_ranked_anew(log):
    schedule = schedule_of(log, EngineSettings(guests="drop"))
    assert schedule.starts.tolist() == [0, 2, 4, 6] and -1 not in schedule.person
    assert schedule.rank.tolist() == [1, 2, 2, 1, 2, 1]
    pair = make_log([make_play(1, "go", [("a", 1), (GUEST, 2)])])
    assert len(schedule_of(pair, EngineSettings(guests="drop")).play) == 0


def test_lowest_wins_turns_scores_round():
    golf = Game("golf", "Golf", highest_wins=False)
    log = make_log([make_play(1, "golf", [("a", "70"), ("b", "80")])], games=[golf])
    schedule = schedule_of(log)
    assert schedule.rank.tolist() == [1, 2] and schedule.score.tolist() == [-70.0, -80.0]
    assert schedule.direction.tolist() == [-1]


def test_flags_alone_are_marked():
    log = make_log([make_play(1, "go", [Seat("a", winner=True), Seat("b"), Seat("c")])])
    assert schedule_of(log).flag_only.tolist() == [True]


def test_factors_are_filled_in_anew(log):
    weights = {"go": GameWeight(9.0, 3.0, 1.0, "complexity and skill"),
               "chess": GameWeight(9.0, math.nan, math.nan, "none")}  # fmt: skip
    schedule = schedule_of(log, weights=weights)
    assert schedule.weight.tolist() == pytest.approx([0.5 + 0.175 + 0.65, 1.0, 0.5 + 0.175 + 0.65])
    assert schedule.duration.tolist() == pytest.approx([1.0, math.sqrt(0.5), 1.0])
    assert schedule.confidence.tolist() == pytest.approx([0.5, 0.5, 0.5 + 0.5 * 0.25])
    off = dataclasses.replace(AUTHOR, use_weight=False, use_confidence=False, use_duration=False)
    bare = fill_factors(schedule, off)
    assert np.all(np.stack([bare.weight, bare.duration, bare.confidence]) == 1.0)


@pytest.mark.parametrize("name", OTHERS)
def test_what_changes_the_layout_needs_a_schedule_of_its_own(log, name):
    with pytest.raises(ValueError, match=f"the schedule was built for {name} "):
        fill_factors(schedule_of(log), dataclasses.replace(AUTHOR, **{name: OTHERS[name]}))


def test_outcomes_must_be_those_of_the_log(log):
    with pytest.raises(ValueError, match="there are 0 outcomes of 4 plays"):
        build_schedule(log, [], game_weights(log.games, AUTHOR), AUTHOR)


def test_the_first_plays_are_a_shorter_log_with_the_same_people(log):
    whole, part = schedule_of(log), first_plays(schedule_of(log), 2)
    assert part.play.tolist() == [0, 2] and part.starts.tolist() == [0, 2, 5]
    assert part.people == whole.people and len(part.rank) == 5
    assert rate(part, AUTHOR).after.tolist() == rate(whole, AUTHOR).after[:5].tolist()
    assert first_plays(whole, 99).play.tolist() == whole.play.tolist()
    with pytest.raises(ValueError, match="plays is -1"):
        first_plays(whole, -1)
