"""Backgammon players whose skill is known: how noisily they see, and the leaks planted in them."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import date, timedelta
from itertools import combinations
from typing import NamedTuple

import numpy as np

# Fixed before any match was played. Temperatures and margins are normalised equity.
BASE_TEMPERATURE = 0.02  # of the players with a leak; 0.025 is the temperature of the difficulty measure
FIRST_DAY = date(2026, 1, 1)
DAYS_BETWEEN_ROUNDS = 7


@dataclass(frozen=True)
class Policy:
    """How a player decides; all in normalised equity.

    Parameters
    ----------
    temperature : float >= 0
        Scale of the Gumbel noise on each option: an option is picked with a chance proportional to
        exp(-cost / temperature); 0 picks what GNU Backgammon's 0-ply evaluation holds best.
    hurried_temperature : float >= 0
        The same for the half of his decisions that he takes quickly.
    doubles_late : float
        How much worse a double looks to him while the other may still take.
    doubles_early : float
        How much better a double looks to him.
    takes_too_much, passes_too_much : float
        How much better a take (a pass) looks to him than it is.
    avoids_blots : float
        Among plays that look at most this much worse than the best he makes the one with the fewest blots.
    """

    temperature: float
    hurried_temperature: float
    doubles_late: float = 0.0
    doubles_early: float = 0.0
    takes_too_much: float = 0.0
    passes_too_much: float = 0.0
    avoids_blots: float = 0.0


def steady(temperature: float, **leaks: float) -> Policy:
    """A player who errs as much in a hurry as at leisure."""
    return Policy(temperature, temperature, **leaks)


LADDER = {
    "engine": steady(0.0),
    "t010": steady(0.01),
    "t020": steady(BASE_TEMPERATURE),
    "t030": steady(0.03),
    "t050": steady(0.05),
    "t080": steady(0.08),
}
LEAKS = {
    "taker": steady(BASE_TEMPERATURE, takes_too_much=0.25),
    "passer": steady(BASE_TEMPERATURE, passes_too_much=0.25),
    "late": steady(BASE_TEMPERATURE, doubles_late=0.2),
    "early": steady(BASE_TEMPERATURE, doubles_early=0.15),
    "cautious": steady(BASE_TEMPERATURE, avoids_blots=0.05),
    "hasty": Policy(0.005, 0.05),
}
PLAYERS = LADDER | LEAKS


class MatchTask(NamedTuple):
    """One match to be played: who, how long, and the seeds that fix it."""

    name: str
    players: tuple[str, str]
    length: int
    seed: str
    dice_seed: int
    date: str
    plies: int | None  # of the analysis; None: the result alone

    def as_task(self, folder: str) -> dict:
        """The task as GNU Backgammon's script reads it."""
        return {
            "folder": folder,
            "length": self.length,
            "seed": self.seed,
            "dice_seed": self.dice_seed,
            "names": list(self.players),
            "policies": [asdict(PLAYERS[player]) for player in self.players],
            "date": self.date,
            "plies": self.plies,
        }


def _tasks(
    label: str, seats: list[tuple[str, str, int, int]], seed: int, plies: int | None
) -> list[MatchTask]:
    """Tasks for (player, player, length, round); every match has a stream of its own."""
    sequences = np.random.SeedSequence([seed, *label.encode()]).spawn(len(seats))
    tasks = []
    for number, ((first, second, length, round_), sequence) in enumerate(
        zip(seats, sequences, strict=True), start=1
    ):
        own, dice = (int(word) for word in sequence.generate_state(2))
        day = FIRST_DAY + timedelta(days=DAYS_BETWEEN_ROUNDS * round_)
        tasks.append(
            MatchTask(f"{label}{number:04d}", (first, second), length, str(own), dice, day.isoformat(), plies)
        )
    return tasks


def round_robin(rounds: int, *, seed: int, length: int = 7, plies: int | None = 2) -> list[MatchTask]:
    """Every pair of PLAYERS once a round, seats changing from round to round, in a random order within the round."""
    rng = np.random.default_rng([seed, 1])
    pairs = list(combinations(PLAYERS, 2))
    seats = []
    for round_ in range(rounds):
        for index in rng.permutation(len(pairs)):
            first, second = pairs[index] if round_ % 2 == 0 else pairs[index][::-1]
            seats.append((first, second, length, round_))
    return _tasks("m", seats, seed, plies)


def lengths(counts: dict[int, int], player: str, *, seed: int, plies: int | None = 2) -> list[MatchTask]:
    """One player against himself at several match lengths: {length: matches}, the lengths mixed."""
    rng = np.random.default_rng([seed, 2])
    drawn = rng.permutation(np.repeat(list(counts), list(counts.values())))
    seats = [(player, player, int(length), number) for number, length in enumerate(drawn)]
    return _tasks("l", seats, seed, plies)


def against_engine(matches: int, *, seed: int, length: int = 7) -> list[MatchTask]:
    """Every player but the engine ``matches`` times against it, for the result alone; seats change each time."""
    seats = []
    for number in range(matches):
        for player in PLAYERS:
            if player != "engine":
                pair = (player, "engine") if number % 2 == 0 else ("engine", player)
                seats.append((*pair, length, number))
    return _tasks("e", seats, seed, None)
