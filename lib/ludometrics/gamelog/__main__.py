"""Commands: look at a folder of saved games, export tables of it, and remove what must not be kept."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date, datetime
from pathlib import Path
from typing import Any

import click
from tqdm import tqdm

from ludometrics.evaluation import NORMAL_95
from ludometrics.gamelog.audit import AUDIT_DAYS
from ludometrics.gamelog.expiry import MAX_DAYS
from ludometrics.gamelog.expiry import expire as expire_games
from ludometrics.gamelog.exports import export as export_table
from ludometrics.gamelog.finding import search
from ludometrics.gamelog.forgetting import RatingsWouldChangeError
from ludometrics.gamelog.forgetting import forget as forget_person
from ludometrics.gamelog.loading import load_log
from ludometrics.gamelog.lock import FolderLock
from ludometrics.gamelog.rated import RatedLog, RatingsDifferError
from ludometrics.gamelog.removal_text import count_of, found_lines, hit_lines
from ludometrics.gamelog.snapshot import Rater
from ludometrics.gamelog.store import TIME_ZONE, find_zone, today
from ludometrics.gamelog.tables import KINDS

_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
_DAY = click.DateTime(["%Y-%m-%d"])


class _Days(click.IntRange):
    """Days in plain digits: Python would take 1_0 for ten."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, str) and not (value.isascii() and value.isdecimal()):
            self.fail(f"{value!r} is not a whole number of days", param, ctx)
        return super().convert(value, param, ctx)


class BadInputError(click.ClickException):
    """What was given cannot be used: a line that says why, and exit status 2."""

    exit_code = 2


@contextmanager
def _one_line() -> Iterator[None]:
    """Turn what is wrong with the input into one line: status 2, or 1 where another try may help."""
    try:
        yield
    except (TimeoutError, RatingsWouldChangeError) as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        known = error.filename is not None and error.strerror is not None
        raise BadInputError(f"{error.filename}: {error.strerror}" if known else str(error)) from None
    except ValueError as error:
        raise BadInputError(str(error)) from None


def _zone(_: click.Context, __: click.Parameter, value: str) -> str:
    try:
        return find_zone(value).key
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


def _name(_: click.Context, __: click.Parameter, value: str) -> str:
    """A name from the command line, or a line of standard input for a single hyphen."""
    return sys.stdin.readline().rstrip("\r\n") if value == "-" else value


_time_zone = click.option(
    "--time-zone",
    default=TIME_ZONE,
    show_default=True,
    callback=_zone,
    help="In which days begin and end: a name of the IANA database.",
)
_yes = click.option(
    "--yes/--dry-run",
    "yes",
    default=False,
    help="Do it, or only say what would be done.  [default: --dry-run]",
)
_operator = click.option("--operator", help="Who does it, for the audit.  [default: the user]")


@click.group()
def main() -> None:
    """Saved games: daily files scores-YYYY-MM-DD.json in a folder DIR.

    Commands that change something make a trial run unless --yes is given.
    """


@main.command("check", short_help="Files and games that are left out, and why.")
@click.argument("folder", metavar="DIR", type=_FOLDER)
@_time_zone
@click.pass_context
def check_command(context: click.Context, folder: Path, time_zone: str) -> None:
    """List the files and games in DIR that cannot be used, and why: everything else goes on without them.

    Exit status: 0 if nothing is left out, 1 if something is, 2 if DIR cannot be read.
    """
    with _one_line():
        log = _load(folder, time_zone)
    for left in log.left_out:
        place = left.file if left.row is None else f"{left.file}, game {left.row}"
        _say(f"{place}: {left.reason}")
    known = sum(left.games for left in log.left_out if left.games is not None)
    whole = sum(left.games is None for left in log.left_out)
    _say(
        f"{count_of(len(log.frame), 'rated game')} in {count_of(len(log.files), 'file')}; left out: "
        f"{count_of(known, 'game')}, {count_of(whole, 'whole file')}"
    )
    context.exit(1 if log.left_out else 0)


@main.command("scores", short_help="League table of a day.")
@click.argument("folder", metavar="DIR", type=_FOLDER)
@click.option("--day", type=_DAY, help="Of the games.  [default: today]")
@_time_zone
def scores_command(folder: Path, day: datetime | None, time_zone: str) -> None:
    """Print a day's league table: 3 points for a win, 1 for a draw."""
    with _one_line():
        its_day = day.date() if day else today(time_zone)
        log = RatedLog(folder, {}, time_zone=time_zone)
        log.refresh()
        rows = log.day_table(its_day)
    _say(f"{its_day}, days in {time_zone}")
    _table(
        ("place", "name", "played", "won", "drawn", "lost", "points"),
        [(place, *row) for place, row in enumerate(rows, start=1)],
        "No rated games",
    )
    _warn(log.left_out)


@main.command("ratings", short_help="Ratings of all players and levels.")
@click.argument("folder", metavar="DIR", type=_FOLDER)
@click.option(
    "--prove", is_flag=True, help="Rate all games afresh and compare with ratings carried on, bit for bit."
)
@_time_zone
def ratings_command(folder: Path, prove: bool, time_zone: str) -> None:
    """Print ratings by Elo as in the adaptive-draughts course, and by Glicko-1 with a 95 % interval.

    Levels of the computer are rated from these games like people. The page holds their Glicko ratings at what they were
    measured at against each other, so that its Glicko ratings stand on another scale.

    A star marks fewer than five games. Exit status: 0; 1 if --prove finds a difference; 2 if DIR cannot be read.
    """
    with _one_line():
        log = RatedLog(folder, {"elo": Rater("elo"), "glicko": Rater("glicko1")}, time_zone=time_zone)
        log.refresh()
        elo, glicko = log.standings("elo"), log.standings("glicko").set_index("key")
        if prove:
            try:
                log.prove()
            except RatingsDifferError as error:
                raise click.ClickException(str(error)) from None
    rows = []
    for place, row in enumerate(elo.itertuples(), start=1):
        other = glicko.loc[row.key]
        half = NORMAL_95 * other["deviation"]
        star = "*" if row.provisional else ""
        interval = f"{other['rating'] - half:.0f} to {other['rating'] + half:.0f}"
        rows.append(
            (place, row.name, f"{row.rating:.0f}{star}", row.games, f"{other['rating']:.0f}", interval)
        )
    _table(("place", "name", "Elo", "games", "Glicko", "95 %"), rows, "No rated games yet")
    _warn(log.left_out)


@main.command("export", short_help="Write a table as CSV, and put it down in the register.")
@click.argument("folder", metavar="DIR", type=_FOLDER)
@click.option(
    "--out",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="CSV; a sidecar is laid beside it.",
)
@click.option("--what", default="games", show_default=True, type=click.Choice(list(KINDS)))
@click.option("--from", "first", type=_DAY, help="First day.  [default: all before]")
@click.option("--to", "last", type=_DAY, help="Last day.  [default: today]")
@click.option(
    "--pseudonyms", is_flag=True, help="Random names in place of the players', new ones for each export."
)
@_time_zone
def export_command(
    folder: Path, out: Path, first: datetime | None, last: datetime | None, **options: Any
) -> None:
    """Write a table of the games, the ratings, or each day's league table.

    The register (exports.json in DIR) lets `forget` and `expire` make it anew when games are removed; copies of it they
    cannot know. With pseudonyms it is still about people: days and opponents can tell who somebody is.

    Exit status: 0, or 2 if the table cannot be made.
    """
    with _one_line():
        done = export_table(folder, out, first=_date(first), last=_date(last), **options)
    _say(f"{count_of(done.rows, 'row')} in {done.path}")
    _warn(done.left_out)


@main.command("expire", short_help="Delete games older than so many days.")
@click.argument("folder", metavar="DIR", type=_FOLDER)
@click.argument("days", type=_Days(1, MAX_DAYS))
@_yes
@_time_zone
@_operator
@click.option("--audit-days", default=AUDIT_DAYS, show_default=True, type=_Days(1, MAX_DAYS))
def expire_command(folder: Path, days: int, yes: bool, **options: Any) -> None:
    """Delete from DIR the games of days more than DAYS days ago.

    With DAYS 90, on 30 November 2026 the games of 1 September are kept and those of 31 August deleted. Unrated games,
    files set aside as unreadable, lines of the ledger, and games being played that nobody touched since go likewise;
    registered exports are made anew. How long is right is for whoever runs the club to decide and to write down.

    Exit status: 0, also with warnings; 1 if another program held the folder; 2 for bad input.
    """
    with _one_line():
        done = expire_games(folder, days, dry_run=not yes, **options)
    _say(done.text)


@main.command("forget", short_help="Remove a person's name, or games.")
@click.argument("folder", metavar="DIR", type=_FOLDER)
@click.argument("name", callback=_name)
@_yes
@click.option("--drop", is_flag=True, help="Delete the person's games instead of the name.")
@click.option("--also", multiple=True, metavar="PATH", type=click.Path(exists=True), help="Search there too.")
@click.option(
    "--allow-unknown", is_flag=True, help="Status 0 if there is nobody of this name: for what runs twice."
)
@_time_zone
@_operator
@click.pass_context
def forget_command(
    context: click.Context, folder: Path, name: str, yes: bool, allow_unknown: bool, **options: Any
) -> None:
    """Remove the player NAME from DIR, in every spelling; - reads the name from standard input.

    The games stay under a random token, so that nobody else's rating changes; with --drop they go. Everything is
    done or nothing. Then all of DIR, and what --also names, is searched for the name.

    \b
    Exit status:
      0  done, or (trial run) can be done
      1  nothing done: another program held the folder
      2  bad input, such as a level's name
      3  nobody of this name
      4  a file cannot be read; if it holds the name, nothing was done
      5  the name stands in places that are not this program's
    """
    with _one_line(), _progress() as progress:
        done = forget_person(folder, name, dry_run=not yes, progress=progress, **options)
    _say(done.text)
    context.exit(0 if allow_unknown and done.status == 3 else done.status)


@main.command("find-name", short_help="Find a name in files and folders.")
@click.argument("name", callback=_name)
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path(exists=True))
@click.pass_context
def find_name_command(context: click.Context, name: str, paths: tuple[str, ...]) -> None:
    """Find NAME in every spelling, escape and encoding; - reads it from standard input.

    Looks into JSON, CSV, notebooks with their outputs, HTML, SVG, text of PNG pictures, archives, arrays; other files
    byte by byte. Links are not followed. What pictures show cannot be searched.

    Exit status, the other way round than grep's: 0 if the name is nowhere, 1 if it was found, 2 for bad input.
    """
    with _one_line(), _progress() as progress:
        found = search(name, paths, progress=progress)
    _say("\n".join([*hit_lines(found.hits, indent=""), *found_lines(found)]))
    context.exit(1 if found.hits else 0)


@contextmanager
def _progress() -> Iterator[Callable[[Path], None]]:
    """A count of files on a terminal, nothing elsewhere."""
    with tqdm(unit=" files", disable=None, leave=False, delay=1.0) as bar:
        yield lambda _: bar.update() and None


def _load(folder: Path, time_zone: str) -> Any:
    with FolderLock(folder).shared():
        return load_log(folder, today=today(time_zone))


def _date(given: datetime | None) -> date | None:
    return given.date() if given else None


def _warn(left_out: tuple[Any, ...]) -> None:
    if left_out:
        click.echo(
            f"{count_of(len(left_out), 'file or game', 'files or games')} left out: see `check`", err=True
        )


def _table(heads: tuple[str, ...], rows: list[tuple], empty: str) -> None:
    """Print rows under their heads, numbers to the right."""
    if not rows:
        _say(empty)
        return
    texts = [heads, *(tuple(map(str, row)) for row in rows)]
    widths = [max(len(text[column]) for text in texts) for column in range(len(heads))]
    for text in texts:
        cells = [
            cell.ljust(width) if head == "name" else cell.rjust(width)
            for head, cell, width in zip(heads, text, widths, strict=True)
        ]
        _say("  ".join(cells).rstrip())


def _say(text: str) -> None:
    """Print, also where the terminal cannot show a sign."""
    encoding = sys.stdout.encoding or "utf-8"
    click.echo(text.encode(encoding, "backslashreplace").decode(encoding))


if __name__ == "__main__":
    main(prog_name="python -m ludometrics.gamelog")
