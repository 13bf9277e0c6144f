"""Files of games being played: removed, changed, broken and half-written ones."""

import os
import shutil
import threading
from datetime import UTC, datetime

import pytest

from ludometrics.draughts import Move
from ludometrics.gamelog.lock import FolderBusyError, FolderLock
from ludometrics.web.live import LiveGame
from ludometrics.web.livefolder import LiveFolder
from ludometrics.web.problems import GoneError

NOON = datetime(2026, 9, 1, 12, tzinfo=UTC)
ID = "a" * 32
GAME = LiveGame(ID, "1" * 32, "r" * 16, "two", "Ann", "Bob", NOON, NOON)
MOVED = GAME.play(Move((11, 15), ()), NOON)


@pytest.fixture
def live(tmp_path):
    live = LiveFolder(tmp_path)
    live.add(GAME)
    return live


def test_a_restart_loses_nothing(live, tmp_path):
    live.put(MOVED)
    assert LiveFolder(tmp_path).get(ID) == MOVED


def test_only_the_owner_can_read_a_game(live):
    assert os.stat(live.folder).st_mode & 0o77 == 0
    assert os.stat(live.folder / f"{ID}.json").st_mode & 0o77 == 0


@pytest.mark.parametrize("game_id", ["b" * 32, "", "../x", "A" * 32, f"{ID}\n"])
def test_a_game_that_never_was_is_gone(live, game_id):
    with pytest.raises(GoneError):
        live.get(game_id)


def test_a_game_whose_file_was_removed_is_gone_and_does_not_come_back(live):
    with live.held(ID):
        (live.folder / f"{ID}.json").unlink()
        with pytest.raises(GoneError):
            live.put(MOVED)
    with pytest.raises(GoneError):
        live.get(ID)
    assert live.games() == [] and os.listdir(live.folder) == []


def test_a_game_that_another_process_moved_is_read_again(live, tmp_path):
    other = LiveFolder(tmp_path)
    other.get(ID)
    other.put(MOVED)
    with pytest.raises(FolderBusyError):
        live.put(GAME.play(Move((9, 13), ()), NOON))
    assert live.get(ID) == MOVED


def test_nothing_is_written_while_another_program_holds_the_folder(live, tmp_path):
    slow = LiveFolder(tmp_path, timeout_s=0.05)
    slow.get(ID)
    with FolderLock(tmp_path).exclusive(), pytest.raises(FolderBusyError):
        slow.put(MOVED)
    assert live.get(ID) == GAME


@pytest.mark.parametrize("content", [b"", b"\0" * 500, b"{", b"[" * 5000, b'{"version": 1}'])
def test_a_file_that_cannot_be_read_is_named_and_stays(live, content):
    path = live.folder / f"{'c' * 32}.json"
    path.write_bytes(content)
    assert live.read_all() == [f"live/{path.name}"]
    with pytest.raises(GoneError):
        live.get("c" * 32)
    assert path.read_bytes() == content and live.games() == [GAME]


def test_what_a_killed_program_left_is_cleared_away(live):
    (live.folder / f".{ID}.123.tmp").write_bytes(b'{"black": "Ann"')
    live.clear_temporary()
    assert os.listdir(live.folder) == [f"{ID}.json"]


def test_a_write_that_fails_leaves_the_game_as_it_was(live, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError):
        live.put(MOVED)
    assert live.get(ID) == GAME and os.listdir(live.folder) == [f"{ID}.json"]


def test_moves_of_one_game_come_one_after_another(live):
    order = []

    def work(name):
        with live.held(ID):
            order.append(f"{name} in")
            threading.Event().wait(0.02)
            order.append(f"{name} out")

    threads = [threading.Thread(target=work, args=(name,)) for name in "xyz"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [step.split()[1] for step in order] == ["in", "out"] * 3
    assert all(one[0] == two[0] for one, two in zip(order[::2], order[1::2], strict=True))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_in_place_of_a_game_is_not_waited_for(live):
    os.mkfifo(live.folder / f"{'b' * 32}.json")
    with pytest.raises(GoneError):
        live.get("b" * 32)


def test_a_folder_that_was_emptied_is_made_again(live):
    shutil.rmtree(live.folder)
    live.add(GAME)
    assert live.get(GAME.id) == GAME
