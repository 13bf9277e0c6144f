"""Boards out of drawings, and small libraries of themed errors for the tests of what builds on them."""

import numpy as np

from ludometrics.backgammon.building import Option, RecordBuilder
from ludometrics.backgammon.records import NO_DOUBLE, Kind, Match

#: Chances of an option that explain nothing.
PLAIN = (0.5, 0.1, 0.0, 0.1, 0.0)
#: Contact, a point away from nothing in particular: a middle game without anchors.
MIDDLE = (0, -2, 0, 0, 2, 0, 4, 0, 3, 0, 0, 0, -5, 4, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0)


def drawn_board(case) -> tuple[int, ...]:
    """Read the drawing of a case: `top` (points 13 to 24), `low` (12 to 1), `bar`; X decides."""
    board = [0] * 26
    drawn = [*case["low"].replace("|", " ").split()[::-1], *case["top"].replace("|", " ").split()]
    for point, text in enumerate(drawn, start=1):
        if text != ".":
            board[point] = int(text[1:]) * (1 if text[0] == "X" else -1)
    for text in case["bar"].split():
        board[25 if text[0] == "X" else 0] = int(text[1:]) * (1 if text[0] == "X" else -1)
    return tuple(board)


def random_boards(rng: np.random.Generator, count: int) -> np.ndarray:
    """(count, 26) int8: up to 15 checkers a side, no point held by both; in every other one each side holds a run."""
    boards = np.zeros((count, 26), dtype=np.int8)
    for row, board in enumerate(boards):
        points = rng.permutation(np.arange(1, 25))
        if row % 2:
            run = int(rng.integers(3, 6))
            first, second = int(rng.integers(2, 12 - run)), int(rng.integers(12, 24 - run))
            runs = [*range(first, first + run), *range(second, second + run)]
            board[runs] = [2] * run + [-2] * run
            points = points[~np.isin(points, runs)]
        cut = int(rng.integers(1, 8))
        for sign, bar, held in ((1, 25, points[:cut]), (-1, 0, points[cut : 2 * cut])):
            free = 15 - int(np.abs(board[np.sign(board) == sign]).sum())
            for slot in rng.choice([*held, bar], size=int(rng.integers(0, free + 1))):
                if slot != bar or rng.random() < 0.3:
                    board[slot] += sign
    return boards


def moved(board, *hops) -> tuple[int, ...]:
    """``board`` after own checkers went from one point to another each: (13, 10), (24, 18) ..."""
    board = list(board)
    for start, end in hops:
        board[start] -= 1
        if end:
            board[end] += 1
    return tuple(board)


def begin(
    builder: RecordBuilder, key: str, *, length=7, date="", players=("ann", "bob"), score=(0, 0)
) -> None:
    """One match more and its first game."""
    builder.match(Match(key, length, players, date=date))
    builder.game(1, score)


def play(
    builder,
    cost_mp,
    *,
    theme="gammon",
    board=MIDDLE,
    move=1,
    seat=0,
    dice=(3, 1),
    second_mp=400,
    crowd=0,
    cube=1,
    **columns,
) -> None:
    """A checker play that costs so much and has the theme; a third candidate costs ``second_mp``.

    A ``crowd`` of as many others that cost 90 mp make the decision a hard one.
    """
    best, made = moved(board, (8, 5), (6, 5)), moved(board, (6, 5))
    shares = (0.5, 0.2, 0.0, 0.1, 0.0) if theme == "gammon" else PLAIN
    if theme == "none":
        best, made = moved(board, (6, 5)), moved(board, (6, 3))
    options = [Option(best, 0.0, shares, 2), Option(made, -cost_mp / 1000, PLAIN, 2)]
    options.append(Option(moved(board, (8, 7)), -second_mp / 1000, PLAIN, 2))
    options += [Option(moved(board, (8, 4)), -0.09, PLAIN, 2)] * crowd
    builder.checker(
        seat=seat,
        move=move,
        board=board,
        dice=dice,
        played=1,
        options=options,
        cube=cube,
        cube_owner=0,
        legal_plays=20,
        **columns,
    )


def no_double(builder, cost_mp, *, board=MIDDLE, move=1, seat=0, cube=1, **columns) -> None:
    """A double missed that costs so much."""
    builder.cube_decision(
        Kind.DOUBLE,
        seat=seat,
        move=move,
        board=board,
        played=NO_DOUBLE,
        equities=(0.5, 0.5 + cost_mp / 1000, 1.0),
        cube=cube,
        cube_owner=0,
        **columns,
    )
