"""One run over somebody's matches: read, judged, reported; and all of it written, or nothing."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from ludometrics.backgammon.equity_table import NAMES
from ludometrics.backgammon.exports import anki_csv, encode_table, make_card, xgid_list
from ludometrics.backgammon.match_report import tabulate_reports
from ludometrics.backgammon.reading import problem_table, read_library
from ludometrics.backgammon.records import Library
from ludometrics.backgammon.report_data import FULL, Extent, PlayerReport, rate_player, report_on
from ludometrics.backgammon.report_page import build_page
from ludometrics.backgammon.report_parts import Compared, compare_parts
from ludometrics.backgammon.report_positions import view_decision
from ludometrics.backgammon.report_rows import comparison_frame, parts_frame, references_frame, rules_frame
from ludometrics.backgammon.report_selection import EVERYTHING, Selection
from ludometrics.backgammon.settings import DEFAULTS, Settings
from ludometrics.backgammon.side_tables import (
    People,
    apply_match_table,
    read_match_table,
    read_players,
    read_study_actions,
)
from ludometrics.provenance import write_bytes

#: The page, and the files for other programs; tables are CSVs in a folder of their own.
PAGE, XGIDS, ANKI, TABLES = "report.html", "reference_positions.txt", "anki.csv", "tables"

Say = Callable[[str], None]


class Beside(NamedTuple):
    """Tables that people keep beside their matches; None: there is none."""

    matches: Path | None = None
    players: Path | None = None
    study_actions: Path | None = None

    @property
    def files(self) -> list[Path]:
        """Those there are."""
        return [path for path in self if path is not None]


@dataclass(frozen=True)
class Request:
    """A report.

    Attributes
    ----------
    files : tuple of Path
        Matches, records, or folders of them.
    folder : Path
        For the outputs; made if need be.
    player : str
        "" for the main player of the table of players.
    against : str
        Another player, to stand beside; "" for none.
    selection : Selection
    beside : Beside
    settings : Settings
    extent : Extent
    deck : str
        Name of the deck in Anki.
    progress : bool
        Show how far the reading is.
    """

    files: tuple[Path, ...]
    folder: Path
    player: str = ""
    against: str = ""
    selection: Selection = EVERYTHING
    beside: Beside = field(default_factory=Beside)
    settings: Settings = DEFAULTS
    extent: Extent = FULL
    deck: str = "Backgammon"
    progress: bool = False


class Done(NamedTuple):
    """What a run made: the report, and the files written, the page first."""

    report: PlayerReport
    files: list[Path]


def read_matches(
    files: Sequence[Path], beside: Beside, *, progress: bool = False
) -> tuple[Library, People | None]:
    """The matches of files and folders, with what the tables beside them say.

    Raises
    ------
    ValueError
        A table that cannot be read, or not one match; says why the first file was refused.
    """
    people = read_players(beside.players) if beside.players else None
    table = read_match_table(beside.matches) if beside.matches else None
    library = read_library(files, progress=progress)
    if not library.matches:
        first = f": {library.problems[0]}" if library.problems else ""
        raise ValueError(f"no match could be read{first}")
    return (apply_match_table(library, table) if table else library), people


def run(request: Request, *, say: Say = lambda text: None) -> Done:
    """Do everything that the request asks for, and write it at the end.

    Raises
    ------
    ValueError
        Something in the input, naming file and place. Nothing is written.
    OSError
        A file cannot be read or written.
    ImportError
        An optional package is missing, naming the way to get it.
    """
    inputs = [*request.files, *request.beside.files]
    if request.settings.met not in NAMES:
        inputs.append(Path(request.settings.met))
    if any(path.is_dir() and path.resolve() == request.folder.resolve() for path in request.files):
        raise ValueError(f"{request.folder}: is read: choose another folder for the report")
    check_outputs([request.folder / PAGE, request.folder / XGIDS, request.folder / ANKI], inputs)
    say("reading")
    library, people = read_matches(request.files, request.beside, progress=request.progress)
    actions = read_study_actions(request.beside.study_actions) if request.beside.study_actions else ()
    player = request.player or (people.main if people and people.main else "")
    if not player:
        raise ValueError("no player is named: --player NAME, or a table of players with a main one")
    chosen = {"people": people, "selection": request.selection, "settings": request.settings}
    report = report_on(library, player, actions=actions, extent=request.extent, say=say, **chosen)
    compared, other = (), ""
    if request.against:
        who, parts = rate_player(library, request.against, **chosen)
        if who == report.player:
            raise ValueError(f"{who.name} is to be compared with himself: name another player")
        compared, other = compare_parts(report.parts, parts, request.settings.tournament_decisions), who.name
    say("writing")
    contents = compose(report, compared, other, deck=request.deck)
    by_path = {request.folder / name: content for name, content in contents.items()}
    check_outputs(by_path, inputs)
    return Done(report, write_all(by_path))


def compose(
    report: PlayerReport, compared: Sequence[Compared] = (), other: str = "", *, deck: str = "Backgammon"
) -> dict[str, bytes]:
    """Every file of a report by its name below the folder: the page first, then what other programs read, then tables.

    Parameters
    ----------
    report : PlayerReport
    compared : sequence of Compared
        The player beside another.
    other : str
        That one's name.
    deck : str
        Name of the deck in Anki.
    """
    page = build_page(report, compared=compared, other=other, made_with=f"Made by Ludometrics {_version()}.")
    cards = [
        make_card(
            view_decision(report.library, report.assessment, reference.row, arrows=False),
            tags=("backgammon", reference.kind, reference.plan.label, reference.theme.label),
        )
        for reference in report.references.references
    ]
    files = {
        PAGE: page.encode("utf-8"),
        XGIDS: xgid_list(view.xgid for view in report.reference_views),
        ANKI: anki_csv(cards, deck=deck),
    }
    tables = {name: frame for name, frame in frames(report).items() if frame is not None}
    if compared:
        tables["comparison"] = comparison_frame(compared, (report.player.name, other))
    return files | {f"{TABLES}/{name}.csv": encode_table(frame) for name, frame in tables.items()}


def _version() -> str:
    try:
        return version("ludometrics")
    except PackageNotFoundError:  # run from a source tree that was never installed
        return "of a source tree"


def frames(report: PlayerReport) -> dict[str, pd.DataFrame | None]:
    """The tables of a report by name, with all their digits; None where there is nothing to tell."""
    tournaments = [each.frame().assign(tournament=each.tournament) for each in report.tournaments]
    return {
        "rates": parts_frame(report.parts),
        "rules": rules_frame(report.rules),
        "matches": tabulate_reports(report.matches),
        "study_plan": report.plan.frame(),
        "study_positions": report.plan.positions_frame(report.library),
        "study_effect": report.effect.frame() if report.effect else None,
        "reference_positions": references_frame(report),
        "biases": report.biases.frame(),
        "pace": report.pace.frame(),
        "results": report.results.frame(),
        "tournaments": pd.concat(tournaments, ignore_index=True) if tournaments else None,
        "problems": problem_table(report.library),
    }


def check_outputs(outputs: Iterable[Path], inputs: Iterable[Path]) -> None:
    """Refuse what cannot be written before anything is done: a folder in the place of a file, or a file that is read.

    Raises
    ------
    ValueError
        Naming it.
    """
    inputs, outputs = list(inputs), list(outputs)
    read = {os.path.realpath(path) for path in inputs}
    folders = [Path(os.path.realpath(path)) for path in inputs if path.is_dir()]
    places = [os.path.realpath(path) for path in outputs]
    twice = next((path for path, place in zip(outputs, places, strict=True) if places.count(place) > 1), None)
    if twice is not None:
        raise ValueError(f"{twice}: two outputs are to be written there")
    for path in outputs:
        if path.is_dir():
            raise ValueError(f"{path}: is a folder: a file is to be written there")
        blocked = next((folder for folder in path.parents if folder.exists() and not folder.is_dir()), None)
        if blocked:
            raise ValueError(f"{blocked}: is a file: a folder is needed for the outputs")
        if os.path.realpath(path) in read or any(_is_read_in(path, folder) for folder in folders):
            raise ValueError(f"{path}: is read, and would be written over: choose another place for --out")


def _is_read_in(path: Path, folder: Path) -> bool:
    """Whether the file ``path`` is there and among those of ``folder``, but not in an earlier report below it."""
    place = Path(os.path.realpath(path))
    if not place.exists() or folder not in place.parents:
        return False
    below = [parent for parent in place.parents if folder in parent.parents]
    return not any((parent / PAGE).exists() for parent in below)


def write_all(contents: Mapping[Path, bytes]) -> list[Path]:
    """Write files that are whole already, each at once or not at all."""
    return [write_bytes(path, content) for path, content in contents.items()]
