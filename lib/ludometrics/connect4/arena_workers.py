"""Processes that play the arena's games side by side; they stay, with what their engines know, until closed."""

import contextlib
import ctypes
import multiprocessing
import sys
import traceback
from collections import deque
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection, wait
from types import TracebackType
from typing import Any, Self

from ludometrics.connect4.arena_games import GameRecord, Mover, Task, play_task
from ludometrics.connect4.opponents import Engines

MOST_WORKERS = 256


class Workers:
    """Processes that play games; to be used in a `with` block when more than one evaluation is played.

    An agent is sent to each process once an evaluation. Engines keep the scores they have found from one evaluation to
    the next; no game depends on it. A script that starts processes has to be guarded by `if __name__ == "__main__":`.

    Parameters
    ----------
    count : int
        Number of processes, up to 256; 0: the games are played in this process.

    Raises
    ------
    ValueError
        A count outside 0 to 256.

    Examples
    --------
    >>> with Workers(0) as workers:
    ...     workers.count
    0
    """

    def __init__(self, count: int = 0) -> None:
        if isinstance(count, bool) or not isinstance(count, int) or not 0 <= count <= MOST_WORKERS:
            raise ValueError(
                f"workers is {count!r}: a whole number from 0 (this process) to {MOST_WORKERS} is wanted"
            )
        self.count = count
        self._engines = Engines()
        self._processes: list[Any] = []
        self._ends: list[Connection] = []
        context = multiprocessing.get_context("spawn")
        for _ in range(count):
            ours, theirs = context.Pipe()
            process = context.Process(target=serve, args=(theirs,), daemon=True)
            process.start()
            theirs.close()
            self._processes.append(process)
            self._ends.append(ours)

    def play(self, agent: Any, tasks: Sequence[Task]) -> Iterator[tuple[int, list[GameRecord]]]:
        """Play tasks and give the number and the games of each as it is done; in any order.

        Parameters
        ----------
        agent : object
            As for `Mover`; it has to go through pickle where there are processes.
        tasks : sequence of Task
            What to play; handed out from both ends. Games with positions in common are best put next to each other.

        Raises
        ------
        ValueError
            An agent that cannot be asked.
        RuntimeError
            A process failed or ended: its own message is given. All processes are closed then.
        """
        mover = Mover(agent)
        if not self.count:
            mover.warm_up()
            for number, task in enumerate(tasks):
                yield number, play_task(mover, task, self._engines)
            return
        if not self._processes:
            raise RuntimeError("these workers are closed")
        try:
            yield from self._share_out(mover, tasks)
        except BaseException:
            self.close()  # a process may be in the middle of a task: its answer must not meet the next evaluation
            raise

    def _share_out(self, mover: Mover, tasks: Sequence[Task]) -> Iterator[tuple[int, list[GameRecord]]]:
        waiting = deque(enumerate(tasks))
        busy = {}
        for place, end in enumerate(self._ends[: len(tasks)]):
            # Half of the processes take from the front, half from the back: neighbours share positions.
            busy[end] = take = waiting.pop if place & 1 else waiting.popleft
            _send(end, mover)
            _send(end, take())
        while busy:
            for end in wait(list(busy)):
                number, games = _receive(end)
                if waiting:
                    _send(end, busy[end]())
                else:
                    del busy[end]
                yield number, games

    def close(self) -> None:
        """End the processes."""
        for end in self._ends:
            end.close()
        for process in self._processes:
            process.terminate()
            process.join()
        self._ends, self._processes = [], []

    def __enter__(self) -> Self:
        """Give the workers."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the processes."""
        self.close()


def _send(end: Connection, what: Any) -> None:
    try:
        end.send(what)
    except OSError as fault:
        raise RuntimeError("a worker of the arena ended before its work was done") from fault


def _receive(end: Connection) -> tuple[int, list[GameRecord]]:
    try:
        answer = end.recv()
    except (EOFError, OSError) as fault:
        raise RuntimeError("a worker of the arena ended before its work was done") from fault
    if isinstance(answer, str):
        raise RuntimeError(f"a worker of the arena failed:\n{answer}")
    return answer


def serve(end: Connection) -> None:
    """Play what is asked for until the other end closes: the life of a process."""
    keep_freed_memory()
    engines, mover = Engines(), None
    with contextlib.suppress(EOFError, OSError, KeyboardInterrupt):
        while True:
            try:
                message = end.recv()  # from the process that started this one
                if isinstance(message, Mover):
                    mover = message
                    mover.warm_up()
                    continue
                number, task = message
                answer: Any = (number, play_task(mover, task, engines))
            except (EOFError, OSError):
                raise  # the other end has closed
            except Exception:
                answer = traceback.format_exc()
            end.send(answer)


def keep_freed_memory() -> None:
    """Let this process keep the memory it frees, where the C library is glibc; elsewhere nothing changes.

    Clearing BitBully's transposition table allocates 100 MB anew. Fetched from the system page by page that takes some
    44 ms, more than most searches; from memory that the process kept, 5 to 7 ms.
    """
    mmap_max, trim_threshold = -4, -1  # M_MMAP_MAX and M_TRIM_THRESHOLD of mallopt(3)
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            adjust = ctypes.CDLL(None).mallopt
            adjust(mmap_max, 0)
            adjust(trim_threshold, 2**31 - 1)
