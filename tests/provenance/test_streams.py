"""Random streams do not depend on how a grid is cut, and nothing touches the global generators."""

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
