"""Losses of many settings on the same pairs: what is compared, what is left out, and what counts once."""

from dataclasses import replace

import numpy as np
import pytest

from ludometrics.boardgames.engine import rate_log
from ludometrics.boardgames.judging import score_pairs
from ludometrics.boardgames.loss_tables import Replays, compare_settings, loss_table, tabulate_pairs
from ludometrics.boardgames.records import Game, Seat
from ludometrics.boardgames.settings import EngineSettings
from ludometrics.boardgames.weights import game_weights
from ludometrics.evaluation import compare, log_loss
from small_logs import GUEST, make_log, make_play, random_log, ranked_log

BASE = EngineSettings()
OTHER = {
    "prior": replace(BASE, deviation=90.0),
    "guests": replace(BASE, guests="drop"),
    "skip": replace(BASE, unresolved="skip"),
    "margin": replace(BASE, use_margin=False),
}


def seeded(seed=1):
    return np.random.default_rng(seed)


def replays_of(log, skill=None):
    return Replays(log, game_weights(log.games, BASE, skill=skill or {key: 0.1 for key in log.games}))


def random_replays(seed=3, **options):
    log = random_log(seeded(seed), plays=60, **options)
    return replays_of(log, {key: place / 4 for place, key in enumerate(log.games)})


def cooperative_log():
    """Two contests and between them a play of a cooperative game that has an order all the same."""
    team = Game("coop", "Together", cooperative=True)
    plays = [
        make_play(n, game, [("a", 1), ("b", 2), ("c", 3)], hours=24 * n)
        for n, game in enumerate(["go", "coop", "go"])
    ]
    return make_log(plays, games=[team])


def by_hand(replays, settings):
    group = rate_log(replays.log, settings, weights=replays.weights)
    return score_pairs(group.schedule, group.ratings)


@pytest.mark.parametrize("name", list(OTHER))
def test_a_replay_is_what_rating_the_log_gives(name):
    replays = random_replays(guests=0.2)
    replays.pairs(BASE)  # whatever was rated before
    found, expected = replays.pairs(OTHER[name]), by_hand(replays, OTHER[name])
    for field in ("play", "day", "pair", "forecast", "outcome", "earlier"):
        assert getattr(found, field).tolist() == getattr(expected, field).tolist()


@pytest.mark.parametrize("name", ["owner_experience", "new_player_resets"])
def test_a_replay_knows_who_is_new_to_a_game_under_each_setting(name):
    """The owner has eight plays behind the log, and is marked as new in each play all the same."""
    duels = [Seat("a", rank=1, new_player=True), Seat("b", rank=2)]
    log = make_log(
        [make_play(n, "go", duels, hours=24 * n) for n in range(6)], games=[Game("go", "Go", played_before=8)]
    )
    replays, other = replays_of(replace(log, owner="a")), replace(BASE, **{name: True})
    base = replays.pairs(BASE).forecast
    found = replays.pairs(other).forecast
    assert found.tolist() == by_hand(replays, other).forecast.tolist()
    assert found[0] == base[0] and (found[2:] != base[2:]).all()


def test_replays_take_plays_of_an_edition_for_plays_of_the_game():
    plays = [make_play(n, game, [("a", 1), ("b", 2)], hours=n) for n, game in enumerate(["old", "new"])]
    log = make_log(plays)
    replays = Replays(log, game_weights(log.games, BASE), {"new": "old"})
    assert replays.schedule(BASE).experience.tolist() == [0, 0, 1, 1]


def test_a_rated_log_is_replayed_with_its_weights():
    replays = random_replays()
    group = rate_log(replays.log, BASE, weights=replays.weights)
    again = Replays.of(group)
    assert again.schedule(BASE) is group.schedule
    assert again.pairs(OTHER["prior"]).forecast.tolist() == replays.pairs(OTHER["prior"]).forecast.tolist()


def test_losses_are_those_of_each_setting_on_decisive_pairs():
    replays = random_replays()
    table = loss_table(replays, {"base": BASE, **OTHER})
    assert table.names == ("base", *OTHER) and table.losses.shape == (table.n_pairs, 5)
    expected = by_hand(replays, OTHER["margin"])
    decisive = expected.outcome != 0.5
    assert (
        table.losses[:, 4].tolist()
        == log_loss(expected.forecast[decisive], expected.outcome[decisive]).tolist()
    )
    assert table.left_out["margin"] == (~decisive).sum() > 0
    whole = loss_table(replays, {"base": BASE}, decisive=False)
    assert whole.n_pairs == len(expected) and whole.left_out == {"base": 0}
    late = loss_table(replays, {"base": BASE}, least_earlier=3)
    assert late.n_pairs == (decisive & (expected.earlier >= 3)).sum()


def test_what_one_setting_does_not_forecast_is_not_compared():
    replays = replays_of(cooperative_log())
    strict, lax = BASE, replace(BASE, gate=False)
    table = loss_table(replays, {"strict": strict, "lax": lax})
    assert table.play.tolist() == [0, 0, 0, 2, 2, 2] and table.left_out == {"strict": 0, "lax": 3}
    # Each has learned from all that it rates.
    assert table.losses[:3, 0].tolist() == table.losses[:3, 1].tolist()
    assert (table.losses[3:, 1] < table.losses[3:, 0]).all()
    turned = loss_table(replays, {"lax": lax, "strict": strict})
    assert turned.losses[:, ::-1].tolist() == table.losses.tolist()


def test_pairs_are_matched_by_name_and_outcome():
    pairs = by_hand(random_replays(), BASE)
    few = pairs.only(np.arange(len(pairs))[::-2])
    changed = replace(few, outcome=np.where(few.play == few.play[0], 0.5, few.outcome))
    table = tabulate_pairs({"all": pairs, "few": changed}, decisive=False)
    kept = np.isin(pairs.pair, few.pair) & ((pairs.play != few.play[0]) | (pairs.outcome == 0.5))
    assert table.play.tolist() == pairs.play[kept].tolist()
    assert table.losses[:, 0].tolist() == table.losses[:, 1].tolist()
    assert table.left_out == {"all": len(pairs) - kept.sum(), "few": len(few) - kept.sum()}


def test_a_play_counts_once_by_the_mean_of_its_pairs():
    table = loss_table(random_replays(), {"base": BASE, **OTHER})
    losses, plays, days = table.rows("play")
    assert (
        len(losses) == table.n_plays == len(np.unique(table.play))
        and plays.tolist() == np.unique(table.play).tolist()
    )
    for row, play in enumerate(plays):
        assert losses[row] == pytest.approx(table.losses[table.play == play].mean(axis=0))
        assert days[row] == table.day[table.play == play][0]
    assert table.rows("pair")[0] is table.losses
    assert table.units("play", "day").tolist() == days.tolist()
    assert table.columns("play")["prior"].tolist() == losses[:, 1].tolist()


@pytest.mark.parametrize("unit", ["play", "day"])
@pytest.mark.parametrize("weighting", ["play", "pair"])
def test_comparisons_are_paired_and_by_units(unit, weighting):
    table = loss_table(random_replays(), {"base": BASE, **OTHER})
    options = {"unit": unit, "weighting": weighting, "replicates": 50}
    found = compare_settings(table, "base", **options, rng=seeded()).set_index("setting")
    columns = table.columns(weighting)
    pair = columns["prior"], columns["base"]
    expected = compare(*pair, units=table.units(weighting, unit), replicates=50, rng=seeded())
    assert found.loc["prior", ["difference", "low", "high", "n", "verdict"]].tolist() == list(expected)
    assert found.loc["prior", "loss"] == pytest.approx(columns["prior"].mean())
    assert (found["plays"] == table.n_plays).all() and (found["pairs"] == table.n_pairs).all()


def test_a_factor_at_its_mean_is_the_same_in_all_plays():
    replays = random_replays()
    schedule = replays.schedule(BASE)
    filled = rate_log(replays.log, BASE, weights=replays.weights).schedule
    means = {"weight": filled.weight.mean(), "duration": filled.duration.mean()}
    # With one weight for all games, W may as well be that constant.
    constant = replace(BASE, weight_base=float(means["weight"]), weight_complexity=0.0, weight_skill=0.0)
    assert np.ptp(filled.weight) > 0.1 and schedule.games == filled.games
    flat = replays.pairs(BASE, at_mean="weight")
    assert flat.forecast == pytest.approx(replays.pairs(constant).forecast, abs=1e-12)
    assert flat.forecast.tolist() != replays.pairs(BASE).forecast.tolist()
    for factor in ("confidence", "duration", "margin"):
        assert replays.pairs(BASE, at_mean=factor).forecast.tolist() != replays.pairs(BASE).forecast.tolist()


def test_a_factor_that_never_differs_is_at_its_mean_already():
    replays = replays_of(ranked_log("abc", "abc", "bca"))
    for factor in ("weight", "duration", "margin"):
        found = replays.pairs(BASE, at_mean=factor).forecast
        assert found == pytest.approx(replays.pairs(BASE).forecast, abs=1e-12)


def test_a_margin_at_its_mean_is_that_mean():
    """Gaps far beyond the spread all have the full margin of 1.2, so that the mean is 1.2 and changes nothing."""
    scores = [("9", "1"), ("1", "9"), ("1", "9"), ("9", "1"), ("1", "9"), ("9", "1"), ("9", "1")]
    plays = [make_play(n, "go", [("a", a), ("b", b)], hours=24 * n) for n, (a, b) in enumerate(scores)]
    replays, full = replays_of(make_log(plays)), replace(BASE, margin_full=0.1)
    assert replays.pairs(full, at_mean="margin").forecast.tolist() == replays.pairs(full).forecast.tolist()
    none = replays.pairs(replace(BASE, use_margin=False)).forecast
    assert (replays.pairs(full).forecast != none).sum() == 3  # from the third play on there is a margin


def test_margins_that_differ_have_their_mean_over_the_pairs_that_have_one():
    """After two plays that set the spread: margins of 0.8 + 0.4 x 8 / (3 s), and nearly 0.8 for a gap of 1 after it."""
    scores = [("9", "1", "5"), ("1", "9", "5"), ("1", "9", ""), ("9", "8", ""), ("1", "9", "")]
    plays = [
        make_play(n, "go", [row for row in zip("abc", table, strict=True) if row[1]], hours=24 * n)
        for n, table in enumerate(scores)
    ]
    replays = replays_of(make_log(plays))
    books = [9, 1, 5, 1, 9, 5], [9, 1, 5, 1, 9, 5, 1, 9], [9, 1, 5, 1, 9, 5, 1, 9, 9, 8]
    told = [0.8 + 0.4 * gap / (3 * np.std(book, ddof=1)) for gap, book in zip((8, 1, 8), books, strict=True)]
    level = replace(BASE, margin_low=float(np.mean(told)), margin_high=float(np.mean(told)))
    found = replays.pairs(BASE, at_mean="margin").forecast
    assert found == pytest.approx(replays.pairs(level).forecast, abs=1e-12)
    assert abs(np.mean(told) - np.median(told)) > 0.01 and abs(np.mean(told) - 1.0) > 0.01


def test_skill_can_be_put_in_the_place_of_the_games():
    replays = random_replays()
    games = replays.schedule(BASE).games
    turned = {key: 1.0 - replays.weights[key].skill for key in games}
    other = replays_of(replays.log, turned)
    found = replays.pairs(BASE, skill=np.array([turned[key] for key in games]))
    assert found.forecast.tolist() == other.pairs(BASE).forecast.tolist()
    assert found.forecast.tolist() != replays.pairs(BASE).forecast.tolist()


def test_what_cannot_be_compared_is_told():
    with pytest.raises(ValueError, match="there are no settings"):
        loss_table(random_replays(), {})
    with pytest.raises(ValueError, match="no pair is forecast under all of 'base', 'more'"):
        loss_table(replays_of(ranked_log(["a", GUEST])), {"base": BASE, "more": OTHER["prior"]})
    with pytest.raises(ValueError, match="at_mean is 'skill'"):
        random_replays().pairs(BASE, at_mean="skill")
    table = loss_table(random_replays(), {"base": BASE})
    for call in (lambda: table.rows("seat"), lambda: table.units("play", "week")):
        with pytest.raises(ValueError, match="allowed are"):
            call()
