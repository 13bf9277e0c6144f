"""Weights of games: what is known of them, what stands in, and the tables that a group edits."""

import math
import warnings
from dataclasses import replace
from datetime import datetime

import pytest

from ludometrics.boardgames.records import Game, Play, PlayLog
from ludometrics.boardgames.settings import EngineSettings
from ludometrics.boardgames.weights import (
    game_weights,
    read_complexity,
    read_editions,
    read_skill,
    write_skill_template,
)

AUTHOR = EngineSettings()
GAMES = {
    game.key: game
    for game in (
        Game("k1", "Old Town", bgg_id=11),
        Game("k2", "Old Town: Second Edition", bgg_id=12, is_expansion=True),
        Game("k3", "House Rules"),
        Game("k4", "Twin"),
        Game("k5", "Twin"),
        Game("k6", "7", bgg_id=13),
    )
}
DAY = datetime(2026, 9, 1)
LOG = PlayLog(
    GAMES, {}, tuple(Play(str(n), key, DAY, DAY, ()) for n, key in enumerate(("k3", "k1", "k3", "k4")))
)


@pytest.fixture
def table(tmp_path):
    """A function that writes a table and gives its path."""

    def write(text, name="table.csv"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def weigh(key, settings=AUTHOR, **tables):
    return game_weights(GAMES, settings, **tables)[key]


@pytest.mark.parametrize(
    ("complexity", "skill", "weight", "source"),
    [
        (1.0, 0.0, 0.5, "complexity and skill"),
        (5.0, 1.0, 1.5, "complexity and skill"),
        (3.0, 0.9, 0.5 + 0.175 + 0.585, "complexity and skill"),
        (None, 0.9, 1.4, "skill"),
        (0.0, 0.0, 0.5, "skill"),
        (math.nan, 1.0, 1.5, "skill"),
        (2.0, None, 0.5 + 0.0875 + 0.325, "complexity"),
        (None, None, 1.0, "none"),
    ],
    ids=["least", "most", "both", "no complexity", "nobody voted", "NaN", "no skill", "neither"],
)
def test_weight(complexity, skill, weight, source):
    found = weigh(
        "k1",
        complexity={} if complexity is None else {11: complexity},
        skill={} if skill is None else {"bgg:11": skill},
    )
    assert found.weight == pytest.approx(weight, abs=1e-12) and found.source == source
    if weight in (0.5, 1.5):
        assert found.weight == weight  # exactly at the ends
    assert math.isnan(found.skill) == (skill is None)
    assert math.isnan(found.complexity) == ("complexity" not in source)


def test_every_game_has_a_weight_and_the_switch_turns_it_off():
    tables = {"complexity": {11: 5.0, 99: 2.0}, "skill": {"bgg:11": 1.0}}
    assert set(game_weights(GAMES, AUTHOR, **tables)) == set(GAMES)
    off = weigh("k1", replace(AUTHOR, use_weight=False), **tables)
    assert off == (1.0, 5.0, 1.0, "complexity and skill")


def test_skill_goes_by_number_then_key_then_name():
    skill = {"bgg:13": 0.1, "k6": 0.2, "7": 0.3, "house rules": 0.4}
    assert weigh("k6", skill=skill).skill == 0.1
    assert weigh("k6", skill={"k6": 0.2, "7": 0.3}).skill == 0.2
    assert weigh("k6", skill={"7": 0.3, "bgg:7": 0.9}).skill == 0.3
    assert weigh("k3", skill=skill).skill == 0.4


def test_games_that_are_not_at_boardgamegeek_never_share_a_number():
    assert weigh("k3", complexity={0: 4.0}, skill={"bgg:0": 0.9}).source == "none"


def test_an_edition_uses_its_own_entry_and_falls_back_to_its_base():
    editions = {"k2": "k1"}
    base = {"complexity": {11: 2.0}, "skill": {"bgg:11": 0.3}}
    assert weigh("k2", **base).source == "none"
    assert weigh("k2", editions=editions, **base)[1:3] == (2.0, 0.3)
    own = {"complexity": {11: 2.0, 12: 4.0}, "skill": {"bgg:11": 0.3}}
    assert weigh("k2", editions=editions, **own)[1:3] == (4.0, 0.3)
    assert weigh("k1", editions=editions, **own)[1:3] == (2.0, 0.3)


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        ({"skill": {"bgg:11": 1.2}}, "skill of 'Old Town' is 1.2: it must be in 0 to 1"),
        ({"skill": {"bgg:11": -0.1}}, "skill of 'Old Town' is -0.1"),
        ({"complexity": {11: 5.5}}, "complexity of 'Old Town' is 5.5: it must be in 1 to 5, or 0"),
        ({"complexity": {11: -1.0}}, "complexity of 'Old Town' is -1"),
    ],
    ids=["skill above 1", "skill below 0", "complexity above 5", "complexity below 0"],
)
def test_tables_out_of_range_are_refused(tables, message):
    with pytest.raises(ValueError, match=message):
        game_weights(GAMES, AUTHOR, **tables)


def test_complexity_is_read(table):
    text = (
        "bgg_id,complexity,game\n11,2.28,Old Town\n12,0,nobody voted\n13,,not known\n14,5,\n11,2.28,again\n"
    )
    assert read_complexity(table(text)) == {11: 2.28, 14: 5.0}
    assert read_complexity(table("\ufeffcomplexity;bgg_id\r\n2,28;11\r\n")) == {11: 2.28}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("bgg_id,weight\n11,2\n", "has no column 'complexity'"),
        ("bgg_id,complexity\n11,5.1\n", "row 2: complexity is '5.1': allowed are numbers from 1 to 5"),
        ("bgg_id,complexity\n\n11,0.5\n", "row 3: complexity is '0.5'"),
        ("bgg_id,complexity\n11,heavy\n", "row 2: complexity is 'heavy'"),
        ("bgg_id,complexity\n11,nan\n", "row 2: complexity is 'nan'"),
        ("bgg_id,complexity\n11,-2\n", "row 2: complexity is '-2'"),
        ("bgg_id,complexity\nx,2\n", "row 2: bgg_id is 'x'"),
        ("bgg_id,complexity\n0,2\n", "row 2: bgg_id is '0'"),
        ("bgg_id,complexity\n,2\n", "row 2: bgg_id is empty"),
        ("bgg_id,complexity\n11,2\n11,3\n", "row 3: bgg_id 11 has 2.0 already, and 3.0 here"),
        ("bgg_id,complexity\n11,2,3\n", "row 2: has 3 cells under a header of 2"),
        ("", "the file is empty"),
    ],
    ids=[
        "no such column",
        "too heavy",
        "too light",
        "a word",
        "nan",
        "negative",
        "no number of a game",
        "number 0",
        "no number",
        "two values",
        "a cell too many",
        "empty",
    ],
)
def test_complexity_at_fault_is_named(table, text, message):
    with pytest.raises(ValueError, match=message) as caught:
        read_complexity(table(text))
    assert "table.csv" in str(caught.value)


def test_skill_is_read(table):
    text = "bgg_id,game,skill\n11,Old Town,0.9\n, House  RULES ,0\n0,Twin,1.0\n12,later,\n"
    assert read_skill(table(text)) == {"bgg:11": 0.9, "house rules": 0.0, "twin": 1.0}
    assert read_skill(table("game;skill\nTwin;0,75\n")) == {"twin": 0.75}
    assert read_skill(table('game,skill\n"Tea, Late",.5\n')) == {"tea, late": 0.5}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("game,level\nTwin,0.5\n", "has no column 'skill'"),
        ("skill\n0.5\n", "has neither column 'game' nor 'bgg_id'"),
        ("game,skill\nTwin,1.01\n", "row 2: skill is '1.01': allowed are numbers from 0 to 1"),
        ("game,skill\nTwin,-0.1\n", "row 2: skill is '-0.1'"),
        ("game,skill\nTwin,90%\n", "row 2: skill is '90%'"),
        ("game,skill\nTwin,inf\n", "row 2: skill is 'inf'"),
        ("game,skill\n,0.5\n", "row 2: game is empty"),
        ("bgg_id,skill\n1e3,0.5\n", "row 2: bgg_id is '1e3'"),
        ("game,skill\nTwin,0.5\ntwin,0.6\n", "row 3: twin has 0.5 already, and 0.6 here"),
        ("game,skill\nTea, Late,0.5\n", "row 2: has 3 cells under a header of 2"),
    ],
    ids=[
        "no such column",
        "no game",
        "above 1",
        "below 0",
        "per cent",
        "inf",
        "nameless",
        "no number",
        "two values",
        "comma in a name",
    ],
)
def test_skill_at_fault_is_named(table, text, message):
    with pytest.raises(ValueError, match=message) as caught:
        read_skill(table(text))
    assert "table.csv" in str(caught.value)


def test_rows_of_unknown_games_are_warned_of_and_kept(table):
    path = table("bgg_id,game,skill\n11,,0.9\n,Hause Rules,0.5\n99,,0.1\n,k5,0.2\n")
    with pytest.warns(UserWarning) as caught:
        found = read_skill(path, LOG)
    assert [str(one.message).split("table.csv, ")[1] for one in caught] == [
        "row 3: Hause Rules is no game of the log; near it: 'House Rules'",
        "row 4: bgg:99 is no game of the log",
    ]
    assert len(found) == 4
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert read_skill(path) == found


def test_the_template_lists_played_games_and_is_read_once_filled_in(tmp_path):
    path = write_skill_template(LOG, tmp_path / "skill.csv")
    assert path.read_bytes().startswith(b"\xef\xbb\xbf")  # by which a spreadsheet knows the encoding
    assert path.read_text(encoding="utf-8-sig") == (
        "bgg_id,game,plays,skill\n0,House Rules,2,\n11,Old Town,1,\n0,Twin,1,\n"
    )
    assert read_skill(path, LOG) == {}
    path.write_text(path.read_text().replace("2,\n", "2,0.4\n").replace("Town,1,\n", "Town,1,0.7\n"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        skill = read_skill(path, LOG)
    assert skill == {"house rules": 0.4, "bgg:11": 0.7}
    assert weigh("k3", skill=skill).skill == 0.4


def test_the_template_holds_no_formula_and_no_sign_that_turns_and_is_read_all_the_same(tmp_path):
    games = {key: Game(key, name) for key, name in (("a", "=2+5"), ("b", "Old\u2028\u202eTown"))}
    plays = [replace(play, game="ab"[number % 2]) for number, play in enumerate(LOG.plays[:3])]
    log = replace(LOG, games=games, plays=tuple(plays))
    path = write_skill_template(log, tmp_path / "skill.csv")
    text = path.read_text(encoding="utf-8")
    assert text.splitlines()[1:] == ["0,'=2+5,2,", "0,Old Town,1,"]
    path.write_text(text.replace("2,\n", "2,0.4\n").replace("Town,1,", "Town,1,0.6"), encoding="utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        weights = game_weights(games, EngineSettings(), skill=read_skill(path, log))
    assert [weight.skill for weight in weights.values()] == [0.4, 0.6]


def test_a_template_never_replaces_what_a_group_has_filled_in(tmp_path):
    path = tmp_path / "skill.csv"
    path.write_text("mine")
    with pytest.raises(ValueError, match=r"skill.csv: is there already"):
        write_skill_template(LOG, path)
    assert path.read_text() == "mine"


def test_editions_are_read_and_chains_followed(table):
    text = "game,base\nTwin 2,k4\nOld Town: Second Edition,Old Town\nk5,k4\nk1,HOUSE rules\nk3,k3\n"
    with pytest.warns(UserWarning, match="row 2: 'Twin 2' is no game of the log"):
        assert read_editions(table(text), LOG) == {"k2": "k3", "k5": "k4", "k1": "k3"}
    assert read_editions(table("bgg_id,base_bgg_id\n12,11\n"), LOG) == {"k2": "k1"}
    # A name that is a number is a name.
    assert read_editions(table("game,base_bgg_id\n7,11\n"), LOG) == {"k6": "k1"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("game\nk1\n", "has neither column 'base' nor 'base_bgg_id'"),
        ("base\nk1\n", "has neither column 'game' nor 'bgg_id'"),
        ("game,base\nTwin,k1\n", "row 2: 'Twin' stands for 2 games: give the key of one of them: k4, k5"),
        ("game,base\nk1,\n", "row 2: base is empty"),
        ("game,base\nk1,k2\nk1,k3\n", "row 3: Old Town has 'k2' already, and 'k3' here"),
        ("game,base\nk1,k3\nk3,k6\nk6,k1\n", "Old Town and House Rules and 7 are each other's base"),
    ],
    ids=["no base column", "no game column", "two of a name", "no base", "two bases", "a circle"],
)
def test_editions_at_fault_are_named(table, text, message):
    with pytest.raises(ValueError, match=message) as caught:
        read_editions(table(text), LOG)
    assert "table.csv" in str(caught.value)


def test_a_circle_reached_from_outside_ends_too(table):
    with pytest.raises(ValueError, match="are each other's base"):
        read_editions(table("game,base\nk2,k1\nk1,k3\nk3,k1\n"), LOG)
