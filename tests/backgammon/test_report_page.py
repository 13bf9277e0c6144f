"""The page: whole in itself, every name escaped, every rate with its interval and what it rests on."""

import os
import re
from base64 import b64encode
from collections import Counter
from dataclasses import replace
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from ludometrics.backgammon.reading import read_library
from ludometrics.backgammon.records import UNKNOWN, Kind, Library
from ludometrics.backgammon.report_data import Extent, rate_player, report_on
from ludometrics.backgammon.report_outcomes import notices
from ludometrics.backgammon.report_page import build_page
from ludometrics.backgammon.report_parts import compare_parts
from ludometrics.backgammon.report_selection import all_players
from ludometrics.backgammon.report_tables import bands, head_figures
from ludometrics.backgammon.report_text import count, is_unknown, listed, number, percent, span
from ludometrics.backgammon.side_tables import People
from report_sample import HOSTILE, sample_library

PEOPLE = People([("ADA2", "Ada")])
#: Elements without an end.
EMPTY = {"meta", "br", "path", "circle", "rect", "link"}


class Reader(HTMLParser):
    """What stands in a page: elements with their attributes, the texts, whether all is closed."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict]] = []
        self.texts: Counter[str] = Counter()
        self.open: list[str] = []
        self.raw: dict[str, list[str]] = {"script": [], "style": []}
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, (tag, self.getpos())

    def handle_data(self, data):
        if self.open and self.open[-1] in self.raw:
            self.raw[self.open[-1]].append(data)
        elif data.strip():
            self.texts[data.strip()] += 1

    def of(self, *tags):
        return [attributes for tag, attributes in self.elements if tag in tags]


@pytest.fixture(scope="module")
def report():
    return report_on(sample_library(9), "Ada", people=PEOPLE, extent=Extent(latest=5))


@pytest.fixture(scope="module")
def page(report):
    who, parts = rate_player(sample_library(9), HOSTILE, people=PEOPLE)
    return build_page(
        report, compared=compare_parts(report.parts, parts, 20), other=who.name, made_with="Test & Co"
    )


@pytest.fixture(scope="module")
def read(page):
    return Reader(page)


def test_every_element_is_closed_and_every_name_used_once(read):
    assert read.open == []
    names = [attributes["id"] for _, attributes in read.elements if "id" in attributes]
    assert len(names) == len(set(names))


def test_nothing_is_asked_of_anybody(page, read):
    assert set(re.findall(r"https?:[^\"' <]*", page)) == {"http://www.w3.org/2000/svg"}
    for _, attributes in read.elements:
        assert not {"src", "srcset", "action", "data", "style", "onclick"} & set(attributes)
        assert attributes.get("href", "#").startswith("#")
    assert "@import" not in page and "url(" not in page


def test_only_the_pages_own_script_and_style_work(read):
    (policy,) = [each["content"] for each in read.of("meta") if "http-equiv" in each]
    assert policy.startswith("default-src 'none'; ")
    for tag, directive in (("script", "script-src"), ("style", "style-src")):
        (text,) = ["".join(read.raw[tag])]
        known = b64encode(sha256(text.encode()).digest()).decode()
        assert f"{directive} 'sha256-{known}'" in policy
        assert len(read.of(tag)) == 1


def test_names_are_shown_as_they_are(page, read):
    assert "<script>window" not in page and "<b>Open</b>" not in page and "<i>here</i>" not in page
    for text in (HOSTILE, "Winter & <b>Open</b>", "cut short <i>here</i>", "=1+1", "Test & Co"):
        assert read.texts[text] > 0, text
    assert {attributes.get("class") for attributes in read.of("img", "iframe", "b", "i")} == set()


def test_the_sections_are_there_and_can_be_reached(read):
    sections = [attributes["id"] for attributes in read.of("section")]
    links = [attributes["href"] for attributes in read.of("a")]
    assert [f"#{name}" for name in sections] == links[1:]
    assert links[0] == "#main"
    wanted = "rates time matches study references biases tournaments rules problems how".split()
    assert sections == wanted


def test_every_table_and_picture_has_a_name(read):
    tables, captions = read.of("table"), read.of("caption")
    assert len(tables) == len(captions)
    assert all(attributes.get("role") == "img" for attributes in read.of("svg"))
    assert len(read.of("title")) == len(read.of("svg")) + 1
    for attributes in read.of("div"):
        if "scroll" in attributes.get("class", ""):
            assert attributes["tabindex"] == "0" and attributes["aria-label"]
    assert all(attributes["type"] == "button" for attributes in read.of("button"))


def test_every_xgid_can_be_copied(report, read):
    copied = [attributes["data-copy"] for attributes in read.of("button") if "data-copy" in attributes]
    shown = {view.xgid for view in report.reference_views}
    shown |= {view.xgid for detail in report.details for view in detail.views}
    assert shown <= set(copied) and all(read.texts[text] for text in copied)
    whole_list = next(text for text in read.texts if text.count("XGID=") == len(report.reference_views))
    assert whole_list.split("\n") == [view.xgid for view in report.reference_views]


def test_the_head_figures_have_interval_count_and_level(report):
    rate, lost, elo = head_figures(report)
    whole = report.parts[0]
    assert (
        rate.value == f"{whole.pr.value:.2f}"
        and rate.interval == f"{whole.pr.low:.2f} to {whole.pr.high:.2f}"
    )
    assert rate.rests_on == f"n = {whole.pr.decisions} decisions in {whole.pr.units} matches"
    assert "by eXtreme Gammon's bands" in rate.note
    assert lost.value == f"{100 * whole.l7.value:.2f}" and lost.unit.startswith("%")
    assert elo.value == f"−{-whole.elo.value:.0f}" and elo.interval.count("−") == 2


def test_a_floored_elo_says_so():
    report = report_on(sample_library(6, seed=5), "Cy")
    floored = report.parts[0]._replace(elo=report.parts[0].elo._replace(value=-1508.56, floored=True))
    (_, _, elo) = head_figures(type(report)(**{**vars(report), "parts": (floored, *report.parts[1:])}))
    assert elo.value == "≤ −1509" and elo.note.startswith("at most this")


def test_money_play_alone_makes_a_page_without_l7():
    library = sample_library(14)
    money = library.only([match.length == 0 for match in library.matches])
    report = report_on(money, "Ada", people=PEOPLE)
    page = build_page(report)
    read = Reader(page)
    assert read.texts["money play has none"] == 1 and len(report.l7_trend.each) == 0
    assert "nan" not in page.lower().replace("finance", "")
    assert any(text.startswith("No curve") for text in read.texts)


@pytest.mark.parametrize("matches", [1, 2])
def test_very_few_matches_have_no_interval_and_still_a_page(matches):
    report = report_on(sample_library(matches), "Ada", people=PEOPLE)
    figure = head_figures(report)[0]
    assert figure.interval == "no interval"
    assert Reader(build_page(report)).open == []


def test_the_bands_of_the_levels_are_named():
    assert bands() == (
        "World champion to 2.5, World class to 5, Expert to 7.5, Advanced to 12.5, Intermediate to 17.5, "
        "Casual to 22.5, Beginner to 30, Distracted above"
    )


@pytest.mark.parametrize(
    "made, wanted",
    [
        (number(None), "–"),
        (number(float("nan"), 1), "–"),
        (number(-0.004), "0.00"),
        (number(-1.5, 1, sign=True), "−1.5"),
        (percent(0.5, 0, sign=True), "+50"),
        (span(None, 1.0), ""),
        (span(-1.0, 1.0), "−1.00 to 1.00"),
        (count(None, "roll"), "– rolls"),
        (count(2, "match", "matches"), "2 matches"),
        (listed(["a"]), "a"),
        (listed(["a", "b"]), "a and b"),
    ],
)
def test_numbers_and_lists_in_words(made, wanted):
    assert made == wanted


@pytest.mark.parametrize(
    "value, unknown", [(None, True), ("", True), (float("nan"), True), (0, False), (0.0, False)]
)
def test_unknown_is_never_zero(value, unknown):
    assert is_unknown(value) is unknown


def test_what_could_not_be_used_is_told():
    library = sample_library(9)
    decisions = library.decisions
    played = decisions.played.copy()
    own = np.flatnonzero(
        library.of_player("Ada", "ADA2") & (decisions.kind == Kind.CHECKER) & (decisions.match > 0)
    )
    played[own[:3]] = UNKNOWN
    legal = decisions.legal_plays.copy()
    legal[own[3]], played[own[3]] = 0, UNKNOWN  # a dance has nothing to be analysed
    matches = (replace(library.matches[0], met="Woolsey"), *library.matches[1:])
    changed = Library(matches, replace(decisions, played=played, legal_plays=legal), library.problems)
    report = report_on(changed, "Ada", people=PEOPLE)
    first, *rest = notices(report)
    assert first == (
        "1 match analysed with another match equity table (Woolsey) than kazaross-xg2: nothing of them is scored."
    )
    assert rest[:2] == [
        "3 decisions of Ada without an analysis of what was played.",
        "1 match without a date, put before the dated ones.",
    ]
    assert "candidates are not all listed" in rest[2]


def test_real_matches_are_reported():
    folder = os.environ.get("LUDOMETRICS_EXTRA_DATA")
    paths = sorted(Path(folder, "backgammon").glob("gva_json/*.gva")) if folder else []
    paths += sorted(Path(folder, "backgammon").glob("gnubg_sgf/*.sgf")) if folder else []
    if not paths:
        pytest.skip("LUDOMETRICS_EXTRA_DATA names no folder with matches: 5 of them are skipped")
    pytest.importorskip("gvformat", reason="reading these matches needs the package gammonview")
    library = read_library(paths)
    assert len(library.matches) == len(paths)
    for player in all_players(library):
        report = report_on(library, player.name)
        page = Reader(build_page(report))
        assert page.open == [] and page.texts[player.name] > 0
        assert not any("nan" in text.split() for text in page.texts)
        assert {view.picture.count("<svg") for view in report.reference_views} <= {1}
