"""What players are shown of a game."""

from typing import Any

from ludometrics.draughts import PdnGame, Position, format_fen, format_pdn
from ludometrics.draughts.layout import SQUARES
from ludometrics.draughts.position import other_side, piece_at, side_name
from ludometrics.gamelog.daily import SCORES
from ludometrics.gamelog.forgetting import Forgotten
from ludometrics.gamelog.removal_text import count_of
from ludometrics.gamelog.store import find_zone
from ludometrics.web.live import LiveGame
from ludometrics.web.opponents import OPPONENTS


def view(game: LiveGame, *, time_zone: str) -> dict[str, Any]:
    """Show a game: everything but its key, and the version of a level under test.

    Parameters
    ----------
    game : LiveGame
    time_zone : str
        In which the date of its record is given.

    Returns
    -------
    dict
        Of values that JSON holds.
    """
    position = game.game.position
    legal = game.game.legal_moves() if game.persons_turn else []
    return {
        "id": game.id,
        "mode": game.mode,
        "names": {"b": game.black, "w": game.white},
        "human": game.human,
        "level": game.level,
        "level_name": None if game.level is None else OPPONENTS[game.level].name,
        "level_rating": game.level_rating,
        "match": None if game.match is None else dict(game.match),
        "fen": format_fen(position),
        "board": board_signs(position),
        "turn": game.turn,
        "ply": game.ply,
        "legal": [{"path": list(move.path), "captures": list(move.captures)} for move in legal],
        "moves": [
            {
                "text": text,
                "path": list(move.path),
                "captures": list(move.captures),
                "by": game.side_of(ply),
            }
            for ply, (move, text) in enumerate(zip(game.game.moves, game.texts, strict=True))
        ],
        "counts": {"b": position.black.bit_count(), "w": position.white.bit_count()},
        "rated": game.rated,
        "can_undo": game.can_undo,
        "result": _result(game),
        "pdn": pdn(game, time_zone=time_zone),
    }


def board_signs(position: Position) -> str:
    """Write the squares 1 to 32 as a sign each: b, B, w, W or a full stop.

    >>> from ludometrics.draughts import START
    >>> board_signs(START)
    'bbbbbbbbbbbb........wwwwwwwwwwww'
    """
    return "".join(piece_at(position, square) for square in range(1, SQUARES + 1))


def pdn(game: LiveGame, *, time_zone: str) -> str:
    """Write a game as PDN, with its names and the date of its start."""
    headers = {
        "Event": "Ludometrics",
        "Date": game.started.astimezone(find_zone(time_zone)).strftime("%Y.%m.%d"),
        "Black": game.black,
        "White": game.white,
    }
    if game.ending is None or game.game.result is not None:
        return format_pdn(game.game, headers)
    outcome = SCORES.get(game.ending.winner)  # which the board does not show
    return format_pdn(PdnGame({}, game.game.start, game.game.moves, outcome), headers)


def result_text(game: LiveGame) -> str:
    """Say how a finished game ended."""
    ending, rules = game.ending, game.game.rules
    if ending.reason == "abandoned":
        return "Abandoned: the game is not rated."
    if ending.winner == "draw":
        why = (
            f"the same position came up {rules.repetitions} times"
            if ending.reason == "repetition"
            else f"{rules.quiet_moves} moves each without a capture or a move of a man"
        )
        words = f"Drawn: {why}."
    else:
        loser = other_side(ending.winner)
        why = "resigned" if ending.reason == "resigned" else "cannot move"
        winner = f"{side_name(ending.winner)} ({game.name_of(ending.winner)})"
        words = f"{winner} won: {side_name(loser)} {why}."
    return f"{words} The game is not rated: a move was taken back." if game.taken_back else words


def forgotten_text(done: Forgotten) -> str:
    """Say what became of a name that was removed.

    Examples
    --------
    >>> forgotten_text(Forgotten(True, False, False, files={"scores-2026-09-01.json": 3}, live_games=1))
    '3 saved games in 1 file no longer hold this name. Games being played under it are over.'
    """
    words = [
        f"{count_of(done.games, 'saved game')} in {count_of(len(done.files), 'file')} no longer "
        f"{'holds' if done.games == 1 else 'hold'} this name."
    ]
    if done.live_games:  # some of them may be over, but can still be looked at
        words.append("Games being played under it are over.")
    if done.status not in (0, 3):
        words.append(
            "It may still stand elsewhere, in tables made from the games: ask whoever runs this page."
        )
    return " ".join(words)


def _result(game: LiveGame) -> dict[str, Any] | None:
    if game.ending is None:
        return None
    return {
        "winner": game.ending.winner,
        "reason": game.ending.reason,
        "text": result_text(game),
        "saved": game.saved,
    }
