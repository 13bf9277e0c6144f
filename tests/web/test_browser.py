"""The page in a real browser: Debian's Chromium with its driver, headless; skipped where they are not there.

With LUDOMETRICS_SCREENSHOTS set to a folder, pictures of the page are saved in it to be looked at.
"""

import json
import os
import shutil
import threading
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

pytest.importorskip("flask", reason="the page needs the extra web")
pytest.importorskip("selenium", reason="tests in a browser need selenium")

from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait
from werkzeug.middleware.dispatcher import DispatcherMiddleware
from werkzeug.serving import WSGIRequestHandler, make_server

from ludometrics.draughts import Level, choose_move, legal_moves, parse_fen
from ludometrics.gamelog import fold_name
from ludometrics.web.app import create_app
from ludometrics.web.club import Club

WAIT_S = 15
STRONG = Level(7)
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
# Opens with a forced exchange after which White jumps twice: 22x15x6.
TO_DOUBLE_JUMP = [[9, 13], [23, 18], [6, 9], [18, 14], [9, 18]]
SIGNS = {"empty": ".", "black man": "b", "black king": "B", "white man": "w", "white king": "W"}
SQUARES = """return [...document.querySelectorAll('.square')].map((button) => ({
    square: Number(button.dataset.square), label: button.getAttribute('aria-label'),
    marks: [...button.classList], tab: button.tabIndex}))"""
WITH_TEXT = (
    "p, h1, h2, h3, a, legend, label, small, th, td, button, li, summary, strong, .number, .pills span, .turn"
)
# Contrast of text with what is painted behind it, as in WCAG 2.1; answers what is below 4.5.
CONTRAST = """
const part = (v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
const light = ([r, g, b]) => 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
const rgba = (text) => text.match(/[\\d.]+/g).map(Number);
const poor = [];
for (const element of document.querySelectorAll(arguments[0])) {
  if (!element.checkVisibility() || element.textContent.trim() === "") continue;
  let behind = element, paint = [0, 0, 0, 0];
  while (behind && (paint = rgba(getComputedStyle(behind).backgroundColor))[3] === 0) behind = behind.parentElement;
  const [a, b] = [rgba(getComputedStyle(element).color), paint].map(light).sort((x, y) => y - x);
  const ratio = (a + 0.05) / (b + 0.05);
  if (ratio < 4.5) poor.push(`${element.tagName} ${element.id} ${element.className}: ${ratio.toFixed(2)}`);
}
return poor;"""


class Quiet(WSGIRequestHandler):
    def log(self, *_):
        pass


class Site(NamedTuple):
    url: str
    folder: Path

    def content(self) -> bytes:
        return b"\n".join(path.read_bytes() for path in sorted(self.folder.rglob("*")) if path.is_file())


@pytest.fixture
def site(tmp_path):
    """A server of its own for the test; the same application also stands under /x/."""
    folder = tmp_path / "games"
    # A stream with which the whole game below is a short one.
    app = create_app(folder, club=Club(folder, rng=np.random.default_rng(1)))
    server = make_server(
        "127.0.0.1", 0, DispatcherMiddleware(app, {"/x": app}), threaded=True, request_handler=Quiet
    )
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    yield Site(f"http://127.0.0.1:{server.server_port}/", folder)
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not (chromium and driver):
        pytest.skip("no chromium with chromedriver on this machine (Debian: apt install chromium-driver)")
    os.environ["SE_OFFLINE"] = "true"  # it would look for a driver elsewhere
    kept = tmp_path_factory.mktemp("kept")
    options = ChromeOptions()
    options.binary_location = chromium
    for argument in CHROMIUM:
        options.add_argument(f"--{argument}")
    options.add_experimental_option("prefs", {"download.default_directory": str(kept)})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = Chrome(options=options, service=Service(executable_path=driver))
    browser.kept = kept
    yield browser
    browser.quit()


class Page:
    """The page as a person uses it."""

    def __init__(self, browser: Chrome, url: str) -> None:
        self.browser = browser
        self.open(url)

    def open(self, url: str) -> None:
        self.browser.get(url)
        self.until(lambda: self.browser.find_elements(By.CSS_SELECTOR, "body.ready"))

    def until(self, condition, what: str = ""):
        waiting = WebDriverWait(self.browser, WAIT_S, 0.02, [StaleElementReferenceException])
        return waiting.until(lambda _: condition(), what)

    def find(self, selector: str):
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def click(self, selector: str) -> None:
        element = self.find(selector)
        self.browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
        element.click()

    def fill(self, selector: str, text: str) -> None:
        self.find(selector).clear()
        self.find(selector).send_keys(text)

    def choose(self, name: str, value: str) -> None:
        self.click(f'input[name="{name}"][value="{value}"]')

    def start(self, name: str, level: str = "easy", colour: str = "b") -> None:
        self.choose("mode", "computer")
        self.fill("#name", name)
        self.choose("level", level)
        self.choose("colour", colour)
        self.click("#start")
        self.ready()

    def start_two(self, black: str, white: str) -> None:
        self.choose("mode", "two")
        self.fill("#name", black)
        self.fill("#name2", white)
        self.click("#start")
        self.ready()

    def resign(self) -> None:
        self.click("#resign")
        self.click("#question-yes")
        self.until(self.find("#rematch").is_displayed)

    def ready(self) -> None:
        """Wait until the form is gone and no answer is outstanding."""
        self.until(
            lambda: self.browser.execute_script(
                "return document.getElementById('setup').hidden"
                " && document.getElementById('board').getAttribute('aria-busy') === 'false'"
            )
        )

    def press(self, *squares: int) -> None:
        for square in squares:
            self.find(f'[data-square="{square}"]').click()

    def play(self, path) -> None:
        self.press(*path)
        self.ready()

    def squares(self) -> dict[int, dict]:
        return {entry["square"]: entry for entry in self.browser.execute_script(SQUARES)}

    def marked(self, mark: str) -> set[int]:
        return {number for number, entry in self.squares().items() if mark in entry["marks"]}

    def board(self) -> str:
        """The 32 squares as the labels name them."""
        return "".join(SIGNS[entry["label"].split(", ")[1]] for _, entry in sorted(self.squares().items()))

    def position(self, turn: str):
        """The board with the side to move, in the form of the rules."""
        board = enumerate(self.board(), 1)
        pieces = [(sign.lower(), f"{'K' if sign.isupper() else ''}{square}") for square, sign in board]
        sides = [f"{side.upper()}{','.join(at for owner, at in pieces if owner == side)}" for side in "wb"]
        return parse_fen(f"{turn.upper()}:{sides[0]}:{sides[1]}")

    def legal(self, turn: str) -> list[list[int]]:
        """Paths of the moves that the rules allow."""
        return [list(move.path) for move in legal_moves(self.position(turn))]

    def status(self) -> str:
        return self.browser.execute_script("return document.getElementById('status').innerText")

    def says(self, words: str) -> None:
        self.until(lambda: words in self.status(), f"status with {words!r}")

    def moves(self) -> list[str]:
        return self.browser.execute_script(
            "return [...document.querySelectorAll('#moves span')].map((move) => move.textContent)"
        )

    def table(self, name: str) -> dict[str, list[str]]:
        rows = self.browser.execute_script(
            "return [...document.getElementById(arguments[0]).tBodies[0].rows]"
            ".map((row) => [...row.cells].map((cell) => cell.textContent))",
            name,
        )
        return {row[0]: row[1:] for row in rows}

    def kept(self) -> dict[str, str]:
        return self.browser.execute_script("return {...localStorage}")

    def send(self, route: str, body: dict) -> dict:
        """Ask the server past the page, as another device would."""
        return self.browser.execute_async_script(
            "const [route, body, done] = arguments; fetch(route, {method: 'POST', body: JSON.stringify(body), "
            "headers: {'Content-Type': 'application/json'}}).then((answer) => answer.json()).then(done)",
            route,
            body,
        )

    def secret(self) -> dict[str, str]:
        game = json.loads(self.kept()["draughts.game"])
        return {"id": game["id"], "key": game["key"]}

    def errors(self) -> list[str]:
        return [entry["message"] for entry in self.browser.get_log("browser")]

    def shoot(self, name: str) -> None:
        if SCREENSHOTS:
            Path(SCREENSHOTS).mkdir(parents=True, exist_ok=True)
            self.browser.save_screenshot(str(Path(SCREENSHOTS) / f"{name}.png"))


@pytest.fixture
def page(browser, site):
    """The page, on a device that remembers nothing."""
    browser.get_log("browser")
    origin = {
        "origin": site.url.rstrip("/"),
        "storageTypes": "local_storage",
    }  # of an earlier test with this port
    browser.execute_cdp_cmd("Storage.clearDataForOrigin", origin)
    return Page(browser, site.url)


def test_a_whole_game_by_clicks_to_its_end_and_the_tables_afterwards(page):
    assert page.find("#today-none").text == page.find("#ratings-none").text == "No rated games yet"
    page.start("Ada")
    rng = np.random.default_rng(7)
    for _ in range(60):
        position = page.position("b")
        legal = legal_moves(position)
        assert page.marked("movable") == {move.path[0] for move in legal}
        assert ("You must capture." in page.status()) == bool(legal[0].captures)
        page.play(choose_move(position, STRONG, rng=rng).path)
        if page.find("#rematch").is_displayed():
            break
    else:
        page.resign()
    result = page.find("#message").text
    assert "won: " in result or "Drawn: " in result
    assert "Saved" in page.status()
    page.until(lambda: "Ada" in page.table("ratings"))
    [played, won, drawn, lost, points] = map(int, page.table("today")["Ada"])
    assert (played, won + drawn + lost, points) == (1, 1, 3 * won + drawn)
    elo, games, glicko, interval = page.table("ratings")["Ada"]
    low, high = map(int, interval.split("–"))
    assert elo == f"{1200 + 16 * (won - lost)}*" and games == "1" and low < int(glicko) < high
    computers = [cell.text for cell in page.browser.find_elements(By.CSS_SELECTOR, ".computer")]
    assert computers == ["Computer (Low)", "Computer (Low)"]
    assert not page.find("#today-none").is_displayed() and page.find("#ratings-foot").is_displayed()
    assert page.errors() == []
    page.shoot("after_a_game")
    page.click("#rematch")
    page.until(lambda: len(page.moves()) == 1)  # colours swapped: the computer is Black and has begun
    assert page.find("#plate-near").text.startswith("Ada\nWhite")
    assert "played" in page.status() and "Your turn (White)." in page.status()


def test_a_multi_jump_goes_square_by_square(page):
    page.start_two("Ann", "Bob")
    assert page.find("#plate-near").text == "Ann\nBlack\nto move\n12 pieces"
    page.press(16)
    page.says("Choose one of your pieces first.")
    page.press(1)
    page.says("That piece cannot move.")
    page.press(23)
    page.says("That piece is not yours to move.")
    page.press(9)
    page.says("Black to move: Ann.")
    assert page.marked("selected") == {9} and page.marked("target") == {13, 14}
    page.press(15)
    page.says("That piece cannot move there.")
    page.press(9)
    assert page.marked("selected") == set()
    for path in TO_DOUBLE_JUMP[:4]:
        page.play(path)
    assert "Bob played 18-14. Black to move: Ann. You must capture." in page.status()
    page.press(11)
    page.says("You must capture with another piece.")
    page.press(9, 6)
    page.says("You must capture.")
    page.play([18])
    before = page.board()
    page.press(22, 15)
    page.says("Keep jumping.")
    assert page.marked("target") == {6} and page.marked("taken") == {18} and page.marked("selected") == {15}
    page.shoot("keep_jumping")
    page.press(24)
    page.says("Keep jumping.")
    page.find("#board").find_element(By.CSS_SELECTOR, '[tabindex="0"]').send_keys(Keys.ESCAPE)
    assert page.board() == before and page.marked("selected") == set()
    page.play([22, 15, 6])
    assert (
        page.moves()[-1] == "22x6" and page.marked("last-from") == {22, 15} and page.marked("last-to") == {6}
    )
    assert page.find("#plate-near").text.endswith("10 pieces") and page.find("#plate-far").text.endswith(
        "11 pieces"
    )
    assert page.errors() == []


def test_the_last_square_of_a_jump_will_do(page):
    page.start_two("Ann", "Bob")
    for path in TO_DOUBLE_JUMP:
        page.play(path)
    page.play([22, 6])
    assert page.moves()[-1] == "22x6"


PRESSES = [  # position, squares pressed, what the last press answers
    ("B:WK14,K15,K22,K23:BK19", [19, 19], {"kind": "cleared"}),
    ("B:WK14,K15,K22,K23:BK19", [19, 26, 17, 10, 19], {"kind": "move", "path": [19, 26, 17, 10, 19]}),
    ("B:WK14,K15,K22,K23:BK19", [19, 26, 19], {"kind": "move", "path": [19, 26, 17, 10, 19]}),
    ("B:WK14,K15,K16,K21,K23,K24:BK11", [11, 9], {"kind": "refused", "why": "ambiguous"}),
    ("B:WK14,K15,K16,K21,K23,K24:BK11", [11, 18, 9], {"kind": "move", "path": [11, 18, 9]}),
    ("B:WK3,K17,K18,K25,K26,K27:BK32", [32, 23], {"kind": "jumping"}),
    ("B:WK3,K17,K18,K25,K26,K27:BK32", [32, 23, 5], {"kind": "refused", "why": "jumping"}),
]


def test_presses_on_routes_that_cross(page):
    for fen, pressed, answer in PRESSES:
        position = parse_fen(fen)
        signs = "".join(
            "B" if position.black >> bit & 1 else "W" if position.white >> bit & 1 else "."
            for bit in range(32)
        )
        legal = [{"path": move.path, "captures": move.captures} for move in legal_moves(position)]
        got = page.browser.execute_async_script(
            "const [legal, signs, pressed, done] = arguments; import('/static/js/choice.js').then(({Choice}) => {"
            "const choice = new Choice(legal, signs, 'b'); let last;"
            "for (const square of pressed) last = choice.press(square);"
            "done({kind: last.kind, why: last.why, path: last.move?.path});})",
            legal,
            signs,
            pressed,
        )
        assert {name: value for name, value in got.items() if value is not None} == answer, (fen, pressed)


def test_match_me_shows_the_level_and_why(page):
    page.start("Newcomer", level="match")
    status = page.status()
    assert "Matched with Level" in status and "(rated " in status
    assert "first game" in status and "Your rating: 1200, still settling; expected score 0." in status
    page.shoot("match_me")
    page.play([9, 13])
    assert "Matched with Level" in page.status()  # it stays in sight
    assert page.errors() == []


def test_a_move_taken_back_makes_the_game_unrated(page, site):
    page.start("Undone")
    page.play([11, 15])
    page.click("#undo")
    page.click("#question-no")
    assert len(page.moves()) == 2
    page.click("#undo")
    assert "not rated" in page.find("#question-text").text
    page.click("#question-yes")
    page.until(lambda: page.moves() == [])
    page.says("Not rated: a move was taken back.")
    assert page.find("#undo").get_attribute("disabled") is not None
    page.resign()
    page.says("not rated")
    assert "Undone" not in page.table("today") and "Undone" not in page.table("ratings")
    assert not list(site.folder.glob("scores-*")) and len(list(site.folder.glob("unrated-*"))) == 1


def test_a_reload_loses_nothing(page, site):
    page.start("Reloaded", colour="w")
    path = next(iter(page.marked("movable")))
    page.press(path)
    page.play([min(page.marked("target"))])
    before = page.moves(), page.board(), page.find("#plate-near").text, page.secret()
    page.open(site.url)
    page.ready()
    assert (page.moves(), page.board(), page.find("#plate-near").text, page.secret()) == before
    page.resign()
    page.says("resigned")
    page.open(site.url)
    page.says("resigned")  # it can still be looked at, and played again
    page.click("#new")
    assert page.find("#setup").is_displayed() and page.find("#name").get_attribute("value") == "Reloaded"
    assert "draughts.game" not in page.kept()


def test_a_game_that_is_gone_is_said_to_be(page, site):
    page.start("Gone")
    for path in (site.folder / "live").iterdir():
        path.unlink()
    page.press(9, 13)
    page.says("no longer kept")
    assert page.find("#setup").is_displayed() and "draughts.game" not in page.kept()


def test_two_tabs_stay_in_step(page, browser, site):
    page.start("Twin")
    page.play([9, 13])
    first = browser.current_window_handle
    browser.switch_to.new_window("tab")
    try:
        page.open(site.url)
        page.ready()
        page.play(page.legal("b")[0])
        moves = page.moves()
    finally:
        browser.close()
        browser.switch_to.window(first)
    page.until(lambda: page.moves() == moves)  # told by the other tab
    path = page.legal("b")[0]
    sent = {**page.secret(), "ply": len(moves), "path": path}
    page.send("move", sent)  # from elsewhere: this page is not told
    page.press(*path)  # the same move is no conflict
    page.until(lambda: len(page.moves()) == len(moves) + 2)
    while len(page.legal("b")) == 1:  # nothing to choose between
        page.play(page.legal("b")[0])
    (path, other), seen = page.legal("b")[:2], len(page.moves())
    page.send("move", {**page.secret(), "ply": seen, "path": path})
    page.press(*other)
    page.says("another tab")
    assert len(page.moves()) == seen + 2


def test_the_computer_is_seen_thinking(page, browser):
    page.start("Patient")
    browser.execute_script(
        "const real = window.fetch; const wait = new Promise((go) => { window.answer = go; });"
        "window.fetch = async (...all) => { const answer = await real(...all); await wait; return answer; };"
    )
    page.press(11, 15)
    page.says("Computer (Low) is thinking …")
    squares = page.squares()
    assert page.find("#board").get_attribute("aria-busy") == "true" and page.marked("movable") == set()
    assert squares[15]["label"].startswith("square 15, black man")
    assert squares[11]["label"].startswith("square 11, empty")
    page.press(9)
    assert page.marked("selected") == set()
    browser.execute_script("window.answer()")
    page.ready()
    page.says("Your turn (Black).")
    assert len(page.moves()) == 2


def test_a_lost_answer_can_be_asked_for_again(page, browser):
    page.start("Unlucky")
    browser.execute_script(
        "const real = window.fetch; window.fetch = async (...all) => {"
        "  await real(...all); window.fetch = real; throw new TypeError('cut'); }"
    )  # the move arrives, its answer does not
    page.press(11, 15)
    page.until(page.find("#trouble").is_displayed)
    assert (
        "cannot be reached" in page.find("#trouble-text").text
        and page.find("#trouble").get_attribute("role") == "alert"
    )
    page.says("press Retry")
    page.press(9)
    assert page.marked("selected") == set()
    page.click("#retry")
    page.until(lambda: len(page.moves()) == 2)
    assert page.moves()[0] == "11-15" and not page.find("#trouble").is_displayed()
    browser.execute_script("window.fetch = () => Promise.reject(new TypeError('cut'))")
    page.press(9, 13)
    page.until(page.find("#trouble").is_displayed)


def test_the_board_by_keyboard(page, browser):
    def keys(*pressed):
        for key in pressed:
            browser.switch_to.active_element.send_keys(key)

    def focused():
        return browser.switch_to.active_element.get_attribute("data-square")

    page.find("#name").send_keys("Keys", Keys.ENTER)  # Enter starts the game
    page.ready()
    assert [number for number, entry in page.squares().items() if entry["tab"] == 0] == [
        9
    ] and focused() == "9"
    keys(Keys.ARROW_LEFT)
    assert focused() == "10"  # Black's side is at the bottom, so the numbers run from right to left
    assert browser.switch_to.active_element.get_attribute("aria-label") == "square 10, black man, can move"
    keys(Keys.SPACE)
    assert page.marked("selected") == {10}
    keys(Keys.ESCAPE)
    assert page.marked("selected") == set()
    keys(Keys.ENTER, Keys.ARROW_UP)
    assert focused() == "14"
    assert (
        browser.switch_to.active_element.get_attribute("aria-label") == "square 14, empty, you can move here"
    )
    page.shoot("keyboard")
    assert browser.execute_script("return getComputedStyle(document.activeElement).outlineWidth") == "3px"
    keys(Keys.ENTER)
    page.until(lambda: len(page.moves()) == 2)
    page.ready()
    assert focused() == "14"
    page.find("#flip").click()
    page.press(14)
    keys(Keys.ESCAPE, Keys.HOME)
    assert focused() == "13"
    order = []
    for _ in range(4):
        keys(Keys.TAB)
        order.append(browser.switch_to.active_element.get_attribute("id"))
    assert order[:3] == ["undo", "resign", "flip"]


def test_every_control_has_a_name_and_every_list_its_role(page, browser):
    unnamed = browser.execute_script(
        "return [...document.querySelectorAll('button, input, select, textarea, [role]')].filter((e) =>"
        " !(e.textContent.trim() || e.labels?.length || e.ariaLabel || e.getAttribute('aria-labelledby')"
        " || ['row', 'gridcell', 'status', 'alert'].includes(e.getAttribute('role')))).map((e) => e.outerHTML)"
    )
    # What is said in these is written when it is needed.
    assert [
        text
        for text in unnamed
        if "question-" not in text and "forget-sure" not in text and "all-ratings" not in text
    ] == []
    grid = page.find("#board")
    assert (
        grid.get_attribute("role") == "grid" and len(grid.find_elements(By.CSS_SELECTOR, "[role=row]")) == 8
    )
    assert len(grid.find_elements(By.CSS_SELECTOR, "[role=gridcell] > button")) == 32
    status = page.find("#status")
    assert (status.get_attribute("role"), status.get_attribute("aria-live")) == ("status", "polite")


def test_forget_me_removes_the_name_here_and_there(page, site):
    name = "Zoë Querfeld"
    page.start(name)
    page.play([9, 13])
    page.resign()
    page.until(lambda: name in page.table("ratings"))
    assert b"Querfeld" in site.content()
    page.click("#new")
    page.start("Other")
    page.resign()
    page.says("resigned")
    page.click("#forget")
    page.shoot("forget")
    page.fill("#forget-name", "")
    page.click("#forget-next")
    assert "Type the name" in page.find("#forget-error").text
    page.fill("#forget-name", name.upper())
    page.click("#forget-next")
    assert page.find("#forget-sure").text == f"Yes, remove {name.upper()}"
    page.click("#forget-sure")
    page.until(lambda: page.find("#forget-close").text == "Close")
    assert "Other" in page.find("#forget-text").text  # whose receipts stay
    page.click("#forget-close")
    page.until(lambda: "Other" in page.table("ratings") and name not in page.table("ratings"))
    content, kept = site.content(), json.dumps(page.kept(), ensure_ascii=False)
    assert (
        b"uerfeld" not in content
        and fold_name(name).encode() not in content.lower()
        and b"\\u00eb" not in content
    )
    assert "uerfeld" not in kept and set(page.kept()) == {"draughts.proofs"}
    assert page.find("#name").get_attribute("value") == "" and page.find("#setup").is_displayed()


def test_forget_me_on_a_device_without_a_receipt(page, site, browser):
    page.start("Owner")
    page.play([9, 13])
    browser.execute_script("localStorage.clear()")
    page.open(site.url)
    page.click("#forget")
    page.fill("#forget-name", "Owner")
    page.click("#forget-next")
    page.click("#forget-sure")
    page.until(lambda: "Ask whoever runs this page" in page.find("#forget-error").text)
    assert b"Owner" in site.content()


def test_the_page_works_in_a_folder_of_a_server(page, site, browser):
    page.open(site.url + "x/")
    page.start("Folder")
    page.play([9, 13])
    names = browser.execute_script("return performance.getEntries().map((entry) => entry.name)")
    addresses = [name for name in names if ":/" in name]
    assert len(addresses) > 10 and all(address.startswith(site.url + "x/") for address in addresses)
    assert page.errors() == []


def test_a_name_that_may_not_be_is_refused_in_the_form(page):
    for name in ("<b>x</b>", "a&b", "x" * 21, "Computer (Low)", "(removed)"):
        page.fill("#name", name)
        page.click("#start")
        page.until(lambda: page.find("#setup-error").text != "", name)
        assert page.find("#setup").is_displayed() and not page.browser.find_elements(
            By.CSS_SELECTOR, "#setup b"
        )
        page.fill("#name", "")
        page.click("#start")
        page.until(lambda: page.find("#setup-error").text == "Your name is missing.")
        page.browser.execute_script("document.getElementById('setup-error').textContent = ''")


def test_names_are_shown_as_they_are(page):
    name, other = "J. O'Neil-(2) _lt_", "amp. (quot) '-'"
    page.start_two(name, other)
    assert page.find("#plate-near strong").text == name and page.find("#plate-far strong").text == other
    page.resign()
    page.until(lambda: name in page.table("today") and other in page.table("ratings"))
    assert f'[Black "{name}"]' in page.find("#pdn").get_attribute("value")
    page.click("#rematch")
    page.until(lambda: page.find("#plate-near strong").text == other)


def test_the_game_as_pdn_can_be_kept(page, browser):
    page.start_two("Ann", "Bob")
    page.play([11, 15])
    page.click("#record summary")
    page.click("#download")
    file = browser.kept / "draughts.pdn"
    page.until(lambda: file.exists() and "1. 11-15 *" in file.read_text(encoding="utf-8"))
    browser.execute_cdp_cmd(
        "Browser.grantPermissions", {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]}
    )
    page.click("#copy")
    page.until(lambda: page.find("#copied").text == "Copied.")
    assert page.errors() == []


def look(page: Page, what: str, width: int) -> None:
    """Check contrast and width in light and dark, and save pictures."""
    for scheme in ("light", "dark"):
        feature = {"name": "prefers-color-scheme", "value": scheme}
        page.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
        page.shoot(f"{what}_{width}_{scheme}")
        assert page.browser.execute_script(CONTRAST, WITH_TEXT) == [], (what, width, scheme)
        assert page.browser.execute_script("return document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("width", [360, 819, 1280])
def test_phone_and_desk_light_and_dark(page, browser, width):
    phone = width < 500
    size = {"width": width, "height": 740 if phone else 860, "deviceScaleFactor": 1, "mobile": phone}
    try:
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        look(page, "setup", width)
        page.start("WWWWWWWWWWWWWWWWWWWW", level="match")
        page.play([11, 15])
        page.press(min(page.marked("movable")))
        look(page, "game", width)
        box = page.find("#board").rect
        assert box["x"] >= 0 and box["x"] + box["width"] <= width and box["width"] >= 320
        assert box["width"] == 360 or not phone  # from edge to edge
        assert (page.find("#tables").rect["x"] > box["x"] + box["width"]) == (width >= 820)
        page.resign()
        page.until(lambda: "WWWWWWWWWWWWWWWWWWWW" in page.table("ratings"))
        browser.execute_script("document.getElementById('tables').scrollIntoView()")
        look(page, "tables", width)
        browser.execute_script("document.getElementById('about').scrollIntoView()")
        look(page, "about", width)
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
