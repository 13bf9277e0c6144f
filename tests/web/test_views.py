"""What players are shown."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from ludometrics.draughts import Move, parse_fen, parse_pdn
from ludometrics.draughts.games import Game
from ludometrics.web.live import RULES, Ending, LiveGame
from ludometrics.web.views import pdn, result_text, view

NOON = datetime(2026, 9, 1, 12, tzinfo=UTC)
GAME = LiveGame("0" * 32, "1" * 32, "r" * 16, "two", "Ann", "Bob", NOON, NOON)


def ended(winner: str | None, reason: str, **more) -> LiveGame:
    return replace(GAME, ending=Ending(winner, reason, NOON), **more)


@pytest.mark.parametrize(
    "game, text",
    [
        (ended("b", "no-move"), "Black (Ann) won: White cannot move."),
        (ended("w", "resigned"), "White (Bob) won: Black resigned."),
        (ended("draw", "repetition"), "Drawn: the same position came up 3 times."),
        (ended("draw", "40-move"), "Drawn: 40 moves each without a capture or a move of a man."),
        (ended(None, "abandoned"), "Abandoned: the game is not rated."),
        (
            ended("b", "no-move", taken_back=True),
            "Black (Ann) won: White cannot move. The game is not rated: a move was taken back.",
        ),
    ],
    ids=["no move", "resigned", "repetition", "40-move", "abandoned", "taken back"],
)
def test_how_a_game_ended_in_words(game, text):
    assert result_text(game) == text


@pytest.mark.parametrize(
    "game, result",
    [
        (GAME, "*"),
        (ended("w", "resigned"), "0-1"),
        (ended("b", "resigned"), "1-0"),
        (ended(None, "abandoned"), "*"),
    ],
    ids=["going on", "Black resigned", "White resigned", "abandoned"],
)
def test_the_record_says_who_won(game, result):
    game = replace(game, game=Game(rules=RULES).play(Move((11, 15), ())))
    text = pdn(game, time_zone="Europe/London")
    assert text.rstrip().endswith(f"1. 11-15 {result}") and f'[Result "{result}"]' in text
    (read,) = parse_pdn(text)
    assert read.headers["White"] == "Bob" and read.moves == game.game.moves


def test_the_date_is_that_of_the_time_zone():
    late = replace(GAME, started=datetime(2026, 9, 1, 23, 30, tzinfo=UTC))
    assert '[Date "2026.09.02"]' in pdn(late, time_zone="Europe/London")
    assert '[Date "2026.09.01"]' in pdn(late, time_zone="UTC")


def test_board_counts_and_legal_moves():
    game = replace(GAME, game=Game(parse_fen("B:W10,K18:BK6,1"), rules=RULES))
    shown = view(game, time_zone="UTC")
    assert shown["board"] == "b....B...w.......W" + "." * 14
    assert shown["counts"] == {"b": 2, "w": 2}
    assert shown["legal"] == [{"path": [6, 15, 22], "captures": [10, 18]}]
    assert shown["fen"] == "B:W10,K18:B1,K6" and "key" not in shown and "variant" not in shown


def test_the_computers_turn_shows_no_moves_to_choose():
    game = replace(GAME, mode="computer", white="Ann", black="Computer (Low)", human="w", level="easy")
    assert view(game, time_zone="UTC")["legal"] == []
