"""A small library put together for the tests of the report: legal plays, planted errors, awkward names."""

import numpy as np

from ludometrics.backgammon.boards import START
from ludometrics.backgammon.building import Option, RecordBuilder
from ludometrics.backgammon.moves import legal_boards
from ludometrics.backgammon.records import Kind, Library, Match, Problem

HOSTILE = '<script>window.broken = 1</script> & "Bob"'
OPPONENTS = (HOSTILE, "Cy", "=1+1")
HOLDING = (0, -2, 0, 0, 2, 0, 4, 0, 3, 0, 0, 0, -5, 3, 0, 0, 0, -3, 0, -4, 2, 0, 0, -1, 1, 0)
RACE = (0, 2, 2, 3, 3, 2, 2, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -3, -4, -2, -2, -2, -2, 0)
BOARDS = (tuple(START.tolist()), HOLDING, RACE)


def sample_library(matches: int = 7, *, seed: int = 3, dated: bool = True) -> Library:
    """Matches of Ada (alias ADA2 in some) to 7, 1 and 0 points against three others, with luck and times."""
    rng, builder = np.random.default_rng(seed), RecordBuilder()
    for number in range(matches):
        length = (7, 7, 5, 1, 7, 7, 0)[number % 7]
        ada = "Ada" if number % 3 else "ADA2"
        other = OPPONENTS[number % 3]
        match = Match(
            key=f"match {number}",
            length=length,
            players=(ada, other) if number % 2 else (other, ada),
            date=f"202{4 + number // 12}-{1 + number % 12:02d}-14" if dated and number else "",
            tournament=("Winter & <b>Open</b>" if number < 8 else "Summer") if number % 4 == 3 else "",
            round=str(number) if number % 4 == 3 else "",
            source=f"folder/match{number}.txt",
            engine="GNU Backgammon 1.07, 2-ply",
            met="kazaross-xg2",
        )
        builder.match(match)
        points = [0, 0]
        for game in range(1, 2 if length == 1 else 4):
            builder.game(game, tuple(points))
            _play_game(builder, rng)
            points[game % 2] += 1 + (game == 3)
        builder.end_match((length, 0) if length and number % 5 != 4 else tuple(points))
    builder.problems.append(Problem("folder/broken.xg", "record 3", "cut short <i>here</i>"))
    return builder.library()


def _play_game(builder: RecordBuilder, rng: np.random.Generator) -> None:
    for move in range(1, 13):
        board = BOARDS[move % 3]
        seat = move % 2
        cube = {"cube": 1, "cube_owner": 0}
        if move % 4 == 0:
            _offer(builder, rng, seat, move, board, cube)
        dice = tuple(int(die) for die in rng.integers(1, 7, 2))
        boards = legal_boards(board, dice)[:7]
        worse = np.cumsum(rng.choice([0.004, 0.03, 0.09], len(boards)))
        options = [
            Option(after, 0.2 - cost, (0.5 - cost / 3, 0.2 - cost / 5, 0.01, 0.1, 0.01), 2)
            for after, cost in zip(boards.tolist(), worse.tolist(), strict=True)
        ]
        played = int(min(rng.integers(0, 5) * rng.integers(0, 2), len(options) - 1))
        builder.checker(
            seat=seat,
            move=move,
            board=board,
            dice=dice,
            played=played,
            options=options,
            legal_plays=len(legal_boards(board, dice)),
            luck=float(rng.normal(0, 0.1)),
            duration_ms=int(rng.integers(500, 20_000)),
            line=move,
            **cube,
        )


def _offer(builder: RecordBuilder, rng, seat: int, move: int, board, cube: dict) -> None:
    """A double and its answer; he takes what he should pass now and then."""
    equities = (0.55, float(rng.choice([0.8, 1.2, 0.5])), 1.0)
    common = {"move": move, "board": board, "equities": equities, "depth": 2, **cube}
    builder.cube_decision(Kind.DOUBLE, seat=seat, played=int(rng.integers(0, 2)), duration_ms=4000, **common)
    turned = [-count for count in reversed(board)]
    common |= {"board": turned}
    builder.cube_decision(Kind.RESPONSE, seat=1 - seat, played=int(rng.integers(0, 2)), **common)
