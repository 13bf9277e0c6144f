"""Tables of a run: rows as they come, times apart, trimmed to a checkpoint after a kill."""

import math

import pandas as pd
import pytest

from ludometrics.connect4.training_log import METRIC_COLUMNS, MetricsLog, split_time


class Clock:
    """Seconds that pass when a test says so."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


def row(step, **changes):
    return {name: 0.5 for name in METRIC_COLUMNS} | {"step": step, "moves": 8 * step, "wins": 3} | changes


def games(**changes):
    return pd.DataFrame(
        {"opponent": ["random", "perfect"], "error": [math.nan, 0.1], "won": [9, 1]} | changes
    )


def fill(log, clock, steps, *, evaluated=()):
    """Ten seconds of training a step, seven of evaluation, one for the checkpoint after it."""
    for step in steps:
        clock.now += 10
        log.write_metrics(row(step))
        if step in evaluated:
            clock.now += 7
            log.write_arena(step, 8 * step, games(), run=2, recipe="recipe")
            clock.now += 1
            log.mark_checkpoint(step)


def test_rows_as_they_are_written(tmp_path):
    log = MetricsLog(tmp_path / "new", clock=Clock())
    log.write_metrics(row(100, loss=math.nan, learning_rate=0.1 + 0.2))
    log.write_arena(100, 800, games(), run=2, recipe="recipe")
    assert (tmp_path / "new" / "metrics.csv").read_bytes().decode().splitlines() == [
        ",".join(METRIC_COLUMNS),
        "100,800,0.3,,0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.5,3,0.5",
    ]
    assert (tmp_path / "new" / "arena.csv").read_bytes().decode().splitlines() == [
        "run,recipe,step,moves,opponent,error,won",
        "2,recipe,100,800,random,,9",
        "2,recipe,100,800,perfect,0.1,1",
    ]
    assert (
        tmp_path / "new" / "clock.csv"
    ).read_bytes() == b"step,event,elapsed_s\n100,metrics,0\n100,arena,0\n"


def test_training_time_is_elapsed_time_less_the_pauses_before(tmp_path):
    clock = Clock()
    log = MetricsLog(tmp_path, clock=clock)
    fill(log, clock, [100, 200, 300, 400], evaluated=[200, 400])
    times = split_time(log.read_clock())
    assert times[["step", "event", "elapsed_s", "training_s", "paused_s"]].values.tolist() == [
        [100, "metrics", 10, 10, 0],
        [200, "metrics", 20, 20, 0],
        [200, "arena", 27, 20, 7],
        [200, "checkpoint", 28, 21, 7],
        [300, "metrics", 38, 31, 7],
        [400, "metrics", 48, 41, 7],
        [400, "arena", 55, 41, 14],
        [400, "checkpoint", 56, 42, 14],
    ]


def test_a_killed_run_is_trimmed_and_ends_as_if_nothing_had_happened(tmp_path):
    clock = Clock()
    fill(MetricsLog(tmp_path / "whole", clock=clock), clock, range(100, 700, 100), evaluated=[200, 400, 600])
    folder, clock = tmp_path / "killed", Clock()
    fill(MetricsLog(folder, clock=clock), clock, [100, 200, 300, 400], evaluated=[200, 400])
    for name in ("metrics.csv", "arena.csv", "clock.csv"):
        with open(folder / name, "ab") as file:
            file.write(b"50")  # killed in the middle of a row
    clock.now += 1e6  # hours until somebody noticed
    log = MetricsLog(folder, resume_step=200, elapsed_s=28.0, clock=clock)
    fill(log, clock, [300, 400, 500, 600], evaluated=[400, 600])
    for name in ("metrics.csv", "arena.csv", "clock.csv"):
        assert (folder / name).read_bytes() == (tmp_path / "whole" / name).read_bytes(), name


def test_killed_before_the_first_games_were_over(tmp_path):
    MetricsLog(tmp_path)
    (tmp_path / "arena.csv").write_bytes(b"run,recipe,st")
    log = MetricsLog(tmp_path, resume_step=0)
    log.write_arena(100, 800, games(), run=0, recipe="recipe")
    assert pd.read_csv(tmp_path / "arena.csv")["won"].tolist() == [9, 1]


def test_a_folder_that_holds_a_run_is_left_alone(tmp_path):
    log = MetricsLog(tmp_path)
    log.write_metrics(row(100))
    before = (tmp_path / "metrics.csv").read_bytes()
    with pytest.raises(ValueError, match=r"metrics.csv is there: a run is in this folder; resume it"):
        MetricsLog(tmp_path)
    assert (tmp_path / "metrics.csv").read_bytes() == before


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("metrics.csv", "a,b\n1,2\n", "metrics.csv: columns are a, b, wanted are step, moves"),
        ("clock.csv", "step,event,elapsed_s\n1,metrics,2\nx,metrics,3\n", "clock.csv, row 2: 'x,metrics,3'"),
        (
            "clock.csv",
            "step,event,elapsed_s\n1,metrics\n",
            "clock.csv, row 1: '1,metrics' is no row of 3 columns",
        ),
        ("arena.csv", "step,won\n1,2\n", "arena.csv: columns are step, won"),
        ("arena.csv", "run,recipe,step,moves\n\xff,b,1,2\n", "arena.csv: not a table"),
    ],
    ids=["foreign metrics", "a step that is none", "a short row", "foreign arena", "not text"],
)
def test_tables_of_others_are_refused_and_nothing_is_written(tmp_path, name, content, message):
    MetricsLog(tmp_path).write_metrics(row(100))
    (tmp_path / name).write_bytes(content.encode("latin-1"))
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(ValueError, match=message):
        MetricsLog(tmp_path, resume_step=0)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"step": 100}, "step 100 does not come after step 100"),
        ({"lost": 1}, "'lost' is not one of them; the columns are step, moves"),
        ({"loss": math.inf}, "metrics of step 200: loss is inf"),
        ({"weight_norm": math.nan}, "metrics of step 200: weight_norm is nan"),
    ],
    ids=str,
)
def test_rows_that_are_none_are_refused(tmp_path, changes, message):
    log = MetricsLog(tmp_path)
    log.write_metrics(row(100))
    before = (tmp_path / "metrics.csv").read_bytes()
    with pytest.raises(ValueError, match=message):
        log.write_metrics(row(200) | changes)
    with pytest.raises(ValueError, match="'loss' is missing"):
        log.write_metrics({name: 1 for name in METRIC_COLUMNS if name != "loss"})
    assert (tmp_path / "metrics.csv").read_bytes() == before


def test_games_in_other_columns_are_refused(tmp_path):
    log = MetricsLog(tmp_path)
    log.write_arena(100, 800, games(), run=0, recipe="recipe")
    before = (tmp_path / "arena.csv").read_bytes()
    with pytest.raises(ValueError, match=r"columns are run,.*,won, those of step 200 run,.*,won,drawn"):
        log.write_arena(200, 1600, games(drawn=[0, 0]), run=0, recipe="recipe")
    with pytest.raises(ValueError, match="a column 'step'"):
        log.write_arena(200, 1600, games(step=[0, 0]), run=0, recipe="recipe")
    assert (tmp_path / "arena.csv").read_bytes() == before


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([(1, "arena", 2.0)], "row 0: arena of step 1 without a metrics row"),
        ([(1, "metrics", 2.0), (2, "metrics", 1.0)], "row 1: 1.0 s comes after 2.0 s"),
    ],
    ids=["arena alone", "time runs backwards"],
)
def test_clocks_that_cannot_be_are_refused(rows, message):
    with pytest.raises(ValueError, match=message):
        split_time(pd.DataFrame(rows, columns=["step", "event", "elapsed_s"]))
    with pytest.raises(ValueError, match="elapsed_s is -1"):
        MetricsLog("nowhere", elapsed_s=-1)
