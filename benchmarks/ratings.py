"""Speed of the rating systems; writes results/bench/ratings.csv and results/bench/ratings_size.csv.

Run on one core: ``python benchmarks/ratings.py``. Each figure is the median of five timings in CPU time after a
warm-up. References are timed in this process on the same games: our own plain-Python loops, and the packages openskill,
trueskill and riix where they are installed (``pip install openskill trueskill``; ``pip install riix`` brings jax and
polars along). Slow packages rate a first part of the games; rates are games a second.
"""

import gc
import math
import tracemalloc
from importlib.util import find_spec

import numpy as np
import pandas as pd
from _timing import COLUMNS, REPEATS, row, seconds

from ludometrics.evaluation import cluster_intervals
from ludometrics.provenance import write_table
from ludometrics.ratings import EloSettings, Games, elo, glicko1, index_tables, sweep, weng_lin

DUELS, PLAYERS = 1_000_000, 10_000
TABLES = 50_000
SIZES = (10**3, 10**4, 10**5, 10**6, 10**7)


def duels(n: int, m: int, seed: int = 1) -> Games:
    """Games of m players whose strengths are normal with a deviation of 200 points."""
    rng = np.random.default_rng(seed)
    strength = rng.normal(0.0, 200.0, m)
    first = rng.integers(m, size=n)
    pairs = np.stack([first, (first + rng.integers(1, m, size=n)) % m], axis=1)
    expected = elo.expected_score(strength[pairs[:, 0]], strength[pairs[:, 1]])
    outcomes = (rng.random(n) < expected).astype(float)
    return Games(tuple(range(m)), pairs, outcomes, np.arange(n) / 1000.0)


def tables(plays: int, m: int, seed: int = 2) -> tuple[pd.DataFrame, Games]:
    """Seats of plays of two to six, in an order drawn by Plackett and Luce's model, and their pairs."""
    rng = np.random.default_rng(seed)
    strength = rng.normal(0.0, 1.0, m)
    sizes = rng.integers(2, 7, plays)
    rows = []
    for play, size in enumerate(sizes):
        players = rng.choice(m, size, replace=False)
        finish = np.argsort(-(strength[players] + rng.gumbel(size=size)))
        rows += [(play, int(players[seat]), place) for place, seat in enumerate(finish, 1)]
    seats = pd.DataFrame(rows, columns=["play", "player", "rank"])
    return seats, index_tables(seats["play"].array, seats["player"].array, seats["rank"])


def plain_elo(games: Games) -> list[float]:
    """The shortest loop in plain Python: duels, one K. (The library's plain twin does more and is slower.)"""
    ratings = [1200.0] * len(games.players)
    forecasts = []
    for (i, j), outcome in zip(games.pairs.tolist(), games.outcomes.tolist(), strict=True):
        expected = 1.0 / (1.0 + 10.0 ** ((ratings[j] - ratings[i]) / 400.0))
        forecasts.append(expected)
        change = 32.0 * (outcome - expected)
        ratings[i] += change
        ratings[j] -= change
    return forecasts


def plain_glicko1(games: Games) -> list[float]:
    """The same for Glicko-1, both deviations and growth with absence."""
    q, spread = elo.RATE, 3.0 * elo.RATE**2 / math.pi**2
    m = len(games.players)
    ratings, variances, last = [1500.0] * m, [350.0**2] * m, [0.0] * m
    forecasts = []
    rows = zip(games.pairs.tolist(), games.outcomes.tolist(), games.times.tolist(), strict=True)
    for (i, j), outcome, time_ in rows:
        v_i = min(variances[i] + 9.0 * (time_ - last[i]), 350.0**2)
        v_j = min(variances[j] + 9.0 * (time_ - last[j]), 350.0**2)
        last[i] = last[j] = time_
        gap = q * (ratings[i] - ratings[j])
        forecasts.append(1.0 / (1.0 + math.exp(-gap / math.sqrt(1.0 + spread * (v_i + v_j)))))
        g_i, g_j = 1.0 / math.sqrt(1.0 + spread * v_i), 1.0 / math.sqrt(1.0 + spread * v_j)
        e_i, e_j = 1.0 / (1.0 + math.exp(-g_j * gap)), 1.0 / (1.0 + math.exp(g_i * gap))
        variances[i] = max(1.0 / (1.0 / v_i + (q * g_j) ** 2 * e_i * (1.0 - e_i)), 900.0)
        variances[j] = max(1.0 / (1.0 / v_j + (q * g_i) ** 2 * e_j * (1.0 - e_j)), 900.0)
        ratings[i] += q * variances[i] * g_j * (outcome - e_i)
        ratings[j] += q * variances[j] * g_i * (1.0 - outcome - e_j)
    return forecasts


def duel_rows() -> list[dict]:
    """A million duels: Elo and Glicko-1 against the plain loops and riix."""
    games = duels(DUELS, PLAYERS)
    part = games.part(slice(0, DUELS // 10))
    found = []
    for name, module, bars, options in (
        ("Elo", elo, (15, 20), {}),
        ("Glicko-1", glicko1, (15, 50), {"times": games.times}),
    ):
        fast = DUELS / seconds(lambda m=module, o=options: m.replay(games.pairs, games.outcomes, **o))
        loop = {"Elo": plain_elo, "Glicko-1": plain_glicko1}[name]
        plain = len(part) / seconds(lambda run=loop: run(part), 3)
        found.append(
            row(f"{name}, a million duels, plain Python", fast / 1e6, plain / 1e6, bars[0], "million games/s")
        )
        if find_spec("riix") and find_spec("polars"):
            other = _riix_games_a_second(name, part)
            found.append(
                row(f"{name}, a million duels, riix", fast / 1e6, other / 1e6, bars[1], "million games/s")
            )
    return found


def _riix_games_a_second(name: str, games: Games) -> float:
    import polars
    from riix.models.elo import Elo
    from riix.models.glicko import Glicko
    from riix.utils import MatchupDataset

    frame = polars.DataFrame(
        {
            "first": [f"p{i}" for i in games.pairs[:, 0]],
            "second": [f"p{i}" for i in games.pairs[:, 1]],
            "outcome": games.outcomes,
            "day": np.datetime64("2000-01-01") + np.arange(len(games)) // 1000,
        }
    )
    dataset = MatchupDataset(
        frame, competitor_cols=["first", "second"], outcome_col="outcome", datetime_col="day", verbose=False
    )
    system = {"Elo": Elo, "Glicko-1": Glicko}[name]

    def run() -> None:
        model = system(competitors=dataset.competitors, update_method="iterative")
        model.fit_dataset(dataset, return_pre_match_probs=True)

    return len(games) / seconds(run, 3)


def table_rows() -> list[dict]:
    """Plays of two to six: pairwise Glicko-1 and Weng-Lin against openskill and trueskill."""
    seats, games = tables(TABLES, PLAYERS)
    given = {"weights": games.weights, "plays": games.plays}
    pairwise = TABLES / seconds(lambda: glicko1.replay(games.pairs, games.outcomes, **given))
    luce = TABLES / seconds(lambda: weng_lin.replay(games.pairs, games.outcomes, plays=games.plays))
    found = []
    plays = [group["player"].tolist() for _, group in seats[seats["play"] < 2000].groupby("play")]
    if find_spec("openskill"):
        other = len(plays) / seconds(lambda: _openskill(plays), 3)
        found.append(row("Glicko-1, tables of 2-6, openskill", pairwise, other, 10, "plays/s"))
        found.append(row("Plackett-Luce, tables of 2-6, openskill", luce, other, 10, "plays/s"))
    if find_spec("trueskill"):
        other = 500 / seconds(lambda: _trueskill(plays[:500]), 3)
        found.append(row("Glicko-1, tables of 2-6, trueskill", pairwise, other, 100, "plays/s"))
    return found


def _openskill(plays: list[list[int]]) -> None:
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    ratings = {player: model.rating() for play in plays for player in play}
    for play in plays:
        after = model.rate([[ratings[player]] for player in play], ranks=list(range(len(play))))
        ratings |= {player: team[0] for player, team in zip(play, after, strict=True)}


def _trueskill(plays: list[list[int]]) -> None:
    import trueskill

    environment = trueskill.TrueSkill()
    ratings = {player: environment.create_rating() for play in plays for player in play}
    for play in plays:
        after = environment.rate([(ratings[player],) for player in play], ranks=range(len(play)))
        ratings |= {player: team[0] for player, team in zip(play, after, strict=True)}


def grid_rows() -> list[dict]:
    """Two hundred settings with a thousand bootstrap replicates over 12,000 pairs of 2,000 plays."""
    _, games = tables(2000, 60)
    games = games.part(slice(0, 12_000))
    settings = [EloSettings(k=float(k)) for k in np.geomspace(4, 128, 200)]

    def work() -> None:
        losses = sweep(games, "elo", settings)
        cluster_intervals(losses, games.plays, replicates=1000, rng=np.random.default_rng(1))

    taken = seconds(work, 3)
    return [
        row(f"200 settings, 1,000 replicates, {len(games):,} pairs", taken, 10.0, 1, "s", less_is_better=True)
    ]


def memory_rows() -> list[dict]:
    """Bytes that a replay allocates for each game, its result included, beyond the log itself."""
    found = []
    games = duels(DUELS, PLAYERS)
    for name, module, options in (("Elo", elo, {}), ("Glicko-1", glicko1, {"times": games.times})):
        gc.collect()
        tracemalloc.start()
        record = module.replay(games.pairs, games.outcomes, **options)
        peak = tracemalloc.get_traced_memory()[1] / DUELS
        tracemalloc.stop()
        del record
        found.append(row(f"{name}, memory", peak, 100.0, 1, "bytes/game", less_is_better=True))
    return found


def size_table() -> pd.DataFrame:
    """Time against the number of games, from a thousand to ten million."""
    rows = []
    for n in SIZES:
        games = duels(n, max(10, n // 100))
        for name, module, options in (("Elo", elo, {}), ("Glicko-1", glicko1, {"times": games.times})):
            taken = seconds(
                lambda m=module, o=options, g=games: m.replay(
                    g.pairs, g.outcomes, n_players=len(g.players), **o
                )
            )
            rows.append({"system": name, "games": n, "players": len(games.players), "seconds": taken})
    return pd.DataFrame(rows)


def main() -> None:
    """Measure, print and write the tables."""
    table = pd.DataFrame([*duel_rows(), *table_rows(), *grid_rows(), *memory_rows()], columns=COLUMNS)
    print(table.to_string(index=False))
    write_table(table, "results/bench/ratings.csv", key=["case"], parameters={"repeats": REPEATS})
    sizes = size_table()
    print(sizes.to_string(index=False))
    write_table(
        sizes, "results/bench/ratings_size.csv", key=["system", "games"], parameters={"repeats": REPEATS}
    )


if __name__ == "__main__":
    main()
