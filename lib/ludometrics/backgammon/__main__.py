"""Commands: what backgammon matches say about a player."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date, datetime
from pathlib import Path
from typing import Any

import click

from ludometrics.backgammon.settings import DEFAULTS, INTERVALS, RULES

_FILE = click.Path(path_type=Path)
_DAY = click.DateTime(["%Y-%m-%d"])
#: Signs at most of a line that says what is wrong.
_MOST_SAID = 800
#: Exit status of a program whose output nobody reads on: 128 and the number of the signal.
_CLOSED_PIPE = 128 + 13


class BadInputError(click.ClickException):
    """What was given cannot be used: a line that says why, and exit status 2."""

    exit_code = 2


@contextmanager
def _one_line() -> Iterator[None]:
    """Turn what is wrong with the input into one line."""
    try:
        yield
    except OSError as error:
        known = error.filename is not None and error.strerror is not None
        raise BadInputError(_shorten(f"{error.filename}: {error.strerror}" if known else error)) from None
    except (ValueError, ImportError, RuntimeError) as error:
        raise BadInputError(_shorten(error)) from None


def _shorten(message: object) -> str:
    text = " ".join(str(message).split())
    # A name may hold what a terminal takes for a command.
    text = "".join(sign if sign.isprintable() else "?" for sign in text)
    return text if len(text) <= _MOST_SAID else text[: _MOST_SAID - 3] + "..."


def _sources(command: Callable) -> Callable:
    """Arguments and options of every command that judges matches."""
    options = (
        click.argument("files", nargs=-1, required=True, type=_FILE, metavar="FILES..."),
        click.option("--matches", type=_FILE, help="CSV: match, date, tournament, round."),
        click.option("--players", type=_FILE, help="CSV of who is who: alias, person, main."),
        click.option(
            "--rule",
            default=DEFAULTS.rule,
            show_default=True,
            type=click.Choice([rule for rule in RULES if rule != "snowie"]),
            help="Which decisions count in PR (Snowie's rate stands beside, in the table of rules).",
        ),
        click.option(
            "--met",
            default=DEFAULTS.met,
            show_default=True,
            help="Match equity table: kazaross-xg2, zadeh, or a CSV.",
        ),
        click.option(
            "--any-met/--same-met",
            default=DEFAULTS.any_met,
            show_default=True,
            help="Whether analyses made with another match equity table are taken too.",
        ),
        click.option(
            "--interval",
            default=DEFAULTS.interval,
            show_default=True,
            type=click.Choice(INTERVALS),
            help="How intervals are made; those published are too short for few matches or games.",
        ),
        click.option(
            "--one-point-factor",
            default=DEFAULTS.one_point_factor,
            show_default=True,
            type=click.FloatRange(min=0, min_open=True),
            help="Errors of matches to one point are multiplied by it (eXtreme Gammon: 1.5).",
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


@click.group()
def main() -> None:
    """What backgammon matches say about a player, from analyses that programs made.

    FILES are matches (.xg, .bgf, .mat, .sgf, text exports of GNU Backgammon, ...), files of records (.csv, .json), or
    folders of them.
    """


@main.command("report", short_help="A player's report: tables and one page.")
@_sources
@click.option("--player", default="", help="Name or alias.  [default: the main player of --players]")
@click.option(
    "--out", "folder", default="report", show_default=True, type=_FILE, help="Folder of the report."
)
@click.option(
    "--opponent", "opponents", multiple=True, help="Only matches against this one; may be repeated."
)
@click.option("--since", type=_DAY, help="First day.")
@click.option("--until", type=_DAY, help="Last day.")
@click.option(
    "--length",
    "lengths",
    multiple=True,
    type=click.IntRange(0, 64),
    help="Only matches to so many points, 0 for money; may be repeated.",
)
@click.option("--against", default="", help="Another player, to stand beside.")
@click.option("--study-actions", type=_FILE, help="CSV of what was studied: position, time, action.")
@click.option(
    "--latest",
    default=20,
    show_default=True,
    type=click.IntRange(0, 500),
    help="Matches shown one by one, with curve and boards.",
)
@click.option("--references", default=20, show_default=True, type=click.IntRange(1, 50), help="Positions.")
@click.option(
    "--window",
    default=10,
    show_default=True,
    type=click.IntRange(3, 1000),
    help="Matches pooled in the curves over time.",
)
@click.option("--deck", default="Backgammon", show_default=True, help="Deck of the cards for Anki.")
def report_command(folder: Path, **options: Any) -> None:
    """Report on the play of one player in FILES...

    In the folder stand then report.html (opens by itself), reference_positions.txt (XGIDs), anki.csv, and tables/ with
    every table as CSV. Nothing is written unless all can be. Exit status: 0; 2 if the input cannot be used.
    """
    with _one_line():
        from ludometrics.backgammon.command import PAGE, Request, run
        from ludometrics.backgammon.report_data import Extent
        from ludometrics.backgammon.report_selection import Selection

        selection = Selection(
            opponents=options["opponents"],
            since=_day(options["since"]),
            until=_day(options["until"]),
            lengths=options["lengths"],
        )
        names = ("latest", "references", "window")
        request = Request(
            files=options["files"],
            folder=folder,
            selection=selection,
            beside=_beside(options),
            settings=_settings(options),
            extent=Extent(**{name: options[name] for name in names}),
            progress=sys.stderr.isatty(),
            **{name: options[name] for name in ("player", "against", "deck")},
        )
        with _progress() as say:
            done = run(request, say=say)
        from ludometrics.backgammon.command_summary import summary_lines
    _say(summary_lines(done.report))
    _say([f"Written to {folder}: open {folder / PAGE}"])


@main.command("import", short_help="One file of records from a folder of matches.")
@click.argument("files", nargs=-1, required=True, type=_FILE, metavar="FOLDER...")
@click.option("--out", "path", required=True, type=_FILE, help="records.csv, .json, each also with .gz.")
@click.option("--matches", type=_FILE, help="CSV: match, date, tournament, round.")
@click.option("--problems", type=_FILE, help="CSV for what could not be read.")
def import_command(files: tuple[Path, ...], path: Path, matches: Path | None, problems: Path | None) -> None:
    """Read every match in FOLDER... into one file of records, and say what could not be read and where.

    Exit status: 0; 2 if no match could be read.
    """
    with _one_line():
        from ludometrics.backgammon.command import Beside, check_outputs, read_matches, write_all
        from ludometrics.backgammon.exports import encode_table
        from ludometrics.backgammon.reading import problem_table
        from ludometrics.backgammon.record_files import write_records

        check_outputs([path, *([problems] if problems else [])], files)
        library, _ = read_matches(files, Beside(matches=matches), progress=sys.stderr.isatty())
        write_records(library, path)
        if problems:
            write_all({problems: encode_table(problem_table(library))})
    _say_problems(library)
    _say([f"{len(library.matches)} matches, {len(library.decisions)} decisions: {path}"])


@main.command("analyse", short_help="Have GNU Backgammon analyse matches.")
@click.argument("files", nargs=-1, required=True, type=_FILE, metavar="FILES...")
@click.option("--plies", default=2, show_default=True, type=click.IntRange(0, 4), help="Moves looked ahead.")
@click.option("--luck/--no-luck", default=True, show_default=True, help="Measure the luck of the rolls.")
@click.option("--out", "path", default="records.csv.gz", show_default=True, type=_FILE, help="Records.")
def analyse_command(files: tuple[Path, ...], plies: int, luck: bool, path: Path) -> None:
    """Analyse FILES... (.mat, .sgf) with GNU Backgammon, which must be installed, into one file of records.

    A match to 7 points takes 8 to 25 s at 2 plies. Exit status: 0; 2 if no match could be analysed.
    """
    with _one_line():
        from ludometrics.backgammon.command import check_outputs
        from ludometrics.backgammon.gnubg_analysis import analyse_all
        from ludometrics.backgammon.record_files import write_records

        check_outputs([path], files)
        library = analyse_all(files, plies=plies, luck=luck, progress=sys.stderr.isatty())
        if not library.matches:
            raise ValueError(f"no match could be analysed: {library.problems[0]}")
        write_records(library, path)
    _say_problems(library)
    _say([f"{len(library.matches)} matches, {len(library.decisions)} decisions: {path}"])


@main.command("club", short_help="PR and L7 of everybody as CSV.")
@_sources
@click.option("--out", "path", type=_FILE, help="CSV.  [default: printed]")
def club_command(path: Path | None, **options: Any) -> None:
    """PR, L7 and Elo against the engine, with intervals, of everybody who plays in FILES...

    Exit status: 0; 2 if the input cannot be used.
    """
    with _one_line():
        from ludometrics.backgammon.assessment import assess
        from ludometrics.backgammon.command import check_outputs, read_matches, write_all
        from ludometrics.backgammon.exports import encode_table
        from ludometrics.backgammon.report_rows import club_frame

        beside = _beside(options)
        check_outputs([path] if path else [], [*options["files"], *beside.files])
        library, people = read_matches(options["files"], beside, progress=sys.stderr.isatty())
        content = encode_table(club_frame(library, assess(library, _settings(options)), people))
        if path:
            write_all({path: content})
    if path:
        _say_problems(library)
        _say([f"Written: {path}"])
    else:
        _say(content.decode("utf-8-sig").splitlines())


# An XGID without its first word mostly begins with a dash.
@main.command("board", short_help="A position as SVG.", context_settings={"ignore_unknown_options": True})
@click.argument("position", metavar="XGID")
@click.option("--played", default="", help='Play drawn as red arrows, such as "13/9 6/5".')
@click.option("--best", default="", help="Play drawn as green arrows.")
@click.option("--out", "path", type=_FILE, help="File.  [default: printed]")
def board_command(position: str, played: str, best: str, path: Path | None) -> None:
    """Draw the position of an XGID, or of a Position ID of GNU Backgammon.

    Exit status: 0; 2 if it is neither.
    """
    with _one_line():
        from ludometrics.backgammon.board_svg import draw_position
        from ludometrics.backgammon.command import check_outputs, write_all
        from ludometrics.backgammon.report_positions import read_position

        picture = draw_position(read_position(position), played=played, best=best) + "\n"
        if path:
            check_outputs([path], [])
            write_all({path: picture.encode("utf-8")})
    _say([f"Written: {path}"] if path else [picture.rstrip()])


@main.command("rules", short_help="Which counting rules there are.")
def rules_command() -> None:
    """List the counting rules: which decisions each one counts."""
    from ludometrics.backgammon.report_tables import RULES

    for rule, (name, meaning) in RULES.items():
        _say([f"{rule:11} {name}: {meaning}."])


def _beside(options: dict[str, Any]) -> Any:
    from ludometrics.backgammon.command import Beside

    return Beside(options["matches"], options["players"], options.get("study_actions"))


def _settings(options: dict[str, Any]) -> Any:
    names = ("rule", "met", "any_met", "interval", "one_point_factor")
    return DEFAULTS.changed(**{name: options[name] for name in names})


def _day(moment: datetime | None) -> date | None:
    return None if moment is None else moment.date()


@contextmanager
def _progress() -> Iterator[Callable[[str], None]]:
    """Say what is being done, in one line that goes away, where somebody looks on."""
    seen = sys.stderr.isatty()

    def say(text: str) -> None:
        if seen:
            click.echo(f"\r\033[K{text} ...", err=True, nl=False)

    try:
        yield say
    finally:
        if seen:
            click.echo("\r\033[K", err=True, nl=False)


def _say_problems(library: Any) -> None:
    """What could not be read, each in a line, on the error stream."""
    for problem in library.problems:
        click.echo(_shorten(problem), err=True)


def _say(lines: list[str]) -> None:
    """Print, also where the terminal cannot show a sign, and nothing that a terminal takes for a command."""
    encoding = sys.stdout.encoding or "utf-8"
    for line in lines:
        safe = "".join(sign if sign.isprintable() else "?" for sign in line)
        try:
            click.echo(safe.encode(encoding, "backslashreplace").decode(encoding))
        except BrokenPipeError:  # whoever reads has read enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise SystemExit(_CLOSED_PIPE) from None


if __name__ == "__main__":
    main(prog_name="python -m ludometrics.backgammon")
