"""The draughts days: what is played, that it repeats, and that ratings are those of the log."""

from dataclasses import replace

import numpy as np
import pytest

from ludometrics.abtest import assign_by_hash
from ludometrics.draughts import Level, Rules
from ludometrics.gamelog import LEVEL_NAMES
from ludometrics.matching import RULES
from ludometrics.ratings import elo, index_games
from ludometrics.simulation.draughts_days import DaysSettings, level_games, simulate_days
from ludometrics.simulation.fair_test import FairSettings, simulate_fair_test
from ludometrics.simulation.ladder import Ladder
from ludometrics.simulation.presets import LADDERS
from ludometrics.simulation.replications import rating_paths
from ludometrics.simulation.scenarios import SCENARIOS

#: Shallow levels under the course's names: the bookkeeping is tested, not the play.
SHALLOW = Ladder(
    keys=("easy", "medium", "hard"),
    levels=(Level(1, 0.9), Level(2, 0.6), Level(2, 0.1)),
    names=tuple(LEVEL_NAMES.values())[:3],
    ratings=(700.0, 960.0, 1350.0),
    variant_key="medium",
    variant_b=Level(2, 0.5),
)
QUICK = DaysSettings(
    players=tuple((name, Level(1, 0.5)) for name in ("Sim Ada", "Sim Ben", "Sim Cat", "Sim Dan")),
    ladder=SHALLOW,
    days=6,
    random_days=3,
)
SCORE = {"b": 1.0, "draw": 0.5, "w": 0.0}


def run(settings=QUICK, seed=1):
    return simulate_days(settings, rng=np.random.default_rng(seed))


def test_the_course_plays_560_games():
    settings = SCENARIOS["course"]
    n, levels = len(settings.players), settings.games_a_day
    games = n * (levels + settings.challenges) * settings.random_days
    assert games + n * levels * (settings.days - settings.random_days) == 560
    assert settings.first_day.isoformat() == "2026-09-01" and settings.rerate == "day"


def test_what_is_played():
    record = run()
    games = record.games
    assert games.groupby("day").size().tolist() == [16] * 3 + [12] * 3
    people = {name for name, _ in QUICK.players}
    against_people = games[games["level"] == ""]
    assert len(against_people) == 12 and set(against_people["black"]) | set(against_people["white"]) <= people
    assert (against_people["day"] <= 3).all() and (against_people["variant"] == "").all()
    assert (games["black"] != games["white"]).all()
    assert games.groupby("day")["order"].apply(list).tolist() == [
        list(range(1, n + 1)) for n in [16] * 3 + [12] * 3
    ]
    own = level_games(record)
    assert own.groupby(["day", "player"]).size().eq(3).all()
    assert set(own["colour"]) == {"b", "w"} and set(own.loc[own["day"] <= 3, "level"]) == set(SHALLOW.keys)
    assert record.ratings.shape == (6, 7) and len(record.decisions) == 36


def test_variants_go_with_the_hash_and_with_medium_only():
    own = level_games(run())
    tested = own[own["level"] == "medium"]
    assert len(tested) and (own.loc[own["level"] != "medium", "variant"] == "").all()
    groups = tested["player"].map(lambda name: assign_by_hash("medium-randomness", name))
    assert (groups == tested["variant"]).all() and set(groups) == {"A", "B"}


def test_ratings_are_those_of_a_replay_of_the_log():
    record = run()
    games = record.games
    log = index_games(
        games["black"].tolist(), games["white"].tolist(), games["winner"].map(SCORE), players=QUICK.names
    )
    for day in (1, 4, 6):
        part = (games["day"] <= day).to_numpy()
        replay = elo.replay(log.pairs[part], log.outcomes[part], n_players=7)
        assert record.ratings.loc[day].to_numpy() == pytest.approx(replay.ratings, abs=1e-9)
    assert record.final["rating"].to_numpy() == pytest.approx(replay.ratings, abs=1e-9)
    assert record.final["games"].tolist() == replay.games.tolist()
    assert games["expected"].to_numpy() == pytest.approx(replay.forecasts, abs=1e-9)
    paths = rating_paths(record)
    assert {name: len(path) - 1 for name, path in paths.items()} == record.final["games"].to_dict()


@pytest.mark.parametrize("rule", ["course", "fast", "glicko1", "default", "thompson"])
@pytest.mark.parametrize("rerate", ["day", "game"])
def test_equal_seeds_agree(rule, rerate):
    settings = replace(QUICK, rule=RULES[rule], rerate=rerate)
    one, same, other = run(settings), run(settings), run(settings, seed=2)
    assert one.games.equals(same.games) and one.decisions.equals(same.decisions)
    assert one.ratings.equals(same.ratings) and not one.games.equals(other.games)


def test_the_global_generator_is_left_alone():
    before = np.random.get_state()[1].copy()
    run()
    assert (np.random.get_state()[1] == before).all()


def test_ratings_of_the_morning_or_after_each_game():
    fast = replace(QUICK, rule=RULES["fast"], random_days=0)
    morning, prompt = run(fast), run(replace(fast, rerate="game"))
    assert morning.decisions.groupby(["day", "player"])["rating"].nunique().eq(1).all()
    assert prompt.decisions.groupby(["day", "player"])["rating"].nunique().gt(1).mean() > 0.9


def test_anchored_levels_never_move():
    for rule in ("anchored", "fast", "glicko1", "default"):
        record = run(replace(QUICK, rule=RULES[rule]))
        assert (record.ratings[list(SHALLOW.names)].to_numpy() == SHALLOW.ratings).all(), rule
        assert (record.final["rating"][:4] != 1200).all()


def test_a_default_rule_finds_weak_players():
    settings = replace(QUICK, ladder=replace(SHALLOW, variant_key=None, variant_b=None), rule=RULES["steady"])
    record = run(replace(settings, random_days=0, rerate="game", days=8))
    assert record.decisions.loc[record.decisions["day"] > 5, "level"].eq("easy").mean() > 0.5
    assert (level_games(record)["variant"] == "").all()


def test_rules_of_the_draw_are_a_setting():
    capped = run(replace(QUICK, rules=Rules(repetitions=0, quiet_moves=0, ply_cap=20)))
    assert capped.games["plies"].max() == 20 and set(capped.games["reason"]) == {"cap"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"days": 0}, "days is 0"),
        ({"random_days": -1}, "random_days is -1"),
        ({"rerate": "week"}, "rerate is 'week'"),
        ({"players": QUICK.players[:1]}, "at least two players"),
        ({"players": (QUICK.players[0], QUICK.players[0])}, "none twice"),
        ({"rule": RULES["steady"], "ladder": replace(SHALLOW, ratings=None)}, "has no ratings"),
    ],
)
def test_bad_settings_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        replace(QUICK, **options)


def test_every_scenario_can_be_built():
    assert next(iter(SCENARIOS)) == "course" and "default" in SCENARIOS
    for name, settings in SCENARIOS.items():
        assert len(settings.ladder.keys) == (3 if name in ("course", "three-levels", "no-repetition") else 9)


def test_the_fair_design_is_balanced():
    games = simulate_fair_test(
        FairSettings(players=QUICK.players, ladder=SHALLOW), rng=np.random.default_rng(1)
    )
    assert len(games) == 4 * 32
    assert games.groupby(["player", "variant", "colour"]).size().eq(8).all()
    own = games[games["player"] == "Sim Ben"]
    assert own["variant"].tolist() == ["A", "B"] * 16
    assert ((games["black"] == games["player"]) == (games["colour"] == "b")).all()
    score = games["winner"].map(SCORE)
    assert (games["score"] == score.where(games["colour"] == "b", 1 - score)).all()
    with pytest.raises(ValueError, match="games_each is 3"):
        FairSettings(games_each=3)
    with pytest.raises(ValueError, match="under test"):
        FairSettings(ladder=LADDERS["nine"])
