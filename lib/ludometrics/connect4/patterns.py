"""Which cells the value network looks at together: patterns drawn by random walks, known by their hash."""

import hashlib

import numpy as np

from ludometrics.connect4.bitboard import CELLS, COLUMNS, ROWS

PATTERN_SEED = 2012  # the set that the library's recipes use; any other seed is another set
PATTERN_COUNT = 200
PATTERN_LENGTH = 8


def draw_patterns(
    count: int = PATTERN_COUNT, length: int = PATTERN_LENGTH, *, rng: np.random.Generator
) -> np.ndarray:
    """Draw patterns: random walks over neighbouring cells until enough different cells were met.

    A walk starts on a random cell and goes to any of the up to eight neighbours. A set of cells that was drawn before,
    or is the reflection of one, is drawn again: each pattern is looked up on the reflected board as well.

    Parameters
    ----------
    count : int
        Number of patterns, at least 1.
    length : int
        Different cells of each, 1 to 12.
    rng : numpy.random.Generator
        Stream of random numbers.

    Returns
    -------
    (count, length) int8 array
        Cells as 6 column + row (0 to 41), ascending within a pattern.

    Raises
    ------
    ValueError
        A count or length outside its range, or more patterns asked for than are found.

    Source
    ------
    Thill, Koch and Konen, PPSN XII (2012): random-walk n-tuples for Connect-4.

    Examples
    --------
    >>> draw_patterns(2, 4, rng=np.random.default_rng(1)).shape
    (2, 4)
    """
    if count < 1:
        raise ValueError(f"count is {count}: at least one pattern is needed")
    if not 1 <= length <= 12:
        raise ValueError(f"length is {length}: a pattern has 1 to 12 cells")
    found: dict[tuple[int, ...], None] = {}
    for _ in range(1000 * count):
        cells = _walk(length, rng)
        if cells not in found and _reflected(cells) not in found:
            found[cells] = None
        if len(found) == count:
            return np.array(list(found), dtype=np.int8)
    raise ValueError(
        f"count is {count}: only {len(found)} different patterns of {length} cells were found in {1000 * count:,} walks"
    )


def _walk(length: int, rng: np.random.Generator) -> tuple[int, ...]:
    column, row = int(rng.integers(COLUMNS)), int(rng.integers(ROWS))
    cells = {ROWS * column + row}
    while len(cells) < length:
        right, up = rng.integers(-1, 2, size=2)
        if 0 <= column + right < COLUMNS and 0 <= row + up < ROWS:
            column, row = column + int(right), row + int(up)
            cells.add(ROWS * column + row)
    return tuple(sorted(cells))


def _reflected(cells: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted(ROWS * (COLUMNS - 1 - cell // ROWS) + cell % ROWS for cell in cells))


def standard_patterns() -> np.ndarray:
    """Give the 200 patterns of eight cells that the library's recipes use: always the same ones."""
    return draw_patterns(rng=np.random.default_rng(PATTERN_SEED))


def check_patterns(patterns: np.ndarray) -> np.ndarray:
    """Check patterns that came from outside and give them as int8.

    Raises
    ------
    ValueError
        Not two-dimensional, a cell outside 0 to 41, or a cell twice in a pattern: the row and the cell are named.
    """
    patterns = np.asarray(patterns)
    if patterns.ndim != 2 or not patterns.size or patterns.dtype.kind not in "iu":
        raise ValueError(
            f"patterns have shape {patterns.shape} and type {patterns.dtype}: whole numbers of shape (count, length)"
        )
    for number, cells in enumerate(patterns):
        for cell in cells:
            if not 0 <= cell < CELLS:
                raise ValueError(f"pattern {number}: cell {cell} is not on the board (0 to {CELLS - 1})")
        if len(set(cells.tolist())) < len(cells):
            raise ValueError(f"pattern {number}: {cells.tolist()} names a cell twice")
    return patterns.astype(np.int8)


def pattern_hash(patterns: np.ndarray) -> str:
    """Give 16 hexadecimal digits that stand for a set of patterns, their order and the order of their cells."""
    patterns = check_patterns(patterns)
    head = f"{patterns.shape[0]}x{patterns.shape[1]}:".encode()
    return hashlib.sha256(head + np.ascontiguousarray(patterns).tobytes()).hexdigest()[:16]
