"""Libraries with everything that a file of decisions must hold, made by chance from a seed, for tests."""

import numpy as np

from ludometrics.backgammon.boards import START, flip
from ludometrics.backgammon.building import Option, RecordBuilder
from ludometrics.backgammon.moves import legal_boards
from ludometrics.backgammon.records import UNKNOWN, Library, Match, Opinion

#: Texts that a CSV must quote or that are not ASCII.
NAMES = ('Ann "the rock"', "Bo, jr", "Zoë\nNewline", " spaced ", "=1+1", "")


def record_world(seed: int, *, matches: int = 3, turns: int = 30) -> Library:
    """Random plays with random equities; the second match is money, the last one has no decisions."""
    rng = np.random.default_rng(seed)
    builder = RecordBuilder()
    for number in range(matches):
        length = 0 if number == 1 else 5
        players = (NAMES[number % len(NAMES)], NAMES[(number + 1) % len(NAMES)])
        date = f"2026-03-{number + 1:02}" if number else ""
        builder.match(
            Match(f"key {number}", length, players, date, round=NAMES[number % len(NAMES)], source="a/b.txt")
        )
        if number < matches - 1:
            for game in (1, 2):
                builder.game(game, (4, 1) if game == 2 and length else (0, 0), crawford=game == 2)
                _play(builder, rng, turns)
            builder.end_match((5, 1) if length else None)
    return builder.library()


def _play(builder: RecordBuilder, rng: np.random.Generator, turns: int) -> None:
    board, seat, cube = START.copy(), int(rng.integers(2)), 1
    for move in range(1, turns + 1):
        if rng.random() < 0.4:
            played = int(rng.integers(-1, 2))
            equities = None if rng.random() < 0.1 else _equities(rng)
            shared = {"equities": equities, "cube": cube, "move": move, "depth": int(rng.integers(-1, 4))}
            opinion = Opinion(int(rng.integers(-1, 3)))
            builder.double(seat=seat, board=board, played=played, cube_owner=0, opinion=opinion, **shared)
            if played == 1:
                builder.response(
                    seat=1 - seat, board=flip(board), played=int(rng.integers(-1, 2)), cube_owner=0, **shared
                )
        dice = (int(rng.integers(1, 7)), int(rng.integers(1, 7)))
        legal = legal_boards(board, dice)
        chosen = rng.permutation(len(legal))[: int(rng.integers(1, 8))]
        options = [_option(rng, legal[row]) for row in chosen]
        played = int(rng.integers(len(options))) if options and rng.random() < 0.9 else UNKNOWN
        builder.checker(
            seat=seat,
            move=move,
            board=board,
            dice=dice,
            played=played,
            options=options,
            cube=cube,
            cube_owner=0,
            legal_plays=len(legal) if rng.random() < 0.9 else None,
            luck=float(np.round(rng.normal(), 3)) if rng.random() < 0.8 else None,
            duration_ms=int(rng.integers(100_000)) if rng.random() < 0.5 else None,
            line=int(rng.integers(3)),
        )
        after = options[played].board if played != UNKNOWN else board
        board, seat = flip(np.asarray(after)), 1 - seat
        if not (board > 0).any() or not (board < 0).any():
            return


def _equities(rng: np.random.Generator) -> tuple[float, float, float]:
    values = np.round(rng.normal(size=3), int(rng.integers(2, 5)))
    values[2] = rng.choice([1.0, np.nan])
    return tuple(values.tolist())


def _option(rng: np.random.Generator, board: np.ndarray) -> Option:
    equity = float(np.round(rng.normal(), 4)) if rng.random() < 0.9 else np.nan
    shares = np.round(rng.random(5), 3).astype(np.float32) if rng.random() < 0.6 else None
    return Option(tuple(board.tolist()), equity, shares, int(rng.integers(-1, 3)))


def noisy(library: Library, seed: int) -> Library:
    """The same with equities that no short decimal number gives."""
    rng = np.random.default_rng(seed)
    for values in (library.decisions.equities, library.decisions.luck, library.decisions.options.equity):
        values += rng.normal(size=values.shape) * 1e-3
    library.decisions.options.shares[:] *= np.float32(0.987654321)
    return library
