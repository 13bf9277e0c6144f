"""The versions recorded before play, set beside the games that were saved."""

import math
from datetime import date, timedelta

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludometrics.abtest.ledger import Ledger, assign, read_ledger
from ludometrics.abtest.recorded import add_recorded
from ludometrics.abtest.saved import SavedTest, collect_games, read_saved
from ludometrics.abtest.trial import read_trial
from ludometrics.gamelog import LEVEL_NAMES, Game, UnratedGame, append_game, append_unrated

DAY = date(2026, 9, 1)


def against(player, winner, variant="A", black=True, level="medium"):
    sides = (player, LEVEL_NAMES[level]) if black else (LEVEL_NAMES[level], player)
    return Game(*sides, winner, level, variant)


def log(*games, days=None):
    return [(DAY + timedelta(day), game) for day, game in zip(days or [0] * len(games), games, strict=True)]


def recorded(tmp_path, design, *dealt):
    ledger = Ledger(tmp_path / "assignments.jsonl")
    for name, game in dealt:
        assign(ledger, "test", name, design=design, game=game)
    return read_ledger(ledger.path)


IN_ORDER = "Games were matched in order with the versions recorded before play: they carry no number."


def dealt_as(versions, player="ann"):
    """A ledger of one player's games."""
    rows = {"experiment": "test", "player": player, "game": range(len(versions)), "variant": list(versions)}
    return pd.DataFrame(rows | {"design": "game", "block": pd.NA}).astype({"game": "Int64", "block": "Int64"})


def played(*rows):
    return collect_games(log(*(against(player, "b", variant) for player, variant in rows)), system=None)


def test_the_recorded_version_stands_beside_each_game(tmp_path):
    ledger = recorded(tmp_path, "alternate", *(("Ann", game) for game in range(4)))
    dealt = ledger["variant"].tolist()
    found = add_recorded(played(*(("Ann", variant) for variant in dealt)), ledger)
    assert found.games["assigned"].tolist() == dealt and found.assignment == "alternate"
    assert found.notes == (IN_ORDER,)
    wrong = [each if at != 2 else {"A": "B", "B": "A"}[each] for at, each in enumerate(dealt)]
    found = add_recorded(played(*((" ANN", variant) for variant in wrong)), ledger)
    assert found.games["assigned"].tolist() == dealt
    assert read_trial(found.games).misdealt == 1


def test_a_game_that_was_never_recorded_counts_as_misdealt(tmp_path):
    ledger = recorded(tmp_path, "hash", ("Ann", None))
    version = ledger["variant"].iloc[0]
    found = add_recorded(played(("Ann", version), ("Bob", "A"), ("Bob", "B")), ledger)
    assert found.games["assigned"].tolist() == [version, "B", "A"]
    assert found.notes == ("2 games were never recorded before play.",)
    assert read_trial(found.games).misdealt == 2


def test_who_was_dealt_a_version_and_finished_no_game_is_added(tmp_path):
    ledger = recorded(tmp_path, "hash", ("Ann", None), ("Bob", None))
    found = add_recorded(played(("Ann", ledger["variant"].iloc[0])), ledger)
    trial = read_trial(found.games)
    assert trial.started.sum() == 2 and len(trial.score) == 1
    assert found.games.iloc[1][["player", "variant"]].tolist() == ["bob", ledger["variant"].iloc[1]]
    assert "1 recorded before play, but no finished game" in found.notes[0]


def test_a_game_that_was_dealt_and_not_finished_is_added(tmp_path):
    ledger = recorded(tmp_path, "game", *(("Ann", game) for game in range(3)))
    dealt = ledger["variant"].tolist()
    found = add_recorded(played(*(("Ann", variant) for variant in dealt[:2])), ledger)
    assert found.games["variant"].tolist() == dealt and math.isnan(found.games["score"].iloc[2])
    assert read_trial(found.games).misdealt == 0


@pytest.mark.parametrize("lost", range(8))
def test_one_game_that_was_never_finished_shifts_no_other(lost):
    versions = "ABBAABAB"
    kept = versions[:lost] + versions[lost + 1 :]
    ledger = pd.concat([dealt_as(versions), dealt_as("BA", "bob")])
    found = add_recorded(played(*(("Ann", each) for each in kept), ("Bob", "B"), ("Bob", "A")), ledger)
    games, trial = found.games, read_trial(found.games)
    assert trial.misdealt == 0 and len(trial.score) == 9 and len(games) == 10
    assert games["assigned"].tolist() == games["variant"].tolist()
    of_ann = games[games["player"].str.lower() == "ann"]
    assert of_ann["game"].tolist() == list(range(8))  # the unfinished one where it was dealt
    assert "".join(of_ann["variant"]) == versions and int(of_ann["score"].isna().sum()) == 1
    assert IN_ORDER in found.notes and "1 recorded before play, but no finished game" in found.notes[-1]


@pytest.mark.parametrize(
    ("recorded", "saved", "numbers", "misdealt"),
    [
        ("ABAB", "BB", [1, 3], 0),  # each as early as can be
        ("AAAB", "A", [0], 0),
        ("ABAB", "ABBB", [0, 1, 2, 3], 1),  # as many as recorded: game by game
        ("ABABABAB", "ABBBABAB", list(range(8)), 1),  # one wrong game shifts no other
        ("ABABABAB", "AABABAB", [0, 2, 3, 4, 5, 6, 7], 0),
        ("ABBABAAB", "AABABAB", [0, 1, 2, 3, 4, 5, 7], 1),  # a wrong one and an unfinished one
        ("AB", "ABA", [0, 1, None], 1),  # one was never recorded
        ("AB", "BAB", [None, 0, 1], 1),
        ("AA", "BBB", [0, 1, None], 3),
    ],
)
def test_as_few_games_as_can_be_have_another_version(recorded, saved, numbers, misdealt):
    found = add_recorded(played(*(("Ann", each) for each in saved)), dealt_as(recorded))
    games = found.games[found.games["score"].notna()]
    assert [None if pd.isna(each) else each for each in games["game"]] == numbers
    assert read_trial(found.games).misdealt == misdealt
    assert len(found.games) - len(games) == max(0, len(recorded) - len(saved))


@settings(deadline=None, max_examples=60)
@given(st.text("AB", min_size=1, max_size=10), st.text("AB", min_size=1, max_size=8))
def test_no_other_match_has_fewer_of_another_version(recorded, saved):
    """Against the plain recursion over all ways to leave games out."""
    found = add_recorded(played(*(("Ann", each) for each in saved)), dealt_as(recorded))

    def fewest(long, short):
        if not short:
            return 0
        ways = [(long[0] != short[0]) + fewest(long[1:], short[1:])]
        return min(ways + ([fewest(long[1:], short)] if len(long) > len(short) else []))

    spare = max(0, len(saved) - len(recorded))  # games never recorded are all of another version
    assert read_trial(found.games).misdealt == spare + fewest(*sorted([recorded, saved], key=len)[::-1])
    numbers = found.games.loc[found.games["score"].notna(), "game"].dropna().tolist()
    assert numbers == sorted(set(numbers))


def test_games_with_numbers_are_held_against_those():
    table = pd.DataFrame({"player": "Ann", "variant": list("ABA"), "score": 1.0, "game": [0, 2, 3]})
    found = add_recorded(SavedTest(table.astype({"game": "Int64"})), dealt_as("ABAA"))
    assert found.games["game"].tolist() == [0, 1, 2, 3]
    assert found.games["assigned"].tolist() == list("ABAA") and IN_ORDER not in found.notes
    assert found.games["score"].isna().tolist() == [False, True, False, False]
    assert read_trial(found.games).misdealt == 1


def test_many_games_are_matched():
    rng = np.random.default_rng(5)
    versions = "".join(rng.choice(["A", "B"], size=4_000))
    lost = set(rng.choice(4_000, size=40, replace=False).tolist())
    kept = [each for at, each in enumerate(versions) if at not in lost]
    found = add_recorded(played(*(("Ann", each) for each in kept)), dealt_as(versions))
    assert read_trial(found.games).misdealt == 0 and len(found.games) == 4_000
    assert "".join(found.games["variant"]) == versions


def test_blocks_come_from_the_ledger(tmp_path):
    ledger = Ledger(tmp_path / "assignments.jsonl")
    table = pd.DataFrame({"player": ["Ann", "Bob"], "variant": ["A", "B"], "block": [3, 3]})
    for name in ("Ann", "Bob"):
        assign(ledger, "test", name, design="blocked", table=table)
    found = add_recorded(played(("Ann", "A"), ("Bob", "B")), read_ledger(ledger.path))
    assert found.blocks.to_dict() == {"ann": 3, "bob": 3} and found.assignment == "blocked"
    assert read_trial(found.games, blocks=found.blocks).blocks.tolist() == [0, 0]


def test_one_experiment_of_several_is_chosen(tmp_path):
    ledger = Ledger(tmp_path / "assignments.jsonl")
    version = assign(ledger, "test", "Ann", design="hash").variant
    assign(ledger, "other", "Ann", design="game", game=0)
    rows = read_ledger(ledger.path)
    test = played(("Ann", version))
    assert add_recorded(test, rows, experiment="test").games["assigned"].tolist() == [version]
    with pytest.raises(ValueError, match=r"holds the experiments \['other', 'test'\]: choose one"):
        add_recorded(test, rows)
    with pytest.raises(ValueError, match="holds no experiment 'x', only"):
        add_recorded(test, rows, experiment="x")
    with pytest.raises(ValueError, match="holds no experiment None, only"):
        add_recorded(test, rows[:0])


def test_games_left_unfinished_reach_the_check_of_exposure_once(tmp_path):
    ledger = recorded(tmp_path, "alternate", *(("Ann", game) for game in range(4)), ("Bob", 0), ("Cid", 0))
    dealt = ledger["variant"].tolist()
    for number in (0, 2):
        append_game(tmp_path, against("Ann", "b", dealt[number]), DAY)
        left = UnratedGame("Ann", LEVEL_NAMES["medium"], "abandoned", 0, "medium", dealt[number + 1])
        append_unrated(tmp_path, left, DAY)
    append_unrated(tmp_path, UnratedGame("Bob", LEVEL_NAMES["medium"], "undo", 0, "medium", dealt[4]), DAY)
    append_unrated(tmp_path, UnratedGame("Bob", "Cid", "abandoned"), DAY)
    test = read_saved(tmp_path)
    assert test.games["player"].tolist() == ["Ann", "Ann", "Ann", "Ann", "Bob"]
    assert test.games["score"].isna().tolist() == [False, True, False, True, True]
    found = add_recorded(test, ledger).games
    assert found["assigned"].tolist() == [*dealt[:4], dealt[4], dealt[5]]  # Cid's game was never saved at all
    assert found["variant"].tolist() == found["assigned"].tolist()
    trial = read_trial(found)
    assert trial.started.sum() == 6 and len(trial.score) == 2 and trial.misdealt == 0


def test_who_was_removed_is_not_called_unfinished(tmp_path):
    ledger = recorded(tmp_path, "hash", ("Ann", None), ("Bob", None))
    ledger["player"] = ledger["player"].replace("bob", "(removed-7f3a91c2)")
    games = played(("Ann", ledger["variant"].iloc[0]), ("(removed-7f3a91c2)", "A"))
    assert games.left_out["of players who were removed"] == 1
    assert add_recorded(games, ledger).games["player"].tolist() == ["Ann"]
