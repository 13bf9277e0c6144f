"""Settings of the compiled trainer, each with its unit and the reason for its default."""

from dataclasses import dataclass, fields, replace

import numpy as np

from ludometrics.connect4.patterns import PATTERN_COUNT, PATTERN_LENGTH, PATTERN_SEED
from ludometrics.connect4.settings import Settings

TARGETS = ("tree backup", "published")
LOSSES = ("cross entropy", "squared error")


@dataclass(frozen=True)
class CompiledSettings(Settings):
    """How the compiled trainer learns. The defaults are those of the library's best recipe on two CPU cores.

    Attributes
    ----------
    batch : int
        Boards played side by side, one move each a step. Larger batches give steadier steps, smaller ones more steps.
    epsilon, epsilon_final : float
        Share of moves drawn at random, at the start and after `epsilon_steps` steps (linear between).
    epsilon_steps : int
        Steps over which exploration moves from its first to its last value.
    trace : float
        Lambda of the folded targets, a move (0 to 1).
    horizon : int
        Moves over which a target is folded before it rests on the network's own value (0 to 40).
    targets : str
        "tree backup": for every move that might have been played instead stands its value, times its probability for
        players who err as often as `first_errors` and `second_errors` say; no slip of the game itself is put down to
        luck. "published": errors of both sides within the horizon are folded in as they came.
    first_errors, second_errors : float
        How often the first and the second player err in the games that tree backup's values foretell (0 to 1). The
        first one's errors tell the second, who stands to lose, where errors are likely; errors of the second would
        tempt the first to play for them.
    first_blur, second_blur : float
        Each player chooses by values to which up to so much is added at random (0 to 2): moves that look nearly alike
        are all tried, also where the better one is not seen yet. Only tree backup can learn from such play.
    first_loss, second_loss : str
        What steps make smaller, for the values by which the first and the second player choose: the "squared error" of
        the value, or the "cross entropy" of (1 + value) / 2 as the probability of a win for Yellow, which tells a
        position that is nearly lost from one that is a little less so.
    lookahead : bool
        Whether play stops where the next tokens settle the game, and moves that lose at once are left out; tree backup
        needs it.
    learning_rate, learning_rate_final : float
        Adam's rate at the start and in the limit.
    learning_rate_decay : float
        What is left of the difference after one step (0 to 1).
    beta1, beta2, adam_epsilon : float
        Adam's usual constants.
    clip : float
        Largest norm of the gradient; 0 for none.
    tau : float
        Share of the way that the target network moves towards the online one after a step (0 to 1). 1: there is none,
        targets rest on the value that a position was given when it was chosen, which saves an eighth of the time.
    average_every : int
        Steps between two steps of the averaged network, which is the one that is evaluated.
    average_span : float
        How far the average looks back, as a share of all steps so far (0 to 1; 0 for no averaging): it moves the
        fraction `average_every` / (span x steps) of the way towards the network each time, early on all of it.
    mirrored_updates : bool
        Whether a position's error moves the weights that its mirror image shows as well; values add up both anyway.
    opening_share : float
        Share of games that begin with random plies (0 to 1).
    opening_plies : int
        At most so many random plies, at least one.
    pattern_count, pattern_length, pattern_seed : int
        The patterns, drawn by `draw_patterns`.
    """

    batch: int = 5000
    epsilon: float = 0.1
    epsilon_final: float = 0.1
    epsilon_steps: int = 0
    trace: float = 0.8
    horizon: int = 8
    targets: str = "tree backup"
    first_errors: float = 0.1
    second_errors: float = 0.0
    first_blur: float = 0.1
    second_blur: float = 0.2
    first_loss: str = "squared error"
    second_loss: str = "cross entropy"
    lookahead: bool = True
    learning_rate: float = 3e-4
    learning_rate_final: float = 1e-6
    learning_rate_decay: float = 0.99999
    beta1: float = 0.9
    beta2: float = 0.999
    adam_epsilon: float = 1e-8
    clip: float = 0.0
    tau: float = 1.0
    average_every: int = 10
    average_span: float = 0.1
    mirrored_updates: bool = True
    opening_share: float = 0.0
    opening_plies: int = 8
    pattern_count: int = PATTERN_COUNT
    pattern_length: int = PATTERN_LENGTH
    pattern_seed: int = PATTERN_SEED

    def __post_init__(self) -> None:
        """Refuse values outside their range, naming the setting."""
        self.check_choice("targets", TARGETS)
        self.check_choice("first_loss", LOSSES)
        self.check_choice("second_loss", LOSSES)
        self.check_switch("lookahead")
        self.check_switch("mirrored_updates")
        if self.targets == "tree backup" and not self.lookahead:
            raise ValueError("lookahead is False: targets of kind 'tree backup' need it to be True")
        for name in ("first_blur", "second_blur"):
            if self.targets != "tree backup" and getattr(self, name):
                raise ValueError(
                    f"{name} is {getattr(self, name)}: targets of kind {self.targets!r} need it to be 0"
                )
        limits = {
            **dict.fromkeys(("batch", "average_every", "opening_plies", "pattern_count"), (1, 1_000_000)),
            "pattern_length": (1, 12),
            "pattern_seed": (0, 2**63 - 1),
            "epsilon_steps": (0, 10**12),
            "horizon": (0, 40),
            **dict.fromkeys(
                (
                    "epsilon",
                    "epsilon_final",
                    "first_errors",
                    "second_errors",
                    "trace",
                    "learning_rate_decay",
                    "tau",
                    "average_span",
                ),
                (0.0, 1.0),
            ),
            **dict.fromkeys(("first_blur", "second_blur"), (0.0, 2.0)),
            **dict.fromkeys(("opening_share", "learning_rate", "learning_rate_final"), (0.0, 1.0)),
            **dict.fromkeys(("beta1", "beta2"), (0.0, np.nextafter(1.0, 0.0))),
            "adam_epsilon": (1e-30, 1.0),
            "clip": (0.0, 1e9),
        }
        self.check_numbers(limits)

    def rates_at(self, steps: np.ndarray) -> np.ndarray:
        """Give Adam's learning rate at these steps, counted from 0: final + (first - final) decay^step."""
        return self.learning_rate_final + (self.learning_rate - self.learning_rate_final) * (
            self.learning_rate_decay ** np.asarray(steps, dtype=float)
        )

    def epsilons_at(self, steps: np.ndarray) -> np.ndarray:
        """Give the share of random moves at these steps, counted from 0: linear, then constant."""
        done = np.minimum(1.0, np.asarray(steps, dtype=float) / max(1, self.epsilon_steps))
        return self.epsilon + (self.epsilon_final - self.epsilon) * done

    def with_changes(self, **changes: object) -> "CompiledSettings":
        """Give a copy with some settings changed; an unknown name is an error that lists the known ones."""
        known = sorted(field.name for field in fields(self))
        for name in changes:
            if name not in known:
                raise ValueError(f"no setting is called {name!r}: allowed are {', '.join(known)}")
        return replace(self, **changes)
