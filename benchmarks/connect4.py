"""Speed of the Connect-4 trainers and of the arena; writes results/bench/connect4.csv.

Run on an otherwise idle machine: ``python benchmarks/connect4.py``. Moves a second are by the clock, with learning, on
all cores, the median of several windows. The reference is the plain form in torch: 4^8 entries a pattern, gradients
and Adam by torch itself, on the same boards and settings, timed in this process.
"""

import statistics
import time
from collections.abc import Callable

import numpy as np
import pandas as pd
import torch
from _timing import COLUMNS, row

from ludometrics.connect4 import CompiledSettings, CompiledTrainer, new_network, standard_patterns
from ludometrics.connect4.arena import Workers, pairings, record_games
from ludometrics.connect4.dense_torch import from_network
from ludometrics.connect4.recipe import Recipe
from ludometrics.connect4.torch_board import landing, play
from ludometrics.connect4.torch_threads import flush_denormals
from ludometrics.connect4.torch_trainer import TorchTrainer
from ludometrics.provenance import write_table

WINDOWS = 7
GAMES = 50  # of each of the 24 pairings


def rate(run: Callable[[int], object], batch: int, steps: int) -> float:
    """Moves a second: the median of some windows, after one that is not counted."""
    run(steps)
    found = []
    for _ in range(WINDOWS):
        began = time.perf_counter()
        run(steps)
        found.append(steps * batch / (time.perf_counter() - began))
    return statistics.median(found)


class PlainReference:
    """Steps of the published kind in the plainest torch: seven afterstates looked up whole, autograd, dense Adam.

    Games are never finished and targets are the network's own values: that saves work, so the reference is, if
    anything, too fast.
    """

    def __init__(self, batch: int) -> None:
        self.table = from_network(new_network(standard_patterns()))
        self.table.weights.requires_grad_(True)
        self.target = self.table.weights.detach().clone()
        self.adam = torch.optim.Adam([self.table.weights], lr=3e-4)
        self.batch = batch
        self.state = self._start()

    def _start(self) -> tuple[torch.Tensor, ...]:
        zeros = torch.zeros(self.batch, dtype=torch.int64)
        return zeros, zeros.clone(), torch.full((self.batch,), 42)

    def run(self, steps: int) -> None:
        """Play and learn."""
        for _ in range(steps):
            tokens, active, left = self.state
            if int(left[0]) == 0:
                tokens, active, left = self._start()
            squares = landing(tokens)
            values = []
            for column in range(7):
                open_ = (squares >> 9 * column) & 63 != 0
                after = play(tokens, active, left, torch.where(open_, column, 0))
                with torch.no_grad():
                    value = self.table.values(*after)
                values.append(torch.where(open_, value, -2.0) + 1e-4 * torch.rand(self.batch))
            chosen = torch.stack(values).argmax(dim=0)
            self.state = play(tokens, active, left, chosen)
            with torch.no_grad():
                goal = self.table.values(*self.state)
            loss = ((self.table.values(tokens, active, left) - goal) ** 2).mean()
            self.adam.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_([self.table.weights], 0.1)
            self.adam.step()
            self.target.lerp_(self.table.weights.detach(), 0.15)


def trainers() -> list[dict]:
    """Trainer B at two batches, trainer A, and the plain form."""
    with flush_denormals():
        plain = rate(PlainReference(2000).run, 2000, 3)
    rows = []
    for batch in (5000, 2000):
        trainer = CompiledTrainer(CompiledSettings(batch=batch), seed=1)
        trainer.run(300)
        found = rate(trainer.run, batch, 200)
        rows.append(row(f"trainer B, batch {batch:,}, moves learned from", found, 350_000.0, 1.0, "moves/s"))
        if batch == 2000:
            rows.append(row("trainer B, batch 2,000, against the plain form", found, plain, 20.0, "moves/s"))
    torch_trainer = TorchTrainer(Recipe(batch=2000), seed=1)
    torch_trainer.run(20)
    found = rate(torch_trainer.run, 2000, 20)
    rows.append(row("trainer A, batch 2,000, against the plain form", found, plain, 20.0, "moves/s"))
    return rows


def memory() -> dict:
    """Both sides' weights in one form and the other."""
    network = new_network(standard_patterns())
    plain = from_network(network)
    size = plain.weights.numel() * 4 / 1e6
    return row("weights of both sides", network.weights.nbytes / 1e6, size, 12.0, "MB", less_is_better=True)


def arena() -> list[dict]:
    """1,200 games of an untrained network on two cores: the time, and the agent's part of the work."""
    rng = np.random.default_rng(1)
    network = new_network(standard_patterns())
    network.weights[...] = rng.normal(0, 0.02, network.weights.shape)
    with Workers(2) as workers:
        record_games(network, pairings()[:2], 2, seed=1, workers=workers)  # processes start, kernels load
        began = time.perf_counter()
        games = record_games(network, pairings(), GAMES, seed=2, workers=workers)
        took = time.perf_counter() - began
    share = games["own_s"].sum() / games["opponent_s"].sum()
    return [
        row("1,200 games of an evaluation", took, 45.0, 1.0, "s", less_is_better=True),
        row("the agent's time as a share of its opponents'", share, 0.15, 1.0, "share", less_is_better=True),
    ]


def main() -> None:
    """Measure and write the table."""
    rows = [*trainers(), memory(), *arena()]
    table = pd.DataFrame(rows, columns=COLUMNS)
    write_table(table, "results/bench/connect4.csv", key=["case"])
    print(table.to_string(index=False))


if __name__ == "__main__":
    main()
