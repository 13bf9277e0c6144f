"""Commands: who is actually good, from a group's BG Stats export."""

import gc
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date, datetime
from pathlib import Path
from typing import Any, get_args

import click

from ludometrics.boardgames.naming import Names
from ludometrics.boardgames.settings import PRESETS
from ludometrics.boardgames.settings_text import read_settings
from ludometrics.boardgames.text_table import near

_FILE = click.Path(path_type=Path)
_DAY = click.DateTime(["%Y-%m-%d"])
#: Signs at most of a line that says what is wrong.
_MOST_SAID = 600
#: Exit status of a program whose output nobody reads on: 128 and the number of the signal.
_CLOSED_PIPE = 128 + 13


class BadInputError(click.ClickException):
    """What was given cannot be used: a line that says why, and exit status 2."""

    exit_code = 2


class _Commands(click.Group):
    """Commands of which `run` is the one that need not be named."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0] not in self.commands and args[0] not in ("--help", "--version"):
            self._check_word(ctx, args[0])
            args = ["run", *args]
        return super().parse_args(ctx, args)

    def _check_word(self, ctx: click.Context, word: str) -> None:
        """A mistyped command is told as one, and not as a file that is not there."""
        like = near(word, self.commands)
        if like and word.isalpha() and not os.path.exists(word):
            raise click.UsageError(f"{word!r} is neither a command nor a file{like}", ctx)


@contextmanager
def _one_line() -> Iterator[None]:
    """Turn what is wrong with the input into one line."""
    try:
        yield
    except OSError as error:
        known = error.filename is not None and error.strerror is not None
        raise BadInputError(_shorten(f"{error.filename}: {error.strerror}" if known else error)) from None
    except (ValueError, ImportError) as error:
        raise BadInputError(_shorten(error)) from None


def _shorten(message: object) -> str:
    text = " ".join(str(message).split())
    # A name may hold what a terminal takes for a command.
    text = "".join(sign if sign.isprintable() else "?" for sign in text)
    return text if len(text) <= _MOST_SAID else text[: _MOST_SAID - 3] + "..."


def _sources(command: Callable) -> Callable:
    """Options of every command that rates a log."""
    options = (
        click.argument("exports", nargs=-1, required=True, type=_FILE, metavar="EXPORT..."),
        click.option(
            "--complexity", type=_FILE, help="CSV of complexities at BoardGameGeek: bgg_id, complexity."
        ),
        click.option("--skill", type=_FILE, help="CSV of how much skill decides: game or bgg_id, skill."),
        click.option("--aliases", type=_FILE, help="CSV of people entered twice: name, same_as."),
        click.option("--editions", type=_FILE, help="CSV of games with the same rules: game, base."),
        click.option(
            "--preset", default="tuned", show_default=True, type=click.Choice(list(PRESETS)), help="Settings."
        ),
        click.option(
            "--set", "changes", multiple=True, metavar="FIELD=VALUE", help="Change one; may be repeated."
        ),
        click.option(
            "--since",
            type=_DAY,
            help="First day of the plays that count: all start there anew, but know the games played before.  "
            "[default: all]",
        ),
        click.option("--as-of", type=_DAY, help="Last day, as of which ratings are shown.  [default: all]"),
        click.option(
            "--strict",
            is_flag=True,
            help="Rows that cannot be read, and plays that refer to what is not there, are an error.",
        ),
        click.option(
            "--seed", default=1, show_default=True, type=click.IntRange(min=0), help="Of intervals."
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


def _cache_option(required: bool = False) -> Callable:
    return click.option(
        "--cache", type=_FILE, required=required, help="JSON in which fetched complexities are kept."
    )


@click.group(cls=_Commands)
def main() -> None:
    """Ratings of a board-game group from its play log: EXPORT... --out DIR does everything (it is `run`)."""


@main.command("run", short_help="Read, rate, judge, check and show: everything.")
@_sources
@click.option("--out", "folder", required=True, type=_FILE, help="Folder for what is made.")
@_cache_option()
@click.option(
    "--refresh-weights",
    "refresh",
    is_flag=True,
    help="Ask BoardGameGeek for complexities (needs a token in the environment variable BGG_TOKEN).",
)
@click.option(
    "--names",
    default="real",
    show_default=True,
    type=click.Choice(get_args(Names)),
    help="What people are called in all that is made.",
)
@click.option("--title", default="Board-game night", show_default=True)
@click.option("--publish", type=_FILE, help="Folder of a site that the payload is laid into as well.")
@click.option(
    "--publish-name", default="board-night.json", show_default=True, help="Name of the payload's file there."
)
def run_command(folder: Path, names: Names, title: str, publish: Path | None, **options: Any) -> None:
    """Rate the plays in EXPORT... and write into DIR what comes of it.

    EXPORT is a JSON export of BG Stats, or several of one group, or a CSV of plays with a row a seat. In DIR stand
    then dashboard.html (opens by itself), payload.json, leaderboard.csv, rejected.csv, plays.csv, head_to_head.csv,
    weights.csv, and in its folder exports/ the export and what it was before, with real names.

    Nothing is written unless all can be. Exit status: 0; 2 if the input cannot be used, or a file cannot be written.
    """
    with _one_line():
        from ludometrics.boardgames.command import CACHE, Request, run
        from ludometrics.boardgames.summary import summary_lines

        options["cache"] = options["cache"] or folder / CACHE
        request = Request(
            source=_source(options),
            folder=folder,
            names=names,
            title=title,
            preset=_preset_text(options),
            publish=publish,
            publish_name=options["publish_name"],
            seed=options["seed"],
        )
        with _progress() as say:
            done = run(request, say=say)
    _say(summary_lines(done.payload))
    _say([""])
    _say([f"Earlier export kept as {path}" for path in done.kept])
    _say([f"Published as {done.files[-1]}"] if publish else [])
    _say([f"Written to {folder}: open {folder / 'dashboard.html'}"])


@main.command("check", short_help="The six checks; fails where one is refuted.")
@_sources
@_cache_option()
@click.option("--out", "path", type=_FILE, help="CSV for the table of checks.")
@click.pass_context
def check_command(context: click.Context, path: Path | None, **options: Any) -> None:
    """Check whether the ratings of EXPORT... do what they say: six checks, each with an interval of 99 %.

    No names are printed. Exit status: 0, also where there is too little data; 1 if a check is refuted; 2 if the input
    cannot be used.
    """
    with _one_line():
        from ludometrics.boardgames.checks import exit_status
        from ludometrics.boardgames.command import check_rated, rate_source
        from ludometrics.boardgames.outputs import check_apart, write_together
        from ludometrics.boardgames.payload_tables import encode_csv
        from ludometrics.boardgames.summary import check_lines, count

        source = _source(options)
        check_apart([path] if path else [], source.inputs)
        with _progress() as say:
            rated, _ = rate_source(source, say=say)
            say("checking")
            table = check_rated(rated, options["seed"])
        rows = [{name: _or_none(value) for name, value in row.items()} for row in table.to_dict("records")]
        if path is not None:
            write_together({path: encode_csv(table.columns, rows)})
    plays = count(len(rated.log.plays), "play")
    _say([f"{plays} logged, {len(rated.schedule.play)} rated; settings: {_preset_text(options)}", ""])
    _say(check_lines(rows))
    context.exit(exit_status(table))


@main.command("calibrate", short_help="Which settings and mechanisms earn their place in this log.")
@_sources
@_cache_option()
@click.option("--out", "folder", required=True, type=_FILE, help="Folder for tables and a figure.")
@click.option(
    "--replicates",
    default=1000,
    show_default=True,
    type=click.IntRange(100, 100_000),
    help="Of each bootstrap.",
)
def calibrate_command(folder: Path, replicates: int, **options: Any) -> None:
    """Rate EXPORT... under many settings, and without each mechanism of the engine, and compare the forecasts.

    In DIR stand then judgement.csv, grid.csv (each number by itself, and a few together), ablation.csv, choice.csv,
    and mechanisms.png, .svg, .pdf. No names stand in them. Nothing is written unless all can be.

    Exit status: 0; 2 if the input cannot be used, or holds too few plays to judge anything.
    """
    with _one_line():
        from ludometrics.boardgames.calibrating import (
            FIGURE,
            TABLES,
            calibrate,
            calibration_lines,
            write_calibration,
        )
        from ludometrics.boardgames.command import rate_source
        from ludometrics.boardgames.outputs import check_apart
        from ludometrics.provenance import file_sha256

        source = _source(options)
        check_apart([folder / name for name in TABLES], source.inputs)
        parameters = {
            "preset": options["preset"],
            "changes": list(options["changes"]),
            "replicates": replicates,
            "seed": options["seed"],
            # By name: a path may say more of somebody's computer than wished.
            "inputs": {path.name: file_sha256(path) for path in source.inputs if path.is_file()},
        }
        with _progress() as say:
            rated, editions = rate_source(source, say=say)
            say("comparing settings")
            tables = calibrate(rated, editions=editions, replicates=replicates, seed=options["seed"])
            say("drawing")
            write_calibration(tables, folder, parameters=parameters)
    _say(calibration_lines(tables))
    _say(["", f"Written to {folder}: look at {folder / FIGURE}.png"])


@main.command("weights", short_help="A table of skill to fill in, or complexities from BoardGameGeek.")
@click.argument("exports", nargs=-1, required=True, type=_FILE, metavar="EXPORT...")
@click.option("--template", type=_FILE, help="New CSV with every game played, its skill to be filled in.")
@_cache_option()
@click.option("--refresh", is_flag=True, help="Ask for games that are kept in the cache as well.")
def weights_command(
    exports: tuple[Path, ...], template: Path | None, cache: Path | None, refresh: bool
) -> None:
    """Write a table of skill to be filled in (--template), or fetch complexities of the games played (--cache).

    BoardGameGeek answers only with a token, in the environment variable BGG_TOKEN. Exit status: 0; 2 if the input
    cannot be used, a template is there already, or BoardGameGeek does not answer.
    """
    with _one_line():
        from ludometrics.boardgames.bgg import fetch_complexity
        from ludometrics.boardgames.reading import read_log
        from ludometrics.boardgames.summary import count
        from ludometrics.boardgames.weights import write_skill_template

        if template is None and cache is None:
            raise ValueError("neither --template nor --cache is given: one is needed")
        log = read_log(exports)
        if template is not None:
            _say([f"Skill of each game, 0 to 1, to be filled in: {write_skill_template(log, template)}"])
        if cache is not None:
            numbers = {log.games[play.game].bgg_id for play in log.plays if play.game in log.games} - {0}
            found = fetch_complexity(numbers, cache=cache, refresh=refresh)
            _say([f"{len(found)} of {count(len(numbers), 'game')} have a complexity: {cache}"])


@main.command("aliases", short_help="A table of people to fill in, for those entered twice.")
@click.argument("exports", nargs=-1, required=True, type=_FILE, metavar="EXPORT...")
@click.option("--out", "path", required=True, type=_FILE, help="New CSV.")
def aliases_command(exports: tuple[Path, ...], path: Path) -> None:
    """Write a table of everybody in EXPORT..., to be filled in for --aliases where two are one.

    Exit status: 0; 2 if the input cannot be used, or the file is there already.
    """
    with _one_line():
        from ludometrics.boardgames.aliases import write_alias_template
        from ludometrics.boardgames.reading import read_log

        log = read_log(exports)
        if os.path.lexists(path):
            raise ValueError(f"{path}: is there already, and may have been filled in: choose another name")
        _say([f"Who is the same as who, to be filled in: {write_alias_template(log, path)}"])


@main.command("workflow", short_help="A CI workflow that checks a group's export whenever it changes.")
@click.option("--export", default="export.json", show_default=True, help="Its path in the repository.")
@click.option("--skill", help="Path of the table of skill there.")
@click.option("--complexity", help="Path of the table of complexities there.")
@click.option("--ref", default="main", show_default=True, help="Version of ludometrics to install.")
@click.option(
    "--out", "path", type=_FILE, required=True, help="By custom .github/workflows/board-night-check.yml."
)
def workflow_command(path: Path, **options: Any) -> None:
    """Write a workflow for GitHub Actions that runs `check` on a group's own export whenever it changes.

    Exit status: 0; 2 if something else is in the file.
    """
    with _one_line():
        from ludometrics.boardgames.workflow import compose_workflow
        from ludometrics.provenance import write_bytes

        content = compose_workflow(**options, written_to=path).encode("utf-8")
        if os.path.lexists(path) and path.read_bytes() != content:
            raise ValueError(f"{path}: is there already, with something else in it: choose another name")
        _say([f"Workflow in {write_bytes(path, content)}"])


def _source(options: dict[str, Any]) -> Any:
    from ludometrics.boardgames.command import Source

    return Source(
        exports=tuple(options["exports"]),
        settings=read_settings(options["preset"], options["changes"]),
        **{name: options[name] for name in ("complexity", "skill", "aliases", "editions", "cache", "strict")},
        refresh=options.get("refresh", False),
        since=_day(options["since"]),
        as_of=_day(options["as_of"]),
    )


def _preset_text(options: dict[str, Any]) -> str:
    return ", ".join([options["preset"], *options["changes"]])


def _day(moment: datetime | None) -> date | None:
    return None if moment is None else moment.date()


def _or_none(value: Any) -> Any:
    return None if isinstance(value, float) and value != value else value


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


def _say(lines: list[str]) -> None:
    """Print, also where the terminal cannot show a sign, and nothing that a terminal takes for a command."""
    encoding = sys.stdout.encoding or "utf-8"
    for line in lines:
        safe = "".join(sign if sign.isprintable() else "?" for sign in line)
        try:
            click.echo(safe.encode(encoding, "backslashreplace").decode(encoding))
        except BrokenPipeError:  # whoever reads has read enough; 1 would say that a check is refuted
            # What is still to be written when the program ends goes nowhere.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise SystemExit(_CLOSED_PIPE) from None


if __name__ == "__main__":
    # A run is short and keeps nearly all it makes: to look for what it does not would take a sixth of its time.
    gc.disable()
    main(prog_name="python -m ludometrics.boardgames")
