"""The door to boards and their texts: every name behind it is the one of its own module."""

import pytest

from ludometrics.backgammon import boards, drawing, position_ids, positions, xgid

MODULES = (boards, drawing, position_ids, xgid)


@pytest.mark.parametrize("name", positions.__all__)
def test_names_are_those_of_their_modules(name):
    homes = [module for module in MODULES if hasattr(module, name)]
    assert getattr(positions, name) in [getattr(module, name) for module in homes]


def test_the_same_position_by_every_text():
    text = "XGID=a-----E-C---dE---c-e----AA:0:0:1:31:0:0:0:7:10"
    board = positions.from_xgid(text).board
    assert positions.board_from_position_id(positions.position_id(board)) == board
    assert positions.xgid(board, dice=(3, 1), length=7) == text
    assert positions.pips(board) == (168, 131)
    assert "168 pips, 0 off; O: 131 pips, 2 off" in positions.draw(board)
