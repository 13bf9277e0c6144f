"""The published recipe: every setting of self-play learning in batches, and why it is so; and two variants."""

import math
from dataclasses import dataclass, fields, replace
from typing import Any

from ludometrics.connect4.patterns import PATTERN_COUNT, PATTERN_LENGTH, PATTERN_SEED
from ludometrics.connect4.settings import Settings

__all__ = ["VARIANTS", "Recipe", "decaying_exploration", "recipe", "slow_target"]

EVALUATED = ("online", "target")


@dataclass(frozen=True)
class Recipe(Settings):
    """How trainer A learns; the defaults are the published settings.

    Attributes
    ----------
    name : str
        What tables call it.
    batch : int
        Boards played side by side, one move on each a step. 50,000 fill a large GPU; on a CPU 1,000 to 10,000 learn
        faster by the minute, since what counts early is the number of steps.
    steps : int
        Steps of a run; a resumed run may be given more.
    epsilon, epsilon_final : float
        Share of moves drawn at random at the start, and from step `epsilon_steps` on: games must differ, and errors
        must be met to be learned from. Linear between.
    epsilon_steps : int
        Steps over which exploration changes; 0 where it does not.
    trace : float
        Lambda of the folded targets: weight of what came later, a move (0 to 1).
    horizon : int
        Times n a target is folded back; it rests on positions up to n + 1 moves ahead.
    learning_rate, learning_rate_final : float
        Adam's rate at step 0 and in the limit.
    learning_rate_decay : float
        What is left of their difference after each step (0 to 1): 0.99999^25,000 = 0.78, so it hardly falls in a run.
    beta1, beta2, adam_epsilon : float
        Adam's usual constants.
    clip : float
        Largest norm of the gradient; 0 for none.
    tau : float
        Share of the way that the target network goes to the online one after every step (above 0, to 1).
    tie_noise : float
        Size of the random numbers added to values when a move is chosen, so that equal ones are not always met in the
        same order: all are 0 at the start.
    exclude_losing : bool
        Whether moves that let the other side win at once are left out where another is left. Not published.
    evaluated : str
        "target" or "online": the network that is evaluated and saved. The target network is an average over the last
        dozen steps and swings less.
    log_every, evaluate_every, checkpoint_every : int
        Steps between rows of metrics, evaluations, and checkpoints.
    pattern_count, pattern_length, pattern_seed : int
        The patterns, drawn by `draw_patterns`; the same for all runs.

    Raises
    ------
    ValueError
        A value of the wrong type or outside its range: the setting is named.

    Source
    ------
    The published Connect-4 recipe (Thill 2026, techdays26).
    """

    name: str = "recipe"
    batch: int = 50_000
    steps: int = 25_000
    epsilon: float = 0.1
    epsilon_final: float = 0.1
    epsilon_steps: int = 0
    trace: float = 0.7
    horizon: int = 5
    learning_rate: float = 3e-4
    learning_rate_final: float = 1e-6
    learning_rate_decay: float = 0.99999
    beta1: float = 0.9
    beta2: float = 0.999
    adam_epsilon: float = 1e-8
    clip: float = 0.1
    tau: float = 0.15
    tie_noise: float = 1e-4
    exclude_losing: bool = False
    evaluated: str = "target"
    log_every: int = 100
    evaluate_every: int = 1000
    checkpoint_every: int = 1000
    pattern_count: int = PATTERN_COUNT
    pattern_length: int = PATTERN_LENGTH
    pattern_seed: int = PATTERN_SEED

    def __post_init__(self) -> None:
        """Refuse values of the wrong type or outside their range, naming the setting."""
        if not isinstance(self.name, str) or not self.name.strip():
            raise ValueError(f"name is {self.name!r}: a text that is not empty is wanted")
        self.check_choice("evaluated", EVALUATED)
        self.check_switch("exclude_losing")
        below_one = math.nextafter(1.0, 0.0)
        limits: dict[str, tuple[float, float]] = {
            **dict.fromkeys(("batch", "pattern_count"), (1, 1_000_000)),
            **dict.fromkeys(("steps", "log_every", "evaluate_every", "checkpoint_every"), (1, 10**9)),
            "epsilon_steps": (0, 10**9),
            "horizon": (0, 40),
            "pattern_length": (1, 12),
            "pattern_seed": (0, 2**63 - 1),
            **dict.fromkeys(("epsilon", "epsilon_final", "trace", "learning_rate_decay"), (0.0, 1.0)),
            **dict.fromkeys(("learning_rate", "learning_rate_final"), (0.0, 1.0)),
            **dict.fromkeys(("beta1", "beta2"), (0.0, below_one)),
            **dict.fromkeys(("adam_epsilon", "tau"), (1e-30, 1.0)),
            "clip": (0.0, 1e9),
            "tie_noise": (0.0, 1.0),
        }
        self.check_numbers(limits)

    def epsilon_at(self, step: int) -> float:
        """Give the share of random moves at a step, counted from 0.

        epsilon + (epsilon_final - epsilon) step / epsilon_steps, and epsilon_final from there on; without
        `epsilon_steps` always epsilon.

        Examples
        --------
        >>> round(decaying_exploration().epsilon_at(12_500), 10)
        0.11
        """
        if not self.epsilon_steps:
            return self.epsilon
        return self.epsilon + (self.epsilon_final - self.epsilon) * min(1.0, step / self.epsilon_steps)

    def learning_rate_at(self, step: int) -> float:
        """Give Adam's rate at a step, counted from 0: final + (first - final) decay^step.

        Examples
        --------
        >>> recipe().learning_rate_at(0), round(recipe().learning_rate_at(25_000), 6)
        (0.0003, 0.000234)
        """
        first, final = self.learning_rate, self.learning_rate_final
        return final + (first - final) * self.learning_rate_decay**step

    def with_changes(self, **changes: Any) -> "Recipe":
        """Give a copy with some settings changed; an unknown name is an error that lists the known ones."""
        known = [field.name for field in fields(self)]
        for name in changes:
            if name not in known:
                raise ValueError(f"no setting is called {name!r}: allowed are {', '.join(known)}")
        return replace(self, **changes)


def recipe(**changes: Any) -> Recipe:
    """Give the published recipe, with some settings changed.

    Examples
    --------
    >>> recipe(batch=2000).batch
    2000
    """
    return Recipe().with_changes(**changes)


def slow_target(**changes: Any) -> Recipe:
    """Give the variant whose target network follows at a third of the speed."""
    return Recipe(name="slow target", tau=0.05).with_changes(**changes)


def decaying_exploration(**changes: Any) -> Recipe:
    """Give the variant that explores much at first and little at the end, with longer targets.

    The share of random moves falls from 0.2 to 0.02 over 25,000 steps; lambda 0.75, n = 8.
    """
    variant = Recipe(
        name="decaying exploration",
        epsilon=0.2,
        epsilon_final=0.02,
        epsilon_steps=25_000,
        trace=0.75,
        horizon=8,
    )
    return variant.with_changes(**changes)


#: The published recipes by name.
VARIANTS = {made().name: made for made in (recipe, slow_target, decaying_exploration)}
