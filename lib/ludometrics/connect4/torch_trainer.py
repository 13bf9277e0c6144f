"""Trainer A: the published recipe in torch, step by step, on any device."""

from typing import NamedTuple

import numpy as np

from ludometrics.connect4 import torch_board as board
from ludometrics.connect4.bitboard import CELLS, COLUMNS
from ludometrics.connect4.network import ValueNetwork
from ludometrics.connect4.patterns import draw_patterns, pattern_hash
from ludometrics.connect4.realisable import CONTENTS, index_patterns
from ludometrics.connect4.recipe import Recipe
from ludometrics.connect4.torch_metrics import SUMS, metrics_row
from ludometrics.connect4.torch_network import (
    afterstate_values,
    build_tables,
    indices,
    spread,
    to_network,
    values,
)
from ludometrics.connect4.torch_steps import (
    Choice,
    choose_columns,
    clip_gradient,
    compare,
    fold_targets,
    follow,
    learned_mask,
    prefer,
    score_moves,
)
from ludometrics.connect4.torch_threads import RowThreads, flush_denormals, one_thread_each

try:
    import torch
except ImportError as error:
    raise ImportError(
        'the trainer in torch needs torch: pip install "ludometrics[connect4]"', name=error.name
    ) from error

__all__ = ["TorchTrainer", "check_device"]


class Boards(NamedTuple):
    """Games being played: three (B,) int64 tensors."""

    tokens: torch.Tensor
    active: torch.Tensor
    left: torch.Tensor


class Ring(NamedTuple):
    """The last n + 1 moves: positions they were made in, slot = step mod (n + 1), and what came of them; (n + 1, B)."""

    contents: torch.Tensor  # (n + 1, B, 7) uint8: what the columns held
    side: torch.Tensor  # int32: who moved
    value: torch.Tensor
    random: torch.Tensor
    ended: torch.Tensor
    result: torch.Tensor


def check_device(device: str | torch.device) -> torch.device:
    """Check that torch can compute on a device.

    Raises
    ------
    ValueError
        No such device here.
    """
    try:
        found = torch.device(device)
        torch.zeros(1, device=found)
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        raise ValueError(f"device is {str(device)!r}: torch cannot use it here ({error})") from None
    return found


class TorchTrainer:
    """A run of the published recipe.

    On the CPU the same recipe and seed give the same bits on one thread or many. There it also sets torch's
    process-wide flag that takes denormal numbers as 0: moments of weights that are seldom met decay into them, and
    they are slow. On a GPU sums of gradients come in any order: there runs differ in their last bits, and so in time.

    Parameters
    ----------
    recipe : Recipe
        Every setting.
    seed : int
        Seed of the run, 0 or more.
    device : str or torch.device
        Where it computes; nothing is read back from it but for metrics.
    threads : int, optional
        Threads on the CPU; without it as many as torch uses.
    compiled : bool
        Let torch.compile fuse what takes the time. Meant for a GPU, where it was not measured; on a CPU, of which it
        then uses one thread and a C++ compiler, it is slower than without.

    Attributes
    ----------
    step : int
        Steps done: one move on every board each.

    Raises
    ------
    ValueError
        A seed below 0, a number of threads below 1, or a device that is not there.

    Source
    ------
    The published Connect-4 recipe (Thill 2026, techdays26); n-tuple networks with TD learning: Thill, Koch and Konen,
    PPSN XII (2012).

    Examples
    --------
    >>> small = Recipe(batch=8, pattern_count=4, pattern_length=3, horizon=2)
    >>> trainer = TorchTrainer(small, seed=1)
    >>> trainer.run(20)
    >>> trainer.step, trainer.moves
    (20, 160)
    """

    def __init__(
        self,
        recipe: Recipe,
        *,
        seed: int,
        device: str | torch.device = "cpu",
        threads: int | None = None,
        compiled: bool = False,
    ) -> None:
        if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
            raise ValueError(f"seed is {seed!r}: allowed are whole numbers from 0")
        threads = torch.get_num_threads() if threads is None else threads
        if isinstance(threads, bool) or not isinstance(threads, int) or threads < 1:
            raise ValueError(f"threads is {threads!r}: allowed are whole numbers from 1")
        self.recipe, self.seed, self.step = recipe, seed, 0
        self.device = device = check_device(device)
        rng = np.random.default_rng(recipe.pattern_seed)
        patterns = draw_patterns(recipe.pattern_count, recipe.pattern_length, rng=rng)
        self.indexing = index_patterns(patterns)
        self._tables = build_tables(self.indexing, device=device)
        first = int(np.random.SeedSequence(seed).generate_state(1, np.uint64)[0] >> np.uint64(1))
        self._generator = torch.Generator(device).manual_seed(first)
        self._build_learner()
        self._build_boards()
        self._share = RowThreads(threads if device.type == "cpu" and not compiled else 1)
        compile_ = torch.compile(dynamic=False) if compiled else (lambda function: function)
        self._value_kernel, self._afterstate_kernel, self._fold, self._compare = map(
            compile_, (values, afterstate_values, fold_targets, compare)
        )

    def _build_learner(self) -> None:
        size = 2 * self.indexing.states
        recipe, device = self.recipe, self.device
        self.online = torch.nn.Parameter(torch.zeros(size, device=device))
        self.target = torch.zeros(size, device=device)
        self.online.grad = torch.zeros(size, device=device)
        self._adam = torch.optim.Adam(
            [self.online], betas=(recipe.beta1, recipe.beta2), eps=recipe.adam_epsilon, fused=True
        )
        self._moments = {
            "step": torch.zeros((), device=device),
            "exp_avg": torch.zeros(size, device=device),
            "exp_avg_sq": torch.zeros(size, device=device),
        }
        self._adam.state[self.online] = self._moments
        self._sums = torch.zeros(len(SUMS), dtype=torch.float64, device=device)
        self._range_start = torch.tensor([1.0, -1.0], device=device)  # least and greatest value met
        self._range = self._range_start.clone()

    def _build_boards(self) -> None:
        batch, slots, device = self.recipe.batch, self.recipe.horizon + 1, self.device
        self._start = [torch.tensor(number, device=device) for number in (0, 0, CELLS)]
        self._boards = Boards(*(start.repeat(batch) for start in self._start))
        shape = (slots, batch)
        self._ring = Ring(
            torch.ones((*shape, COLUMNS), dtype=torch.uint8, device=device),
            torch.zeros(shape, dtype=torch.int32, device=device),
            torch.zeros(shape, device=device),
            torch.zeros(shape, dtype=torch.bool, device=device),
            torch.zeros(shape, dtype=torch.bool, device=device),
            torch.zeros(shape, device=device),
        )
        self._empty_index = indices(self._tables, self._ring.contents[0, :1])
        self._index = self._empty_index.repeat(batch, 1)
        # Where the ring's positions find their weights: follows from contents and side, so no checkpoint holds it.
        self._places = torch.zeros((*shape, self._index.shape[1]), dtype=torch.int32, device=device)

    @property
    def moves(self) -> int:
        """Moves played so far, on all boards."""
        return self.step * self.recipe.batch

    @property
    def network(self) -> ValueNetwork:
        """The network to be evaluated as it stands, with where it comes from."""
        recipe = self.recipe
        about = {
            "recipe": recipe.name,
            "seed": self.seed,
            "step": self.step,
            "moves": self.moves,
            "pattern_hash": pattern_hash(self.indexing.patterns),
            "settings": recipe.as_dict(),
        }
        weights = self.target if recipe.evaluated == "target" else self.online
        return to_network(weights, self.indexing, about)

    @torch.no_grad()
    def run(self, steps: int) -> None:
        """Play and learn for some steps, at least one."""
        if steps < 1:
            raise ValueError(f"steps is {steps}: at least one")
        with one_thread_each(), flush_denormals():  # the trainer's own threads share the rows
            for _ in range(steps):
                self._advance()

    @torch.no_grad()
    def run_measured(self, steps: int) -> dict[str, float]:
        """Play and learn for some steps, and give the row of metrics since the one before (`METRIC_COLUMNS`).

        Norms and the number of gradients other than 0 are those of the last step. What is measured changes nothing.
        """
        if steps > 1:
            self.run(steps - 1)
        before = self.online.clone()
        self.run(1)
        norm = torch.linalg.vector_norm(self.online)
        change = torch.linalg.vector_norm(before.sub_(self.online))
        nonzero = torch.count_nonzero(self.online.grad)
        last = [number.double() for number in (*self._range, norm, change, nonzero)]
        found = torch.cat([self._sums, torch.stack(last)]).tolist()  # read back all at once
        self._sums.zero_()
        self._range.copy_(self._range_start)
        rate = self.recipe.learning_rate_at(self.step - 1)
        return metrics_row(self.step, self.moves, rate, *found)

    def _advance(self) -> None:
        """Make one step: store, choose, play, learn from the oldest position, follow, start finished games again."""
        slot = self.step % (self.recipe.horizon + 1)
        tokens, active, left = self._boards
        side = (left & 1).int()
        contents = board.contents(tokens, active, left)
        ring = self._ring
        ring.contents[slot], ring.side[slot] = contents, side
        torch.add(self._index, self._half(side), out=self._places[slot])
        ring.value[slot] = self._values(self.target, self._places[slot])
        choice, won = self._choose(contents, side, self._index + self._half(1 - side))
        ended = won | (left == 1)
        ring.random[slot], ring.ended[slot] = choice.random, ended
        ring.result[slot] = won * (1.0 - 2.0 * side)
        index = self._index + self._gain(contents, side, choice.column)
        self._count(played=len(left), finished=ended, wins=won, random=choice.random, moves_left=left)
        if self.step >= self.recipe.horizon:
            self._learn(self._values(self.target, index + self._half(1 - side)), slot)
            follow(self.target, self.online, self.recipe.tau)
        after = board.play(tokens, active, left, choice.column)
        self._boards = Boards(*map(torch.where, 3 * (ended,), self._start, after))
        self._index = torch.where(ended[:, None], self._empty_index, index)
        self.step += 1

    def _values(self, weights: torch.Tensor, places: torch.Tensor) -> torch.Tensor:
        return self._share(self._value_kernel, (weights,), (places,))

    def _half(self, side: torch.Tensor) -> torch.Tensor:
        """Give where the half of a side begins among the weights, (B, 1)."""
        return (side * self._tables.states)[:, None]

    def _choose(
        self, contents: torch.Tensor, side: torch.Tensor, other: torch.Tensor
    ) -> tuple[Choice, torch.Tensor]:
        """Choose a move on every board; tell as well which of them win."""
        tokens, active, left = self._boards
        landing = board.landing(tokens)
        wins = board.square_mask(landing & board.winning(active, tokens))
        allowed = board.square_mask(landing)
        if self.recipe.exclude_losing:
            allowed = prefer(allowed, board.square_mask(board.non_losing(active, tokens)) | wins)
        after = self._share(
            self._afterstate_kernel, (self.online.detach(), self._tables.gains), (contents, other, side)
        )
        scores = score_moves(after, side, wins, left == 1)
        draws = torch.rand(len(side), 1 + COLUMNS, generator=self._generator, device=self.device)
        epsilon = self.recipe.epsilon_at(self.step)
        choice = choose_columns(scores, allowed, draws[:, 0], draws[:, 1:], epsilon, self.recipe.tie_noise)
        return choice, wins.gather(1, choice.column[:, None]).squeeze(1)

    def _gain(self, contents: torch.Tensor, side: torch.Tensor, column: torch.Tensor) -> torch.Tensor:
        content = contents.gather(1, column[:, None]).squeeze(1)
        return self._tables.gains.index_select(0, (side * COLUMNS + column) * CONTENTS + content)

    def _learn(self, newest: torch.Tensor, slot: int) -> None:
        """Learn the position in the oldest slot, the one after the newest."""
        oldest = (slot + 1) % len(self._ring.value)
        value, random, ended, result = (torch.cat([part[oldest:], part[:oldest]]) for part in self._ring[2:])
        goal = self._fold(value, ended, result, newest, self.recipe.trace)
        places = self._places[oldest]
        seen = self._values(self.online.detach(), places)
        learned = learned_mask(random[0], ended[0])
        slope, error = self._compare(seen, goal, learned)
        gradient = self.online.grad.zero_()
        spread(gradient, places, slope)
        clip_gradient(gradient, self.recipe.clip)
        self._adam.param_groups[0]["lr"] = self.recipe.learning_rate_at(self.step)
        self._adam.step()
        kept = torch.where(learned, seen, 0.0)
        self._count(squared_error=error, learned=learned, value=kept, value_squares=kept * kept)
        least, greatest = self._range
        self._range = torch.stack(
            [
                torch.minimum(least, torch.where(learned, seen, 1.0).amin()),
                torch.maximum(greatest, torch.where(learned, seen, -1.0).amax()),
            ]
        )

    def _count(self, **found: torch.Tensor | int) -> None:
        for name, what in found.items():
            self._sums[SUMS.index(name)] += what if isinstance(what, int) else what.sum(dtype=torch.float64)

    def state(self) -> dict[str, np.ndarray]:
        """Give everything a resumed run needs, by name: boards, ring, weights, moments, sums, the generator."""
        found = {name: tensor.detach().cpu().numpy().copy() for name, tensor in self._parts().items()}
        return {**found, "generator": self._generator.get_state().numpy().copy()}

    def restore(self, state: dict[str, np.ndarray], *, step: int) -> None:
        """Go on from a state that `state` gave, of a run of the same recipe.

        Raises
        ------
        ValueError
            An array is missing, or has another shape or type.
        """
        for name, array in self.state().items():
            found = state.get(name)
            if found is None:
                raise ValueError(f"state: {name} is missing")
            if found.shape != array.shape or found.dtype != array.dtype:
                raise ValueError(
                    f"state: {name} has shape {found.shape} and type {found.dtype},"
                    f" wanted are {array.shape} and {array.dtype}"
                )
        for name, tensor in self._parts().items():
            tensor.detach().copy_(torch.from_numpy(np.array(state[name])))
        self._generator.set_state(torch.from_numpy(np.array(state["generator"])))
        self._index = indices(self._tables, board.contents(*self._boards))
        for places, contents, side in zip(self._places, self._ring.contents, self._ring.side, strict=True):
            torch.add(indices(self._tables, contents), self._half(side), out=places)
        self.step = step

    def _parts(self) -> dict[str, torch.Tensor]:
        return {
            "online": self.online,
            "target": self.target,
            **{f"adam_{name}": tensor for name, tensor in self._moments.items()},
            **{f"board_{name}": tensor for name, tensor in self._boards._asdict().items()},
            **{f"ring_{name}": tensor for name, tensor in self._ring._asdict().items()},
            "sums": self._sums,
            "range": self._range,
        }
