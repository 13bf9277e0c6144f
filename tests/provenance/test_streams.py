"""Random streams do not depend on how a grid is cut, and nothing touches the global generators."""

import concurrent.futures
import multiprocessing
import random
import subprocess
import sys

import numpy as np
import pytest

from ludometrics.provenance import named_stream, replication_streams


def draws(seed, first, count):
    return {number: rng.integers(2**62) for number, rng in replication_streams(seed, first, count)}


def test_blocks_give_what_one_run_gives():
    whole = draws(7, 0, 10)
    assert draws(7, 0, 4) | draws(7, 4, 6) == whole
    assert draws(7, 9, 1)[9] == whole[9]


def test_streams_are_those_of_spawn():
    children = np.random.SeedSequence(7).spawn(3)
    assert [np.random.default_rng(child).integers(2**62) for child in children] == list(
        draws(7, 0, 3).values()
    )


def test_streams_differ_between_replications_seeds_and_names():
    values = [*draws(1, 0, 50).values(), *draws(2, 0, 50).values()]
    values += [
        named_stream(seed, name).integers(2**62) for seed in (1, 2) for name in ("truth", "ratings", "")
    ]
    assert len(set(values)) == len(values)


@pytest.mark.parametrize(
    "arguments", [(-1, 0, 1), (0, -1, 1), (0, 0, 0), (0.5, 0, 1), (True, 0, 1), ("1", 0, 1)], ids=str
)
def test_bad_numbers_are_refused_at_once(arguments):
    with pytest.raises(ValueError, match="must be a whole number"):
        replication_streams(*arguments)


def test_the_global_generators_stay_untouched():
    state, numpy_state = random.getstate(), np.random.get_state()[1].copy()
    draws(3, 0, 5)
    named_stream(3, "x").normal(size=5)
    assert random.getstate() == state
    assert np.array_equal(np.random.get_state()[1], numpy_state)


def test_importing_the_library_touches_no_global_generator():
    code = (
        "import random, pkgutil, numpy as np; random.seed(1); np.random.seed(1);"
        "a, b = random.getstate(), np.random.get_state()[1].copy();"
        "import ludometrics;"
        "[__import__(m.name) for m in pkgutil.walk_packages(ludometrics.__path__, 'ludometrics.')"
        " if not m.name.endswith('__main__')];"
        "assert a == random.getstate() and (b == np.random.get_state()[1]).all()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def simulate(block):
    """A block of replications, in a process of its own."""
    first, count = block
    return [
        (number, float(rng.normal(size=3).sum())) for number, rng in replication_streams(11, first, count)
    ]


def test_serial_parallel_and_resumed_runs_agree():
    serial = simulate((0, 12))
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("fork")) as pool:
        parallel = [item for block in pool.map(simulate, [(8, 4), (0, 4), (4, 4)]) for item in block]
    assert sorted(parallel) == serial
    assert simulate((0, 5)) + simulate((5, 7)) == serial


def test_a_named_stream_does_not_depend_on_the_replications():
    before = named_stream(7, "truth").integers(2**62)
    draws(7, 0, 20)
    assert named_stream(7, "truth").integers(2**62) == before
    assert before not in draws(7, 0, 500).values()


def test_streams_look_independent():
    """Neighbouring streams are not correlated: 400 values each, five standard errors."""
    values = np.array([rng.normal(size=400) for _, rng in replication_streams(3, 0, 20)])
    others = np.corrcoef(values)[~np.eye(20, dtype=bool)]
    assert np.abs(others).max() < 5 / np.sqrt(400)


@pytest.mark.parametrize("seed", [None, -1, 0.5, True, "1"], ids=str)
def test_a_named_stream_needs_a_seed(seed):
    with pytest.raises(ValueError, match=r"seed is .* must be a whole number"):
        named_stream(seed, "truth")


def test_numpy_whole_numbers_will_do():
    assert draws(np.int64(7), np.int32(0), np.int64(2)) == draws(7, 0, 2)
    assert named_stream(np.int64(7), "x").integers(2**62) == named_stream(7, "x").integers(2**62)


def test_values_are_what_they_were():
    """Recorded once: a change here would change every published number."""
    assert list(draws(2026, 0, 2).values()) == [1764851551362497193, 3094961580780952477]
    assert named_stream(2026, "truth").integers(2**62) == 786845067146207602
