"""Small libraries put together for the tests."""

import json
from pathlib import Path

from ludometrics.backgammon.building import Option, RecordBuilder
from ludometrics.backgammon.records import Kind, Match

CASES = Path(__file__).parents[1] / "data" / "backgammon"
START = (0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0)


def cases(name: str) -> dict:
    """The cases of one file."""
    return json.loads((CASES / f"{name}.json").read_text(encoding="utf-8"))


def board_after(number: int) -> tuple[int, ...]:
    """A board that differs for each ``number`` from 0 to 15: that many checkers of the 6-point and on moved down."""
    board = [0] * 26
    board[1] = number
    board[6] = 15 - number
    board[24] = -15
    return tuple(board)


def new_match(length: int = 7, key: str = "m1", players=("ann", "bob"), **facts) -> RecordBuilder:
    """A builder with one match and its first game begun at 0-0."""
    builder = RecordBuilder()
    add_match(builder, length, key, players, **facts)
    return builder


def add_match(
    builder: RecordBuilder, length: int = 7, key: str = "m1", players=("ann", "bob"), **facts
) -> None:
    """One match more, its first game begun at 0-0."""
    builder.match(Match(key, length, players, **facts))
    builder.game(1, (0, 0))


def add_checker(builder, equities, *, played=0, seat=0, move=1, legal=None, depths=None, **columns) -> None:
    """A checker play with these candidates, each a board of its own."""
    depths = [2] * len(equities) if depths is None else depths
    options = [
        Option(board_after(k), value, None, depth)
        for k, (value, depth) in enumerate(zip(equities, depths, strict=True))
    ]
    builder.checker(
        seat=seat,
        move=move,
        board=START,
        dice=(3, 1),
        played=played,
        options=options,
        cube=columns.pop("cube", 1),
        cube_owner=columns.pop("cube_owner", 0),
        legal_plays=len(equities) + 3 if legal is None else legal,
        **columns,
    )


def add_cube(
    builder, equities, kind=Kind.DOUBLE, *, played=0, seat=0, move=1, cube=1, cube_owner=0, **columns
) -> None:
    """A cube decision."""
    builder.cube_decision(
        Kind(kind),
        seat=seat,
        move=move,
        board=START,
        played=played,
        equities=equities,
        cube=cube,
        cube_owner=cube_owner,
        **columns,
    )


def add_errors(builder, errors_mp, *, seat=0, move=1) -> None:
    """A checker play for each error, in thousandths; 0 plays the best."""
    for error in errors_mp:
        add_checker(
            builder, [0.0, -error / 1000 if error else -0.5], played=1 if error else 0, seat=seat, move=move
        )
