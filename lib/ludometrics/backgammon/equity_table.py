"""Match equity tables: the chance to win the match at each score, and what an error costs there.

The default is Kazaross-XG2 (Neil Kazaross, 2011; published by Tom Keith, 2013,
bkgm.com/articles/Keith/KazarossXG2MET) up to 25 points away, with Zadeh's formulas beyond (N. Zadeh, Management Science
23, 986, 1977, with the parameters of GNU Backgammon's zadeh.xml).

>>> table = equity_table()
>>> float(match_chances(table, 7, 5))
0.37362
>>> round(float(match_chances(table, 3, 1, post_crawford=True)), 5)
0.32264
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

import numpy as np
import pandas as pd

from ludometrics.backgammon.records import LONGEST_MATCH, Decisions

NAMES = ("kazaross-xg2", "zadeh")
DEAD_CUBE = 1e-7  # a smaller swing prices nothing
# Zadeh's parameters as GNU Backgammon has them.
LEADER_GAMMONS, TRAILER_GAMMONS, POST_CRAWFORD_GAMMONS = 0.25, 0.15, 0.25
DELTA, DELTA_BAR = 0.08, 0.06
FREE_DROP_2_AWAY, FREE_DROP_4_AWAY = 0.015, 0.004
HIGHEST_CUBE = 64


@dataclass(frozen=True)
class EquityTable:
    """A match equity table.

    Attributes
    ----------
    name : str
    pre : (65, 65) float
        pre[a, b]: chance of the player a points away against one b away, before the Crawford game; row and column 1
        are worth the coming Crawford game. Row 0 is 1 (won), column 0 is 0.
    post : (65,) float
        post[a]: chance of the player a points away against one 1 away, after the Crawford game; post[0] is 1.
    """

    name: str
    pre: np.ndarray
    post: np.ndarray


def match_chances(table: EquityTable, away, away_opponent, *, post_crawford=False) -> np.ndarray:
    """Chance to win the match, arrays together.

    Parameters
    ----------
    table : EquityTable
    away, away_opponent : int or array of int
        Points needed; 0 or below: has won (lost).
    post_crawford : bool or array of bool
        The Crawford game has been played, or is the one whose result is asked for: where either is 1 away the
        post-Crawford row holds.

    Returns
    -------
    array of float in [0, 1]
    """
    own, other, post = np.broadcast_arrays(
        np.asarray(away), np.asarray(away_opponent), np.asarray(post_crawford)
    )
    most = max(own.max(initial=0), other.max(initial=0))
    if most > LONGEST_MATCH:
        raise ValueError(f"{most} points away; match equity tables end at {LONGEST_MATCH}")
    own, other = np.maximum(own, 0), np.maximum(other, 0)
    chances = table.pre[own, other]
    chances = np.where(post & (other == 1), table.post[own], chances)
    chances = np.where(post & (own == 1), 1 - table.post[other], chances)
    chances = np.where(other == 0, 0.0, chances)
    return np.where(own == 0, 1.0, chances)


def score_slopes(table: EquityTable, away, away_opponent, cube, post_crawford) -> np.ndarray:
    """Match winning chances that one point of normalised equity is worth at each score and cube; NaN for money.

    (MWC after winning the cube's value - MWC after losing it) / 2; NaN too where the cube is dead.

    Parameters
    ----------
    away, away_opponent : (n,) int
        0 and 0: money.
    cube : (n,) int
        Value for which the game is played.
    post_crawford : (n,) bool
        True in the Crawford game and after it.
    """
    own, other, cube, post = (np.asarray(values) for values in (away, away_opponent, cube, post_crawford))
    post = post | (own == 1) | (other == 1)
    won = match_chances(table, own - cube, other, post_crawford=post)
    lost = match_chances(table, own, other - cube, post_crawford=post)
    slopes = (won - lost) / 2
    return np.where(((own == 0) & (other == 0)) | (np.abs(slopes) * 2 < DEAD_CUBE), np.nan, slopes)


def slopes(table: EquityTable, decisions: Decisions) -> np.ndarray:
    """(n,) `score_slopes` of decisions; in the Crawford game the cube is 1."""
    own, other = decisions.away[:, 0].astype(int), decisions.away[:, 1].astype(int)
    cube = np.where(decisions.crawford, 1, decisions.cube)
    # A take or pass is priced in units of the cube before the double, which is what `cube` holds for it.
    return score_slopes(table, own, other, cube, decisions.crawford | decisions.post_crawford)


@cache
def equity_table(name: str = "kazaross-xg2") -> EquityTable:
    """One of the tables that come with the package: NAMES.

    Raises
    ------
    ValueError
        No such table.
    """
    if name == "zadeh":
        return _zadeh()
    if name == "kazaross-xg2":
        resource = files("ludometrics.backgammon") / "kazaross_xg2.csv"
        with resource.open(encoding="utf-8") as file:
            return _overlaid(pd.read_csv(file, comment="#"), name)
    raise ValueError(f"match equity table {name!r}, allowed are {', '.join(NAMES)} or the path of a CSV")


def read_equity_table(path: str | Path) -> EquityTable:
    """A table from a CSV as kazaross_xg2.csv: ``away,1,2,..,k``, rows 1 to k, a row ``post``; Zadeh beyond k.

    Cells are the row player's chances to win the match; row and column 1 before the Crawford game; ``post`` those of
    the trailer after it. Lines beginning with # are notes.

    Raises
    ------
    ValueError
        Names the file and what is wrong in it.
    """
    try:
        table = pd.read_csv(path, comment="#")
        return _overlaid(table, Path(path).stem)
    except (ValueError, KeyError, UnicodeDecodeError) as error:
        raise ValueError(f"{path}: no match equity table: {error}") from error


def _overlaid(table: pd.DataFrame, name: str) -> EquityTable:
    """``table``'s cells over Zadeh's."""
    size = len(table.columns) - 1
    wanted = ["away", *map(str, range(1, size + 1))]
    if list(map(str, table.columns)) != wanted or not 1 <= size <= LONGEST_MATCH:
        raise ValueError(
            f"the columns are {', '.join(map(str, table.columns[:4]))}..., wanted away, 1, 2, 3, ..."
        )
    rows = [str(value) for value in table["away"]]
    if rows != [*wanted[1:], "post"]:
        raise ValueError(f"the rows are {', '.join(rows[:4])}..., wanted 1 to {size} and post")
    cells = table.drop(columns="away").to_numpy(dtype=float)
    if not ((cells >= 0) & (cells <= 1)).all():
        raise ValueError("a chance is missing or outside 0 to 1")
    gap = np.abs(cells[:size] + cells[:size].T - 1).max()
    if gap > 1e-4:
        raise ValueError(f"chances of the two players do not add up to 1 (off by {gap:.5f})")
    zadeh = _zadeh()
    pre, post = zadeh.pre.copy(), zadeh.post.copy()
    pre[1 : size + 1, 1 : size + 1] = cells[:size]
    post[1 : size + 1] = cells[size]
    return EquityTable(name, pre, post)


@cache
def _zadeh() -> EquityTable:
    """Zadeh's table. Rows of ``chances`` and ``post`` are points away; ``at`` gives 1 and 0 to who is through."""
    size = LONGEST_MATCH
    post = _zadeh_post(size)
    chances = np.full((size + 1, size + 1), np.nan)
    chances[0, :], chances[:, 0] = 1.0, 0.0

    def at(own: int, other: int) -> float:
        if own <= 0:
            return 1.0
        return 0.0 if other <= 0 else float(chances[own, other])

    for own in range(1, size + 1):  # the Crawford game: nobody doubles, the leader needs any win
        after = [1.0 if away <= 0 else post[away] for away in (own - 2, own - 1)]
        trailer = 0.5 * POST_CRAWFORD_GAMMONS * after[0] + 0.5 * (1 - POST_CRAWFORD_GAMMONS) * after[1]
        chances[own, 1], chances[1, own] = trailer, 1 - trailer
    chances[1, 1] = 0.5
    for own in range(2, size + 1):
        for other in range(2, own + 1):
            first, second = _doubling_points(at, own, other)
            first, second = first + DELTA_BAR - 0.5, second + DELTA_BAR - 0.5
            value = (second * at(own - 1, other) + first * at(own, other - 1)) / (first + second)
            chances[own, other], chances[other, own] = value, 1 - value
    return EquityTable("zadeh", chances, post)


def _zadeh_post(size: int) -> np.ndarray:
    """The trailer's chances after the Crawford game: he doubles at once, so two points (four with a gammon) a win."""
    post = np.ones(size + 1)
    for away in range(1, size + 1):
        single, gammon = (1.0 if away - step <= 0 else post[away - step] for step in (2, 4))
        post[away] = 0.5 * (POST_CRAWFORD_GAMMONS * gammon + (1 - POST_CRAWFORD_GAMMONS) * single)
        post[away] -= {2: FREE_DROP_2_AWAY, 4: FREE_DROP_4_AWAY}.get(away, 0.0)
    return post


def _doubling_points(at, own: int, other: int) -> tuple[float, float]:
    """Winning chances at which each side's last doubles at cube 1 are even, built down from the highest cube."""
    higher = (0.0, 0.0)
    cube = HIGHEST_CUBE
    while cube >= 1:
        bare = _bare_point(at, own, other, cube), _bare_point(at, other, own, cube)
        if own - 1 < 2 * cube or other - 1 < 2 * cube:
            higher = bare  # a redouble would be worth nothing to somebody
        else:
            higher = (
                1 + (higher[1] + DELTA) * (bare[0] - 1),
                1 + (higher[0] + DELTA) * (bare[1] - 1),
            )
        cube //= 2
    return higher


def _bare_point(at, own: int, other: int, cube: int) -> float:
    """The doubling point of the player ``own`` away if no redouble followed."""
    # Who is through with the doubled cube lets the other redouble at once.
    stake = 2 * cube if own - 1 < 2 * cube <= other - 1 else cube
    lost = TRAILER_GAMMONS * at(own, other - 4 * stake) + (1 - TRAILER_GAMMONS) * at(own, other - 2 * stake)
    won = LEADER_GAMMONS * at(own - 4 * stake, other) + (1 - LEADER_GAMMONS) * at(own - 2 * stake, other)
    return (at(own - cube, other) - lost) / (won - lost)


def pricing_table(met: str) -> EquityTable:
    """The table that settings name: one of NAMES, else a file."""
    return equity_table(met) if met in NAMES else read_equity_table(met)
