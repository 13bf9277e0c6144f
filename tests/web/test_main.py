"""The server as a process: started, killed, started again, stopped; and one at a time on a folder."""

import http.client
import json
import re
import signal
import subprocess
import sys
from datetime import date

import pytest
from click.testing import CliRunner

from ludometrics.web import __main__ as module
from ludometrics.web.__main__ import Housekeeping, main, only_server


@pytest.fixture
def start_server(tmp_path):
    """Starts a server on the test's folder; gives its process and address."""
    started = []

    def start():
        command = [sys.executable, "-m", "ludometrics.web", "--data", str(tmp_path / "games"), "--port", "0"]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        started.append(server)
        found = re.search(r"at http://(127\.0\.0\.1:\d+)/", server.stdout.readline())
        assert found, server.stderr.read()
        return server, found[1]

    yield start
    for server in started:
        server.kill()
        server.communicate()


def ask(address: str, route: str, **body) -> dict:
    connection = http.client.HTTPConnection(address, timeout=30)
    connection.request("POST", f"/{route}", json.dumps(body), {"Content-Type": "application/json"})
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    return json.loads(content) if answer.status == 200 else {"status": answer.status}


def test_a_server_killed_in_mid_game_loses_nothing(start_server, tmp_path):
    server, address = start_server()
    game = ask(address, "game", mode="two", name="Xanthippe", name2="Bob", request="0123456789abcdef")
    secret = {"id": game["id"], "key": game["key"]}
    moved = ask(address, "move", **secret, ply=0, path=[11, 15])
    second = CliRunner().invoke(main, ["--data", str(tmp_path / "games"), "--port", "0"])
    assert second.exit_code == 2 and "another server is running on this folder" in second.output
    assert ask(address, "match", name="x" * 20_000) == {"status": 413}
    server.kill()
    first_words = "".join(server.communicate())

    server, address = start_server()
    assert ask(address, "resume", **secret) == moved
    assert ask(address, "resign", **secret)["result"]["saved"]
    server.send_signal(signal.SIGTERM)
    words = first_words + "".join(server.communicate(timeout=60))
    assert server.returncode == 0
    assert "Xanthippe" not in words and "Traceback" not in words
    assert [path.name for path in (tmp_path / "games").glob("scores-*")] != []


@pytest.mark.parametrize(
    "options, said",
    [
        (["--time-zone", "Mars/Olympus"], "time_zone is 'Mars/Olympus'"),
        (["--abandon-after", "0"], "abandon_after_minutes is 0"),
        (["--rule", "best"], "'best' is not one of"),
        (["--port", "70000"], "70000"),
        (["--host", "no.such.host.invalid"], "Invalid host/port|not known|resolution|resolve"),
    ],
    ids=["zone", "abandon", "rule", "port", "host"],
)
def test_a_wrong_option_is_named(tmp_path, monkeypatch, options, said):
    monkeypatch.setattr(module.Club, "begin", lambda _: None)
    monkeypatch.setattr(module.signal, "signal", lambda *_: None)
    done = CliRunner().invoke(main, ["--data", str(tmp_path / "games"), *options])
    assert done.exit_code == 2 and re.search(said, done.output), done.output


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    done = CliRunner().invoke(main, ["--data", str(tmp_path / "file" / "games")])
    assert done.exit_code == 2 and "games" in done.output


def test_one_server_at_a_time(tmp_path):
    with only_server(tmp_path):
        with pytest.raises(module.ServerError, match="another server"), only_server(tmp_path):
            pass
    with only_server(tmp_path):
        pass


def test_a_proxy_is_believed_only_if_it_is_named():
    assert "trusted_proxy" not in module._options(None)
    options = module._options("192.0.2.1")
    assert options["trusted_proxy"] == "192.0.2.1" and options["clear_untrusted_proxy_headers"]
    assert options["trusted_proxy_headers"] == {"x-forwarded-for", "x-forwarded-proto"}


def test_housekeeping_tidies_each_time_and_proves_once_a_day(open_club, monkeypatch):
    club, done = open_club(), []
    day = [date(2026, 9, 1)]
    monkeypatch.setattr(club, "tidy", lambda: done.append("tidy"))
    monkeypatch.setattr(club.tables, "prove", lambda: done.append("prove"))
    monkeypatch.setattr(module, "today", lambda *_, **__: day[0])
    keeper = Housekeeping(club)
    keeper.work()
    keeper.work()
    day[0] = date(2026, 9, 2)
    keeper.work()
    assert done == ["tidy", "prove", "tidy", "tidy", "prove"]


def test_housekeeping_goes_on_after_a_fault(open_club, monkeypatch, caplog):
    club = open_club()

    def fail():
        raise OSError("Ann's disk is full")

    monkeypatch.setattr(club, "tidy", fail)
    monkeypatch.setattr(module, "_TIDY_S", 0.01)
    keeper = Housekeeping(club)
    keeper.start()
    while caplog.text.count("OSError") < 2:
        keeper.join(0.01)
        assert keeper.is_alive()
    keeper.stop()
    assert not keeper.is_alive() and "Ann" not in caplog.text
