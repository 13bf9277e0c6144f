"""Games that expire: the day of the boundary, whatever the file is called, and everything that is as old."""

import json
import os
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from ludometrics.gamelog.daily import Game, write_day
from ludometrics.gamelog.drift import rate_keys
from ludometrics.gamelog.expiry import MAX_DAYS, expire
from ludometrics.gamelog.exports import export
from ludometrics.gamelog.loading import load_log
from ludometrics.gamelog.lock import LOCK_FILE, FolderBusyError, FolderLock

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
TODAY = date(2026, 11, 30)


def fill(folder: Path, *names: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        (folder / name).write_text('[{"black": "Ann", "white": "Bob", "winner": "b"}]')
    return folder


def run(folder: Path, days: int = 90, **options):
    return expire(folder, days, **{"dry_run": False, "now": NOW, "operator": "cron"} | options)


def content(folder: Path) -> dict[str, bytes]:
    files = [
        path for path in folder.rglob("*") if path.is_file() and not path.name.endswith((LOCK_FILE, ".lock"))
    ]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def test_the_day_of_the_boundary_is_kept(tmp_path):
    folder = fill(tmp_path, "scores-2026-09-01.json", "scores-2026-08-31.json", "unrated-2026-08-31.json")
    done = run(folder)
    assert done.first_kept == date(2026, 9, 1)
    assert dict(done.files) == {"scores-2026-08-31.json": 1, "unrated-2026-08-31.json": 1}
    assert set(content(folder)) == {"scores-2026-09-01.json", "audit.jsonl"}
    assert "from before 2026-09-01" in done.text and "Europe/London" in done.text


@pytest.mark.parametrize(
    "moment, zone, first_kept",
    [
        ("2026-06-30T22:59:00+00:00", "Europe/London", "2026-06-29"),
        ("2026-06-30T23:00:00+00:00", "Europe/London", "2026-06-30"),
        ("2026-06-30T23:00:00+00:00", "UTC", "2026-06-29"),
        ("2026-03-29T01:30:00+00:00", "Europe/London", "2026-03-28"),
        ("2026-10-25T00:30:00+00:00", "Europe/London", "2026-10-24"),
        ("2026-10-25T00:30:00+00:00", "Pacific/Kiritimati", "2026-10-24"),
        ("2026-10-25T00:30:00+00:00", "Pacific/Pago_Pago", "2026-10-23"),
    ],
)
def test_days_are_those_of_the_zone(tmp_path, moment, zone, first_kept):
    done = run(tmp_path, 1, now=datetime.fromisoformat(moment), time_zone=zone)
    assert done.first_kept.isoformat() == first_kept and done.time_zone == zone


@pytest.mark.parametrize("days", [0, -1, 1.0, "90", True, None, MAX_DAYS + 1, 10**12])
def test_days_must_be_a_whole_number_of_at_least_1(tmp_path, days):
    folder = fill(tmp_path, "scores-2026-11-30.json")
    with pytest.raises(ValueError, match=r"days is .*: it must be a whole number from 1"):
        run(folder, days)
    assert list(content(folder)) == ["scores-2026-11-30.json"]
    with pytest.raises(ValueError, match="audit_days is"):
        run(folder, audit_days=days)


def test_the_most_days_there_can_be(tmp_path):
    assert run(fill(tmp_path, "scores-2026-01-01.json"), MAX_DAYS).files == {}


def test_only_names_of_daily_files_count(tmp_path):
    folder = tmp_path / "scores-2020-01-01.json" / "2020-01-01"
    odd = (
        "scores-2026-02-30.json",
        "scores-old.json",
        "scores-2020-01-01.bak.json",
        "scores-2020-01-01.json.bak",
        "Scores-2020-01-01.json",
        "notes-2020-01-01.json",
        "x scores-2020-01-01.json",
    )
    fill(folder, "scores-2026-11-30.json", "scores-2020-01-01.json", *odd)
    done = run(folder)
    assert list(done.files) == ["scores-2020-01-01.json"]
    assert set(content(folder)) == {"scores-2026-11-30.json", "audit.jsonl", *odd}
    for name in odd[:5]:
        assert any(name in warning for warning in done.warnings)


def test_links_and_folders_are_not_touched(tmp_path):
    elsewhere = fill(tmp_path / "elsewhere", "scores-2020-01-01.json")
    folder = fill(tmp_path / "data")
    (folder / "scores-2020-01-01.json").symlink_to(elsewhere / "scores-2020-01-01.json")
    (folder / "scores-2020-01-02.json").symlink_to("nowhere")
    (folder / "scores-2020-01-03.json").mkdir()
    (folder / "sub").mkdir()
    fill(folder / "sub", "scores-2020-01-01.json")
    (folder / "live").symlink_to(elsewhere)
    done = run(folder)
    assert done.files == {} and len(done.warnings) == 4
    assert sorted(os.listdir(elsewhere)) == ["scores-2020-01-01.json"] and os.listdir(folder / "sub")
    assert len(os.listdir(folder)) == 6  # with the lock


def test_files_of_days_to_come_are_reported(tmp_path):
    folder = fill(tmp_path, "scores-2026-12-01.json", "scores-2026-11-30.json")
    done = run(folder, 1)
    assert done.files == {} and "2026-12-01.json: of a day to come" in done.text


def test_broken_files_go_by_their_day(tmp_path):
    folder = fill(tmp_path, "scores-2026-01-02.json", "scores-2026-11-01.broken-1.json")
    for name in (
        "scores-2026-01-01.json",
        "scores-2026-01-01.broken-2.json",
        "unrated-2026-01-01.broken-1.json",
    ):
        (folder / name).write_bytes(bytes(1408))
    done = run(folder)
    assert [games for games in done.files.values()] == [None, None, 1, None]
    assert "scores-2026-01-01.json: cannot be read" in done.text
    assert set(content(folder)) == {"scores-2026-11-01.broken-1.json", "audit.jsonl"}


def test_ledger_lines_and_games_being_played(tmp_path):
    folder = fill(tmp_path / "data")
    line = {"experiment": "t", "player": "ann", "game": 0, "variant": "A", "design": "game"}
    times = ["2026-08-31T22:59:59+00:00", "2026-08-31T23:00:00+00:00", "2026-11-30T00:00:00+00:00"]
    lines = [json.dumps(line | {"time_utc": time}) + "\n" for time in times]
    (folder / "assignments.jsonl").write_text("".join(lines) + "no line\n")
    (folder / "live").mkdir()
    for name, time in zip("abc", times, strict=True):
        (folder / "live" / f"{name}.json").write_text(
            json.dumps({"black": "Ann", "white": "Bob", "touched": time})
        )
    (folder / "live" / "d.json").write_text("{")
    os.utime(folder / "live" / "d.json", (0, datetime(2026, 8, 31, tzinfo=UTC).timestamp()))
    (folder / "live" / "e.json").write_text("{")
    (folder / "live" / f".{'0' * 32}.7.tmp").write_text("{")
    done = run(folder)
    assert (done.ledger_lines, done.live_games) == (1, 2)
    assert (folder / "assignments.jsonl").read_text() == "".join(lines[1:]) + "no line\n"
    assert sorted(os.listdir(folder / "live")) == ["b.json", "c.json", "e.json"]
    assert any("line 4" in warning for warning in done.warnings)


def test_what_cannot_be_read_stops_nothing(tmp_path):
    folder = fill(tmp_path, "scores-2026-08-31.json")
    for name in ("assignments.jsonl", "audit.jsonl"):
        (folder / name).mkdir()
    done = expire(folder, 90, now=NOW, operator="cron")
    assert len(done.files) == 1 and [warning.split(":")[0] for warning in done.warnings] == [
        "'assignments.jsonl'",
        "'audit.jsonl'",
    ]


def test_a_trial_run_and_a_second_run_change_nothing(tmp_path):
    folder = fill(tmp_path, "scores-2026-08-31.json", "scores-2026-09-01.json")
    before = content(folder)
    done = run(folder, dry_run=True)
    assert list(done.files) == ["scores-2026-08-31.json"] and content(folder) == before
    assert "would be deleted" in done.text and "trial run" in done.text
    run(folder)
    before = content(folder)
    assert run(folder).files == {} and content(folder) == before


def test_the_change_of_ratings_is_said(tmp_path):
    write_day(tmp_path, date(2026, 8, 1), [Game("Ann", "Bob", "b"), Game("Cid", "Bob", "b")])
    write_day(tmp_path, date(2026, 11, 1), [Game("Ann", "Bob", "draw"), Game("Dee", "Eve", "b")])
    before = rate_keys(load_log(tmp_path, today=TODAY).frame)["elo"]
    done = run(tmp_path)
    after = rate_keys(load_log(tmp_path, today=TODAY).frame)["elo"]
    left = after.index.intersection(before.index)
    assert done.drift.largest_elo == pytest.approx((before[left] - after[left]).abs().max(), abs=1e-12)
    assert (done.drift.players, done.drift.changed, done.drift.reset) == (5, 3, 1)
    assert "ratings of 3 of 5 players change" in done.text and "begin anew" in done.text


def test_exports_are_made_anew_or_deleted(tmp_path):
    folder = fill(tmp_path / "data", "scores-2026-08-01.json", "scores-2026-11-01.json")
    export(folder, tmp_path / "all.csv", now=NOW)
    export(folder, folder / "old.csv", last=date(2026, 8, 31), now=NOW)
    done = run(folder)
    assert len((tmp_path / "all.csv").read_text().splitlines()) == 2
    assert done.exports.remade == (str(tmp_path / "all.csv"),)
    assert done.exports.deleted == (str(folder / "old.csv"),)
    assert not (folder / "old.csv").exists() and not (folder / "old.json").exists()


def test_audit_and_its_own_expiry(tmp_path):
    folder = fill(tmp_path, "scores-2026-08-31.json")
    run(folder)
    (entry,) = [json.loads(line) for line in (folder / "audit.jsonl").read_text().splitlines()]
    assert (
        entry["command"] == "expire"
        and entry["files"] == {"scores-2026-08-31.json": 1}
        and entry["days"] == 90
    )
    later = NOW + timedelta(366)
    done = run(folder, now=later)
    assert done.audit_entries == 1 and (folder / "audit.jsonl").read_text() == ""
    fill(folder, "scores-2026-08-31.json")
    done = run(folder, now=later)
    assert len((folder / "audit.jsonl").read_text().splitlines()) == 1


def test_a_busy_folder_and_bad_input(tmp_path):
    folder = fill(tmp_path / "data", "scores-2026-08-31.json")
    with FolderLock(folder).exclusive(), pytest.raises(FolderBusyError):
        run(folder, timeout_s=0.05)
    for bad in ({"time_zone": "Mars"}, {"now": datetime(2026, 11, 30)}, {"operator": "a\nb"}):
        with pytest.raises(ValueError):
            run(folder, **bad)
    with pytest.raises(FileNotFoundError):
        run(tmp_path / "none")
    assert "scores-2026-08-31.json" in content(folder)
