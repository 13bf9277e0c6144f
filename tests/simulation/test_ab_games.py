"""Simulated A/B tests: what is played, who gets which version, and that the table stands for real games."""

from dataclasses import replace

import numpy as np
import pytest

from ludometrics.abtest import assign_by_hash
from ludometrics.matching import choose_level
from ludometrics.provenance import read_table, replication_streams
from ludometrics.ratings import PosteriorSettings, elo, posterior
from ludometrics.simulation.ab_days import (
    BY_COIN,
    BY_GROUP,
    IN_FIXED_TURN,
    IN_TURN,
    play_days,
)
from ludometrics.simulation.ab_games import (
    COURSE_GROUPS,
    lognormal_scale,
    posterior_means,
    simulate_ab,
    simulate_many,
)
from ludometrics.simulation.ab_settings import PRESETS, ABSettings, preset, with_truth
from ludometrics.simulation.draughts_days import DaysSettings, level_games, simulate_days
from ludometrics.simulation.outcome_tables import (
    COURSE_TYPES,
    Outcomes,
    load_outcomes,
    true_scores,
    version_index,
)
from ludometrics.simulation.presets import COURSE_PLAYERS, LADDERS

OUTCOMES = load_outcomes(read_table("results/draughts_outcomes/outcomes.csv"))
EIGHT, GROUPS = np.array(COURSE_TYPES), np.array(COURSE_GROUPS)
B = version_index("course")
TURNS = {"group": BY_GROUP, "coin": BY_COIN, "turn": IN_TURN, "fixed turn": IN_FIXED_TURN}
#: Standard errors by which a mean may be off: one comparison in 16,000, and seeds are fixed.
FAR = 4.0


def run(settings, seed=1):
    return simulate_ab(settings, OUTCOMES, rng=np.random.default_rng(seed))


def days(seed=1, turn=BY_GROUP, types=EIGHT, **options):
    groups = np.arange(len(types)) % 2
    rng = np.random.default_rng(seed)
    return play_days(types, groups, OUTCOMES, version_b=B, turn=turn, rng=rng, **options)


def same(one, other):
    pairs = zip(one, other, strict=True)
    return all((a is None and b is None) or (a.dtype == b.dtype and np.array_equal(a, b)) for a, b in pairs)


@pytest.mark.parametrize("turn", TURNS.values(), ids=TURNS)
def test_the_plain_twin_plays_the_same_days(turn):
    for seed, types in enumerate((EIGHT, np.arange(24), np.array([0, 23]))):
        assert same(days(seed, turn, types), days(seed, turn, types, compiled=False))


def test_what_is_played():
    log = days(types=np.arange(24))
    assert np.bincount(log.day)[1:].tolist() == [24 * 4] * 10 + [24 * 3] * 10
    assert (log.player.reshape(-1, 24) == np.arange(24)).all()  # everybody's first game, then the second ...
    people = log.opponent < 24
    assert people.sum() == 240 and log.day[people].max() == 10 and (log.opponent != log.player).all()
    assert ((log.variant >= 0) == (log.opponent == 25)).all()
    level = log.opponent[(log.day <= 10) & ~people] - 24
    shares = np.bincount(level, minlength=3) / len(level)
    assert np.abs(shares - 1 / 3).max() < FAR * np.sqrt(2 / 9 / len(level))
    assert abs(log.is_black.mean() - 0.5) < FAR * 0.5 / np.sqrt(len(log.is_black))
    met = np.zeros((24, 24), dtype=int)
    for seed in range(60):
        own = days(seed, types=np.arange(24))
        challenge = own.opponent < 24
        np.add.at(met, (own.player[challenge], own.opponent[challenge]), 1)
    others = met[~np.eye(24, dtype=bool)]  # 600 challenges of each player, spread over 23 others
    assert np.trace(met) == 0 and ((others - 600 / 23) ** 2 / (600 / 23)).mean() == pytest.approx(1, abs=0.25)


def test_each_game_is_drawn_from_its_own_chances():
    """A rigged table: Black beats levels, version B draws, and of two players the one of the later type wins."""
    against, challenges = np.zeros((24, 5, 2, 2)), np.zeros((24, 24, 2))
    against[:, :, 1], against[:, B] = 1.0, (0.0, 1.0)
    challenges[np.tril_indices(24, -1)] = 1.0
    rigged = Outcomes(against, challenges)
    types = np.arange(24)
    for compiled in (True, False):
        rng = np.random.default_rng(1)
        log = play_days(types, types % 2, rigged, version_b=B, turn=BY_COIN, rng=rng, compiled=compiled)
        people = log.opponent < 24
        assert (log.score[people] == (log.player > log.opponent)[people]).all()
        expected = np.where(log.variant == 1, 0.5, log.is_black)
        assert (log.score[~people] == expected[~people]).all() and (log.variant == 1).any()


def test_ratings_and_levels_are_those_of_the_log():
    for seed in range(3):
        log = days(seed)
        pairs, levels = np.stack([log.player, log.opponent], axis=1), LADDERS["course"].keys
        assert log.ratings == pytest.approx(elo.replay(pairs, log.score, n_players=11).ratings, abs=1e-9)
        for day in range(11, 21):
            past, now = log.day < day, log.day == day
            morning = elo.replay(pairs[past], log.score[past], n_players=11)
            rated = dict(zip(levels, morning.ratings[8:], strict=True))
            for player, opponent in pairs[now]:
                choice = choose_level(morning.ratings[player], morning.games[player], rated)
                assert levels[opponent - 8] == choice.level


def test_who_gets_which_version_on_the_days():
    log = days()
    tested = log.variant >= 0
    assert (log.variant[tested] == log.player[tested] % 2).all()
    many = [days(seed, BY_COIN) for seed in range(20)]
    coins = np.concatenate([log.variant[log.variant >= 0] for log in many])
    assert abs(coins.mean() - 0.5) < FAR * 0.5 / np.sqrt(len(coins))
    for turn in (IN_TURN, IN_FIXED_TURN):
        log, firsts = days(2, turn), []
        for player in range(8):
            for colour in (False, True):
                own = log.variant[(log.player == player) & (log.is_black == colour) & (log.variant >= 0)]
                pairs = own[: len(own) // 2 * 2].reshape(-1, 2)
                assert (pairs.sum(axis=1) == 1).all()
                firsts += own[::2].tolist()
        assert set(firsts) == ({0} if turn == IN_FIXED_TURN else {0, 1})


@pytest.mark.parametrize("players", [8, 24, 60])
@pytest.mark.parametrize("name", PRESETS)
def test_equal_seeds_agree(name, players):
    if name == "names_matching" and players != 8:
        with pytest.raises(ValueError, match=f"players is {players}: the course's names are those of 8"):
            preset(name, players, "none")
        return
    settings = preset(name, players, "course")
    before = np.random.get_state()[1].copy()
    one, again, other = run(settings), run(settings), run(settings, seed=2)
    assert (np.random.get_state()[1] == before).all()
    assert same(one, again) and not np.array_equal(one.score, other.score)
    kinds = [column.dtype.str for column in (*one[:5], one.types, one.effects)]
    assert kinds == ["<i8", "|i1", "<f8", "|b1", "<i8", "<i8", "<f8"]
    assert one.effects.shape == (players, 2) and len(one.types) == players
    assert (one.ratings is None) == ("matching" in name) and (one.blocks is None) == ("blocked" not in name)
    if players == 24:
        assert one.types.tolist() == list(range(24))
    else:
        assert (players == 8) == np.array_equal(one.types, other.types)


def test_replications_have_streams_of_their_own():
    settings = PRESETS["game_fixed"]
    *_, (number, last) = simulate_many(settings, OUTCOMES, seed=7, first=0, count=4)
    ((_, alone),) = simulate_many(settings, OUTCOMES, seed=7, first=3, count=1)
    assert number == 3 and same(last, alone)
    with pytest.raises(ValueError, match="count is 0"):
        simulate_many(settings, OUTCOMES, seed=7, first=0, count=0)


def test_true_effects_are_those_of_the_table():
    scores = true_scores(OUTCOMES)
    for name in PRESETS:
        assert not run(PRESETS[name]).effects.any(), name
        games = run(with_truth(PRESETS[name], "large"))
        expected = scores[EIGHT, version_index("large")] - scores[EIGHT, 1]
        assert np.array_equal(games.effects, expected) and (games.effects > 0).all()


@pytest.mark.parametrize("name", ["hash_fixed", "game_fixed", "alternate_fixed", "blocked_fixed"])
def test_scores_are_those_of_the_table(name):
    settings = preset(name, 8, "large", games_each=10_000)
    games, scores = run(settings, seed=4), true_scores(OUTCOMES)
    for player in range(8):
        for colour in (0, 1):
            for variant in set(games.variant[games.player == player].tolist()):
                own = (games.player == player) & (games.is_black == colour) & (games.variant == variant)
                level = version_index("large") if variant else 1
                won, held = OUTCOMES.against[COURSE_TYPES[player], level, colour]
                error = np.sqrt(
                    (0.75 * won + 0.25 * held - scores[COURSE_TYPES[player], level, colour] ** 2) / own.sum()
                )
                gap = games.score[own].mean() - scores[COURSE_TYPES[player], level, colour]
                assert own.sum() > 2000 and abs(gap) < FAR * error
                assert abs((games.score[own] == 1).mean() - won) < FAR * np.sqrt(won * (1 - won) / own.sum())


@pytest.mark.parametrize("name", ["hash_fixed", "game_fixed", "alternate_fixed", "blocked_fixed"])
def test_games_come_round_by_round(name):
    games = run(preset(name, 200, "none"))
    counts = np.bincount(games.player, minlength=200)
    assert (np.diff(games.day) >= 0).all() and counts.min() >= 1 and counts.max() > 40
    for player in (0, 77, 199):
        own = games.player == player
        assert games.day[own].tolist() == list(range(1, counts[player] + 1))
        colours = games.is_black[own]
        assert (colours[0:-1:2] == colours[1::2]).all()  # the colour changes after two games
        assert (colours[:-2] != colours[2:]).all()


def test_versions_by_hash_and_by_names():
    groups = []
    for seed in range(200):
        games = run(PRESETS["hash_matching"], seed)
        own = [set(games.variant[games.player == player].tolist()) for player in range(8)]
        assert all(len(versions) <= 1 for versions in own)
        groups += [version for versions in own for version in versions]
    assert abs(np.mean(groups) - 0.5) < FAR * 0.5 / np.sqrt(len(groups))
    by_name = [assign_by_hash("medium-randomness", name) == "B" for name, _ in COURSE_PLAYERS]
    for seed in range(3):
        games = run(PRESETS["names_matching"], seed)
        assert (games.variant == np.array(by_name)[games.player]).all()


@pytest.mark.parametrize("players", [8, 200])
@pytest.mark.parametrize("fixed_order", [False, True])
def test_alternating_is_balanced_within_player_and_colour(players, fixed_order):
    settings = replace(preset("alternate_fixed", players, "none"), fixed_order=fixed_order)
    games, firsts = run(settings), []
    for player in range(players):
        for colour in (False, True):
            own = games.variant[(games.player == player) & (games.is_black == colour)]
            pairs = own[: len(own) // 2 * 2].reshape(-1, 2)
            assert (pairs.sum(axis=1) == 1).all()
            firsts += own[::2].tolist()
    assert (
        set(firsts) == {0} if fixed_order else abs(np.mean(firsts) - 0.5) < FAR * 0.5 / np.sqrt(len(firsts))
    )
    if players == 8:
        assert np.bincount(games.player[games.variant == 1]).tolist() == [16] * 8


@pytest.mark.parametrize("players", [8, 25])
def test_blocks_are_pairs_of_neighbours_with_one_of_each(players):
    firsts = []
    for seed in range(100):
        games = run(ABSettings("blocked", "fixed", players, games_each=2, games_before=20), seed)
        version = np.array([games.variant[games.player == player][0] for player in range(players)])
        sizes = np.bincount(games.blocks)
        assert sizes.tolist() == [2] * (players // 2) + [1] * (players % 2)
        last = np.inf
        for block in range(len(sizes)):
            own = games.blocks == block
            assert sizes[block] == 1 or version[own].sum() == 1
            assert games.ratings[own].max() <= last
            last = games.ratings[own].min()
            firsts.append(version[own][np.argmax(games.ratings[own])])
    assert abs(np.mean(firsts) - 0.5) < FAR * 0.5 / np.sqrt(len(firsts))


def test_ratings_before_are_those_of_a_replay():
    rng, levels = np.random.default_rng(5), np.array(LADDERS["course"].ratings)
    for settings in (
        PosteriorSettings(),
        PosteriorSettings(start=1200, start_deviation=450, low=0, high=2600),
    ):
        player, level = rng.integers(6, size=400), rng.integers(3, size=400)
        score = rng.choice([0.0, 0.5, 1.0], size=400)
        games, scores = np.zeros((7, 3), dtype=int), np.zeros((7, 3))  # the last player has no game
        np.add.at(games, (player, level), 1)
        np.add.at(scores, (player, level), score)
        record = posterior.replay(
            np.stack([player, 7 + level], axis=1),
            score,
            n_players=10,
            ratings=[*[settings.start] * 7, *levels],
            anchored=[7, 8, 9],
            settings=settings,
        )
        assert posterior_means(games, scores, levels, settings) == pytest.approx(record.ratings[:7], rel=1e-9)


def test_ratings_before_tell_players_apart():
    games = run(preset("hash_fixed", 24, "none"))
    assert np.corrcoef(games.ratings, true_scores(OUTCOMES)[:, 1].mean(axis=1))[0, 1] > 0.85


@pytest.mark.parametrize("mean", [2, 10, 35.5])
def test_heavy_tails_have_the_mean_wanted(mean):
    drawn = np.exp(np.random.default_rng(6).standard_normal(1_000_000))
    counts = np.maximum(1, np.rint(lognormal_scale(mean) * drawn))
    assert abs(counts.mean() - mean) < FAR * counts.std() / 1000


def test_who_plays_much_plays_much_at_both_times():
    games = [run(preset("game_fixed", 200, "none"), seed) for seed in range(20)]
    counts = np.array([np.bincount(one.player, minlength=200) for one in games])
    assert abs(counts.mean() - 10) < FAR * counts.std() / np.sqrt(counts.size)
    spread = [
        np.std(one.ratings[many]) for one, n in zip(games, counts, strict=True) for many in (n > 20, n == 1)
    ]
    # Few games leave a newcomer near the prior's mean.
    assert np.mean(spread[::2]) > np.mean(spread[1::2])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"assignment": "coin"}, "assignment is 'coin': allowed are 'hash', 'names'"),
        ({"exposure": "free"}, "exposure is 'free'"),
        ({"truth": "small"}, "truth is 'small'"),
        ({"players": 1}, "players is 1: it must be a whole number of at least 2"),
        ({"players": 8.0}, "players is 8.0"),
        ({"assignment": "names", "players": 24}, "players is 24"),
        ({"games_each": 10}, "with matching the days decide"),
        ({"heavy_tail": True}, "with matching the days decide"),
        ({"games_before": 4}, "with matching the days decide"),
        ({"exposure": "fixed"}, "games_each is None"),
        ({"exposure": "fixed", "games_each": 1, "heavy_tail": True}, "games_each is 1: .* at least 2"),
        ({"exposure": "fixed", "games_each": 4, "games_before": -1}, "games_before is -1"),
        ({"exposure": "fixed", "games_each": 4, "assignment": "blocked"}, "games_before is 0"),
        ({"fixed_order": True}, "fixed_order goes with 'alternate', not with 'hash'"),
    ],
)
def test_bad_settings_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        ABSettings(**options)


def test_presets():
    assert list(PRESETS)[:3] == ["hash_matching", "names_matching", "game_matching"] and len(PRESETS) == 7
    assert PRESETS["hash_fixed"] == ABSettings("hash", "fixed", 8, "none", 32, games_before=32)
    assert preset("blocked_fixed", 24, "large").games_each == 32
    heavy = ABSettings("game", "fixed", 300, "course", 25, heavy_tail=True, games_before=25)
    assert preset("game_fixed", 300, "course", games_each=25) == heavy
    with pytest.raises(ValueError, match="design is 'hash': allowed are 'hash_matching'"):
        preset("hash", 8, "none")
    with pytest.raises(ValueError, match="with matching the days decide"):
        preset("hash_matching", 8, "none", games_each=10)
    with pytest.raises(ValueError, match="mean is 1"):
        lognormal_scale(1)


@pytest.mark.parametrize("runs", [6, pytest.param(60, marks=pytest.mark.slow)])
def test_the_table_stands_for_games_really_played(runs):
    """Means over runs in which every game is played, against 2,000 runs from the table; z by the table's spread."""
    settings = DaysSettings()
    names = [name for name, _ in settings.players]
    played = []
    for _, rng in replication_streams(5, 0, runs):
        record = simulate_days(settings, rng=rng)
        own = level_games(record)
        own = own[own["level"] == "medium"]
        scores = [own["score"].mean(), own["score"][own["variant"] == "B"].mean()]
        counts = own.groupby("player").size().reindex(names)
        played.append([*counts, *record.final["rating"], len(own), *scores])
    drawn = []
    for _, rng in replication_streams(6, 0, 2000):
        log = play_days(EIGHT, GROUPS, OUTCOMES, version_b=B, rng=rng)
        own = log.variant >= 0
        scores = [log.score[own].mean(), log.score[log.variant == 1].mean()]
        drawn.append([*np.bincount(log.player[own], minlength=8), *log.ratings, own.sum(), *scores])
    played, drawn = np.array(played), np.array(drawn)
    far = (played.mean(axis=0) - drawn.mean(axis=0)) / (drawn.std(axis=0) * np.sqrt(1 / runs + 1 / 2000))
    assert len(far) == 8 + 11 + 3 and np.abs(far).max() < FAR
