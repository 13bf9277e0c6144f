"""Exports of simulated groups: that they are what the app writes, and that the sample is what is shipped."""

import json
import re
from dataclasses import replace
from datetime import datetime
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from ludometrics.boardgames.bgstats import read_export, read_exports
from ludometrics.boardgames.finishing import Order, finish_all
from ludometrics.boardgames.records import Game, Person, Play, PlayLog, Seat
from ludometrics.boardgames.settings import preset
from ludometrics.boardgames.weights import game_weights, read_complexity, read_skill
from ludometrics.provenance import named_stream
from ludometrics.simulation.__main__ import main
from ludometrics.simulation.boardgame_export import TABLES, compose_export, is_simulated, write_export
from ludometrics.simulation.boardgame_groups import simulate_group
from ludometrics.simulation.boardgame_oddities import ODDITIES, key_of
from ludometrics.simulation.boardgame_sample import GAMES, PEOPLE, SEED, make_sample, write_sample
from ludometrics.simulation.boardgame_worlds import GROUPS

ROOT = Path(__file__).resolve().parents[2]
SHIPPED = ROOT / "data" / "board_night_sample.json"
TABLE_NAMES = ("complexity", "skill", "strengths")
FILES = (SHIPPED.name, *(f"board_night_{table}.csv" for table in TABLE_NAMES))
CASES = json.loads(
    (ROOT / "tests" / "data" / "boardgames" / "sample_oddities.json").read_text(encoding="utf-8")
)
WORLD = replace(GROUPS["all"], cooperative_games=3, guests=0.2, automata=0.3, plays=150)

#: Kinds of the fields of each table, as present versions of the app write them.
KINDS = {
    "games": {
        "uuid": str,
        "id": int,
        "name": str,
        "bggId": int,
        "bggYear": int,
        "cooperative": bool,
        "highestWins": bool,
        "noPoints": bool,
        "usesTeams": bool,
        "isBaseGame": int,
        "isExpansion": int,
        "rating": int,
        "minPlayTime": int,
        "maxPlayTime": int,
        "previouslyPlayedAmount": int,
        "copies": list,
        "metaData": str,
    },
    "players": {"uuid": str, "id": int, "name": str, "isAnonymous": bool, "metaData": str, "tags": list},
    "locations": {"uuid": str, "id": int, "name": str},
    "plays": {
        "uuid": str,
        "playDate": str,
        "playDateYmd": int,
        "entryDate": str,
        "modificationDate": str,
        "usesTeams": bool,
        "durationMin": int,
        "ignored": bool,
        "manualWinner": bool,
        "rounds": int,
        "gameRefId": int,
        "board": str,
        "scoringSetting": int,
        "playImages": str,
        "playerScores": list,
        "expansionPlays": list,
    },
    "seats": {
        "playerRefId": int,
        "rank": int,
        "winner": bool,
        "newPlayer": bool,
        "startPlayer": bool,
        "seatOrder": int,
        "startPosition": str,
        "team": str,
        "anonymousName": str,
    },
}


@pytest.fixture(scope="module")
def group():
    return simulate_group(WORLD, rng=np.random.default_rng(1))


@pytest.fixture(scope="module")
def export(group):
    return json.loads(compose_export(group.log, deleted=["gone"], rng=np.random.default_rng(2)))


@pytest.fixture(scope="module")
def shipped():
    return read_export(SHIPPED)


def content(log):
    """What must come back from an export."""
    return log.games, log.people, log.plays, log.owner


# The format


def test_every_field_has_its_kind(export):
    assert sorted(export) == sorted([*TABLES, "userInfo"])
    tables = export | {"seats": [seat for play in export["plays"] for seat in play["playerScores"]]}
    for table, kinds in KINDS.items():
        assert tables[table], table
        for row in tables[table]:
            assert {name: type(row[name]) for name in kinds} == kinds
    assert {type(seat["score"]) for seat in tables["seats"]} == {str, type(None)}
    assert {seat["score"] for seat in tables["seats"] if seat["score"] == ""} == {""}


def test_keys_numbers_and_dates_are_those_of_the_app(export):
    uuid = re.compile(r"[0-9A-F]{8}-[0-9A-F]{4}-4[0-9A-F]{3}-[89AB][0-9A-F]{3}-[0-9A-F]{12}")
    for table in ("games", "players", "locations"):
        assert sorted(row["id"] for row in export[table]) == list(range(1, len(export[table]) + 1))
    for table in ("games", "players", "locations", "plays"):
        assert all(uuid.fullmatch(row["uuid"]) for row in export[table])
    for play in export["plays"]:
        at = datetime.strptime(play["playDate"], "%Y-%m-%d %H:%M:%S")
        assert play["playDateYmd"] == int(f"{at:%Y%m%d}")
        assert sum(seat["startPlayer"] for seat in play["playerScores"]) == 1
    automata = [row for row in export["players"] if json.loads(row["metaData"])["isNpc"]]
    assert len(automata) == 1 and not automata[0]["isAnonymous"]
    assert sum(row["isAnonymous"] for row in export["players"]) == 1
    assert export["deletedObjects"][0]["uuid"] == "GONE"


def test_rows_stand_in_no_order_and_some_scorings_are_marked(export):
    dates = [play["entryDate"] for play in export["plays"]]
    falls = sum(one > other for one, other in pairwise(dates))
    assert 0.3 < falls / len(dates) < 0.7
    assert {play["scoringSetting"] for play in export["plays"]} >= {0, 1, 3, 6}
    assert any(play["scoringSetting"] > 8 for play in export["plays"])


# There and back


def test_the_reader_gives_the_same_log(group, tmp_path):
    path = write_export(group.log, tmp_path / "export.json", deleted=["gone"], rng=np.random.default_rng(3))
    read = read_export(path)
    assert content(read) == content(group.log)
    assert read.left_out == () and read.source == "export.json"
    again = write_export(group.log, tmp_path / "again.json", rng=np.random.default_rng(4))
    assert path.read_bytes() != again.read_bytes()
    assert content(read_exports([path, again])) == content(group.log)


@hypothesis_settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32), st.data())
def test_any_log_comes_back(tmp_path_factory, seed, data):
    text = st.text(st.characters(codec="utf-8", categories=["L", "N", "P"]), min_size=1, max_size=8)
    moment = st.datetimes(datetime(1990, 1, 1), datetime(2100, 1, 1)).map(
        lambda at: at.replace(microsecond=0)
    )
    whole = st.integers(0, 500)
    games = [
        Game(f"g{n}", data.draw(text), data.draw(whole), *(data.draw(st.booleans()) for _ in range(5)))
        for n in range(2)
    ]
    people = [Person("a", data.draw(text)), Person("b", data.draw(text), True), Person("c", "C", True, True)]
    plays = []
    for number in range(data.draw(st.integers(1, 4))):
        seats = tuple(
            Seat(
                data.draw(st.sampled_from("abc")),
                data.draw(st.one_of(st.just(""), whole.map(str), text)),
                data.draw(st.integers(0, 9)),
                data.draw(st.booleans()),
                data.draw(st.sampled_from(["", "0", "red"])),
                data.draw(st.booleans()),
            )
            for _ in range(data.draw(st.integers(1, 4)))
        )
        plays.append(
            Play(
                f"play{number}",
                data.draw(st.sampled_from(["g0", "g1"])),
                data.draw(moment),
                data.draw(moment),
                seats,
                data.draw(whole),
                data.draw(st.integers(0, 6)),
                data.draw(st.booleans()),
                data.draw(st.booleans()),
                data.draw(st.one_of(st.just(""), text)),
                data.draw(st.one_of(st.just(""), text)),
            )
        )
    log = PlayLog(
        {game.key: game for game in games},
        {person.key: person for person in people},
        tuple(sorted(plays, key=lambda play: play.order)),
        owner="a",
    )
    path = tmp_path_factory.mktemp("any") / "export.json"
    assert content(read_export(write_export(log, path, rng=np.random.default_rng(seed)))) == content(log)


def test_what_is_not_there_is_still_not_there(group, tmp_path):
    play = replace(
        group.log.plays[0], game="", seats=(Seat(""), *group.log.plays[0].seats[1:]), missing=("?",)
    )
    log = replace(group.log, plays=(play, *group.log.plays[1:]))
    read = read_export(write_export(log, tmp_path / "export.json", rng=np.random.default_rng(1)))
    (found,) = [one for one in read.plays if one.missing]
    assert found.game == "" and found.seats[0].person == "" and len(found.missing) == 2
    assert found.seats[1:] == play.seats[1:]


def test_a_key_that_an_export_would_change_is_refused(group, tmp_path):
    log = replace(group.log, games={"ABC": Game("ABC", "Game")})
    with pytest.raises(ValueError, match="'ABC' is no key of an export"):
        write_export(log, tmp_path / "export.json", rng=np.random.default_rng(1))
    assert list(tmp_path.iterdir()) == []


def test_equal_seeds_give_equal_bytes_and_the_global_generator_is_left_alone(group):
    before = np.random.get_state()[1].copy()
    one, two, other = (compose_export(group.log, rng=np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert one == two != other
    assert (np.random.get_state()[1] == before).all()


# The sample


def test_the_sample_follows_its_recipe(shipped):
    people, games = shipped.people.values(), shipped.games.values()
    assert len(people) == 12 and len(games) == 10
    assert sum(person.is_guest and not person.is_automaton for person in people) == 1
    assert sum(person.is_automaton for person in people) == 1
    known = [" ".join(person.name.casefold().split()) for person in people if not person.is_guest]
    assert len(known) - len(set(known)) == 1
    assert sum(game.cooperative for game in games) == 2
    assert sum(not game.highest_wins for game in games) == 1
    assert sum(game.no_points and not game.cooperative for game in games) >= 1
    assert sum(game.bgg_id == 0 for game in games) == sum(game.is_expansion for game in games) == 1
    played = {play.game for play in shipped.plays}
    assert played == set(shipped.games), "a game was never played"
    assert len(shipped.plays) > 300 and (shipped.plays[-1].at - shipped.plays[0].at).days > 600
    share = np.mean([play.at.hour == 10 for play in shipped.plays])
    assert 0.4 < share < 0.6
    assert shipped.left_out == () and any("2 people are called" in text for text in shipped.warnings)


def test_the_command_gives_the_shipped_bytes(tmp_path):
    result = CliRunner().invoke(main, ["boardgames", "--out", str(tmp_path / SHIPPED.name)])
    assert result.exit_code == 0, result.output
    assert result.output.split() == [str(tmp_path / name) for name in FILES]
    for name in FILES:
        assert (tmp_path / name).read_bytes() == (SHIPPED.parent / name).read_bytes(), name


def test_the_shipped_tables_are_of_the_shipped_export(shipped):
    complexity = read_complexity(SHIPPED.with_name(FILES[1]))
    skill = read_skill(SHIPPED.with_name(FILES[2]), shipped)
    weights = game_weights(shipped.games, preset("tuned"), complexity=complexity, skill=skill)
    sources = [row.source for row in weights.values()]
    assert sources.count("complexity") == sources.count("skill") == 1
    assert sources.count("complexity and skill") == 8
    strengths = SHIPPED.with_name(FILES[3]).read_text(encoding="utf-8").splitlines()[1:]
    assert sorted(line.split(",")[1].lower() for line in strengths) == sorted(
        key for key, person in shipped.people.items() if not person.is_guest
    )


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_any_seed_makes_a_sample(seed):
    sample = make_sample(rng=named_stream(seed, "board-game group"))
    assert [game.name for game in sorted(sample.log.games.values(), key=lambda g: GAMES.index(g.name))] == [
        *GAMES
    ]
    assert sorted(p.name for p in sample.log.people.values() if not p.is_guest) == sorted(PEOPLE)
    assert all(a.order < b.order for a, b in pairwise(sample.log.plays))


def test_every_oddity_has_its_verdict(shipped):
    assert [(case["desc"], case["uuid"].lower()) for case in CASES] == [
        (odd.what, key_of(number)) for number, odd in enumerate(ODDITIES)
    ]
    places = {play.key: place for place, play in enumerate(shipped.plays)}
    for name, which in (("tuned", ("verdict",)), ("bgelo", ("without_gate", "verdict"))):
        outcomes = finish_all(shipped, preset(name))
        for case in CASES:
            wanted = next(case[key] for key in which if key in case)
            outcome = outcomes[places[case["uuid"].lower()]]
            if isinstance(outcome, Order):
                found = {
                    "ranks": list(outcome.ranks),
                    "source": outcome.source,
                    "flags": list(outcome.flags),
                }
            else:
                found = {"reason": outcome.reason}
            assert found == wanted, (name, case["desc"])


def test_an_export_of_somebody_is_never_written_over(tmp_path):
    path = tmp_path / "export.json"
    path.write_text('{"plays": [], "games": [], "players": [], "userInfo": {"device": "phone"}}')
    assert not is_simulated(path)
    with pytest.raises(ValueError, match="was not simulated"):
        write_sample(path, seed=SEED)
    result = CliRunner().invoke(main, ["boardgames", "--out", str(path)])
    assert result.exit_code == 2 and "was not simulated" in result.output
    assert [own.name for own in tmp_path.iterdir()] == ["export.json"]
    with pytest.raises(ValueError, match=r"must end in \.json"):
        write_sample(tmp_path / "export.txt", seed=SEED)
    other = tmp_path / "own_sample.json"
    write_sample(other, seed=1)
    before = other.read_bytes()
    write_sample(other, seed=2)
    assert is_simulated(other) and other.read_bytes() != before
