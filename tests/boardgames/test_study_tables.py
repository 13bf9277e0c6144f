"""Tables for notebooks: standings beside the truth, histories that end in the standings, guests kept and dropped."""

import numpy as np
import pytest

from ludometrics.boardgames.engine import rate_log
from ludometrics.boardgames.settings import preset
from ludometrics.boardgames.study_tables import (
    guests_table,
    history_table,
    read_strengths,
    standings_table,
)
from small_logs import GUEST, make_log, make_play, random_log


@pytest.fixture(scope="module")
def rated():
    return rate_log(random_log(np.random.default_rng(9), plays=60), preset("tuned"))


@pytest.fixture(scope="module")
def labels(rated):
    return {key: person.name for key, person in rated.log.people.items()}


def test_standings_hold_everybody_once_with_the_truth_shifted(rated, labels):
    strengths = {key: 3000.0 + 10.0 * place for place, key in enumerate(rated.ratings.people)}
    table = standings_table(rated, labels, strengths)
    assert table["place"].tolist() == list(range(1, 8)) and sorted(table["player"]) == sorted(
        labels[key] for key in rated.ratings.people
    )
    off = np.average(table["rating"] - table["strength"], weights=table["plays"])
    assert off == pytest.approx(0.0, abs=1e-9)
    assert np.ptp(table["strength"]) == pytest.approx(60.0)
    assert standings_table(rated, labels)["strength"].isna().all()


def test_histories_end_where_the_ratings_do(rated, labels):
    table = history_table(rated, labels)
    last = table.groupby("player").last()
    for place, key in enumerate(rated.ratings.people):
        assert last.loc[labels[key], "rating"] == rated.ratings.rating[place]
        assert last.loc[labels[key], "step"] == rated.ratings.plays[place]
    assert (table.groupby("player")["hours"].diff().dropna() >= 0).all()
    assert len(history_table(rate_log(make_log([]), preset("tuned")), {})) == 0


def test_guests_kept_and_dropped():
    seats = [("ann", 1), ("bob", 2), (GUEST, 3)]
    log = make_log([make_play(1, "go", seats), make_play(2, "go", [("cid", 1), (GUEST, 2)], hours=1)])
    rated = rate_log(log, preset("tuned"))
    table = guests_table(rated, {"ann": "Ann", "bob": "Bob", "cid": "Cid"}).set_index("player")
    assert table["met"].tolist() == [1, 1, 1]
    assert table.loc["Bob", "rating_unknown"] == 1000.0 > table.loc["Bob", "rating_drop"]
    assert np.isnan(table.loc["Cid", "rating_drop"]) and table.loc["Cid", "plays_unknown"] == 1


def test_strengths_are_read_by_key(tmp_path):
    path = tmp_path / "strengths.csv"
    path.write_text("name,uuid,strength\nAnn,AB-1,1010.5\n", encoding="utf-8")
    assert read_strengths(path) == {"ab-1": 1010.5}
    path.write_text("name,uuid,strength\nAnn,AB-1,much\n", encoding="utf-8")
    with pytest.raises(ValueError, match="row 2: strength is 'much'"):
        read_strengths(path)
    path.write_text("name,strength\nAnn,1\n", encoding="utf-8")
    with pytest.raises(ValueError, match="there is no column uuid"):
        read_strengths(path)
