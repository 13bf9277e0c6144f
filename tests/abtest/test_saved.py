"""Games of a test out of daily files, with ratings from before."""

import math
from datetime import date, timedelta

import pytest

from ludometrics.abtest.saved import REASONS, collect_games, read_saved
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
    assert found.left_out == dict(zip(REASONS, (2, 1, 1, 2, 0, 0), strict=True))
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


def test_a_game_counts_once_and_the_computer_is_no_player():
    game = Game("Ann", MEDIUM, "b", "medium", "A", id="00ff")
    twice = collect_games(
        log(game, game, Game(LEVEL_NAMES["hard"], MEDIUM, "b", "medium", "B")), system="elo"
    )
    assert twice.games["player"].tolist() == ["Ann"] and twice.ratings.isna().all()
    assert (
        twice.left_out["saved a second time"] == 1
        and twice.left_out["under a name that is the computer's"] == 1
    )
