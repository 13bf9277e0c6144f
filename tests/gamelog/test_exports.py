"""Exports: tables with their sources, a register, pseudonyms, and nothing written over."""

import json
import os
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from ludometrics.gamelog.daily import Game, write_day
from ludometrics.gamelog.exports import export, read_register
from ludometrics.gamelog.finding import find_name
from ludometrics.gamelog.forgetting import forget
from ludometrics.gamelog.store import append_game
from ludometrics.gamelog.structures import EXPORT_HEADS
from ludometrics.gamelog.tables import KINDS
from ludometrics.provenance import file_sha256, read_sidecar, read_table

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def fill(folder: Path) -> Path:
    folder.mkdir()
    write_day(
        folder,
        date(2026, 11, 28),
        [Game("Ann", "Computer (Low)", "b", "easy", "A"), Game("José", "Ann", "w")],
    )
    write_day(
        folder, date(2026, 11, 29), [Game("(removed-7f3a91c2)", "ANN", "draw"), Game("Bob", "(removed)", "b")]
    )
    return folder


def run(folder: Path, out: Path, what: str = "games", **options):
    return export(folder, out, what=what, **{"now": NOW} | options)


def test_games(tmp_path):
    folder = fill(tmp_path / "data")
    done = run(folder, tmp_path / "games.csv")
    table = read_table(tmp_path / "games.csv")
    assert done.rows == len(table) == 4 and done.left_out == ()
    assert table.iloc[0].dropna().to_dict() == {
        "day": "2026-11-28",
        "row": 1,
        "black": "Ann",
        "white": "Computer (Low)",
        "winner": "b",
        "level": "easy",
        "variant": "A",
    }
    assert table["black"].tolist() == ["Ann", "José", "(removed-7f3a91c2)", "Bob"]


def test_ratings_hide_the_removed(tmp_path):
    folder = fill(tmp_path / "data")
    run(folder, tmp_path / "ratings.csv", "ratings")
    table = read_table(tmp_path / "ratings.csv").set_index("name")
    assert sorted(table.index) == ["ANN", "Bob", "Computer (Low)", "José"]
    assert table.loc["Computer (Low)", "level"] == "easy" and table.loc["ANN", "games"] == 3
    assert (table["low"] < table["glicko"]).all() and (table["glicko"] < table["high"]).all()
    assert table.loc["Computer (Low)", "elo"] == 1184 and table["provisional"].all()


def test_league_of_each_day(tmp_path):
    folder = fill(tmp_path / "data")
    run(folder, tmp_path / "league.csv", "league")
    table = read_table(tmp_path / "league.csv")
    assert table.query("day == '2026-11-29'")[["place", "name", "points"]].values.tolist() == [
        [1, "Bob", 3],
        [2, "ANN", 1],
    ]


def test_the_first_columns_are_those_by_which_a_search_knows_them(tmp_path):
    folder = fill(tmp_path / "data")
    for what in KINDS:
        run(folder, tmp_path / f"{what}.csv", what)
        assert tuple((tmp_path / f"{what}.csv").read_text().split("\n")[0].split(",")[:3]) in EXPORT_HEADS


def test_the_sidecar_names_the_files(tmp_path):
    folder = fill(tmp_path / "data")
    run(folder, tmp_path / "games.csv", first=date(2026, 11, 29))
    sidecar = read_sidecar(tmp_path / "games.csv")
    path = folder / "scores-2026-11-29.json"
    assert sidecar["inputs"] == {path.resolve().as_posix(): file_sha256(path)}
    assert sidecar["outputs"] == {"games.csv": file_sha256(tmp_path / "games.csv")}
    assert sidecar["parameters"]["first"] == "2026-11-29" and sidecar["key"] == ["day", "row"]


def test_the_register(tmp_path):
    folder = fill(tmp_path / "data")
    (folder / "tables").mkdir()
    run(folder, tmp_path / "games.csv")
    run(folder, folder / "tables" / "games.csv", "league", pseudonyms=True)
    run(folder, tmp_path / "games.csv", "ratings")
    entries = read_register(folder)
    assert [(entry.path, entry.what, entry.pseudonyms, entry.pending) for entry in entries] == [
        ("tables/games.csv", "league", True, False),
        (str(tmp_path / "games.csv"), "ratings", False, False),
    ]
    assert entries[0].last == "2026-11-30" and read_register(tmp_path) == ()


def test_pseudonyms(tmp_path):
    folder = fill(tmp_path / "data")
    plain, hidden, again = (tmp_path / f"{name}.csv" for name in ("plain", "hidden", "again"))
    run(folder, plain)
    run(folder, hidden, pseudonyms=True)
    run(folder, again, pseudonyms=True)
    for name in ("Ann", "José", "Bob", "removed-7f3a91c2"):
        assert find_name(name, [hidden]) == ()
    one, other = read_table(hidden), read_table(again)
    assert one["white"][0] == "Computer (Low)" and one["white"][3] == "(removed)"
    assert one["black"][0] == one["white"][1] == one["white"][2] != other["black"][0]
    assert one["black"][2].startswith("(removed-")
    run(folder, plain, "ratings")
    run(folder, hidden, "ratings", pseudonyms=True)
    assert sorted(read_table(plain)["elo"]) == sorted(read_table(hidden)["elo"])


def test_forgetting_makes_every_export_anew(tmp_path):
    folder = fill(tmp_path / "data")
    outs = {
        "games": folder / "games.csv",
        "ratings": tmp_path / "ratings.csv",
        "league": folder / "a" / "b" / "league.csv",
    }
    outs["league"].parent.mkdir(parents=True)
    for what, out in outs.items():
        run(folder, out, what)
    done = forget(folder, "josé", dry_run=False, now=NOW, operator="me")
    assert done.exports.remade == tuple(str(out) for out in outs.values()) and done.status == 0
    for out in outs.values():
        assert find_name("josé", [out]) == () and find_name("ann", [out]) != ()
        assert read_sidecar(out)["outputs"] == {out.name: file_sha256(out)}
        for path, digest in read_sidecar(out)["inputs"].items():
            assert file_sha256(path) == digest
    assert not any(entry.pending for entry in read_register(folder))


def test_exports_that_cannot_be_made_anew_are_listed_and_made_later(tmp_path):
    folder, away = fill(tmp_path / "data"), tmp_path / "away"
    away.mkdir()
    run(folder, away / "games.csv")
    away.rename(tmp_path / "moved")
    done = forget(folder, "josé", dry_run=False, now=NOW, operator="me")
    assert done.exports.failed == ((str(away / "games.csv"), "its folder is not there"),) and done.status == 4
    assert "NOT made anew" in done.text and [entry.pending for entry in read_register(folder)] == [True]
    (tmp_path / "moved").rename(away)
    assert find_name("josé", [away])
    done = forget(folder, "josé", dry_run=False, now=NOW, operator="me")
    assert done.status == 3 and find_name("josé", [away]) == ()
    assert [entry.pending for entry in read_register(folder)] == [False]


def test_an_export_that_somebody_deleted_is_no_longer_registered(tmp_path):
    folder = fill(tmp_path / "data")
    run(folder, tmp_path / "games.csv")
    for name in ("games.csv", "games.json"):
        (tmp_path / name).unlink()
    done = forget(folder, "josé", dry_run=False, now=NOW, operator="me")
    assert done.exports.remade == done.exports.failed == () and read_register(folder) == ()
    assert not (tmp_path / "games.csv").exists()


def test_an_export_behind_a_link(tmp_path):
    folder = fill(tmp_path / "data")
    (tmp_path / "games.csv").symlink_to(tmp_path / "real.csv")
    run(folder, tmp_path / "games.csv")
    forget(folder, "josé", dry_run=False, now=NOW, operator="me")
    assert (tmp_path / "games.csv").is_symlink() and find_name("josé", [tmp_path / "real.csv"]) == ()


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"exports": [{"path": "x"}]}', '{"exports": [3]}', "[" * 99999]
)
def test_a_register_that_cannot_be_read(tmp_path, text):
    folder = fill(tmp_path / "data")
    (folder / "exports.json").write_text(text)
    with pytest.raises(ValueError, match="not a register of exports"):
        run(folder, tmp_path / "games.csv")
    done = forget(folder, "josé", dry_run=False, now=NOW, operator="me")
    assert done.status == 4 and done.exports.failed[0][0] == "exports.json" and done.games == 1
    assert (folder / "exports.json").read_text() == text


@pytest.mark.parametrize(
    "name, message",
    [
        ("games.txt", "must end in .csv"),
        ("scores-2026-11-28.csv", "scores-2026-11-28.json is the name of a file of games"),
        ("exports.csv", "exports.json is the name of a file of games"),
        ("live/x.csv", "is the name of a file of games"),
        ("mine.csv", "mine.csv is there already, and no export"),
        ("notes.csv", "notes.json is there already, and no export"),
    ],
)
def test_nothing_is_written_over(tmp_path, name, message):
    folder = fill(tmp_path / "data")
    (folder / "live").mkdir()
    (folder / "mine.csv").write_text("mine")
    (folder / "notes.json").write_text("{}")
    before = {path: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    with pytest.raises(ValueError, match=message):
        run(folder, folder / name)
    assert {
        path: path.read_bytes() for path in folder.iterdir() if path.name in {p.name for p in before}
    } == before
    assert len(os.listdir(folder)) == 6  # with the lock


def test_bad_input(tmp_path):
    folder = fill(tmp_path / "data")
    for options, message in (
        ({"what": "names"}, "what is 'names'"),
        ({"first": date(2026, 12, 1)}, "must not come after"),
        ({"last": date(2020, 1, 1)}, "no rated game"),
        ({"time_zone": "Mars"}, "time_zone"),
    ):
        with pytest.raises(ValueError, match=message):
            run(folder, tmp_path / "x.csv", **options)
    with pytest.raises(FileNotFoundError):
        run(folder, tmp_path / "none" / "x.csv")
    assert not (tmp_path / "x.csv").exists() and read_register(folder) == ()


def test_names_that_a_spreadsheet_could_mistake(tmp_path):
    folder = tmp_path / "data"
    folder.mkdir()
    names = ["-1", "'Ann", "- SUM(A1)", "(x)"]
    write_day(folder, date(2026, 11, 28), [Game(name, "Bob", "b") for name in names])
    run(folder, tmp_path / "games.csv")
    assert read_table(tmp_path / "games.csv")["black"].tolist() == names
    (folder / "scores-2026-11-29.json").write_text(
        json.dumps([{"black": '=cmd|"x"!A1', "white": "Bob", "winner": "b"}])
    )
    done = run(folder, tmp_path / "games.csv")
    assert done.rows == 4 and len(done.left_out) == 1


@pytest.mark.parametrize("target", ["elsewhere", "data/scores-2026-11-29.json"])
def test_a_link_put_where_an_export_was_is_not_followed(tmp_path, target):
    folder = fill(tmp_path / "data")
    run(folder, tmp_path / "league.csv", "league")
    (tmp_path / "elsewhere").write_text("precious")
    before = (tmp_path / target).read_bytes()
    (tmp_path / "league.csv").unlink()
    (tmp_path / "league.csv").symlink_to(tmp_path / target)
    done = forget(folder, "José", dry_run=False, now=NOW, operator="me")
    assert done.status == 4 and "a link stands in its place" in done.text
    assert (tmp_path / target).read_bytes() == before and find_name("José", [folder]) == ()


def test_another_file_put_where_an_export_was_stays(tmp_path):
    folder = fill(tmp_path / "data")
    run(folder, tmp_path / "league.csv", "league")
    (tmp_path / "league.json").write_text('{"mine": 1}')
    done = forget(folder, "José", dry_run=False, now=NOW, operator="me")
    assert done.status == 4 and "league.json beside it is another's" in done.text
    assert (tmp_path / "league.json").read_text() == '{"mine": 1}'


def test_a_folder_in_place_of_an_export_does_not_stop_the_games(tmp_path):
    folder = fill(tmp_path / "data")
    (folder / "exports").mkdir()
    for out in (folder / "league.csv", folder / "exports" / "games.csv"):
        run(folder, out)
        for path in (out, out.with_suffix(".json")):
            path.unlink()
            path.mkdir()
    done = forget(folder, "José", dry_run=False, now=NOW, operator="me")
    assert done.status == 4 and len(done.exports.failed) == 2 and done.games == 1
    assert append_game(folder, Game("Ann", "Bob", "b"), date(2026, 11, 30)).new
