import sys

import pytest

from ludometrics.backgammon import gnubg_program
from ludometrics.backgammon.gnubg_program import find_gnubg, run_gnubg

SPEAKS = "import os, sys; print(sys.stdin.read()); print(os.environ['LC_ALL'], 'LANGUAGE' in os.environ, os.getcwd())"


@pytest.fixture
def program(tmp_path):
    """Makes a stand-in for GNU Backgammon out of lines of Python."""

    def make(code):
        path = tmp_path / "gnubg"
        path.write_text(f"#!{sys.executable}\n{code}\n")
        path.chmod(0o755)
        return str(path)

    return make


@pytest.fixture
def absent(monkeypatch):
    monkeypatch.setattr(gnubg_program, "PLACES", ())
    monkeypatch.setenv("PATH", "")


def test_found_on_the_path_or_where_systems_put_it(program, monkeypatch, tmp_path):
    path = program("")
    monkeypatch.setattr(gnubg_program, "PLACES", ("/nowhere", str(tmp_path)))
    monkeypatch.setenv("PATH", "")
    assert find_gnubg() == path


def test_absent(absent, tmp_path):
    with pytest.raises(
        RuntimeError, match="GNU Backgammon is not installed; on Debian and Ubuntu: sudo apt-get"
    ):
        find_gnubg()
    with pytest.raises(RuntimeError, match="not installed"):
        run_gnubg([], tmp_path)


def test_commands_and_surroundings(program, tmp_path, monkeypatch):
    monkeypatch.setenv("LANGUAGE", "de")
    folder = tmp_path / "in here"
    folder.mkdir()
    said = run_gnubg(["first", 'say "two"'], folder, gnubg=program(SPEAKS))
    assert said.splitlines() == ["first", 'say "two"', "", f"C.UTF-8 False {folder}"]


@pytest.mark.parametrize("command", ["a\nquit", "a\rquit"])
def test_a_command_is_one_line(program, tmp_path, command):
    with pytest.raises(ValueError, match="one line"):
        run_gnubg([command], tmp_path, gnubg=program(SPEAKS))


def test_too_slow(program, tmp_path):
    slow = program("import time\nopen('started', 'w').close()\nwhile True: time.sleep(0.1)")
    with pytest.raises(RuntimeError, match=r"was not done after 0\.6 s"):
        run_gnubg([], tmp_path, gnubg=slow, timeout_seconds=0.6)
    assert (tmp_path / "started").exists()


def test_failure_is_quoted(program, tmp_path):
    with pytest.raises(RuntimeError, match=r"ended with 3: \.\.\.no such thing"):
        run_gnubg([], tmp_path, gnubg=program("import sys; print('no such thing'); sys.exit(3)"))


def test_not_startable(tmp_path):
    with pytest.raises(RuntimeError, match="cannot be started as"):
        run_gnubg([], tmp_path, gnubg=str(tmp_path / "none"))


def test_watch(program, tmp_path):
    seen = []
    run_gnubg([], tmp_path, gnubg=program("import time; time.sleep(0.4)"), watch=lambda: seen.append(1))
    assert seen
