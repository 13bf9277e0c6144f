"""A person forgotten: every spelling, nobody else's rating, all or nothing, twice the same."""

import json
import multiprocessing
import os
import shutil
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from filelock import FileLock
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ludometrics.gamelog import forgetting
from ludometrics.gamelog.daily import Game, file_name
from ludometrics.gamelog.drift import Drift, rate_keys
from ludometrics.gamelog.exports import export
from ludometrics.gamelog.finding import find_name
from ludometrics.gamelog.forgetting import RatingsWouldChangeError, forget
from ludometrics.gamelog.loading import load_log
from ludometrics.gamelog.lock import LOCK_FILE, FolderBusyError, FolderLock
from ludometrics.gamelog.names import LEVEL_NAMES, ReservedNameError
from ludometrics.gamelog.store import append_game

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
DAY = date(2026, 11, 30)
DRAWN = "7f3a91c2"
FILES = {
    "scores-2026-11-28.json": [
        {
            "black": "José",
            "white": "Bob",
            "winner": "b",
            "extra": {"by": ["JOSÉ", 1.50], "n": 12345678901234567890},
        },
        {"black": "Bob", "white": "Computer (Low)", "winner": "w", "level": "easy", "variant": "A"},
    ],
    "scores-2026-11-29.json": [{"black": "Cid", "white": "José Luis", "winner": "draw"}],
    "scores-2026-11-30.json": [
        {"black": "Cid", "white": "Jose\u0301", "winner": "w", "id": "7"},
        {"black": "ＪＯＳÉ", "white": "Computer (High)", "winner": "b", "level": "hard"},
    ],
    "scores-2030-01-01.json": [{"black": "jose\u0301", "white": "Bob", "winner": "b"}],
    "unrated-2026-11-30.json": [{"black": "Cid", "white": "jOsÉ", "why": "abandoned", "after": 1}],
    "scores-2026-11-27.broken-1.json": [{"black": "José", "white": "Cid", "winner": "b"}],
}
LEDGER = [
    {
        "experiment": "t",
        "player": "josé",
        "game": 0,
        "variant": "A",
        "design": "game",
        "time_utc": NOW.isoformat(),
    },
    {
        "experiment": "t",
        "player": "josé luis",
        "game": 0,
        "variant": "B",
        "design": "game",
        "time_utc": NOW.isoformat(),
    },
]
LIVE = {"a": {"black": "JOSÉ", "white": "Bob"}, "b": {"black": "Cid", "white": "José Luis"}}


def fill(folder: Path) -> Path:
    (folder / "live").mkdir(parents=True)
    for name, rows in FILES.items():
        (folder / name).write_text(json.dumps(rows))  # with escapes, as other programs write them
    (folder / "assignments.jsonl").write_text("".join(json.dumps(row) + "\n" for row in LEDGER) + '{"torn')
    for name, game in LIVE.items():
        (folder / "live" / f"{name}.json").write_text(json.dumps(game | {"mode": "two", "moves": []}))
    return folder


def content(folder: Path) -> dict[str, bytes]:
    files = [
        path for path in folder.rglob("*") if path.is_file() and not path.name.endswith((LOCK_FILE, ".lock"))
    ]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def run(folder: Path, name: str = "josé", **options) -> forgetting.Forgotten:
    return forget(folder, name, **{"dry_run": False, "now": NOW, "operator": "me"} | options)


def rows_of(folder: Path, name: str) -> list[dict]:
    return json.loads((folder / name).read_bytes())


def test_every_spelling_gets_one_token(tmp_path):
    folder = fill(tmp_path / "data")
    done = run(folder, token_hex=lambda size: DRAWN[: 2 * size])
    assert done.status == 0 and done.done and done.token == f"(removed-{DRAWN})"
    assert done.files == {
        "scores-2026-11-27.broken-1.json": 1,
        "scores-2026-11-28.json": 1,
        "scores-2026-11-30.json": 2,
        "scores-2030-01-01.json": 1,
        "unrated-2026-11-30.json": 1,
    }
    assert (done.games, done.ledger_lines, done.live_games) == (6, 1, 1)
    assert find_name("josé", [folder]) == ()
    text = b"".join(content(folder).values()).decode()
    assert text.count(f"removed-{DRAWN}") == 8  # six players, a further field, the audit
    assert len(find_name("josé luis", [folder])) == 3
    assert sorted(os.listdir(folder / "live")) == ["b.json"]


def test_unknown_fields_stay(tmp_path):
    folder = fill(tmp_path / "data")
    token = run(folder).token
    row = rows_of(folder, "scores-2026-11-28.json")[0]
    assert row == {
        "black": token,
        "white": "Bob",
        "winner": "b",
        "extra": {"by": [token, 1.5], "n": 12345678901234567890},
    }


def test_the_name_where_none_should_stand(tmp_path):
    folder = fill(tmp_path / "data")
    odd = {
        "black": "Cid",
        "white": {"name": "José"},
        "winner": "JOSÉ",
        "level": "josé",
        "id": "José",
        "José": ["josé"],
    }
    (folder / "scores-2026-11-25.json").write_text(json.dumps([odd, odd | {"white": "Bob", "winner": "b"}]))
    token = run(folder).token
    row = {
        "black": "Cid",
        "white": {"name": token},
        "winner": token,
        "level": token,
        "id": token,
        token: [token],
    }
    assert rows_of(folder, "scores-2026-11-25.json") == [row, row | {"white": "Bob", "winner": "b"}]
    assert find_name("josé", [folder]) == ()


def test_the_ledger_keeps_the_lines_of_others(tmp_path):
    folder = fill(tmp_path / "data")
    run(folder)
    assert (folder / "assignments.jsonl").read_text() == json.dumps(LEDGER[1]) + '\n{"torn'


@pytest.mark.parametrize("ending", ["\n", ""])
def test_the_last_line_of_the_ledger(tmp_path, ending):
    folder = fill(tmp_path / "data")
    (folder / "assignments.jsonl").write_text(json.dumps(LEDGER[1]) + "\n" + json.dumps(LEDGER[0]) + ending)
    assert run(folder).ledger_lines == 1
    assert (folder / "assignments.jsonl").read_text() == json.dumps(LEDGER[1]) + "\n"


def test_a_trial_run_changes_nothing(tmp_path):
    folder = fill(tmp_path / "data")
    before = content(folder)
    done = run(folder, dry_run=True)
    assert (done.status, done.done, done.token, done.games) == (0, False, None, 6)
    assert content(folder) == before and "trial run" in done.text


def test_a_second_run_changes_no_byte(tmp_path):
    folder = fill(tmp_path / "data")
    run(folder)
    before = content(folder)
    again = run(folder)
    assert again.status == 3 and not again.is_known and content(folder) == before


def test_two_people_get_two_tokens_and_ratings_stay(tmp_path):
    folder = fill(tmp_path / "data")
    before = rate_keys(load_log(folder, today=DAY).frame)
    one, two = run(folder), run(folder, "cid")
    assert one.token != two.token and one.drift == Drift(5, 0, 0.0, 0.0, 0)
    after = rate_keys(load_log(folder, today=DAY).frame)
    rest = before.index.drop(["josé", "cid"])
    assert after.loc[rest].equals(before.loc[rest])
    assert after.loc[one.token].equals(before.loc["josé"]) and after.loc[two.token].equals(before.loc["cid"])


def test_a_token_in_use_is_not_drawn_again(tmp_path):
    folder = fill(tmp_path / "data")
    drawn = iter(["00000001", "00000001", "00000002"])
    tokens = [run(folder, name, token_hex=lambda _: next(drawn)).token for name in ("josé", "bob")]
    assert tokens == ["(removed-00000001)", "(removed-00000002)"]


def test_the_games_can_go_instead(tmp_path):
    folder = fill(tmp_path / "data")
    done = run(folder, drop=True)
    assert done.status == 0 and done.games == 6 and done.token is None
    assert rows_of(folder, "scores-2026-11-30.json") == [] and find_name("josé", [folder]) == ()
    assert done.drift.changed == 4 and 0 < done.drift.largest_elo < 32 and done.drift.reset == 1
    assert "go for the opponents too" in done.text and "begin anew" in done.text
    before = content(folder)
    assert run(folder, drop=True).status == 3 and content(folder) == before


def test_the_place_of_games_that_are_not_rated_stays(tmp_path):
    scores = [{"black": name, "white": "Bob", "winner": "b"} for name in ("José", "Cid", "JOSÉ", "Dee")]
    unrated = [{"black": "Cid", "white": "Bob", "why": "undo", "after": after} for after in range(5)]
    (tmp_path / "scores-2026-11-30.json").write_text(json.dumps(scores))
    (tmp_path / "unrated-2026-11-30.json").write_text(json.dumps(unrated))
    done = run(tmp_path, drop=True)
    assert dict(done.files) == {"scores-2026-11-30.json": 2}
    assert [row["after"] for row in rows_of(tmp_path, "unrated-2026-11-30.json")] == [0, 0, 1, 1, 2]


@pytest.mark.parametrize("drop, words", [(False, "random token"), (True, "for the opponents too")])
@pytest.mark.parametrize("dry_run", [True, False])
def test_the_consequence_is_said_each_time(tmp_path, drop, words, dry_run):
    assert words in run(fill(tmp_path / "data"), drop=drop, dry_run=dry_run).text


@pytest.mark.parametrize(
    "name",
    [
        *LEVEL_NAMES.values(),
        "computer (MEDIUM)",
        "（ｒｅｍｏｖｅｄ）",
        "(Removed-7f3a91c2)",
        "Anonymous",
        "(anonymous 3)",
    ],
)
def test_reserved_names_are_refused(tmp_path, name):
    folder = fill(tmp_path / "data")
    before = content(folder)
    with pytest.raises(ReservedNameError):
        run(folder, name)
    assert content(folder) == before


@pytest.mark.parametrize("name", ["", " \u3000"])
def test_no_name(tmp_path, name):
    with pytest.raises(ValueError, match="must have a sign"):
        run(fill(tmp_path / "data"), name)


def test_an_unknown_name_gives_a_count_of_near_ones(tmp_path):
    folder = fill(tmp_path / "data")
    before = content(folder)
    done = run(folder, "Jsoé Luis")
    assert (done.status, done.near) == (3, 1) and content(folder) == before
    assert "misspelt" in done.text and "1 name in it is spelt nearly so" in done.text
    assert "osé" not in done.text.casefold()
    assert run(folder, "Dorothea").near == 0
    assert run(folder, "bib").near == 1 and run(folder, "bix").near == 0


BROKEN = {
    "cut": json.dumps([{"black": "José", "white": "Bob", "winner": "b"}])[:-9],
    "NUL": json.dumps([{"black": "José", "white": "Bob"}]) + "\0" * 900,
    "no list": json.dumps({"black": "José"}),
    "no object": json.dumps([{"black": "Bob"}, "JOSÉ"]),
    "a field twice": '[{"black": "José", "black": "Bob", "white": "Cid", "winner": "b"}]',
    "deep": '[{"black": "José", "white": "Bob", "winner": "b", "x": ' + "[" * 900 + "]" * 900 + "}]",
    "no text": '[{"black": "José", "white": "\ud800"}]',
}


@pytest.mark.parametrize("kind", BROKEN)
@pytest.mark.parametrize(
    "file", ["scores-2026-11-26.json", "unrated-2026-11-26.json", "scores-2026-11-26.broken-3.json"]
)
def test_a_file_that_cannot_be_read_and_holds_the_name_stops_everything(tmp_path, kind, file):
    folder = fill(tmp_path / "data")
    (folder / file).write_bytes(BROKEN[kind].encode("utf-8", "surrogatepass"))
    before = content(folder)
    done = run(folder)
    assert (done.status, done.done) == (4, False) and content(folder) == before
    assert [problem.file for problem in done.problems if problem.holds_name] == [file]
    assert f"Cannot be read: {file}" in done.text and "Nothing was changed" in done.text


@pytest.mark.parametrize(
    "text",
    ["", "\0" * 1408, json.dumps([{"black": "José Luis", "winner": "b"}])[:-3]],
    ids=["empty", "NUL", "another name"],
)
def test_a_file_that_cannot_be_read_without_the_name_is_reported(tmp_path, text):
    folder = fill(tmp_path / "data")
    (folder / "scores-2026-11-26.json").write_text(text)
    done = run(folder)
    assert (done.status, done.done, done.games) == (4, True, 6) and find_name("josé", [folder]) == ()
    assert [(problem.file, problem.holds_name) for problem in done.problems] == [
        ("scores-2026-11-26.json", False)
    ]


@pytest.mark.parametrize(
    "name, text",
    [
        ("assignments.jsonl", '{"experiment": "t", "playr": "José"}\n'),
        ("live/c.json", '{"black": "José", "wh'),
        ("live/c.json", '["José"]'),
    ],
)
def test_other_files_that_cannot_be_read(tmp_path, name, text):
    folder = fill(tmp_path / "data")
    (folder / name).write_text(text)
    before = content(folder)
    assert run(folder).status == 4 and content(folder) == before
    (folder / name).write_text(text.replace("José", "Bob"))
    done = run(folder)
    assert (done.status, done.done) == (4, True) and (folder / name).exists()


def test_links_are_not_followed_and_reported(tmp_path):
    folder = fill(tmp_path / "data")
    other = tmp_path / "elsewhere.json"
    other.write_text(json.dumps(FILES["scores-2026-11-29.json"]))
    (folder / "scores-2026-11-20.json").symlink_to(other)
    (folder / "scores-2026-11-21.json").mkdir()
    before = other.read_bytes()
    done = run(folder)
    assert done.status == 4 and other.read_bytes() == before
    assert [problem.file for problem in done.problems] == ["scores-2026-11-20.json", "scores-2026-11-21.json"]


def test_what_is_left_elsewhere_is_listed(tmp_path):
    folder = fill(tmp_path / "data")
    (folder / "scores-2026-11-28.json.bak").write_text(json.dumps(FILES["scores-2026-11-28.json"]))
    (folder / "mine.csv").write_text("name,n\nJose\u0301,3\n")
    (tmp_path / "notebook.ipynb").write_text(json.dumps({"cells": [{"source": ["José"], "outputs": []}]}))
    done = run(folder, also=[tmp_path / "notebook.ipynb"])
    assert done.status == 5 and done.done
    assert {hit.path.name for hit in done.left} == {
        "scores-2026-11-28.json.bak",
        "mine.csv",
        "notebook.ipynb",
    }
    before = content(folder)
    again = run(folder)
    assert again.status == 5 and content(folder) == before
    trial = run(folder, "bob", dry_run=True)
    assert {hit.path.name for hit in trial.left} == {"scores-2026-11-28.json.bak"}


def test_what_killed_programs_left_goes_too(tmp_path):
    folder = fill(tmp_path / "data")
    left = [folder / f".assignments.jsonl.{'0' * 16}.tmp", folder / "live" / f".{'0' * 32}.77.tmp"]
    for path in left:
        path.write_text(json.dumps({"player": "José"}))
    done = run(folder)
    assert (done.status, done.left_over) == (0, 2) and not any(path.exists() for path in left)
    left[0].write_text(json.dumps({"player": "José"}))
    done = run(folder)
    assert (done.status, done.left_over) == (0, 1) and not left[0].exists()


def test_a_name_that_was_itself_a_fault(tmp_path):
    folder = tmp_path
    games = [
        {"black": "J\u200bosé", "white": "Bob", "winner": "b"},
        {"black": "Bob", "white": "Cid", "winner": "b"},
        {"black": "José", "white": "Bob", "winner": "b"},
    ]
    (folder / "scores-2026-11-30.json").write_text(json.dumps(games))
    before = rate_keys(load_log(folder, today=DAY).frame)
    done = run(folder)
    assert (done.status, done.games, done.uncounted) == (0, 2, 1) and "never counted" in done.text
    assert rate_keys(load_log(folder, today=DAY).frame).loc[["bob", "cid"]].equals(before.loc[["bob", "cid"]])
    assert [row["white"] for row in rows_of(folder, "scores-2026-11-30.json")] == ["Cid", "Bob"]


def test_a_person_called_like_a_computer_in_an_old_file(tmp_path):
    (tmp_path / "scores-2026-11-30.json").write_text(
        json.dumps([{"black": "Computer Fan", "white": "Bob", "winner": "b"}])
    )
    assert run(tmp_path, "computer fan").games == 1 and find_name("Computer Fan", [tmp_path]) == ()


@pytest.mark.parametrize(
    "name",
    ["A", "b", "draw", "easy", "abandoned", "game", "black", "Games", "forget", "exports", "row", "moves"],
)
def test_people_called_like_words_of_the_format(tmp_path, name):
    folder = fill(tmp_path / "data")
    run(folder, "Josefa", drop=True)
    run(folder, "Cid")
    export(folder, folder / "tables.csv", now=NOW)
    append_game(folder, Game(name.upper(), "Computer (Low)", "b", "easy", "A", id="x"), DAY)
    before = load_log(folder, today=DAY).frame
    done = run(folder, name)
    assert (done.status, done.games) == (0, 1)
    after = load_log(folder, today=DAY).frame
    for column in ("winner", "level", "variant"):
        assert (
            after[column].astype(object).fillna("").tolist()
            == before[column].astype(object).fillna("").tolist()
        )


def test_somebody_elses_rating_would_change(tmp_path, monkeypatch):
    folder = fill(tmp_path / "data")
    before = content(folder)
    monkeypatch.setattr(forgetting, "compare_ratings", lambda *_, **__: Drift(6, 2, 1.0, 1.0, 0))
    with pytest.raises(RatingsWouldChangeError, match="ratings of 2 other players"):
        run(folder)
    assert content(folder) == before


def test_audit_has_no_name(tmp_path):
    folder = fill(tmp_path / "data")
    done = run(folder, operator="José the secretary")
    (entry,) = [json.loads(line) for line in (folder / "audit.jsonl").read_text().splitlines()]
    assert entry == {
        "time_utc": "2026-11-30T12:00:00+00:00",
        "command": "forget",
        "operator": "withheld",
        "files": dict(done.files),
        "drop": False,
        "token": done.token,
        "ledger_lines": 1,
        "live_games": 1,
        "exports": 0,
    }
    run(folder, "bob")
    assert len((folder / "audit.jsonl").read_text().splitlines()) == 2


def test_a_busy_folder(tmp_path):
    folder = fill(tmp_path / "data")
    with FolderLock(folder).exclusive(), pytest.raises(FolderBusyError):
        run(folder, timeout_s=0.05)


def test_a_busy_ledger(tmp_path):
    folder = fill(tmp_path / "data")
    before = content(folder)
    with FileLock(folder / "assignments.jsonl.lock"), pytest.raises(FolderBusyError, match="assignments"):
        run(folder, timeout_s=0.05)
    assert content(folder) == before and run(folder).status == 0


def test_bad_input(tmp_path):
    folder = fill(tmp_path / "data")
    with pytest.raises(FileNotFoundError):
        run(tmp_path / "none")
    with pytest.raises(FileNotFoundError):
        run(folder, also=[tmp_path / "none"])
    with pytest.raises(ValueError, match="time_zone"):
        run(folder, time_zone="Mars")
    assert find_name("josé", [folder])


NAMES = ("Ann", "ann", "Bob", "Cid", "Straße", "STRASSE", "(removed)", "Computer (Low)")
GAMES = st.lists(
    st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES), st.sampled_from("bwd")), max_size=12
)


@given(days=st.lists(GAMES, min_size=1, max_size=3), who=st.permutations(["ANN", "bob", "strasse"]))
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_ratings_of_all_others_stay_to_the_bit(tmp_path_factory, days, who):
    folder = tmp_path_factory.mktemp("data")
    for number, games in enumerate(days, start=1):
        rows = [
            {"black": black, "white": white, "winner": {"d": "draw"}.get(winner, winner)}
            | ({"level": "easy"} if "Computer (Low)" in (black, white) else {})
            for black, white, winner in games
        ]
        (folder / file_name(date(2026, 11, number))).write_text(json.dumps(rows))
    before = rate_keys(load_log(folder, today=DAY).frame)
    for name in who[:2]:
        run(folder, name)
    after = rate_keys(load_log(folder, today=DAY).frame)
    rest = [key for key in before.index if key not in {Path(name).name.casefold() for name in who[:2]}]
    assert after.loc[rest].equals(before.loc[rest]) and len(after) == len(before)


#: What the system is asked to do on the way; the process may end before each.
STEPS = ("replace", "fsync", "unlink", "mkdir", "rmdir")


class KilledError(BaseException):
    """The process ends here: from now on nothing of it reaches the disk."""


def die_before(monkeypatch: pytest.MonkeyPatch, step: int) -> None:
    left = step

    def dies(call):
        def wrapped(*arguments, **options):
            nonlocal left
            left -= 1
            if left < 0:
                raise KilledError
            return call(*arguments, **options)

        return wrapped

    for name in STEPS:
        monkeypatch.setattr(os, name, dies(getattr(os, name)))


def test_killed_at_every_step(tmp_path):
    start, elsewhere = tmp_path / "start", tmp_path / "games.csv"
    fill(start)
    for name in ("scores-2026-11-29.json", "scores-2030-01-01.json", "scores-2026-11-27.broken-1.json"):
        (start / name).unlink()
    export(start, start / "games.csv", now=NOW)
    export(start, elsewhere, now=NOW)
    before = {path: path.read_bytes() for path in (elsewhere, elsewhere.with_suffix(".json"))}

    def prepare(name: str) -> Path:
        for path, text in before.items():
            path.write_bytes(text)
        return Path(shutil.copytree(start, tmp_path / name))

    def state(folder: Path) -> dict[str, bytes]:
        with FolderLock(folder).exclusive():
            pass
        return {
            name: text for name, text in content(folder).items() if name not in ("games.json", "exports.json")
        }

    old, wanted = state(start), prepare("wanted")
    run(wanted, token_hex=lambda _: "00000001")
    new, outcomes, step = state(wanted), [], 0
    assert old != new
    while not outcomes or outcomes[-1] != "whole":
        folder = prepare(str(step))
        with pytest.MonkeyPatch.context() as patch:
            die_before(patch, step)
            try:
                run(folder, token_hex=lambda _: "00000001")
                whole = True
            except KilledError:
                whole = False
        found = state(folder)
        assert found in (old, new), f"killed before step {step}"
        outcomes.append("whole" if whole else "new" if found == new else "old")
        if found == new:
            assert run(folder).status == 3  # and makes anew what lies elsewhere
            assert find_name("josé", [folder, elsewhere]) == ()
        step += 1
    assert outcomes == sorted(outcomes, key=["old", "new", "whole"].index) and {"old", "new"} <= set(outcomes)
    assert step > 30


def _append(folder: str, number: int) -> None:
    for game in range(25):
        name = "José" if game % 5 == 0 else f"Player {number}"
        append_game(folder, Game(name, "Bob", "b", id=f"{number}-{game}"), DAY, timeout_s=60)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_others_save_games_meanwhile(tmp_path):
    append_game(tmp_path, Game("José", "Bob", "b", id="first"), DAY)
    context = multiprocessing.get_context("fork")
    others = [context.Process(target=_append, args=(str(tmp_path), number)) for number in range(4)]
    for other in others:
        other.start()
    tokens = []
    while any(other.is_alive() for other in others):
        tokens.append(run(tmp_path, timeout_s=60).token)
    for other in others:
        other.join()
        assert other.exitcode == 0
    tokens.append(run(tmp_path).token)
    rows = rows_of(tmp_path, file_name(DAY))
    assert sorted(row["id"] for row in rows) == sorted(
        ["first", *(f"{n}-{g}" for n in range(4) for g in range(25))]
    )
    assert find_name("josé", [tmp_path]) == ()
    used = {row["black"] for row in rows if row["black"].startswith("(removed")}
    assert used == set(filter(None, tokens))
    assert sum(row["black"] in used for row in rows) == 21


def test_games_of_others_go_on_whatever_words_stand_in_them(tmp_path):
    append_game(tmp_path, Game("Notebook", "Bob", "b"), DAY)
    (tmp_path / "live").mkdir()
    game = {
        "black": "Ann",
        "white": "Bob",
        "mode": "two",
        "moves": [],
        "request": "notebook-8caf-0123456789ab",
        "key": "8caf",
    }
    (tmp_path / "live" / "a.json").write_text(json.dumps(game))
    for name in ("Notebook", "8caf"):
        run(tmp_path, name=name)
        assert (tmp_path / "live" / "a.json").exists()
    assert run(tmp_path, name="bob").live_games == 1 and not (tmp_path / "live" / "a.json").exists()
