"""Grids of settings on a real log, and settings chosen without knowing the rest of it."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from ludometrics.evaluation import cluster_intervals, compare_many, tune
from ludometrics.ratings.candidates import FAMILIES, family_grid
from ludometrics.ratings.games import Games
from ludometrics.ratings.sweep import sweep


def grids_table(
    games: Games,
    units: Sequence | ArrayLike,
    scored: ArrayLike,
    *,
    replicates: int,
    seed: int,
) -> tuple[pd.DataFrame, dict[str, pd.DataFrame]]:
    """Try every family's grid on a log.

    Parameters
    ----------
    games : Games
    units : sequence, length n
        What is resampled whole.
    scored : array_like of bool, shape (n,)
        Games whose forecasts are scored in the table.
    replicates, seed : int
        Of the bootstrap.

    Returns
    -------
    table : DataFrame
        family, setting (in words), the settings (`candidates.AXES`), loss (nats a game) with its interval, difference
        from the family's default with low, high and verdict, best (1 for the smallest loss: found on the scored
        games, so too good), n (units).
    losses : dict of str to DataFrame of shape (n, k)
        By family: loss of every game under every setting.
    """
    kept = np.asarray(scored)
    tables, losses = [], {}
    for family in FAMILIES:
        grid = family_grid(family)
        names = grid.table["setting"].tolist()
        losses[family] = pd.DataFrame(sweep(games, family, grid.settings), columns=names)
        compared = compare_many(
            losses[family][kept],
            names[grid.default],
            units=np.asarray(units)[kept],
            replicates=replicates,
            rng=np.random.default_rng(seed),
        ).set_index("setting")
        table = grid.table
        own = cluster_intervals(
            losses[family][kept].to_numpy(),
            np.asarray(units)[kept],
            replicates=replicates,
            rng=np.random.default_rng(seed),
        )
        table[["loss", "loss_low", "loss_high"]] = [estimate[:3] for estimate in own]
        for column in ("difference", "low", "high"):
            table[column] = compared[column].reindex(names).fillna(0.0).to_numpy()
        table["verdict"] = compared["verdict"].reindex(names).fillna("default").to_numpy()
        table["best"] = (table["loss"] == table["loss"].min()).astype(int)
        table["n"] = int(compared["n"].iloc[0])
        tables.append(table)
    return pd.concat(tables, ignore_index=True), losses


def tuned_table(
    losses: Mapping[str, pd.DataFrame],
    units: Sequence | ArrayLike,
    scored: ArrayLike,
    *,
    replicates: int,
    seed: int,
) -> pd.DataFrame:
    """Choose each family's setting on the games that are not scored, and report it on those that are.

    Of the settings within one standard error of the best the one nearest to the default is chosen.

    Parameters
    ----------
    losses : mapping of str to DataFrame
        Of `grids_table`.
    units, scored, replicates, seed
        As in `grids_table`; the scored games are the last ones.

    Returns
    -------
    DataFrame
        family, chosen, loss with its interval, hindsight (the best on the scored games), its loss, difference (chosen
        less hindsight) with its interval, settings (how many there were), n (units reported on).
    """
    share = _share_of_units(np.asarray(units), ~np.asarray(scored))
    rows = []
    for family, table in losses.items():
        result = tune(
            table,
            units,
            share,
            order_of_simplicity=_nearest_first(family),
            replicates=replicates,
            rng=np.random.default_rng(seed),
        )
        rows.append(
            {
                "family": family,
                "chosen": result.chosen,
                "loss": result.chosen_loss.value,
                "loss_low": result.chosen_loss.low,
                "loss_high": result.chosen_loss.high,
                "hindsight": result.hindsight,
                "hindsight_loss": result.hindsight_loss.value,
                "difference": result.difference.value,
                "difference_low": result.difference.low,
                "difference_high": result.difference.high,
                "settings": result.n_settings,
                "n": result.chosen_loss.n,
            }
        )
    return pd.DataFrame(rows)


def _share_of_units(units: NDArray, early: NDArray) -> float:
    return len(np.unique(units[early])) / len(np.unique(units))


def _nearest_first(family: str) -> list[str]:
    """Names of the settings, by how many steps of the grid they are away from the default."""
    grid = family_grid(family)
    return grid.table["setting"].iloc[np.argsort(grid.steps, kind="stable")].tolist()
