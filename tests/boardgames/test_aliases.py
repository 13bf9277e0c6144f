"""People entered twice: warned of, joined by a file of aliases, every fault in it by row."""

import json
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from ludometrics.boardgames.aliases import apply_aliases, read_aliases, write_alias_template
from ludometrics.boardgames.assembly import assemble
from ludometrics.boardgames.records import Game, LeftOut, Person, Play, Seat

DATA = Path(__file__).resolve().parents[1] / "data" / "boardgames"
CASES = json.loads((DATA / "plays_aliases.json").read_text(encoding="utf-8"))
NAMES = {
    "ann": "Ann",
    "anny": "Anny",
    "bob1": "Bob",
    "bob2": " bob",
    "zoe": "Zoë",
    "guest": "Visitor",
    "bob3": "BOB",
}
TABLES = (("ann", "anny"), ("ann", "bob1", "guest"), ("ann", "zoe"), ("bob1", "zoe"), ("bob2", "zoe"))


@pytest.fixture
def log():
    people = {key: Person(key, name, key == "guest", False) for key, name in NAMES.items() if key != "bob3"}
    start = datetime(2024, 6, 1, 20)
    plays = [
        Play(f"p{n}", "go", start + timedelta(n), start, tuple(Seat(person, rank=1) for person in table))
        for n, table in enumerate(TABLES)
    ]
    left_out = [LeftOut("plays[9]", "has no playDate")]
    return assemble(
        {"go": Game("go", "Go")}, people, plays, source="x", owner="anny", left_out=left_out, warnings=["w"]
    )


@pytest.mark.parametrize("case", CASES, ids=[case["desc"] for case in CASES])
def test_aliases(case, log, tmp_path):
    path = tmp_path / "aliases.csv"
    path.write_text(case["csv"], encoding="utf-8")
    if "error" in case:
        with pytest.raises(ValueError, match=case["error"]) as caught:
            apply_aliases(log, read_aliases(path))
        assert str(path) in str(caught.value)
        return
    merged = case["people"]
    joined = apply_aliases(log, read_aliases(path))
    assert list(joined.people) == [key for key in log.people if key not in merged]
    assert all(joined.people[key] == log.people[key] for key in joined.people)
    assert [[seat.person for seat in play.seats] for play in joined.plays] == [
        [merged.get(person, person) for person in table] for table in TABLES
    ]
    assert joined.owner == merged.get("anny", "anny")
    assert (joined.games, joined.left_out, joined.source) == (log.games, log.left_out, log.source)
    still_two = not {"bob1", "bob2"} & set(merged)
    others = [warning for warning in joined.warnings if not warning.startswith("aliases: ")]
    assert others[0] == "w" and len(others) == 1 + still_two


def test_people_of_one_name_are_warned_of(log):
    assert log.warnings == (
        "w",
        "2 people are called ' bob' (2 and 1 plays): rated apart; if they are one, say so in a file of aliases",
    )


def test_no_warning_where_only_one_of_them_ever_sat_at_a_table(log):
    people = log.people | {"bob3": Person("bob3", "BOB"), "guest2": Person("guest2", "Visitor", True)}
    assert assemble(log.games, people, log.plays).warnings[0].startswith("2 people are called")


def test_merging_may_seat_one_person_twice(log, tmp_path):
    path = tmp_path / "aliases.csv"
    path.write_text("name,same_as\nAnny,Ann\n", encoding="utf-8")
    joined = apply_aliases(log, read_aliases(path))
    assert [seat.person for seat in joined.plays[0].seats] == ["ann", "ann"]
    said = (
        "aliases: 'Ann' and 'Anny' are made one, and sit at one table in 1 play: they seem to be two people"
    )
    assert said in joined.warnings
    path.write_text("name,same_as\nZoë,Anny\n", encoding="utf-8")  # who never met
    assert not any("made one" in warning for warning in apply_aliases(log, read_aliases(path)).warnings)


def test_people_of_one_name_at_one_table_are_told(log):
    start = log.plays[0].at
    plays = [
        Play(f"q{n}", "go", start + timedelta(n), start, (Seat("bob1"), Seat("bob2"), Seat("zoe")))
        for n in range(2)
    ]
    (said,) = assemble(log.games, log.people, plays).warnings
    assert "(2 and 2 plays): rated apart; they sit at one table in 2 plays, as several people do; if" in said


@pytest.mark.parametrize(
    "seconds, said", [(1, "typed in"), (0, "typed in, and 2 typed in the same second by their keys")]
)
def test_plays_of_one_moment_are_told_by_what_orders_them(seconds, said, log):
    start = log.plays[0].at
    plays = [
        Play(f"q{n}", "go", start, start + timedelta(seconds=seconds * n), (Seat("ann"),)) for n in range(2)
    ]
    (warning,) = assemble(log.games, log.people, plays).warnings
    assert warning.endswith(f"in the order in which they were {said}")


def test_a_template_holds_no_formula_and_no_sign_that_turns_and_is_read_all_the_same(log, tmp_path):
    people = {
        "@k": Person("@k", "=1+1"),
        "b": Person("b", "Zo\u202ee\u2028B"),
        "c": Person("c", "-Cy"),
    }
    log = assemble(log.games, people, [Play("p", "go", log.plays[0].at, log.plays[0].at, (Seat("b"),))])
    path = write_alias_template(log, tmp_path / "aliases.csv")
    assert path.read_text(encoding="utf-8-sig").splitlines() == [
        "name,key,plays,same_as",
        "'-Cy,c,0,",
        "'=1+1,'@k,0,",
        "Zoe B,b,1,",
    ]
    filled = path.read_text(encoding="utf-8").replace("'@k,0,", "'@k,0,Zoe B").replace("c,0,", "c,0,'=1+1")
    path.write_text(filled, encoding="utf-8")
    assert list(apply_aliases(log, read_aliases(path)).people) == ["b"]


def test_a_template_says_nothing_until_it_is_filled_in(log, tmp_path):
    path = write_alias_template(log, tmp_path / "aliases.csv")
    assert path.read_bytes().startswith(b"\xef\xbb\xbf")  # by which a spreadsheet knows the encoding
    assert path.read_text(encoding="utf-8-sig") == (
        "name,key,plays,same_as\nAnn,ann,3,\nAnny,anny,1,\nBob,bob1,2,\nbob,bob2,1,\nZoë,zoe,3,\n"
    )
    assert apply_aliases(log, read_aliases(path)) is log
    filled = path.read_text(encoding="utf-8-sig").replace("bob,bob2,1,", "bob,bob2,1,bob1")
    path.write_text(filled, encoding="utf-8-sig")
    assert "bob2" not in apply_aliases(log, read_aliases(path)).people
