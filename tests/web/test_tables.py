"""Ratings and tables as people see them."""

from datetime import date

import pytest

from ludometrics.gamelog import LEVEL_NAMES
from ludometrics.gamelog.daily import Game, write_day
from ludometrics.gamelog.day_files import LeftOut
from ludometrics.gamelog.rated import RatedLog, RatingsDifferError
from ludometrics.ratings import leaderboard
from ludometrics.web.settings import Settings
from ludometrics.web.tables import Tables, warnings_of

DAY = date(2026, 9, 1)
GAMES = [
    *[Game("Ann", LEVEL_NAMES["l5"], winner, level="l5") for winner in ("b", "w", "b", "b", "draw")],
    Game(LEVEL_NAMES["hard"], "Bob", "b", level="hard"),
    Game("Bob", "ann", "b"),
    Game("Cid", "(removed-0a1b2c3d)", "b"),
]


@pytest.fixture
def tables(folder, clock):
    folder.mkdir()
    write_day(folder, DAY, GAMES)
    return Tables(folder, Settings(), now=clock)


def elo(games: list[Game]) -> dict[str, float]:
    """The course's ratings, written out."""
    ratings: dict[str, float] = {}
    for game in games:
        black, white = (name.replace("ann", "Ann") for name in (game.black, game.white))
        mine, theirs = (ratings.get(name, 1200.0) for name in (black, white))
        change = 32 * (game.score_of_black - 1 / (1 + 10 ** ((theirs - mine) / 400)))
        ratings[black], ratings[white] = mine + change, theirs - change
    return ratings


def test_elo_order_and_star_are_the_courses(tables):
    ratings = elo(GAMES)
    games = {"Ann": 6, LEVEL_NAMES["l5"]: 5, "Bob": 2, LEVEL_NAMES["hard"]: 1, "Cid": 1}
    rows = tables.ratings()["players"]
    found = [
        (row["name"].replace("ann", "Ann"), row["rating"], row["games"], row["provisional"]) for row in rows
    ]
    assert found == [tuple(row) for row in leaderboard(ratings, games)]
    assert [row["level"] for row in rows if row["name"].startswith("Computer")] == ["hard", "l5"]


def test_the_interval_is_of_95_percent_about_glickos_rating(tables):
    ann = next(row for row in tables.ratings()["players"] if row["name"] == "ann")
    deviation = (ann["high"] - ann["low"]) / (2 * 1.96)
    assert abs((ann["low"] + ann["high"]) / 2 - ann["glicko"]) <= 1
    assert 100 < deviation < 200  # six games after a prior of 350


def test_in_a_year_of_absence_the_interval_becomes_a_newcomers(folder, tables, clock):
    write_day(folder, DAY, [Game("Ann", LEVEL_NAMES["l5"], "bw"[n % 2], level="l5") for n in range(60)])
    widths = []
    for days in (0, 30, 335, 3000):
        clock.forward(days=days)
        ann, level = sorted(tables.ratings()["players"], key=lambda row: row["name"])
        assert ann["name"] == "Ann" and level["low"] is None
        widths.append((ann["high"] - ann["low"]) / (2 * 1.959964))
    assert widths == sorted(widths) and widths[0] < 70
    assert 340 < widths[2] < 351 and widths[3] == pytest.approx(350, abs=1)


def test_answers_are_kept_until_something_changes(folder, tables, clock):
    first = tables.ratings()
    assert tables.ratings()["players"] is first["players"]
    write_day(folder, DAY, [*GAMES, Game("Dan", "Bob", "b")])
    assert len(tables.ratings()["players"]) == len(first["players"]) + 1
    kept = tables.ratings()["players"]
    clock.forward(days=1)
    assert tables.ratings()["players"] is not kept


def test_the_table_is_todays(tables, clock):
    table = tables.scores()["table"]
    assert [(row["name"], row["points"]) for row in table[:3]] == [
        ("ann", 10),
        (LEVEL_NAMES["l5"], 4),
        ("Bob", 3),
    ]
    clock.forward(days=1)
    assert tables.scores() == {"day": "2026-09-02", "table": [], "warnings": []}


def test_names_and_games_are_found(tables):
    assert tables.knows("ＡＮＮ") and not tables.knows("Anna") and not tables.knows("(removed-0a1b2c3d)")


def test_names_are_known_that_stand_only_in_what_is_left_out(folder, tables):
    write_day(folder, date(2099, 1, 1), [Game("Dan", "Bob", "b")])
    (folder / "scores-2026-08-01.json").write_text('[{"black": "Eve", "wh')
    assert tables.knows("dan") and tables.knows("Eve") and not tables.knows("Flo")


def test_levels_are_rated_from_games_under_the_courses_rule_alone(folder, tables, clock):
    course = Tables(folder, Settings(rule="course"), now=clock)
    assert course.level_rating("hard") == round(elo(GAMES)[LEVEL_NAMES["hard"]])
    assert course.level_rating("easy") is None
    assert (tables.level_rating("hard"), tables.level_rating("easy")) == (1796, 1148)


def test_ratings_that_differ_from_a_replay_are_made_afresh(tables, monkeypatch, caplog):
    before, log = tables.ratings(), tables._log

    def differ(_):
        raise RatingsDifferError("ratings of 'elo' differ")

    monkeypatch.setattr(RatedLog, "prove", differ)
    tables.prove()
    assert tables._log is not log and tables.ratings() == before and "rated afresh" in caplog.text


def test_warnings_count_and_name_no_player():
    left_out = [
        LeftOut("scores-2026-09-01.json", None, "not JSON at line 1, column 1: it holds NUL bytes", None),
        LeftOut("scores-2026-09-02.json", 9, "black is 'Zoë'", 1),
        LeftOut("scores-2026-09-02.json", 4, "white is 'Zoë'", 2),
        LeftOut("scores-2026-09-03.json", None, "game 1: 'Zoë, 12 High St' is no game", None),
        LeftOut("scores-2026-09-04.json", None, "a row has the field 'Zoë' twice", None),
        LeftOut("scores-Zoë.json", None, "its name is no daily file's: scores-YYYY-MM-DD.json or ...", None),
    ]
    assert warnings_of(left_out) == [
        "scores-2026-09-01.json: left out: not JSON at line 1, column 1: it holds NUL bytes",
        "scores-2026-09-03.json: left out: it cannot be used",
        "scores-2026-09-04.json: left out: it cannot be used",
        "a file of another name: left out: its name is no daily file's",
        "scores-2026-09-02.json: 3 games that cannot be used are left out, the first in row 4",
    ]
