"""Tables of runs for tests: rows as a training run writes them, with counts by hand or with known chances."""

from collections.abc import Callable, Iterable, Sequence

import numpy as np
import pandas as pd

from ludometrics.connect4.run_table import COLUMNS, PERFECT_FIRST, STANDARD, Condition


def row(
    run: int,
    won: int,
    *,
    recipe: str = "own",
    step: int = 100,
    pairing: Condition = PERFECT_FIRST,
    games: int = 10,
    drawn: int = 0,
    batch: int = 50,
) -> dict:
    """One row: what is not won or drawn is lost."""
    lost = games - won - drawn
    values = (recipe, run, step, step * batch, *pairing, games, won, drawn, lost, 0)
    return dict(zip(COLUMNS, values, strict=True))


def rows_of(wins: Iterable[int], **more) -> pd.DataFrame:
    """One row a run: runs 0, 1, .. with so many wins."""
    return pd.DataFrame([row(run, won, **more) for run, won in enumerate(wins)])


def curves(wins: Sequence[Sequence[int]], **more) -> pd.DataFrame:
    """One list a run: its wins at steps 100, 200, ..."""
    return pd.concat(
        [
            rows_of(column, step=100 * (place + 1), **more)
            for place, column in enumerate(zip(*wins, strict=True))
        ]
    )


def simulate(
    chance: Callable[[int, int, Condition], float],
    steps: Sequence[int],
    runs: int,
    *,
    pairings: Sequence[Condition] = STANDARD,
    rng: np.random.Generator,
    **more,
) -> pd.DataFrame:
    """Runs whose chance to win is known: chance(run, step, pairing)."""
    games = more.get("games", 10)
    return pd.DataFrame(
        [
            row(run, int(rng.binomial(games, chance(run, step, one))), step=step, pairing=one, **more)
            for step in steps
            for one in pairings
            for run in range(runs)
        ]
    )


def clocks(
    runs: int, steps: Sequence[int], *, seconds: float = 20.0, pause: float = 5.0, recipe: str = "own"
) -> pd.DataFrame:
    """Clocks of runs: run r takes seconds + r a step, and each evaluation a pause."""
    found = []
    for run in range(runs):
        elapsed = 0.0
        for step in steps:
            elapsed += seconds + run
            found.append((recipe, run, step, "metrics", elapsed))
            elapsed += pause
            found.append((recipe, run, step, "arena", elapsed))
    return pd.DataFrame(found, columns=["recipe", "run", "step", "event", "elapsed_s"])
