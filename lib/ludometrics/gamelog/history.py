"""Games as the arrays that rating systems take; they grow as games are added, and what stands in them never changes."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ludometrics.gamelog.column_loops import BAD_ID
from ludometrics.gamelog.columns import GameColumns
from ludometrics.gamelog.daily import SCORES, WINNERS
from ludometrics.gamelog.loading import ANY_REMOVED
from ludometrics.gamelog.names import LEVEL_NAMES, fold_name

#: Keys of the levels' names, in the order of the players they are.
LEVEL_KEYS = tuple(map(fold_name, LEVEL_NAMES.values()))
# Score of Black by place of the winner among `WINNERS`.
_SCORES = np.array([SCORES[winner] for winner in WINNERS])
_SPARE = 4096


class History:
    """The games of a log, in order.

    Players are numbered: first the levels of the computer, then people by their first game, Black before White.
    Each time the name ``(removed)`` stands in a game, it is a player of its own.

    Attributes
    ----------
    keys : list of str
        Key of each player's name; only grows.
    spellings : list of str
        Each player's name as it was last spelt.
    index : dict of str to int
        Player by key; only grows.
    n_games : int
    """

    def __init__(self) -> None:
        self.keys: list[str] = list(LEVEL_KEYS)
        self.spellings: list[str] = list(LEVEL_NAMES.values())
        self.index: dict[str, int] = {key: player for player, key in enumerate(self.keys)}
        self.n_games = 0
        self._arrays = (np.empty((0, 2), dtype=np.int64), np.empty(0), np.empty(0))
        self._marks, self._new_marks = np.empty(0, dtype=np.uint64), set()

    @property
    def pairs(self) -> NDArray[np.int64]:
        """Players (n, 2) of each game, Black first."""
        return self._arrays[0][: self.n_games]

    @property
    def outcomes(self) -> NDArray[np.float64]:
        """Scores (n,) of Black."""
        return self._arrays[1][: self.n_games]

    @property
    def times(self) -> NDArray[np.float64]:
        """Days (n,) of the games, as ordinals."""
        return self._arrays[2][: self.n_games]

    def knows_id(self, marks: NDArray[np.uint64]) -> bool:
        """Tell whether an id of these marks may be that of a game that is here."""
        places = np.searchsorted(self._marks, marks)
        near = self._marks[np.minimum(places, len(self._marks) - 1)] if len(self._marks) else marks[:0]
        old = bool(len(near)) and bool(((near == marks) & (marks > BAD_ID)).any())
        return old or not self._new_marks.isdisjoint(marks.tolist())

    def extend(self, columns: GameColumns, days: Sequence[int]) -> None:
        """Add games at the end.

        Parameters
        ----------
        columns : GameColumns
        days : sequence of int
            Ordinal of each file's day.
        """
        pairs = self._number(columns)
        outcomes = _SCORES[columns.winner.lookup(WINNERS, unknown=-1)]
        times = np.asarray(days, dtype=np.float64)[columns.file] if len(columns) else np.empty(0)
        low, high = self.n_games, self.n_games + len(columns)
        if high > len(self._arrays[1]):
            # Others may hold views of the old arrays; these stay as they are.
            self._arrays = tuple(_longer(array[:low], high + high // 4 + _SPARE) for array in self._arrays)
        for array, values in zip(self._arrays, (pairs, outcomes, times), strict=True):
            array[low:high] = values
        marks = columns.id_marks[columns.id_marks > BAD_ID]
        if low:
            self._new_marks.update(marks.tolist())
        else:
            self._marks = np.sort(marks)
        self.n_games = high

    def _number(self, columns: GameColumns) -> NDArray[np.int64]:
        """Number the players of games, and note how their names are spelt."""
        keys = columns.keys.values
        codes = np.stack([columns.black_keys, columns.white_keys], axis=1).reshape(-1).astype(np.int64)
        spelt = np.stack([columns.black.codes, columns.white.codes], axis=1).reshape(-1)
        if ANY_REMOVED in keys:
            anybody = np.flatnonzero(codes == keys.index(ANY_REMOVED))
            codes[anybody] = len(keys) + np.arange(len(anybody))
        else:
            anybody = codes[:0]
        size, places = len(keys) + len(anybody), np.arange(len(codes))
        first, last = np.full(size, len(codes)), np.full(size, -1)
        first[codes[::-1]] = places[::-1]  # of equal places the last one written stays
        last[codes] = places
        known = np.array([self.index.get(key, -1) for key in keys] + [-1] * len(anybody), dtype=np.int64)
        fresh = np.flatnonzero((known < 0) & (last >= 0))
        fresh = fresh[np.argsort(first[fresh])]
        known[fresh] = len(self.keys) + np.arange(len(fresh))
        for code in fresh.tolist():
            if code < len(keys):
                self.index[keys[code]] = len(self.keys)
            self.keys.append(keys[code] if code < len(keys) else ANY_REMOVED)
            self.spellings.append(ANY_REMOVED)
        for code in np.flatnonzero(last[: len(keys)] >= 0).tolist():
            if (player := known[code]) >= len(LEVEL_KEYS):
                self.spellings[player] = columns.black.values[spelt[last[code]]]
        return known[codes].reshape(-1, 2)


def _longer(array: NDArray, length: int) -> NDArray:
    longer = np.empty((length, *array.shape[1:]), dtype=array.dtype)
    longer[: len(array)] = array
    return longer
