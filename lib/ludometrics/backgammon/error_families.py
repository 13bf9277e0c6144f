"""The errors of a library sorted into families: plan of play, checker play or cube, and theme.

The study plan, the reference positions and the before-and-after study all start from these rows. They come in an order
of their own (key of the match, game, move), so that sums and ties do not depend on the order of the files.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from ludometrics.backgammon.assessment import Assessment
from ludometrics.backgammon.plans import Plan, classify_boards
from ludometrics.backgammon.records import SLOTS, Decisions, Kind, Library
from ludometrics.backgammon.themes import Theme, theme_errors

CHECKER, CUBE = 0, 1
KIND_LABELS = ("checker", "cube")


@dataclass(frozen=True)
class Errors:
    """Counted errors, k rows.

    Attributes
    ----------
    row : (k,) int64
        Rows of `Library.decisions`.
    plan, theme : (k,) int8
        `Plan` and `Theme`.
    kind : (k,) int8
        CHECKER or CUBE.
    priced : (k,) bool
        Has a loss and a difficulty.
    loss, excess : (k,) float
        Match winning chances lost, as a fraction of a match, and what of it exceeds the difficulty; NaN: unknown.
    position : (k,) int64
        Equal for equal positions: all that an XGID says but the length of the match. Counted in a fixed order.
    """

    row: np.ndarray
    plan: np.ndarray
    theme: np.ndarray
    kind: np.ndarray
    priced: np.ndarray
    loss: np.ndarray
    excess: np.ndarray
    position: np.ndarray

    def __len__(self) -> int:
        return len(self.row)

    def where(self, chosen: np.ndarray) -> Errors:
        """Those with ``chosen`` (k,) true, or those at the places ``chosen`` (j,) int."""
        return Errors(**{item.name: getattr(self, item.name)[chosen] for item in fields(self)})

    def of(self, mask: np.ndarray) -> Errors:
        """Those among the decisions in ``mask`` (n,) bool."""
        return self.where(np.asarray(mask, dtype=bool)[self.row])

    @property
    def family(self) -> np.ndarray:
        """(k,) int64: a number for each plan, kind and theme."""
        return (self.plan.astype(np.int64) * len(KIND_LABELS) + self.kind) * len(Theme) + self.theme

    def groups(self, codes: np.ndarray) -> list[np.ndarray]:
        """Places of equal ``codes`` (k,) together, groups in the order of the codes, places in their own order."""
        order = np.argsort(codes, kind="stable")
        return np.split(order, np.flatnonzero(np.diff(codes[order])) + 1) if len(order) else []


def classify_errors(library: Library, assessment: Assessment) -> Errors:
    """Every counted error of ``library`` with its family, in the fixed order; ``assessment`` is of that library."""
    decisions = library.decisions
    rows = np.flatnonzero(assessment.is_error)
    position = number_positions(decisions, rows)
    keys = [match.key for match in library.matches]
    rank = np.empty(len(keys), dtype=np.int64)
    rank[sorted(range(len(keys)), key=keys.__getitem__)] = np.arange(len(keys))
    order = np.lexsort(
        (
            position,
            decisions.seat[rows],
            decisions.kind[rows],
            decisions.move[rows],
            decisions.game[rows],
            rank[decisions.match[rows]],
        )
    )
    rows, position = rows[order], position[order]
    return Errors(
        row=rows,
        plan=classify_boards(decisions.board[rows]),
        theme=theme_errors(library, assessment, rows),
        kind=family_kinds(decisions, rows),
        priced=assessment.priced[rows],
        loss=assessment.loss[rows],
        excess=assessment.loss[rows] - assessment.difficulty[rows],
        position=position,
    )


def family_kinds(decisions: Decisions, rows: np.ndarray) -> np.ndarray:
    """(k,) int8: CHECKER or CUBE of the decisions ``rows``; a double and its answer are both CUBE."""
    return np.where(decisions.kind[rows] == Kind.CHECKER, CHECKER, CUBE).astype(np.int8)


def number_positions(decisions: Decisions, rows: np.ndarray) -> np.ndarray:
    """(k,) int64: numbers of the positions of ``rows``, equal where board, dice, question, score and cube are equal.

    Positions are numbered in the order of their bytes, whatever the order of the rows.
    """
    fields_of = np.dtype(
        [
            ("board", np.uint8, SLOTS),
            ("dice", np.uint8, 2),
            ("kind", np.uint8),
            ("away", ">u2", 2),
            ("cube", ">u4"),
            ("owner", np.uint8),
            ("crawford", np.uint8),
        ]
    )
    table = np.zeros(len(rows), dtype=fields_of)
    table["board"] = decisions.board[rows].astype(np.int64) + 15
    table["dice"] = decisions.dice[rows]
    table["kind"] = decisions.kind[rows]
    table["away"] = decisions.away[rows]
    table["cube"] = decisions.cube[rows]
    table["owner"] = decisions.cube_owner[rows].astype(np.int64) + 1
    table["crawford"] = decisions.crawford[rows]
    _, numbers = np.unique(table.view(np.dtype((np.void, fields_of.itemsize))), return_inverse=True)
    return numbers.reshape(-1).astype(np.int64)


def check_mask(library: Library, mask: np.ndarray) -> np.ndarray:
    """``mask`` as (n,) bool; ValueError where it does not fit the decisions of ``library``."""
    mask = np.asarray(mask)
    if mask.shape != (len(library.decisions),) or mask.dtype != bool:
        raise ValueError(
            f"mask has the shape {mask.shape} and holds {mask.dtype}, allowed is one bool for each of"
            f" {len(library.decisions)} decisions"
        )
    return mask


def family_labels(plan: int, kind: int, theme: int) -> tuple[str, str, str]:
    """Names of a family as tables print them.

    Examples
    --------
    >>> family_labels(Plan.HOLDING, CUBE, Theme.WRONG_TAKE)
    ('holding', 'cube', 'wrong take')
    """
    return Plan(plan).label, KIND_LABELS[kind], Theme(theme).label
