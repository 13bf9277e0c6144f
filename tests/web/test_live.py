"""A game being played, and its form on the disk."""

import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from ludometrics.draughts import Game, Move, parse_fen
from ludometrics.web.live import Ending, LiveGame, decode, encode

NOON = datetime(2026, 9, 1, 12, tzinfo=UTC)
TWO = LiveGame("0" * 32, "1" * 32, "r" * 16, "two", "Ann", "José", NOON, NOON)
AGAINST = replace(
    TWO, mode="computer", black="Computer (Low)", white="Ann", human="w", level="easy", level_rating=1148
)


def moved(game: LiveGame, *paths: tuple[int, ...]) -> LiveGame:
    for path in paths:
        game = game.play(Move(path, ()), NOON)
    return game


@pytest.mark.parametrize(
    "game",
    [
        TWO,
        moved(TWO, (11, 15), (22, 17)),
        moved(AGAINST, (11, 15)),
        moved(AGAINST, (11, 15), (22, 17), (8, 11)).undo(NOON),
        moved(AGAINST, (11, 15)).resign(NOON),
        replace(TWO, ending=Ending(None, "abandoned", NOON), saved=True),
    ],
    ids=["new", "two moves", "computer has moved", "taken back", "resigned", "abandoned"],
)
def test_what_is_written_is_read_again(game):
    assert decode(json.loads(json.dumps(encode(game)))) == game


def test_of_a_game_that_is_over_the_moves_still_follow_the_rules():
    row = encode(moved(TWO, (11, 15)))
    with pytest.raises(ValueError, match=r"move 1 is .* not legal"):
        decode({**row, "moves": [[11, 18]]})


@pytest.mark.parametrize(
    "change",
    [
        {"version": 2},
        {"id": "../../etc/passwd"},
        {"black": "Computer (High)"},
        {"black": ["Ann"]},
        {"level": "easy"},
        {"mode": "three"},
        {"saved": True},
        {"saved": 1},
        {"started": "2026-09-01T12:00:00"},
        {"moves": 7},
        {"ending": {"winner": "b", "reason": "guessed", "time_utc": "2026-09-01T12:00:00+00:00"}},
        {"variant": "C"},
    ],
    ids=lambda change: next(iter(change)),
)
def test_another_content_is_refused(change):
    with pytest.raises(ValueError):
        decode({**encode(TWO), **change})


def test_undo_goes_back_to_the_persons_last_move():
    game = moved(AGAINST, (11, 15), (22, 17), (8, 11))
    back = game.undo(NOON)
    assert back.ply == 1 and back.turn == "w" and back.texts == ("11-15",)
    assert back.taken_back and not back.rated and back.undone_at == 3
    assert not back.can_undo  # the computer's first move is not the person's to take back


def test_who_resigns_loses():
    assert moved(AGAINST, (11, 15)).resign(NOON).ending.winner == "b"
    assert TWO.resign(NOON).ending.winner == "w"
    assert moved(TWO, (11, 15)).resign(NOON).ending.winner == "b"


def test_a_move_may_end_the_game():
    game = replace(TWO, game=Game(parse_fen("B:W18:B15")))
    after = game.play(Move((15, 22), (18,)), NOON)
    assert after.ending == Ending("b", "no-move", NOON) and after.rated and after.texts == ("15x22",)
