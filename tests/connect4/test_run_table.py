"""What a table of runs must be, and what is said of one that is not."""

import numpy as np
import pandas as pd
import pytest

from arena_rows import row, rows_of
from ludometrics.connect4.run_table import COLUMNS, CONDITIONS, PAIRING, STANDARD, Condition, check_runs


def test_the_pairings_are_those_of_the_arena():
    pytest.importorskip("bitbully")
    from ludometrics.connect4.arena import TABLE_COLUMNS, pairings

    assert [tuple(one) for one in STANDARD] == [(one.opponent, one.error, one.side) for one in pairings()]
    assert len(CONDITIONS) == 22
    assert set(COLUMNS) - {"recipe", "run", "step", "moves"} <= set(TABLE_COLUMNS)


def test_rows_come_in_one_order_whatever_it_was():
    own = Condition("stranger", 0.0, "first")
    rows = pd.concat(
        [
            rows_of([1, 2], pairing=one, step=step, recipe=name)
            for name in ("b", "a")
            for step in (1000, 200)
            for one in (own, *STANDARD)
        ]
    )
    mixed = rows.sample(frac=1.0, random_state=1)
    found = check_runs(mixed.assign(seed=1))
    assert list(found.columns) == list(COLUMNS)
    pd.testing.assert_frame_equal(found, check_runs(rows))
    first = found.iloc[: 2 * 25]
    assert set(first["recipe"]) == {"a"} and set(first["step"]) == {200}
    assert list(first[list(PAIRING)].iloc[::2].itertuples(index=False, name=None)) == [
        *map(tuple, STANDARD),
        tuple(own),
    ]
    assert first["run"].tolist() == [0, 1] * 25


@pytest.mark.parametrize(
    "change, said",
    [
        (
            {"won": 11},
            "recipe 'own', run 1, step 200, perfect first: 11 won, 0 drawn and 3 lost are not 10 games",
        ),
        (
            {"games": 0, "won": 0, "lost": 0},
            "run 1, step 200, perfect first: 0 won, 0 drawn and 0 lost are not 1",
        ),
        ({"forfeits": 4}, "run 1, step 200, perfect first: 4 forfeits are more than 3 lost"),
        ({"won": -1}, "row 3 of the table of runs: won is -1, a whole number from 0"),
        ({"won": 6.5}, "row 3 of the table of runs: won is 6.5, a whole number from 0"),
        ({"won": "many"}, "row 3 of the table of runs: won is 'many', a whole number from 0"),
        ({"error": 1.5}, "row 3 of the table of runs: error is 1.5, a probability"),
        ({"side": "left"}, "row 3 of the table of runs: side is 'left', 'first' or 'second'"),
        ({"recipe": 7}, "row 3 of the table of runs: recipe is 7, a text"),
        ({"step": None}, "row 3 of the table of runs: step is empty"),
        ({"moves": 1}, "run 1, step 200, perfect first: 1 moves, but 10000 elsewhere at step 200"),
        ({"run": 0}, "recipe 'own', run 0, step 200, perfect first: the row stands twice"),
        (
            {"opponent": "depth 1"},
            "recipe 'own', run 0, step 200, depth 1 first: there is no such row, but run 1 has it",
        ),
        (
            {"step": 300},
            "recipe 'own', run 1, step 200, perfect first: there is no such row, but run 0 has it",
        ),
    ],
    ids=lambda value: "-".join(f"{k}-{v}" for k, v in value.items()) if isinstance(value, dict) else "",
)
def test_a_wrong_row_is_named(change, said):
    rows = [row(run, 7, step=step) for step in (100, 200) for run in (0, 1)]
    rows[3] |= change
    with pytest.raises(ValueError, match=".*" + said.replace("(", r"\(")):
        check_runs(pd.DataFrame(rows, dtype=object))


def test_no_rows_and_no_columns_are_refused():
    with pytest.raises(ValueError, match="has no rows"):
        check_runs(pd.DataFrame(columns=list(COLUMNS)))
    with pytest.raises(ValueError, match="lacks run, won; it needs recipe, run"):
        check_runs(rows_of([1]).drop(columns=["run", "won"]))


def test_recipes_may_have_other_runs_steps_and_pairings():
    rows = pd.concat([rows_of([1, 2]), rows_of([3], recipe="b", step=700, pairing=STANDARD[3])])
    assert len(check_runs(rows)) == 3


def test_the_table_given_is_left_as_it_is():
    rows = rows_of([1, 2]).astype({"won": float})
    before = rows.copy()
    assert check_runs(rows)["won"].dtype == np.int64
    pd.testing.assert_frame_equal(rows, before)
