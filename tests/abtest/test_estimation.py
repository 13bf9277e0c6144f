"""The default analysis of each design, held against literal arithmetic, and the verdicts it leads to."""

import math
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.regression.linear_model import OLS, WLS

from ludometrics.abtest.assignment import assign_alternating
from ludometrics.abtest.decision import decide
from ludometrics.abtest.effects import player_effect
from ludometrics.abtest.estimation import estimate, foretell, information, player_means
from ludometrics.abtest.trial import read_trial
from ludometrics.abtest.verdicts import in_words

SEED = 1
# Names sort as their numbers do, so that a literal loop meets the players in the order of the trial.
NAME = "Player {:03d}".format


def est(trial, **others):
    return estimate(trial, rng=np.random.default_rng(SEED), **others)


def judge(trial, **others):
    return decide(trial, rng=np.random.default_rng(SEED), **others)


def between_games(rng, n_a=6, n_b=6, most=6, effect=0.0):
    """Games of players with one version each, as a frame, uneven numbers of games."""
    rows = []
    for number, version in enumerate("A" * n_a + "B" * n_b):
        skill = rng.uniform(0.2, 0.8) - effect * (version == "B")
        for _ in range(rng.integers(1, most + 1)):
            score = rng.binomial(2, np.clip(skill, 0, 1)) / 2
            rows.append((NAME(number), version, score, "bw"[rng.integers(2)]))
    return pd.DataFrame(rows, columns=["player", "variant", "score", "colour"])


def within_games(rng, players=8, each=12, effect=0.0, deal=None):
    """Games of players whose version is drawn for each game, or dealt by a function of player and number."""
    rows = []
    for number in range(players):
        skill = rng.uniform(0.2, 0.8)
        for game in range(each):
            version = "AB"[rng.integers(2)] if deal is None else deal(NAME(number), game)
            score = rng.binomial(2, np.clip(skill - effect * (version == "B"), 0, 1)) / 2
            rows.append((NAME(number), version, score, "bw"[game % 2 if deal is None else game // 2 % 2]))
    return pd.DataFrame(rows, columns=["player", "variant", "score", "colour"])


def ratings_of(rng, games):
    means = games.groupby("player")["score"].mean()
    return {name: 1200 + 400 * (mean - 0.5) + rng.normal(0, 60) for name, mean in means.items()}


def swapped(games):
    return games.assign(variant=games["variant"].map({"A": "B", "B": "A"}))


def same(one, other, tolerance=1e-9):
    assert tuple(one.effect) == pytest.approx(tuple(other.effect), nan_ok=True, abs=tolerance)
    assert tuple(one.test) == pytest.approx(tuple(other.test), nan_ok=True, abs=tolerance)
    assert (one.unit, one.assignment, one.adjusted) == (other.unit, other.assignment, other.adjusted)


# ------------------------------------------------------------------ between players


def test_players_who_play_alike_are_welchs_means():
    rng = np.random.default_rng(3)
    rows = [
        (NAME(number), "AB"[number % 2], score)
        for number in range(14)
        for score in rng.binomial(2, rng.uniform(0.2, 0.8), 5) / 2
    ]
    games = pd.DataFrame(rows, columns=["player", "variant", "score"])
    means = games.groupby("player")["score"].mean().to_numpy()
    a, b = means[::2], means[1::2]
    result = est(read_trial(games))
    assert (result.unit, result.assignment, result.adjusted) == ("between", "hash", False)
    assert result.players == (7, 7)
    assert result.effect.estimate == pytest.approx(b.mean() - a.mean(), abs=1e-12)
    assert result.effect.error == pytest.approx(math.sqrt(a.var(ddof=1) / 7 + b.var(ddof=1) / 7), rel=1e-9)
    scipy = stats.permutation_test((b, a), lambda x, y: x.mean() - y.mean(), n_resamples=10_000)
    assert result.test.exact
    assert result.test.p == pytest.approx(scipy.pvalue, abs=1e-9)


def literal_information(games, ratings=None, level=None):
    """Means, weights and forecasts of the players, each number written out."""
    players = sorted(set(games["player"]))
    scores = [games.loc[games["player"] == player, "score"].to_numpy() for player in players]
    means, counts = np.array([own.mean() for own in scores]), np.array([len(own) for own in scores])
    within = sum(((own - own.mean()) ** 2).sum() for own in scores) / max(1, counts.sum() - len(players))
    forecasts = None
    design = np.ones((len(players), 1))
    if ratings is not None:
        forecasts = np.array([1 / (1 + 10 ** ((level - ratings[player]) / 400)) for player in players])
        design = np.column_stack([design, forecasts])
    residual = means - design @ np.linalg.lstsq(design, means, rcond=None)[0]
    between = residual @ residual / (len(players) - design.shape[1]) - within * (1 / counts).mean()
    weights = 1 / (max(between, 0.02 * within) + within / counts)
    return means, weights / weights.mean(), forecasts


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("rated", [False, True])
def test_players_are_weighted_least_squares(seed, rated):
    rng = np.random.default_rng(seed)
    games = between_games(rng)
    ratings = ratings_of(rng, games) if rated else None
    trial = read_trial(games, ratings=ratings)
    rows = player_means(trial)
    level = None
    if rated:
        # The level's rating, by bisection: where the forecasts have the mean that was scored.
        target, low, high = rows.mean.mean(), -2000.0, 4000.0
        for _ in range(80):
            level = (low + high) / 2
            above = np.mean([1 / (1 + 10 ** ((level - r) / 400)) for r in ratings.values()]) > target
            low, high = (level, high) if above else (low, level)
    means, weights, forecasts = literal_information(games, ratings, level)
    forecast = foretell(trial, rows)
    assert (forecast is None) == (not rated)
    if rated:
        assert forecast == pytest.approx(forecasts, abs=1e-8)
    assert information(trial, rows, forecast) == pytest.approx(weights, rel=1e-6)

    variant = np.array([0] * 6 + [1] * 6)
    columns = [np.ones(12), variant] + ([forecasts] if rated else [])
    fit = WLS(means, np.column_stack(columns), weights=weights).fit()
    result = est(trial)
    assert result.adjusted == rated
    assert result.effect.estimate == pytest.approx(fit.params[1], abs=1e-7)
    direct = player_effect(means, variant, forecasts if rated else None, weight=weights)
    assert result.effect == pytest.approx(direct, rel=1e-6)

    null = WLS(means, np.column_stack([columns[0], *columns[2:]]), weights=weights).fit()
    splits = [list(chosen) for chosen in combinations(range(12), 6)]
    value = weights * null.resid

    def t(own):
        """Difference of weighted means over its error, each group's variance by its own spread."""
        means, variances = [], []
        for rows in (own, np.setdiff1d(np.arange(12), own)):
            means.append(value[rows].sum() / weights[rows].sum())
            spread = ((value[rows] - means[-1] * weights[rows]) ** 2).sum() / weights[rows].sum() ** 2
            variances.append(spread * len(rows) / (len(rows) - 1))
        return abs(means[0] - means[1]) / math.sqrt(sum(variances))

    distance = np.array([t(own) for own in splits])
    observed = distance[splits.index(list(range(6, 12)))]
    assert result.test.ways == 924
    assert result.test.p == pytest.approx((distance >= observed - 1e-7).mean(), abs=1e-12)


def test_games_weigh_less_the_more_alike_a_player_is():
    """Players who differ much count alike however much they play; players who do not differ count by their games."""
    alike, apart = [], []
    for number in range(12):
        for game in range(4 if number % 2 else 40):
            apart.append((NAME(number), "AB"[number % 2], float(number > 5)))
            alike.append((NAME(number), "AB"[number % 2], float(game % 2)))
    weights = []
    for rows in (alike, apart):
        trial = read_trial(pd.DataFrame(rows, columns=["player", "variant", "score"]))
        weights.append(information(trial, player_means(trial), None))
    assert weights[1] == pytest.approx(np.ones(12))
    # Variance between held at a fiftieth of that within: (1/50 + 1/4) / (1/50 + 1/40).
    assert weights[0].max() / weights[0].min() == pytest.approx((1 / 50 + 1 / 4) / (1 / 50 + 1 / 40))


def test_weights_do_not_look_at_versions():
    rng = np.random.default_rng(5)
    games = between_games(rng)
    ratings = ratings_of(rng, games)
    here, there = (read_trial(frame, ratings=ratings) for frame in (games, swapped(games)))
    assert (foretell(here, player_means(here)) == foretell(there, player_means(there))).all()
    weights = [information(trial, player_means(trial), None) for trial in (here, there)]
    assert (weights[0] == weights[1]).all()


@pytest.mark.parametrize(
    ("desc", "change"),
    [
        ("everybody is new", lambda name, rating: 1200.0),
        ("nobody has a rating", lambda name, rating: math.nan),
        ("fewer than half have one", lambda name, rating: rating if name > NAME(17) else math.nan),
        ("nine have one", lambda name, rating: rating if name < NAME(9) else None),
    ],
    ids=lambda part: part if isinstance(part, str) else "",
)
def test_ratings_that_say_nothing_change_nothing(desc, change):
    """A baseline without variance once made the adjustment fail: github.com/growthbook/growthbook #3767."""
    rng = np.random.default_rng(6)
    games = between_games(rng, 15, 15)
    ratings = {name: change(name, rating) for name, rating in ratings_of(rng, games).items()}
    assert est(read_trial(games, ratings=ratings)) == est(read_trial(games))


def test_all_new_but_one():
    """The one with a rating is set apart by it; the others are compared as if nobody had one."""
    rng = np.random.default_rng(6)
    games = between_games(rng, 8, 8)
    ratings = {NAME(number): 1200.0 for number in range(16)} | {NAME(3): 1500.0}
    result = est(read_trial(games, ratings=ratings))
    assert result.adjusted
    assert all(math.isfinite(value) for value in result.effect)
    again = est(
        read_trial(games.assign(score=games["score"].where(games["player"] != NAME(3), 1.0)), ratings=ratings)
    )
    # That player's own mean does not matter but for the weights, which come from all players.
    assert again.effect.estimate == pytest.approx(result.effect.estimate, abs=0.02)


def test_a_player_without_a_rating_gets_the_mean_of_the_forecasts():
    rng = np.random.default_rng(7)
    games = between_games(rng, 10, 10)
    ratings = ratings_of(rng, games)
    del ratings[NAME(4)]
    trial = read_trial(games, ratings=ratings)
    forecast = foretell(trial, player_means(trial))
    assert forecast[4] == pytest.approx(np.delete(forecast, 4).mean(), abs=1e-12)
    known = np.delete(player_means(trial).mean, 4)
    assert np.delete(forecast, 4).mean() == pytest.approx(known.mean(), abs=1e-9)


@pytest.mark.parametrize("score", [0.0, 1.0])
def test_a_forecast_for_players_who_only_lose_or_win(score):
    games = pd.DataFrame(
        [(NAME(number), "AB"[number % 2], score) for number in range(12)],
        columns=["player", "variant", "score"],
    )
    trial = read_trial(games, ratings={NAME(number): 1000.0 + 30 * number for number in range(12)})
    forecast = foretell(trial, player_means(trial))
    assert forecast.mean() == pytest.approx(abs(score - 0.01), abs=1e-9)
    assert (np.diff(forecast) > 0).all()


def test_blocks_without_ratings_are_stratified():
    rng = np.random.default_rng(8)
    games = between_games(rng, 8, 8)
    blocks = {NAME(number): number % 8 for number in range(16)}
    trial = read_trial(games, blocks=blocks)
    result = est(trial)
    means = games.groupby("player")["score"].mean().to_numpy()
    paired = stats.ttest_rel(means[8:], means[:8])
    assert result.assignment == "blocked"
    assert result.players == (8, 8)
    assert result.effect.p == pytest.approx(paired.pvalue, rel=1e-9)
    assert result.effect.df == 7
    assert (result.test.ways, result.test.exact) == (256, True)
    assert est(trial, assignment="hash").assignment == "hash"
    same(est(trial, assignment="hash"), est(read_trial(games)))


def test_players_of_blocks_with_one_version_do_not_count():
    """Two pairs decide; forty players beside them would once have lifted the limit of six."""
    rng = np.random.default_rng(9)
    games = between_games(rng, 22, 22)
    blocks = {
        NAME(number): min(number % 22, 2) + 3 * (number >= 22) * (number % 22 >= 2) for number in range(44)
    }
    decision = judge(read_trial(games, blocks=blocks))
    assert decision.estimation.players == (2, 2)
    assert decision.verdict.code == "few players"


# ------------------------------------------------------------------ within players


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("coloured", [True, False])
def test_games_are_fixed_effects_of_player_and_colour(seed, coloured):
    games = within_games(np.random.default_rng(seed))
    if not coloured:
        games = games.drop(columns="colour")
    result = est(read_trial(games))
    strata = games["player"] + (games["colour"] if coloured else "")
    dummies = pd.get_dummies(strata).to_numpy(dtype=float)
    z = (games["variant"] == "B").to_numpy(dtype=float)
    mixed = games.groupby(strata)["variant"].transform("nunique").to_numpy() == 2
    design = np.column_stack([z, dummies])[mixed]
    fit = OLS(games["score"].to_numpy()[mixed], design[:, design.any(axis=0)]).fit()
    assert (result.unit, result.assignment, result.players) == ("within", "game", (8, 8))
    assert result.effect.estimate == pytest.approx(fit.params[0], abs=1e-10)
    assert result.effect.error == pytest.approx(fit.HC2_se[0], rel=1e-8)
    assert result.effect.df == fit.df_resid


@pytest.mark.parametrize("order", ["random", "fixed"])
def test_alternating_games_are_found_and_turned_round(order):
    rng = np.random.default_rng(12)
    games = within_games(rng, deal=lambda name, game: assign_alternating("test", name, game, order=order))
    result = est(read_trial(games))
    assert (result.unit, result.assignment, result.players) == ("within", "alternate", (8, 8))
    points = np.where(games["variant"] == "B", 1, -1) * games["score"]
    pairs = points.to_numpy().reshape(-1, 2).sum(axis=1)
    scipy = stats.permutation_test((pairs,), np.sum, permutation_type="samples", n_resamples=20_000, rng=1)
    # Both by turning pairs round, scipy by 20,000 of 2^48 ways: four standard errors.
    assert result.test.p == pytest.approx(scipy.pvalue, abs=4 * math.sqrt(0.25 / 20_000))
    assert est(read_trial(games), assignment="game").assignment == "game"


def test_players_with_one_version_add_nothing_within():
    rng = np.random.default_rng(13)
    games = within_games(rng)
    more = between_games(rng).assign(player=lambda frame: "Zoe " + frame["player"])
    here, there = est(read_trial(games)), est(read_trial(pd.concat([games, more])))
    same(here, there)
    assert here.players == there.players == (8, 8)


# ------------------------------------------------------------------ invariants of every design


def designs(seed):
    rng = np.random.default_rng(seed)
    between = between_games(rng)
    yield "hash", between, {}
    yield "rated", between, {"ratings": ratings_of(rng, between)}
    yield "blocked", between, {"blocks": {NAME(number): number % 6 for number in range(12)}}
    yield "game", within_games(rng), {}
    alternating = within_games(rng, deal=lambda name, game: assign_alternating("test", name, game))
    yield "alternate", alternating, {}


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_swapping_the_versions_mirrors_everything(seed):
    mirror = {"tougher": "easier", "easier": "tougher"}
    for _, games, known in designs(seed):
        here, there = judge(read_trial(games, **known)), judge(read_trial(swapped(games), **known))
        effect = there.estimation.effect
        assert tuple(here.estimation.effect) == pytest.approx(
            (-effect.estimate, effect.error, effect.df, -effect.high, -effect.low, effect.p),
            abs=1e-9,
            nan_ok=True,
        )
        assert tuple(here.estimation.test) == pytest.approx(tuple(there.estimation.test), abs=1e-9)
        assert there.verdict.code == mirror.get(here.verdict.code, here.verdict.code)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_order_of_rows_does_not_matter_but_to_pairs(seed):
    for name, games, known in designs(seed):
        if name == "alternate":
            continue
        shuffled = games.sample(frac=1.0, random_state=seed)
        same(est(read_trial(games, **known)), est(read_trial(shuffled, **known)))


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_names_do_not_matter(seed):
    """Players are taken in the order of their names: this one reverses it."""
    rename = {NAME(number): f"{500 - number} Spieler" for number in range(40)}
    for _, games, known in designs(seed):
        there = games.assign(player=games["player"].map(rename))
        others = {what: {rename[name]: value for name, value in own.items()} for what, own in known.items()}
        same(est(read_trial(games, **known)), est(read_trial(there, **others)))


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32 - 1), st.floats(-0.3, 0.3))
def test_a_stricter_level_only_removes_verdicts(seed, effect):
    """github.com/Eshajha19/agri #2928: a threshold upside down gave more verdicts the more confidence was asked for."""
    rng = np.random.default_rng(seed)
    for games in (between_games(rng, effect=effect), within_games(rng, effect=effect)):
        trial = read_trial(games)
        loose, strict = judge(trial, alpha=0.05).verdict.code, judge(trial, alpha=0.01).verdict.code
        if strict in ("tougher", "easier"):
            assert loose == strict
        if loose == "undecided":
            assert strict == "undecided"


def test_a_very_high_level_gives_a_finite_range():
    """github.com/avast/ep-stats #97: the level was rounded to 1, the range infinite."""
    for _, games, known in designs(14):
        effect = judge(read_trial(games, **known), alpha=1.6e-6).estimation.effect
        assert math.isfinite(effect.low) and math.isfinite(effect.high)


# ------------------------------------------------------------------ from games to verdicts


def played(*groups, colour=None):
    """Games by (player, version, score, how many)."""
    rows = [(name, version, score) for name, version, score, n in groups for _ in range(n)]
    return pd.DataFrame(rows, columns=["player", "variant", "score"])


@pytest.mark.parametrize("rated", [False, True])
@pytest.mark.parametrize(("a", "b"), [(0.0, 0.0), (1.0, 0.0), (0.5, 0.5), (0.0, 0.5)])
def test_scores_without_spread_have_no_verdict(a, b, rated):
    """30 losses against 30 losses gave a range of no width, 60 wins against 60 losses one of -1 to -1."""
    between = played(
        *[(NAME(number), "A", a, 5) for number in range(6)],
        *[(NAME(number + 6), "B", b, 5) for number in range(6)],
    )
    within = played(*[(NAME(number), v, s, 6) for number in range(8) for v, s in (("A", a), ("B", b))])
    ratings = {NAME(number): 1000.0 + 37.0 * number for number in range(12)} if rated else None
    for games in (between, within):
        decision = judge(read_trial(games, ratings=ratings))
        assert decision.estimation.effect.estimate == pytest.approx(b - a, abs=1e-9)
        assert decision.verdict.code == "no spread"
        assert not decision.verdict.decided


def test_players_who_score_alike_in_the_mean_have_no_verdict():
    """Every mean is 1/3, not a binary number: rounding once gave a range of 10^-16 and 'any difference is small'."""
    games = played(
        *[(NAME(n), "AB"[n % 2], score, k) for n in range(16) for score, k in ((1.0, 1), (0.0, 2))]
    )
    for ratings in (None, {NAME(n): 1000.0 + 37 * n * n % 500 for n in range(16)}):
        assert judge(read_trial(games, ratings=ratings)).verdict.code == "no spread"


def test_rare_wins_have_a_p_value():
    """0 of 5,000 against 12 of 5,000, a game each: github.com/growthbook/growthbook #1320. Fisher's p is 0.0005."""
    games = pd.DataFrame(
        {
            "player": [f"{number:05d}" for number in range(10_000)],
            "variant": np.repeat(["A", "B"], 5000),
            "score": np.r_[np.zeros(5000), np.ones(12), np.zeros(4988)],
        }
    )
    decision = judge(read_trial(games))
    fisher = stats.fisher_exact([[0, 5000], [12, 4988]]).pvalue
    # Nearly 10,000 splits drawn: four standard errors of a share of 0.0005.
    assert decision.estimation.test.p == pytest.approx(fisher, abs=4 * math.sqrt(fisher / 9999) + 1e-4)
    assert decision.estimation.effect.estimate == pytest.approx(12 / 5000)
    assert decision.verdict.code == "easier"


def test_three_players_have_an_estimate_and_no_verdict():
    """No range of three clusters informs: github.com/hyeonsangjeon/gdpval-realworks #383."""
    rng = np.random.default_rng(15)
    for games in (between_games(rng, 1, 2), between_games(rng, 2, 1), within_games(rng, players=3, each=400)):
        decision = judge(read_trial(games))
        assert math.isfinite(decision.estimation.effect.estimate)
        assert decision.verdict.code == "few players"


@pytest.mark.parametrize("version", ["A", "B"])
def test_one_group_is_empty(version):
    rng = np.random.default_rng(16)
    games = between_games(rng).assign(variant=version)
    for design in (None, "between", "within"):
        decision = judge(read_trial(games, ratings=ratings_of(rng, games)), design=design)
        assert math.isnan(decision.estimation.effect.estimate)
        assert math.isnan(decision.estimation.test.p)
        assert decision.verdict.code in ("few players", "unsound")
    assert judge(read_trial(games), design="within").estimation.players == (0, 0)
    assert sorted(judge(read_trial(games), design="between").estimation.players) == [0, 12]


def test_a_lone_player_of_a_version_gives_no_range():
    rng = np.random.default_rng(17)
    games = between_games(rng, 12, 1)
    effect = est(read_trial(games, ratings=ratings_of(rng, games))).effect
    assert math.isfinite(effect.estimate) and math.isnan(effect.low)


def test_mixed_players():
    """Planned between: no verdict. As the data show it: within those who met both."""
    rng = np.random.default_rng(18)
    games = between_games(rng, 10, 10).drop(columns="colour")
    one = pd.concat([games, played((NAME(0), "B", 1.0, 1))])
    decision = judge(read_trial(one), design="between")
    assert decision.verdict.code == "unsound"
    assert "1 player met both versions" in decision.verdict.text
    assert judge(read_trial(one)).estimation.players == (1, 1)
    assert judge(read_trial(one)).verdict.code == "few players"


def test_a_player_with_both_versions_counts_by_the_one_played_more():
    games = played(("Ann", "A", 1.0, 2), ("Ann", "B", 0.0, 3), ("Bob", "A", 0.5, 1), ("Bob", "B", 0.0, 1))
    rows = player_means(read_trial(games))
    assert (rows.mean.tolist(), rows.variant.tolist(), rows.games.tolist()) == ([0.0, 0.5], [1, 0], [3, 1])


def test_misdealt_and_uneven_data_have_no_verdict():
    rng = np.random.default_rng(19)
    games = within_games(rng, each=20)
    wrong = games["variant"].copy()
    wrong.iloc[:2] = ["B" if version == "A" else "A" for version in wrong.iloc[:2]]
    assert judge(read_trial(games.assign(assigned=games["variant"]))).verdict.code != "unsound"
    decision = judge(read_trial(games.assign(assigned=wrong)))
    assert (decision.verdict.code, "2 of 160 games" in decision.verdict.text) == ("unsound", True)
    lopsided = judge(read_trial(between_games(rng, 45, 8)))
    assert lopsided.verdict.code == "unsound"
    assert lopsided.split.p < 0.001


def test_a_decision_is_the_estimate_at_its_level_and_the_mid_p():
    for _, games, known in designs(25):
        trial = read_trial(games, **known)
        for alpha in (0.05, 0.2):
            decision = judge(trial, alpha=alpha)
            assert decision.estimation == est(trial, level=1.0 - alpha)
            assert in_words(decision.estimation.test.mid_p) in decision.verdict.text


def test_planned_numbers():
    rng = np.random.default_rng(20)
    between, within = read_trial(between_games(rng)), read_trial(within_games(rng))
    for trial in (between, within):
        n = len(trial.score)
        assert f"{n} of {n + 1} games planned" in judge(trial, planned=n + 1).verdict.text
        assert judge(trial, planned=n).verdict.code not in ("planned", "few players")


def test_large_effects_are_found():
    rng = np.random.default_rng(21)
    for effect, code in ((0.3, "tougher"), (-0.3, "easier")):
        assert judge(read_trial(within_games(rng, each=40, effect=effect))).verdict.code == code
        assert judge(read_trial(between_games(rng, 60, 60, effect=effect))).verdict.code == code


def test_alarms_under_no_effect():
    """300 tests of each unit without an effect: verdicts of a difference at 5 %, and ranges that leave zero out.

    A difference needs both range and p, so that it comes no oftener than either: above 9 % has a chance of 0.1 %. The
    range of eight players within holds what it promises to about a point, of twelve between to two.
    """
    rng = np.random.default_rng(22)
    alarms, misses = {"between": 0, "within": 0}, {"between": 0, "within": 0}
    for _ in range(300):
        for games in (between_games(rng, 10, 10, most=4), within_games(rng)):
            decision = decide(read_trial(games), draws=199, rng=rng)
            effect, unit = decision.estimation.effect, decision.estimation.unit
            alarms[unit] += decision.verdict.code in ("tougher", "easier")
            misses[unit] += not effect.low <= 0.0 <= effect.high
    for unit in alarms:
        assert alarms[unit] / 300 <= 0.09
        assert 0.015 <= misses[unit] / 300 <= 0.10


# ------------------------------------------------------------------ bad values


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"assignment": "coin"}, "assignment is 'coin': allowed are 'hash', 'blocked', 'game', 'alternate'"),
        ({"assignment": "hash", "design": "within"}, "design is 'within', but assignment 'hash' is between"),
        ({"assignment": "blocked"}, "assignment is 'blocked', but no blocks are given"),
        ({"design": "crossed"}, "design is 'crossed': allowed are 'between' and 'within'"),
        ({"level": 95}, "level is 95: it must lie between 0 and 1"),
        ({"draws": 0}, "draws is 0: it must be at least 1"),
    ],
)
def test_bad_arguments_are_named(arguments, message):
    trial = read_trial(between_games(np.random.default_rng(23)))
    with pytest.raises(ValueError, match=message):
        est(trial, **arguments)


@pytest.mark.parametrize("alpha", [0.0, 0.5, 0.95, math.nan])
def test_bad_alphas_are_named(alpha):
    trial = read_trial(between_games(np.random.default_rng(24)))
    with pytest.raises(ValueError, match=f"alpha is {alpha!r}: it must lie between 0 and 0.5"):
        judge(trial, alpha=alpha)
    with pytest.raises(ValueError, match=r"margin is 0\.0: it must be above 0"):
        judge(trial, margin=0.0)
