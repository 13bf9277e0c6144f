"""Positions drawn as SVG: what is in the picture, and what is said for those who do not see it."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludometrics.backgammon.board_svg import HEIGHT, WIDTH, draw_position
from ludometrics.backgammon.board_words import Position, describe, score_words
from ludometrics.backgammon.boards import START, off, pips
from ludometrics.backgammon.building import RecordError

SVG = "{http://www.w3.org/2000/svg}"
OPENING = tuple(START.tolist())
BEARING_OFF = (-1, 2, 2, 0, 0, 0, 2, 0, 0, 0, 0, -1, -5, 1, 0, 0, -6, 0, 0, 0, 0, 0, 0, 0, 1, 2)


def tree(picture: str) -> ElementTree.Element:
    return ElementTree.fromstring(picture)  # noqa: S314  (what we drew ourselves)


def parts(picture: str, kind: str, tag: str) -> list:
    """Elements of a group, or such elements themselves, of a class."""
    root = tree(picture)
    groups = [element for element in root.iter() if element.get("class") == kind]
    return [each for group in groups for each in group.iter(f"{SVG}{tag}")]


def texts(picture: str) -> list[str]:
    return [element.text for element in tree(picture).iter(f"{SVG}text") if element.text]


@st.composite
def boards(draw):
    """Boards that can be: at most 15 checkers a side, each on a slot of its own."""
    board = [0] * 26
    for side, other_bar in ((1, 0), (-1, 25)):
        for _ in range(draw(st.integers(0, 15))):
            free = [slot for slot in range(26) if board[slot] * side >= 0 and slot != other_bar]
            board[draw(st.sampled_from(free))] += side
    return tuple(board)


@given(boards())
@settings(max_examples=40, deadline=None)
def test_every_board_is_drawn_whole(board):
    picture = draw_position(Position(board))
    for kind, side in (("bd-own", 1), ("bd-other", -1)):
        held = [(count * side, 4 if slot in (0, 25) else 5) for slot, count in enumerate(board)]
        circles = parts(picture, kind, "circle")
        assert len(circles) == sum(min(count, most) for count, most in held if count > 0)
        # What more than five stand on a point is told by the number.
        told = [int(each.text) for each in parts(picture, f"{kind}-count", "text")]
        assert sorted(told) == sorted(count for count, most in held if count > most)
    gone = [text for text in texts(picture) if text.endswith(" off")]
    assert sorted(gone) == sorted(f"{count} off" for count in off(board) if count)
    for circle in tree(picture).iter(f"{SVG}circle"):
        x, y = float(circle.get("cx")), float(circle.get("cy"))
        assert 17 <= x <= WIDTH - 17 and 17 <= y <= HEIGHT - 17


def test_checkers_stand_where_they_belong():
    """Own point 1 below on the right, 24 above it; the home board is on the right."""
    board = [0] * 26
    board[1], board[24], board[12], board[13] = 1, 1, 1, -1
    own = {
        (c.get("cx"), float(c.get("cy")))
        for c in parts(draw_position(Position(tuple(board))), "bd-own", "circle")
    }
    (other,) = parts(draw_position(Position(tuple(board))), "bd-other", "circle")
    columns = sorted({float(x) for x, _ in own})
    assert len(columns) == 2 and columns[0] < WIDTH / 2 < columns[1]
    rightmost = sorted(y for x, y in own if float(x) == columns[1])
    assert rightmost[0] < HEIGHT / 2 < rightmost[1]
    assert float(other.get("cx")) == columns[0] and float(other.get("cy")) < HEIGHT / 2


@pytest.mark.parametrize("cube, owner", [(1, 0), (2, 1), (64, -1), (1024, 1)])
def test_the_cube_shows_its_value_and_whose_it_is(cube, owner):
    picture = draw_position(Position(OPENING, cube=cube, cube_owner=owner))
    (square,) = parts(picture, "bd-cube", "rect")
    middle = float(square.get("y")) + float(square.get("height")) / 2
    assert str(cube) in texts(picture)
    assert {0: abs(middle - HEIGHT / 2) < 2, 1: middle > HEIGHT / 2 + 50, -1: middle < HEIGHT / 2 - 50}[owner]


def test_an_offered_cube_stands_on_the_board_at_twice_its_value():
    picture = draw_position(Position(OPENING, cube=2, cube_owner=-1, offered=True))
    (square,) = parts(picture, "bd-cube", "rect")
    assert "4" in texts(picture) and float(square.get("x")) > WIDTH / 2
    assert "Take or pass?" in picture


def test_there_is_no_cube_in_the_crawford_game():
    picture = draw_position(Position(OPENING, length=7, away=(1, 4), crawford=True))
    assert parts(picture, "bd-cube", "rect") == [] and "There is no cube" in picture


@pytest.mark.parametrize("dice", [(1, 1), (3, 1), (6, 5), (4, 2)])
def test_dice_have_their_spots(dice):
    picture = draw_position(Position(OPENING, dice=dice))
    assert len(parts(picture, "bd-spots", "circle")) == sum(dice)
    assert parts(draw_position(Position(OPENING)), "bd-spots", "circle") == []


def heads(picture: str, kind: str) -> int:
    """Arrow heads of a play: closed paths of a class."""
    return sum(path.get("d").count("z") for path in parts(picture, kind, "path"))


@pytest.mark.parametrize(
    "played, best, arrows",
    [
        ("24/23 13/10", "8/5 6/5", (2, 2)),
        ("8/5 6/5", "8/5 6/5", (0, 2)),
        ("6/2(2)", "", (2, 0)),
        ("bar/22 24/18*/13", "", (3, 0)),
        ("cannot move", "", (0, 0)),
        ("", "", (0, 0)),
    ],
)
def test_plays_are_arrows(played, best, arrows):
    board = OPENING if "bar" not in played else BEARING_OFF
    picture = draw_position(Position(board, dice=(3, 1)), played=played, best=best)
    assert (heads(picture, "bd-played"), heads(picture, "bd-best")) == arrows


def test_a_play_that_is_none_is_refused():
    with pytest.raises(ValueError, match="13-10"):
        draw_position(Position(OPENING), played="13-10 x")


def test_a_board_that_cannot_be_is_refused():
    with pytest.raises(RecordError, match="16 checkers"):
        draw_position(Position((0, 16, *[0] * 24)))


def test_words_are_escaped_and_long_names_cut():
    picture = draw_position(Position(OPENING, names=("<b>&", "x" * 60)), title="<i>")
    tree(picture)
    assert "&lt;b&gt;&amp;" in picture and "<b>" not in picture and "x" * 21 not in picture


def test_the_description_tells_the_position():
    said = describe(Position(OPENING, dice=(3, 1), away=(5, 3), length=7))
    for point, count in enumerate(OPENING):
        if count > 0:
            assert f"point {point}: {count}" in said.split("The other")[0]
        elif count < 0:
            assert f"point {point}: {-count}" in said.split("The other")[1]
    assert "3-1 rolled" in said and "5 away against 3 away" in said and f"{pips(OPENING)[0]} pips" in said


@pytest.mark.parametrize(
    "position, said",
    [
        (Position(OPENING), "money play"),
        (Position(OPENING, length=1, away=(1, 1)), "to 1 point"),
        (Position(OPENING, length=7, away=(1, 3), post_crawford=True), "to 7 points, post-Crawford"),
        (Position(OPENING, away=(2, 3)), "match play"),
    ],
)
def test_what_is_played_for(position, said):
    assert score_words(position) == said


def test_a_picture_needs_nothing_else():
    """No address but the name of the format, no identifier that another picture on the page could have too."""
    picture = draw_position(Position(OPENING, dice=(6, 1)), played="13/7 8/7")
    assert re.findall(r"https?://[^\"]+", picture) == ["http://www.w3.org/2000/svg"]
    assert not re.search(r"\s(id|href|style|url\()", picture)
    assert len(picture) < 8000
    assert np.unique([draw_position(Position(OPENING)) for _ in range(3)]).size == 1
