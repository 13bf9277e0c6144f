"""The command line: exit status, one line for what is wrong, and the same bytes for the same seed."""

import json
import os
import subprocess
import sys
from datetime import date, timedelta

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from ludometrics.abtest import Ledger, Plan, assign, assign_by_hash, assign_per_game, load_plan, save_plan
from ludometrics.abtest.__main__ import main
from ludometrics.gamelog import LEVEL_NAMES, Game, write_day

DAY = date(2026, 9, 1)
MEDIUM = LEVEL_NAMES["medium"]


def call(*arguments):
    result = CliRunner().invoke(main, [str(argument) for argument in arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.output
    return result


def refused(*arguments):
    """The one line that an input gets which cannot be used."""
    result = call(*arguments)
    assert result.exit_code == 2 and result.stdout == "", result.output
    lines = result.stderr.splitlines()
    assert len(lines) == 1 and lines[0].startswith("Error: ")
    return lines[0].removeprefix("Error: ")


def save(folder, players=8, each=10, unit="within", effect=0.0, level="medium", names=None):
    """Daily files of a test: each player has `each` games a version, or with one version."""
    rng, folder = np.random.default_rng(1), folder / "data"
    folder.mkdir()
    names = names or [f"Player {n}" for n in range(players)]
    for day in range(each):
        games = []
        for number, name in enumerate(names):
            for variant in "AB" if unit == "within" else "AB"[number % 2] * 2:
                won = rng.random() < 0.5 + effect * (variant == "B")
                games.append(Game(name, LEVEL_NAMES[level], "b" if won else "w", level, variant))
        write_day(folder, DAY + timedelta(day), games)
    return folder


@pytest.fixture
def table(tmp_path):
    rng = np.random.default_rng(2)
    games = pd.DataFrame({"player": [f"Player {n % 12}" for n in range(240)]})
    games["variant"] = rng.choice(["A", "B"], size=240)
    games["score"] = rng.choice([0.0, 0.5, 1.0], size=240)
    path = tmp_path / "games.csv"
    games.to_csv(path, index=False)
    return path


# A verdict: status 0


def test_a_folder_with_a_verdict(tmp_path):
    result = call("report", save(tmp_path, effect=-0.45))
    assert result.exit_code == 0 and result.stderr == ""
    assert result.stdout.splitlines()[2].startswith("B looks tougher: players score")
    assert "For comparison only, not to be believed" in result.stdout


def test_undecided_is_a_verdict(tmp_path):
    result = call("report", save(tmp_path))
    assert result.exit_code == 0 and result.stdout.splitlines()[2].startswith("Undecided:")


def test_a_table_of_ones_own(table):
    result = call("report", table)
    assert result.exit_code == 0 and "12 players; 240 games" in result.stdout


def test_json_is_strict_and_a_seed_gives_the_same_bytes(tmp_path):
    folder = save(tmp_path, players=24, unit="between", each=3)

    def refuse(word):
        raise AssertionError(f"{word} is no JSON")

    outputs = [call("report", folder, "--json", "--seed", seed).stdout_bytes for seed in (5, 5, 6)]
    content = json.loads(outputs[0].decode("utf-8"), parse_constant=refuse)
    assert content["schema_version"] == 1 and content["unit"] == "between"
    assert outputs[0] == outputs[1] != outputs[2]  # players are dealt again at random


def test_reports_and_figures_are_written(tmp_path, table):
    plain = call("report", table)
    for again in range(2):
        out, figure = tmp_path / f"new{again}" / "report.txt", tmp_path / f"forest{again}.png"
        result = call("report", table, "--out", out, "--figure", figure)
        assert result.exit_code == 0 and result.stdout == plain.stdout.splitlines()[2] + "\n"
        assert out.read_bytes() == plain.stdout_bytes and figure.read_bytes()[:4] == b"\x89PNG"
    assert (tmp_path / "forest0.png").read_bytes() == figure.read_bytes()
    assert call("report", table, "--json", "--out", out).exit_code == 0
    assert json.loads(out.read_text(encoding="utf-8"))["verdict"]["decided"] is True


def test_settings_reach_the_analysis(table):
    content = json.loads(call("report", table, "--json", "--alpha", "0.1", "--margin", "12").stdout)
    assert (content["alpha"], content["margin"]) == (0.1, 0.12)
    content = json.loads(call("report", table, "--json", "--assignment", "alternate").stdout)
    assert content["assignment"] == "alternate"


def test_ratings_from_before_the_test_are_used(tmp_path):
    rng, games = np.random.default_rng(3), []
    names = [f"Player {n}" for n in range(20)]
    for number, name in enumerate(names):
        for _ in range(12):
            won = rng.random() < 0.05 + 0.045 * number
            games.append(Game(name, LEVEL_NAMES["easy"], "b" if won else "w", "easy"))
    for number, name in enumerate(names):
        for _ in range(6):
            won = rng.random() < 0.05 + 0.045 * number
            games.append(Game(name, MEDIUM, "b" if won else "w", "medium", "AB"[number % 2]))
    write_day(tmp_path, DAY, games)
    adjusted = json.loads(call("report", tmp_path, "--json").stdout)
    elo = json.loads(call("report", tmp_path, "--json", "--ratings", "elo").stdout)
    plain = json.loads(call("report", tmp_path, "--json", "--ratings", "none").stdout)
    assert [each["adjusted_by_ratings"] for each in (adjusted, elo, plain)] == [True, True, False]
    assert max(adjusted["effect"]["error"], elo["effect"]["error"]) < plain["effect"]["error"]
    assert "240 against another level" in " ".join(adjusted["notes"])


def test_names_with_markup_and_control_signs(tmp_path):
    path = tmp_path / "games.csv"
    names = [
        "<script>alert(1)</script>",
        "\x1b[31mred\x1b[0m",
        "$\\frac{1}$",
        '"quoted"',
        "李小龙",
        "x" * 500,
    ]
    rows = [(name, variant, score) for name in names for variant in "AB" for score in (1, 0.5, 0, 1)]
    pd.DataFrame(rows, columns=["player", "variant", "score"]).to_csv(path, index=False)
    result = call("report", path, "--figure", tmp_path / "forest.svg")
    assert result.exit_code == 0 and "\x1b" not in result.stdout and r"\x1b[31mred" in result.stdout
    assert "李小龙" in result.stdout and "<script>alert(1)<…" in result.stdout
    assert b"<script>" not in (tmp_path / "forest.svg").read_bytes()
    found = json.loads(call("report", path, "--json").stdout)["players"]
    assert {row["player"] for row in found} == set(names)


# No verdict: status 1


def test_three_players(tmp_path):
    result = call("report", save(tmp_path, players=3, each=30))
    assert result.exit_code == 1 and "No verdict: only 3 players in group A (6 needed)." in result.stdout


def test_one_group_empty(tmp_path, table):
    games = pd.read_csv(table).assign(variant="A")
    games.to_csv(table, index=False)
    result = call("report", table, "--figure", tmp_path / "forest.png")
    assert (
        result.exit_code == 1
        and "No verdict: the data are not sound. 12 players in A and 0 in B" in result.stdout
    )
    games[games["player"].isin([f"Player {n}" for n in range(7)])].to_csv(table, index=False)
    result = call("report", table)
    assert result.exit_code == 1 and "only 0 players in group B" in result.stdout


@pytest.mark.parametrize("score", [0, 0.5, 1])
def test_identical_scores(table, score):
    pd.read_csv(table).assign(score=score).to_csv(table, index=False)
    result = call("report", table)
    assert result.exit_code == 1 and "a range needs scores that vary" in " ".join(result.stdout.split())


def test_all_wins_against_all_losses(table):
    games = pd.read_csv(table)
    games.assign(score=1 * (games["variant"] == "B")).to_csv(table, index=False)
    assert call("report", table).exit_code == 1


def test_a_plan_that_is_not_fulfilled(tmp_path, table):
    out, figure, plan = tmp_path / "report.json", tmp_path / "forest.png", tmp_path / "plan.json"
    made = call(
        "plan",
        "test",
        "--design",
        "within",
        "--assignment",
        "game",
        "--players",
        12,
        "--games-each",
        30,
        "--out",
        plan,
    )
    assert made.exit_code == 0
    result = call("report", table, "--plan", plan, "--json", "--out", out, "--figure", figure)
    assert result.exit_code == 1 and result.stdout == "No verdict yet: 240 of 360 games planned.\n"
    assert "No figure: there is nothing to draw" in result.stderr and not figure.exists()
    content = json.loads(out.read_text(encoding="utf-8"))
    assert content["course"] is None and content["players"] == [] and content["plan"]["players"] == 12
    assert "For comparison" not in call("report", table, "--plan", plan).stdout


# Input that cannot be used: status 2, one line


def test_folders_and_files_that_are_not_there_or_empty(tmp_path):
    assert "none: no such folder of daily files" in refused("report", tmp_path / "none")
    assert "no game in any file scores-YYYY-MM-DD.json" in refused("report", tmp_path)
    folder = save(tmp_path)
    assert "is one daily file: name its folder" in refused("report", folder / "scores-2026-09-01.json")
    assert "No such file or directory" in refused("report", folder, "--plan", tmp_path / "plan.json")
    assert "No such file or directory" in refused("report", folder, "--ledger", tmp_path / "ledger.jsonl")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"[{", "/scores-2026-09-05.json: not JSON at line 1, column 3"),
        (b"\x00" * 1408, "scores-2026-09-05.json: not JSON at line 1, column 1"),
        (b"\xff\xfe", "scores-2026-09-05.json: not UTF-8 at byte 0"),
        (b'{"black": "Ann"}', "holds dict where a list of games is wanted"),
        (b'[{"black": "Ann", "white": "Bob"}]', "scores-2026-09-05.json, game 1: has no 'winner'"),
        (
            b'[{"black": "Ann", "white": "Computer (Medium)", "winner": "b", "level": "medium", "variant": "C"}]',
            "scores-2026-09-05.json, game 1: variant is 'C': allowed are 'A', 'B'",
        ),
        (
            b'[{"black": "Ann", "white": "Bob", "winner": "b", "level": "medium", "variant": "A"}]',
            "scores-2026-09-05.json, game 1: level is 'medium', but neither 'Ann' nor 'Bob' is",
        ),
        (b"[" * 200_000, "/data/scores-2026-09-05.json: holds lists within lists without end"),
    ],
)
def test_broken_files_are_named(tmp_path, content, words):
    folder = save(tmp_path)
    (folder / "scores-2026-09-05.json").write_bytes(content)
    assert words in refused("report", folder)


def test_levels_that_are_unknown_or_not_under_test(tmp_path, table):
    folder = save(tmp_path)
    assert (
        refused("report", folder, "--level", "expert")
        == f"level is 'expert': allowed are {', '.join(map(repr, LEVEL_NAMES))}"
    )
    assert "none of 160 saved games is of a test of level 'hard'" in refused(
        "report", folder, "--level", "hard"
    )
    assert "it goes with a folder of daily files" in refused("report", table, "--level", "medium")


def test_tables_that_cannot_be_read(table):
    table.write_text("player,variant,score\nAnn,A,1\nAnn,C,0\n")
    assert refused("report", table) == f"{table}, row 2: variant is 'C': allowed are 'A', 'B'"
    table.write_text("player,variant,score\nAnn,A,\n")
    assert refused("report", table) == "no game of this test was finished"


def test_settings_out_of_range(table):
    for option, value, allowed in (
        ("--alpha", "0.7", "above 0, below 0.5"),
        ("--alpha", "nan", "above 0, below 0.5"),
        ("--margin", "-3", "above 0, at most 100 points"),
        ("--margin", "inf", "above 0, at most 100 points"),
        ("--margin", "nan", "above 0, at most 100 points"),
    ):
        assert refused("report", table, option, value) == f"{option} is {value}: allowed is {allowed}"
    assert "no blocks are given" in refused("report", table, "--assignment", "blocked")
    assert call("report", table, "--design", "x").exit_code == 2


def test_outputs_that_cannot_be_written(tmp_path, table):
    before = table.read_bytes()
    assert "that file is read, and must not be written over" in refused("report", table, "--out", table)
    assert "its name must end in .png, .svg, .pdf" in refused("report", table, "--figure", tmp_path / "x.gif")
    (tmp_path / "file").write_text("")
    refused("report", table, "--out", tmp_path / "file" / "report.txt")
    same = "each needs a file of its own"
    (tmp_path / "folder").mkdir()
    (tmp_path / "link.svg").symlink_to(tmp_path / "x.svg")
    for out in ("x.svg", "folder/../x.svg", "link.svg"):
        words = refused("report", table, "--figure", tmp_path / "x.svg", "--out", tmp_path / out)
        assert words == f"--out and --figure are both {str(tmp_path / 'x.svg')!r}: {same}"
    (tmp_path / "link.svg").unlink()
    (tmp_path / "folder").rmdir()
    assert table.read_bytes() == before and sorted(path.name for path in tmp_path.iterdir()) == [
        "file",
        "games.csv",
    ]


def test_a_daily_file_is_not_written_over(tmp_path):
    folder = save(tmp_path)
    before = (folder / "scores-2026-09-01.json").read_bytes()
    for day in (1, 30):
        words = refused("report", folder, "--out", folder / f"scores-2026-09-{day:02d}.json")
        assert "that file is read, and must not be written over" in words
    assert (folder / "scores-2026-09-01.json").read_bytes() == before
    assert call("report", folder, "--out", folder / "report.txt").exit_code == 0


def test_what_is_wrong_is_said_in_a_line_of_sensible_length(tmp_path, table):
    long = "x" * 100_000
    table.write_text(f"player,variant,score,rating\n{long},A,1,1\n{long},B,1,2\n")
    words = refused("report", table)
    assert words.startswith(f"{table}, row 2: rating is 2.0, but 1.0") and len(words) <= 500
    table.write_text(f"player,variant,{long}\nAnn,A,1\n")
    words = refused("report", table)
    assert words.startswith(f"{table}: has no column 'score', only 'player'") and len(words) <= 500
    assert len(refused("report", tmp_path / long)) <= 500
    table.write_text("player,variant,score\n" + "".join(f"{long},{each},1\n" for each in "ABAB"))
    assert len(call("report", table).stdout) < 8_000


# Plans


def test_plans_are_made_printed_and_kept(tmp_path):
    out = tmp_path / "plan.json"
    arguments = [
        "plan",
        "medium-randomness",
        "--design",
        "within",
        "--players",
        8,
        "--date",
        "2020-10-01",
        "--out",
        out,
    ]
    result = call(*arguments)
    assert result.exit_code == 0 and "8 players of 94 games each, 752 games in all" in result.stdout
    rows = [line.split() for line in result.stdout.splitlines()]
    assert ["94", "752", "29", "%", "81", "%", "99", "%", "100", "%"] in rows
    plan, before = load_plan(out), out.read_bytes()
    assert (plan.effect, plan.sd, plan.margin, plan.decided_on) == (0.05, 0.3, 0.05, date(2020, 10, 1))
    assert call(*arguments).exit_code == 0 and out.read_bytes() == before
    words = refused(*arguments[:-2], "--effect", 4, "--out", out)
    assert f"{out}: holds another plan of 2020-10-01 (games_each, effect differ)" in words
    out.write_text("my notes")
    assert f"{out}: not JSON" in refused(*arguments) and out.read_text() == "my notes"


def test_players_are_computed_where_games_are_given(tmp_path):
    result = call("plan", "x", "--design", "between", "--games-each", 10, "--sd", 31.5, "--icc", 0.34)
    assert result.exit_code == 0 and "508 players of 10 games each" in result.stdout
    weak = call("plan", "x", "--design", "between", "--games-each", 10, "--players", 20)
    assert weak.exit_code == 0 and "That is less than wanted" in weak.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--design", "within"], "neither --players nor --games-each is given: one must be, or both"),
        (["--design", "between", "--players", 8], "gives power 0.8"),
        (["--design", "between", "--games-each", 9, "--sequential"], "cannot be sequential"),
        (
            ["--design", "within", "--players", 8, "--assignment", "hash"],
            "assignment is 'hash' in a design 'within'",
        ),
        *(
            (
                ["--design", "within", "--players", 8, option, value],
                f"{option} is {value}: allowed is {allowed}",
            )
            for option, value, allowed in (
                ("--sd", 60, "above 0, at most 50 points"),
                ("--margin", -3, "above 0, at most 100 points"),
                ("--margin", "inf", "above 0, at most 100 points"),
                ("--effect", 0, "above 0, at most 100 points"),
                ("--effect", 150, "above 0, at most 100 points"),
                ("--effect", "nan", "above 0, at most 100 points"),
                ("--icc", 2, "at least 0, below 1"),
                ("--correlation", 1, "above -1, below 1"),
                ("--power", 1, "above 0, below 1"),
                ("--alpha", 0.5, "above 0, below 0.5"),
                ("--players", 0, "a whole number from 1 to 1,000,000"),
                ("--games-each", 10**400, "a whole number from 1 to 1,000,000"),
            )
        ),
    ],
)
def test_plans_that_cannot_be_made(tmp_path, arguments, words):
    assert words in refused("plan", "x", *arguments, "--out", tmp_path / "plan.json")
    assert not list(tmp_path.iterdir())


def test_the_ends_of_what_is_allowed_make_a_plan():
    limits = ["--sd", 50, "--effect", 100, "--margin", 100, "--icc", 0]
    assert call("plan", "x", "--design", "within", "--games-each", 10, "--players", 8, *limits).exit_code == 0


def test_a_plan_of_a_day_to_come_is_refused(tmp_path):
    day, out = date.today() + timedelta(2), tmp_path / "plan.json"
    arguments = ["plan", "x", "--design", "within", "--players", 8, "--out", out, "--date"]
    words = refused(*arguments, day)
    assert words.startswith(f"--date is {day}: allowed is today, ") and not out.exists()
    assert call(*arguments, day - timedelta(2)).exit_code == 0


def test_games_before_the_plan_are_told(tmp_path):
    folder, path = save(tmp_path, each=12), tmp_path / "plan.json"
    plan = {"design": "within", "assignment": "game", "players": 8, "games_each": 24}
    plan |= {"effect": 0.05, "sd": 0.3, "icc": 0.35}
    words = "when the plan was decided: a plan made with results in view is none."
    for days, said in ((3, f"48 games were played before 2026-09-04, {words}"), (0, None)):
        path.unlink(missing_ok=True)
        save_plan(Plan(experiment="test", decided_on=DAY + timedelta(days), **plan), path)
        notes = json.loads(call("report", folder, "--plan", path, "--json").stdout)["notes"]
        assert [note for note in notes if "results in view" in note] == ([said] if said else [])
    games = pd.DataFrame({"player": [f"P{n % 8}" for n in range(96)], "variant": list("AB") * 48, "score": 1})
    games.assign(day="2020-01-01").to_csv(
        tmp_path / "games.csv", index=False
    )  # days of a table are passed over
    assert "results in view" not in call("report", tmp_path / "games.csv", "--plan", path).stdout


def test_a_plan_edited_by_hand_is_refused(tmp_path, table):
    out = tmp_path / "plan.json"
    call("plan", "x", "--design", "within", "--players", 12, "--games-each", 30, "--out", out)
    out.write_text(out.read_text().replace('"games_each": 30', '"games_each": 20'))
    assert f"{out}: sha256 is" in refused("report", table, "--plan", out)


def test_what_a_plan_fixes_cannot_be_chosen_anew(tmp_path, table):
    out = tmp_path / "plan.json"
    call(
        "plan",
        "x",
        "--design",
        "within",
        "--assignment",
        "game",
        "--players",
        12,
        "--games-each",
        20,
        "--out",
        out,
    )
    for option, value in (("alpha", 0.1), ("margin", 7), ("design", "between"), ("assignment", "hash")):
        assert f"--{option} is " in refused("report", table, "--plan", out, f"--{option}", value)
    words = refused("report", table, "--plan", out, "--margin", 7)
    assert words == "--margin is 7, but the plan says 5 points: leave it out"
    result = call("report", table, "--plan", out, "--alpha", "0.05", "--margin", "5")
    assert result.exit_code == 0 and "SHA-256" in result.stdout


def test_a_sequential_plan(tmp_path, table):
    out = tmp_path / "plan.json"
    options = ["--assignment", "game", "--players", 12, "--games-each", 40, "--sequential", "--out", out]
    assert "one look at the end" in call("plan", "x", "--design", "within", *options).stdout
    result = call("report", table, "--plan", out)
    assert result.exit_code == 0 and "at any look; n = 240" in " ".join(result.stdout.split())


# Ledgers


def test_games_are_held_against_the_ledger(tmp_path):
    ledger = Ledger(tmp_path / "assignments.jsonl")
    rng, games = np.random.default_rng(4), []
    for game in range(12):
        for number in range(8):
            name = f"Player {number}"
            version = assign(ledger, "test", name, design="alternate", game=game).variant
            games.append(Game(name, MEDIUM, "b" if rng.random() < 0.5 else "w", "medium", version))
    folder = tmp_path / "data"
    folder.mkdir()
    write_day(folder, DAY, games)
    content = json.loads(call("report", folder, "--ledger", ledger.path, "--json").stdout)
    checks = {row["check"]: row for row in content["checks"]}
    assert content["assignment"] == "alternate" and content["verdict"]["decided"]
    assert checks["recorded"]["finding"] == "0 of 96 games with another version than recorded"
    wrong = [Game(*vars(game).values()) for game in games]
    for at in (3, 40):
        other = {"A": "B", "B": "A"}[games[at].variant]
        wrong[at] = Game(games[at].black, games[at].white, games[at].winner, "medium", other)
    write_day(folder, DAY, wrong)
    result = call("report", folder, "--ledger", ledger.path)
    assert result.exit_code == 1 and "2 of 96 games were played with another version" in " ".join(
        result.stdout.split()
    )
    assert "holds no experiment 'x'" in refused(
        "report", folder, "--ledger", ledger.path, "--experiment", "x"
    )
    write_day(folder, DAY, games[:17] + games[18:])  # one game was never finished
    result = call("report", folder, "--ledger", ledger.path)
    said = " ".join(result.stdout.split())
    assert result.exit_code == 0 and "0 of 95 games with another version than recorded" in said
    assert "Games were matched in order" in said and "1 recorded before play" in said
    with open(ledger.path, "ab") as file:
        file.write(b'{"experiment": "te')
    write_day(folder, DAY, games)
    torn = call("report", folder, "--ledger", ledger.path)
    assert torn.exit_code == 0 and "torn after 18 bytes, and left out" in " ".join(torn.stdout.split())
    with open(ledger.path, "ab") as file:
        file.write(b"\n")
    assert f"{ledger.path}, line 97: not a line of JSON" in refused("report", folder, "--ledger", ledger.path)


# Assignments


def test_versions_are_printed_by_name():
    result = call("assign", "medium-randomness", "Ann", " ann ", "Sim Ada", "José")
    versions = [assign_by_hash("medium-randomness", name) for name in ("Ann", "Ann", "Sim Ada", "José")]
    assert result.exit_code == 0
    assert [line.split("\t") for line in result.stdout.splitlines()] == [
        [version, name] for version, name in zip(versions, ["Ann", " ann ", "Sim Ada", "José"], strict=True)
    ]
    result = call("assign", "x", "Ann", "--game", 7)
    assert result.stdout == f"{assign_per_game('x', 'Ann', 7)}\tAnn\n"


def test_spellings_are_folded_as_is_asked_for():
    for fold in ("names", "course"):
        result = call("assign", "x", "STRASSE", "Straße", "--fold", fold)
        expected = [assign_by_hash("x", name, fold=fold) for name in ("STRASSE", "Straße")]
        assert [line[0] for line in result.stdout.splitlines()] == expected


def test_names_that_are_none():
    assert "neither may be empty" in refused("assign", "x", " ")
    assert "game is -1: it must be a whole number" in refused("assign", "x", "Ann", "--game", -1)
    assert call("assign", "x").exit_code == 2
    assert call("assign", "x", "a\x1b[31m").stdout.endswith("\ta\\x1b[31m\n")


# The process itself


def test_help_tells_the_exit_status():
    text = " ".join(call("report", "--help").stdout.split())
    assert "Exit status: 0 with a verdict" in text and "2 if the input cannot be used" in text
    assert {"report", "plan", "assign"} <= set(call("--help").stdout.split())


def test_as_a_process_with_a_terminal_that_knows_ascii_only(tmp_path):
    folder = save(tmp_path, names=[f"José {n}" for n in range(6)])
    command = [sys.executable, "-m", "ludometrics.abtest", "report"]
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    done = subprocess.run([*command, folder], capture_output=True, env=environment, text=True)
    assert done.returncode == 0 and "Jos\\xe9 0" in done.stdout and done.stderr == ""
    done = subprocess.run([*command, tmp_path / "none"], capture_output=True, text=True)
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and done.stdout == ""
