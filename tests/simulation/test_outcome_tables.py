"""The table of outcomes: counted in real play, checked when loaded, and equal to an independent measurement."""

import numpy as np
import pandas as pd
import pytest

from ludometrics.draughts import Level, parse_level, play_games
from ludometrics.provenance import read_table
from ludometrics.simulation.outcome_tables import (
    COURSE_TYPES,
    LEVEL_VERSIONS,
    TYPES,
    VERSIONS,
    Outcomes,
    level_text,
    load_outcomes,
    measure_outcomes,
    needed_pairs,
    true_scores,
    version_index,
)
from ludometrics.simulation.outcomes_summary import (
    group_effects,
    join_outcomes,
    scores_correlation,
    type_effects,
)
from ludometrics.simulation.presets import COURSE_PLAYERS, LADDERS

MEASURED = read_table("results/draughts_outcomes/outcomes.csv")
#: Standard errors by which two independent measurements may differ: among some hundred comparisons chance takes one
#: beyond it in about 150 runs of the test, and the seeds are fixed.
FAR = 4.5


@pytest.fixture
def counts():
    """A sound table in which no two pairs have the same counts."""
    pairs, _ = needed_pairs(1, 1, 1)
    number = np.arange(len(pairs))
    frame = pd.DataFrame([map(level_text, pair) for pair in pairs], columns=["black", "white"])
    frame = frame.assign(wins=number, draws=1000 - number, losses=500 + 2 * number)
    return frame.assign(n=frame[["wins", "draws", "losses"]].sum(axis=1))


def row_of(frame, black, white):
    (at,) = np.flatnonzero((frame["black"] == level_text(black)) & (frame["white"] == level_text(white)))
    return frame.iloc[at]


def test_types_and_levels():
    assert len(TYPES) == 24 == len(set(TYPES))
    assert [TYPES[at] for at in COURSE_TYPES] == [level for _, level in COURSE_PLAYERS]
    assert (
        VERSIONS["none"] == LADDERS["course"].levels[1] and VERSIONS["course"] == LADDERS["course"].variant_b
    )
    assert list(LEVEL_VERSIONS) == ["easy", "medium", "hard", "course", "large"]
    assert [LEVEL_VERSIONS["medium"], VERSIONS["course"], VERSIONS["large"]] == [
        list(LEVEL_VERSIONS.values())[version_index(truth)] for truth in VERSIONS
    ]
    assert all(parse_level(level_text(level)) == level for level in (*TYPES, *LEVEL_VERSIONS.values()))
    with pytest.raises(ValueError, match="truth is 'small': allowed are 'none', 'course', 'large'"):
        version_index("small")


def test_counts_are_those_of_the_games():
    pairs = [(Level(1, 0.3), Level(2, 0.5)), (Level(2, 0.5), Level(1, 0.3))]
    table = measure_outcomes(pairs, [40, 30], rng=np.random.default_rng(4))
    again = measure_outcomes(pairs, [40, 30], rng=np.random.default_rng(4))
    assert table.equals(again) and table["n"].tolist() == [40, 30]
    rng = np.random.default_rng(4)
    for row, (black, white), n in zip(table.itertuples(), pairs, (40, 30), strict=True):
        games = play_games([black.depth] * n, black.chance, white.depth, white.chance, rng=rng)
        assert (row.wins, row.draws, row.losses) == tuple((games.outcomes == s).sum() for s in (1, 0.5, 0))
        assert parse_level(row.black) == black and parse_level(row.white) == white


@pytest.mark.parametrize(
    ("pairs", "games", "message"),
    [
        ([], 1, "0 pairs"),
        ([(Level(1), Level(1))] * 2, 1, "2 pairs, 1 of them different"),
        ([(Level(1), Level(1))], 0, "games is 0"),
        ([(Level(1), Level(1))], 1.5, "games is 1.5: whole numbers"),
    ],
)
def test_bad_measurements_are_named(pairs, games, message):
    with pytest.raises(ValueError, match=message):
        measure_outcomes(pairs, games, rng=np.random.default_rng(1))


def test_each_chance_stands_where_it_belongs(counts):
    outcomes = load_outcomes(counts.sample(frac=1, random_state=1))
    for own, player in enumerate(TYPES):
        for at, level in enumerate(LEVEL_VERSIONS.values()):
            black, white = row_of(counts, player, level), row_of(counts, level, player)
            expected = [black.wins / black.n, (black.wins + black.draws) / black.n]
            assert outcomes.against[own, at, 1] == pytest.approx(expected)
            expected = [white.losses / white.n, (white.losses + white.draws) / white.n]
            assert outcomes.against[own, at, 0] == pytest.approx(expected)
        row = row_of(counts, player, TYPES[5])
        expected = [row.wins / row.n, (row.wins + row.draws) / row.n]
        assert outcomes.challenges[own, 5] == pytest.approx(expected)
    row = row_of(counts, LEVEL_VERSIONS["hard"], TYPES[3])
    score = (row.losses + 0.5 * row.draws) / row.n
    assert true_scores(outcomes)[3, 2, 0] == pytest.approx(score)


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("n", 0, r"2,0.35 \(Black\) with 1,0.8 \(White\): n is 0"),
        ("draws", -1, r"2,0.35 \(Black\) with 1,0.8 \(White\): 1 wins, -1 draws"),
        ("wins", 7, "but the counts sum to 1508"),
        ("white", "1,0.65", r"2,0.35 \(Black\) with 1,0.65 \(White\) stands twice"),
        ("white", "1,0.66", r"no games of 2,0.35 \(Black\) with 1,0.8 \(White\)"),
    ],
)
def test_unsound_tables_are_refused(counts, column, value, message):
    at = row_of(counts, Level(2, 0.35), Level(1, 0.8)).name
    counts.loc[at, column] = value
    if message.startswith("2,0.35") and "twice" in message:
        counts = counts.iloc[[at, *range(len(counts))]]
    with pytest.raises(ValueError, match=message):
        load_outcomes(counts)


def test_a_table_without_a_column_is_refused(counts):
    with pytest.raises(ValueError, match="no column 'draws'"):
        load_outcomes(counts.drop(columns="draws"))


def test_scores_agree_with_an_independent_measurement():
    """The study of the levels played the course's players with other seeds."""
    truth = read_table("results/draughts_levels/truth.csv")
    truth = truth[truth["ladder"] == "course"]
    outcomes = load_outcomes(MEASURED)
    n = MEASURED.set_index(["black", "white"])["n"]
    key = truth["level"] + truth["variant"].fillna("")
    levels = key.map({"easy": "easy", "mediumA": "medium", "mediumB": "course", "hard": "hard"})
    keys, names, far = list(LEVEL_VERSIONS), [name for name, _ in COURSE_PLAYERS], []
    for row, level in zip(truth.itertuples(), levels, strict=True):
        own, other = TYPES[COURSE_TYPES[names.index(row.player)]], LEVEL_VERSIONS[level]
        pair = (own, other) if row.colour == "b" else (other, own)
        won, held = outcomes.against[TYPES.index(own), keys.index(level), int(row.colour == "b")]
        ours, theirs = (won + held) / 2, (row.wins + row.draws / 2) / row.n
        # Half a game more of each result, so that a pair without a single win has a variance.
        p, q = (row.wins + 0.5) / (row.n + 1.5), (row.wins + row.draws + 1.0) / (row.n + 1.5)
        variance = 0.75 * p + 0.25 * q - ((p + q) / 2) ** 2
        far.append((ours - theirs) / np.sqrt(variance * (1 / row.n + 1 / n[tuple(map(level_text, pair))])))
    assert len(far) == 64 and np.abs(far).max() < FAR
    assert np.mean(np.square(far)) == pytest.approx(1.0, abs=0.7)  # 4 standard deviations of chi-square / 64


def test_the_versions_differ_as_they_are_meant_to():
    groups = read_table("results/draughts_outcomes/groups.csv").set_index(["players", "truth"])
    for players in ("course", "types"):
        assert (groups.loc[(players, "none"), ["effect", "effect_low", "effect_high"]] == 0).all()
        assert -0.07 < groups.loc[(players, "course"), "effect"] < -0.04
        assert 0.12 < groups.loc[(players, "large"), "effect"] < 0.18


def test_summary_tables_are_those_of_the_joined_games():
    columns = ["score_a", "score_b", "effect"]
    types = type_effects(MEASURED)
    committed = read_table("results/draughts_outcomes/types.csv").set_index(["type", "truth"])
    ordered = committed.loc[list(zip(types["type"], types["truth"], strict=True))].reset_index()
    assert ordered[list(types.columns)].iloc[:, 3:].to_numpy() == pytest.approx(types.iloc[:, 3:].to_numpy())
    row = types[(types["type"] == "4,0.05") & (types["truth"] == "course")].iloc[0]
    a_black = row_of(MEASURED, Level(4, 0.05), Level(4, 0.10))
    a_white = row_of(MEASURED, Level(4, 0.10), Level(4, 0.05))
    black = (a_black.wins + a_black.draws / 2) / a_black.n
    white = (a_white.losses + a_white.draws / 2) / a_white.n
    assert row.player == "Sim Ada" and row.score_a == pytest.approx((black + white) / 2)
    # Its own version: 4,0.05 against itself, where only the colours tell the two apart.
    assert row.score_b == pytest.approx(0.5) and row.effect == pytest.approx(row.score_b - row.score_a)
    assert (types[[f"{name}_low" for name in columns]].to_numpy() <= types[columns].to_numpy()).all()
    wide = (types["effect_high"] - types["effect_low"])[types["truth"] != "none"]
    assert wide.between(0.001, 0.06).all()


def test_groups_over_seeds():
    one = MEASURED.assign(seed=1)
    two = MEASURED.assign(seed=2, wins=MEASURED["losses"], losses=MEASURED["wins"])
    alone = group_effects(one)
    assert alone["n"].eq(1).all() and alone["effect_low"].isna().all()
    types = type_effects(MEASURED)
    large = types.loc[types["truth"] == "large", "effect"].mean()
    by = alone.set_index(["players", "truth"])
    assert by.loc[("types", "large"), "effect"] == pytest.approx(large)
    both = group_effects(pd.concat([one, two])).set_index(["players", "truth"])
    assert both.loc[("types", "large"), "effect"] == pytest.approx(0.0, abs=1e-12)  # the mirror image
    assert both.loc[("types", "large"), "score_a"] == pytest.approx(0.5)
    assert both["n"].eq(2).all()
    joined = join_outcomes(pd.concat([one, two]))
    assert joined["n"].sum() == 2 * MEASURED["n"].sum() and len(joined) == len(MEASURED)


def test_the_correlation_is_that_of_games_drawn():
    """Fisher's one-way analysis of variance on drawn games, without knowledge of the chances."""
    outcomes = load_outcomes(MEASURED)
    rng, m = np.random.default_rng(3), 20_000
    colours = rng.integers(2, size=(24, m))
    chances = outcomes.against[np.arange(24)[:, None], 1, colours]
    drawn = rng.random((24, m))
    scores = 0.5 * (drawn < chances[..., 0]) + 0.5 * (drawn < chances[..., 1])
    between = m * scores.mean(axis=1).var(ddof=1)
    within = scores.var(axis=1, ddof=1).mean()
    icc = (between - within) / (between + (m - 1) * within)
    assert scores_correlation(outcomes, tuple(range(24)), 1) == pytest.approx(icc, abs=0.01)
    flat = Outcomes(np.tile([0.4, 0.6], (24, 5, 2, 1)), outcomes.challenges)
    assert scores_correlation(flat, COURSE_TYPES, 1) == pytest.approx(0.0)
