"""Boards drawn in plain text."""

import numpy as np
import pytest

from ludometrics.backgammon.boards import START
from ludometrics.backgammon.drawing import draw

OPENING = """\
 13 14 15 16 17 18    19 20 21 22 23 24
| X           O    |   | O              X |
| X           O    |   | O              X |
| X           O    |   | O                |
| X                |   | O                |
| X                |   | O                |
|                  |   |                  |
| O                |   | X                |
| O                |   | X                |
| O           X    |   | X                |
| O           X    |   | X              O |
| O           X    |   | X              O |
 12 11 10  9  8  7     6  5  4  3  2  1
X: 167 pips, 0 off; O: 167 pips, 0 off"""


def test_the_opening():
    assert draw(START) == OPENING
    assert draw(START, "#", "o") == OPENING.replace("X", "#").replace("O", "o")


def test_bars_and_high_stacks():
    board = np.zeros(26, int)
    board[[25, 6, 0, 13, 19]] = 2, 11, -1, -6, -3
    lines = draw(board).splitlines()
    assert lines[1] == "| O                | X | O                |"
    assert lines[2] == "| O                | X | O                |"
    assert lines[3] == "| O                |   | O                |"
    assert lines[5] == "| 6                |   |                  |"
    assert lines[7] == "|                  |   |11                |"
    assert lines[11] == "|                  | O | X                |"
    assert lines[13] == "X: 116 pips, 2 off; O: 115 pips, 5 off"


def test_no_board():
    with pytest.raises(ValueError, match="15"):
        draw(START * 2)
