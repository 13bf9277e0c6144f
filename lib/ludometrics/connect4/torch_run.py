"""A whole run of the published recipe: steps, tables as it goes, evaluations, checkpoints, going on after a kill."""

from pathlib import Path

from tqdm.auto import tqdm

from ludometrics.connect4.network import ValueNetwork
from ludometrics.connect4.recipe import Recipe
from ludometrics.connect4.run_folder import NETWORK, Evaluate, keep_checkpoint, open_run
from ludometrics.connect4.torch_trainer import TorchTrainer
from ludometrics.connect4.training_log import MetricsLog
from ludometrics.connect4.weights_file import save_network

__all__ = ["train"]


def train(
    recipe: Recipe,
    *,
    seed: int,
    folder: str | Path,
    device: str = "cpu",
    run: int = 0,
    evaluate: Evaluate | None = None,
    resume: bool = False,
    threads: int | None = None,
    compiled: bool = False,
    progress: bool = False,
) -> ValueNetwork:
    """Train by the published recipe and keep what happened.

    Each `log_every` steps, and before every evaluation, a row goes to metrics.csv; each `evaluate_every` steps the
    network is evaluated; each `checkpoint_every` steps, and at the end, everything is kept in checkpoint.npz.

    Parameters
    ----------
    recipe : Recipe
        Every setting.
    seed : int
        Seed of the run: on the CPU the same tables and weights to the byte, on one thread or many.
    folder : str or Path
        metrics.csv, clock.csv, arena.csv, checkpoint.npz and, at the end, network.npz are written there.
    device : str
        Where torch computes: "cpu", "cuda", "cuda:1" ...
    run : int
        Number of the run among those of its recipe, for arena.csv.
    evaluate : callable, optional
        Takes the network and the evaluation's number, counted from 0, and gives a row a pairing.
    resume : bool
        Go on from the folder's checkpoint, or from the beginning if it holds none: ends as if nothing had happened. A
        run that is finished goes on only if the recipe has more steps now.
    threads : int, optional
        Threads on the CPU; without it as many as torch uses.
    compiled : bool
        Let torch.compile fuse what takes the time. Meant for a GPU, where it was not measured.
    progress : bool
        Show a bar.

    Returns
    -------
    ValueNetwork
        The network at the end, as it was evaluated.

    Raises
    ------
    ValueError
        A folder that holds a run already, or the checkpoint of another recipe or seed; a device that is not there.

    Source
    ------
    The published Connect-4 recipe (Thill 2026, techdays26).
    """
    folder = Path(folder)
    trainer = TorchTrainer(recipe, seed=seed, device=device, threads=threads, compiled=compiled)
    log, kept = open_run(folder, recipe.as_dict(), seed, resume=resume, free=("steps",))
    if kept is not None:
        trainer.restore(kept.arrays, step=kept.step)
    with tqdm(total=recipe.steps, initial=trainer.step, unit="step", disable=not progress) as bar:
        while trainer.step < recipe.steps:
            bar.update(_advance(trainer, log))
            if evaluate is not None and trainer.step % recipe.evaluate_every == 0:
                table = evaluate(_network(trainer, run), trainer.step // recipe.evaluate_every - 1)
                log.write_arena(trainer.step, trainer.moves, table, run=run, recipe=recipe.name)
            if trainer.step == recipe.steps or trainer.step % recipe.checkpoint_every == 0:
                keep_checkpoint(folder, log, recipe.as_dict(), seed, trainer.step, trainer.state())
    network = _network(trainer, run)
    save_network(folder / NETWORK, network)
    return network


def _advance(trainer: TorchTrainer, log: MetricsLog) -> int:
    """Train up to the next row of metrics, or the next checkpoint where that comes first."""
    recipe, step = trainer.recipe, trainer.step
    rows = [
        recipe.steps,
        *(step + every - step % every for every in (recipe.log_every, recipe.evaluate_every)),
    ]
    stop = min(*rows, step + recipe.checkpoint_every - step % recipe.checkpoint_every)
    if stop in rows:
        log.write_metrics(trainer.run_measured(stop - step))
    else:
        trainer.run(stop - step)
    return stop - step


def _network(trainer: TorchTrainer, run: int) -> ValueNetwork:
    network = trainer.network
    return ValueNetwork(network.indexing, network.weights, {**network.about, "run": run})
