"""The life of games in a club: played to the end, left, taken back, removed, and found again after a restart."""

import json
import os
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from ludometrics.abtest.ledger import compare_with_games, read_ledger
from ludometrics.draughts import Game as Board
from ludometrics.draughts import parse_fen
from ludometrics.gamelog import LEVEL_NAMES
from ludometrics.gamelog.daily import read_day, read_unrated
from ludometrics.gamelog.lock import FolderLock
from ludometrics.web.club import Club
from ludometrics.web.orders import Order
from ludometrics.web.problems import BadValueError, ForbiddenError, FullError, GoneError, OutOfStepError

TODAY = "2026-09-01"


@pytest.fixture
def club(open_club):
    return open_club()


def order(name="Ann", level="easy", colour="b", request="first-request-00", **more) -> Order:
    return Order("computer", name, request, level=level, colour=colour, **more)


def two(name="Ann", name2="Bob", request="first-request-00", **more) -> Order:
    return Order("two", name, request, name2=name2, **more)


def play(club: Club, game, rng: np.random.Generator, most: int = 10_000):
    """Random legal moves."""
    for _ in range(most):
        if game.ending is not None:
            break
        legal = game.game.legal_moves()
        game = club.move(game.id, game.key, game.ply, legal[rng.integers(len(legal))].path)
    return game


def set_up(club: Club, game, fen: str):
    """Put a game at a position, as if it had begun there."""
    there = replace(game, game=Board(parse_fen(fen), rules=game.game.rules), texts=())
    club._live.put(there)
    return there


def saved(folder) -> list:
    path = folder / f"scores-{TODAY}.json"
    return read_day(path) if path.exists() else []


def unrated(folder) -> list:
    path = folder / f"unrated-{TODAY}.json"
    return read_unrated(path) if path.exists() else []


def live_files(folder) -> list[str]:
    return sorted(os.listdir(folder / "live"))


@pytest.mark.parametrize("level", LEVEL_NAMES)
@pytest.mark.parametrize("colour", ["b", "w"])
def test_a_whole_game_against_each_level(club, folder, rng, level, colour):
    game = play(club, club.start(order(level=level, colour=colour)).game, rng)
    assert game.saved and game.ending.reason in ("no-move", "repetition", "40-move")
    (row,) = saved(folder)
    people = ("Ann", LEVEL_NAMES[level]) if colour == "b" else (LEVEL_NAMES[level], "Ann")
    assert (row.black, row.white, row.winner) == (*people, game.ending.winner)
    assert (row.level, row.id, row.variant is not None) == (level, game.id, level == "medium")
    assert row.rules == "repetitions=3 quiet_moves=40"


def test_a_whole_game_of_two_people(club, folder, rng):
    game = play(club, club.start(two()).game, rng)
    (row,) = saved(folder)
    assert (row.black, row.white, row.winner, row.level) == ("Ann", "Bob", game.ending.winner, None)


def test_a_multi_jump_is_one_move_by_its_whole_path(club):
    game = set_up(club, club.start(two()).game, "B:W10,18,26:B6")
    with pytest.raises(BadValueError, match=r"path is \[6, 15\]: allowed are 6x15x22x31"):
        club.move(game.id, game.key, 0, (6, 15))
    game = club.move(game.id, game.key, 0, (6, 15, 22, 31))
    assert game.ending.winner == "b" and game.ending.reason == "no-move"


def test_two_routes_to_one_square_are_two_moves(club):
    for path in ((1, 10, 19), (1, 10, 17)):
        game = set_up(club, club.start(two(request=f"request-{path[-1]:010}")).game, "B:W6,14,15,32:B1")
        assert club.move(game.id, game.key, 0, path).game.moves[0].path == path


def test_the_same_move_sent_again_changes_nothing(club):
    game = club.start(order()).game
    after = club.move(game.id, game.key, 0, (11, 15))
    assert club.move(game.id, game.key, 0, (11, 15)) == after
    assert after.ply == 2


def test_the_last_move_sent_again_is_saved_once(club, folder):
    game = set_up(club, club.start(two()).game, "B:W18:B15")
    for _ in range(3):
        assert club.move(game.id, game.key, 0, (15, 22)).saved
    assert len(saved(folder)) == 1


@pytest.mark.parametrize("ply, path", [(1, (22, 17)), (0, (9, 13)), (7, (11, 15)), (3, (8, 11))])
def test_a_move_for_another_position_is_answered_with_the_present_one(club, ply, path):
    game = club.start(order()).game
    now = club.move(game.id, game.key, 0, (11, 15))
    with pytest.raises(OutOfStepError) as caught:
        club.move(game.id, game.key, ply, path)
    assert caught.value.game == now


def test_a_move_after_the_end_is_out_of_step(club):
    game = club.start(two()).game
    club.resign(game.id, game.key)
    with pytest.raises(OutOfStepError):
        club.move(game.id, game.key, 0, (11, 15))


@pytest.mark.parametrize("call", ["resume", "move", "undo", "resign"])
def test_every_step_needs_the_key(club, call):
    game = club.start(order()).game
    rest = {"move": (0, (11, 15)), "undo": (0,)}.get(call, ())
    with pytest.raises(ForbiddenError):
        getattr(club, call)(game.id, "0" * 32, *rest)
    with pytest.raises(GoneError):
        getattr(club, call)("f" * 32, game.key, *rest)


def test_the_same_request_is_the_same_game(club):
    first = club.start(order())
    assert club.start(order()) == first
    assert club.start(order(name=" ANN  ".title())) == first
    with pytest.raises(BadValueError, match="request was used"):
        club.start(order(name="Bob"))
    with pytest.raises(BadValueError, match="request was used"):
        club.start(two(name="Ann"))


def test_the_same_request_is_the_same_game_after_a_restart(club, open_club):
    first = club.start(order(level="match"))
    assert open_club().start(order(level="match")) == first


@pytest.mark.parametrize("colour", ["b", "w"])
def test_what_was_taken_back_is_not_rated(club, folder, rng, colour):
    game = club.start(order(colour=colour)).game
    begun = game.ply
    game = play(club, game, rng, 1)
    game = club.undo(game.id, game.key, game.ply)
    assert game.ply == begun and not game.rated and club.undo(game.id, game.key, begun + 2) == game
    with pytest.raises(OutOfStepError):
        club.undo(game.id, game.key, begun)
    game = play(club, game, rng)
    (row,) = unrated(folder)
    assert saved(folder) == [] and game.saved
    assert (row.why, row.level, row.id, row.after) == ("undo", "easy", game.id, 0)


def test_between_two_people_nothing_is_taken_back(club):
    game = club.start(two()).game
    game = club.move(game.id, game.key, 0, (11, 15))
    with pytest.raises(OutOfStepError):
        club.undo(game.id, game.key, 1)


def test_resigning_loses_once(club, folder):
    game = club.start(order(colour="w")).game
    for _ in range(2):
        game = club.resign(game.id, game.key)
    assert [(row.black, row.winner) for row in saved(folder)] == [("Computer (Low)", "b")]


def test_left_games_are_saved_as_abandoned(club, folder, clock):
    games = [club.start(order(request=f"request-{n:010}")).game for n in range(2)]
    unmoved = club.start(order(request="request-unmoved")).game
    tested = club.start(order(level="medium", request="request-tested-0")).game
    for game in games:
        club.move(game.id, game.key, 0, (11, 15))
    clock.forward(minutes=119)
    club.move(games[1].id, games[1].key, 2, club.resume(games[1].id, games[1].key).game.legal_moves()[0].path)
    club.tidy()
    assert unrated(folder) == []
    clock.forward(minutes=1)
    for _ in range(2):
        club.tidy()
    rows = {row.id: row for row in unrated(folder)}
    assert rows.keys() == {games[0].id, tested.id} and {row.why for row in rows.values()} == {"abandoned"}
    assert rows[tested.id].variant in ("A", "B")  # who left at the sight of a version counts in its test
    assert saved(folder) == []
    with pytest.raises(GoneError):
        club.resume(unmoved.id, unmoved.key)
    assert club.resume(games[0].id, games[0].key).ending.reason == "abandoned"
    assert club.resume(games[1].id, games[1].key).ending is None


def test_the_place_of_an_abandoned_game_among_the_days_games_is_kept(club, folder, clock):
    left = club.start(order(level="medium")).game
    over = club.start(two(request="request-2-people")).game
    club.resign(over.id, over.key)
    clock.forward(minutes=120)
    club.tidy()
    assert [(row.id, row.after) for row in unrated(folder)] == [(left.id, 1)]


def test_a_finished_game_can_be_looked_at_for_a_while(club, folder, clock):
    game = club.start(two()).game
    club.resign(game.id, game.key)
    clock.forward(minutes=59)
    club.tidy()
    assert club.resume(game.id, game.key).saved
    clock.forward(minutes=1)
    club.tidy()
    with pytest.raises(GoneError):
        club.resume(game.id, game.key)
    assert live_files(folder) == [] and len(saved(folder)) == 1


def test_a_restart_in_the_middle_of_a_game_loses_nothing(club, open_club, folder, rng):
    game = play(club, club.start(order()).game, rng, 3)
    again = open_club()
    assert again.resume(game.id, game.key) == game
    game = play(again, game, rng)
    assert [row.id for row in saved(folder)] == [game.id]


@pytest.mark.parametrize("step", ["before saving", "after saving"])
def test_killed_between_the_end_and_the_daily_file_it_is_saved_once(
    club, open_club, folder, clock, step, monkeypatch
):
    game = set_up(club, club.start(two()).game, "B:W18:B15")
    put = club._live.put

    def killed(game):
        if game.saved or step == "before saving":
            put(replace(game, saved=False))
            raise KeyboardInterrupt
        put(game)

    monkeypatch.setattr(club._live, "put", killed)
    with pytest.raises(KeyboardInterrupt):
        club.move(game.id, game.key, 0, (15, 22))
    assert len(saved(folder)) == (step == "after saving")
    clock.forward(days=1)  # the day of a game is that of its end
    path = folder / "live" / f"{game.id}.json"
    row = json.loads(path.read_text())
    path.write_text(json.dumps({**row, "moves": []}))  # the position came from outside
    open_club().begin()
    assert [row.winner for row in saved(folder)] == ["b"]
    assert sorted(path.name for path in folder.glob("scores-*")) == [f"scores-{TODAY}.json"]


def test_while_the_folder_is_busy_a_finished_game_waits(open_club, folder, monkeypatch):
    from ludometrics.gamelog.lock import FolderBusyError
    from ludometrics.web import endings

    club = open_club()
    game = set_up(club, club.start(two()).game, "B:W18:B15")
    real = endings.append_game

    def busy(*_, **__):
        raise FolderBusyError("busy")

    monkeypatch.setattr(endings, "append_game", busy)
    game = club.move(game.id, game.key, 0, (15, 22))
    assert game.ending.winner == "b" and not game.saved
    monkeypatch.setattr(endings, "append_game", real)
    assert club.resume(game.id, game.key).saved and len(saved(folder)) == 1


def test_while_the_folder_is_busy_a_move_is_not_made(open_club, folder):
    club = open_club(timeout_s=0.05)
    game = club.start(two()).game
    with FolderLock(folder).exclusive(), pytest.raises(TimeoutError):
        club.move(game.id, game.key, 0, (11, 15))
    assert club.move(game.id, game.key, 0, (11, 15)).ply == 1


def test_removed_in_the_middle_the_game_is_over_and_never_saved(club, folder):
    game = set_up(club, club.start(two()).game, "B:W18:B15")
    (folder / "live" / f"{game.id}.json").unlink()
    with pytest.raises(GoneError):
        club.move(game.id, game.key, 0, (15, 22))
    assert saved(folder) == [] and live_files(folder) == []


def test_removed_between_the_last_move_and_its_saving_it_is_not_saved(club, folder, monkeypatch):
    from ludometrics.web import endings

    game = set_up(club, club.start(two()).game, "B:W18:B15")
    real = endings.append_game

    def removed_first(*args, **options):
        (folder / "live" / f"{game.id}.json").unlink()
        return real(*args, **options)

    monkeypatch.setattr(endings, "append_game", removed_first)
    with pytest.raises(GoneError):
        club.move(game.id, game.key, 0, (15, 22))
    assert saved(folder) == [] and live_files(folder) == []


def test_two_processes_may_share_a_game(club, open_club, folder):
    game = club.start(two()).game
    other = open_club()
    game = other.move(game.id, game.key, 0, (11, 15))
    game = club.move(game.id, game.key, 1, (22, 18))
    assert other.resume(game.id, game.key) == game
    with pytest.raises(OutOfStepError):
        other.move(game.id, game.key, 1, (23, 18))


def test_versions_are_recorded_before_play_and_saved_with_the_game(club, folder, rng):
    for number in range(4):
        game = club.start(
            order(level="medium", colour="bw"[number % 2], request=f"request-{number:010}")
        ).game
        ledger = read_ledger(folder / "assignments.jsonl")
        assert len(ledger) == number + 1 and ledger["variant"].iloc[-1] == game.variant
        play(club, game, rng)
    club.start(order(level="hard", request="request-of-high0"))
    club.start(two(request="request-of-two-0"))
    assert len(read_ledger(folder / "assignments.jsonl")) == 4
    rows = [
        {"player": "Ann", "game": number, "variant": row.variant} for number, row in enumerate(saved(folder))
    ]
    assert len(compare_with_games(read_ledger(folder / "assignments.jsonl"), pd.DataFrame(rows))) == 0
    assert sorted(row["variant"] for row in rows) == ["A", "A", "B", "B"]


def test_as_many_games_as_may_be(open_club):
    club = open_club(live_games=3, live_games_each=2)
    games = [club.start(order(request=f"request-{n:010}"), client="x").game for n in range(2)]
    with pytest.raises(FullError, match="your address"):
        club.start(order(request="request-2-of-x-0"), client="x")
    club.start(order(request="request-of-y-000"), client="y")
    with pytest.raises(FullError, match="this server"):
        club.start(order(request="request-of-z-000"), client="z")
    club.resign(games[0].id, games[0].key)
    club.start(order(request="request-2-of-x-0"), client="x")


@pytest.mark.parametrize(
    "wanted, said",
    [
        (order(name=""), "name is ''"),
        (order(name="computer (low)"), "name is .* not for people"),
        (order(name="(Removed)"), "not for people"),
        (order(name="Ann\u200b"), "name is"),
        (order(name="x" * 21), "1 to 20 letters"),
        (two(name2=" Ａｎｎ "), "name2 is .* two people are wanted"),
        (two(name2="<b>"), "name2 is '<b>'"),
    ],
    ids=["empty", "computer", "removed", "zero width", "long", "the same", "markup"],
)
def test_names_that_nobody_may_have(club, folder, wanted, said):
    with pytest.raises(BadValueError, match=said):
        club.start(wanted)
    assert live_files(folder) == []


def test_a_proof_comes_with_a_new_name_and_follows_from_one(club, folder, open_club):
    first = club.start(two(name="Ann", name2="Bob"))
    assert [name for name, _ in first.proofs] == ["Ann", "Bob"]
    proof = first.proofs[0][1]
    stranger = club.start(order(name="ANN", request="request-stranger"))
    assert stranger.proofs == ()
    again = club.start(order(name="ann", request="request-of-ann-1", proofs=(proof,)))
    assert len(again.proofs) == 1
    club.resign(first.game.id, first.game.key)
    club.resign(again.game.id, again.game.key)
    club = open_club()
    assert club.start(order(name="Ann", request="request-of-ann-2")).proofs == ()
    assert club.start(order(name="Ann", request="request-of-ann-3", proofs=(again.proofs[0][1],))).proofs
    assert club.start(order(name="Bob", request="request-of-bob-1", proofs=(proof,))).proofs == ()


def test_a_name_in_unrated_games_is_not_new(club, clock, open_club):
    game = club.start(order(name="Eve")).game
    game = club.move(game.id, game.key, 0, (11, 15))
    clock.forward(minutes=200)
    club.tidy()
    clock.forward(minutes=200)
    club.tidy()
    assert open_club().start(order(name="Eve", request="request-of-eve-1")).proofs == ()


def test_the_day_is_that_of_the_time_zone(open_club, folder, clock):
    clock.forward(hours=11, minutes=30)  # 23:30 UTC on 1 September: in London the next day
    club = open_club()
    game = club.start(two()).game
    club.resign(game.id, game.key)
    assert [path.name for path in folder.glob("scores-*")] == ["scores-2026-09-02.json"]


def test_a_file_of_the_day_that_cannot_be_read_is_set_aside(club, folder, caplog):
    (folder / f"scores-{TODAY}.json").write_bytes(b"\0" * 100)
    game = club.start(two()).game
    club.resign(game.id, game.key)
    assert len(saved(folder)) == 1
    assert (folder / f"scores-{TODAY}.broken-1.json").read_bytes() == b"\0" * 100
    assert f"scores-{TODAY}.broken-1.json" in caplog.text and "Ann" not in caplog.text


def test_the_folder_is_for_its_owner_alone(club, folder):
    assert os.stat(folder).st_mode & 0o77 == 0


def test_no_second_proof_for_a_name_that_somebody_plays_under_elsewhere(club, open_club):
    notebook = open_club()
    assert notebook.start(order(name="Zoë", request="request-of-zoe-1")).proofs
    assert club.start(order(name="zoë", request="request-of-zoe-2")).proofs == ()
