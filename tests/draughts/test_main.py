"""The commands, run in this process."""

import json

import pytest
from click.testing import CliRunner

from ludometrics.draughts import parse_fen, parse_pdn
from ludometrics.draughts.__main__ import main


def _run(*arguments, text=None):
    return CliRunner().invoke(main, [str(argument) for argument in arguments], input=text)


def _fails(result, *words):
    assert result.exit_code == 2, result.output
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert all(word in result.output for word in words), result.output
    return True


def test_perft():
    assert _run("perft", 6).output == "36768\n"
    assert _run("perft", 3, "--fen", "B:W26,27:B22").output == "4\n"
    lines = _run("perft", 2, "--divide").output.splitlines()
    assert lines[0] == "9-13 7" and lines[-1] == "49" and len(lines) == 8


def test_show(tmp_path):
    shown = _run("show", "W:WK22:B18,19,26,27").output
    assert "W" in shown and "22x31x24x15x22" in shown
    assert "none, the side to move has lost" in _run("show", "B:W25,30:B21").output
    assert _run("show", "B:W32:BK1", "--svg", tmp_path / "a.svg").exit_code == 0
    assert (tmp_path / "a.svg").read_text(encoding="utf-8").startswith("<svg")
    missing = _run("show", "B:W32:BK1", "--svg", tmp_path / "no" / "a.svg")
    assert missing.exit_code == 1 and "cannot write" in missing.output


def test_levels():
    assert "medium  Medium  depth 4  chance 0.1" in _run("levels").output


def test_game_as_pdn():
    arguments = ("game", "--black", "2,0.2", "--white", "easy", "--seed", 1)
    first = _run(*arguments)
    assert first.exit_code == 0 and first.output == _run(*arguments).output
    [game] = parse_pdn(first.output)
    assert game.headers["White"] == "Low (2,0.35)" and game.headers["Event"].endswith("seed 1")
    assert first.output != _run(*arguments[:-1], 2).output


def test_game_from_json(tmp_path):
    given = {"black": {"depth": 1, "chance": 0.3}, "white": "easy", "seed": 7, "rules": {"ply_cap": 60}}
    answer = json.loads(_run("game", "--json", "-", text=json.dumps(given)).output)
    assert answer["winner"] in ("b", "w", "draw") and answer["plies"] == len(answer["moves"]) <= 60
    assert answer["reason"] in ("no-move", "repetition", "40-move", "cap")
    [game] = parse_pdn(answer["pdn"])
    assert [str(move) for move in game.moves] == answer["moves"]
    path = tmp_path / "game.json"
    path.write_text(json.dumps(given), encoding="utf-8")
    assert json.loads(_run("game", "--json", path).output) == answer
    assert _run("game", "--json", path, "--as", "pdn").output.strip() == answer["pdn"].strip()
    options = ("game", "--black", "1,0.3", "--white", "easy", "--seed", 7, "--ply-cap", 60, "--as", "json")
    assert json.loads(_run(*options).output)["moves"] == answer["moves"]


def test_game_from_a_position():
    given = {"black": "1,0", "white": "1,0", "seed": 1, "fen": "B:W10,18:B6"}
    answer = json.loads(_run("game", "--json", "-", text=json.dumps(given)).output)
    assert (answer["winner"], answer["reason"], answer["moves"]) == ("b", "no-move", ["6x15x22"])
    assert parse_fen(answer["start"]) == parse_fen("B:W10,18:B6")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("perft", 0), ("0",)),
        (("perft", 99), ("99",)),
        (("perft", "x"), ("'x'",)),
        (("perft", 2, "--fen", "B:W33:B1"), ("'33'", "1 to 32")),
        (("show", "nonsense"), ("nonsense", "side to move")),
        (("game", "--white", "easy", "--seed", 1), ("--black is missing",)),
        (("game", "--black", "easy", "--white", "easy"), ("--seed is missing",)),
        (("game", "--black", "wild", "--white", "easy", "--seed", 1), ("level 'wild'", "easy, medium, hard")),
        (("game", "--black", "2,7", "--white", "easy", "--seed", 1), ("chance is 7.0",)),
        (("game", "--black", "easy", "--white", "easy", "--seed", -1), ("-1",)),
        (("game", "--black", "easy", "--white", "easy", "--seed", 1, "--ply-cap", -5), ("ply_cap is -5",)),
        (
            ("game", "--black", "easy", "--white", "easy", "--seed", 1, "--ply-cap", 0, "--quiet-moves", 0),
            ("both 0",),
        ),
        (("game", "--json", "/nowhere/x.json"), ("/nowhere/x.json",)),
        (("game", "--json", "-", "--seed", 1), ("leave out --seed",)),
    ],
)
def test_bad_arguments_end_with_status_2_and_one_line(arguments, words):
    assert _fails(_run(*arguments, text="{}"), *words)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", ("not JSON",)),
        ("[1]", ("an object with black",)),
        ("{}", ("'black' is missing",)),
        ('{"black": "easy", "white": "easy", "seed": 1.5}', ("seed is 1.5",)),
        ('{"black": "easy", "white": "easy", "seed": true}', ("seed is True",)),
        ('{"black": "easy", "white": 5, "seed": 1}', ("white is 5",)),
        (
            '{"black": {"depth": 2, "speed": 1}, "white": "easy", "seed": 1}',
            ("'speed' is not a setting", "depth, chance"),
        ),
        ('{"black": {"depth": "2"}, "white": "easy", "seed": 1}', ("depth is '2'",)),
        ('{"black": "easy", "white": "easy", "seed": 1, "colour": "b"}', ("'colour' is not a setting",)),
        ('{"black": "easy", "white": "easy", "seed": 1, "rules": 3}', ("rules is 3",)),
        ('{"black": "easy", "white": "easy", "seed": 1, "rules": {"ply_cap": "9"}}', ("ply_cap is '9'",)),
        ('{"black": "easy", "white": "easy", "seed": 1, "rules": {"cap": 9}}', ("'cap' is not a setting",)),
        ('{"black": "easy", "white": "easy", "seed": 1, "fen": "x"}', ("FEN 'x'",)),
        ('{"black": "easy", "white": "easy", "seed": 1, "fen": 5}', ("FEN 5",)),
    ],
)
def test_bad_json_ends_with_status_2(text, words):
    assert _fails(_run("game", "--json", "-", text=text), *words)
