"""Levels measured and chosen, and the truth about players."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludometrics.draughts import Level, play_games
from ludometrics.provenance import named_stream
from ludometrics.simulation.ladder import Ladder, ladder_from, rate_levels_offline, select_levels
from ludometrics.simulation.presets import COURSE_PLAYERS, LADDERS
from ludometrics.simulation.truth import expected_scores, true_ratings, truth_table, versions

FEW = [Level(1, 0.8), Level(1, 0.3), Level(2, 0.6), Level(2, 0.3), Level(2, 0.1)]


def test_levels_are_rated_in_order_and_repeat():
    tables = [rate_levels_offline(FEW, 100, rng=np.random.default_rng(3), reference=FEW[3]) for _ in range(2)]
    table = tables[0]
    pd.testing.assert_frame_equal(*tables)
    assert table["rating"][3] == 1500 and table["error"][3] == 0
    assert table["rating"][2:].is_monotonic_increasing and (table["games"] == 400).all()
    # At depth 1 carelessness makes next to no difference: the two are within three standard errors.
    assert abs(table["rating"][0] - table["rating"][1]) < 3 * np.hypot(*table["error"][:2])


def test_neighbours_meet_fewer_opponents():
    table = rate_levels_offline(FEW, 40, rng=np.random.default_rng(3), reference=FEW[3], neighbours=1)
    assert table["games"].tolist() == [40, 80, 80, 80, 40]


@pytest.mark.parametrize(
    ("levels", "games", "message"),
    [
        (FEW[:2], 10, "must be among them"),
        ([FEW[0], FEW[0]], 10, "none may stand twice"),
        (FEW, 3, "games_per_pair is 3"),
    ],
)
def test_bad_measurements_are_named(levels, games, message):
    with pytest.raises(ValueError, match=message):
        rate_levels_offline(levels, games, rng=np.random.default_rng(1), reference=FEW[3])


@given(
    ratings=st.lists(st.floats(0, 1000), min_size=3, max_size=8, unique=True),
    data=st.data(),
)
def test_chosen_steps_are_the_most_even(ratings, data):
    count = data.draw(st.integers(2, len(ratings)))
    chosen = select_levels(ratings, count)
    values = np.array(ratings)[chosen]
    assert len(set(chosen)) == count and (np.diff(values) > 0).all()
    assert values[0] == min(ratings) and values[-1] == max(ratings)
    inner = sorted(ratings)[1:-1]
    best = min(
        np.sum(np.diff([min(ratings), *middle, max(ratings)]) ** 2)
        for middle in combinations(inner, count - 2)
    )
    assert np.sum(np.diff(values) ** 2) == pytest.approx(best)


def test_ends_can_be_given():
    ratings = [700, 800, 900, 1000, 1100, 1200]
    assert select_levels(ratings, 3, low=790, high=1010) == [1, 2, 3]
    with pytest.raises(ValueError, match="count is 4: between the ends stand 3"):
        select_levels(ratings, 4, low=800, high=1000)


def test_ladder_from_a_table():
    table = pd.DataFrame({"depth": [1, 2, 2], "chance": [0.8, 0.1, 0.5], "rating": [700.0, 1350.0, 1000.0]})
    ladder = ladder_from(table, [0, 2, 1])
    assert ladder.keys == ("l1", "l2", "l3") and ladder.levels[1] == Level(2, 0.5)
    assert ladder.ratings == (700, 1000, 1350)
    with pytest.raises(ValueError, match="weakest first"):
        ladder_from(table, [1, 0])


def test_presets_fit_together():
    nine, course = LADDERS["nine"], LADDERS["course"]
    assert course.variant_key in course.keys and nine.variant_key is None
    steps = np.diff(nine.ratings)
    assert len(nine.levels) == 9 and steps.min() > 95 and steps.max() < 150
    assert [name for name, _ in COURSE_PLAYERS] == sorted(name for name, _ in COURSE_PLAYERS)


def test_ladders_must_be_whole():
    with pytest.raises(ValueError, match="one for each"):
        Ladder(("1", "2"), (Level(1),), ("x", "y"))
    with pytest.raises(ValueError, match="go together"):
        Ladder(("1",), (Level(1),), ("x",), variant_key="1")
    with pytest.raises(ValueError, match="variant_key is '2'"):
        Ladder(("1",), (Level(1),), ("x",), variant_key="2", variant_b=Level(2))


def test_truth_table_counts_games():
    ladder = Ladder(("1", "2"), tuple(FEW[2:4]), ("x", "y"), (960.0, 1180.0), "2", Level(2, 0.2))
    players = [("Ann", Level(1, 0.5)), ("Bob", Level(2, 0.3))]
    table = truth_table(players, ladder, 60, rng=np.random.default_rng(1))
    assert len(table) == 2 * 3 * 2 and (table["wins"] + table["draws"] + table["losses"] == 60).all()
    assert [variant for _, variant, _ in versions(ladder)] == ["", "A", "B"]
    expected = expected_scores(table)
    assert expected["Ann", "1", ""] < 0.35 < 0.6 < expected["Bob", "1", ""]
    ratings = true_ratings(table, ladder)
    assert ratings["Bob"] - ratings["Ann"] > 200
    again = expected_scores(pd.read_csv(_csv(table), dtype={"level": str}))
    assert again.equals(expected)


def _csv(table):
    from io import StringIO

    return StringIO(table.to_csv(index=False))


def test_true_ratings_need_the_scale():
    with pytest.raises(ValueError, match="no ratings"):
        true_ratings(pd.DataFrame(), Ladder(("1",), (Level(1),), ("x",)))
    with pytest.raises(ValueError, match="no column 'player'"):
        expected_scores(pd.DataFrame())


@pytest.mark.slow
def test_the_ratings_of_the_nine_foretell_their_games():
    nine = LADDERS["nine"]
    for at in range(8):
        low, high = nine.levels[at], nine.levels[at + 1]
        n = 1500
        depths, chances = [low.depth, high.depth] * n, [low.chance, high.chance] * n
        results = play_games(
            depths,
            chances,
            depths[1:] + depths[:1],
            chances[1:] + chances[:1],
            rng=named_stream(1, f"check {at}"),
        )
        scores = np.where(np.arange(2 * n) % 2 == 0, results.outcomes, 1 - results.outcomes)
        foretold = 1 / (1 + 10 ** ((nine.ratings[at + 1] - nine.ratings[at]) / 400))
        # The scale is a compromise over six neighbours each, so a pair may be off by more than chance alone.
        assert scores.mean() == pytest.approx(foretold, abs=0.05), (low, high)
