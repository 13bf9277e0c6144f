"""A name in files of every kind: found where it stands, and nowhere else."""

import base64
import bz2
import gzip
import io
import json
import lzma
import os
import zipfile
import zlib
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from ludometrics.gamelog import Game, documents, export, write_day
from ludometrics.gamelog.finding import find_name, search


def kinds(name: str, path: Path) -> list[tuple[str, str, int]]:
    return [(hit.part, hit.kind, hit.count) for hit in find_name(name, [path])]


def chunk(kind: bytes, content: bytes) -> bytes:
    return len(content).to_bytes(4, "big") + kind + content + zlib.crc32(kind + content).to_bytes(4, "big")


def png(*chunks: bytes) -> bytes:
    head = chunk(b"IHDR", bytes(13))
    return b"\x89PNG\r\n\x1a\n" + head + b"".join(chunks) + chunk(b"IDAT", b"Ann") + chunk(b"IEND", b"")


GAMES = [
    {"black": "Ann", "white": "Ann Lee", "winner": "b", "variant": "A"},
    {"black": "ANN", "white": "Anna", "winner": "draw", "note": "Ann was ill"},
]


@pytest.mark.parametrize(
    "content",
    [json.dumps(GAMES), json.dumps(GAMES, indent=2), "\ufeff" + json.dumps(GAMES)],
    ids=["line", "indented", "with a byte order mark"],
)
@pytest.mark.parametrize("file", ["scores-2026-09-01.json", "copy.bak"])
def test_saved_games(tmp_path, file, content):
    (tmp_path / file).write_text(content, encoding="utf-8")
    assert kinds("ann", tmp_path) == [("", "name", 2), ("", "mention", 1)]
    assert kinds("Ann Lee", tmp_path) == [("", "name", 1)]
    assert kinds("Lee", tmp_path) == []


@pytest.mark.parametrize(
    "name", ["A", "b", "draw", "black", "Winner", "variant", "easy", "abandoned", "scores"]
)
def test_words_of_the_format_are_no_names(tmp_path, name):
    games = [
        {"black": "Ann", "white": "Computer (Low)", "winner": "b", "level": "easy", "variant": "A"},
        {"black": "Ann", "white": "Bob", "why": "abandoned", "after": 3},
    ]
    (tmp_path / "scores-2026-09-01.json").write_text(json.dumps(games))
    assert kinds(name, tmp_path) == []


def test_fields_that_anything_may_stand_in_are_searched(tmp_path):
    game = {
        "black": "Cid",
        "white": {"name": "Ann"},
        "winner": "ANN",
        "level": "ann",
        "rules": "Ann's",
        "id": "ann",
    }
    (tmp_path / "scores-2026-09-01.json").write_text(json.dumps([game]))
    live = {"black": "Cid", "white": "Bob", "mode": "two", "moves": [], "request": "ann"}
    (tmp_path / "live.json").write_text(json.dumps(live))
    assert kinds("Ann", tmp_path) == [("", "name", 1), ("", "name", 4), ("", "mention", 1)]


def test_a_person_of_such_a_name_is_found(tmp_path):
    games = [{"black": "A", "white": "draw", "winner": "draw", "variant": "A"}]
    (tmp_path / "scores-2026-09-01.json").write_text(json.dumps(games))
    assert kinds("a", tmp_path) == [("", "name", 1)]
    assert kinds("Draw", tmp_path) == [("", "name", 1)]


def test_a_field_that_stands_twice(tmp_path):
    (tmp_path / "x.json").write_text('[{"black": "Ann", "black": "Bob", "white": "Cid"}]')
    assert kinds("Ann", tmp_path) == [("", "name", 1)]


def test_ledger(tmp_path):
    line = {"experiment": "ann", "player": "ann lee", "game": 0, "variant": "A", "design": "game"}
    lines = [line, line | {"player": "ann"}]
    path = tmp_path / "assignments.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in lines) + '{"experiment": "x", "player": "an')
    assert kinds("Ann", path) == [("", "name", 1)]
    assert find_name("Ann", [path])[0].where == "line 2"


def test_broken_games(tmp_path):
    path = tmp_path / "scores-2026-09-01.json"
    path.write_text(json.dumps(GAMES)[:-30])
    assert kinds("Ann", path) == [("", "name", 2)]
    assert kinds("Lee", path) == [] and kinds("b", path) == []
    path.write_bytes(json.dumps(GAMES).encode()[:60] + bytes(2000))
    assert kinds("Ann", path) == [("", "name", 1)]


def test_games_with_a_byte_that_is_no_text(tmp_path):
    path = tmp_path / "scores-2026-09-01.json"
    game = '{"black": "José", "white": "Ann Lee", "winner": "b", "note": "'
    path.write_bytes(b"[" + game.encode() + b'\xff"}]')
    assert kinds("José", path) == [("", "name", 1)] and kinds("Ann", path) == []
    path.write_bytes(b"[" + game.encode("cp1252") + b'"}]')
    assert kinds("José", path) == [("", "name", 1)] and kinds("Ann", path) == []


def test_csv(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text('player;note;n\nANN;"Joanna; not Anna";3\nBob;lost to Ann;4\n')
    assert kinds("Ann", path) == [("", "name", 1), ("", "mention", 1)]
    assert find_name("Ann", [path])[0].where == "line 2"
    path.write_bytes("name,n\nJosé,3\n".encode("cp1252"))
    assert kinds("José", path) == [("", "name", 1)]
    path.write_bytes("name,n\nJosé,3\n".encode("utf-16"))
    assert kinds("José", path) == [("", "name", 1)]


def test_names_in_our_own_exports_are_whole(tmp_path):
    (tmp_path / "games.csv").write_text(
        "day,row,black,white\n2026-09-01,1,Ann Lee,Bob\n2026-09-01,2,Ann,Bob\n"
    )
    assert kinds("Ann", tmp_path) == [("", "name", 1)]


def test_notebook(tmp_path):
    picture = base64.b64encode(png(chunk(b"tEXt", b"Title\0Ann's games"))).decode()
    cells = [
        {"cell_type": "markdown", "source": ["# Games of\n", "Ann\n"]},
        {
            "cell_type": "code",
            "source": "x = 'Jos\\u00e9'",
            "outputs": [
                {"output_type": "stream", "text": ["Bob\n", "Joanna\n"]},
                {"output_type": "display_data", "data": {"image/png": picture, "text/plain": ["'Ann'"]}},
                {"data": {"text/html": "<td>Jos&eacute;</td><img src='data:image/png;base64,AAAA'>"}},
            ],
        },
    ]
    path = tmp_path / "study.ipynb"
    path.write_text(
        json.dumps({"cells": cells, "metadata": {"papermill": {"parameters": {"player": "Ann"}}}})
    )
    assert kinds("Ann", path) == [
        ("cell 1", "mention", 1),
        ("cell 2, output 2", "mention", 2),
        ("metadata", "name", 1),
    ]
    assert kinds("José", path) == [("cell 2", "mention", 1), ("cell 2, output 3", "mention", 1)]
    assert search("Ann", [path]).pictures == 2


def test_pages_and_text(tmp_path):
    (tmp_path / "a.html").write_text("<p>Jos&#233;</p>\n<a href='?n=Jos%C3%A9'>x</a>")
    (tmp_path / "b.svg").write_text("<svg><!-- José --><text>Jose</text></svg>")
    (tmp_path / "c.txt").write_text("Bob\nJOSE\u0301\n", encoding="utf-16")
    (tmp_path / "d.md").write_text("won by Ann\nLee yesterday")
    hits = find_name("José", [tmp_path])
    assert [(hit.path.name, hit.kind, hit.count, hit.where) for hit in hits] == [
        ("a.html", "mention", 2, "line 1"),
        ("b.svg", "mention", 1, "line 1"),
        ("c.txt", "name", 1, "line 2"),
    ]
    assert kinds("Ann Lee", tmp_path) == [("", "mention", 1)]


@pytest.mark.parametrize(
    "content",
    [
        chunk(b"tEXt", b"Title\0Games of Jos\xe9"),
        chunk(b"zTXt", b"Title\0\0" + zlib.compress(b"Jos\xe9")),
        chunk(b"iTXt", b"Title\0\0\0\0\0" + "José".encode()),
        chunk(b"iTXt", b"Title\0\1\0en\0\0" + zlib.compress("José".encode())),
    ],
    ids=["tEXt", "zTXt", "iTXt", "iTXt, packed"],
)
def test_png(tmp_path, content):
    path = tmp_path / "figure.png"
    path.write_bytes(png(content))
    assert kinds("josé", path) == [("", "mention", 1)]
    assert kinds("Ann", path) == []  # in what it shows
    assert search("x", [path]).pictures == 1


@pytest.mark.parametrize(
    "content",
    [png(chunk(b"tEXt", b"A\0B"))[:50], png(chunk(b"zTXt", b"A\0\0xx"))],
    ids=["cut", "not packed"],
)
def test_damaged_png(tmp_path, content):
    path = tmp_path / "figure.png"
    path.write_bytes(content)
    assert "damaged" in search("Ann", [path]).unsearched[0].why


def zipped(**members: bytes) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return held.getvalue()


def test_archives(tmp_path):
    inner = zipped(**{"scores-2026-09-01.json": json.dumps(GAMES).encode()})
    (tmp_path / "a.zip").write_bytes(zipped(**{"old.zip": inner, "ann.txt": b"nothing"}))
    hits = find_name("Ann", [tmp_path])
    assert [(hit.part, hit.kind, hit.count) for hit in hits] == [
        ("old.zip!scores-2026-09-01.json", "name", 2),
        ("old.zip!scores-2026-09-01.json", "mention", 1),
        ("ann.txt", "mention", 1),
    ]
    assert kinds("Lee", tmp_path) == []


@pytest.mark.parametrize(
    "pack, ending", [(gzip.compress, "gz"), (bz2.compress, "bz2"), (lzma.compress, "xz")]
)
def test_packed(tmp_path, pack, ending):
    path = tmp_path / f"table.csv.{ending}"
    path.write_bytes(pack(b"name,n\nAnn,3\n"))
    assert kinds("ann", path) == [("", "name", 1)]
    path.write_bytes(pack(os.urandom(5000))[:-40])
    assert "damaged" in search("Ann", [path]).unsearched[0].why


def test_what_cannot_be_searched_is_said(tmp_path, monkeypatch):
    nested = b"Ann"
    for _ in range(6):
        nested = gzip.compress(nested)
    (tmp_path / "a.gz").write_bytes(nested)
    (tmp_path / "b.pdf").write_bytes(b"%PDF-1.7 ...")
    (tmp_path / "c.zip").write_bytes(zipped(x=b"Ann")[:-30])
    (tmp_path / "d.parquet").write_bytes(b"PAR1...")
    os.mkfifo(tmp_path / "e")
    (tmp_path / "f").symlink_to(tmp_path / "b.pdf")
    (tmp_path / "g").mkdir()
    (tmp_path / "g" / "h").symlink_to(tmp_path)
    found = search("Ann", [tmp_path])
    assert [(note.path.name, note.why.split(":")[0]) for note in found.unsearched] == [
        ("a.gz", "archives within archives"),
        ("b.pdf", "a PDF"),
        ("c.zip", "damaged"),
        ("d.parquet", "a Parquet file"),
        ("e", "no ordinary file"),
        ("f", "a link"),
        ("h", "a link"),
    ]
    assert found.hits == ()


@pytest.mark.parametrize("array", [np.array(["Bob", "José"]), np.array([("José", 1)], dtype="U9,i4")])
def test_arrays(tmp_path, array):
    np.savez(tmp_path / "plain.npz", names=array)
    np.savez_compressed(tmp_path / "packed.npz", names=array)
    np.save(tmp_path / "one.npy", array)
    found = {(hit.path.name, hit.part) for hit in find_name("josé", [tmp_path])}
    assert found == {("plain.npz", "names.npy"), ("packed.npz", "names.npy"), ("one.npy", "")}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be", "cp1252"])
@pytest.mark.parametrize("shift", [0, 1])
def test_other_binaries(tmp_path, encoding, shift):
    path = tmp_path / "cache.bin"
    path.write_bytes(b"\x80\x04" + bytes(shift) + "\0José\0".encode(encoding) + b"\xff\xfe\xfd")
    assert kinds("josé", path) == [("", "mention", 1)]


def test_short_names_are_not_told_from_chance_in_binaries(tmp_path):
    path = tmp_path / "cache.bin"
    path.write_bytes(b"\xff\xfd Al \xff")
    found = search("Al", [path])
    assert found.hits == () and "too short" in found.unsearched[0].why


@pytest.mark.parametrize("place", range(documents._BLOCK - 6, documents._BLOCK + 3))
def test_at_the_edge_of_a_block(tmp_path, place):
    path = tmp_path / "log"
    path.write_bytes(b"x" * (place - 1) + b" Ann " + b"y" * 100)
    assert kinds("Ann", path) == [("", "mention", 1)]
    path.write_bytes(b"x" * (place - 3) + b" Joanna " + b"y" * 100)
    assert kinds("Ann", path) == []


def test_a_file_too_long_to_be_held(tmp_path, monkeypatch):
    monkeypatch.setattr(documents, "MAX_HELD", 1 << 20)
    path = tmp_path / "log.json"
    path.write_bytes(b'["' + b"x" * (2 << 20) + b' Jos\\u00e9", "Jos\\u00e9"]')
    assert kinds("José", path) == [("", "mention", 2)]
    monkeypatch.setattr(documents, "MAX_UNPACKED", 1 << 20)
    assert "beyond" in search("José", [path]).unsearched[0].why


def test_names_of_files(tmp_path):
    (tmp_path / "ann").mkdir()
    (tmp_path / "ann" / "Ann_games.csv").write_text("x\n")
    (tmp_path / "anna.csv").write_text("x\n")
    assert [(hit.path.name, hit.where) for hit in find_name("Ann", [tmp_path])] == [
        ("ann", "name of the file"),
        ("Ann_games.csv", "name of the file"),
    ]


def test_files_come_once_and_in_order(tmp_path):
    for name in "cab":
        (tmp_path / name).write_text("Ann")
    hits = find_name("Ann", [tmp_path / "c", tmp_path, tmp_path / "a"])
    assert [hit.path.name for hit in hits] == ["c", "a", "b"]


def test_a_link_that_was_named_is_followed(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "x.txt").write_text("Ann")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert len(find_name("Ann", [tmp_path / "link"])) == 1


def test_bad_input(tmp_path):
    with pytest.raises(FileNotFoundError):
        find_name("Ann", [tmp_path / "none"])
    with pytest.raises(ValueError, match="must have a sign"):
        find_name(" ", [tmp_path])


@pytest.mark.parametrize(
    "content",
    ["[" * 100_000, '{"a": ' * 100_000, "[" + "9" * 5000 + ', "Ann"]'],
    ids=["lists", "objects", "a long number"],
)
def test_json_that_no_parser_likes(tmp_path, content):
    path = tmp_path / "deep.json"
    path.write_text(content)
    assert [hit.kind for hit in find_name("Ann", [path])] == ["name"] * ("Ann" in content)


@pytest.mark.parametrize("name", ["40", "3", "moves", "Repetitions", "7", "linux", "Server", "Lock"])
def test_words_of_the_program_are_no_names(tmp_path, name):
    rules = "repetitions=3 quiet_moves=40"
    games = [Game("Ann", "Bob", "b", id=f"{number:032x}", rules=rules) for number in range(8)]
    write_day(tmp_path, date(2026, 9, 1), games)
    (tmp_path / ".server.lock").touch()
    for what in ("games", "ratings", "league"):
        export(tmp_path, tmp_path / f"{what}.csv", what=what, time_zone="UTC")
    assert find_name(name, [tmp_path]) == ()
    assert len(find_name("ann", [tmp_path])) == 4
