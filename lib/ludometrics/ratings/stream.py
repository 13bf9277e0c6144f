"""Logs too large for memory: rated as they are read, carried on where the last file ended."""

import math
import os
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numba import njit
from numpy.typing import NDArray
from tqdm.auto import tqdm

from ludometrics.evaluation.scores import CLIP
from ludometrics.ratings.log_pieces import LogReader, Piece, read_ahead
from ludometrics.ratings.name_index import NameIndex
from ludometrics.ratings.state import RatingState, find_carried, without_games

#: Games rated at a time. With each piece the record of all players is copied, which a million games pay for.
BATCH_GAMES = 1 << 20
_FORECASTS = pa.schema([("outcome", pa.float64()), ("forecast", pa.float64())])


@dataclass(frozen=True)
class StreamRecord(RatingState):
    """Where a rating system stands after a log, and how good its forecasts of the log's games were.

    Attributes
    ----------
    system, settings, names, record, last_time
        As in `RatingState`.
    n_games : int
        Games of this log.
    log_loss, brier : float
        Means over the forecasts of this log's games, each made before the game was learned from, as in
        `evaluation.scores`; NaN without games.
    """

    n_games: int = 0
    log_loss: float = math.nan
    brier: float = math.nan


def rate_stream(
    path: str | Path,
    *,
    system: str | None = None,
    settings: Any = None,
    first: str = "first",
    second: str = "second",
    outcome: str = "outcome",
    time: str | None = None,
    outcomes: Mapping[Hashable, float] | None = None,
    batch_games: int = BATCH_GAMES,
    state: RatingState | None = None,
    forecasts_to: str | Path | None = None,
    progress: bool = True,
) -> StreamRecord:
    """Rate a log of duels as it is read, in memory that depends on the players and not on the games.

    The ratings are those that a replay of the whole log gives, to the last bit; so are those of a log in several
    files, each carried on from the one before.

    Parameters
    ----------
    path : str or Path
        Parquet or CSV (.parquet, .csv, .csv.gz), one row a game, in the order of play.
    system : str, optional
        Key of `systems.SYSTEMS`, one that can be carried on; without it that of the state, or Elo.
    settings : optional
        The system's settings; without them those of the state, or the system's defaults.
    first, second : str
        Columns of the two players: text, or whole numbers. In a CSV file all names are text (007 is not 7).
    outcome : str
        Column of the first player's result: 1, 0.5, 0, or ``1-0``, ``1/2-1/2``, ``0-1``.
    time : str, optional
        Column of dates (``2018-12-31``, ``2018.12.31``, with or without a time of day), or of days as numbers; never
        falling.
    outcomes : mapping, optional
        What other ways of writing an outcome mean: ``{"white": 1, "black": 0, "draw": 0.5}``.
    batch_games : int
        Games rated at a time; more take more memory.
    state : RatingState, optional
        What `load_state` or an earlier call gave, to carry on from. It does not change.
    forecasts_to : str or Path, optional
        Parquet file to which outcome and forecast of each game are written, in the order of the log.
    progress : bool
        Show a bar.

    Returns
    -------
    StreamRecord

    Raises
    ------
    ValueError
        Naming the file, the row (the first row of data is 1), the value and what is allowed. Nothing is written then.

    Source
    ------
    Own.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     log = Path(folder, "log.csv")
    ...     _ = log.write_text("white,black,result\\nAnn,Bob,1-0\\nBob,Cid,1/2-1/2\\n", encoding="utf-8")
    ...     record = rate_stream(log, first="white", second="black", outcome="result", progress=False)
    >>> record.players, record.record.ratings.round(1).tolist(), record.n_games
    (('Ann', 'Bob', 'Cid'), [1216.0, 1184.7, 1199.3], 2)
    """
    if batch_games < 1:
        raise ValueError(f"batch_games is {batch_games}: it must be at least 1")
    if forecasts_to is not None and Path(forecasts_to).resolve() == Path(path).resolve():
        raise ValueError(f"{path}: the forecasts would take the place of the log")
    chosen, settings = _choose(system, settings, state)
    index = NameIndex(() if state is None else state.names)
    last_time = -math.inf if state is None or state.last_time is None else state.last_time
    if state is not None and len(state.names) and (time is None) != (state.last_time is None):
        dated = "has dates" if state.last_time is not None else "has no dates"
        raise ValueError(f"time is {time!r}, but the state {dated}: games of both kinds have no common clock")
    columns = {"first": first, "second": second, "outcome": outcome, "time": time, "outcomes": outcomes}
    reader = LogReader(path, index, **columns, last_time=last_time)
    record = None if state is None else state.record
    sums = np.zeros(4)
    n_games = 0
    with (
        _forecast_file(forecasts_to) as write,
        tqdm(
            total=reader.rows, desc=Path(path).name, unit=" games", unit_scale=True, disable=not progress
        ) as bar,
        closing(read_ahead(reader.pieces(batch_games), 1)) as pieces,
    ):
        for piece in pieces:
            record = _rate(chosen, settings, piece, record)
            _judge(record.forecasts, piece.outcomes, CLIP, sums)
            write(piece.outcomes, record.forecasts)
            n_games += len(piece.outcomes)
            bar.update(len(piece.outcomes))
        if record is None:
            record = chosen.replay(np.empty((0, 2), dtype=np.int64), np.empty(0), settings=settings)
    return StreamRecord(
        system=chosen.name,
        settings=settings,
        names=index.names(),
        record=without_games(record, settings, chosen.name),
        last_time=reader.last_time if math.isfinite(reader.last_time) else None,
        n_games=n_games,
        log_loss=float(sums[0]) / n_games if n_games else math.nan,
        brier=float(sums[2]) / n_games if n_games else math.nan,
    )


def _choose(system: str | None, settings: Any, state: RatingState | None) -> tuple[Any, Any]:
    """Settle on a system and its settings: those asked for, those of the state, or Elo and the defaults."""
    if state is not None and system not in (None, state.system):
        raise ValueError(f"system is {system!r}, but the state is of {state.system!r}")
    chosen = find_carried(system or (state.system if state else "elo"))
    if settings is None:
        return chosen, state.settings if state else chosen.settings()
    if not isinstance(settings, chosen.settings):
        raise ValueError(
            f"settings are {type(settings).__name__}: {chosen.name} has {chosen.settings.__name__}"
        )
    if state is not None and settings != state.settings:
        raise ValueError(
            f"settings are {settings}, but the state was made with {state.settings}: leave them out"
        )
    return chosen, settings


def _rate(chosen: Any, settings: Any, piece: Piece, record: Any) -> Any:
    times = {"times": piece.times} if piece.times is not None and "times" in chosen.takes else {}
    return chosen.replay(
        piece.pairs, piece.outcomes, settings=settings, n_players=piece.n_players, state=record, **times
    )


@contextmanager
def _forecast_file(path: str | Path | None) -> Iterator[Callable[[NDArray, NDArray], None]]:
    """Give what writes outcomes and forecasts; the file gets its name when all of it is there."""
    if path is None:
        yield lambda outcomes, forecasts: None
        return
    path = Path(path)
    if path.suffix != ".parquet":
        raise ValueError(f"{path}: the name of a file of forecasts must end in .parquet")
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{uuid4().hex[:16]}.tmp")
    try:
        with open(temporary, "xb") as file:
            with pq.ParquetWriter(file, _FORECASTS) as writer:
                yield lambda *columns: writer.write_table(
                    pa.table([*map(pa.array, columns)], schema=_FORECASTS)
                )
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


@njit(cache=True, nogil=True)
def _judge(forecasts, outcomes, clip, sums):
    """Add log loss and Brier score to (sum, lost digits, sum, lost digits), game by game, by Kahan's summation.

    So the sums do not depend on how the log is cut into pieces.
    """
    for row in range(len(outcomes)):
        outcome, forecast = outcomes[row], forecasts[row]
        loss = 0.0
        if outcome > 0.0:
            loss -= outcome * math.log(max(forecast, clip))
        if outcome < 1.0:
            loss -= (1.0 - outcome) * math.log(max(1.0 - forecast, clip))
        for at, term in ((0, loss), (2, (forecast - outcome) ** 2)):
            term -= sums[at + 1]
            total = sums[at] + term
            sums[at + 1] = (total - sums[at]) - term
            sums[at] = total
