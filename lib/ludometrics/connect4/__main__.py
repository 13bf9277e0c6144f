"""Commands: learn Connect-4 from nothing, measure the learner against a perfect player, play against it."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from ludometrics.connect4.command import (
    describe_settings,
    evaluate_file,
    parse_settings,
    read_pairings,
    train_run,
)

_OUT = click.Path(path_type=Path)
_WEIGHTS = click.Path(path_type=Path, dir_okay=False)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Connect-4: learn it by self-play, measure the learner against a perfect player, play against it."""


@main.command(epilog=describe_settings())
@click.option("--out", required=True, type=_OUT, help="Folder of the run: tables, checkpoint, network.npz.")
@click.option(
    "--trainer",
    type=click.Choice(["compiled", "published"]),
    default="compiled",
    show_default=True,
    help="compiled: numba, for CPU cores. published: the recipe of the published run, in torch, on CPU or GPU.",
)
@click.option(
    "--moves",
    type=click.IntRange(1),
    default=9_000_000,
    show_default=True,
    help="Budget of moves, on all boards together: half a minute on two cores.",
)
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    help="Seed: the same gives the same network.",
)
@click.option(
    "--set",
    "changes",
    multiple=True,
    metavar="NAME=VALUE",
    help="Change a setting of the trainer; may be repeated. They are listed below.",
)
@click.option(
    "--evaluations",
    type=click.IntRange(0),
    default=1,
    show_default=True,
    help="Evaluations on the way, evenly spaced, the last at the end.",
)
@click.option(
    "--games",
    type=click.IntRange(1),
    default=50,
    show_default=True,
    help="Games of each pairing of an evaluation.",
)
@click.option(
    "--quick/--all-pairings",
    default=True,
    show_default=True,
    help="Three pairings with the perfect player, or all 24.",
)
@click.option(
    "--workers", type=click.IntRange(0), default=2, show_default=True, help="Processes that play the games."
)
@click.option(
    "--checkpoint-every",
    type=click.IntRange(0),
    default=2000,
    show_default=True,
    help="Steps between checkpoints; 0: only at the end.",
)
@click.option("--resume", is_flag=True, help="Go on from the folder's checkpoint.")
@click.option(
    "--device", default="cpu", show_default=True, help="Where the published recipe runs: cpu or cuda."
)
def train(**options: object) -> None:
    """Train a network by self-play, from nothing.

    The run stops after its budget of moves, never by the clock, so that it can be repeated: the compiled trainer gives
    the same network on one thread and on many.
    """
    with _faults_shown():
        options["changes"] = parse_settings(str(options["trainer"]), tuple(options["changes"]))
        table = train_run(**options)
        click.echo(table.to_string(index=False))
        click.echo(
            f"{options['out']}/network.npz: the network; metrics.csv, clock.csv, arena.csv: how it came about"
        )


@main.command()
@click.argument("weights", type=_WEIGHTS)
@click.option("--games", type=click.IntRange(1), default=50, show_default=True, help="Games of each pairing.")
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=1,
    show_default=True,
    help="Seed: the same gives the same games.",
)
@click.option(
    "--opponent",
    "names",
    multiple=True,
    help="Only this opponent, on both sides; may be repeated. perfect:0.1 errs with that probability.",
)
@click.option(
    "--quick", is_flag=True, help="Only the three pairings with the perfect player that trainers look at."
)
@click.option("--workers", type=click.IntRange(0), default=2, show_default=True, help="Processes that play.")
@click.option("--out", type=_OUT, help="Write the table there as CSV.")
@click.option("--moves-out", type=_OUT, help="Write every game's moves there as CSV.")
def evaluate(weights: Path, **options: object) -> None:
    """Let a network play the opponents on both sides and count the games.

    WEIGHTS is a network.npz, or a .pt file in the layout of the published one.
    """
    with _faults_shown():
        pairings = read_pairings(tuple(options.pop("names")), quick=bool(options.pop("quick")))
        click.echo(evaluate_file(weights, pairings=pairings, **options).to_string(index=False))


@main.command()
@click.argument("weights", type=_WEIGHTS)
@click.option(
    "--side",
    type=click.Choice(["first", "second"]),
    default="first",
    show_default=True,
    help="Your side: first is Yellow.",
)
@click.option(
    "--values/--no-values",
    default=True,
    show_default=True,
    help="Show what the network thinks of each of its moves.",
)
def play(weights: Path, side: str, values: bool) -> None:
    """Play against a network in the terminal: type a column, 0 to 6; u takes back, q ends."""
    from ludometrics.connect4.terminal import play_in_terminal

    with _faults_shown():
        play_in_terminal(weights, side=side, values=values, ask=click.prompt, say=click.echo)


@contextmanager
def _faults_shown() -> Iterator[None]:
    """Turn bad input into one line and status 2."""
    try:
        yield
    except (ValueError, OSError, ImportError) as error:
        click.echo(f"error: {error}", err=True)
        sys.exit(2)


if __name__ == "__main__":
    main(prog_name="python -m ludometrics.connect4")
