"""Who is provisional, who is hidden, and what a day of reading changes: nothing."""

import numpy as np
import pytest

from ludometrics.ratings import EloSettings, Glicko1Settings, index_games, rate, standings

GROUP = Glicko1Settings(start=1000, start_deviation=180, growth=3, floor=45, ceiling=180)


def season(n=12, days=None):
    rng = np.random.default_rng(1)
    names = np.array(["Ann", "bob", "Cid", "Dan"])
    pairs = np.array([rng.choice(4, 2, replace=False) for _ in range(n)])
    outcomes = (pairs[:, 0] < pairs[:, 1]).astype(float)
    days = np.arange(n, dtype=float) if days is None else days
    return index_games(names[pairs[:, 0]], names[pairs[:, 1]], outcomes, times=days)


def test_provisional_by_information():
    games = season(40)
    record = rate(games, "glicko1", GROUP)
    table = standings(games.players, record, settings=GROUP)
    assert (table["provisional"] == (table["deviation"] ** 2 > 0.5 * 180**2)).all()
    assert not table["provisional"].any()
    assert standings(games.players, rate(games.part(slice(0, 2)), "glicko1", GROUP), settings=GROUP)[
        "provisional"
    ].all()


def test_four_even_duels_against_a_settled_field_establish():
    games = index_games(["new"] * 4, ["a", "b", "c", "d"], [0.5] * 4)
    from ludometrics.ratings import glicko1

    deviations = [180, 60, 60, 60, 60]
    record = glicko1.replay(games.pairs, games.outcomes, settings=GROUP, deviations=deviations)
    assert record.deviations[0] == pytest.approx(126.15, abs=0.01)
    assert not standings(games.players, record, settings=GROUP).loc["new", "provisional"]


def test_provisional_by_five_games_without_deviations():
    games = index_games(["Ann"] * 5, ["Bob"] * 4 + ["Cid"], [1] * 5)
    table = standings(games.players, rate(games, "elo"))
    assert table["provisional"].to_dict() == {"Ann": False, "Cid": True, "Bob": True}
    assert table["low"].isna().all()


def test_established_first_then_by_the_lower_bound_then_by_name():
    games = season(40)
    extra = index_games(
        [*np.array(games.players, dtype=object)[games.pairs[:, 0]], "Zoe"],
        [*np.array(games.players, dtype=object)[games.pairs[:, 1]], "Ann"],
        [*games.outcomes, 1],
    )
    table = standings(extra.players, rate(extra, "glicko1", GROUP), settings=GROUP)
    assert table.index[-1] == "Zoe" and table["provisional"].tolist() == [False] * 4 + [True]
    least = (table["rating"] - table["deviation"])[:4]
    assert (np.diff(least) <= 0).all() and table["rank"].tolist() == [1, 2, 3, 4, 5]
    equal = index_games(["b", "A"], ["A", "b"], [0.5, 0.5])
    assert standings(equal.players, rate(equal)).index.tolist() == ["A", "b"]


def test_the_interval_is_that_of_its_level():
    games = season()
    table = standings(games.players, rate(games, "glicko1", GROUP), settings=GROUP)
    assert (table["high"] - table["rating"]).to_numpy() == pytest.approx(
        1.6449 * table["deviation"], abs=0.01
    )


def test_absence_shows_and_reading_changes_nothing():
    """lichess issues 5426 and 3210: the stored deviation was shown as it was, the mark of provisional went stale."""
    games = season(30)
    record = rate(games, "glicko1", GROUP)
    kept = {name: getattr(record, name).copy() for name in ("ratings", "variances", "games", "last_times")}
    now = standings(games.players, record, settings=GROUP, as_of=29)
    later = standings(games.players, record, settings=GROUP, as_of=29 + 3650)
    assert (later["deviation"].sort_index() > now["deviation"].sort_index()).all()
    assert later["provisional"].all() and not now["provisional"].any()
    for name, values in kept.items():
        assert (getattr(record, name) == values).all()


def test_an_earlier_day_is_rated_from_the_games_until_then():
    games = season(30)
    record = rate(games, "glicko1", GROUP)
    with pytest.raises(ValueError, match="before the last game on day 29"):
        standings(games.players, record, settings=GROUP, as_of=10)
    then = games.until(10)
    table = standings(then.players, rate(then, "glicko1", GROUP), settings=GROUP, as_of=10)
    assert table["games"].sum() == 22


def test_removed_and_anonymous_players_stand_in_no_table():
    """odota/core issue 210 and others: the account that many people share led the table."""
    names = ["(removed)", "(Removed 3f)", "(anonymous)", "Ann", "secret", 7]
    games = index_games(names, ["Bob"] * 6, [1] * 6)
    table = standings(games.players, rate(games), hidden={"secret"})
    assert set(table.index) == {"Ann", "Bob", 7}
    assert sorted(table["rank"]) == [1, 2, 3]


def test_players_without_a_game_are_not_shown():
    games = index_games(["Ann"], ["Bob"], [1], players=["Idle"])
    assert "Idle" not in standings(games.players, rate(games)).index


def test_what_cannot_be_is_named():
    games = season()
    with pytest.raises(ValueError, match="3 players but 4 ratings"):
        standings(("a", "b", "c"), rate(games))
    with pytest.raises(ValueError, match="Elo knows no absence"):
        standings(games.players, rate(games, "elo"), as_of=100)
    with pytest.raises(ValueError, match="settings are EloSettings: glicko1 takes Glicko1Settings"):
        rate(games, "glicko1", EloSettings())
    with pytest.raises(ValueError, match="no rating system 'elf'"):
        rate(games, "elf")


def test_arguments_that_do_not_fit_are_named():
    games = season()
    record = rate(games, "glicko1", GROUP)
    with pytest.raises(ValueError, match="settings are EloSettings: the record is of Glicko-1"):
        standings(games.players, record, settings=EloSettings())
    with pytest.raises(ValueError, match="level"):
        standings(games.players, record, settings=GROUP, level=90)
    with pytest.raises(ValueError, match="as_of is nan"):
        standings(games.players, record, settings=GROUP, as_of=float("nan"))


def test_the_day_of_the_last_game_is_no_day_before_it():
    rng = np.random.default_rng(3)
    for _ in range(200):
        day = float(rng.uniform(0, 20_000))
        games = index_games(["a"], ["b"], [1], times=[day])
        standings(games.players, rate(games, "glicko2"), as_of=day)
