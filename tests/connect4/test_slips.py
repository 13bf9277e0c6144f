"""An agent's moves against perfect play, on games worked out by hand."""

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("bitbully")

from ludometrics.connect4.network import new_network
from ludometrics.connect4.patterns import draw_patterns
from ludometrics.connect4.slips import TRACE_COLUMNS, replay, shared_positions, slip_table, trace_games

PERFECT = ("perfect", 0.0, "first")


def games_of(*rows):
    return pd.DataFrame(rows, columns=["opponent", "error", "side", "game", "moves", "result"])


@pytest.fixture(scope="module")
def network():
    return new_network(draw_patterns(3, 3, rng=np.random.default_rng(2)))


def test_slips_by_hand(network):
    # On the empty board only the middle column wins; 2 and 4 draw, the others lose. After 0 Yellow has nothing left to
    # give away; after 2 (a draw) the answer decides.
    games = games_of((*PERFECT, 0, "0", 0.0), (*PERFECT, 1, "2", 0.5), (*PERFECT, 2, "3", 1.0))
    trace = trace_games(games, network)
    assert list(trace) == TRACE_COLUMNS
    assert trace[["column", "truth_before", "truth_after", "slip"]].values.tolist() == [
        [0, 1, -1, True],
        [2, 1, 0, True],
        [3, 1, 1, False],
    ]
    # Red's answers to 3: none saves the game, so none is a slip; the agent's own moves only are looked at.
    second = trace_games(games_of(("perfect", 0.1, "second", 0, "30", 0.0)), network)
    assert second[["ply", "column", "truth_before", "truth_after", "slip"]].values.tolist() == [
        [1, 0, -1, -1, False]
    ]


def test_sums_and_intervals_over_games(network):
    games = games_of(
        *((*PERFECT, number, "0" if number < 3 else "3", float(number >= 3)) for number in range(12))
    )
    table = slip_table(trace_games(games, network), replicates=500, rng=np.random.default_rng(1))
    (row,) = table.to_dict("records")
    assert (row["moves"], row["n"], row["slips"], row["first_slip"]) == (12, 12, 0.25, 0)
    assert 0 <= row["slips_low"] < 0.25 < row["slips_high"] < 0.6
    # A network that knows nothing gives 0 where the truth is 1 or -1.
    assert row["value_error"] == pytest.approx(1) == row["value_error_low"]
    clean = slip_table(trace_games(games[3:], network), replicates=50, rng=np.random.default_rng(1))
    assert clean["slips"].tolist() == [0] and clean["first_slip"].isna().all()


def test_known_ground():
    games = games_of((*PERFECT, 0, "334", 1.0), (*PERFECT, 1, "30", 0.0))
    table = shared_positions(games, ["3355"])
    assert table[["ply", "known", "n"]].values.tolist() == [[0, 1, 2], [1, 1, 2], [2, 0.5, 2], [3, 0, 1]]


def test_replays_refuse_what_is_no_game():
    with pytest.raises(ValueError, match="move 1 of '37' is '7': columns are 0 to 6"):
        replay("37")
    with pytest.raises(ValueError, match="move 6 of '3333333': column 3 is full"):
        replay("3333333")
