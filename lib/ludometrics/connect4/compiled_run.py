"""A whole run of the compiled trainer: a budget of moves, tables as it goes, checkpoints, evaluations on the way."""

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from tqdm.auto import tqdm

from ludometrics.connect4.compiled_settings import CompiledSettings
from ludometrics.connect4.compiled_trainer import CompiledTrainer
from ludometrics.connect4.network import ValueNetwork
from ludometrics.connect4.run_folder import NETWORK, Evaluate, keep_checkpoint, open_run
from ludometrics.connect4.training_log import MetricsLog
from ludometrics.connect4.weights_file import save_network

LOG_EVERY = 100  # steps between two rows of metrics


def network_of(trainer: CompiledTrainer, *, run: int, recipe: str) -> ValueNetwork:
    """Give the network of a run as it stands, with where it comes from."""
    about = {
        "recipe": recipe,
        "run": run,
        "seed": trainer.seed,
        "step": trainer.step,
        "moves": trainer.moves,
        "settings": trainer.settings.as_dict(),
    }
    return ValueNetwork(trainer.indexing, trainer.network_weights.copy(), about)


def train_compiled(
    settings: CompiledSettings,
    *,
    seed: int,
    moves: int,
    folder: str | Path,
    run: int = 0,
    recipe: str = "tree-backup",
    evaluations: Sequence[int] = (),
    evaluate: Evaluate | None = None,
    checkpoint_every: int = 0,
    resume: bool = False,
    progress: bool = False,
) -> ValueNetwork:
    """Train by self-play until a budget of moves is spent, and keep what happened.

    Parameters
    ----------
    settings : CompiledSettings
        What is learned and how.
    seed : int
        Run's seed: same settings, seed and budget, same network, whatever the number of threads.
    moves : int
        Budget, on all boards together; it is rounded up to whole steps. No clock ends a run.
    folder : str or Path
        metrics.csv, clock.csv, arena.csv, network.npz and checkpoint.npz are written there.
    run, recipe : int, str
        What the run is called in arena.csv.
    evaluations : sequence of int
        Moves after which `evaluate` is called (rounded up to whole steps), each at most `moves`.
    evaluate : callable, optional
        Takes the network and the evaluation's number, gives a row a pairing.
    checkpoint_every : int
        Steps between two checkpoints; 0: only one, at the end.
    resume : bool
        Go on from the folder's checkpoint, if there is one; a finished run is left as it is.
    progress : bool
        Show a bar.

    Returns
    -------
    ValueNetwork
        The network at the end.

    Raises
    ------
    ValueError
        A budget or evaluation outside its range; a folder that holds a run, or one of other settings.
    """
    total = _steps_of(moves, settings, "moves")
    stops = sorted({_steps_of(point, settings, "evaluations") for point in evaluations})
    if stops and (stops[-1] > total or evaluate is None):
        raise ValueError(
            f"evaluations after {max(evaluations):,} moves: allowed are 1 to {moves:,}, with `evaluate`"
        )
    folder = Path(folder)
    trainer = CompiledTrainer(settings, seed=seed)
    log, kept = open_run(folder, settings.as_dict(), seed, resume=resume)
    if kept is not None:
        trainer.restore({**kept.arrays, "step": np.int64(kept.step)})
    pauses = {*stops, total, *range(0, total, LOG_EVERY)}
    pauses |= set(range(0, total, checkpoint_every)) if checkpoint_every else set()
    with tqdm(
        total=total * settings.batch,
        initial=trainer.moves,
        unit="move",
        unit_scale=True,
        disable=not progress,
    ) as bar:
        for stop in sorted(pauses):
            if stop <= trainer.step:
                continue
            _advance(trainer, stop, log)
            bar.update(trainer.moves - bar.n)
            if stop in stops:
                table = evaluate(network_of(trainer, run=run, recipe=recipe), stops.index(stop))
                log.write_arena(trainer.step, trainer.moves, table, run=run, recipe=recipe)
            if stop == total or (checkpoint_every and stop % checkpoint_every == 0):
                state = trainer.state()
                del state["step"]
                keep_checkpoint(folder, log, settings.as_dict(), seed, trainer.step, state)
    network = network_of(trainer, run=run, recipe=recipe)
    save_network(folder / NETWORK, network)
    return network


def _steps_of(moves: int, settings: CompiledSettings, name: str) -> int:
    if isinstance(moves, bool) or not isinstance(moves, int | np.integer) or moves < 1:
        raise ValueError(f"{name} is {moves!r}: a whole number of moves from 1")
    return math.ceil(moves / settings.batch)


def _advance(trainer: CompiledTrainer, stop: int, log: MetricsLog) -> None:
    """Train up to a step and write its row of metrics; the last step is made alone, to measure it."""
    begin = trainer.step
    totals = trainer.run(stop - 1 - begin) if stop - 1 > begin else None
    before = trainer.weights.online.copy()
    last = trainer.run(1)
    totals = last if totals is None else _joined(totals, last)
    log.write_metrics(_metrics(trainer, totals, before, (stop - begin) * trainer.settings.batch))


def _joined(first: dict[str, float], last: dict[str, float]) -> dict[str, float]:
    joined = {name: first[name] + last[name] for name in first}
    joined["value_min"] = min(first["value_min"], last["value_min"])
    joined["value_max"] = max(first["value_max"], last["value_max"])
    joined["nonzero_gradients"] = last["nonzero_gradients"]
    return joined


def _metrics(
    trainer: CompiledTrainer, totals: dict[str, float], before: np.ndarray, moves: int
) -> dict[str, float]:
    learned = totals["learned"]
    online = trainer.weights.online
    norm = float(np.linalg.norm(online))
    mean = totals["value"] / learned if learned else math.nan
    spread = math.sqrt(max(0.0, totals["value_squared"] / learned - mean**2)) if learned else math.nan
    return {
        "step": trainer.step,
        "moves": trainer.moves,
        "learning_rate": float(trainer.settings.rates_at(trainer.step - 1)),
        "loss": totals["squared_error"] / learned if learned else math.nan,
        "weight_change": float(np.linalg.norm(online - before)) / norm if norm else math.nan,
        "weight_norm": norm,
        "value_mean": mean,
        "value_sd": spread,
        "value_min": totals["value_min"] if learned else math.nan,
        "value_max": totals["value_max"] if learned else math.nan,
        "finished": totals["games"] / moves,
        "updated": learned / moves,
        "random": totals["random"] / moves,
        "moves_left": totals["moves_left"] / moves,
        "wins": totals["yellow_wins"] + totals["red_wins"],
        "nonzero_gradients": totals["nonzero_gradients"],
    }
