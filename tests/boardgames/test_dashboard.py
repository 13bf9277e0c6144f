"""The page as a file: what is in it, what it may do, and what it refuses to be made of. In a browser: the next file."""

import copy
import json
import re
import sys
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from importlib.resources import files

import plotly.offline
import pytest

from ludometrics.boardgames.dashboard import PARTS, SCRIPTS, STYLES, build_dashboard, write_dashboard
from ludometrics.boardgames.payload_check import check_payload
from payload_example import AWKWARD_TITLE, example_payload

STATIC = files("ludometrics.boardgames") / "static"
#: A script is known by its hash, so that no other runs; styles may stand in the page, pictures are saved charts.
POLICY = re.compile(
    r"default-src 'none'; script-src '(sha256-[\w+/=]+)' '(sha256-[\w+/=]+)'; style-src 'unsafe-inline'; "
    r"img-src data: blob:; base-uri 'none'; form-action 'none'"
)
#: What takes a text for markup or for a program.
READS_MARKUP = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|createContextualFragment|DOMParser|srcdoc|\beval\b"
    r"|new Function|setTimeout\(\s*[\"'`]|\.on\w+\s*="
)
#: What could ask another machine for something.
ASKS = re.compile(
    r"https?:|\bfetch\b|XMLHttpRequest|WebSocket|sendBeacon|import\(|@import|url\(|\bsrc=|<link|<iframe"
)


class Reader(HTMLParser):
    """Elements of a page, and the text within its scripts and its title."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags, self.scripts, self.title, self.policy = [], {}, "", ""
        self._into = None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        attributes = dict(attrs)
        if tag == "script":
            self._into = attributes.get("id", "page")
            self.scripts[self._into] = ""
        elif tag == "title":
            self._into = "title"
        elif attributes.get("http-equiv") == "Content-Security-Policy":
            self.policy = attributes["content"]

    def handle_endtag(self, tag):
        self._into = None

    def handle_data(self, data):
        if self._into == "title":
            self.title += data
        elif self._into:
            self.scripts[self._into] += data


@pytest.fixture(scope="module")
def payload():
    return example_payload(plays=40)


@pytest.fixture(scope="module")
def page(payload):
    return build_dashboard(payload)


@pytest.mark.parametrize(
    "group", [{}, {"awkward": True, "players": 10}, {"plays": 0}], ids=["plain", "awkward", "empty"]
)
def test_the_example_is_a_payload(group):
    check_payload(example_payload(**group))


def test_the_page_holds_the_payload_and_the_library_whole(payload, page):
    scripts = Reader(page).scripts
    assert list(scripts) == ["payload", "sentences", "plotting-library", "page"]
    assert json.loads(scripts["payload"]) == json.loads(json.dumps(payload))
    assert scripts["plotting-library"] == plotly.offline.get_plotlyjs()
    assert {"winner_not_best", "full_tie"} <= set(json.loads(scripts["sentences"])["flags"])


def test_names_with_markup_stay_within_the_data():
    payload = example_payload(plays=40, players=10, awkward=True)
    text = build_dashboard(payload)
    read, plain = Reader(text), Reader(build_dashboard(example_payload(plays=40)))
    assert json.loads(read.scripts["payload"])["players"] == json.loads(json.dumps(payload["players"]))
    assert read.title == AWKWARD_TITLE and read.tags == plain.tags
    data = text.partition('id="payload">')[2].partition("</script>")[0]
    assert data.isascii() and not set("<>&") & set(data)


@pytest.mark.parametrize(
    "name", ["</script>", "<!--<script>", "a\u2028b\u2029c", "\ud800", "]]>", "$title ${payload}"]
)
def test_a_name_of_any_characters_comes_back_as_it_was(payload, name):
    changed = copy.deepcopy(payload)
    changed["players"][0]["name"] = changed["group"]["title"] = name
    text = build_dashboard(changed)
    read = Reader(text)
    assert text.encode("utf-8") and read.title == name.replace("\ud800", "?")
    assert json.loads(read.scripts["payload"])["players"][0]["name"] == name
    assert len(read.scripts) == 4


def test_the_policy_lets_the_two_scripts_run_and_nothing_else(page):
    read = Reader(page)
    found = POLICY.fullmatch(read.policy)
    assert found, read.policy
    hashes = [
        "sha256-" + b64encode(sha256(read.scripts[key].encode()).digest()).decode()
        for key in ("page", "plotting-library")
    ]
    assert list(found.groups()) == hashes


def test_no_address_outside_the_file(page):
    library = plotly.offline.get_plotlyjs()
    own = page.replace(library, "")
    assert len(page) - len(own) == len(library)
    data = own.partition('id="payload">')[2].partition("</script>")[0]
    assert ASKS.findall(own.replace(data, "")) == []


def test_the_same_payload_gives_the_same_bytes(payload, page):
    turned = {key: payload[key] for key in reversed(payload)}
    turned["players"] = [dict(reversed(row.items())) for row in payload["players"]]
    assert build_dashboard(turned) == page


def test_a_piece_of_the_page_can_be_read_in_one_sitting_and_takes_no_text_for_markup():
    listed = [*SCRIPTS, *STYLES, "dashboard.html"]
    assert sorted(path.name for path in STATIC.iterdir()) == sorted(listed)
    for name in listed:
        text = (STATIC / name).read_text(encoding="utf-8")
        assert len(text.splitlines()) < 400, name
        assert READS_MARKUP.findall(text) == [], name


@pytest.mark.parametrize(
    "change, said",
    [
        (lambda p: "text", "the payload is a str"),
        (
            lambda p: p | {"schema": "ludometrics.boardgames/2"},
            "schema of the payload is 'ludometrics.boardgames/2'",
        ),
        (lambda p: {k: v for k, v in p.items() if k not in ("events", "checks")}, "lacks 'events', 'checks'"),
        (lambda p: p | {"group": []}, "group of the payload is a list"),
        (lambda p: p | {"warnings": [float("nan")]}, "cannot be written as JSON"),
        (lambda p: p | {"warnings": [{1, 2}]}, "cannot be written as JSON"),
    ],
    ids=["no object", "other schema", "parts missing", "group", "not a number", "a set"],
)
def test_a_wrong_payload_is_refused_and_leaves_the_old_page(payload, change, said, tmp_path):
    path = tmp_path / "index.html"
    path.write_text("old", encoding="utf-8")
    with pytest.raises(ValueError, match=re.escape(said)):
        write_dashboard(change(payload), path)
    assert path.read_text(encoding="utf-8") == "old" and list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("part", PARTS)
def test_each_part_is_asked_for(payload, part):
    with pytest.raises(ValueError, match=f"lacks '{part}'"):
        build_dashboard({key: value for key, value in payload.items() if key != part})


def test_the_page_is_written_to_a_folder_that_is_made(payload, page, tmp_path):
    path = write_dashboard(payload, tmp_path / "site" / "index.html")
    assert path == tmp_path / "site" / "index.html"
    assert path.read_bytes() == page.encode("utf-8")


def test_without_the_plotting_library_it_is_said_how_to_get_it(payload, monkeypatch):
    monkeypatch.setitem(sys.modules, "plotly.offline", None)
    with pytest.raises(ModuleNotFoundError, match=re.escape('pip install "ludometrics[boardgames]"')):
        build_dashboard(payload)


@pytest.mark.parametrize("script", ["a = '</Script>'", "a = '<!--'", "a\r\nb"])
def test_a_library_that_would_end_its_element_is_refused(payload, script, monkeypatch):
    monkeypatch.setattr(plotly.offline, "get_plotlyjs", lambda: script)
    with pytest.raises(ValueError, match="this version of plotly cannot be put into a page"):
        build_dashboard(payload)
