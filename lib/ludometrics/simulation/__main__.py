"""Commands: simulate players whose skill is known."""

from dataclasses import replace
from pathlib import Path

import click
import numpy as np
import pandas as pd

from ludometrics.matching import evenness
from ludometrics.provenance import named_stream
from ludometrics.ratings import leaderboard
from ludometrics.simulation.boardgame_sample import SEED, write_sample
from ludometrics.simulation.draughts_days import DaysRecord, level_games, simulate_days
from ludometrics.simulation.fair_test import FairSettings, saved_fair_games, simulate_fair_test
from ludometrics.simulation.replications import phases_of
from ludometrics.simulation.saving import FolderInUseError, check_folder, save_days, saved_games
from ludometrics.simulation.scenarios import SCENARIOS


@click.group()
def main() -> None:
    """Players whose skill is known."""


@main.command("draughts-days")
@click.option(
    "--out", "folder", required=True, type=click.Path(path_type=Path), help="Folder for the daily files."
)
@click.option(
    "--seed", default=2026, show_default=True, type=click.IntRange(min=0), help="Seed of all randomness."
)
@click.option(
    "--rule",
    default="course",
    show_default=True,
    type=click.Choice(list(SCENARIOS)),
    help="How levels are offered. Without effect on --design fair.",
)
@click.option(
    "--design",
    default="hash",
    show_default=True,
    type=click.Choice(["hash", "fair"]),
    help="hash: a player always meets the same version of Medium. fair: both in turn, 16 games each, on one day.",
)
@click.option(
    "--days", default=20, show_default=True, type=click.IntRange(1, 365), help="Days of --design hash."
)
def draughts_days(folder: Path, seed: int, rule: str, design: str, days: int) -> None:
    """Let eight players play draughts for some days, and save the games as daily files.

    The folder must be one for simulated games alone: one that holds other daily files is refused.
    """
    try:
        check_folder(folder)
        if design == "fair":
            _fair(folder, seed)
        else:
            _days(folder, seed, rule, days)
    except FolderInUseError as error:
        raise click.UsageError(str(error)) from None
    except OSError as error:
        raise click.ClickException(f"{error.filename or folder}: {error.strerror}") from None


@main.command("boardgames")
@click.option(
    "--out",
    "path",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="JSON for the export; tables of the games and of the people's strengths are laid beside it.",
)
@click.option(
    "--seed", default=SEED, show_default=True, type=click.IntRange(min=0), help="Seed of all randomness."
)
def boardgames(path: Path, seed: int) -> None:
    """Let ten people of known strength meet for board games over two years, and write an export of BG Stats.

    Beside 290 plays there is one of each way in which real logs are odd. An export that was not simulated is never
    written over.
    """
    try:
        paths = write_sample(path, seed=seed)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    except OSError as error:
        raise click.ClickException(f"{error.filename or path}: {error.strerror}") from None
    for written in paths:
        click.echo(written)


def _days(folder: Path, seed: int, rule: str, days: int) -> None:
    settings = replace(SCENARIOS[rule], days=days)
    click.echo(f"Playing {days} days by the rule {rule!r}, seed {seed} ...")
    record = simulate_days(settings, rng=named_stream(seed, "draughts-days"))
    parameters = {"command": "draughts-days", "design": "hash", "seed": seed, "rule": rule, "days": days}
    paths = save_days(folder, saved_games(record), parameters=parameters, levels=settings.ladder.keys)
    click.echo(f"{len(record.games)} games in {len(paths)} files in {folder}")
    click.echo(describe_ratings(record))
    click.echo(describe_evenness(record, rng=named_stream(seed, "bootstrap")))


def _fair(folder: Path, seed: int) -> None:
    settings = FairSettings()
    click.echo(f"Playing the fair design, seed {seed} ...")
    games = simulate_fair_test(settings, rng=named_stream(seed, "fair"))
    parameters = {"command": "draughts-days", "design": "fair", "seed": seed}
    paths = save_days(
        folder, saved_fair_games(settings, games), parameters=parameters, levels=settings.ladder.keys
    )
    click.echo(f"{len(games)} games in {len(paths)} file in {folder}")
    for variant, own in games.groupby("variant"):
        click.echo(
            f"Version {variant}: mean score of the players {own['score'].mean():.3f} in {len(own)} games"
        )


def describe_ratings(record: DaysRecord) -> str:
    """Leaderboard of a simulation as text, a star behind a provisional rating.

    Examples
    --------
    >>> record = simulate_days(replace(SCENARIOS["course"], days=1), rng=np.random.default_rng(1))
    >>> print(describe_ratings(record).splitlines()[0])
    Ratings after 1 day:
    """
    days = record.settings.days
    lines = [f"Ratings after {days} day{'s' * (days > 1)}:"]
    final: pd.DataFrame = record.final
    for row in leaderboard(final["rating"].to_dict(), final["games"].to_dict()):
        lines.append(
            f"  {row.name:<20} {row.rating:>5}{'*' if row.provisional else ' '} {row.games:>4} games"
        )
    return "\n".join(lines)


def describe_evenness(record: DaysRecord, *, rng: np.random.Generator) -> str:
    """Evenness of a simulation's phases as text, with its interval over players.

    Examples
    --------
    >>> record = simulate_days(replace(SCENARIOS["course"], days=1), rng=np.random.default_rng(1))
    >>> print(describe_evenness(record, rng=np.random.default_rng(1)))  # doctest: +ELLIPSIS
    Distance from even, days 1-1: ... (24 games)
    """
    games = level_games(record)
    lines = []
    for phase, (first, last) in phases_of(record.settings).items():
        part = games[games["day"].between(first, last)]
        result = evenness(part["score"], part["player"], rng=rng, target=record.settings.rule.target)
        lines.append(
            f"Distance from even, days {phase}: mean {result.mean_distance:.3f}; without the bias of few games "
            f"{result.rms:.3f}, 95 % over {result.n_players} players {result.rms_low:.3f} to {result.rms_high:.3f} "
            f"({result.n_games} games)"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    main()
