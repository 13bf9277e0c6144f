"""Commands: rate a log of games and judge the forecasts."""

from pathlib import Path
from typing import Any

import click
import numpy as np
import pandas as pd

from ludometrics.evaluation import judge
from ludometrics.ratings.frames import days_since_1970, read_games
from ludometrics.ratings.standings import standings
from ludometrics.ratings.state import load_state, save_state
from ludometrics.ratings.stream import rate_stream
from ludometrics.ratings.systems import SYSTEMS, rate

#: Scored games above which the bootstrap is made with fewer replicates, to stay within seconds.
MANY = 20_000
_COLUMNS = (
    click.argument("log", type=click.Path(exists=True, dir_okay=False, path_type=Path)),
    click.option("--first", default="first", show_default=True, help="Column of the first player."),
    click.option("--second", default="second", show_default=True, help="Column of the second player."),
    click.option(
        "--outcome",
        default="outcome",
        show_default=True,
        help="Column of the first player's result (1, 0.5, 0 or 1-0, 1/2-1/2, 0-1).",
    ),
    click.option("--time", help="Column of dates, or of days as numbers."),
)


def _columns(command: Any) -> Any:
    for option in reversed(_COLUMNS):
        command = option(command)
    return command


@click.group()
def main() -> None:
    """Ratings of players from the outcomes of their games."""


@main.command("rate")
@_columns
@click.option("--scores", help="Two columns of scores, with a comma between, in place of --outcome.")
@click.option("--system", default="glicko1", show_default=True, type=click.Choice(list(SYSTEMS)))
@click.option("--as-of", help="Date up to which games count, and for which absence is shown.")
@click.option("--top", default=20, show_default=True, type=click.IntRange(min=1), help="Players shown.")
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), help="CSV to which all standings are written."
)
def rate_command(
    log: Path,
    first: str,
    second: str,
    outcome: str,
    time: str | None,
    scores: str | None,
    system: str,
    as_of: str | None,
    top: int,
    out: Path | None,
) -> None:
    """Rate the games of LOG (CSV or Parquet): who is strong, how surely, and how good the forecasts were.

    Forecasts are made strictly before each game; those of the second half are judged, with intervals of a bootstrap
    over days (over games where there are no dates).
    """
    result: str | tuple[str, str] = outcome
    if scores is not None:
        parts = tuple(part.strip() for part in scores.split(","))
        if len(parts) != 2:
            raise click.UsageError(
                f"--scores is {scores!r}: two columns are needed, such as home_score,away_score"
            )
        result = parts
    try:
        games = read_games(log, first=first, second=second, outcome=result, time=time)
        day = None
        if as_of is not None:
            day = _end_of_day(as_of)
            games = games.until(day)
        if not len(games):
            raise ValueError(f"{log}: there are no games to rate")
        record = rate(games, system)
        aged = day if SYSTEMS[system].aged is not None else None
        table = standings(games.players, record, as_of=aged)
    except ValueError as error:
        raise click.ClickException(str(error)) from None
    click.echo(f"{len(games):,} games of {len(games.players):,} players, {SYSTEMS[system].title}")
    click.echo(table.head(top).round(1).to_string())
    scored = np.arange(len(games)) >= len(games) // 2
    units = None if games.times is None else np.floor(games.times).astype(np.int64)
    replicates = 2000 if scored.sum() <= MANY else 200
    judged = judge(
        record.forecasts,
        games.outcomes,
        units=units,
        scored=scored,
        replicates=replicates,
        rng=np.random.default_rng(0),
    )
    click.echo("\nForecasts of the second half (a coin: log_loss 0.6931, brier 0.25, accuracy 0.5):")
    click.echo(judged.round(4).to_string(index=False))
    if out is not None:
        try:
            out.parent.mkdir(parents=True, exist_ok=True)
            table.reset_index().to_csv(out, index=False, lineterminator="\n")
        except OSError as error:
            raise click.ClickException(f"{out}: {error.strerror}") from None
        click.echo(f"\n{len(table)} standings in {out}")


@main.command("stream")
@_columns
@click.option(
    "--system", default=None, help="As of `rate`, glicko1 if nothing is said; those that can be carried on."
)
@click.option(
    "--state",
    type=click.Path(dir_okay=False, exists=True, path_type=Path),
    help="Saved state to carry on from.",
)
@click.option(
    "--save", required=True, type=click.Path(dir_okay=False, path_type=Path), help="Where the state is saved."
)
def stream_command(
    log: Path,
    first: str,
    second: str,
    outcome: str,
    time: str | None,
    system: str | None,
    state: Path | None,
    save: Path,
) -> None:
    """Rate a LOG of any length as it is read, and save the state; carry on with the next file by --state."""
    if save.suffix != ".npz":
        raise click.UsageError(f"--save is {save}: the name of a saved state must end in .npz")
    try:
        earlier = None if state is None else load_state(state)
        system = system or ("glicko1" if earlier is None else None)
        record = rate_stream(
            log, system=system, first=first, second=second, outcome=outcome, time=time, state=earlier
        )
        save_state(
            save, record.names, record.record, record.settings, record.system, last_time=record.last_time
        )
    except ValueError as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        raise click.ClickException(f"{error.filename or save}: {error.strerror}") from None
    click.echo(
        f"{record.n_games:,} games, {len(record.players):,} players: log loss {record.log_loss:.4f}, "
        f"Brier {record.brier:.4f}; state in {save}"
    )


def _end_of_day(text: str) -> float:
    """The last moment of a date, or the moment itself where a time of day is given."""
    day = float(days_since_1970(pd.Series([text]))[0])
    if not np.isfinite(day):
        raise ValueError(f"--as-of is {text!r}: it must be a date such as 2018-12-31")
    return day if day % 1 else float(np.nextafter(day + 1.0, 0.0))


if __name__ == "__main__":
    main()
