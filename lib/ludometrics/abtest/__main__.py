"""Commands: plan a test, deal out its versions, and report what it says."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any

import click

from ludometrics.abtest.assignment import FOLDS, assign_by_hash, assign_per_game
from ludometrics.abtest.layout import shorten, shown
from ludometrics.abtest.planning import MOST
from ludometrics.abtest.planning_text import plan_from_points, plan_lines
from ludometrics.abtest.plans import save_plan
from ludometrics.abtest.running import Request, named_in_full, run_report
from ludometrics.abtest.trial import ASSIGNMENTS
from ludometrics.gamelog import day_of_file

_FILE = click.Path(dir_okay=False, path_type=Path)
_KINDS = (".png", ".svg", ".pdf")
#: Columns at most of a line that says what is wrong.
_MOST_SAID = 500
_POINTS = ("above 0, at most 100 points", lambda x: 0 < x <= 100)
_COUNT = (f"a whole number from 1 to {MOST:,}", lambda x: 1 <= x <= MOST)
_ALLOWED = {
    "effect": _POINTS,
    "margin": _POINTS,
    "sd": ("above 0, at most 50 points", lambda x: 0 < x <= 50),
    "icc": ("at least 0, below 1", lambda x: 0 <= x < 1),
    "correlation": ("above -1, below 1", lambda x: -1 < x < 1),
    "power": ("above 0, below 1", lambda x: 0 < x < 1),
    "alpha": ("above 0, below 0.5", lambda x: 0 < x < 0.5),
    "players": _COUNT,
    "games_each": _COUNT,
}


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
        words = f"{error.filename}: {error.strerror}" if known else error
        raise BadInputError(shorten(words, _MOST_SAID)) from None
    except ValueError as error:
        raise BadInputError(shorten(error, _MOST_SAID)) from None


@click.group()
def main() -> None:
    """A/B tests on games of people who come back."""


@main.command("report", short_help="What the games say of version B against version A.")
@click.argument("data", type=click.Path(path_type=Path))
@click.option(
    "--level", help="Level of the computer under test, in a folder of daily files.  [default: medium]"
)
@click.option(
    "--design",
    type=click.Choice(["between", "within"]),
    help="Whether each player was to meet one version or both.  [default: what the games show]",
)
@click.option(
    "--assignment",
    type=click.Choice(ASSIGNMENTS),
    help="How versions were dealt: to players by hash or in blocks, to each game, or in turn.  [default: likewise]",
)
@click.option("--plan", "plan_file", type=_FILE, help="Plan of `plan --out`: it fixes all of the above.")
@click.option("--ledger", "ledger_file", type=_FILE, help="Versions recorded before play.")
@click.option("--experiment", help="Experiment in the ledger, where it holds several.  [default: the plan's]")
@click.option("--alpha", type=float, help="Chance of a false alarm.  [default: 0.05]")
@click.option("--margin", type=float, help="Difference that is called small, points.  [default: 5]")
@click.option(
    "--ratings",
    default="glicko1",
    show_default=True,
    type=click.Choice(["glicko1", "elo", "none"]),
    help="From the games before the test, in a folder of daily files.",
)
@click.option(
    "--seed", default=1, show_default=True, type=click.IntRange(min=0), help="Of ways that are sampled."
)
@click.option("--json", "as_json", is_flag=True, help="JSON in place of text.")
@click.option("--out", type=_FILE, help="File for the report; the verdict alone is printed then.")
@click.option("--figure", type=_FILE, help="PNG, SVG or PDF of each player's part.")
@click.pass_context
def report_command(context: click.Context, data: Path, **options: Any) -> None:
    """Report what the games in DATA say of version B against version A.

    DATA is a folder of daily files scores-YYYY-MM-DD.json, or a CSV with a row a game in the order of play: player,
    variant (A or B) and score (1, 0.5, 0 of the player, empty if unfinished); optional colour (b or w), assigned
    (version recorded before play), rating (from before the test), block, game (its number, for --ledger). Semicolons or
    tabs may separate its columns.

    Exit status: 0 with a verdict (also "undecided"); 1 without one (data not sound, too few players, a plan not
    fulfilled, scores that do not vary); 2 if the input cannot be used.
    """
    with _one_line():
        _check_numbers(options)
        _check_outputs(data, options)
        done = run_report(Request(data=data, **options))
    if options["out"] is None:
        _say(done.text)
    else:
        _say(done.verdict + "\n")
    if done.trouble:
        click.echo(done.trouble, err=True)
    context.exit(0 if done.decided else 1)


@main.command("plan", short_help="How many players and games a test needs, written down.")
@click.argument("experiment")
@click.option("--design", required=True, type=click.Choice(["between", "within"]))
@click.option("--assignment", type=click.Choice(ASSIGNMENTS), help="[default: hash or alternate]")
@click.option("--effect", default=5.0, show_default=True, help="Difference to be found, points.")
@click.option("--players", type=int, help="Players of both versions together.")
@click.option("--games-each", type=int, help="Games of each player.")
@click.option("--sd", default=30.0, show_default=True, help="Standard deviation of a game's score, points.")
@click.option("--icc", default=0.35, show_default=True, help="Correlation of two games of one player.")
@click.option("--correlation", default=0.0, help="Of players' means with earlier ratings; 0: not used.")
@click.option("--power", default=0.8, show_default=True, help="Wanted chance to find the difference.")
@click.option("--alpha", default=0.05, show_default=True, help="Chance of a false alarm.")
@click.option("--margin", default=5.0, show_default=True, help="Difference that is called small, points.")
@click.option("--level", default="medium", show_default=True, help="Level of the computer under test.")
@click.option("--sequential", is_flag=True, help="Results may be looked at any time (within players).")
@click.option(
    "--date", "decided_on", type=click.DateTime(["%Y-%m-%d"]), help="Day of the decision.  [default: today]"
)
@click.option("--note", default="")
@click.option("--out", type=_FILE, help="JSON for the plan; one that holds another plan is refused.")
def plan_command(experiment: str, out: Path | None, decided_on: Any, **options: Any) -> None:
    """Plan the test EXPERIMENT: of --players and --games-each one is given, the other computed.

    The standard deviation and the correlation are those that `report` finds in earlier games.

    Exit status: 0, or 2 if no such plan can be made, or another one is in the file.
    """
    with _one_line():
        _check_numbers(options)
        if options["players"] is None and options["games_each"] is None:
            raise ValueError("neither --players nor --games-each is given: one must be, or both")
        today = date.today()
        day = today if decided_on is None else decided_on.date()
        if day > today:
            raise ValueError(f"--date is {day}: allowed is today, {today}, or a day before it")
        plan = plan_from_points(experiment, decided_on=day, **options)
        if out is not None:
            with named_in_full(out):
                save_plan(plan, out)
    _say("\n".join(plan_lines(plan)) + "\n")
    if out is not None:
        _say(f"Plan in {shown(out)}\n")


@main.command("assign", short_help="Which version a player gets.")
@click.argument("experiment")
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@click.option(
    "--fold",
    default="names",
    show_default=True,
    type=click.Choice(FOLDS),
    help="How spellings of a name are brought together; course: as the adaptive-draughts course does.",
)
@click.option("--game", type=int, help="Number of the game, from 0: a version for this game alone.")
def assign_command(experiment: str, names: tuple[str, ...], fold: str, game: int | None) -> None:
    """Print the version that each NAME gets in EXPERIMENT: A or B, a tab, the name.

    Without --game for the whole test, the same on every machine. Exit status: 0, or 2 for a name that is none.
    """
    with _one_line():
        for name in names:
            if game is None:
                version = assign_by_hash(experiment, name, fold=fold)
            else:
                version = assign_per_game(experiment, name, game, fold=fold)
            _say(f"{version}\t{shown(name)}\n")


def _check_numbers(options: dict[str, Any]) -> None:
    """Options are in points where the library's messages would speak of scores."""
    for name, (allowed, holds) in _ALLOWED.items():
        value = options.get(name)
        if value is not None and not holds(value):
            given = f"{value:.12g}" if isinstance(value, float) else value
            raise ValueError(f"--{name.replace('_', '-')} is {given}: allowed is {allowed}")


def _check_outputs(data: Path, options: dict[str, Any]) -> None:
    """No output may fall on an input or the other; what cannot be drawn is refused before anything is computed."""
    inputs = [path for path in (data, options["plan_file"], options["ledger_file"]) if path is not None]
    out, figure = options["out"], options["figure"]
    for name, path in (("out", out), ("figure", figure)):
        if path is None:
            continue
        of_a_day = day_of_file(path) is not None and _same(path.parent, data)
        if of_a_day or any(_same(path, each) for each in inputs):
            raise ValueError(f"--{name} is {str(path)!r}: that file is read, and must not be written over")
    if figure is not None and figure.suffix.lower() not in _KINDS:
        raise ValueError(f"--figure is {str(figure)!r}: its name must end in {', '.join(_KINDS)}")
    if out is not None and figure is not None and _same(out, figure):
        raise ValueError(f"--out and --figure are both {str(figure)!r}: each needs a file of its own")


def _same(one: Path, other: Path) -> bool:
    return os.path.realpath(one) == os.path.realpath(other) or (
        one.exists() and other.exists() and one.samefile(other)
    )


def _say(text: str) -> None:
    """Print, also where the terminal cannot show a sign."""
    encoding = sys.stdout.encoding or "utf-8"
    click.echo(text.encode(encoding, "backslashreplace").decode(encoding), nl=False)


if __name__ == "__main__":
    main()
