"""Charts as SVG: what they show is what they were given, and they can be read without being seen."""

from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludometrics.backgammon.report_plots import (
    Cell,
    Curve,
    Trend,
    draw_biases,
    draw_losses,
    draw_trend,
    ticks,
)

SVG = "{http://www.w3.org/2000/svg}"


def tree(picture: str) -> ElementTree.Element:
    return ElementTree.fromstring(picture)  # noqa: S314  (what we drew ourselves)


def of_class(picture: str, kind: str) -> list[ElementTree.Element]:
    return [element for element in tree(picture).iter() if kind in (element.get("class") or "").split()]


def said(picture: str) -> list[str]:
    return [element.text or "" for element in tree(picture).iter(f"{SVG}text")]


def trend(count: int, *, dates: bool = True) -> Trend:
    each = np.linspace(4, 9, count)
    pooled = np.where(np.arange(count) < 2, np.nan, each - 1)
    days = tuple(f"2024-{1 + n % 12:02d}-01" if dates else "" for n in range(count))
    return Trend(each, pooled, pooled - 0.5, pooled + 0.5, days, 10)


@given(st.floats(-1e6, 1e6), st.floats(1e-6, 1e6))
@settings(max_examples=60, deadline=None)
def test_ticks_are_few_even_and_inside(low, span):
    found = ticks(low, low + span)
    assert len(found) <= 7
    if len(found) > 2:
        assert np.ptp(np.diff(found)) <= 1e-6 * span + 1e-9
        assert low - 1e-6 * span <= found[0] and found[-1] <= low + span * (1 + 1e-6) + 1e-9


@pytest.mark.parametrize("count", [0, 1, 2, 3, 50])
def test_a_trend_has_a_dot_a_match_and_a_line_where_it_is_known(count):
    picture = draw_trend(trend(count), title="PR over time", unit="PR")
    dots = [dot for group in of_class(picture, "ch-dots") for dot in group]
    assert len(dots) == count
    assert len(of_class(picture, "ch-band")) == (count > 2)
    (line,) = of_class(picture, "ch-first")
    assert line.get("d").count("L") == max(count - 3, 0)
    assert tree(picture)[0].text == "PR over time" and f"n = {count}" in tree(picture)[1].text
    assert "PR" in said(picture)


def test_higher_is_higher_up():
    picture = draw_trend(trend(5), title="", unit="PR")
    heights = [float(dot.get("cy")) for group in of_class(picture, "ch-dots") for dot in group]
    assert heights == sorted(heights, reverse=True)


def test_days_stand_below_where_they_are_known():
    assert any("(2024-" in text for text in said(draw_trend(trend(9), title="", unit="")))
    undated = said(draw_trend(trend(9, dates=False), title="", unit=""))
    assert not any("(" in text for text in undated) and "matches in order" in undated


def test_one_wild_match_does_not_press_all_others_down():
    usual, wild = trend(60), trend(60)
    wild.each[7] = 400.0
    heights = []
    for each in (usual, wild):
        dots = [
            float(dot.get("cy"))
            for group in of_class(draw_trend(each, title="", unit=""), "ch-dots")
            for dot in group
        ]
        heights.append(np.delete(dots, 7))
    assert np.ptp(heights[1]) > 0.4 * np.ptp(heights[0])


def curves(last: int):
    steps = np.arange(1, last + 1)
    return (
        Curve("Ada <i>", steps, np.cumsum(np.where(steps % 3 == 0, 0.01, 0))),
        Curve("x" * 60, steps, np.cumsum(np.where(steps % 5 == 0, 0.02, 0))),
    )


def test_losses_rise_in_steps_at_each_error():
    first, second = curves(30)
    picture = draw_losses((first, second), [(0, "0–0"), (12, "2–0")], title="Losses")
    lines = {kind: of_class(picture, kind)[0].get("d") for kind in ("ch-first", "ch-second")}
    assert lines["ch-first"].count("V") == 10 and lines["ch-second"].count("V") == 6
    assert {"0–0", "2–0", "MWC lost (%)"} <= set(said(picture))
    assert f"{100 * first.total[-1]:.2f} % in all" in tree(picture)[1].text
    assert of_class(picture, "ch-second")[0].get("stroke-dasharray")
    assert not any(len(text) > 45 for text in said(picture))


def test_a_match_without_losses_has_a_flat_curve_and_unknown_losses_none():
    steps = np.arange(1, 3)
    flat, unknown = Curve("Ada", steps, np.zeros(2)), Curve("Bob", steps, np.full(2, np.nan))
    picture = draw_losses((flat, unknown), [(0, "0–0")], title="")
    assert tree(picture)[1].text == "Ada: 0.00 % in all."
    assert of_class(picture, "ch-first") and not of_class(picture, "ch-second")
    assert "nan" not in picture and "Ada" in said(picture)
    assert of_class(draw_losses((), [], title=""), "ch-axis")


CELLS = (
    Cell(0, 0, 0.0, 40, "balanced"),
    Cell(3, 5, 0.25, 30, "too much"),
    Cell(5, 3, -0.5, 4, "insufficient"),
    Cell(5, 5, None, 0, "insufficient"),
)


def test_biases_are_cells_by_score():
    picture = draw_biases(CELLS, title="Doubles", too_much="too much", too_little="too little")
    cells = of_class(picture, "ch-cell")
    assert len(cells) == len(CELLS)
    kinds = [cell.get("class").split()[1] for cell in cells]
    assert kinds == ["ch-none", "ch-plus", "ch-minus", "ch-none"]
    strong = [cell.get("fill-opacity") == "1.0" for cell in cells]
    assert strong == [False, True, False, False]
    assert {"0", "+25", "−50", "–", "40", "30", "4", "money", "3", "5"} <= set(said(picture))
    # Rows are the player's points away, columns the other's.
    at = {cell.get("class").split()[1]: (float(cell.get("x")), float(cell.get("y"))) for cell in cells[1:3]}
    assert at["ch-plus"][0] > at["ch-minus"][0] and at["ch-plus"][1] < at["ch-minus"][1]


def test_without_a_score_there_is_no_heat_map():
    assert draw_biases((), title="", too_much="", too_little="") == ""
