"""Games read into a trial: names, versions, units and pairs."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludometrics.abtest.assignment import assign_alternating
from ludometrics.abtest.trial import find_unit, pair_differences, read_trial


def games_of(*rows, columns=("player", "variant", "score", "colour", "assigned")):
    return pd.DataFrame(rows, columns=list(columns[: len(rows[0])]))


# ------------------------------------------------------------------ reading


def test_columns_are_gathered():
    trial = read_trial(
        games_of(
            ("Bob", "B", 1, "b", "B"),
            ("Ann", "A", 0.5, "w", "A"),
            ("Bob", "B", None, "w", "A"),
            (" ANN ", "B", 0, "b", "A"),
        ),
        ratings={"ann": 1250.0, "Cid": 900.0},
        blocks={"Bob": "strong", "Ann": "weak"},
    )
    assert trial.names == ("Ann", "Bob")
    assert trial.n_players == 2
    assert (trial.player.tolist(), trial.variant.tolist()) == ([1, 0, 0], [1, 0, 1])
    assert trial.score.tolist() == [1.0, 0.5, 0.0]
    assert trial.is_black.tolist() == [True, False, True]
    assert trial.stratum.tolist() == [3, 0, 1]
    assert trial.games.tolist() == [[1.0, 1.0], [0.0, 1.0]]
    assert trial.started.tolist() == [[1, 1], [0, 2]]
    assert trial.ratings[0] == 1250.0 and math.isnan(trial.ratings[1])
    assert trial.blocks[0] != trial.blocks[1]
    # One finished game and one unfinished were played with another version: the unfinished one has no score to spoil.
    assert trial.misdealt == 1


def test_what_is_optional_may_be_missing():
    trial = read_trial(games_of(("Ann", "A", 1.0), ("Bob", "B", 0.0)))
    assert (trial.is_black, trial.ratings, trial.blocks, trial.misdealt) == (None, None, None, None)
    assert trial.stratum.tolist() == trial.player.tolist() == [0, 1]


@pytest.mark.parametrize(
    "spellings",
    [("Ann", " ann ", "ANN", "ann\n"), ("Straße", "STRASSE", "strasse"), ("Fela", "fela"), ("É", "É")],
    ids=str,
)
def test_spellings_are_one_player(spellings):
    trial = read_trial(games_of(*[(name, "A", 1.0) for name in spellings]))
    assert trial.names == (spellings[0].strip(),)


def test_a_dotted_capital_is_no_i():
    assert read_trial(games_of(("İ", "A", 1.0), ("i", "A", 1.0))).n_players == 2


@pytest.mark.parametrize(
    "column",
    [
        pd.Series([1, 0.5, 0.0, None], dtype=object),
        pd.Series([1, 0.5, 0.0, math.nan]),
        pd.Series([1, 0.5, 0.0, None], dtype="Float64"),
        pd.Series(["1", "0.5", "0", None]),
        pd.Series([1, 0.5, 0.0, pd.NA], dtype=object),
    ],
    ids=lambda column: str(column.dtype),
)
def test_scores_of_any_type(column):
    frame = pd.DataFrame({"player": list("abcd"), "variant": pd.Categorical(list("ABAB")), "score": column})
    trial = read_trial(frame)
    assert trial.score.tolist() == [1.0, 0.5, 0.0]
    assert trial.started.sum() == 4


def test_an_index_of_any_kind():
    frame = games_of(("Ann", "A", 1.0), ("Bob", "B", 0.0)).set_index(pd.Index([7, 7]))
    assert read_trial(frame).score.tolist() == [1.0, 0.0]


def test_some_of_the_games():
    trial = read_trial(
        games_of(
            ("Ann", "A", 1.0, "b"), ("Bob", "B", 0.0, "w"), ("Ann", "A", None, "w"), ("Cid", "A", 0.5, "w")
        ),
        ratings={"Ann": 1200.0},
    )
    rest = trial.without(0)
    assert (rest.names, rest.player.tolist()) == (trial.names, [1, 2])
    assert rest.started.tolist() == [[0, 0], [0, 1], [1, 0]]
    assert trial.first(1).is_black.tolist() == [True]
    assert trial.started.tolist() == [[2, 0], [0, 1], [1, 0]]


def test_the_first_games_keep_what_was_left_unfinished_before():
    """A test that ran on past its plan is judged by the games that were planned, unfinished and misdealt ones too."""
    rows = [("Ann", "A", 1.0, "b", "A"), ("Bob", "B", None, "w", "B"), ("Bob", "B", 0.0, "w", "B")]
    late = [("Cid", "A", None, "b", "A"), ("Ann", "B", 0.5, "w", "A"), ("Ann", "B", 0.5, "w", "A")]
    whole, early = read_trial(games_of(*rows, *late)), read_trial(games_of(*rows))
    cut = whole.first(2)
    assert (whole.misdealt, cut.misdealt) == (2, 0)
    assert cut.started[:2].tolist() == early.started.tolist() == [[1, 0], [0, 2]]
    assert whole.started.tolist() == [[1, 2], [0, 2], [1, 0]]
    assert cut.score.tolist() == early.score.tolist()


# ------------------------------------------------------------------ bad values

GOOD = ("Ann", "A", 1.0, "b", "A")


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (("Bob", "C", 1.0, "b", "A"), "variant of row 1 is 'C': allowed are 'A', 'B'"),
        (("Bob", "a", 1.0, "b", "A"), "variant of row 1 is 'a'"),
        (("Bob", None, 1.0, "b", "A"), "variant of row 1 is (nan|None)"),
        (("Bob", "A", 0.7, "b", "A"), "score of row 1 is 0.7: allowed are 1, 0.5 and 0, or none"),
        (("Bob", "A", 2, "b", "A"), "score of row 1 is 2.0: allowed"),
        (("Bob", "A", -0.5, "b", "A"), "score of row 1 is -0.5"),
        (("Bob", "A", math.inf, "b", "A"), "score of row 1 is inf"),
        (("Bob", "A", "won", "b", "A"), "score of row 1 is 'won'"),
        (("Bob", "A", 1.0, "black", "A"), "colour of row 1 is 'black': allowed are 'b', 'w'"),
        (("Bob", "A", 1.0, "b", None), "assigned of row 1 is (nan|None): allowed are 'A', 'B'"),
        ((None, "A", 1.0, "b", "A"), "player of row 1 is missing: a name is needed"),
        (("  ", "A", 1.0, "b", "A"), "player of row 1 is '  ': a name is needed"),
    ],
)
def test_bad_rows_are_named(row, message):
    with pytest.raises(ValueError, match=message):
        read_trial(games_of(GOOD, row))


@pytest.mark.parametrize("column", ["player", "variant", "score"])
def test_a_missing_column_is_named(column):
    with pytest.raises(ValueError, match=f"the games have no column '{column}'"):
        read_trial(games_of(GOOD).drop(columns=column))


def test_no_games():
    with pytest.raises(ValueError, match="there are no games"):
        read_trial(games_of(GOOD).iloc[:0])
    with pytest.raises(ValueError, match="no game of this test was finished"):
        read_trial(games_of(("Ann", "A", None), ("Bob", "B", None)))


@pytest.mark.parametrize(
    ("ratings", "message"),
    [
        ({"Ann": math.inf}, "rating of 'Ann' is inf: it must be a number"),
        ({"Ann": "1200"}, "rating of 'Ann' is '1200': it must be a number"),
        ({"Ann": 1200, " ann": 1300}, "rating of ' ann' is given twice: 1200 and 1300"),
    ],
)
def test_bad_ratings_are_named(ratings, message):
    with pytest.raises(ValueError, match=message):
        read_trial(games_of(GOOD), ratings=ratings)


@pytest.mark.parametrize("unknown", [None, math.nan, pd.NA])
def test_a_rating_may_be_unknown(unknown):
    assert math.isnan(read_trial(games_of(GOOD), ratings={"Ann": unknown, "ann ": unknown}).ratings[0])
    assert read_trial(games_of(GOOD), ratings=pd.Series({"Ann": 1200})).ratings.tolist() == [1200.0]


@pytest.mark.parametrize("blocks", [{"Bob": 1}, {"Ann": None}, {"Ann": math.nan}], ids=str)
def test_a_player_without_a_block_is_named(blocks):
    with pytest.raises(ValueError, match="no block is given for 'Ann'"):
        read_trial(games_of(GOOD), blocks=blocks)


def test_a_block_given_twice_is_named():
    with pytest.raises(ValueError, match="block of 'ANN' is given twice: 1 and 2"):
        read_trial(games_of(GOOD), blocks={"Ann": 1, "ANN": 2})


# ------------------------------------------------------------------ units


def test_units():
    between = read_trial(games_of(("Ann", "A", 1.0), ("Bob", "B", 0.0), ("Bob", "B", 1.0)))
    mixed = read_trial(games_of(("Ann", "A", 1.0), ("Bob", "B", 0.0), ("Bob", "A", 1.0)))
    within = mixed.without(0)
    assert find_unit(between) == ("between", 0, 2) and not find_unit(between).mixed
    assert find_unit(mixed) == ("within", 1, 2) and find_unit(mixed).mixed
    assert find_unit(within) == ("within", 1, 1) and not find_unit(within).mixed
    assert find_unit(mixed, design="between") == ("between", 1, 2)
    assert find_unit(between, design="within") == ("within", 0, 2)
    with pytest.raises(ValueError, match="design is 'hash': allowed are 'between' and 'within'"):
        find_unit(between, design="hash")


def test_an_unfinished_game_makes_nobody_a_player_of_both():
    trial = read_trial(games_of(("Ann", "A", 1.0), ("Ann", "B", None), ("Bob", "B", 0.0)))
    assert find_unit(trial) == ("between", 0, 2)


# ------------------------------------------------------------------ pairs


def test_pairs_of_a_player_by_colour():
    rows = [
        ("Ann", "A", 1.0, "b"),
        ("Bob", "B", 1.0, "b"),
        ("Ann", "A", 0.5, "w"),
        ("Ann", "B", 0.0, "b"),
        ("Ann", "B", 1.0, "w"),
        ("Bob", "A", 1.0, "b"),
        ("Bob", "A", 0.0, "b"),  # without a second
    ]
    differences, alternating = pair_differences(read_trial(games_of(*rows)))
    assert (sorted(differences), alternating) == ([-1.0, 0.0, 0.5], True)


def test_pairs_that_do_not_look_at_colours():
    rows = [("Ann", "A", 1.0, "b"), ("Ann", "B", 0.0, "w"), ("Ann", "A", 0.5, "b"), ("Ann", "B", 0.0, "w")]
    differences, alternating = pair_differences(read_trial(games_of(*rows)))
    assert (differences.tolist(), alternating) == ([-1.0, -0.5], True)


def test_a_pair_of_one_version_shows_that_versions_do_not_alternate():
    rows = [("Ann", "A", 1.0), ("Ann", "B", 0.0), ("Ann", "B", 0.5), ("Ann", "B", 0.0)]
    differences, alternating = pair_differences(read_trial(games_of(*rows)))
    assert (differences.tolist(), alternating) == ([-1.0], False)


def test_no_pairs():
    for rows in ([("Ann", "A", 1.0)], [("Ann", "A", 1.0), ("Bob", "B", 0.0)]):
        differences, alternating = pair_differences(read_trial(games_of(*rows)))
        assert (differences.tolist(), alternating) == ([], False)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from(["random", "fixed"]), st.booleans())
def test_pairs_as_they_are_dealt_are_found(seed, order, by_colour):
    """Games as `assign_alternating` deals them, players mixed: every pair is found, whatever is left over."""
    rng = np.random.default_rng(seed)
    played: dict[tuple, int] = {}
    rows, waiting, expected = [], {}, []
    for _ in range(60):
        name, colour, score = f"Player {rng.integers(4)}", "bw"[rng.integers(2)], rng.integers(0, 3) / 2
        key = (name, colour) if by_colour else (name,)
        number = played.get(key, 0)
        played[key] = number + 1
        version = assign_alternating("test", name + colour * by_colour, number, order=order)
        rows.append((name, version, score, colour))
        if key in waiting:
            first, its_score = waiting.pop(key)
            expected.append(score - its_score if first == "A" else its_score - score)
        else:
            waiting[key] = (version, score)
    differences, alternating = pair_differences(read_trial(games_of(*rows)))
    assert alternating
    assert sorted(differences) == sorted(expected)


def test_one_game_lost_does_not_change_how_pairs_are_made():
    """Paired by colour; with the last game of one player lost and another's first, colours still pair best."""
    rows = []
    for number in range(12):
        for colour in "bw":
            version = assign_alternating("test", f"Ann {colour}", number)
            rows.append(("Ann", version, (number % 3) / 2, colour))
    rows += [("Bob", "B", 1.0, "b"), ("Bob", "B", 0.0, "b")]
    differences, alternating = pair_differences(read_trial(games_of(*rows)))
    by_colour, _ = pair_differences(read_trial(games_of(*rows[:-2])))
    assert not alternating
    assert len(differences) == 12
    assert sorted(differences) == sorted(by_colour)
