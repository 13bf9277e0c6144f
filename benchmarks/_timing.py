"""What the benchmarks share: how a time is taken, and a line of a table."""

import statistics
import time
from collections.abc import Callable

REPEATS = 5
COLUMNS = ["case", "ours", "reference", "ratio", "bar", "unit"]


def seconds(work: Callable[[], object], repeats: int = REPEATS) -> float:
    """Median CPU seconds after one run that is not counted."""
    work()
    times = []
    for _ in range(repeats):
        began = time.process_time()
        work()
        times.append(time.process_time() - began)
    return statistics.median(times)


def row(case: str, ours: float, other: float, bar: float, unit: str, *, less_is_better: bool = False) -> dict:
    """One line of the table: ratio says how many times better ours is than the other."""
    ratio = other / ours if less_is_better else ours / other
    return {"case": case, "ours": ours, "reference": other, "ratio": ratio, "bar": bar, "unit": unit}
