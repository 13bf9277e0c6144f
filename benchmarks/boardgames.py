"""Speed of the board-game engine; writes results/bench/boardgames.csv.

Run on one core: ``python benchmarks/boardgames.py``. Plays are those of simulated groups, at tables of two to six.
References are timed in this process: openskill's Plackett-Luce on the first part of the same plays, our plain twin, and
absolute bars.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd
from _timing import COLUMNS, row, seconds
from openskill.models import PlackettLuce

from ludometrics.boardgames.arrays import fill_factors, first_plays
from ludometrics.boardgames.engine import loop_input, rate_log
from ludometrics.boardgames.engine_loops import one_pass
from ludometrics.boardgames.engine_plain import plain_pass
from ludometrics.boardgames.grid import IN_USE
from ludometrics.boardgames.loss_tables import Replays, compare_settings, loss_table
from ludometrics.boardgames.settings import PRESETS
from ludometrics.boardgames.weights import game_weights
from ludometrics.provenance import write_table
from ludometrics.ratings.sweep import settings_grid
from ludometrics.simulation.boardgame_export import write_export
from ludometrics.simulation.boardgame_groups import simulate_group
from ludometrics.simulation.boardgame_worlds import GroupWorld

MANY, EXPORT = 50_000, 2_000
SAME = (1.0, 1.0, 1.0, 1.0, 1.0)  # tables of 2 to 6, as often each
TUNED = PRESETS["tuned"]


def main() -> None:
    """Measure and write the table."""
    world = GroupWorld(plays=MANY, people=200, table_sizes=SAME, years=80.0)
    group = simulate_group(world, rng=np.random.default_rng(1))
    schedule = rate_log(group.log, TUNED, weights=game_weights(group.log.games, TUNED)).schedule
    given = loop_input(fill_factors(schedule, TUNED), TUNED)
    n = len(schedule.play)
    engine = n / seconds(lambda: one_pass(*given))
    part = min(n, 2_000)
    short = first_plays(schedule, part)
    plain = part / seconds(lambda: plain_pass(*loop_input(short, TUNED)), 3)
    peer = part / seconds(lambda: _openskill(short), 3)
    rows = [
        row("plays rated, tables of 2 to 6", engine, 200_000.0, 1.0, "plays/s"),
        row("the same against openskill's Plackett-Luce", engine, peer, 10.0, "plays/s"),
        row("the same against the plain twin", engine, plain, 10.0, "plays/s"),
        _many_settings(),
        _command(),
    ]
    write_table(pd.DataFrame(rows, columns=COLUMNS), "results/bench/boardgames.csv", key=["case"])
    print(pd.DataFrame(rows).to_string(index=False))


def _openskill(schedule) -> None:
    model = PlackettLuce()
    players = [model.rating() for _ in schedule.people]
    for play in range(len(schedule.play)):
        low, high = schedule.starts[play], schedule.starts[play + 1]
        seats = schedule.person[low:high]
        teams = [[players[person] if person >= 0 else model.rating()] for person in seats]
        rated = model.rate(teams, ranks=schedule.rank[low:high].tolist())
        for person, team in zip(seats, rated, strict=True):
            if person >= 0:
                players[person] = team[0]


def _many_settings() -> dict:
    """200 settings over an export of 2,000 plays, each rated anew and compared with 1,000 bootstrap replicates."""
    group = simulate_group(GroupWorld(plays=EXPORT), rng=np.random.default_rng(2))
    axes = {
        "deviation": (80.0, 110.0, 140.0, 180.0, 250.0),
        "absence": (0.0, 1.0, 2.0, 3.0, 5.0),
        "confidence_low": (0.25, 0.5, 0.75, 1.0),
        "margin_high": (1.2, 1.4),
    }
    settings = {IN_USE: TUNED} | {str(n): one for n, one in enumerate(settings_grid(TUNED, **axes)[1])}
    weights = game_weights(group.log.games, TUNED, complexity=group.complexity, skill=group.skill)

    def work() -> None:
        table = loss_table(Replays(group.log, weights), settings)
        compare_settings(table, IN_USE, replicates=1000, rng=np.random.default_rng(1))

    case = "200 settings with 1,000 bootstrap replicates, 2,000 plays"
    return row(case, seconds(work, 3), 10.0, 1.0, "s", less_is_better=True)


def _command() -> dict:
    """The whole command on an export of 2,000 plays in a fresh process, wall time, median of three."""
    group = simulate_group(GroupWorld(plays=EXPORT), rng=np.random.default_rng(3))
    times = []
    with tempfile.TemporaryDirectory() as folder:
        export = Path(folder) / "export.json"
        write_export(group.log, export, rng=np.random.default_rng(3))
        for turn in range(4):
            began = time.perf_counter()
            words = ["-m", "ludometrics.boardgames", str(export), "--out", f"{folder}/out{turn}"]
            subprocess.run([sys.executable, *words], check=True, capture_output=True)  # noqa: S603 - our own command
            times.append(time.perf_counter() - began)
    return row(
        "the whole command, 2,000 plays", float(np.median(times[1:])), 5.0, 1.0, "s", less_is_better=True
    )


if __name__ == "__main__":
    main()
