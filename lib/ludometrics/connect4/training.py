"""One run with either trainer: a recipe, a seed, a budget of moves, evaluations evenly spaced on the way."""

import math
import time
from pathlib import Path
from typing import NamedTuple

from ludometrics.connect4.compiled_run import train_compiled
from ludometrics.connect4.compiled_settings import CompiledSettings
from ludometrics.connect4.network import ValueNetwork
from ludometrics.connect4.recipe import Recipe
from ludometrics.connect4.run_folder import Evaluate


def train(
    settings: CompiledSettings | Recipe,
    *,
    seed: int,
    moves: int,
    folder: str | Path,
    name: str,
    evaluations: int = 0,
    evaluate: Evaluate | None = None,
    checkpoint_every: int = 2000,
    resume: bool = False,
    device: str = "cpu",
    progress: bool = False,
) -> ValueNetwork:
    """Train until a budget of moves is spent; no clock ends a run.

    Parameters
    ----------
    settings : CompiledSettings or Recipe
        The trainer, and how it learns: the compiled one, or the published recipe in torch.
    seed : int
        Seed of the run, which is its number too.
    moves : int
        Budget, on all boards together, rounded up to whole steps.
    folder : str or Path
        metrics.csv, clock.csv, arena.csv, checkpoint.npz and network.npz are written there.
    name : str
        What the recipe is called in arena.csv.
    evaluations : int
        So many, evenly spaced, the last at the end; `evaluate` is called with the network and their number from 0.
    evaluate : callable, optional
        Gives a row a pairing.
    checkpoint_every : int
        Steps between two checkpoints.
    resume : bool
        Go on from the folder's checkpoint.
    device : str
        Where the published recipe computes: "cpu", "cuda".
    progress : bool
        Show a bar.

    Returns
    -------
    ValueNetwork
        The network at the end.

    Raises
    ------
    ValueError
        A budget too small for the evaluations; a folder that holds another run.
    """
    steps = math.ceil(moves / settings.batch) if moves > 0 else 0
    if steps < max(1, evaluations):
        raise ValueError(
            f"moves is {moves}: at least a step of {settings.batch:,} moves is wanted for each evaluation"
        )
    if evaluations and evaluate is None:
        raise ValueError(f"evaluations is {evaluations}: `evaluate` is wanted to play the games")
    if isinstance(settings, CompiledSettings):
        points = [round(steps * (number + 1) / evaluations) * settings.batch for number in range(evaluations)]
        return train_compiled(
            settings,
            seed=seed,
            moves=steps * settings.batch,
            folder=folder,
            run=seed,
            recipe=name,
            evaluations=points,
            evaluate=evaluate,
            checkpoint_every=checkpoint_every,
            resume=resume,
            progress=progress,
        )
    from ludometrics.connect4 import torch_run

    every = math.ceil(
        steps / max(1, evaluations)
    )  # whole steps: the budget grows by less than one an evaluation
    changed = settings.with_changes(
        name=name,
        steps=every * max(1, evaluations),
        evaluate_every=every,
        checkpoint_every=max(1, checkpoint_every),
    )
    return torch_run.train(
        changed,
        seed=seed,
        folder=folder,
        device=device,
        run=seed,
        evaluate=evaluate if evaluations else None,
        resume=resume,
        progress=progress,
    )


def evaluation_seed(run: int, number: int) -> int:
    """Give the seed of a run's evaluation, counted from 0: each plays games of its own."""
    return 1000 * run + number


class Expected(NamedTuple):
    """What a run will take on this machine.

    Attributes
    ----------
    moves_per_s : float
        Moves a second, with learning.
    seconds : float
        For the whole budget, without evaluations.
    """

    moves_per_s: float
    seconds: float

    def describe(self) -> str:
        """Say it in words."""
        minutes = self.seconds / 60
        return f"about {minutes:.1f} min at {self.moves_per_s:,.0f} moves a second, evaluations apart"


def estimate_time(
    settings: CompiledSettings | Recipe, *, moves: int, device: str = "cpu", steps: int = 20
) -> Expected:
    """Time some steps from an empty network, after a few that compile, and say what a budget of moves will take.

    Parameters
    ----------
    settings : CompiledSettings or Recipe
        The trainer.
    moves : int
        The budget.
    device : str
        Where the published recipe computes.
    steps : int
        Steps that are timed; the first of a run are a little faster or slower than later ones.

    Raises
    ------
    ValueError
        A device that is not there: this names it before a long run is begun.
    """
    if isinstance(settings, CompiledSettings):
        from ludometrics.connect4.compiled_trainer import CompiledTrainer

        trainer = CompiledTrainer(settings, seed=0)
    else:
        from ludometrics.connect4.torch_trainer import TorchTrainer

        trainer = TorchTrainer(settings, seed=0, device=device)
    # Sums that are read back at the end make a GPU finish its work before the clock stops.
    run = trainer.run if isinstance(settings, CompiledSettings) else trainer.run_measured
    run(settings.horizon + 3)
    begin = time.perf_counter()
    run(steps)
    rate = steps * settings.batch / (time.perf_counter() - begin)
    return Expected(rate, moves / rate)
