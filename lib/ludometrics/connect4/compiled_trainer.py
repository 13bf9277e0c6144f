"""Trainer B: the self-play recipe compiled for a CPU. Learns from nothing, on all cores, the same bits each time."""

import numpy as np

from ludometrics.connect4.bitboard import CELLS
from ludometrics.connect4.compiled_lookup import build_lookup
from ludometrics.connect4.compiled_play import Boards, PlayRule, Ring
from ludometrics.connect4.compiled_settings import CompiledSettings
from ludometrics.connect4.compiled_steps import TOTALS, LearnRule, Weights, run_steps
from ludometrics.connect4.patterns import draw_patterns
from ludometrics.connect4.realisable import index_patterns


class CompiledTrainer:
    """A run of the compiled trainer.

    Parameters
    ----------
    settings : CompiledSettings
        What is learned and how.
    seed : int
        Run's seed, 0 or more: same settings and seed, same bits, on one thread or many.

    Attributes
    ----------
    step : int
        Steps done; one move on every board each.
    weights : Weights
        Online, target and averaged weights, moments.

    Source
    ------
    The recipe of n-tuple networks learned by TD(lambda): Thill, Koch and Konen, PPSN XII (2012). Tree backup: Precup,
    Sutton and Singh, ICML (2000); here for players who err, as the opponents do that the agent is to meet.

    Examples
    --------
    >>> small = CompiledSettings(batch=8, pattern_count=4, pattern_length=3, horizon=2)
    >>> trainer = CompiledTrainer(small, seed=1)
    >>> sums = trainer.run(20)
    >>> trainer.step, trainer.moves
    (20, 160)
    """

    def __init__(self, settings: CompiledSettings, *, seed: int) -> None:
        if seed < 0:
            raise ValueError(f"seed is {seed}: allowed are whole numbers from 0")
        self.settings, self.seed, self.step = settings, seed, 0
        rng = np.random.default_rng(settings.pattern_seed)
        self.indexing = index_patterns(
            draw_patterns(settings.pattern_count, settings.pattern_length, rng=rng)
        )
        self._lookup = build_lookup(self.indexing)
        self._key = np.random.SeedSequence(seed).generate_state(1, np.uint64)[0]
        batch, slots, width = settings.batch, settings.horizon + 2, 2 * settings.pattern_count
        left = np.full(batch, CELLS, np.int64)
        self._boards = Boards(
            *(np.zeros(batch, np.int64) for _ in range(2)),
            left,
            np.zeros(batch, np.int64),
            np.zeros(batch, np.float32),
        )
        shape = (slots, batch)
        self._ring = Ring(
            np.zeros(shape, np.int32),
            np.zeros(slots, np.int64),
            np.zeros((*shape, width), np.uint16),
            *(np.zeros(shape, np.float32) for _ in range(4)),
            *(np.zeros(shape, np.bool_) for _ in range(3)),
        )
        self.weights = Weights(*(np.zeros(2 * self.indexing.states, np.float32) for _ in Weights._fields))

    @property
    def moves(self) -> int:
        """Moves played so far, on all boards."""
        return self.step * self.settings.batch

    def run(self, steps: int) -> dict[str, float]:
        """Play and learn for some steps.

        Returns
        -------
        dict
            What `TOTALS` of `compiled_steps` names, over these steps.
        """
        if steps < 1:
            raise ValueError(f"steps is {steps}: at least one")
        settings = self.settings
        numbers = self.step + np.arange(steps)
        play = PlayRule(
            settings.lookahead,
            settings.targets == "tree backup",
            settings.first_errors,
            settings.second_errors,
            settings.first_blur,
            settings.second_blur,
            settings.tau < 1,
            settings.opening_share,
            settings.opening_plies,
        )
        learn = LearnRule(
            settings.rates_at(numbers),
            settings.epsilons_at(numbers),
            settings.horizon,
            settings.trace,
            settings.first_loss == "cross entropy",
            settings.second_loss == "cross entropy",
            settings.beta1,
            settings.beta2,
            settings.adam_epsilon,
            settings.clip,
            settings.tau,
            settings.average_every,
            settings.average_span,
            settings.mirrored_updates,
        )
        sums = run_steps(
            self.step, self._key, play, learn, self._lookup, self._boards, self._ring, self.weights
        )
        self.step += steps
        return dict(zip(TOTALS, sums.tolist(), strict=True))

    @property
    def network_weights(self) -> np.ndarray:
        """Weights to be evaluated, (2, states) float32: averaged, else the target network's, else the online ones."""
        weights = self.weights.target if self.settings.tau < 1 else self.weights.online
        return (self.weights.average if self.settings.average_span > 0 else weights).reshape(2, -1)

    def state(self) -> dict[str, np.ndarray]:
        """Give everything a resumed run needs, by name: boards, ring, weights, the step."""
        parts = {"boards": self._boards, "ring": self._ring, "weights": self.weights}
        arrays = {
            f"{name}_{field}": array
            for name, part in parts.items()
            for field, array in part._asdict().items()
        }
        return {"step": np.int64(self.step), **arrays}

    def restore(self, state: dict[str, np.ndarray]) -> None:
        """Go on from a state that `state` gave, of a run with the same settings.

        Raises
        ------
        ValueError
            An array is missing or has another shape or type.
        """
        own = self.state()
        for name, array in own.items():
            found = state.get(name)
            if found is None or np.shape(found) != np.shape(array) or np.asarray(found).dtype != array.dtype:
                what = (
                    "is missing"
                    if found is None
                    else f"has shape {np.shape(found)} and type {np.asarray(found).dtype}"
                )
                raise ValueError(f"state: {name} {what}, wanted is {np.shape(array)} of {array.dtype}")
        for name, array in own.items():
            if name != "step":
                array[...] = state[name]
        self.step = int(state["step"])
