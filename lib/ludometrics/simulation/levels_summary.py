"""Independent measurements of the draughts levels, joined: ratings, true scores, and who is equal to whom."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pandas as pd

from ludometrics.draughts import Level
from ludometrics.evaluation import mean_interval
from ludometrics.evaluation.intervals import NORMAL_95
from ludometrics.simulation.ladder import select_levels
from ludometrics.simulation.presets import COURSE_PLAYERS
from ludometrics.simulation.truth import TRUTH_COLUMNS

NOT_CHOSEN = "-"


def join_ratings(
    ratings: pd.DataFrame, *, count: int, low: float | None = None, high: float | None = None
) -> pd.DataFrame:
    """Average the ratings of the seeds and choose a ladder at even steps.

    Parameters
    ----------
    ratings : DataFrame
        Tables of `rate_levels_offline` under one another, with a column seed; the same levels for each seed.
    count : int
        Levels of the ladder, at least 2.
    low, high : float, optional
        Ratings that the ends of the ladder should be nearest to, see `select_levels`.

    Returns
    -------
    DataFrame
        One row a level: depth, chance, rating, rating_low, rating_high (95 %, from the standard errors of the
        fits), n (games), draw_share, level (``l1`` upwards where it was chosen, else ``-``).

    Raises
    ------
    ValueError
        A level that is missing for some seed.

    Source
    ------
    Own.
    """
    seeds = ratings["seed"].nunique()
    groups = ratings.groupby(["depth", "chance"])
    uneven = groups.size()[groups.size() != seeds]
    if len(uneven):
        raise ValueError(
            f"level depth, chance = {uneven.index[0]} stands in {uneven.iloc[0]} of {seeds} seeds"
        )
    table = groups.agg(rating=("rating", "mean"), n=("games", "sum"), draw_share=("draw_share", "mean"))
    half = NORMAL_95 * np.sqrt(groups["error"].agg(lambda errors: float(np.sum(errors**2)))) / seeds
    table.insert(1, "rating_low", table["rating"] - half)
    table.insert(2, "rating_high", table["rating"] + half)
    table = table.reset_index()
    table["level"] = NOT_CHOSEN
    chosen = select_levels(table["rating"], min(count, len(table)), low=low, high=high)
    table.loc[chosen, "level"] = [f"l{number}" for number in range(1, len(chosen) + 1)]
    return table


def join_truth(truth: pd.DataFrame) -> pd.DataFrame:
    """Add up the games of the seeds.

    Parameters
    ----------
    truth : DataFrame
        Tables of `truth_table` under one another, with columns seed and ladder.

    Returns
    -------
    DataFrame
        The columns of `truth_table` after a column ladder.

    Source
    ------
    Own.
    """
    key = ["ladder", *TRUTH_COLUMNS[:4]]
    counts = list(TRUTH_COLUMNS[4:])
    truth = truth.assign(variant=truth["variant"].fillna(""))
    return truth.groupby(key, as_index=False)[counts].sum()[[*key, *counts]]


def compare_players(
    ratings: pd.DataFrame, *, players: Sequence[tuple[str, Level]] = COURSE_PLAYERS
) -> pd.DataFrame:
    """Compare each simulated player with the next one in the intended order, on the scale of the levels.

    Parameters
    ----------
    ratings : DataFrame
        As `join_ratings` takes them; players whose settings are not among the levels are passed over.
    players : sequence of (str, Level)
        Strongest first as intended.

    Returns
    -------
    DataFrame
        stronger, weaker (as intended), difference, difference_low, difference_high (Elo points, 95 %, Student over
        the seeds; without interval for one seed), n (seeds).

    Source
    ------
    Own.
    """
    by_setting = ratings.set_index(["seed", "depth", "chance"])["rating"].unstack("seed")
    rows = []
    for (stronger, above), (weaker, below) in pairwise(players):
        settings = [(level.depth, level.chance) for level in (above, below)]
        if not all(setting in by_setting.index for setting in settings):
            continue
        differences = (by_setting.loc[settings[0]] - by_setting.loc[settings[1]]).to_numpy()
        if len(differences) > 1:
            rows.append((stronger, weaker, *mean_interval(differences)))
        else:
            rows.append((stronger, weaker, float(differences[0]), np.nan, np.nan, 1))
    columns = ["stronger", "weaker", "difference", "difference_low", "difference_high", "n"]
    return pd.DataFrame(rows, columns=columns)
