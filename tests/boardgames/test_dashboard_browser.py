"""The page in a real browser, opened from the disk: Debian's Chromium, headless; skipped where it is not there.

With LUDOMETRICS_SCREENSHOTS set to a folder, pictures of the page are saved in it to be looked at.
"""

import copy
import json
import os
import re
import shutil
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("selenium", reason="tests in a browser need selenium")

from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

from ludometrics.boardgames.dashboard import write_dashboard
from ludometrics.boardgames.engine import rate_log
from ludometrics.boardgames.payload import build_payload, encode_payload
from ludometrics.boardgames.reading import read_log
from ludometrics.boardgames.settings import preset
from ludometrics.boardgames.stats import share_bounds
from ludometrics.boardgames.table import expected_ranks, win_chances
from payload_example import AWKWARD, AWKWARD_GAME, AWKWARD_TITLE, example_payload

WAIT_S = 15
# No window, no sandbox (which root may not have), nothing asked of its maker, and no waiting for pieces that slide.
CHROMIUM = (
    "headless=new",
    "no-sandbox",
    "disable-dev-shm-usage",
    "disable-gpu",
    "disable-extensions",
    "disable-background-networking",
    "disable-component-update",
    "no-first-run",
    "force-prefers-reduced-motion",
    "window-size=1280,860",
)
SCREENSHOTS = os.environ.get("LUDOMETRICS_SCREENSHOTS")
LISTS = ("leaderboard", "lines", "players", "head-to-head", "tonight", "games", "plays", "evenings", "method")
VIEWS = (*LISTS, "player-p1", "game-g1", "play-n1", "tonight?who=p1,p2,p3&guests=1")
# Contrast of text with what is painted behind it, as in WCAG 2.1; answers what is below 4.5.
CONTRAST = """
const part = (v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
const light = ([r, g, b]) => 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
const rgba = (text) => text.match(/[\\d.]+/g).map(Number);
const poor = new Set();
for (const element of document.querySelectorAll("body *:not(svg *)")) {
  const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
  if (!own || !element.checkVisibility() || element.matches("script, .swatch *, button:disabled, .unseen")) continue;
  let behind = element, paint = [0, 0, 0, 0];
  while (behind && (paint = rgba(getComputedStyle(behind).backgroundColor))[3] === 0) behind = behind.parentElement;
  const [a, b] = [rgba(getComputedStyle(element).color), paint].map(light).sort((x, y) => y - x);
  const ratio = (a + 0.05) / (b + 0.05);
  if (ratio < 4.5) poor.add(`${element.tagName} ${element.className}: ${ratio.toFixed(2)}`);
}
return [...poor];"""
UNNAMED = """
return [...document.querySelectorAll("button, input, select, a, summary, [role=img], [role=region], [role=group]")]
  .filter((e) => e.checkVisibility() && !(e.textContent.trim() || e.labels?.length || e.ariaLabel))
  .map((e) => e.outerHTML.slice(0, 200));"""
ROWS = """
return [...document.querySelectorAll(arguments[0] + " tbody tr:not(.section)")]
  .map((row) => [...row.cells].map((cell) => cell.innerText.trim().replaceAll("\\u00a0", " ")));"""


@pytest.fixture(scope="module")
def browser():
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not (chromium and driver):
        pytest.skip("no chromium with chromedriver on this machine (Debian: apt install chromium-driver)")
    os.environ["SE_OFFLINE"] = "true"  # it would look for a driver elsewhere
    options = ChromeOptions()
    options.binary_location = chromium
    for argument in CHROMIUM:
        options.add_argument(f"--{argument}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    browser = Chrome(options=options, service=Service(executable_path=driver))
    yield browser
    browser.quit()


@pytest.fixture(scope="module")
def groups(tmp_path_factory):
    """Payloads by name, as a file holds them, each with its page."""
    folder = tmp_path_factory.mktemp("pages")
    plain = example_payload()
    unrated = example_payload(plays=30, only="g5")
    made = {
        "plain": plain,
        "awkward": example_payload(plays=60, players=10, awkward=True),
        "pseudonyms": example_payload(plays=40, names="pseudonyms"),
        "unrated": unrated,
        "empty": example_payload(plays=0),
        "table": _table_payload(plain),
    }
    payloads = {name: json.loads(encode_payload(payload)) for name, payload in made.items()}
    return {
        name: (payload, write_dashboard(payload, folder / f"{name}.html").as_uri())
        for name, payload in payloads.items()
    }


def _table_payload(payload):
    """The same group with all sorts of ratings and deviations."""
    rng, payload = np.random.default_rng(5), copy.deepcopy(payload)
    for row in payload["players"]:
        row["rating"], row["deviation"] = float(rng.normal(1000, 200)), float(rng.uniform(45, 180))
    return payload


class Page:
    """The page of one group as a person uses it."""

    def __init__(self, browser: Chrome, payload: dict, address: str) -> None:
        self.browser, self.payload, self.address = browser, payload, address
        self.names = {row["id"]: row["name"] for row in payload["players"]}

    def open(self, view: str = "leaderboard") -> None:
        self.browser.get("about:blank")  # else a change of what follows # would be no new start
        self.browser.get(f"{self.address}#{view}")
        self.until(lambda: self.finds("body.ready"))

    def go(self, view: str) -> None:
        """Follow a link within the page."""
        self.browser.execute_script("location.hash = arguments[0]", f"#{view}")
        self.until(lambda: self.find("#view").get_attribute("data-shown") == f"#{view}")

    def at(self) -> str:
        return self.browser.execute_script("return location.hash.slice(1)")

    def until(self, condition, what: str = ""):
        waiting = WebDriverWait(self.browser, WAIT_S, 0.02, [StaleElementReferenceException])
        return waiting.until(lambda _: condition(), what)

    def find(self, selector: str):
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def finds(self, selector: str) -> list:
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def text(self, selector: str = "#view") -> str:
        return self.find(selector).get_attribute("innerText").replace("\u00a0", " ")

    def rows(self, selector: str = "#view") -> list[list[str]]:
        return self.browser.execute_script(ROWS, selector)

    def table(self, label: str) -> list[list[str]]:
        return self.rows(f'#view [aria-label="{label}"]')

    def choose(self, selector: str, value: str) -> None:
        Select(self.find(selector)).select_by_value(value)

    def type(self, selector: str, text: str) -> None:
        self.find(selector).clear()
        self.find(selector).send_keys(text)

    def errors(self) -> list[str]:
        return [entry["message"] for entry in self.browser.get_log("browser")]

    def requests(self) -> list[str]:
        """Addresses that the browser asked for since the last call."""
        messages = [json.loads(entry["message"])["message"] for entry in self.browser.get_log("performance")]
        return [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]

    def traces(self) -> list[dict]:
        return self.browser.execute_script(
            "return document.querySelector('.chart').data.map((t) => ({x: t.x, y: t.y, name: t.text?.[0] ?? null}))"
        )

    def shoot(self, name: str) -> None:
        if SCREENSHOTS:
            Path(SCREENSHOTS).mkdir(parents=True, exist_ok=True)
            self.browser.save_screenshot(str(Path(SCREENSHOTS) / f"dashboard_{name}.png"))


@pytest.fixture
def pages(browser, groups):
    """The page of a group by its name; the logs of earlier tests are gone."""
    for log in ("browser", "performance"):
        browser.get_log(log)
    return lambda name: Page(browser, *groups[name])


@pytest.fixture
def page(pages):
    return pages("plain")


def size(browser, width: int, scheme: str) -> None:
    metrics = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    media = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": media})


@pytest.fixture
def as_it_was(browser):
    yield
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def rounded(value: float, decimals: int) -> Decimal:
    """As the page rounds: by the digits that are shown of a number, halves away from zero."""
    return Decimal(repr(value)).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)


def signed(value: float) -> str:
    value = rounded(value, 1)
    return f"{value:+,.1f}".replace("-", "\u2212") if value else "0.0"


def whole(value: float) -> str:
    return f"{rounded(float(value), 0):,}"


def test_first_the_leaderboard_with_the_provisional_below_a_line(page):
    page.open("")
    assert page.find("nav [aria-current]").text == "Leaderboard"
    shown = page.table("Leaderboard")
    assert [row[1] for row in shown] == [row["name"] for row in page.payload["players"]]
    for row, player in zip(shown, page.payload["players"], strict=True):
        assert row[0] == ("–" if player["provisional"] else str(player["rank"]))
        assert row[2] == whole(player["rating"])
        assert row[4] == f"{whole(player['low'])} to {whole(player['high'])}"
        assert row[5] == str(player["plays_rated"])
        # Not the payload's own share and ends, which are rounded already.
        low, high = (whole(100 * end) for end in share_bounds(player["wins"], player["contests"]))
        assert row[6] == f"{whole(100 * player['wins'] / player['contests'])} %\n{low} to {high} %"
    above = page.browser.execute_script(
        "return document.querySelector('tr.section').parentElement.previousElementSibling.rows.length"
    )
    assert above == sum(not row["provisional"] for row in page.payload["players"])
    dots = [dot.rect["x"] for dot in page.finds(".bar-dot")]
    ratings = [row["rating"] for row in page.payload["players"]]
    assert np.argsort(dots).tolist() == np.argsort(ratings).tolist()
    assert (
        page.browser.execute_script("return typeof window.Plotly") == "undefined"
    )  # it is large, and not needed yet
    assert page.errors() == []


@pytest.mark.parametrize("group", ["awkward", "pseudonyms", "unrated", "empty"])
def test_every_view_of_every_group_opens_asks_nobody_and_runs_no_name(pages, group):
    page = pages(group)
    page.open()
    headings = set()
    for view in VIEWS:
        page.go(view)
        headings.add(page.until(lambda: page.text("#view h2")))
        assert page.text("#view").strip()
    assert len(headings) >= len(LISTS)
    assert page.errors() == []
    asked = page.requests()
    assert (
        asked and [url for url in asked if not url.startswith(("file:///", "data:", "blob:", "about:"))] == []
    )
    assert page.browser.execute_script("return window.broken ?? null") is None


def test_names_are_shown_as_they_are(pages):
    page = pages("awkward")
    page.open()
    assert page.text("#title") == AWKWARD_TITLE
    read = " ".join(page.browser.execute_script("return document.querySelector('#view').textContent").split())
    for name in AWKWARD:
        start = " ".join(name.replace("\u202e", "").split())[:50]
        assert start in read, name
    page.go("lines?who=" + ",".join(page.names))
    assert page.finds("#view :is(img, script, b, iframe)") == []
    # The library takes some markup in texts for its own: it is given none.
    assert all(
        "<a" not in trace["name"] and "<b" not in trace["name"].replace("<br", "")
        for trace in page.traces()
        if trace["name"]
    )
    page.go("games")
    assert AWKWARD_GAME[:30] in page.text() and page.finds("#view svg") == []
    assert page.browser.execute_script("return window.broken ?? null") is None


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_phone_and_desk_light_and_dark(pages, browser, as_it_was, scheme):
    for group, views in (
        ("plain", VIEWS),
        ("awkward", ("leaderboard", "head-to-head", "tonight?who=p1,p2,p3")),
    ):
        page = pages(group)
        size(browser, 1280, scheme)
        page.open("method?fresh")
        for width in (1280, 360):
            size(browser, width, scheme)
            for view in views:
                page.go(view)
                page.shoot(f"{group}_{re.sub('[^a-z0-9]+', '-', view)}_{width}_{scheme}")
                assert browser.execute_script("return document.documentElement.scrollWidth") <= width, view
                assert browser.execute_script(CONTRAST) == [], view
                assert browser.execute_script(UNNAMED) == [], view
        assert page.errors() == []


def test_the_colours_follow_the_device_while_the_page_is_open(page, browser, as_it_was):
    size(browser, 1280, "light")
    page.open("player-p1")
    paper = "return document.querySelector('.chart').layout.paper_bgcolor"
    light = browser.execute_script(paper)
    size(browser, 1280, "dark")
    page.until(lambda: browser.execute_script(paper) != light)
    panel = browser.execute_script(
        "return getComputedStyle(document.documentElement).getPropertyValue('--panel')"
    )
    assert browser.execute_script(paper) == panel.strip()


def test_a_season_restricts_counts_and_changes_but_no_rating(page):
    page.open()
    whole_board = page.table("Leaderboard")
    page.choose("#season-choice", "2024")
    page.until(lambda: "season=2024" in page.at())
    events = {event["play"]: event for event in page.payload["events"]}
    season = [play for play in page.payload["play_log"] if play["date"].startswith("2024")]
    assert 0 < len(season) < len(page.payload["play_log"])
    rated = sum(play["rated"] for play in season)
    assert page.text("#season-said") == f"{len(season)} plays, {rated} rated. Ratings are of all plays."
    ratings = {row[1]: row[2] for row in whole_board}
    for row in page.table("Leaderboard"):
        (key,) = [key for key, name in page.names.items() if name == row[1]]
        seats = [
            s for play in season if play["rated"] for s in events[play["id"]]["seats"] if s["player"] == key
        ]
        logged = sum(key in {seat["player"] for seat in play["seats"]} for play in season)
        assert row[2] == ratings[row[1]]
        assert row[5] == signed(sum(seat["change"] for seat in seats))
        assert (row[6], row[9]) == (str(len(seats)), str(logged))
    page.browser.refresh()
    page.until(lambda: page.finds("body.ready"))
    assert (
        page.find("#season-choice").get_attribute("value") == "2024"
        and len(page.table("Leaderboard")[0]) == 11
    )
    # From the first day to the last it is the whole log, as the payload itself counts it.
    page.choose("#season-choice", "custom")
    page.until(lambda: page.find("#season-from").is_displayed())
    assert page.find("#season-from").get_attribute("value") == page.payload["group"]["from"]
    custom = page.table("Leaderboard")
    assert [row[:5] + row[6:] for row in custom] == whole_board
    page.go("leaderboard?season=custom&from=2024-06-01&to=2024-01-01")
    assert "The first day is after the last" in page.text("#season-said")
    assert "Nobody played in this season." in page.text()
    page.go("leaderboard?season=1999&from=x")
    assert page.table("Leaderboard") == whole_board and page.errors() == []


def test_search_filters_and_pages_of_the_play_log(page):
    log = page.payload["play_log"]
    page.open("plays")

    def said():
        return page.text("#play-count").split(":")[0]

    assert said() == f"{len(log)} plays" and len(page.rows("#play-list")) == 50
    page.find("[data-step=next]").click()
    assert len(page.rows("#play-list")) == len(log) - 50
    ada = next(key for key, name in page.names.items() if name == "Ada")
    hers = [play for play in log if ada in {seat["player"] for seat in play["seats"]}]
    page.type("#play-search", "ADA")
    page.until(lambda: said() == f"{len(hers)} plays")
    game = next(row for row in page.payload["games"] if row["name"] == "Nine Foxes")
    both = [play for play in hers if play["game"] == game["id"]]
    page.type("#play-search", "foxes  ada")
    page.until(lambda: said() == f"{len(both)} plays")
    assert all(row[1].startswith("Nine Foxes") for row in page.rows("#play-list"))
    page.type("#play-search", log[7]["date"][:10])
    same_day = [play for play in log if play["date"][:10] == log[7]["date"][:10]]
    page.until(lambda: len(page.rows("#play-list")) == len(same_day))
    page.find("#play-search").clear()
    page.type("#play-search", "nobody of this name")
    page.until(lambda: "No play fits." in page.text())
    page.type("#play-search", " ")
    for show, kept in (
        ("rated", [play for play in log if play["rated"]]),
        ("unrated", [play for play in log if not play["rated"]]),
        ("flagged", [play for play in log if play["flags"]]),
    ):
        page.choose("#play-show", show)
        assert kept and said() == f"{len(kept)} play{'s' if len(kept) != 1 else ''}"
    page.choose("#play-show", "")
    reason = page.payload["rejections"][0]
    page.choose("#play-reason", reason["reason"])
    assert said() == f"{reason['plays']} plays"
    assert all("not rated" in row[-1] for row in page.rows("#play-list"))
    page.browser.refresh()
    page.until(lambda: page.finds("body.ready"))
    assert (
        said() == f"{reason['plays']} plays"
        and page.find("#play-reason").get_attribute("value") == reason["reason"]
    )
    page.go("method")
    page.find("#view tbody a").click()
    page.until(lambda: page.at().startswith("plays?reason="))
    assert said() == f"{reason['plays']} plays" and page.errors() == []


def test_the_favourite_is_that_of_the_library(pages):
    page = pages("table")
    page.open("tonight")
    assert "Choose at least two" in page.text("#chances")
    rng = np.random.default_rng(11)
    state = {row["id"]: (row["rating"], row["deviation"]) for row in page.payload["players"]}
    start = (page.payload["group"]["settings"][key] for key in ("start", "deviation"))
    newcomer = tuple(start)
    for _ in range(12):
        who = rng.choice(sorted(state), int(rng.integers(1, len(state) + 1)), replace=False).tolist()
        guests = int(rng.integers(0 if len(who) > 1 else 1, 3))
        page.go(f"tonight?who={','.join(who)}" + (f"&guests={guests}" if guests else ""))
        table = [state[key] for key in who] + [newcomer] * guests
        names = [page.names[key] for key in who]
        names += ["Guest"] if guests == 1 else [f"Guest {n + 1}" for n in range(guests)]
        wins = dict(zip(names, win_chances(*zip(*table, strict=True)), strict=True))
        ranks = dict(zip(names, expected_ranks(*zip(*table, strict=True)), strict=True))
        shown = page.table("Chances at the table")
        assert sorted(row[0] for row in shown) == sorted(names)
        for name, chance, span, place, *_ in shown:
            assert float(chance.rstrip(" %")) / 100 == pytest.approx(wins[name], abs=0.0051), (who, guests)
            assert float(place) == pytest.approx(ranks[name], abs=0.051)
            low, high = (float(end) / 100 for end in re.fullmatch(r"(\d+) to (\d+) %", span).groups())
            assert low - 0.006 <= wins[name] <= high + 0.006
        assert sum(float(row[1].rstrip(" %")) for row in shown) == pytest.approx(100, abs=len(shown) / 2)
    assert page.errors() == []


def test_choosing_the_table_by_hand_stays_in_the_address(page):
    page.open("tonight")
    first, second = list(page.names)[:2]
    for key in (first, second):
        page.find(f'.picks input[value="{key}"]').click()
    page.until(lambda: page.at() == f"tonight?who={first},{second}")
    page.type("#guests", "2")
    page.until(lambda: page.at().endswith("guests=2") and len(page.table("Chances at the table")) == 4)
    page.browser.refresh()
    page.until(lambda: page.finds("body.ready"))
    assert len(page.table("Chances at the table")) == 4
    page.find(".buttons button:last-child").click()
    page.until(lambda: len(page.table("Chances at the table")) == 2)
    assert "Nobody: at an even table everybody has 50 %." in page.text("#chances")


def test_lines_over_time_and_playing_time_with_bands(page):
    first, second = list(page.names)[:2]
    page.open(f"lines?who={first},{second}&others=no")
    series = page.payload["series"]
    assert [len(page.traces()), page.traces()[2]["y"][: len(series[first]["rating"])]] == [
        6,
        series[first]["rating"],
    ]
    ends = [trace["y"][-1] for trace in page.traces()]
    player = page.payload["players"][0]
    assert ends[:3] == pytest.approx([player["low"], player["high"], player["rating"]], abs=0.01)
    page.find('input[value="hours"]').click()
    page.until(lambda: page.traces()[2]["x"][: len(series[first]["hours"])] == series[first]["hours"])
    page.find(".tick input").click()
    page.until(lambda: len(page.traces()) == 2)
    page.browser.refresh()
    page.until(lambda: page.finds("body.ready"))
    assert len(page.traces()) == 2 and page.traces()[0]["x"][0] == series[first]["hours"][0]
    page.choose("#season-choice", "2024")
    page.until(lambda: len(page.traces()[0]["x"]) < len(series[first]["hours"]))
    inside = [
        r for r, date in zip(series[first]["rating"], series[first]["date"], strict=True) if date >= "2024"
    ]
    assert page.traces()[0]["y"][1 : len(inside) + 1] == inside  # after what the player came with
    rows = page.table("The lines in numbers")
    assert [row[0].split("\n")[-1] for row in rows] == [page.names[first], page.names[second]]
    assert rows[0][1] == str(len(inside)) and rows[0][4] == signed(inside[-1] - page.traces()[0]["y"][0])
    titles = [button.get_attribute("data-title") for button in page.finds(".modebar-btn")]
    assert len(titles) == 6 and not [
        title for title in titles if re.search("share|cloud|edit|produced", title, re.I)
    ]
    assert page.errors() == []


def test_the_page_of_a_player(page):
    player = [row for row in page.payload["players"] if row["cooperative_plays"]][
        -1
    ]  # second in most meetings
    key, name = player["id"], player["name"]
    page.open(f"player-{key}")
    page.browser.refresh()
    page.until(lambda: page.finds("body.ready"))
    assert page.text("#view h2") == name and page.browser.title == f"{name} – Thursday table"
    text = page.text()
    won, n = player["cooperative_wins"], player["cooperative_plays"]
    assert f"{n} play{'s' if n > 1 else ''} against the game, {won} won" in text
    assert f"{player['wins']} of {player['contests']}" in text
    games = {row[0]: row for row in page.table(f"Games of {name}")}
    for row in player["games"]:
        shown = games[next(game["name"] for game in page.payload["games"] if game["id"] == row["game"])]
        assert shown[1:3] == [str(row["plays_logged"]), str(row["plays"])]
        assert shown[4].split("\n")[0] == (
            "–" if row["pair_score"] is None else f"{whole(100 * row['pair_score'])} %"
        )
    met = [row for row in page.payload["head_to_head"] if key in (row["a"], row["b"])]
    opponents = {row[0]: row[1:] for row in page.table(f"Opponents of {name}")}
    assert len(opponents) == len(met) <= 15
    for row in met:
        first = row["a"] == key
        wins, losses = (row["wins"], row["losses"]) if first else (row["losses"], row["wins"])
        shown = opponents[page.names[row["b" if first else "a"]]]
        assert shown[:3] == [str(row["plays"]), str(wins), str(losses)]
        seen = [row[part] for part in ("score", "low", "high")]
        if not first:
            seen = [1 - row[part] for part in ("score", "high", "low")]
        score, low, high = (whole(100 * share) for share in seen)
        assert shown[5] == f"{score} %\n{low} to {high} %"
    moves = [s for event in page.payload["events"] for s in event["seats"] if s["player"] == key]
    plays = page.table(f"Rated plays of {name}")
    assert [row[5] for row in plays] == [signed(seat["change"]) for seat in moves[::-1][:15]]
    other = next(other for other in page.names if other != key)
    page.choose("#player-choice", other)
    page.until(lambda: page.at() == f"player-{other}" and page.text("#view h2") == page.names[other])
    page.go("player-p999")
    assert "No such player" in page.text() and page.errors() == []


def test_head_to_head_from_both_sides(page):
    row = max(page.payload["head_to_head"], key=lambda row: row["n"])
    a, b = page.names[row["a"]], page.names[row["b"]]
    page.open(f"head-to-head?who={row['a']},{row['b']}")
    cells = [cell.get_attribute("title") for cell in page.finds(".matrix td[title]")]
    bounds = [whole(100 * row[end]) for end in ("low", "high")]
    assert cells[0].replace("\u00a0", " ") == (
        f"{a} against {b}: {whole(100 * row['score'])} % of {row['n']}, 95 %: {' to '.join(bounds)} %"
    )
    turned = [whole(100 * (1 - row[end])) for end in ("high", "low")]
    assert cells[1].replace("\u00a0", " ") == (
        f"{b} against {a}: {whole(100 * (1 - row['score']))} % of {row['n']}, 95 %: {' to '.join(turned)} %"
    )
    page.type("#pair-search", f"{a} {b}")
    page.until(lambda: len(page.table("Every pair that met in a rated play")) == 1)
    shown = page.table("Every pair that met in a rated play")[0]
    counts = [str(row[name]) for name in ("plays", "wins", "losses", "ties", "unresolved")]
    assert shown[:7] == [a, b, *counts] and shown[8] == f"{whole(100 * row['expected'])} %"


def test_the_page_of_a_play_has_every_seat(page):
    guests = {
        play["id"]: [seat["rank"] for seat in play["seats"] if seat["player"] is None]
        for play in page.payload["play_log"]
        if play["rated"]
    }
    key = next(
        key for key, ranks in guests.items() if ranks != sorted(ranks)
    )  # not logged in the order of the event
    event = next(event for event in page.payload["events"] if event["play"] == key)
    play = next(play for play in page.payload["play_log"] if play["id"] == key)
    page.open(f"play-{play['id']}")
    shown = page.table("Seats")
    assert sorted(row[:3] for row in shown) == sorted(
        [str(seat["rank"]), page.names.get(seat["player"], "Guest"), seat["score"]] for seat in play["seats"]
    )
    changes = {page.names[s["player"]]: signed(s["change"]) for s in event["seats"] if s["player"]}
    assert {row[1]: row[7] for row in shown if row[1] != "Guest"} == changes
    assert [row[7] for row in shown if row[1] == "Guest"] == ["–", "–"]
    beaten = [
        (seat["rank"], "–" if seat["actual"] is None else f"{whole(100 * seat['actual'])} %")
        for seat in event["seats"]
    ]
    assert sorted((int(row[0]), row[6]) for row in shown) == sorted(beaten)


def test_plays_and_pairs_of_the_judgement_are_told_apart(page):
    page.open("method")
    (row,) = page.payload["judgement"]
    assert row["n"] < row["games"]  # units, which are plays here, and pairs
    heads = [
        cell.get_attribute("innerText").split("\n")[0].strip()
        for cell in page.finds("#view [aria-label='How good the forecasts were'] thead th")
    ]
    shown = dict(zip(heads, page.table("How good the forecasts were")[0], strict=True))
    assert (shown["Plays"], shown["Pairs"]) == (str(row["n"]), str(row["games"]))


def test_groups_without_a_rated_play_are_shown_sensibly(pages):
    page = pages("unrated")
    page.open()
    assert "No play could be rated yet" in page.text() and len(page.table("Leaderboard")) == len(page.names)
    page.go("lines")
    assert "No rated play of the chosen players" in page.text() and not page.find(".chart").is_displayed()
    page.go("method")
    assert page.rows("#view [aria-label='Plays not rated, by reason']")[0][:2] == ["cooperative game", "30"]
    page = pages("empty")
    page.open()
    assert "No play has been logged yet." in page.text() and not page.find("#season").is_displayed()
    page.go("lines")
    assert "No play has been logged yet." in page.text() and "in this season" not in page.text()
    page.go("tonight?guests=3")
    assert [row[1] for row in page.table("Chances at the table")] == ["33 %"] * 3


def test_the_page_by_keyboard(page):
    page.open()

    def focused():
        return page.browser.switch_to.active_element

    page.find("body").send_keys(Keys.TAB)
    assert focused().text == "Skip to the content"
    focused().send_keys(Keys.ENTER)
    assert focused().get_attribute("id") == "main" and page.at() == "leaderboard"
    focused().send_keys(Keys.TAB)
    assert focused().get_attribute("id") == "season-choice"
    focused().send_keys(Keys.TAB)
    assert focused().get_attribute("aria-label") == "Leaderboard"  # the table can be scrolled by keys
    focused().send_keys(Keys.TAB)
    assert focused().text == "Player"
    focused().send_keys(Keys.ENTER)
    heading = page.find("th[aria-sort]")
    assert heading.get_attribute("aria-sort") == "ascending" and focused().text.startswith("Player")
    part = sum(not row["provisional"] for row in page.payload["players"])
    names = [row[1] for row in page.table("Leaderboard")]
    assert names[:part] == sorted(names[:part]) and names[part:] == sorted(names[part:])
    focused().send_keys(Keys.ENTER)
    assert page.find("th[aria-sort]").get_attribute("aria-sort") == "descending"
    assert [row[1] for row in page.table("Leaderboard")][:part] == sorted(names[:part], reverse=True)
    outline = page.browser.execute_script("return getComputedStyle(document.activeElement).outlineWidth")
    assert outline == "3px" and page.errors() == []


def test_real_exports_open_and_their_seasons_add_up(browser, tmp_path):
    folder = os.environ.get("LUDOMETRICS_EXTRA_DATA")
    places = (Path(folder), Path(folder) / "bgstats") if folder else ()
    paths = sorted(path for place in places for path in place.glob("export_*.json"))
    if not paths:
        pytest.skip("LUDOMETRICS_EXTRA_DATA names no folder with exports: 4 of them are skipped")
    # One preset an export, in turn: the published one rates cooperative and team plays too.
    for number, path in enumerate(paths):
        rated = rate_log(read_log([path]), preset(("bgelo", "tuned")[number % 2]))
        payload = build_payload(rated)  # not rounded, so that sums of it round as the payload's own numbers
        page = Page(browser, payload, write_dashboard(payload, tmp_path / f"{path.stem}.html").as_uri())
        page.errors()
        page.open()
        board = page.table("Leaderboard")
        assert len(board) == len(payload["players"])
        group = payload["group"]
        page.go(f"leaderboard?season=custom&from={group['from']}&to={group['to']}")
        assert [row[:5] + row[6:] for row in page.table("Leaderboard")] == board
        for view in VIEWS:
            page.go(view)
            assert page.text("#view h2")
        assert page.errors() == []
