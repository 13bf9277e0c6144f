"""Match equity tables: published values, Zadeh's recursion, slopes, other tables by file."""

import numpy as np
import pandas as pd
import pytest

from ludometrics.backgammon.equity_table import (
    equity_table,
    match_chances,
    pricing_table,
    read_equity_table,
    score_slopes,
)
from made_matches import cases

CASES = cases("equity_cases")
TABLE, ZADEH = equity_table(), equity_table("zadeh")
PRINTED = 5.1e-7  # the values are printed with six decimals


@pytest.mark.parametrize("case", CASES["slopes"], ids=lambda case: case["desc"])
def test_slopes_at_scores_that_were_computed_elsewhere(case):
    got = score_slopes(TABLE, [case["away"][0]], [case["away"][1]], [case["cube"]], [case["post"]])
    assert got[0] == pytest.approx(case["slope"], abs=PRINTED)


@pytest.mark.parametrize("case", CASES["examples"], ids=lambda case: case["desc"])
def test_loss_of_the_published_examples(case):
    slope = score_slopes(TABLE, [case["away"][0]], [case["away"][1]], [1], [False])[0]
    assert round(100 * case["error"] * slope, 3) == pytest.approx(case["percent"], abs=5e-4)


@pytest.mark.parametrize("case", CASES["zadeh"], ids=lambda case: "{}-away {}-away".format(*case["away"]))
def test_zadeh_beyond_the_table(case):
    assert float(match_chances(TABLE, *case["away"])) == pytest.approx(case["chance"], abs=7e-7)


def test_zadeh_after_crawford():
    np.testing.assert_allclose(ZADEH.post[1:9], CASES["zadeh_post"], atol=6e-7)


def test_the_two_tables_differ_by_a_hundredth_at_most():
    gap = np.abs(TABLE.pre[1:26, 1:26] - ZADEH.pre[1:26, 1:26]).max()
    assert gap == pytest.approx(CASES["largest_difference_of_the_tables"], abs=5e-5)


@pytest.mark.parametrize("table", [TABLE, ZADEH], ids=lambda table: table.name)
def test_chances_of_both_add_up_and_rise_with_the_lead(table):
    inner = table.pre[1:, 1:]
    np.testing.assert_allclose(inner + inner.T, 1, atol=1e-12)
    assert (np.diff(table.pre, axis=0) <= 1e-12).all()
    assert (np.diff(table.pre[1:], axis=1) >= -1e-12).all()
    assert (np.diff(table.post) <= 0).all()


def test_the_table_keeps_its_own_value_25_away_after_crawford():
    assert TABLE.post[25] == 0.00123  # blunderDB and GNU Backgammon use Zadeh's 0.000888 there
    assert TABLE.post[26] == ZADEH.post[26]


def test_who_has_the_points_has_won():
    assert float(match_chances(TABLE, 0, 3)) == float(match_chances(TABLE, -2, 5)) == 1
    assert float(match_chances(TABLE, 3, 0)) == float(match_chances(TABLE, 5, -2)) == 0


def test_before_crawford_one_away_is_worth_the_crawford_game():
    assert float(match_chances(TABLE, 1, 5)) == TABLE.pre[1, 5]
    assert float(match_chances(TABLE, 1, 5, post_crawford=True)) == 1 - TABLE.post[5]
    assert float(match_chances(TABLE, 5, 1, post_crawford=True)) == TABLE.post[5]
    assert TABLE.pre[5, 1] != TABLE.post[5]


def test_one_away_without_flags_is_after_crawford():
    # Either is one away and the game is not the Crawford game: it has been played.
    assert score_slopes(TABLE, [3], [1], [1], [False])[0] == pytest.approx(0.244015, abs=PRINTED)
    assert score_slopes(TABLE, [1], [3], [1], [False])[0] == pytest.approx(0.244015, abs=PRINTED)


def test_money_and_a_dead_cube_price_nothing():
    slopes = score_slopes(TABLE, [0, 3], [0, 0], [1, 1], [False, False])
    assert np.isnan(slopes[0])
    assert np.isnan(score_slopes(TABLE, [0], [0], [4], [False])[0])


def test_a_table_of_ones_own(tmp_path):
    path = tmp_path / "coin.csv"
    size = 3
    cells = np.full((size, size), 0.5)
    frame = pd.DataFrame(cells, columns=[str(k) for k in range(1, size + 1)])
    frame.insert(0, "away", ["1", "2", "3"])
    frame.loc[size] = ["post", 0.5, 0.4, 0.3]
    frame.to_csv(path, index=False)
    table = read_equity_table(path)
    assert table.name == "coin"
    assert table.pre[2, 3] == 0.5 and table.post[3] == 0.3
    assert table.pre[4, 3] == ZADEH.pre[4, 3]
    assert pricing_table(str(path)).pre[2, 3] == 0.5


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no match equity table"),
        ("away,1,2\n1,0.5,0.6\n2,0.4,0.5\n", "rows are"),
        ("away,1,3\n1,0.5,0.6\n3,0.4,0.5\npost,0.5,0.4\n", "columns are"),
        ("away,1,2\n1,0.5,0.7\n2,0.4,0.5\npost,0.5,0.4\n", "do not add up"),
        ("away,1,2\n1,0.5,1.6\n2,-0.6,0.5\npost,0.5,0.4\n", "outside 0 to 1"),
        ("away,1,2\n1,0.5,\n2,0.4,0.5\npost,0.5,0.4\n", "missing"),
        ("away,1,2\n1,0.5,x\n2,0.4,0.5\npost,0.5,0.4\n", "no match equity table"),
    ],
)
def test_a_bad_table_is_refused_by_name(tmp_path, text, says):
    path = tmp_path / "bad.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=says) as caught:
        read_equity_table(path)
    assert "bad.csv" in str(caught.value)


def test_no_such_table():
    with pytest.raises(ValueError, match="allowed are kazaross-xg2, zadeh"):
        equity_table("snowie")


def test_a_match_too_long_for_the_table():
    with pytest.raises(ValueError, match="65 points away"):
        match_chances(TABLE, 65, 3)
