"""A small pool of made matches between players of known skill, for the tests of the study."""

import numpy as np

from ludometrics.backgammon.records import Kind, Library
from ludometrics.simulation.backgammon_pool import Pool, judged_pool
from made_matches import add_checker, add_cube, add_match, new_match

#: Mean error in thousandths that each made player has.
ERRORS = {"engine": 5, "t020": 40, "t050": 120}
#: Players whose cube leaks are made, and their small errors besides.
LEAKY = {"engine": 5, "taker": 5, "late": 5}


def made_library(matches: int, *, rng: np.random.Generator, length: int = 7, leak: bool = False) -> Library:
    """Matches of all pairs of ERRORS, each with three games, checker plays, doubles and answers by chance."""
    sizes = LEAKY if leak else ERRORS
    names = list(sizes)
    builder = None
    for number in range(matches):
        first, second = names[number % 3], names[(number + 1) % 3]
        facts = {"players": (first, second), "date": f"2026-01-{1 + number % 28:02d}"}
        if builder is None:
            builder = new_match(length, f"m{number}", **facts)
        else:
            add_match(builder, length, f"m{number}", **facts)
        for game in range(1, 4):
            builder.game(game, (0, 0))
            for move in range(12):
                seat = move % 2
                size = sizes[(first, second)[seat]]
                cost = float(rng.exponential(size)) / 1000
                equities = [0.0, -cost, -0.4]
                luck = float(rng.normal(0, 0.1))
                duration = int(rng.integers(1000, 20000))
                add_checker(
                    builder, equities, played=1, seat=seat, move=move, luck=luck, duration_ms=duration
                )
            if leak:
                _add_leaks(builder, (first, second))
                continue
            wrong = bool(rng.random() < size / 200)
            add_cube(builder, (0.3, 0.5, 1.0), played=int(not wrong), seat=seat, move=20)
            add_cube(builder, (0.3, 0.5, 1.0), Kind.RESPONSE, played=int(not wrong), seat=1 - seat, move=21)
        builder.end_match((7, 3) if rng.random() < 0.5 else (2, 7))
    return builder.library()


def _add_leaks(builder, players: tuple[str, str]) -> None:
    """A double not made by "late" and made by others, and a pass that "taker" takes, of each seat."""
    for seat, name in enumerate(players):
        add_cube(builder, (0.5, 0.75, 1.0), played=int(name != "late"), seat=seat, move=20)
        add_cube(builder, (0.8, 1.25, 1.0), Kind.RESPONSE, played=int(name == "taker"), seat=seat, move=21)


def made_pool(matches: int = 18, *, seed: int = 5, length: int = 7, leak: bool = False) -> Pool:
    """The made library judged."""
    return judged_pool(made_library(matches, rng=np.random.default_rng(seed), length=length, leak=leak))
