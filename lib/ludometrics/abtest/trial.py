"""The games of a test as arrays, checked: who met which version, with what score."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from numbers import Real
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ludometrics.gamelog import fold_name

VERSIONS = ("A", "B")
COLOURS = {"b": True, "w": False}
#: How versions are dealt: to a player by hash, to players in blocks, to each game, within pairs of games.
ASSIGNMENTS = ("hash", "blocked", "game", "alternate")
#: Elo points beyond which a number is no rating.
LARGEST_RATING = 1e6
UNIT_OF = {"hash": "between", "blocked": "between", "game": "within", "alternate": "within"}


@dataclass(frozen=True)
class Trial:
    """Games of a test, in the order in which they ended.

    Attributes
    ----------
    names : tuple of str, length p
        Players, in the order of their folded names.
    player : ndarray of int64, shape (n,)
        Index of the player of each finished game.
    variant : ndarray of int8, shape (n,)
        0 for A, 1 for B: the version that was played.
    score : ndarray of float64, shape (n,)
        Of the player: whole half points, 0 to 1.
    is_black : ndarray of bool, shape (n,), or None
        Whether the player had Black; None where colours are not known.
    ratings : ndarray of float64, shape (p,), or None
        Rating before the experiment; nan for a player without one.
    blocks : ndarray of int64, shape (p,), or None
        Block of each player in a blocked design.
    wrong : ndarray of bool, shape (n,), or None
        Whether the version is another one than was recorded before play; None where none was recorded.
    unfinished : ndarray of int64, shape (m, 3)
        Games left unfinished: player, variant, and number of finished games before it.
    """

    names: tuple[str, ...]
    player: NDArray[np.int64]
    variant: NDArray[np.int8]
    score: NDArray[np.float64]
    is_black: NDArray[np.bool_] | None
    ratings: NDArray[np.float64] | None
    blocks: NDArray[np.int64] | None
    wrong: NDArray[np.bool_] | None
    unfinished: NDArray[np.int64]

    @property
    def n_players(self) -> int:
        """Players, p."""
        return len(self.names)

    @cached_property
    def games(self) -> NDArray[np.float64]:
        """Finished games of each player with each version, shape (p, 2)."""
        cell = 2 * self.player + self.variant
        return np.bincount(cell, minlength=2 * self.n_players).reshape(-1, 2).astype(np.float64)

    @cached_property
    def started(self) -> NDArray[np.int64]:
        """Games begun of each player with each version, those left unfinished included, shape (p, 2)."""
        cell = np.concatenate([2 * self.player + self.variant, self.unfinished[:, :2] @ [2, 1]])
        return np.bincount(cell, minlength=2 * self.n_players).reshape(-1, 2)

    @property
    def misdealt(self) -> int | None:
        """Games with another version than was recorded before play; None where none was recorded."""
        return None if self.wrong is None else int(self.wrong.sum())

    @cached_property
    def stratum(self) -> NDArray[np.int64]:
        """Player and colour of each game, as one number."""
        return self.player if self.is_black is None else 2 * self.player + self.is_black

    def without(self, player: int) -> "Trial":
        """The same trial without the games of one player."""
        return self._part(self.player != player, self.unfinished[:, 0] != player)

    def first(self, n: int) -> "Trial":
        """The same trial up to its n-th finished game."""
        return self._part(np.arange(len(self.score)) < n, self.unfinished[:, 2] < n)

    def _part(self, rows: NDArray[np.bool_], unfinished: NDArray[np.bool_]) -> "Trial":
        colours, wrong = (None if part is None else part[rows] for part in (self.is_black, self.wrong))
        return replace(
            self,
            player=self.player[rows],
            variant=self.variant[rows],
            score=self.score[rows],
            is_black=colours,
            wrong=wrong,
            unfinished=self.unfinished[unfinished],
        )


class Unit(NamedTuple):
    """What the assignment was made to.

    Attributes
    ----------
    unit : {"between", "within"}
    in_both, players : int
        Players with games of both versions, and players in all.
    """

    unit: str
    in_both: int
    players: int

    @property
    def mixed(self) -> bool:
        """Whether some players met both versions and some only one."""
        return 0 < self.in_both < self.players


def read_trial(
    games: pd.DataFrame,
    *,
    ratings: Mapping[str, float] | pd.Series | None = None,
    blocks: Mapping[str, Hashable] | pd.Series | None = None,
) -> Trial:
    """Check the games of a test and gather them by player.

    Parameters
    ----------
    games : DataFrame
        One row a game in the order of play. Needed are player (name), variant ("A" or "B") and score (1, 0.5 or 0, of
        the player; missing for a game left unfinished). Optional: colour ("b" or "w", of the player) and assigned (the
        version recorded before play). Other columns are passed over.
    ratings : mapping of name to rating, optional
        Before the experiment, Elo points. Names without one are treated as unknown.
    blocks : mapping of name to block, optional
        Of a design that deals versions within blocks of players.

    Returns
    -------
    Trial
        Spellings of a name that fold to one are one player.

    Raises
    ------
    ValueError
        Naming the row, the value and what is allowed; also when there are no games.

    Examples
    --------
    >>> games = pd.DataFrame({"player": ["Ann", " ann "], "variant": ["A", "B"], "score": [1.0, 0.5]})
    >>> trial = read_trial(games)
    >>> trial.names, trial.games.tolist()
    (('Ann',), [[1.0, 1.0]])
    """
    twice = games.columns[games.columns.duplicated()]
    if len(twice):
        raise ValueError(f"the games have two columns {twice[0]!r}: one is needed")
    missing = [name for name in ("player", "variant", "score") if name not in games.columns]
    if missing:
        raise ValueError(f"the games have no column {missing[0]!r}: needed are player, variant and score")
    if not len(games):
        raise ValueError("there are no games in this test")
    variant = _codes(games["variant"], VERSIONS, "variant")
    score = _scores(games["score"])
    names, player = _players(games["player"])
    finished = ~np.isnan(score)
    if not finished.any():
        raise ValueError("no game of this test was finished")
    colours, wrong = None, None
    if "colour" in games.columns:
        colours = _codes(games["colour"], tuple(COLOURS), "colour")[finished] == 0
    if "assigned" in games.columns:
        wrong = (_codes(games["assigned"], VERSIONS, "assigned") != variant)[finished]
    before = np.cumsum(finished)
    return Trial(
        names,
        player[finished],
        variant[finished],
        score[finished],
        colours,
        None if ratings is None else _ratings(ratings, names),
        None if blocks is None else _blocks(blocks, names),
        wrong,
        np.column_stack([player, variant, before])[~finished].astype(np.int64),
    )


def find_unit(trial: Trial, *, design: str | None = None) -> Unit:
    """Find what versions were dealt to: players, or games of a player.

    Parameters
    ----------
    trial : Trial
    design : {"between", "within"}, optional
        What was planned; without it, "within" as soon as a player met both versions.

    Returns
    -------
    Unit

    Raises
    ------
    ValueError
        Another design.
    """
    if design not in (None, "between", "within"):
        raise ValueError(f"design is {design!r}: allowed are 'between' and 'within'")
    games = trial.games
    played = int((games.sum(axis=1) > 0).sum())
    both = int((games > 0).all(axis=1).sum())
    return Unit(design or ("within" if both else "between"), both, played)


def pair_differences(trial: Trial) -> tuple[NDArray[np.float64], bool]:
    """Pair the successive games of each player, with one colour where colours are known.

    Parameters
    ----------
    trial : Trial

    Returns
    -------
    differences : ndarray of float64
        Score with B minus score with A, of each pair that holds both versions.
    alternating : bool
        Whether every complete pair holds both: the mark of a design that alternates.
    """
    one, two, mixed = _best_pairs(trial)
    sign = np.where(trial.variant[two] == 1, 1.0, -1.0)[mixed]
    return sign * (trial.score[two] - trial.score[one])[mixed], bool(len(mixed) and mixed.all())


def pair_orders(trial: Trial) -> tuple[int, int]:
    """Count in how many pairs of games A came first, and in how many B, pairs as in `pair_differences`.

    Examples
    --------
    >>> games = pd.DataFrame({"player": ["Ann"] * 4, "variant": list("ABBA"), "score": [1, 0, 0.5, 0.5]})
    >>> pair_orders(read_trial(games))
    (1, 1)
    """
    one, _, mixed = _best_pairs(trial)
    b_first = int(trial.variant[one][mixed].sum())
    return int(mixed.sum()) - b_first, b_first


def _best_pairs(trial: Trial) -> tuple[NDArray, NDArray, NDArray[np.bool_]]:
    # The pairing that holds both versions more often is the one that was dealt; with one game lost, neither always.
    found = [_pair_games(trial, stratum) for stratum in (trial.stratum, trial.player)]
    return max(found, key=lambda pairs: pairs[2].mean() if len(pairs[2]) else 0.0)


def _pair_games(trial: Trial, stratum: NDArray[np.int64]) -> tuple[NDArray, NDArray, NDArray[np.bool_]]:
    """First and second games of successive pairs within strata, and whether each pair holds both versions."""
    order = np.argsort(stratum, kind="stable")
    sorted_strata = stratum[order]
    first = np.r_[0, np.flatnonzero(np.diff(sorted_strata)) + 1]
    rank = np.arange(len(order)) - np.repeat(first, np.diff(np.r_[first, len(order)]))
    opens = np.flatnonzero((rank[:-1] % 2 == 0) & (sorted_strata[:-1] == sorted_strata[1:]))
    one, two = order[opens], order[opens + 1]
    return one, two, trial.variant[one] != trial.variant[two]


def _codes(column: pd.Series, allowed: tuple[str, ...], what: str) -> NDArray[np.int8]:
    codes = np.full(len(column), -1, dtype=np.int8)
    for code, name in enumerate(allowed):
        codes[column.isin([name]).to_numpy()] = code
    if (codes < 0).any():
        at = int(np.argmin(codes))
        raise ValueError(
            f"{what} of row {at} is {_shown(column, at)}: allowed are {', '.join(map(repr, allowed))}"
        )
    return codes


def _shown(column: pd.Series, at: int) -> str:
    return repr(column.iloc[[at]].tolist()[0])


def _scores(column: pd.Series) -> NDArray[np.float64]:
    score = pd.to_numeric(column, errors="coerce").to_numpy(dtype=np.float64, na_value=np.nan)
    missing = column.isna().to_numpy()
    known = np.isin(score, (0.0, 0.5, 1.0)) | missing
    if not known.all():
        at = int(np.argmin(known))
        raise ValueError(
            f"score of row {at} is {_shown(column, at)}: allowed are 1, 0.5 and 0, or none for a game left unfinished"
        )
    return score


def _players(column: pd.Series) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    spellings, index = pd.factorize(column.astype(object))[::-1]
    if (index < 0).any():
        raise ValueError(f"player of row {int(np.argmin(index))} is missing: a name is needed")
    keys = [fold_name(str(name)) for name in spellings]
    if not all(keys):
        at = int(np.flatnonzero(index == keys.index(""))[0])
        raise ValueError(f"player of row {at} is {_shown(column, at)}: a name is needed")
    order = sorted(set(keys))
    shown = {
        key: str(name).strip() for key, name in zip(reversed(keys), reversed(list(spellings)), strict=True)
    }
    place = {key: number for number, key in enumerate(order)}
    return tuple(shown[key] for key in order), np.array([place[key] for key in keys], dtype=np.int64)[index]


def _by_key(values: Mapping | pd.Series, what: str) -> dict[str, Hashable]:
    found: dict[str, Hashable] = {}
    for name, value in values.items():
        key = fold_name(str(name))
        value = None if pd.isna(value) else value
        if key in found and found[key] != value:
            raise ValueError(f"{what} of {name!r} is given twice: {found[key]!r} and {value!r}")
        found[key] = value
    return found


def _ratings(ratings: Mapping | pd.Series, names: tuple[str, ...]) -> NDArray[np.float64]:
    known = _by_key(ratings, "rating")
    if known and not {fold_name(name) for name in names} & set(known):
        raise ValueError(
            f"none of the {len(known)} ratings is of a player of this test: they are of {next(iter(known))!r}, ..., "
            f"the players {names[0]!r}, ..."
        )
    values = np.full(len(names), np.nan)
    for at, name in enumerate(names):
        value = known.get(fold_name(name))
        if value is not None and not (isinstance(value, Real) and abs(value) <= LARGEST_RATING):
            raise ValueError(
                f"rating of {name!r} is {value!r}: it must be a number, at most {LARGEST_RATING:,.0f} either way"
            )
        values[at] = np.nan if value is None else float(value)
    return values


def _blocks(blocks: Mapping | pd.Series, names: tuple[str, ...]) -> NDArray[np.int64]:
    known = _by_key(blocks, "block")
    missing = [name for name in names if known.get(fold_name(name)) is None]
    if missing:
        raise ValueError(f"no block is given for {missing[0]!r}")
    return pd.factorize(np.array([str(known[fold_name(name)]) for name in names]), sort=True)[0].astype(
        np.int64
    )
