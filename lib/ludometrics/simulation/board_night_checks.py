"""How much the six checks see: on groups whose ratings are sound, and on the same groups broken on purpose."""

from collections.abc import Sequence

import pandas as pd

from ludometrics.boardgames.check_power import VARIANTS, break_group, verdict_shares
from ludometrics.boardgames.checks import run_checks
from ludometrics.boardgames.settings import EngineSettings
from ludometrics.simulation.board_night_groups import groups_of, weights_of
from ludometrics.simulation.boardgame_worlds import GroupWorld

#: Plays of a group when it runs its checks.
SIZES = (300, 1200)


def try_checks(
    world: GroupWorld,
    base: EngineSettings,
    *,
    sizes: Sequence[int] = SIZES,
    variants: Sequence[str] = VARIANTS,
    seed: int,
    first: int,
    count: int,
    replicates: int = 1000,
    progress: bool = True,
) -> pd.DataFrame:
    """Run the checks on groups of known strength, each as it is and broken in several ways.

    Parameters
    ----------
    world : GroupWorld
        Its plays are replaced by each of the sizes.
    base : EngineSettings
    sizes : sequence of int
    variants : sequence of str
        Of `check_power.VARIANTS`.
    seed, first, count, progress
        As in `board_night_mechanisms.try_mechanisms`.
    replicates : int
        Of the bootstrap in each check.

    Returns
    -------
    DataFrame
        One row a replication, number of plays, variant and check: `effect`, `low`, `high`, `n`, `verdict`.
    """
    parts = []
    for plays in sizes:
        block = {"plays": plays, "seed": seed, "first": first, "count": count, "progress": progress}
        for number, group, rng in groups_of(world, **block):
            weights = weights_of(group, base)
            for variant, own in zip(variants, rng.spawn(len(variants)), strict=True):
                rated = break_group(group.log, weights, base, variant, rng=own)
                checks = run_checks(rated, replicates=replicates, rng=own).drop(columns=["question", "note"])
                parts.append(checks.assign(replication=number, plays=plays, variant=variant))
    key = ["replication", "plays", "variant"]
    table = pd.concat(parts, ignore_index=True)
    return table[[*key, *(name for name in table.columns if name not in key)]]


def checks_table(trials: pd.DataFrame) -> pd.DataFrame:
    """Share of groups in which each check gave each verdict.

    Parameters
    ----------
    trials : DataFrame
        As `try_checks` gives it.

    Returns
    -------
    DataFrame
        One row a number of plays, variant, check (or `check_power.ANY`) and verdict: `share` with its 95 % interval
        `low`, `high` (Wilson), `count` of `n` groups.
    """
    parts = []
    for plays, part in trials.groupby("plays", sort=False):
        shares = verdict_shares(part.rename(columns={"replication": "group"}))
        shares.insert(0, "plays", plays)
        parts.append(shares)
    return pd.concat(parts, ignore_index=True)
