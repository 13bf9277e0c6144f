"""Rows of the payload, by hand."""

import pytest

from ludometrics.boardgames.engine import rate_log
from ludometrics.boardgames.naming import order_of_appearance
from ludometrics.boardgames.payload_labels import Labels
from ludometrics.boardgames.payload_rows import player_rows
from ludometrics.boardgames.settings import EngineSettings
from ludometrics.boardgames.standings import standings
from ludometrics.boardgames.stats import appearances
from small_logs import ranked_log


def rows_of(log):
    rated = rate_log(log, EngineSettings())
    labels = Labels(log, "real", tuple(order_of_appearance(log)), tuple(log.games))
    return {row["name"]: row for row in player_rows(rated, labels, standings(rated), appearances(rated))}


def test_a_share_of_pairs_is_as_sure_as_its_plays_are_many():
    """Wilson's interval of 10 plays, z = 1.96, of tables of four with 30 pairs of each: the pairs share their luck."""
    rows = rows_of(ranked_log(*["abcd"] * 10))
    bounds = {"A": (1.0, 0.7225, 1.0), "B": (2 / 3, 0.3678, 0.8730), "D": (0.0, 0.0, 0.2775)}
    for name, wanted in bounds.items():
        row = rows[name]
        assert (row["pairs"], row["plays_rated"]) == (30, 10)
        found = row["pair_score"], row["pair_score_low"], row["pair_score_high"]
        assert found == pytest.approx(wanted, abs=5e-5)
