"""Games as PDN, written and read."""

import numpy as np
import pytest

from ludometrics.draughts import (
    START,
    Game,
    Level,
    Rules,
    format_pdn,
    legal_moves,
    parse_fen,
    parse_move,
    parse_pdn,
    play_game,
)

SAMPLE = """
% a file of two games
[Event "Club \\"A\\" night"]
[Black "Ada"]
[White "Ben"]
[Result "1/2-1/2"]
[GameType "21,B,8,8,N1,0"]

1. 11-15! {a comment (with) 9-14 in it} 22-18 $1 2. 15x22 (2. 9-14 18x9 (5x14 25-22)) 25x18?! ; 12-16 to the end
3. 12-16 ( 3. 8-11(!) ) 1/2-1/2

[Event "Second"]
[GameType "21"]
[SetUp "1"]
[FEN "B:W10,18:B6"]
1. 6:15:22 1-0
"""


def test_reading_comments_variations_and_marks():
    first, second = parse_pdn(SAMPLE)
    assert first.headers["Event"] == 'Club "A" night'
    assert [str(move) for move in first.moves] == ["11-15", "22-18", "15x22", "25x18", "12-16"]
    assert first.outcome == 0.5 and first.start == START
    assert second.start == parse_fen("B:W10,18:B6")
    assert [str(move) for move in second.moves] == ["6x15x22"] and second.outcome == 1.0


@pytest.mark.parametrize("seed", range(6))
def test_written_games_read_back(seed):
    start = [START, parse_fen("W:WK22,32:B18,19,26,27,K1")][seed % 2]
    game = play_game(Level(1, 0.3), Level(2, 0.1), rng=np.random.default_rng(seed), start=start)
    text = format_pdn(game, {"Event": "Test", "Black": 'A "quoted\\" name', "Annotator": "none"})
    [back] = parse_pdn(text)
    assert back.moves == game.moves and back.start == game.start and back.outcome == game.outcome
    assert back.headers["Black"] == 'A "quoted\\" name' and back.headers["Annotator"] == "none"
    [again] = parse_pdn(format_pdn(back))
    assert again.moves == back.moves and again.headers == back.headers
    assert max(map(len, text.splitlines())) <= 79


def test_many_games_in_one_text():
    rng = np.random.default_rng(3)
    games = [play_game(Level(1), Level(1, 0.5), rng=rng, rules=Rules(ply_cap=20)) for _ in range(4)]
    back = parse_pdn("\n".join(map(format_pdn, games)))
    assert [game.moves for game in back] == [game.moves for game in games]
    assert parse_pdn("") == [] and parse_pdn(" {nothing} ") == []


def test_result_says_who_won_in_words_too():
    won = Game(parse_fen("B:W10,18:B6"))
    won = won.play(won.legal_moves()[0])
    text = format_pdn(won)
    assert '[Result "1-0"]' in text and "{Black wins, no-move:" in text
    assert text.rstrip().endswith("1-0")


def test_unfinished_game():
    text = format_pdn(Game())
    assert text.rstrip().endswith("*")
    [back] = parse_pdn(text)
    assert back.outcome is None and back.moves == ()
    assert parse_pdn("1. 11-15")[0].outcome is None


def test_game_that_white_begins():
    game = Game(parse_fen("W:W18:BK1,5"))
    for text in ("18-15", "1-6", "15-10"):
        game = game.play(parse_move(text, game.position))
    text = format_pdn(game)
    assert "1... 18-15 2. 1-6 15-10" in text
    assert parse_pdn(text)[0].moves == game.moves


@pytest.mark.parametrize(
    ("ending", "outcome"), [("2-0", 1.0), ("0-2", 0.0), ("1-1", 0.5), ("0-0", None), ("*", None)]
)
def test_other_ways_to_write_a_result(ending, outcome):
    assert parse_pdn(f"1. 11-15 22-18 {ending}")[0].outcome == outcome


def test_score_of_white_first():
    assert parse_pdn("1. 11-15 22-18 1-0", first="w")[0].outcome == 0.0
    finished = '[FEN "B:W10,18:B6"] 1. 6x22'
    assert parse_pdn(finished)[0].outcome == 1.0
    assert parse_pdn(f"{finished} 0-1", first="w")[0].outcome == 1.0
    with pytest.raises(ValueError, match=r"White has no move, so Black won.*first='w'"):
        parse_pdn(f"{finished} 0-1")
    with pytest.raises(ValueError, match="first is 'x'"):
        parse_pdn("", first="x")


@pytest.mark.parametrize(
    ("text", "line", "token", "allowed"),
    [
        ("1. 11-15\n2. hello", 2, "'hello'", "moves like 9-14"),
        ("1. 11-15 23-19x", 1, "'23-19x'", "moves like 9-14"),
        ('[Event "a"]\n[Event "b"]', 2, "tag Event is given twice", "once"),
        ('[Event a"]', 1, "'[Event'", 'tags like [Event "..."]'),
        ('[GameType "20"] 1. 32-28', 1, "GameType is '20'", "only 21"),
        ('[FEN "B:W33:B1"]', 1, "'33'", "squares 1 to 32"),
        ("1. 11-15\n22-15", 2, "ply 2: move 22-15 is not legal", "21-17"),
        ('[FEN "B:W18:B14,15"] 1. 14-17', 1, "move 14-17", "a capture is compulsory: 14x23, 15x22"),
        ("1. 11-15 (2. 9-14", 1, "'(' is never closed", "')'"),
        ("1. 11-15 ) 22-18", 1, "')' closes no variation", "moves like"),
        ("1. 11-15 {open", 1, "'{open'", "moves like"),
        ('[Result "1-0"] 1. 11-15 0-1', 1, "ends with '0-1'", "'1-0'"),
        ('[Result "won"] 1. 11-15', 1, "Result is 'won'", "1/2-1/2"),
        ("1. 1-0-1", 1, "move 1-0-1", "9-13"),
    ],
)
def test_bad_pdn_names_line_token_and_what_is_allowed(text, line, token, allowed):
    with pytest.raises(ValueError, match=f"PDN line {line}") as caught:
        parse_pdn(text)
    assert token in str(caught.value) and allowed in str(caught.value)


def test_short_and_whole_paths():
    position = parse_fen("W:WK22:B18,19,26,27")
    ways = legal_moves(position)
    assert [parse_move(str(move), position) for move in ways] == ways
    assert parse_move("22x22", position) == ways[0]  # both routes have one result
    assert "22x31x24x15x22" in format_pdn(Game(position).play(ways[0]))
    one = parse_fen("B:W10,18:B6")
    assert parse_move("6x22", one) == parse_move("6-22", one) == parse_move("6x15x22", one)


def test_ambiguous_move_is_refused_and_written_with_its_whole_path():
    position = parse_fen("W:W26:B14,15,22,23")
    with pytest.raises(ValueError, match=r"26x10 could be 26x17x10 or 26x19x10; write the whole path"):
        parse_move("26x10", position)
    assert parse_move("26x19x10", position).captures == (23, 15)
    text = format_pdn(Game(position).play(parse_move("26x19x10", position)))
    assert "1... 26x19x10" in text
    assert parse_pdn(text)[0].moves[0].captures == (23, 15)


def test_move_of_another_form():
    for text in ("", "e4", "9", "9-", "9--13", "9-13-", "109-113"):
        with pytest.raises(ValueError, match="is not a move such as 9-14"):
            parse_move(text, START)


@pytest.mark.parametrize(
    ("headers", "words"),
    [
        ({"event": "x"}, "tag name 'event'"),
        ({"Event": "two\nlines"}, "text of one line"),
        ({"Event": 5}, "tag Event is 5"),
        ({"Result": "1-0"}, "tag Result is '1-0', but the game's result is '\\*'"),
    ],
)
def test_tags_that_cannot_be_written(headers, words):
    with pytest.raises(ValueError, match=words):
        format_pdn(Game(), headers)
