"""Games of a test out of daily files, with ratings from before, and the versions recorded before play."""

import math
from datetime import date, timedelta

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludometrics.abtest.ledger import Ledger, assign, read_ledger
from ludometrics.abtest.saved import REASONS, SavedTest, add_recorded, collect_games, read_saved
from ludometrics.abtest.trial import read_trial
from ludometrics.gamelog import LEVEL_NAMES, Game, write_day
from ludometrics.ratings import elo, glicko1, index_games

DAY = date(2026, 9, 1)
MEDIUM, LOW = LEVEL_NAMES["medium"], LEVEL_NAMES["easy"]


def against(player, winner, variant="A", black=True, level="medium"):
    sides = (player, LEVEL_NAMES[level]) if black else (LEVEL_NAMES[level], player)
    return Game(*sides, winner, level, variant)


def log(*games, days=None):
    return [(DAY + timedelta(day), game) for day, game in zip(days or [0] * len(games), games, strict=True)]


def test_the_player_is_the_side_that_is_not_the_computer():
    games = [
        against("Ann", "b"),
        against("Ann", "b", "B", black=False),
        against("Bob", "w", black=False),
        against("Bob", "draw"),
    ]
    found = collect_games(log(*games, days=[0, 0, 1, 1]))
    columns = ["player", "variant", "score", "colour", "day", "order"]
    assert found.games[columns].to_numpy().tolist() == [
        ["Ann", "A", 1.0, "b", DAY, 1],
        ["Ann", "B", 0.0, "w", DAY, 2],
        ["Bob", "A", 1.0, "w", DAY + timedelta(1), 1],
        ["Bob", "A", 0.5, "b", DAY + timedelta(1), 2],
    ]
    assert list(found.games.columns) == columns


def test_what_is_left_out_is_counted_by_reason():
    games = [
        against("Ann", "b"),
        against("Ann", "b", None, level="easy"),
        against("Ann", "b", "A", level="hard"),
        Game("Ann", "Bob", "w"),
        against("Bob", "b", None),
        against("(removed-7f3a91c2)", "b", "B"),
        against("(removed)", "b", "A"),
    ]
    found = collect_games(log(*games))
    assert found.left_out == dict(zip(REASONS, (2, 1, 1, 2), strict=True))
    assert sum(found.left_out.values()) + len(found.games) == len(games)
    assert "2 against another level, 1 between two players, 1 without a recorded version" in found.notes[0]
    assert collect_games(log(against("Ann", "b"))).notes == ()


def test_another_level_is_chosen_by_its_name():
    found = collect_games(log(against("Ann", "b"), against("Bob", "w", "B", level="hard")), level="hard")
    assert found.games["player"].tolist() == ["Bob"] and found.left_out[REASONS[0]] == 1
    names = {"1": "Computer (1)"}
    game = Game("Ann", "Computer (1)", "b", "1", "A")
    assert len(collect_games(log(game), level="1", level_names=names).games) == 1


@pytest.mark.parametrize("system", ["elo", "glicko1"])
def test_ratings_are_those_before_the_players_own_first_game_of_the_test(system):
    before = [Game("Ann", "Bob", "b"), Game("Bob", LOW, "w", "easy"), Game("Ann", "Cid", "draw")]
    later = [Game("Ann", "Bob", "w"), Game("Bob", "Ann", "b"), Game("Dan", "Ann", "b")]
    games = [*before, against("ANN", "w"), *later, against("Bob", "b"), against("Dan", "w")]
    games += [Game("Dan", "Ann", "b"), against("Eve", "b"), against("Ann", "b")]
    days = list(range(len(games)))
    found = collect_games(log(*games, days=days), system=system).ratings

    def rated(name, end):
        """The system itself, over the games that are not of the test, up to a place."""
        part = [at for at in range(end) if games[at].variant is None]
        table = index_games(
            [games[at].black.lower() for at in part],
            [games[at].white.lower() for at in part],
            [games[at].score_of_black for at in part],
            times=[float(at) for at in part],
        )
        replay = {"elo": elo.replay, "glicko1": glicko1.replay}[system]
        times = {} if system == "elo" else {"times": table.times}
        return replay(table.pairs, table.outcomes, **times).ratings[table.players.index(name)]

    assert found["ANN"] == pytest.approx(rated("ann", 3), abs=1e-9)
    assert found["Bob"] == pytest.approx(rated("bob", 7), abs=1e-9)
    assert found["Dan"] == pytest.approx(rated("dan", 8), abs=1e-9)
    assert math.isnan(found["Eve"]) and list(found.index) == ["ANN", "Bob", "Dan", "Eve"]


def test_elo_is_the_courses():
    games = [Game("Ann", "Bob", "b"), against("Ann", "b"), against("Bob", "b")]
    assert collect_games(log(*games), system="elo").ratings.to_dict() == {"Ann": 1216.0, "Bob": 1184.0}


def test_results_of_the_test_change_no_rating():
    def ratings(winner):
        games = [
            Game("Ann", "Bob", "b"),
            against("Ann", winner),
            Game("Ann", "Bob", "b"),
            against("Bob", "b"),
        ]
        return collect_games(log(*games), system="elo").ratings.to_dict()

    assert ratings("b") == ratings("w") == ratings("draw")


def test_without_ratings():
    assert collect_games(log(against("Ann", "b")), system=None).ratings is None


def test_two_spellings_of_one_player_have_one_rating():
    games = [Game("Ann", "Bob", "b"), Game("Ann", "ann", "b"), against("ann", "b"), against(" ANN", "b")]
    found = collect_games(log(*games), system="elo")
    assert found.ratings.to_dict() == {"ann": 1216.0}
    assert read_trial(found.games, ratings=found.ratings).ratings.tolist() == [1216.0]


@pytest.mark.parametrize(
    ("game", "words"),
    [
        (Game("Ann", "Bob", "b", "medium", "A"), "neither 'Ann' nor 'Bob' is 'Computer (Medium)'"),
        (Game(MEDIUM, "computer (medium)", "b", "medium", "A"), "both sides are 'Computer (Medium)'"),
        (Game("Ann", MEDIUM, "b", "easy"), "neither 'Ann' nor 'Computer (Medium)' is 'Computer (Low)'"),
        (Game("Ann", "x", "b", "expert"), "level is 'expert': allowed are 'easy', 'medium', 'hard'"),
    ],
)
def test_a_game_whose_sides_do_not_fit_its_level_is_named(game, words):
    games = log(against("Ann", "b"), against("Ann", "b"), game, days=[0, 1, 1])
    with pytest.raises(ValueError) as error:
        collect_games(games)
    assert str(error.value).startswith("scores-2026-09-02.json, game 2: ") and words in str(error.value)


def test_settings_that_are_not_allowed():
    with pytest.raises(ValueError, match=r"level is 'expert': allowed are 'easy', 'medium', 'hard'"):
        collect_games([], level="expert")
    with pytest.raises(ValueError, match="system is 'whr': allowed are 'elo', 'glicko1', or None"):
        collect_games([], system="whr")
    with pytest.raises(ValueError, match="none of 0 saved games is of a test of level 'medium'"):
        collect_games([])
    with pytest.raises(ValueError, match="none of 2 saved games"):
        collect_games(log(Game("Ann", "Bob", "b"), against("Ann", "b", None)))


# Folders


def test_a_folder_is_read_day_by_day(tmp_path):
    write_day(tmp_path, DAY + timedelta(1), [against("Bob", "b", "B")])
    write_day(tmp_path, DAY, [Game("Ann", "Bob", "b"), against("Ann", "w")])
    (tmp_path / "notes.txt").write_text("nothing")
    found = read_saved(tmp_path, "medium", system="elo")
    assert found.games[["player", "score", "order"]].to_numpy().tolist() == [["Ann", 0.0, 2], ["Bob", 1.0, 1]]
    assert found.ratings.to_dict() == {"Ann": 1216.0, "Bob": 1184.0}


def test_folders_that_cannot_be_read(tmp_path):
    with pytest.raises(FileNotFoundError, match="no such folder of daily files"):
        read_saved(tmp_path / "none")
    (tmp_path / "file").write_text("")
    with pytest.raises(NotADirectoryError, match="no such folder of daily files"):
        read_saved(tmp_path / "file")
    with pytest.raises(ValueError, match=r"no game in any file scores-YYYY-MM-DD\.json"):
        read_saved(tmp_path)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ('[{"black": "Ann", "white": "Bob", "winner": "b"},\n', "not JSON at line 2, column 1"),
        ('[{"black": "Ann", "white": "Bob", "winner": "x"}]', "game 1: winner is 'x'"),
        (
            '[{"black": "Ann", "white": "Computer (Medium)", "winner": "b", "level": "medium", "variant": "C"}]',
            "game 1: variant is 'C': allowed are 'A', 'B'",
        ),
        (
            '[{"black": "Ann", "white": "Bob", "winner": "b", "level": "expert"}]',
            "level is 'expert': allowed are",
        ),
        (
            '[{"black": "Ann", "white": "Bob", "winner": "b", "level": "medium"}]',
            "game 1: level is 'medium', but neither",
        ),
        ("[" * 200_000, "holds lists within lists without end"),
    ],
)
def test_files_that_cannot_be_read_are_named(tmp_path, content, words):
    path = tmp_path / "scores-2026-09-01.json"
    path.write_text(content)
    with pytest.raises(ValueError) as error:
        read_saved(tmp_path)
    assert str(error.value).startswith(str(path)) and words in str(error.value)


# Ledgers


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
