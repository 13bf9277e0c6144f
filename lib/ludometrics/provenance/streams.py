"""Random streams: one seed sequence a study, one child a replication."""

from collections.abc import Iterator
from hashlib import sha256

import numpy as np


def replication_streams(seed: int, first: int, count: int) -> Iterator[tuple[int, np.random.Generator]]:
    """Give each replication its own generator, the same one in whatever block or order it is run.

    Replication ``i`` draws from the ``i``-th child of ``SeedSequence(seed)``; a grid that is cut into blocks,
    run in parallel or resumed therefore gives the same numbers as one serial run.

    Parameters
    ----------
    seed : int
        Seed of the study, at least 0.
    first : int
        Number of the first replication, at least 0.
    count : int
        How many replications, at least 1.

    Yields
    ------
    (int, numpy.random.Generator)
        Number of the replication and its generator.

    Raises
    ------
    ValueError
        A negative seed or first replication, or a count below 1.

    Examples
    --------
    >>> [number for number, _ in replication_streams(7, first=2, count=2)]
    [2, 3]
    >>> (_, alone), = replication_streams(7, first=3, count=1)
    >>> *_, (_, last) = replication_streams(7, first=0, count=4)
    >>> bool(alone.random() == last.random())
    True

    Source
    ------
    Own; the children are those of ``numpy.random.SeedSequence.spawn``.
    """
    for name, value, low in (("seed", seed, 0), ("first", first, 0), ("count", count, 1)):
        _check_whole(name, value, low)
    # Checked now and not at the first draw: a generator function would keep its errors until then.
    return _streams(int(seed), int(first), int(count))


def _streams(seed: int, first: int, count: int) -> Iterator[tuple[int, np.random.Generator]]:
    for number in range(first, first + count):
        child = np.random.SeedSequence(seed, spawn_key=(number,))
        yield number, np.random.default_rng(child)


def named_stream(seed: int, name: str) -> np.random.Generator:
    """Give a part of a study that is no replication (a truth table, a bootstrap) a generator of its own.

    Parameters
    ----------
    seed : int
        Seed of the study, at least 0.
    name : str
        Name of the part; another name gives an independent stream.

    Returns
    -------
    numpy.random.Generator

    Raises
    ------
    ValueError
        A seed that is no whole number of at least 0. (None would give another stream on every run.)

    Examples
    --------
    >>> bool(named_stream(1, "truth").random() == named_stream(1, "truth").random())
    True

    Source
    ------
    Own. The name enters through its SHA-256, with a mark that no replication number can equal.
    """
    _check_whole("seed", seed, 0)
    words = np.frombuffer(sha256(name.encode("utf-8")).digest(), dtype="<u4")
    return np.random.default_rng(np.random.SeedSequence(int(seed), spawn_key=(2**32 - 1, *map(int, words))))


def _check_whole(name: str, value: int, low: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < low:
        raise ValueError(f"{name} is {value!r}: it must be a whole number of at least {low}")
