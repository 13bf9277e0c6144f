"""The command line: everything in one run, all of it written or nothing, and one line for what is wrong."""

import csv
import io

import pytest
from click.testing import CliRunner

from ludometrics.backgammon import gnubg_analysis
from ludometrics.backgammon.__main__ import main
from ludometrics.backgammon.assessment import assess
from ludometrics.backgammon.boards import START
from ludometrics.backgammon.command import ANKI, PAGE, XGIDS
from ludometrics.backgammon.position_ids import position_id
from ludometrics.backgammon.reading import read_library
from ludometrics.backgammon.record_files import write_records
from ludometrics.backgammon.records import Library, Problem, no_decisions
from ludometrics.backgammon.report_rows import club_frame
from ludometrics.backgammon.settings import DEFAULTS, RULES
from ludometrics.backgammon.side_tables import People
from report_sample import HOSTILE, sample_library

TABLES = {
    "biases",
    "matches",
    "pace",
    "problems",
    "rates",
    "reference_positions",
    "results",
    "rules",
    "study_plan",
    "study_positions",
    "tournaments",
}
OPENING = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:4:0:7:10"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A file of records and the tables that people keep beside it."""
    folder = tmp_path_factory.mktemp("matches")
    write_records(sample_library(9), folder / "records.csv.gz")
    (folder / "players.csv").write_text("alias,person,main\nADA2,Ada,yes\n", encoding="utf-8")
    (folder / "dates.csv").write_text("match,date,tournament\nmatch 0,2023-05-06,Spring\n", encoding="utf-8")
    actions = f"position,time,action\n{OPENING},2024-05-01,studied\n"
    (folder / "actions.csv").write_text(actions, encoding="utf-8")
    return folder


def call(*arguments):
    result = CliRunner().invoke(main, [str(argument) for argument in arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
    return result


def refused(*arguments):
    """The one line that an input gets which cannot be used."""
    result = call(*arguments)
    assert result.exit_code == 2 and result.stdout == "", result.output
    lines = result.stderr.splitlines()
    assert len(lines) == 1 and lines[0].startswith("Error: "), result.stderr
    return lines[0].removeprefix("Error: ")


def table(path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8-sig"))))


def files(folder) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def test_a_report_is_a_page_and_its_tables(folder, tmp_path):
    beside = ("--players", folder / "players.csv", "--matches", folder / "dates.csv")
    result = call("report", folder / "records.csv.gz", *beside, "--out", tmp_path / "out", "--latest", 2)
    assert result.exit_code == 0, result.output
    written = files(tmp_path / "out")
    assert set(written) == {PAGE, XGIDS, ANKI} | {f"tables/{name}.csv" for name in TABLES}
    assert result.stdout.startswith("Ada: 9 matches\nPR ") and str(tmp_path / "out" / PAGE) in result.stdout
    xgids = written[XGIDS].decode().splitlines()
    assert xgids and all(line.startswith("XGID=") for line in xgids)
    assert xgids == [row["xgid"] for row in table(tmp_path / "out/tables/reference_positions.csv")]
    matches = {row["key"]: row for row in table(tmp_path / "out/tables/matches.csv")}
    assert len(matches) == 9 and matches["match 0"]["date"] == "2023-05-06"
    rules = {row["rule"]: row for row in table(tmp_path / "out/tables/rules.csv")}
    assert set(rules) == set(RULES)
    first = table(tmp_path / "out/tables/rates.csv")[0]
    assert first["pr"] == rules["blunderdb"]["rate"] and float(first["pr_low"]) < float(first["pr"])
    again = call("report", folder / "records.csv.gz", *beside, "--out", tmp_path / "twice", "--latest", 2)
    assert again.exit_code == 0 and files(tmp_path / "twice") == written


def test_filters_another_player_and_what_was_studied(folder, tmp_path):
    result = call(
        *(
            "report",
            folder,
            "--player",
            "ada2",
            "--players",
            folder / "players.csv",
            "--out",
            tmp_path / "out",
        ),
        *("--against", "cy", "--length", 7, "--length", 5, "--since", "2024-02-01", "--rule", "xg"),
        *("--study-actions", folder / "actions.csv", "--deck", "Mine", "--one-point-factor", 1.5),
    )
    assert result.exit_code == 0, result.output
    assert "since 2024-02-01, of 5 points or 7 points" in result.stdout
    names = {path.stem for path in (tmp_path / "out/tables").iterdir()}
    assert names == TABLES | {"comparison", "study_effect"}
    assert {row["length"] for row in table(tmp_path / "out/tables/matches.csv")} == {"5", "7"}
    assert {row["other"] for row in table(tmp_path / "out/tables/comparison.csv")} == {"Cy"}
    assert b"#deck:Mine\n" in (tmp_path / "out" / ANKI).read_bytes()
    assert "Beside Cy" in (tmp_path / "out" / PAGE).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "arguments, said",
    [
        (("--player", "Adda"), "no match of 'Adda'; there are Ada, ADA2, "),
        ((), "no player is named: --player NAME"),
        (("--player", "Ada", "--opponent", "Dora"), "no match of 'Dora'"),
        (("--player", "Ada", "--length", 9), "Ada has no match of 9 points"),
        (("--player", "Ada", "--since", "2030-01-01"), "Ada has no match since 2030-01-01"),
        (("--player", "Ada", "--since", "2024-02-01", "--until", "2024-01-01"), "must not be later"),
        (("--player", "Ada", "--against", "ada"), "Ada is to be compared with himself"),
        (("--player", "Ada", "--against", "Dora"), "no match of 'Dora'"),
        (("--player", "Ada", "--met", "nowhere.csv"), "nowhere.csv"),
        (("--player", "Ada", "--players", "nowhere.csv"), "nowhere.csv"),
        (("--player", "Ada", "--deck", " "), "name of the deck"),
    ],
    ids=lambda value: " ".join(map(str, value)) if isinstance(value, tuple) else None,
)
def test_what_is_wrong_is_said_in_a_line_and_nothing_is_written(folder, tmp_path, arguments, said):
    out = tmp_path / "out"
    assert said in refused("report", folder / "records.csv.gz", "--out", out, *arguments)
    assert not out.exists()


@pytest.mark.parametrize(
    "name, content, said",
    [
        ("notes.txt", "hello\n", "no match could be read"),
        ("records.csv", "match,game\n", "records.csv"),
    ],
)
def test_files_without_a_match_are_refused(tmp_path, name, content, said):
    (tmp_path / name).write_text(content, encoding="utf-8")
    assert said in refused("report", tmp_path / name, "--player", "Ada", "--out", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_no_input_is_written_over(folder, tmp_path):
    source = tmp_path / PAGE
    source.write_bytes((folder / "records.csv.gz").read_bytes())
    assert "is read, and would be written over" in refused(
        "report", source, "--player", "Ada", "--out", tmp_path
    )
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert "is a file: a folder is needed" in refused(
        "report", folder / "records.csv.gz", "--player", "Ada", "--out", tmp_path / "file"
    )
    (tmp_path / "taken" / XGIDS).mkdir(parents=True)
    assert "is a folder" in refused(
        "report", folder / "records.csv.gz", "--player", "Ada", "--out", tmp_path / "taken"
    )
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", PAGE, "taken"]


def test_a_folder_becomes_one_file_of_records(folder, tmp_path):
    (tmp_path / "in").mkdir()
    write_records(sample_library(3), tmp_path / "in/a.csv")
    (tmp_path / "in/broken.xg").write_bytes(b"RGMH")
    out, problems = tmp_path / "records.json.gz", tmp_path / "problems.csv"
    result = call("import", tmp_path / "in", "--out", out, "--problems", problems)
    assert result.exit_code == 0, result.output
    library = read_library([out])
    wanted = sample_library(3)
    assert [match.key for match in library.matches] == [match.key for match in wanted.matches]
    assert assess(library).error_mp.tolist() == assess(wanted).error_mp.tolist()
    assert "broken.xg" in result.stderr and any("broken.xg" in row["file"] for row in table(problems))
    assert result.stdout.startswith(f"3 matches, {len(wanted.decisions)} decisions: ")


def test_a_club_gets_its_table(folder, tmp_path):
    out = tmp_path / "club.csv"
    arguments = ("club", folder / "records.csv.gz", "--players", folder / "players.csv")
    assert call(*arguments, "--out", out).exit_code == 0
    rows = table(out)
    assert [row["player"] for row in rows] != [] and {row["player"] for row in rows} == {
        "Ada",
        "Cy",
        HOSTILE,
        "'=1+1",
    }
    assert [float(row["pr"]) for row in rows] == sorted(float(row["pr"]) for row in rows)
    library = read_library([folder / "records.csv.gz"])
    people = People([("ADA2", "Ada")], main="Ada")
    frame = club_frame(library, assess(library, DEFAULTS), people).set_index("player")
    for row in rows:
        own = frame.loc[row["player"].lstrip("'")]
        assert float(row["pr"]) == pytest.approx(own["pr"], rel=1e-9) and row["level"] == own["level"]
        assert int(row["matches"]) == own["matches"] == own["wins"] + own["losses"] + own["undecided"]
    printed = call(*arguments)
    assert printed.stdout.splitlines() == out.read_text(encoding="utf-8-sig").splitlines()


@pytest.mark.parametrize("position", [OPENING, OPENING.removeprefix("XGID="), position_id(START)])
def test_a_position_is_drawn(position, tmp_path):
    printed = call("board", position, "--best", "8/5 6/5")
    assert printed.exit_code == 0 and printed.stdout.startswith("<svg ") and "bd-best" in printed.stdout
    assert call("board", position, "--best", "8/5 6/5", "--out", tmp_path / "board.svg").exit_code == 0
    assert (tmp_path / "board.svg").read_text(encoding="utf-8") == printed.stdout


@pytest.mark.parametrize("position", ["hello", "XGID=a:b", "4HPwATDgc/ABM", "-b:0"])
def test_what_is_no_position_is_refused(position):
    assert position.removeprefix("XGID=")[:5] in refused("board", position)


def test_a_play_that_is_none_is_refused():
    assert "'x'" in refused("board", OPENING, "--played", "x")


def test_the_rules_are_listed():
    lines = call("rules").stdout.splitlines()
    assert [line.split()[0] for line in lines] == list(RULES)


def test_analysed_matches_become_records(tmp_path, monkeypatch):
    """GNU Backgammon itself is tried where it is called; here what becomes of its analysis."""
    wanted = sample_library(2)
    asked = {}

    def analyse_all(paths, **options):
        asked.update(options, paths=[path.name for path in paths])
        return wanted

    monkeypatch.setattr(gnubg_analysis, "analyse_all", analyse_all)
    out = tmp_path / "records.csv.gz"
    result = call("analyse", tmp_path / "a.mat", "--plies", 1, "--no-luck", "--out", out)
    assert result.exit_code == 0 and asked == {
        "paths": ["a.mat"],
        "plies": 1,
        "luck": False,
        "progress": False,
    }
    assert [match.key for match in read_library([out]).matches] == [match.key for match in wanted.matches]
    empty = Library((), no_decisions(), (Problem("a.mat", "", "not a match"),))
    monkeypatch.setattr(gnubg_analysis, "analyse_all", lambda paths, **options: empty)
    assert "no match could be analysed: a.mat: not a match" in refused(
        "analyse", tmp_path / "a.mat", "--out", out
    )


def test_without_gnubg_the_way_to_it_is_told(tmp_path, monkeypatch):
    def missing(paths, **options):
        raise RuntimeError("GNU Backgammon is not installed; on Debian: sudo apt-get install gnubg")

    monkeypatch.setattr(gnubg_analysis, "analyse_all", missing)
    assert "apt-get install gnubg" in refused("analyse", tmp_path / "a.mat", "--out", tmp_path / "r.csv")


def run_quietly(*words):
    done = CliRunner().invoke(main, list(map(str, words)))
    return done.exit_code, done.output


def test_a_file_that_is_read_in_a_folder_is_not_written_over(tmp_path):
    source = tmp_path / "matches"
    write_records(sample_library(4), source / "mine.csv.gz")
    before = (source / "mine.csv.gz").read_bytes()
    status, said = run_quietly("import", source, "--out", source / "mine.csv.gz")
    assert status == 2 and "would be written over" in said
    assert (source / "mine.csv.gz").read_bytes() == before
    status, said = run_quietly("report", source, "--player", "Ada", "--out", source)
    assert status == 2 and "choose another folder" in said
    assert sorted(path.name for path in source.iterdir()) == ["mine.csv.gz"]


def test_a_report_below_the_folder_that_is_read_is_made_again(tmp_path):
    write_records(sample_library(4), tmp_path / "mine.csv.gz")
    for _ in range(2):
        status, said = run_quietly("report", tmp_path, "--player", "Ada", "--out", tmp_path / "report")
        assert status == 0, said


def test_two_outputs_in_one_place_are_refused(tmp_path):
    write_records(sample_library(4), tmp_path / "mine.csv.gz")
    out = tmp_path / "a.csv"
    status, said = run_quietly("import", tmp_path / "mine.csv.gz", "--out", out, "--problems", out)
    assert status == 2 and "two outputs" in said and not out.exists()


def test_snowies_rate_is_no_rule_of_pr(tmp_path):
    status, said = run_quietly("club", tmp_path, "--rule", "snowie")
    assert status == 2 and "'gnubg'" in said
