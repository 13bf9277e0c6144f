"""The page in a real browser, opened from the disk: Debian's Chromium, headless; skipped where it is not there.

With LUDOMETRICS_SCREENSHOTS set to a folder, pictures of the page are saved in it to be looked at.
"""

import json
import os
import shutil
from pathlib import Path

import pytest

pytest.importorskip("selenium", reason="tests in a browser need selenium")

from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from ludometrics.backgammon.report_data import Extent, rate_player, report_on
from ludometrics.backgammon.report_page import build_page
from ludometrics.backgammon.report_parts import compare_parts
from ludometrics.backgammon.side_tables import People
from report_sample import sample_library

WAIT_S = 15
# No window, no sandbox (which root may not have), nothing asked of its maker.
CHROMIUM = (
    "headless=new",
    "no-sandbox",
    "disable-dev-shm-usage",
    "disable-gpu",
    "disable-extensions",
    "disable-background-networking",
    "disable-component-update",
    "no-first-run",
    "window-size=1280,860",
)
SCREENSHOTS = os.environ.get("LUDOMETRICS_SCREENSHOTS")
WIDTHS = (360, 819, 1280)
PAPER = 718  # of A4 between margins of a centimetre
# Contrast of text with what is painted behind it, as in WCAG 2.1; answers what is below 4.5. Texts of pictures stand on
# the panel, those of boards aside, which have a ground of their own.
CONTRAST = """
const part = (v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
const light = ([r, g, b]) => 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
const rgba = (text) => text.match(/[\\d.]+/g).map(Number);
const poor = new Set();
for (const element of document.querySelectorAll("body *:not(.board *):not(.ch-ink *)")) {
  const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
  if (!own || !element.checkVisibility() || element.matches("script, title, desc, .unseen")) continue;
  let behind = element, paint = [0, 0, 0, 0];
  while (behind && (paint = rgba(getComputedStyle(behind).backgroundColor))[3] === 0) behind = behind.parentElement;
  const ink = element.closest("svg") ? getComputedStyle(element).fill : getComputedStyle(element).color;
  const [a, b] = [rgba(ink), paint].map(light).sort((x, y) => y - x);
  const ratio = (a + 0.05) / (b + 0.05);
  if (ratio < 4.5) poor.add(`${element.tagName} ${element.className}: ${ratio.toFixed(2)}`);
}
return [...poor];"""


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
def report():
    people = People([("ADA2", "Ada")])
    return report_on(sample_library(9), "Ada", people=people, extent=Extent(latest=4))


@pytest.fixture(scope="module")
def address(report, tmp_path_factory):
    _, parts = rate_player(sample_library(9), "Cy")
    page = build_page(report, compared=compare_parts(report.parts, parts, 20), other="Cy")
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(page, encoding="utf-8")
    return path.as_uri()


@pytest.fixture
def page(browser, address):
    for log in ("browser", "performance"):
        browser.get_log(log)
    browser.get("about:blank")
    browser.get(address)
    yield browser
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})


def size(browser, width: int, scheme: str) -> None:
    metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    media = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": media})


def said(browser) -> str:
    return browser.find_element(By.ID, "said").text


def pasted(browser) -> str:
    """What the clipboard holds, put into a field by the keys."""
    browser.execute_script(
        "const field = document.createElement('textarea'); field.id = 'paste';"
        "document.body.append(field); field.focus()"
    )
    field = browser.find_element(By.ID, "paste")
    field.send_keys(Keys.CONTROL, "v")
    text = field.get_attribute("value")
    browser.execute_script("arguments[0].remove()", field)
    return text


def press_copy(browser, selector: str):
    """Reach the button by its focus and press Enter, as somebody without a mouse does."""
    button = browser.find_element(By.CSS_SELECTOR, selector)
    browser.execute_script("arguments[0].focus()", button)
    assert browser.switch_to.active_element == button
    button.send_keys(Keys.ENTER)
    WebDriverWait(browser, WAIT_S, 0.02).until(said)
    return button


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_phone_tablet_and_desk_light_and_dark(page, scheme):
    page.execute_script("for (const part of document.querySelectorAll('details')) part.open = true")
    for width in WIDTHS:
        size(page, width, scheme)
        assert page.execute_script("return document.documentElement.scrollWidth") <= width
        assert page.execute_script(CONTRAST) == []
        for name in ("rates", "matches", "references", "biases") if SCREENSHOTS else ():
            page.execute_script("document.getElementById(arguments[0]).scrollIntoView()", name)
            Path(SCREENSHOTS).mkdir(parents=True, exist_ok=True)
            page.save_screenshot(str(Path(SCREENSHOTS) / f"backgammon_{name}_{width}_{scheme}.png"))
    assert page.get_log("browser") == []


def test_nothing_is_asked_and_no_name_runs(page):
    assert page.get_log("browser") == []
    messages = [json.loads(entry["message"])["message"] for entry in page.get_log("performance")]
    asked = [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]
    assert asked and all(url.startswith(("file:///", "about:")) for url in asked)
    assert page.execute_script("return window.broken ?? null") is None


def test_an_xgid_is_copied_by_the_keyboard(page, report):
    button = press_copy(page, "#references .position button.copy")
    assert said(page) == "Copied." and page.switch_to.active_element == button
    assert pasted(page) == report.reference_views[0].xgid == button.get_attribute("data-copy")


def test_all_xgids_are_copied_without_leave_to_write_to_the_clipboard(page, report):
    page.execute_script("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    press_copy(page, "[data-copy-from]")
    assert said(page) == "Copied."
    assert pasted(page).split() == [view.xgid for view in report.reference_views]


def test_where_nothing_may_be_copied_the_text_is_marked(page, report):
    page.execute_script(
        "Object.defineProperty(navigator, 'clipboard', {value: undefined}); document.execCommand = () => false"
    )
    press_copy(page, "#references .position button.copy")
    assert "Ctrl+C" in said(page)
    assert page.execute_script("return getSelection().toString()") == report.reference_views[0].xgid


def test_on_paper_all_is_open_and_light(page):
    closed = "return document.querySelectorAll('details:not([open])').length"
    before = page.execute_script(closed)
    size(page, PAPER, "dark")
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    page.execute_script("dispatchEvent(new Event('beforeprint'))")
    assert before > 0 and page.execute_script(closed) == 0
    assert (
        page.execute_script("return getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    )
    assert page.execute_script(CONTRAST) == []
    page.execute_script("dispatchEvent(new Event('afterprint'))")
    assert page.execute_script(closed) == before


def test_a_link_opens_what_it_leads_to(page):
    page.execute_script("location.hash = 'to-confirm'")
    opened = "return document.getElementById('to-confirm').closest('details').open"
    WebDriverWait(page, WAIT_S, 0.02).until(lambda _: page.execute_script(opened))
