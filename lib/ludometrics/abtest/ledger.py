"""Assignments written down before play, safe against retries, crashes and a second process.

The file only grows, a line an assignment; a file beside it, ``NAME.lock``, keeps writers apart and must not be deleted
while one of them runs. A writer killed half-way leaves a torn last line: it counts for nothing, and the next writer
writes over it.
"""

import errno
import os
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pandas as pd

from ludometrics.abtest.assignment import (
    assign_alternating,
    assign_by_hash,
    assign_per_game,
    check_number,
    player_key,
)
from ludometrics.abtest.ledger_lines import Assignment, Book, check_design, encode_line
from ludometrics.gamelog import VARIANTS, fold_name
from ludometrics.gamelog.lock import file_lock
from ludometrics.provenance import write_bytes

#: What `compare_with_games` finds.
PROBLEMS = ("another version", "never recorded")

_COLUMNS = ("experiment", "player", "game", "variant", "design", "block", "time_utc")


class Ledger:
    """A file of assignments, each written before its game is played.

    Parameters
    ----------
    path : path
        The file, by custom ``*.jsonl``; its folder must exist.
    now : callable, optional
        Clock that gives a datetime with a time zone.
    timeout_s : float
        How long to wait for another writer, seconds.

    Raises
    ------
    FileNotFoundError
        No such folder.

    Source
    ------
    Own.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     ledger = Ledger(Path(folder) / "assignments.jsonl")
    ...     first = assign(ledger, "medium-randomness", "Ann", design="game", game=0)
    ...     again = assign(ledger, "medium-randomness", " ANN ", design="game", game=0)
    ...     first == again, first.variant, len(read_ledger(ledger.path))
    (True, 'B', 1)
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        timeout_s: float = 10.0,
    ) -> None:
        self.path = Path(path)
        if not self.path.parent.is_dir():
            raise FileNotFoundError(errno.ENOENT, "no such folder for a ledger", str(self.path.parent))
        self._now = now
        self._lock = file_lock(self.path, timeout_s=timeout_s)
        self._book, self._inode = Book(str(self.path)), -1

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep other writers out, having read what they wrote; may be held again inside.

        Raises
        ------
        ValueError
            Naming the file and the line at fault, other than a torn last one.
        TimeoutError
            Another writer held the ledger all the time.
        """
        with self._lock.acquire(poll_interval=0.01):
            self._catch_up()
            yield

    def find(self, experiment: str, name: str, *, game: int | None = None) -> Assignment | None:
        """Look up what is recorded of a player, in one game or (None) for the whole test; raises as `held`."""
        key = (experiment, player_key(experiment, name), game)
        with self.held():
            return self._book.entries.get(key)

    def next_game(self, experiment: str, name: str) -> int:
        """Number after the highest game recorded of a player, 0 without one; raises as `held`.

        So that games stay in their order where old lines were removed.
        """
        key = (experiment, player_key(experiment, name))
        with self.held():
            return self._book.next_games.get(key, 0)

    def record(self, assignment: Assignment) -> Assignment:
        """Record an assignment: it is on the disk when this returns.

        Parameters
        ----------
        assignment : Assignment
            Its time is passed over: the ledger's clock gives it.

        Returns
        -------
        Assignment
            As recorded now or before: a retry is not recorded twice.

        Raises
        ------
        ValueError
            Another version is recorded, or versions game by game where this one is for the whole test, or the other
            way round; a clock without a time zone. Nothing is written then. Also as `held`.
        TimeoutError
            As `held`.
        """
        with self.held():
            recorded = self._book.recorded(assignment, str(self.path))
            if recorded is None:
                recorded = replace(assignment, time_utc=self._now())
                self._append(encode_line(recorded))
            return recorded

    def _catch_up(self) -> None:
        """Read what was added since; everything where the file is not the one read before."""
        if not self.path.exists():
            write_bytes(self.path, b"")  # forces the folder to the disk as well
        with open(self.path, "rb") as file:
            last, inode = self._book.last, os.fstat(file.fileno()).st_ino
            file.seek(self._book.size - len(last))
            if inode != self._inode or file.read(len(last)) != last:
                self._book, self._inode = Book(str(self.path)), inode
                file.seek(0)
            content = file.read()
        self._book.take(content)

    def _append(self, line: bytes) -> None:
        """Write a line after the last whole one; `_catch_up` will read it from the file."""
        book = self._book
        with open(self.path, "r+b") as file:
            file.seek(book.size + len(book.open_line))
            file.truncate()
            file.write((b"\n" if book.open_line else b"") + line)
            file.flush()
            os.fsync(file.fileno())


def assign(
    ledger: Ledger,
    experiment: str,
    name: str,
    *,
    design: str,
    game: int | None = None,
    order: str = "random",
    table: pd.DataFrame | None = None,
) -> Assignment:
    """Give a player's version: the one recorded, else one dealt by the design and recorded before it is returned.

    Parameters
    ----------
    ledger : Ledger
    experiment, name : str
    design : {"hash", "blocked", "game", "alternate"}
        `assign_by_hash`, a table of `assign_blocked`, `assign_per_game`, `assign_alternating`.
    game : int, optional
        For "game" and "alternate": number of the player's test game, that is how many came before it. A retry gives
        the same number again.
    order : {"random", "fixed"}
        For "alternate".
    table : DataFrame, optional
        For "blocked": columns player, variant, and block if there is one.

    Returns
    -------
    Assignment
        What is recorded counts, whichever design dealt it.

    Raises
    ------
    ValueError
        Another design; a game or a table missing or too many; a player whom the table does not have once; and as
        `Ledger.record`.
    TimeoutError
        As `Ledger.held`.

    Source
    ------
    Own.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     ledger = Ledger(Path(folder) / "assignments.jsonl")
    ...     [assign(ledger, "test", "Ann", design="alternate", game=game).variant for game in range(4)]
    ['A', 'B', 'A', 'B']
    """
    check_design(design, game)
    if (table is not None) != (design == "blocked"):
        raise ValueError(f"design is {design!r}: a table of players goes with 'blocked', and only with it")
    with ledger.held():
        recorded = ledger.find(experiment, name, game=game)
        if recorded is not None:
            return recorded
        block = None
        if design == "hash":
            variant = assign_by_hash(experiment, name)
        elif design == "game":
            variant = assign_per_game(experiment, name, game)
        elif design == "alternate":
            variant = assign_alternating(experiment, name, game, order=order)
        else:
            variant, block = _look_up(name, table)
        return ledger.record(Assignment(experiment, name, variant, design, game, block))


def read_ledger(path: str | os.PathLike[str]) -> pd.DataFrame:
    """Read a ledger, without waiting for its writers.

    Parameters
    ----------
    path : path

    Returns
    -------
    DataFrame
        One row an assignment, in the order recorded: experiment, player (the key of all spellings), game (Int64,
        missing where the version holds for the whole test), variant, design, block (Int64), time_utc (in UTC). A torn
        last line is left out, with a warning that names it.

    Raises
    ------
    ValueError
        Naming the file and the line at fault.
    FileNotFoundError
        No such file.

    Source
    ------
    Own.
    """
    book = Book(os.fspath(path))
    book.take(Path(path).read_bytes())
    if book.torn:
        place = f"{book.name}, line {book.lines + 1}"
        warnings.warn(f"{place}: torn after {len(book.torn)} bytes, and left out", stacklevel=2)
    rows = book.entries.values()
    columns = {name: [getattr(row, name) for row in rows] for name in _COLUMNS}
    numbers = {name: pd.array(columns[name], dtype="Int64") for name in ("game", "block")}
    times = pd.to_datetime(columns["time_utc"], utc=True).as_unit("us")
    return pd.DataFrame(columns | numbers | {"time_utc": times})


def compare_with_games(ledger: pd.DataFrame, games: pd.DataFrame) -> pd.DataFrame:
    """List the games that were not played as recorded.

    Parameters
    ----------
    ledger : DataFrame
        Of one experiment, as `read_ledger` gives it: player, game, variant.
    games : DataFrame
        Games of the test: player (any spelling), variant ("A" or "B"), and game, its number, where versions are
        recorded game by game.

    Returns
    -------
    DataFrame
        The games at fault, under the index and in the order of `games`: player, game (Int64), variant, recorded
        (version; missing where there is none), problem ("another version" or "never recorded").

    Raises
    ------
    ValueError
        A column is missing, the ledger holds several experiments, or a game has no player, an unknown version or no
        whole number.

    Source
    ------
    Own.

    Examples
    --------
    >>> ledger = pd.DataFrame({"player": ["ann"], "game": [pd.NA], "variant": ["A"]})
    >>> games = pd.DataFrame({"player": ["Ann", "Ann", "Bob"], "variant": ["A", "B", "B"]})
    >>> compare_with_games(ledger, games)["problem"].to_dict()
    {1: 'another version', 2: 'never recorded'}
    """
    recorded = _recorded_versions(ledger)
    names, variants, numbers = _game_columns(games, numbered=any(game is not None for _, game in recorded))
    rows, places = [], []
    labels = games.index.tolist()
    for place, (name, variant, number) in enumerate(zip(names, variants, numbers, strict=True)):
        key = _check_row(name, variant, where=f"game in row {labels[place]!r}")
        version = recorded.get((key, number), recorded.get((key, None)))
        if version != variant:
            rows.append((name, number, variant, version, PROBLEMS[version is None]))
            places.append(place)
    columns = ["player", "game", "variant", "recorded", "problem"]
    found = pd.DataFrame(rows, columns=columns, index=games.index[places])
    return found.assign(game=pd.array(found["game"].tolist(), dtype="Int64"))


def _recorded_versions(ledger: pd.DataFrame) -> dict[tuple[str, int | None], str]:
    for name in ("player", "game", "variant"):
        if name not in ledger:
            raise ValueError(f"ledger has no column {name!r}, only {list(ledger.columns)}")
    if "experiment" in ledger and ledger["experiment"].nunique() > 1:
        raise ValueError(f"ledger holds the experiments {sorted(set(ledger['experiment']))}: choose one")
    numbers = (_game_number(game, "ledger") for game in ledger["game"])
    keys = zip(map(fold_name, ledger["player"]), numbers, strict=True)
    return dict(zip(keys, ledger["variant"], strict=True))


def _game_columns(games: pd.DataFrame, *, numbered: bool) -> tuple[list, list, list]:
    for name in ("player", "variant", "game") if numbered else ("player", "variant"):
        if name not in games:
            raise ValueError(f"games has no column {name!r}, only {list(games.columns)}")
    if "game" not in games:
        return list(games["player"]), list(games["variant"]), [None] * len(games)
    where = (f"game in row {label!r}" for label in games.index.tolist())
    return list(games["player"]), list(games["variant"]), list(map(_game_number, games["game"], where))


def _check_row(name: object, variant: object, *, where: str) -> str:
    key = fold_name(name) if isinstance(name, str) else ""
    if not key:
        raise ValueError(f"{where}: player is {name!r}: a name is needed")
    if not isinstance(variant, str) or variant not in VARIANTS:
        raise ValueError(f"{where}: variant is {variant!r}: allowed are {', '.join(map(repr, VARIANTS))}")
    return key


def _game_number(value: object, where: str) -> int | None:
    """Number of a game; None where it is missing. A column with gaps may hold 3.0 for 3."""
    if pd.isna(value) or value == "":
        return None
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    try:
        return check_number(value, what="game")
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None


def _look_up(name: str, table: pd.DataFrame) -> tuple[str, int | None]:
    """Version and block that a table gives a player."""
    for column in ("player", "variant"):
        if column not in table:
            raise ValueError(f"table has no column {column!r}, only {list(table.columns)}")
    rows = table[[fold_name(player) == fold_name(name) for player in table["player"]]]
    if len(rows) != 1:
        raise ValueError(f"{name!r} is {len(rows)} times in the table: each player must be there once")
    block = _game_number(rows["block"].iloc[0], "block") if "block" in rows else None
    return rows["variant"].iloc[0], block
