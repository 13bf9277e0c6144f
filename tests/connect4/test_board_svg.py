"""Positions drawn as SVG: what is in the picture, and what is said for those who do not see it."""

from xml.etree import ElementTree

import numpy as np
import pytest

from board_twin import drawn_positions, grid_of, rows_of
from ludometrics.connect4.board import EMPTY, from_moves
from ludometrics.connect4.board_svg import draw_svg

SVG = "{http://www.w3.org/2000/svg}"


def tree(picture: str) -> ElementTree.Element:
    return ElementTree.fromstring(picture)  # noqa: S314  (what we drew ourselves)


def texts(picture: str) -> list[str]:
    return [element.text for element in tree(picture).iter(f"{SVG}text")]


def test_every_cell_is_drawn_in_its_place():
    kinds = {1: "c4-yellow", -1: "c4-red", 0: "c4-empty"}
    for numbers in rows_of(drawn_positions())[:40]:
        circles = list(tree(draw_svg(numbers)).iter(f"{SVG}circle"))
        across, down = ({int(circle.get(name)) for circle in circles} for name in ("cx", "cy"))
        columns, rows = sorted(across), sorted(down, reverse=True)
        seen = [[None] * 7 for _ in range(6)]
        for circle in circles:
            row, column = rows.index(int(circle.get("cy"))), columns.index(int(circle.get("cx")))
            seen[row][column] = circle.get("class")
        assert seen == [[kinds[cell] for cell in row] for row in grid_of(*numbers)]


@pytest.mark.parametrize(
    ("moves", "title"),
    [
        ("", "Connect-4 after 0 moves: Yellow to move"),
        ("3", "Connect-4 after 1 move: Red to move"),
        ("0102030", "Connect-4 after 7 moves: Yellow has won"),
        ("61625354", "Connect-4 after 8 moves: Red has won"),
    ],
)
def test_the_title_says_who_is_to_move_or_has_won(moves, title):
    assert tree(draw_svg(from_moves(moves))).find(f"{SVG}title").text == title


def test_the_columns_are_said_in_words():
    root = tree(draw_svg(from_moves("334"), marks={3: "+29"}))
    assert root.get("role") == "img"
    said = root.find(f"{SVG}desc").text
    assert said.startswith("From the bottom. Column 0: empty.")
    assert "Column 3, marked +29: Yellow, Red. Column 4: Yellow. Column 5: empty." in said


def test_the_tokens_that_won_are_ringed():
    def ringed(moves):
        return sum(
            circle.get("stroke") is not None
            for circle in tree(draw_svg(from_moves(moves))).iter(f"{SVG}circle")
        )

    assert ringed("010203") == 0
    assert ringed("0102030") == 4
    # Row 0 filled from both ends, then the middle: seven in a row.
    assert ringed("0011225566443") == 7


def test_marks_stand_over_their_columns():
    with_marks = draw_svg(EMPTY, marks={np.int64(6): -19, 0: "+1"})
    assert texts(with_marks) == ["+1", "-19", *"0123456"]
    assert texts(draw_svg(EMPTY)) == texts(draw_svg(EMPTY, marks={})) == list("0123456")
    places = {element.text: element.get("x") for element in tree(with_marks).iter(f"{SVG}text")}
    assert places["+1"] == places["0"] and places["-19"] == places["6"]


@pytest.mark.parametrize("mark", ["<script>alert(1)</script>", '"><b x="', "a & b", "\x00\x1b\ud800\uffff!"])
def test_marks_are_text_whatever_they_hold(mark):
    picture = draw_svg(EMPTY, marks={3: mark})
    assert "<script" not in picture and "<b" not in picture
    assert texts(picture)[0] == (mark if mark.isprintable() else "    !")
    picture.encode()


@pytest.mark.parametrize("column", [7, -1, "3", 3.0, True])
def test_marks_outside_the_board(column):
    with pytest.raises(ValueError, match="allowed are 0 to 6"):
        draw_svg(EMPTY, marks={column: "x"})


def test_numbers_that_are_no_position():
    with pytest.raises(ValueError, match="above an empty cell"):
        draw_svg((2, 0, 41))


def test_the_same_position_gives_the_same_text():
    assert draw_svg(from_moves("334")) == draw_svg(from_moves("334"))
