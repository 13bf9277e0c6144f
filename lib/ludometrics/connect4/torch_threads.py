"""Rows of a batch shared among threads: the same bits whatever their number.

Torch's own threads meet after every one of some two hundred small operations of a step, and the slower one is waited
for each time: on a machine with other work that costs more than a second core brings. Here a thread gets part of the
rows for a whole stretch of work, and torch computes each part on one thread.
"""

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

try:
    import torch
except ImportError as error:
    raise ImportError(
        'the trainer in torch needs torch: pip install "ludometrics[connect4]"', name=error.name
    ) from error

__all__ = ["RowThreads", "flush_denormals", "one_thread_each"]

FEWEST_ROWS = 256  # fewer are not worth handing over


@contextmanager
def one_thread_each() -> Iterator[None]:
    """Let torch compute every operation on the thread that asks for it; as before afterwards."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


@contextmanager
def flush_denormals() -> Iterator[None]:
    """Let this thread, and threads that it starts, take denormal numbers for zero; as before afterwards.

    Adam's moments decay into such numbers, which slow a CPU down several times. The setting is the processor's: left
    on, it would change what every other library computes in this process.
    """
    smallest = sys.float_info.min
    before = smallest / 2 == 0.0
    torch.set_flush_denormal(True)
    try:
        yield
    finally:
        torch.set_flush_denormal(before)


class RowThreads:
    """Threads that share the rows of a batch.

    Parameters
    ----------
    threads : int
        At most so many at a time, the caller's among them; at least 1.

    Examples
    --------
    >>> rows = torch.arange(600.0)
    >>> torch.equal(RowThreads(2)(torch.mul, (torch.tensor(2.0),), (rows,)), 2 * rows)
    True
    """

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self._pool = (
            ThreadPoolExecutor(threads - 1, initializer=torch.set_num_threads, initargs=(1,))
            if threads > 1
            else None
        )

    def __call__(
        self,
        function: Callable[..., torch.Tensor],
        whole: tuple[torch.Tensor, ...],
        rows: tuple[torch.Tensor, ...],
    ) -> torch.Tensor:
        """Give function(*whole, *rows), worked out in parts; a row's result must not depend on other rows.

        Parameters
        ----------
        function : callable
            Takes tensors, gives one with as many rows as `rows` have; no gradients flow.
        whole, rows : tuples of tensors
            What each part gets as it is, and what is cut into parts along the first dimension.
        """
        parts = min(self.threads, max(1, len(rows[0]) // FEWEST_ROWS))
        if parts == 1:
            return function(*whole, *rows)
        cut = zip(*(torch.tensor_split(part, parts) for part in rows), strict=True)
        first, *others = cut
        waiting = [self._pool.submit(_without_gradients, function, *whole, *other) for other in others]
        found = _without_gradients(function, *whole, *first)
        return torch.cat([found, *(future.result() for future in waiting)])


def _without_gradients(function: Callable[..., torch.Tensor], *tensors: torch.Tensor) -> torch.Tensor:
    with torch.no_grad():  # each thread has a setting of its own
        return function(*tensors)
