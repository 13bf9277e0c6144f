"""The folder of a run, the same for both trainers: its tables opened, its checkpoint read and written."""

from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ludometrics.connect4.checkpoints import Checkpoint, load_checkpoint, save_checkpoint
from ludometrics.connect4.network import ValueNetwork
from ludometrics.connect4.training_log import MetricsLog

CHECKPOINT, NETWORK = "checkpoint.npz", "network.npz"

#: Takes a network and the number of the evaluation, from 0, and gives a row a pairing.
Evaluate = Callable[[ValueNetwork, int], pd.DataFrame]


def open_run(
    folder: Path, settings: Mapping[str, Any], seed: int, *, resume: bool, free: Collection[str] = ()
) -> tuple[MetricsLog, Checkpoint | None]:
    """Open the tables of a run, and its checkpoint where it is to go on from one.

    Parameters
    ----------
    folder : Path
        The run's folder.
    settings, seed
        What the checkpoint must have been made with.
    resume : bool
        Go on from the folder's checkpoint, or from the beginning if it holds none.
    free : collection of str
        Settings that may differ.

    Raises
    ------
    ValueError
        The folder holds a run that is not to go on, or the checkpoint of another recipe or seed.
    """
    if not resume:
        return MetricsLog(folder), None
    path = folder / CHECKPOINT
    if not path.exists():  # killed before its first checkpoint, or never begun
        return MetricsLog(folder, resume_step=0), None
    kept = load_checkpoint(path, recipe=settings, seed=seed, free=free)
    return MetricsLog(folder, resume_step=kept.step, elapsed_s=float(kept.more["elapsed_s"])), kept


def keep_checkpoint(
    folder: Path,
    log: MetricsLog,
    settings: Mapping[str, Any],
    seed: int,
    step: int,
    arrays: Mapping[str, np.ndarray],
) -> None:
    """Write the checkpoint of a run, with the time elapsed, and note when it was done."""
    more = {"elapsed_s": log.elapsed_s}
    save_checkpoint(folder / CHECKPOINT, Checkpoint(settings, seed, step, arrays, more=more))
    log.mark_checkpoint(step)
