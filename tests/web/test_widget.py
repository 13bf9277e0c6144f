"""The game in a notebook, played by pressing its buttons."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("ipywidgets")

import ludometrics.web
from ludometrics.gamelog.lock import FolderBusyError, FolderLock
from ludometrics.web import endings, markup, wording
from ludometrics.web.clicks import Choice
from ludometrics.web.club import Club
from ludometrics.web.settings import Settings
from ludometrics.web.widget import OPPONENT_KEYS, DraughtsWidget

# Black 11-15, White 21-17, Black 12-16, White 24-19, Black 15x24: White may jump twice with either of two men.
TO_A_DOUBLE_JUMP = [(11, 15), (21, 17), (12, 16), (24, 19), (15, 24)]
WORDING_OF_THE_PAGE = Path(ludometrics.web.__path__[0], "static", "js", "wording.js")


@pytest.fixture
def open_widget(folder, clock):
    """A widget on the test's folder; again as after a restart of the kernel, or as in another notebook."""

    def make(name="Ann", level="easy", colour="b", **settings):
        settings = Settings(**{"timeout_s": 0.05, **settings})
        return DraughtsWidget(folder, name, level, colour, settings, rng=np.random.default_rng(1), now=clock)

    return make


@pytest.fixture
def widget(open_widget):
    return open_widget()


def begin(widget, **fields):
    for name, value in fields.items():
        getattr(widget, name).value = value
    widget.start.click()
    return widget


def press(widget, *squares):
    for square in squares:
        widget.squares[square].click()


def play(widget, rng, most=1000):
    """Random legal moves until the game is over, or so many were made."""
    for _ in range(most):
        if widget.seat.over:
            break
        legal = widget.seat.view["legal"]
        press(widget, *legal[rng.integers(len(legal))]["path"])


def text_of(html):
    return re.sub(r"<[^>]*>", " ", html.value)


def visible(control):
    return control.layout.display != "none"


def rows_of(folder, kind="scores"):
    return [row for path in sorted(folder.glob(f"{kind}-*.json")) for row in json.loads(path.read_text())]


def live_files(folder):
    return list((folder / "live").glob("*.json"))


def test_nothing_is_written_before_somebody_presses_start(widget, folder):
    assert not folder.exists()
    assert text_of(widget.tables).count("No rated games yet") == 2
    assert all(button.disabled for button in widget.squares.values())
    widget.turn.click()
    widget.opponent.value = "match"
    assert not folder.exists()


@pytest.mark.parametrize("colour", ["b", "w"])
def test_a_whole_game_is_played_by_clicks_and_saved(widget, folder, rng, colour):
    begin(widget, colour=colour)
    assert not visible(widget.setup) and visible(widget.resign)
    play(widget, rng)
    (row,) = rows_of(folder)
    names = {"b": row["black"], "w": row["white"]}
    assert names[colour] == "Ann" and set(names.values()) == {"Ann", "Computer (Low)"}
    assert row["level"] == "easy" and re.fullmatch("[0-9a-f]{32}", row["id"])
    assert row["winner"] == widget.seat.view["result"]["winner"]
    assert widget.seat.view["result"]["text"] in text_of(widget.status)
    assert "Saved: it counts in the tables." in text_of(widget.status)
    assert text_of(widget.tables).count(" Ann ") == 2
    assert re.search(r"\d+\* +1 +\d+ +\d+–\d+ ", text_of(widget.tables)), (
        "Elo with its star, games, Glicko, interval"
    )
    assert visible(widget.rematch) and visible(widget.new) and not visible(widget.resign)
    assert all(button.disabled for button in widget.squares.values())


def test_a_game_of_two_is_saved_under_both_names(widget, folder, rng):
    widget.opponent.value = "two"
    assert visible(widget.name2) and not visible(widget.colour)
    begin(widget, name2="Bob")
    assert "Black to move: Ann." in text_of(widget.status)
    play(widget, rng)
    (row,) = rows_of(folder)
    assert (row["black"], row["white"]) == ("Ann", "Bob") and "level" not in row
    widget.rematch.click()
    assert widget.seat.view["names"] == {"b": "Bob", "w": "Ann"}


def test_a_multi_jump_goes_square_by_square(widget):
    begin(widget, opponent="two", name2="Bob")
    for path in TO_A_DOUBLE_JUMP:
        press(widget, *path)
    assert "Bob. You must capture." in text_of(widget.status)
    press(widget, 27)
    assert widget.squares[27].description == "square 27, white man, selected"
    assert widget.squares[20].description == "square 20, empty, you can move here"
    press(widget, 20)
    assert "Keep jumping." in text_of(widget.status)
    assert widget.squares[20].description == "square 20, white man, selected, end of the last move"
    assert widget.squares[24].description == "square 24, empty, jumped"
    assert "ludo-taken" in widget.squares[24]._dom_classes
    press(widget, 1)
    assert widget.seat.view["ply"] == 5 and widget.seat.choice.path == (27, 20)
    press(widget, 11)
    assert widget.seat.view["moves"][-1]["captures"] == [24, 16]
    assert widget.squares[20].description == "square 20, empty, passed in the last move"
    assert "27x11" in text_of(widget.moves) or "27x20x11" in text_of(widget.moves)


def test_a_jump_can_be_given_by_its_end(widget):
    begin(widget, opponent="two", name2="Bob")
    for path in [*TO_A_DOUBLE_JUMP, (28, 12)]:
        press(widget, *path)
    assert widget.seat.view["moves"][-1]["path"] == [28, 19, 12]


@pytest.mark.parametrize(
    "squares, words",
    [
        ((18,), "Choose one of your pieces first."),
        ((8,), "That piece is not yours to move."),
        ((25,), "You must capture with another piece."),
        ((27, 23), "You must capture with another piece."),
        ((27, 19), "You must capture."),
    ],
)
def test_a_wrong_press_is_answered_in_the_status_line(widget, squares, words):
    begin(widget, opponent="two", name2="Bob")
    for path in TO_A_DOUBLE_JUMP:
        press(widget, *path)
    press(widget, *squares)
    assert words in text_of(widget.status)


def test_other_presses(widget):
    begin(widget)
    press(widget, 1)
    assert "That piece cannot move." in text_of(widget.status)
    press(widget, 11, 20)
    assert "That piece cannot move there." in text_of(widget.status)
    press(widget, 11)
    assert widget.seat.choice.path == () and "Your turn (Black)." in text_of(widget.status)


def test_two_ways_to_one_square_are_told_apart():
    legal = [
        {"path": (1, 10, 19), "captures": (6, 15)},
        {"path": (1, 12, 19), "captures": (7, 16)},
    ]
    choice = Choice(legal, "b" + "." * 31, "b")
    assert choice.press(1).kind == "selected"
    assert choice.press(19).why == "ambiguous"
    assert choice.press(12).kind == "jumping" and choice.targets == {19} and choice.taken == (7,)
    assert choice.press(1).why == "jumping"
    assert choice.press(19).move.captures == (7, 16)


def test_the_own_move_is_seen_while_the_computer_thinks(widget):
    begin(widget)
    seen = []

    def look(change):
        seen.append((text_of(widget.status).strip(), widget.squares[15].description))

    widget.status.observe(look, names="value")
    press(widget, 11, 15)
    assert ("Computer (Low) is thinking …", "square 15, black man, end of the last move") in seen
    assert re.search(r"Computer \(Low\) played [0-9-]+\. Your turn \(Black\)\.", text_of(widget.status))


def test_undo_is_asked_about_and_the_game_is_then_not_rated(widget, folder, rng):
    begin(widget)
    assert widget.take_back.disabled
    play(widget, rng, most=2)
    widget.take_back.click()
    assert "From then on the game is not rated." in text_of(widget.question) and visible(widget.yes)
    assert widget.yes.description == "Take back"
    widget.no.click()
    assert widget.seat.view["ply"] == 4 and not visible(widget.yes)
    widget.take_back.click()
    widget.yes.click()
    assert widget.seat.view["ply"] == 2
    assert "Not rated: a move was taken back." in text_of(widget.status)
    widget.take_back.click()
    assert widget.seat.view["ply"] == 0, "asked once"
    play(widget, rng)
    assert rows_of(folder) == []
    (row,) = rows_of(folder, "unrated")
    assert (row["black"], row["white"], row["why"]) == (
        "Ann",
        "Computer (Low)",
        "undo",
    ) and "winner" not in row
    assert "No rated games yet" in text_of(widget.tables)


def test_resigning_is_asked_about_and_saved(widget, folder):
    begin(widget, colour="w")
    widget.resign.click()
    widget.no.click()
    assert not widget.seat.over
    widget.resign.click()
    assert "You lose the game." in text_of(widget.question)
    widget.yes.click()
    assert rows_of(folder)[0]["winner"] == "b"
    assert "Black (Computer (Low)) won: White resigned." in text_of(widget.status)


def test_one_sits_at_the_own_side_and_can_turn_the_board(widget):
    def corner():
        return next(child for child in widget.board.children if child in widget.squares.values())

    begin(widget)
    assert corner() is widget.squares[32] and "Ann" in text_of(widget.near)
    widget.resign.click()
    widget.yes.click()
    widget.rematch.click()
    assert widget.seat.view["human"] == "w"
    assert corner() is widget.squares[1] and "Ann" in text_of(widget.near)
    widget.turn.click()
    assert corner() is widget.squares[32] and "Ann" in text_of(widget.far)
    assert len(widget.board.children) == 64


def test_match_me_says_which_level_and_why(widget):
    begin(widget, opponent="match")
    view = widget.seat.view
    assert f"Matched with {view['level_name']}" in text_of(widget.status)
    assert "still settling" in text_of(widget.status)
    widget.resign.click()
    widget.yes.click()
    widget.rematch.click()
    assert widget.seat.view["match"] is not None, "a rematch is matched again"


@pytest.mark.parametrize(
    "name, words",
    [
        ("", "Your name is missing."),
        ("Computer (High)", "names that begin with Computer, Anonymous or (removed are not for people"),
        ("<script>alert(1)</script>", "allowed are 1 to 20 letters"),
    ],
)
def test_a_name_that_will_not_do_is_told_in_the_status_line(widget, folder, name, words):
    begin(widget, name=name)
    assert words in text_of(widget.status) and 'role="alert"' in widget.status.value
    assert "<script" not in widget.status.value
    assert widget.seat.view is None and visible(widget.setup) and not folder.exists()
    begin(widget, name="Ann")
    assert widget.seat.view is not None and "alert" not in widget.status.value


def test_two_need_two_names(widget):
    begin(widget, opponent="two", name2="ANN ")
    assert "Both names are the same." in text_of(widget.status)
    begin(widget, name2="")
    assert "White's name is missing." in text_of(widget.status).replace("&#x27;", "'")


def test_a_busy_folder_is_told_and_tried_again(widget, folder):
    begin(widget)
    with FolderLock(folder).exclusive():
        press(widget, 11, 15)
        assert wording.BUSY in text_of(widget.status) and visible(widget.again)
        assert widget.squares[11].description.startswith("square 11, black man"), "nothing has moved"
        widget.again.click()
        assert wording.BUSY in text_of(widget.status)
    widget.again.click()
    assert widget.seat.view["ply"] == 2 and not visible(widget.again) and "busy" not in text_of(widget.status)


def test_a_start_that_is_tried_again_is_one_game(widget, folder):
    begin(widget)
    widget.later.click()
    with FolderLock(folder).exclusive():
        widget.start.click()
        assert wording.BUSY in text_of(widget.status)
    widget.again.click()
    assert len(live_files(folder)) == 2
    widget.start.click()
    assert len(live_files(folder)) == 2, "pressed twice"


def test_a_folder_that_is_busy_at_the_end_saves_the_game_later(widget, folder, monkeypatch):
    def busy(*arguments, **options):
        raise FolderBusyError("busy")

    begin(widget)
    with monkeypatch.context() as patch:
        patch.setattr(endings, "append_game", busy)
        widget.resign.click()
        widget.yes.click()
        assert wording.UNSAVED in text_of(widget.status) and rows_of(folder) == []
    widget.again.click()
    assert len(rows_of(folder)) == 1 and "Saved: it counts in the tables." in text_of(widget.status)


def test_what_nobody_foresaw_is_told_too(widget, monkeypatch, caplog):
    def fail(*arguments):
        raise RuntimeError("<b>the disk is on fire</b>")

    begin(widget)
    with monkeypatch.context() as patch:
        patch.setattr(Club, "move", fail)
        press(widget, 11, 15)
    assert "&lt;b&gt;the disk is on fire" in widget.status.value and "RuntimeError" in widget.status.value
    assert "RuntimeError" in caplog.text
    assert widget.seat.view["ply"] == 0
    press(widget, 11, 15)
    assert widget.seat.view["ply"] == 2 and "fire" not in widget.status.value


def test_an_interrupted_kernel_loses_nothing(widget, monkeypatch):
    def interrupt(*arguments):
        raise KeyboardInterrupt

    begin(widget)
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(Club, "move", interrupt)
        press(widget, 11, 15)
    assert "interrupted" in text_of(widget.status) and widget.seat.view["ply"] == 0
    widget.again.click()
    assert widget.seat.view["ply"] == 2


def test_a_folder_that_cannot_be_used_is_told(open_widget, folder):
    folder.write_text("no folder")
    widget = open_widget()
    assert "FileExistsError" in text_of(widget.status)
    folder.unlink()
    widget.again.click()
    assert begin(widget).seat.view is not None


def test_tables_that_cannot_be_fetched_do_not_hide_the_result(widget, monkeypatch, caplog):
    begin(widget)
    with monkeypatch.context() as patch:
        patch.setattr(type(widget.seat.club.tables), "ratings", lambda self: 1 / 0)
        widget.resign.click()
        widget.yes.click()
    assert "won: Black resigned." in text_of(widget.status)
    assert "The tables could not be brought up to date" in text_of(widget.tables)


def test_a_restart_of_the_kernel_loses_nothing(open_widget, folder, rng):
    first = begin(open_widget(colour="w"), opponent="medium")
    play(first, rng, most=3)
    half_written = folder / "live" / f".{first.seat.view['id']}.123.tmp"
    half_written.write_text("killed")
    second = open_widget()
    assert second.seat.view == first.seat.view
    assert not half_written.exists()
    one, *_, other = second.seat.view["legal"]
    press(second, *one["path"])
    press(first, *other["path"])
    assert wording.ELSEWHERE in text_of(first.status)
    assert first.seat.view == second.seat.view
    second.resign.click()
    second.yes.click()
    press(first, *first.seat.view["legal"][0]["path"])
    assert "won: White resigned." in text_of(first.status) and first.seat.over


def test_a_game_left_for_later_is_listed_and_gone_on_with(open_widget, clock):
    widget = begin(open_widget())
    press(widget, 11, 15)
    widget.later.click()
    assert visible(widget.setup) and visible(widget.unfinished_row)
    assert "within 120 minutes" in text_of(widget.status)
    clock.forward(minutes=1)
    begin(widget, name="Bob")
    widget.later.click()
    assert [label for label, _ in widget.unfinished.options] == [
        "Bob – Computer (Low), 0 moves",
        "Ann – Computer (Low), 2 moves",
    ]
    widget.unfinished.value = widget.unfinished.options[1][1]
    widget.go_on.click()
    assert widget.seat.view["names"]["b"] == "Ann" and widget.seat.view["ply"] == 2


def test_games_of_the_page_are_not_listed(open_widget, open_club):
    from ludometrics.web.orders import Order

    open_club().start(Order("computer", "Cat", "f" * 16, level="easy"))
    widget = open_widget()
    assert widget.seat.view is None and not visible(widget.unfinished_row)


def test_a_game_left_too_long_is_saved_as_abandoned(open_widget, folder, clock, rng):
    play(begin(open_widget()), rng, most=1)
    clock.forward(minutes=121)
    widget = open_widget()
    assert widget.seat.view is None
    (row,) = rows_of(folder, "unrated")
    assert row["why"] == "abandoned"


def test_a_game_whose_player_was_removed_is_left(widget, folder):
    begin(widget)
    for path in live_files(folder):
        path.unlink()
    press(widget, 11, 15)
    assert wording.GONE in text_of(widget.status) and visible(widget.setup)
    assert "Ann" not in text_of(widget.near) + text_of(widget.pdn)


def test_the_version_under_test_is_recorded_and_not_shown(widget, folder):
    begin(widget, opponent="medium")
    (line,) = (folder / "assignments.jsonl").read_text().splitlines()
    assert json.loads(line)["player"] == "ann"
    assert "variant" not in json.dumps(widget.seat.view)


def test_names_of_odd_files_are_not_shown(open_widget, folder):
    folder.mkdir()
    (folder / "scores-<img src=x onerror=alert(1)>.json").write_text("[]")
    widget = open_widget()
    assert "a file of another name" in widget.tables.value and "img" not in widget.tables.value


def test_text_is_escaped():
    for html in (
        markup.warnings_html(["<img src=x>"]),
        markup.status_html("<img src=x>", "<img src=x>", "<img src=x>"),
        markup.heading_html("<img src=x>"),
        markup.quiet_html("<img src=x>"),
    ):
        assert "&lt;img" in html and "<img" not in html


def test_the_pdn_holds_the_game(widget):
    begin(widget)
    press(widget, 11, 15)
    assert "[Black &quot;Ann&quot;]" in widget.pdn.value and "11-15" in widget.pdn.value
    assert "[White &quot;Computer (Low)&quot;]" in widget.pdn.value


def test_the_page_says_the_same():
    page = WORDING_OF_THE_PAGE.read_text(encoding="utf-8")
    assert [words for words in (*wording.REFUSALS.values(), wording.GONE) if words not in page] == []


@pytest.mark.parametrize("wrong", [{"level": "l10"}, {"colour": "white"}])
def test_a_wrong_setting_is_refused(open_widget, wrong):
    with pytest.raises(ValueError, match=r"is '(l10|white)': allowed are '(match|b)'"):
        open_widget(**wrong)


def test_every_opponent_can_be_chosen(open_widget):
    widget = open_widget()
    assert tuple(key for _, key in widget.opponent.options) == OPPONENT_KEYS
    assert {"match", "easy", "medium", "hard", "l1", "l9", "two"} <= set(OPPONENT_KEYS)
