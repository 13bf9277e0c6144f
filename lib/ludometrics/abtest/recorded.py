"""The versions that were recorded before play, set beside the games of a test."""

import math
from dataclasses import replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ludometrics.abtest.ledger import compare_with_games
from ludometrics.abtest.saved import SavedTest
from ludometrics.gamelog import fold_name
from ludometrics.ratings.leaderboard import REMOVED


def add_recorded(test: SavedTest, ledger: pd.DataFrame, *, experiment: str | None = None) -> SavedTest:
    """Set beside each game the version that was recorded before it.

    Parameters
    ----------
    test : SavedTest
    ledger : DataFrame
        As `ludometrics.abtest.read_ledger` gives it.
    experiment : str, optional
        Needed where the ledger holds several.

    Returns
    -------
    SavedTest
        With the column assigned. Where versions are recorded game by game and the games carry no number (no column
        game), each player's are matched in order with the recorded ones, so that as few as can be have another version.
        A game that was never recorded counts as one of another version. Games and players that were recorded, but of
        which no finished game is saved, are added without a score, a game before the player's next one: they were dealt
        a version too. Blocks and the way of dealing are the ledger's.

    Raises
    ------
    ValueError
        The ledger holds no such experiment, or several and none is chosen; and as `compare_with_games`.

    Source
    ------
    Own.
    """
    held = sorted(set(ledger["experiment"]))
    if experiment is not None or not held:
        ledger = ledger[ledger["experiment"] == experiment]
        if not len(ledger):
            raise ValueError(f"the ledger holds no experiment {experiment!r}, only {held}")
    ledger = ledger[~ledger["player"].map(fold_name).str.startswith(REMOVED)]  # as their games are left out
    games = test.games.reset_index(drop=True)
    keys = games["player"].map(fold_name)
    notes = list(test.notes)
    if "game" not in games and ledger["game"].notna().any():
        games["game"] = _number_games(games["variant"], keys, ledger)
        notes.append(
            "Games were matched in order with the versions recorded before play: they carry no number."
        )
    wrong = compare_with_games(ledger, games)
    other = wrong["variant"].map({"A": "B", "B": "A"})
    games["assigned"] = games["variant"].mask(games.index.isin(wrong.index), wrong["recorded"].fillna(other))
    missing, places = _never_finished(games, keys, ledger)
    unrecorded = int(wrong["recorded"].isna().sum())
    if unrecorded:
        notes.append(f"{_count(unrecorded, 'game was', 'games were')} never recorded before play.")
    if len(missing):
        notes.append(f"{len(missing)} recorded before play, but no finished game of theirs is saved.")
        order = np.argsort([*range(len(games)), *(place - 0.5 for place in places)], kind="stable")
        games = pd.concat([games, missing]).iloc[order].reset_index(drop=True)
    designs = set(ledger["design"])
    blocks = ledger.dropna(subset="block").set_index("player")["block"]
    return replace(
        test,
        games=games,
        blocks=blocks if len(blocks) else test.blocks,
        assignment=designs.pop() if len(designs) == 1 else None,
        notes=tuple(notes),
    )


def _number_games(variants: pd.Series, keys: pd.Series, ledger: pd.DataFrame) -> pd.Series:
    """Number of each game: that of the recorded version it is matched with; missing where there is none."""
    dealt = ledger.dropna(subset="game").sort_values("game", kind="stable")
    recorded = dict(iter(dealt.groupby(dealt["player"].map(fold_name))))
    numbers = pd.Series(pd.NA, index=variants.index, dtype="Int64")
    for key, rows in keys.groupby(keys).indices.items():
        if key in recorded:
            of_player = recorded[key]
            found = _match(variants.to_numpy()[rows], of_player["variant"].to_numpy())
            known = found >= 0
            numbers.iloc[rows[known]] = of_player["game"].to_numpy()[found[known]]
    return numbers


def _match(played: NDArray, recorded: NDArray) -> NDArray[np.int64]:
    """Index of the recorded version of each game played, in order, as few as can be unlike, each as early as can be.

    Games that are more than the recorded ones are left over: -1.
    """
    if len(played) > len(recorded):
        found = np.full(len(played), -1, dtype=np.int64)
        found[_match(recorded, played)] = np.arange(len(recorded))
        return found
    width = len(recorded) - len(played) + 1
    # least[i, k]: unlike ones from game i on, where k recorded ones or more are passed over before it
    least = np.zeros((len(played) + 1, width), dtype=np.int32)
    for at in range(len(played) - 1, -1, -1):
        unlike = (recorded[at : at + width] != played[at]) + least[at + 1]
        least[at] = np.minimum.accumulate(unlike[::-1])[::-1]
    found, passed = np.zeros(len(played), dtype=np.int64), 0
    for at, version in enumerate(played):
        while (recorded[at + passed] != version) + least[at + 1, passed] > least[at, passed]:
            passed += 1
        found[at] = at + passed
    return found


def _never_finished(
    games: pd.DataFrame, keys: pd.Series, ledger: pd.DataFrame
) -> tuple[pd.DataFrame, list[int]]:
    """Recorded games, or players of a test as a whole, that no saved game belongs to: rows without a score.

    With each the row of `games` that it came before.
    """
    numbers = games["game"].to_numpy(np.float64, na_value=math.nan) if "game" in games else None
    played = keys.groupby(keys).indices
    rows, places = [], []
    for row in ledger.itertuples(index=False):
        own, place = played.get(fold_name(row.player), ()), len(games)
        if len(own):
            if pd.isna(row.game) or (numbers[own] == row.game).any():
                continue
            place = int(own[numbers[own] > row.game].min(initial=place))
        rows.append((row.player, row.variant, math.nan, row.variant, row.game))
        places.append(place)
    missing = pd.DataFrame(rows, columns=["player", "variant", "score", "assigned", "game"])
    if "colour" in games:
        missing["colour"] = "b"  # of a game that has no score: never looked at
    missing = missing[[name for name in games.columns if name in missing]]
    return missing.astype({"game": "Int64"} if "game" in games else {}), places


def _count(n: int, one: str, many: str) -> str:
    return f"{n} {one if n == 1 else many}"
