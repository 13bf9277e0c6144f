"""Complexity from BoardGameGeek: what is asked, kept and said, against a server on this machine."""

import builtins
import json
import logging
import math
import socket
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import parse_qs, urlsplit

import pytest

from ludometrics.boardgames.bgg import (
    BATCH,
    SCHEMA,
    BggError,
    Cached,
    fetch_complexity,
    kept_complexity,
    read_cache,
)

pytest.importorskip("boardgamegeek")

BEARER = "local-test-token"
NOON = datetime(2026, 9, 1, 12, tzinfo=UTC)
KNOWN = {11: "2.28", 12: "4.31", 13: "0", 171: "3.66"}


class Server(ThreadingHTTPServer):
    """A small XML API; `answers` are given first, one a request: (status, type, text)."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked, self.headers, self.answers = [], [], []
        self.endpoint = f"http://127.0.0.1:{self.server_port}/xmlapi2"


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        address = urlsplit(self.path)
        query = parse_qs(address.query)
        self.server.asked.append(query.get("id", [""])[0])
        self.server.headers.append(self.headers.get("Authorization"))
        if self.server.answers:
            status, kind, text = self.server.answers.pop(0)
        elif self.headers.get("Authorization") != f"Bearer {BEARER}":
            status, kind, text = 401, "text/plain", "Unauthorized"
        elif address.path != "/xmlapi2/thing" or query.get("stats") != ["1"]:
            status, kind, text = 404, "text/plain", "no such thing"
        else:
            status, kind, text = 200, "text/xml; charset=utf-8", items(query["id"][0].split(","))
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def item(number, weight, kind="boardgame"):
    ratings = f'<statistics><ratings><averageweight value="{weight}"/></ratings></statistics>'
    return f'<item type="{kind}" id="{number}"><name type="primary" value="x"/>{ratings}</item>'


def items(numbers):
    """What the API answers: known games only, in its own order."""
    found = [item(number, KNOWN[int(number)]) for number in reversed(numbers) if int(number) in KNOWN]
    return f"<?xml version='1.0'?><items>{''.join(found)}</items>"


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.delenv("BGG_TOKEN", raising=False)
    running = Server()
    thread = Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield running
    running.shutdown()
    running.server_close()
    thread.join()


@pytest.fixture
def fetch(server, tmp_path):
    """`fetch_complexity` from the server here, without waiting; a file "cache.json" is kept."""

    def ask(numbers, **changes):
        options = {
            "cache": tmp_path / "cache.json",
            "token": BEARER,
            "endpoint": server.endpoint,
            "timeout_s": 5.0,
            "retries": 1,
            "retry_delay_s": 0.0,
            "requests_per_minute": 60_000,
            "now": lambda: NOON,
        }
        return fetch_complexity(numbers, **(options | changes))

    return ask


def test_games_are_asked_with_the_token_and_kept(server, fetch, tmp_path):
    assert fetch([171, 11, 11, 0, -5]) == {11: 2.28, 171: 3.66}
    assert server.asked == ["11,171"] and server.headers == [f"Bearer {BEARER}"]
    content = json.loads((tmp_path / "cache.json").read_text())
    assert content == {
        "schema": SCHEMA,
        "games": {
            "11": {"complexity": 2.28, "fetched": "2026-09-01T12:00:00+00:00"},
            "171": {"complexity": 3.66, "fetched": "2026-09-01T12:00:00+00:00"},
        },
    }
    assert BEARER not in (tmp_path / "cache.json").read_text()
    assert [path.name for path in tmp_path.iterdir()] == ["cache.json"]


def test_numbers_are_read_from_the_answer_not_by_its_order(server, fetch):
    # 5 and 100 are not known: the client's own list of games would give 5 the complexity of another.
    assert fetch([5, 11, 100, 171]) == {11: 2.28, 171: 3.66}


def test_what_is_kept_is_not_asked_again(server, fetch, tmp_path):
    fetch([11, 13, 99])
    kept = read_cache(tmp_path / "cache.json")
    assert kept[11] == Cached(2.28, "2026-09-01T12:00:00+00:00")
    assert math.isnan(kept[13].complexity) and math.isnan(kept[99].complexity)
    assert fetch([11, 13, 99], token=None) == {11: 2.28}  # nothing to ask, so no token is needed
    assert fetch([11, 12, 99]) == {11: 2.28, 12: 4.31}
    assert server.asked == ["11,13,99", "12"]
    assert kept_complexity(tmp_path / "cache.json") == {11: 2.28, 12: 4.31}


def test_on_request_all_are_asked_anew(server, fetch, tmp_path):
    fetch([11, 12])
    server.answers = [(200, "text/xml", f"<items>{item(11, 3.5)}</items>")]
    later = NOON.replace(year=2027)
    assert fetch([11, 99], refresh=True, now=lambda: later) == {11: 3.5}
    kept = read_cache(tmp_path / "cache.json")
    assert kept[11].fetched.startswith("2027") and kept[12].fetched.startswith("2026")


def test_twenty_numbers_a_request(server, fetch):
    assert fetch(range(1, 2 * BATCH + 2)) == {11: 2.28, 12: 4.31}
    assert [len(asked.split(",")) for asked in server.asked] == [20, 20, 1]


def test_nothing_to_ask(server, fetch, tmp_path):
    assert fetch([]) == {} == fetch([0, -1], token=None)
    assert server.asked == [] and not (tmp_path / "cache.json").exists()


def test_other_kinds_of_things_have_a_complexity_too(server, fetch):
    server.answers = [
        (200, "text/xml", f"<items>{item(11, 2.5, 'rpgitem')}{item(12, 1, 'boardgameexpansion')}</items>")
    ]
    assert fetch([11, 12]) == {11: 2.5, 12: 1.0}


def test_the_token_comes_from_the_environment(server, fetch, monkeypatch):
    monkeypatch.setenv("BGG_TOKEN", f" {BEARER}\n")
    assert fetch([11], token=None) == {11: 2.28}


def test_without_a_token_nothing_is_asked_and_the_way_out_is_told(server, fetch, tmp_path):
    with pytest.raises(BggError) as caught:
        fetch([11], token=None)
    for words in ("without a token", "https://boardgamegeek.com/applications", "BGG_TOKEN", "CSV", "bgg_id"):
        assert words in str(caught.value)
    assert server.asked == [] and not (tmp_path / "cache.json").exists()


def test_a_token_that_is_refused_is_told_without_being_shown(server, fetch, tmp_path):
    other = "another-one"
    with pytest.raises(BggError) as caught:
        fetch([11], token=other)
    for words in ("refuses the token (401)", "https://boardgamegeek.com/applications", "BGG_TOKEN", "CSV"):
        assert words in str(caught.value)
    assert other not in str(caught.value)
    assert logging.getLogger("boardgamegeek").handlers  # else Python prints the client's own word as well
    assert len(server.asked) == 1 and not (tmp_path / "cache.json").exists()


@pytest.mark.parametrize(
    "token", ["two words", "line\nbreak", "é", "x" * 501], ids=["space", "line", "letter", "long"]
)
def test_a_text_that_is_no_token_is_refused_unseen(server, fetch, token):
    with pytest.raises(BggError, match="BGG_TOKEN again") as caught:
        fetch([11], token=token)
    assert token not in str(caught.value) and server.asked == []


def test_no_network(fetch, tmp_path):
    with socket.socket() as free:  # bound, but nobody listens
        free.bind(("127.0.0.1", 0))
        endpoint = f"http://127.0.0.1:{free.getsockname()[1]}/xmlapi2"
        with pytest.raises(BggError, match=r"127.0.0.1:\d+ cannot be reached \(ConnectionError\)"):
            fetch([11], endpoint=endpoint)
    assert not (tmp_path / "cache.json").exists()


GARBAGE = {
    "no XML by its type": (200, "text/html", "<html></html>", "status 200"),
    "no XML": (200, "text/xml", "<items><item>", "status 200"),
    "another document": (
        200,
        "text/xml",
        "<error><message>Rate limit</message></error>",
        "<error> .*Rate limit",
    ),
    "a game that was not asked for": (
        200,
        "text/xml",
        f"<items>{item(77, 2)}</items>",
        "'77', which was not asked",
    ),
    "a game without a number": (
        200,
        "text/xml",
        f"<items>{item('x', 2)}</items>",
        "'x', which was not asked",
    ),
    "a number of many digits": (
        200,
        "text/xml",
        f"<items>{item('1' * 5000, 2)}</items>",
        "which was not asked",
    ),
    "a word for a complexity": (200, "text/xml", f"<items>{item(11, 'heavy')}</items>", "of 11 as 'heavy'"),
    "nan for a complexity": (200, "text/xml", f"<items>{item(11, 'nan')}</items>", "of 11 as 'nan'"),
    "too heavy": (200, "text/xml", f"<items>{item(11, '5.5')}</items>", "of 11 as '5.5'"),
    "no complexity": (200, "text/xml", '<items><item id="11"/></items>', "of 11 as ''"),
    "gone": (404, "text/plain", "", "status 404"),
    "forbidden": (403, "text/plain", "", r"forbids this \(403\)"),
    "a fault of the server": (500, "text/plain", "", "status 500"),
    "too many requests": (429, "text/plain", "", r"asked too much \(429\)"),
}


@pytest.mark.parametrize("name", GARBAGE)
def test_an_answer_at_fault_leaves_the_cache_as_it_was(server, fetch, tmp_path, name):
    fetch([12])
    before = (tmp_path / "cache.json").read_bytes()
    *answer, message = GARBAGE[name]
    server.answers = [tuple(answer)]
    with pytest.raises(BggError, match=message):
        fetch([11, 12], refresh=True)
    assert (tmp_path / "cache.json").read_bytes() == before


def test_batches_before_a_fault_are_kept(server, fetch, tmp_path):
    server.answers = [(200, "text/xml", f"<items>{item(11, 2.5)}</items>"), (500, "text/plain", "")]
    with pytest.raises(BggError, match="status 500"):
        fetch(range(1, 31))
    assert sorted(read_cache(tmp_path / "cache.json")) == list(range(1, 21))
    assert fetch(range(1, 31)) == {11: 2.5}
    assert server.asked[-1] == ",".join(map(str, range(21, 31)))


@pytest.mark.parametrize("status", [202, 503], ids=["not ready", "busy"])
def test_patience_is_asked_for_and_given(server, fetch, status):
    server.answers = [(status, "text/plain", "")]
    assert fetch([11], retries=2) == {11: 2.28}
    assert server.asked == ["11", "11"]


@pytest.mark.parametrize(
    ("status", "words"), [(202, "still preparing"), (503, "asked too much")], ids=["202", "503"]
)
def test_patience_ends(server, fetch, status, words):
    server.answers = [(status, "text/plain", "")] * 9
    with pytest.raises(
        BggError, match=rf"{words}.*\({status}\)" if status == 202 else rf"{words} \({status}\)"
    ):
        fetch([11], retries=2)


def test_a_slow_answer_is_no_answer(fetch):
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        endpoint = f"http://127.0.0.1:{silent.getsockname()[1]}/xmlapi2"
        with pytest.raises(BggError, match="cannot be reached"):
            fetch([11], endpoint=endpoint, timeout_s=0.1, retries=0)


def test_without_the_package_it_is_named(server, fetch, monkeypatch):
    true_import = builtins.__import__

    def without(name, *rest):
        if name.startswith("boardgamegeek"):
            raise ImportError(name)
        return true_import(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ImportError, match=r'pip install "ludometrics\[boardgames\]"'):
        fetch([11])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"{", "it is no JSON"),
        (b"\xff\xfe", "it is no JSON"),
        (b"[" * 100_000, "it is no JSON"),
        (b"[]", "its schema is not"),
        (b'{"schema": "another/1", "games": {}}', "its schema is not"),
        (b'{"schema": "%s"}', "it has no 'games'"),
        (b'{"schema": "%s", "games": {"x": {}}}', "its game 'x' is none"),
        (b'{"schema": "%s", "games": {"11": 2}}', "its game '11' is none"),
        (
            b'{"schema": "%s", "games": {"11": {"complexity": 9, "fetched": ""}}}',
            "game 11 has the complexity 9",
        ),
        (b'{"schema": "%s", "games": {"11": {"complexity": NaN, "fetched": ""}}}', "the complexity nan"),
        (b'{"schema": "%s", "games": {"11": {"complexity": true, "fetched": ""}}}', "the complexity True"),
        (b'{"schema": "%s", "games": {"11": {"complexity": 2}}}', "fetched None"),
    ],
    ids=[
        "torn",
        "no text",
        "deep",
        "a list",
        "another schema",
        "no games",
        "no number",
        "no entry",
        "out of range",
        "nan",
        "a boolean",
        "no time",
    ],
)
def test_a_file_that_is_no_cache_is_named_and_kept(server, fetch, tmp_path, content, message):
    path = tmp_path / "cache.json"
    content = content.replace(b"%s", SCHEMA.encode())
    path.write_bytes(content)
    with pytest.raises(ValueError, match=message) as caught:
        fetch([11])
    assert "cache.json" in str(caught.value) and "delete it to start anew" in str(caught.value)
    assert path.read_bytes() == content and server.asked == []


def test_no_cache_is_an_empty_one(tmp_path):
    assert read_cache(tmp_path / "none.json") == {} == kept_complexity(tmp_path / "none.json")
