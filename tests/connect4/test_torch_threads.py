"""Rows shared among threads."""

import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

torch = pytest.importorskip("torch")

from ludometrics.connect4.recipe import Recipe  # noqa: E402
from ludometrics.connect4.torch_threads import (  # noqa: E402
    FEWEST_ROWS,
    RowThreads,
    flush_denormals,
    one_thread_each,
)
from ludometrics.connect4.torch_trainer import TorchTrainer  # noqa: E402


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("rows", [1, FEWEST_ROWS, 2 * FEWEST_ROWS - 1, 2 * FEWEST_ROWS, 1001])
def test_rows_come_back_in_order(threads, rows):
    seen = []

    def work(factor, first, second):
        seen.append((threading.get_ident(), len(first), torch.is_grad_enabled() or torch.get_num_threads()))
        return factor * first + second[:, 0]

    first, second = torch.arange(float(rows)), torch.arange(2.0 * rows).view(-1, 2)
    with torch.no_grad(), one_thread_each():
        found = RowThreads(threads)(work, (torch.tensor(3.0),), (first, second))
    assert torch.equal(found, 5 * first)
    parts = min(threads, max(1, rows // FEWEST_ROWS))
    assert len(seen) == parts and sum(length for _, length, _ in seen) == rows
    assert {state for _, _, state in seen} == {1}  # no gradients, and one thread each
    assert (threading.get_ident() in [who for who, _, _ in seen]) and (parts == 1 or len(set(seen)) > 1)


def test_what_goes_wrong_in_a_thread_is_told():
    def work(rows):
        raise KeyError("broken")

    with pytest.raises(KeyError, match="broken"):
        RowThreads(2)(work, (), (torch.zeros(2 * FEWEST_ROWS),))


def test_the_number_of_threads_is_put_back():
    before = torch.get_num_threads()
    with pytest.raises(KeyError), one_thread_each():
        assert torch.get_num_threads() == 1
        raise KeyError
    assert torch.get_num_threads() == before


def test_the_processor_is_left_as_it_was():
    smallest = sys.float_info.min
    assert smallest / 2 > 0, "something before this test left denormal numbers flushed"
    with flush_denormals():
        assert smallest / 2 == 0
        with flush_denormals():
            assert smallest / 2 == 0
        assert smallest / 2 == 0, "what was on before stays on"
        with ThreadPoolExecutor(1) as pool:
            assert pool.submit(lambda: smallest / 2).result() == 0, "threads started meanwhile do the same"
    assert smallest / 2 > 0
    trainer = TorchTrainer(Recipe(batch=4, pattern_count=2, pattern_length=2), seed=1)
    trainer.run(8)
    assert smallest / 2 > 0
