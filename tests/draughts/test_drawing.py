"""Pictures of positions."""

import xml.etree.ElementTree as ET

import pytest

from ludometrics.draughts import START, draw_svg, legal_moves, parse_fen

SVG = "{http://www.w3.org/2000/svg}"


def _classes(drawing):
    root = ET.fromstring(drawing.svg)  # noqa: S314 - our own output
    return [element.get("class") for element in root.iter() if element.get("class")]


def test_pieces_of_the_starting_position():
    assert _classes(draw_svg(START)) == ["man"] * 24


def test_kings_move_and_captures():
    position = parse_fen("W:WK22,32:B18,19,26,27")
    [move] = legal_moves(position)[:1]
    kinds = _classes(draw_svg(position, move))
    assert kinds.count("king") == 1 and kinds.count("man") == 5
    assert kinds.count("path") == 1 and kinds.count("captured") == 4


def test_squares_are_numbered_and_the_position_named():
    root = ET.fromstring(draw_svg(START).svg)  # noqa: S314
    assert [element.text for element in root.iter(f"{SVG}text")] == [str(square) for square in range(1, 33)]
    assert root.find(f"{SVG}title").text.startswith("B:W21,22")


def test_shown_in_notebooks_and_saved(tmp_path):
    drawing = draw_svg(START, size_px=200)
    assert drawing._repr_svg_() == drawing.svg and 'width="200"' in drawing.svg
    assert START._repr_svg_() == draw_svg(START).svg
    drawing.save(tmp_path / "start.svg")
    assert (tmp_path / "start.svg").read_text(encoding="utf-8") == drawing.svg


@pytest.mark.parametrize("size", [0, 10_000, 3.5, True])
def test_bad_size(size):
    with pytest.raises(ValueError, match="size_px"):
        draw_svg(START, size_px=size)
