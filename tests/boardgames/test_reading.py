"""The door: what a file is, its content says."""

import csv
import io
from pathlib import Path

import pytest

from ludometrics.boardgames.aliases import read_aliases
from ludometrics.boardgames.bgstats import read_export, read_exports
from ludometrics.boardgames.play_table import read_play_table
from ludometrics.boardgames.reading import read_log

DATA = Path(__file__).resolve().parents[1] / "data" / "boardgames"
EXPORT, TABLE = DATA / "export_small.json", DATA / "plays_small.csv"


def copy(path, to, *, before=b"", after=b""):
    to.write_bytes(before + path.read_bytes() + after)
    return to


def test_one_path_or_a_list_of_them():
    assert read_log(EXPORT) == read_log([EXPORT]) == read_log((str(EXPORT),)) == read_export(EXPORT)
    assert read_log(str(TABLE)) == read_log([TABLE]) == read_play_table(TABLE)
    assert read_log([EXPORT, EXPORT]) == read_exports([EXPORT, EXPORT])


@pytest.mark.parametrize(
    "name", ["plays.csv", "plays.TSV", "plays", "plays.json", "plays.txt", "plays.bgsplay"]
)
@pytest.mark.parametrize(
    "mark", [b"", b"\xef\xbb\xbf", b"\n\n"], ids=["plain", "with a mark", "after empty lines"]
)
def test_the_content_tells(name, mark, tmp_path):
    assert read_log(copy(EXPORT, tmp_path / name, before=mark)).plays == read_export(EXPORT).plays
    assert read_log(copy(TABLE, tmp_path / name, before=mark)).plays == read_play_table(TABLE).plays


@pytest.mark.parametrize(
    "name, content, error",
    [
        ("log.json", b"[1]", "is no BG Stats export: it holds a list"),
        ("log.csv", b"[1]", "is no BG Stats export: it holds a list"),
        ("log.csv", b"a,b\n1,2\n", "log.csv: has no column 'play'"),
        ("log.csv", b"\xef\xbb\xbf", "log.csv: the file is empty"),
        ("log.json", b"dear diary", "log.json: not JSON at line 1, column 1"),
        ("log.json", b"PK\x03\x04", "log.json: is a zip: unpack it first"),
        ("log.csv", b"PK\x03\x04", "log.csv: is a zip: unpack it first"),
        ("log", b"\x00\x01\x02", "log: holds NUL bytes: it is no text file"),
        ("log.csv", b"play,date\n1,\x002\n", "log.csv: holds NUL bytes: it is no text file"),
        ("log.csv", "play,date\n".encode("utf-16-le"), "log.csv: is UTF-16, it seems: save it as UTF-8"),
        ("log.csv", "play,date\n".encode("utf-16-be"), "log.csv: is UTF-16, it seems: save it as UTF-8"),
        ("log.csv", b"play,\xe9\n", 'byte 5: save it as UTF-8 .a spreadsheet calls it "CSV UTF-8"'),
    ],
    ids=[
        "array",
        "array called csv",
        "other columns",
        "empty",
        "prose",
        "zip",
        "zip called csv",
        "bytes",
        "a NUL within",
        "UTF-16",
        "UTF-16, the other way round",
        "another encoding",
    ],
)
def test_neither_is_named(name, content, error, tmp_path):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ValueError, match=error):
        read_log(tmp_path / name)


@pytest.mark.parametrize("name", ["plays.csv", "plays"])
@pytest.mark.parametrize("line", ["sep=;\r\n", '"sep=;"\n', "SEP=;;;\n"], ids=["plain", "quoted", "padded"])
def test_a_line_that_says_what_separates_columns_is_passed_over(name, line, tmp_path):
    text = io.StringIO()
    cells = list(csv.reader(io.StringIO(TABLE.read_text(encoding="utf-8"))))
    csv.writer(text, delimiter=";").writerows(cells)
    (tmp_path / name).write_text("\ufeff" + line + text.getvalue(), encoding="utf-8", newline="")
    assert read_log(tmp_path / name).plays == read_log(TABLE).plays


def test_no_file_a_folder_and_a_table_beside_others(tmp_path):
    with pytest.raises(ValueError, match="no export is given"):
        read_log([])
    with pytest.raises(ValueError, match="is a folder"):
        read_log(tmp_path)
    with pytest.raises(ValueError, match=r"gone\.csv: there is no such file"):
        read_log([tmp_path / "gone.csv"])
    for paths in ([EXPORT, TABLE], [TABLE, TABLE]):
        with pytest.raises(ValueError, match=r"plays_small.csv: is a table of plays, and 2 files are given"):
            read_log(paths)


def test_aliases_by_path_or_read(tmp_path):
    path = tmp_path / "aliases.csv"
    path.write_text("name,same_as\nBob,Bob\n")
    log = read_log(EXPORT, aliases=path)
    assert log == read_log([EXPORT], aliases=read_aliases(path))
    assert len(log.people) == len(read_log(EXPORT).people) - 1
    assert not any("people are called" in warning for warning in log.warnings)
    path.write_text("name,same_as\nBobo,Bob\n")
    with pytest.raises(ValueError, match="row 2: 'Bobo' is neither"):
        read_log(TABLE, aliases=path)
