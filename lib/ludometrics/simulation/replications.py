"""Many runs of the draughts days, as tidy tables."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from tqdm.auto import tqdm

from ludometrics.gamelog.daily import SCORES
from ludometrics.matching import (
    game_distance,
    games_until_within,
    longest_losing_run,
    mean_distance,
    share_even,
    squared_distance,
)
from ludometrics.provenance import replication_streams
from ludometrics.ratings import index_games
from ludometrics.simulation.draughts_days import (
    DaysRecord,
    DaysSettings,
    level_games,
    rate,
    simulate_days,
    start_ratings,
)
from ludometrics.simulation.truth import expected_scores, true_ratings

#: Day after which the second phase begins.
PHASE_DAYS = 10


@dataclass(frozen=True)
class Replications:
    """Results of a block of replications; every table but `days` carries the replication's number.

    Attributes
    ----------
    players : DataFrame
        One row a replication and name: rating, deviation, games (at the end); for players also n_1, mean_1, u_1 and
        n_2, mean_2, u_2 (games against levels, mean score and unbiased squared distance from the target in days
        1-10 and 11 on), losing_run (longest, against levels), level_changes (matched games at another level than
        the matched game before) and games_until_near (games against anybody until the rating first came within 100
        points of the true one; missing if it never did, without truth, and where levels are not anchored, for then
        ratings are on another scale than the truth).
    phases : DataFrame
        One row a replication and phase ("1-10", "11-20", "1-20"): games, mean_distance, mean_u, rms,
        true_mean_distance, game_distance and share_even (these three by the true expected scores; missing
        without truth), draw_share.
    runs : DataFrame
        One row a replication: order_right (final ratings fall strictly in the order of the players),
        last_three_right (those of the last three players do), games, plies (mean), draw_share.
    days : DataFrame
        One row a day and name: n, mean, sd of the rating over the replications.
    decisions : DataFrame
        One row a matched game: see `DaysRecord`; true_expected is added (missing without truth).
    """

    players: pd.DataFrame
    phases: pd.DataFrame
    runs: pd.DataFrame
    days: pd.DataFrame
    decisions: pd.DataFrame


def simulate_replications(
    settings: DaysSettings,
    *,
    seed: int,
    first: int,
    count: int,
    truth: pd.DataFrame | None = None,
    progress: bool = True,
) -> Replications:
    """Run a simulation several times and gather what each run shows.

    Parameters
    ----------
    settings : DaysSettings
    seed : int
        Of the study; replication i draws from the i-th child.
    first, count : int
        Which replications: `first` to `first + count - 1`.
    truth : DataFrame, optional
        Of `truth_table` with the same players and ladder.
    progress : bool

    Returns
    -------
    Replications

    Raises
    ------
    ValueError
        The truth lacks a player, level or variant that was met.

    Examples
    --------
    >>> from ludometrics.draughts import Level
    >>> quick = tuple((f"Sim {number}", Level(1, 0.5)) for number in range(2))
    >>> result = simulate_replications(
    ...     DaysSettings(players=quick, days=2, random_days=1), seed=1, first=0, count=2, progress=False
    ... )
    >>> result.phases["phase"].tolist()
    ['1-2', '1-2']
    """
    streams = replication_streams(seed, first, count)
    tables: dict[str, list[pd.DataFrame]] = {"players": [], "phases": [], "runs": [], "decisions": []}
    ratings = []
    expected = None if truth is None else expected_scores(truth)
    # Without anchors the ratings are on a scale of their own, and no distance from the true ones means anything.
    anchored = truth is not None and settings.rule.anchored
    targets = true_ratings(truth, settings.ladder) if anchored else None
    for number, rng in tqdm(streams, total=count, desc=settings.rule.name, disable=not progress):
        record = simulate_days(settings, rng=rng)
        games = with_truth(level_games(record), expected)
        ratings.append(record.ratings.to_numpy())
        for name, table in (
            ("players", _players(record, games, targets)),
            ("phases", _phases(settings, games)),
            ("runs", _runs(record)),
            ("decisions", with_truth(record.decisions, expected, games)),
        ):
            table.insert(0, "replication", number)
            tables[name].append(table)
    joined = {name: pd.concat(parts, ignore_index=True) for name, parts in tables.items()}
    return Replications(days=_days(settings, np.array(ratings)), **joined)


def phases_of(settings: DaysSettings) -> dict[str, tuple[int, int]]:
    """Phases by name with first and last day; one that would hold no day is left out.

    Examples
    --------
    >>> phases_of(DaysSettings())
    {'1-10': (1, 10), '11-20': (11, 20), '1-20': (1, 20)}
    """
    last = settings.days
    bounds = [(1, min(PHASE_DAYS, last)), (PHASE_DAYS + 1, last), (1, last)]
    return {f"{a}-{b}": (a, b) for a, b in bounds if a <= b}


def with_truth(
    table: pd.DataFrame, expected: pd.Series | None, games: pd.DataFrame | None = None
) -> pd.DataFrame:
    """Copy of a table of games with the true expected score of the player against that level.

    Parameters
    ----------
    table : DataFrame
        With player and level; with variant too, unless `games` is given.
    expected : Series or None
        Of `expected_scores`; without it the column is missing throughout.
    games : DataFrame, optional
        The table of which `table` is a part, by day and order, where variants are looked up.

    Returns
    -------
    DataFrame
        With the column true_expected.
    """
    if expected is None:
        return table.assign(true_expected=np.nan)
    if games is None:
        variants = table["variant"]
    else:
        known = games.set_index(["day", "order"])["variant"]
        variants = known.reindex(pd.MultiIndex.from_frame(table[["day", "order"]])).to_numpy()
    keys = pd.MultiIndex.from_arrays([table["player"], table["level"], variants])
    scores = expected.reindex(keys).to_numpy()
    if len(scores) and np.isnan(scores).any():
        player, level, variant = keys[int(np.argmax(np.isnan(scores)))]
        raise ValueError(f"truth has no games of {player!r} against level {level!r}, variant {variant!r}")
    return table.assign(true_expected=scores)


def _players(record: DaysRecord, games: pd.DataFrame, targets: pd.Series | None) -> pd.DataFrame:
    target = record.settings.rule.target
    paths = rating_paths(record) if targets is not None else {}
    rows = []
    for name, _ in record.settings.players:
        own = games[games["player"] == name]
        row = {"name": name}
        for number, part in ((1, own[own["day"] <= PHASE_DAYS]), (2, own[own["day"] > PHASE_DAYS])):
            scores = part["score"].to_numpy()
            row[f"n_{number}"] = len(scores)
            row[f"mean_{number}"] = scores.mean() if len(scores) else np.nan
            row[f"u_{number}"] = squared_distance(scores, target=target) if len(scores) > 1 else np.nan
        row["losing_run"] = longest_losing_run(own["score"])
        offered = record.decisions.loc[record.decisions["player"] == name, "level"].to_numpy()
        row["level_changes"] = int(np.sum(offered[1:] != offered[:-1]))
        near = games_until_within(paths[name], targets[name]) if paths else None
        row["games_until_near"] = np.nan if near is None else near
        rows.append(row)
    return record.final.reset_index().merge(pd.DataFrame(rows), on="name", how="left", validate="one_to_one")


def _phases(settings: DaysSettings, games: pd.DataFrame) -> pd.DataFrame:
    target = settings.rule.target
    rows = []
    for phase, (first, last) in phases_of(settings).items():
        part = games[games["day"].between(first, last)]
        by_player = [own["score"].to_numpy() for _, own in part.groupby("player")]
        mean_u = float(np.mean([squared_distance(scores, target=target) for scores in by_player]))
        row = {
            "phase": phase,
            "games": len(part),
            "mean_distance": mean_distance(part["score"], part["player"], target=target),
            "mean_u": mean_u,
            "rms": float(np.sqrt(max(0.0, mean_u))),
            "true_mean_distance": np.nan,
            "game_distance": np.nan,
            "share_even": np.nan,
            "draw_share": float((part["score"] == 0.5).mean()),
        }
        if not part["true_expected"].isna().any():
            true_means = part.groupby("player")["true_expected"].mean()
            row["true_mean_distance"] = float(np.abs(true_means - target).mean())
            row["game_distance"] = game_distance(part["true_expected"], target=target)
            row["share_even"] = share_even(part["true_expected"])
        rows.append(row)
    return pd.DataFrame(rows)


def _runs(record: DaysRecord) -> pd.DataFrame:
    ratings = record.final["rating"]
    order = np.array([ratings[name] for name, _ in record.settings.players])
    return pd.DataFrame(
        {
            "order_right": [bool((np.diff(order) < 0).all())],
            "last_three_right": [bool((np.diff(order[-3:]) < 0).all())],
            "games": [len(record.games)],
            "plies": [float(record.games["plies"].mean())],
            "draw_share": [float((record.games["winner"] == "draw").mean())],
        }
    )


def _days(settings: DaysSettings, ratings: np.ndarray) -> pd.DataFrame:
    n = len(ratings)
    deviations = ratings.std(axis=0, ddof=1) if n > 1 else np.full(ratings.shape[1:], np.nan)
    keys = pd.MultiIndex.from_product([range(1, settings.days + 1), settings.names], names=["day", "name"])
    table = pd.DataFrame({"n": n, "mean": ratings.mean(axis=0).ravel(), "sd": deviations.ravel()}, index=keys)
    return table.reset_index()


def rating_paths(record: DaysRecord) -> dict[str, list[float]]:
    """Ratings of each name before its first game and after each of its games, Elo points.

    Examples
    --------
    >>> from ludometrics.draughts import Level
    >>> quick = tuple((f"Sim {number}", Level(1, 0.5)) for number in range(2))
    >>> record = simulate_days(DaysSettings(players=quick, days=1), rng=np.random.default_rng(1))
    >>> paths = rating_paths(record)
    >>> paths["Sim 0"][0], bool(paths["Sim 0"][-1] == record.final["rating"]["Sim 0"])
    (1200.0, True)
    """
    settings = record.settings
    names: Sequence[str] = settings.names
    table = record.games
    outcomes = table["winner"].map(SCORES).to_numpy()
    games = index_games(table["black"].tolist(), table["white"].tolist(), outcomes, players=names)
    state = start_ratings(settings)
    paths = {name: [float(rating)] for name, rating in zip(names, state.ratings, strict=True)}
    for row, day in enumerate(table["day"]):
        pair = games.pairs[row : row + 1]
        state = rate(settings, state, pair, games.outcomes[row : row + 1], int(day))
        for player in pair[0]:
            paths[names[player]].append(float(state.ratings[player]))
    return paths
