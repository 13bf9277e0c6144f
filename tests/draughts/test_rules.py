"""The rules: faults reported in other programs, draws and their reasons, illegal moves."""

import json
from pathlib import Path

import numpy as np
import pytest

from ludometrics.draughts import (
    REASON_TEXT,
    REASONS,
    START,
    Game,
    Level,
    Move,
    Result,
    Rules,
    apply_move,
    format_fen,
    legal_moves,
    parse_fen,
    parse_move,
    perft,
    play_game,
    result,
)

FAULTS = json.loads(
    (Path(__file__).parents[1] / "data" / "draughts" / "reported_faults.json").read_text(encoding="utf-8")
)["cases"]


def _moves(fen):
    return [str(move) for move in legal_moves(parse_fen(fen))]


def test_piece_crowned_by_a_jump_stops():
    case = FAULTS["crowned_by_a_jump"]
    assert _moves(case["fen"]) == case["moves"]
    assert format_fen(apply_move(parse_fen(case["fen"]), Move((22, 31), (26,)))) == case["after"]


def test_second_jump_near_the_edge():
    case = FAULTS["second_jump_at_the_edge"]
    [move] = legal_moves(parse_fen(case["fen"]))
    assert [str(move)] == case["moves"] and move.captures == (10, 18)
    after = apply_move(parse_fen(case["fen"]), move)
    assert format_fen(after) == case["after"]
    assert list(result([after])) == case["result"]


def test_capture_is_compulsory_with_free_choice():
    case = FAULTS["capture_is_compulsory"]
    assert _moves(case["fen"]) == case["moves"]


def test_a_multi_jump_is_one_move():
    case = FAULTS["whole_path_in_a_move"]
    assert parse_fen(case["fen"]) == START
    assert perft(START, 8) == case["perft_8"]


def test_kings_move_one_step():
    case = FAULTS["kings_are_short"]
    assert _moves(case["fen"]) == case["moves"]


def test_crowning_leaves_no_second_piece():
    case = FAULTS["pieces_never_increase"]
    assert _moves(case["fen"]) == case["moves"]
    for move in legal_moves(parse_fen(case["fen"])):
        after = apply_move(parse_fen(case["fen"]), move)
        assert after.black.bit_count() == 1 and after.kings == after.black


def test_every_result_has_a_reason():
    assert set(REASON_TEXT) == set(REASONS) == {"no-move", "repetition", "40-move", "cap"}
    rng = np.random.default_rng(5)
    for _ in range(20):
        game = play_game(Level(1), Level(2, 0.2), rng=rng, rules=Rules(ply_cap=120))
        assert game.reason in REASONS
        assert game.winner in (("b", "w") if game.reason == "no-move" else ("draw",))


def test_two_lone_kings_draw_at_the_third_occurrence():
    case = FAULTS["shuffling_kings"]
    game = Game(parse_fen(case["fen"]))
    for text in case["plies"]:
        assert game.result is None
        game = game.play(parse_move(text, game.position))
    assert len(game.moves) == 8 and list(game.result) == case["result"]
    assert game.legal_moves() == []
    with pytest.raises(ValueError, match="after the end of the game: repetition"):
        game.play(Move((1, 5), ()))


def test_blocked_side_loses():
    assert result([parse_fen("B:W25,30:B21")]) == Result("w", "no-move")
    assert result([parse_fen("W:W:BK7")]) == Result("b", "no-move")


def test_free_choice_among_captures_of_different_length():
    assert _moves("B:W10,18,11:B6,7") == ["6x15x22", "7x14x23", "7x16"]


def test_men_capture_forwards_only_and_kings_both_ways():
    assert _moves("B:W14:B18") == ["18-22", "18-23"]
    assert _moves("B:W14:BK18") == ["18x9"]


def test_a_piece_is_not_jumped_twice_and_origin_counts_as_empty():
    assert _moves("W:WK22:B18,19,26,27") == ["22x31x24x15x22", "22x15x24x31x22"]
    after = {
        apply_move(parse_fen("W:WK22:B18,19,26,27"), m) for m in legal_moves(parse_fen("W:WK22:B18,19,26,27"))
    }
    assert after == {parse_fen("B:WK22:B")}


def _shuffle(plies, fen="B:WK32,K20:BK1,K13", rules=None):
    """Kings walk at random without ever offering a capture."""
    game = Game(parse_fen(fen), rules=rules or Rules(repetitions=0, ply_cap=0))
    rng = np.random.default_rng(3)
    while game.result is None and len(game.moves) < plies:
        quiet = [m for m in game.legal_moves() if not m.captures and _no_capture_follows(game, m)]
        game = game.play(quiet[rng.integers(len(quiet))])
    return game


def _no_capture_follows(game, move):
    after = legal_moves(apply_move(game.position, move))
    return bool(after) and not after[0].captures


def test_forty_quiet_moves_by_each_side_draw():
    game = _shuffle(100)
    assert game.result == Result("draw", "40-move")
    assert len(game.moves) == 80
    assert game.undo().result is None


def test_number_of_quiet_moves_is_a_parameter():
    game = _shuffle(100, rules=Rules(repetitions=0, quiet_moves=7, ply_cap=0))
    assert game.result == Result("draw", "40-move") and len(game.moves) == 14


def test_a_move_of_a_man_starts_the_quiet_moves_anew():
    rules = Rules(repetitions=0, quiet_moves=2, ply_cap=0)
    game = Game(parse_fen("B:WK32:BK1,13"), rules=rules)
    for text in ("1-5", "32-28", "13-17", "28-32", "5-1", "32-28", "1-5"):
        game = game.play(parse_move(text, game.position))
    assert game.result == Result("draw", "40-move")
    assert game.undo().result is None


def test_game_at_the_cap_is_a_draw_even_if_the_last_ply_would_have_won():
    start, rules = parse_fen("B:W10,18:B6"), Rules(ply_cap=1)
    won = Game(start).play(legal_moves(start)[0])
    assert won.result == Result("b", "no-move")
    assert Game(start, won.moves, rules).result == Result("draw", "cap")
    game = play_game(Level(1), Level(1), rng=np.random.default_rng(1), rules=rules, start=start)
    assert (game.winner, game.reason, game.plies) == ("draw", "cap", 1)


def test_two_occurrences_do_not_draw_and_side_to_move_counts():
    start = parse_fen("B:WK32:BK1")
    other = start._replace(turn="w")
    assert result([start, other, other, start]) is None
    assert result([start, other, start]) is None
    assert result([start, other, start, other, start]) == Result("draw", "repetition")
    assert result([start, other, start], Rules(repetitions=2)) == Result("draw", "repetition")
    assert result([start, other, start, other, start], Rules(repetitions=0)) is None


def test_illegal_move_is_refused_with_the_legal_ones():
    with pytest.raises(ValueError, match=r"move 9-18 is not legal.*9-13, 10-14"):
        apply_move(START, Move((9, 18), ()))
    with pytest.raises(ValueError, match=r"a capture is compulsory: 14x23, 15x22"):
        apply_move(parse_fen("B:W18:B14,15"), Move((14, 17), ()))
    with pytest.raises(ValueError, match="there is no legal move in B:W25,30:B21"):
        apply_move(parse_fen("B:W25,30:B21"), Move((21, 25), ()))
    with pytest.raises(ValueError, match="'11-15'"):
        apply_move(START, "11-15")


def test_apply_and_undo():
    game = Game()
    for text in ("11-15", "22-18", "15x22", "25x18"):
        after = game.play(parse_move(text, game.position))
        assert after.undo() == game and after.undo().position == game.position
        game = after
    with pytest.raises(ValueError, match="no move to take back"):
        Game().undo()


def test_a_game_made_of_moves_equals_the_game_played():
    played = Game().play(Move((11, 15), ())).play(Move((22, 18), ()))
    made = Game(moves=played.moves)
    assert made == played and made.positions == played.positions
    with pytest.raises(ValueError, match="not legal"):
        Game(moves=(Move((22, 18), ()),))


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"repetitions": 1}, "repetitions is 1; allowed are 0 .off. and 2 to"),
        ({"repetitions": -3}, "repetitions is -3"),
        ({"quiet_moves": -1}, "quiet_moves is -1"),
        ({"quiet_moves": 2.5}, "quiet_moves is 2.5; it must be a whole number"),
        ({"ply_cap": True}, "ply_cap is True"),
        ({"ply_cap": 10**9}, "ply_cap is 1000000000; allowed are 0"),
        ({"quiet_moves": 0, "ply_cap": 0}, "must bound the length"),
    ],
)
def test_bad_rules_are_refused(settings, words):
    with pytest.raises(ValueError, match=words):
        Rules(**settings)


def test_longest_game():
    assert Rules().longest_game == 200
    assert Rules(quiet_moves=0, ply_cap=77).longest_game == 77
    assert Rules(quiet_moves=40, ply_cap=0).longest_game == 192 * 80
