"""Random logs for the tests of rating systems."""

import numpy as np


def random_log(seed, n=300, m=6):
    """Pairs, outcomes and days of games between m players."""
    rng = np.random.default_rng(seed)
    first = rng.integers(m, size=n)
    second = (first + rng.integers(1, m, size=n)) % m
    days = np.sort(rng.integers(0, 200, n)).astype(float)
    return np.stack([first, second], axis=1), rng.choice([0, 0.5, 1], size=n), days


def random_seats(seed, plays=40, m=9):
    """Play, player and rank of each seat: tables of two to six, ties included."""
    rng = np.random.default_rng(seed)
    rows = []
    for play in range(plays):
        size = int(rng.integers(2, 7))
        rows += [
            (play, int(player), int(rng.integers(1, size + 1)))
            for player in rng.choice(m, size, replace=False)
        ]
    return [list(column) for column in zip(*rows, strict=True)]
