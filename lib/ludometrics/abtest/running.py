"""From files to a report: what the command line does with its arguments."""

import io
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from ludometrics.abtest.analysis import Analysis, analyse
from ludometrics.abtest.ledger import read_ledger
from ludometrics.abtest.naive import analyse_naive
from ludometrics.abtest.own_games import read_own
from ludometrics.abtest.plans import Plan, load_plan
from ludometrics.abtest.recorded import add_recorded
from ludometrics.abtest.report import report_json, report_text
from ludometrics.abtest.saved import SavedTest, read_saved
from ludometrics.abtest.verdicts import MARGIN
from ludometrics.gamelog import day_of_file
from ludometrics.provenance import write_bytes


@dataclass(frozen=True)
class Request:
    """What a report is wanted of, and where it goes.

    Attributes
    ----------
    data : Path
        Folder of daily files, or CSV of games.
    level, design, assignment, experiment : str, optional
    plan_file, ledger_file : Path, optional
    alpha : float, optional
    margin : float, optional
        Points.
    ratings : {"glicko1", "elo", "none"}
    seed : int
    as_json : bool
    out, figure : Path, optional
    """

    data: Path
    level: str | None = None
    design: str | None = None
    assignment: str | None = None
    plan_file: Path | None = None
    ledger_file: Path | None = None
    experiment: str | None = None
    alpha: float | None = None
    margin: float | None = None
    ratings: str = "glicko1"
    seed: int = 1
    as_json: bool = False
    out: Path | None = None
    figure: Path | None = None


class Done(NamedTuple):
    """A report that was made: its text, the verdict's line, whether there is one, and what could not be done."""

    text: str
    verdict: str
    decided: bool
    trouble: str = ""


def run_report(request: Request) -> Done:
    """Read games, plan and ledger, analyse, and write what was asked for.

    Parameters
    ----------
    request : Request

    Returns
    -------
    Done

    Raises
    ------
    ValueError
        Naming what cannot be used; nothing is written then.
    OSError
        A file that cannot be read or written.

    Source
    ------
    Own.
    """
    plan = None
    if request.plan_file is not None:
        with named_in_full(request.plan_file):
            plan = load_plan(request.plan_file)
        _check_against(plan, request)
    test = _read(request, plan)
    analysis = analyse(
        test.games,
        ratings=test.ratings,
        blocks=test.blocks,
        design=request.design,
        assignment=_assignment(request, plan, test),
        plan=plan,
        alpha=0.05 if request.alpha is None else request.alpha,
        margin=MARGIN if request.margin is None else request.margin / 100.0,
        rng=np.random.default_rng(request.seed),
    )
    analysis = replace(analysis, notes=(*_before(plan, test.games), *analysis.notes, *test.notes))
    naive = analyse_naive(test.games.dropna(subset="score"))
    text = (report_json if request.as_json else report_text)(analysis, naive)
    figure, trouble = None, ""
    if request.figure is not None:
        try:
            figure = draw_bytes(analysis, request.figure.suffix.lower().lstrip("."))
        except ValueError as error:
            trouble = f"No figure: {error}."
    if request.out is not None:
        write_bytes(request.out, text.encode("utf-8", "backslashreplace"))
    if figure is not None:
        write_bytes(request.figure, figure)
    return Done(text, analysis.verdict.text, analysis.verdict.decided, trouble)


def draw_bytes(analysis: Analysis, kind: str) -> bytes:
    """Draw the forest as the content of a file, the same bytes each time.

    Parameters
    ----------
    analysis : Analysis
    kind : {"png", "svg", "pdf"}

    Returns
    -------
    bytes

    Raises
    ------
    ValueError
        As `drawing.draw_forest`.

    Source
    ------
    Own.
    """
    import matplotlib.pyplot as plt

    from ludometrics.abtest.drawing import draw_forest

    plt.switch_backend("agg")
    figure = draw_forest(analysis)
    dates = {"png": {"Software": None}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}
    buffer = io.BytesIO()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing")  # a name in a script the font lacks
        figure.savefig(buffer, format=kind, metadata=dates[kind])
    plt.close(figure)
    return buffer.getvalue()


@contextmanager
def named_in_full(path: Path) -> Iterator[None]:
    """Put the whole path of a file into a message that begins with its name alone.

    Examples
    --------
    >>> with named_in_full(Path("plans/first.json")):
    ...     raise ValueError("first.json: not JSON")
    Traceback (most recent call last):
    ...
    ValueError: plans/first.json: not JSON
    """
    try:
        yield
    except ValueError as error:
        words = str(error)
        if not words.startswith(f"{path.name}:"):
            raise
        raise ValueError(f"{path}{words.removeprefix(path.name)}") from None


def _check_against(plan: Plan, request: Request) -> None:
    """What a plan fixes cannot be chosen anew."""
    for name in ("level", "design", "assignment", "alpha", "experiment"):
        value, fixed = getattr(request, name), getattr(plan, name)
        if value is not None and value != fixed:
            raise ValueError(f"--{name} is {value!r}, but the plan says {fixed!r}: leave it out")
    if request.margin is not None and request.margin / 100.0 != plan.margin:
        fixed = f"{100.0 * plan.margin:.12g} points"
        raise ValueError(f"--margin is {request.margin:.12g}, but the plan says {fixed}: leave it out")


def _before(plan: Plan | None, games: pd.DataFrame) -> list[str]:
    """Note on games that were over before the plan was decided, where their days are known."""
    if plan is None or "day" not in games:
        return []
    early = int((games["day"].dropna() < plan.decided_on).sum())
    if not early:
        return []
    were = "1 game was" if early == 1 else f"{early} games were"
    return [
        f"{were} played before {plan.decided_on}, when the plan was decided: a plan made with results in view is none."
    ]


def _read(request: Request, plan: Plan | None) -> SavedTest:
    data = request.data
    if data.is_dir() or not data.exists():
        level = request.level or ("medium" if plan is None else plan.level)
        test = read_saved(data, level, system=None if request.ratings == "none" else request.ratings)
    elif day_of_file(data) is not None:
        raise ValueError(f"{data} is one daily file: name its folder, {data.parent}")
    else:
        if request.level is not None:
            raise ValueError(
                f"--level is {request.level!r}: it goes with a folder of daily files, not with a CSV"
            )
        test = read_own(data)
    if request.ledger_file is None:
        return test
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        ledger = read_ledger(request.ledger_file)
    experiment = request.experiment or (None if plan is None else plan.experiment)
    test = add_recorded(test, ledger, experiment=experiment)
    return replace(test, notes=(*test.notes, *_sentences(caught)))


def _sentences(caught: Iterable[warnings.WarningMessage]) -> list[str]:
    return [f"{each.message}." for each in caught if issubclass(each.category, UserWarning)]


def _assignment(request: Request, plan: Plan | None, test: SavedTest) -> str | None:
    """As asked for; else as the ledger says, unless a design is asked for that it is none of."""
    if plan is not None or request.assignment is not None or request.design is not None:
        return request.assignment
    return test.assignment
