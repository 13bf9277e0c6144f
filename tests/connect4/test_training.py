"""One run with either trainer, by name, by the command line; and what is kept of it."""

import json

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from ludometrics.connect4 import command, run_record, training
from ludometrics.connect4.__main__ import main
from ludometrics.connect4.compiled_settings import CompiledSettings
from ludometrics.connect4.network import new_network
from ludometrics.connect4.patterns import draw_patterns
from ludometrics.connect4.recipes import INGREDIENTS, OWN, find_recipe, named_recipes
from ludometrics.connect4.weights_file import load_network, save_network

SMALL = CompiledSettings(batch=50, pattern_count=8, pattern_length=4)
SMALL_TEXT = ["batch=50", "pattern_count=8", "pattern_length=4"]


def counted(network, number):
    return pd.DataFrame(
        {"opponent": "random", "error": 0.0, "side": ["first", "second"], "games": 10, "won": [9, 5 + number]}
    )


def test_names_of_recipes_lead_to_their_settings():
    recipes = named_recipes()
    assert recipes[OWN].settings == CompiledSettings() and recipes[OWN].ingredient == ""
    assert recipes["published"].settings.batch == 50_000 and recipes["published"].trainer == "published"
    assert recipes["published-slow-target"].settings.tau == 0.05
    compiled = recipes["published-compiled"].settings
    assert (compiled.targets, compiled.lookahead, compiled.trace, compiled.horizon) == (
        "published",
        False,
        0.7,
        5,
    )
    own = CompiledSettings().as_dict()
    for name, found in recipes.items():
        if found.ingredient:
            changed = {key for key, value in found.settings.as_dict().items() if value != own[key]}
            assert changed == set(INGREDIENTS[found.ingredient][name]) & changed != set(), name
    with pytest.raises(
        ValueError, match="no recipe is called 'owen': allowed are tree-backup, published-compiled"
    ):
        find_recipe("owen")


def test_evaluations_are_evenly_spaced_and_the_last_is_at_the_end(tmp_path):
    network = training.train(
        SMALL, seed=2, moves=6_001, folder=tmp_path, name="small", evaluations=3, evaluate=counted
    )
    tables = run_record.read_run(tmp_path, recipe="small", run=2)
    assert tables.arena["step"].unique().tolist() == [40, 81, 121] and network.about["moves"] == 6_050
    assert tables.metrics["step"].tolist() == [40, 81, 100, 121]
    assert tables.arena[["run", "recipe"]].drop_duplicates().values.tolist() == [[2, "small"]]
    curve = run_record.curve(tables)
    assert curve["pairing"].unique().tolist() == ["first against random", "second against random"]
    assert (
        curve["share"].tolist() == [0.9, 0.5, 0.9, 0.6, 0.9, 0.7]
        and curve["training_s"].is_monotonic_increasing
    )
    # Wilson, 9 of 10: 0.596 to 0.982
    assert curve.loc[0, "share"] - curve.loc[0, "below"] == pytest.approx(0.5958, abs=1e-4)
    assert curve.loc[0, "share"] + curve.loc[0, "above"] == pytest.approx(0.9821, abs=1e-4)
    words = run_record.in_words(tables)
    assert "After 6,050 moves" in words and "- second against random: won 70% [40%, 89%]" in words
    run_record.save_run(tables, cell="a", out=str(tmp_path / "out"), parameters={"run": 2})
    assert json.loads((tmp_path / "out" / "clock__a.json").read_text())["parameters"]["run"] == 2
    kept = load_network(run_record.keep(network, tmp_path / "kept" / "a.npz"))
    np.testing.assert_allclose(kept.weights, network.weights, rtol=1e-3, atol=1e-7)
    run_record.clear(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kept", "out"], (
        "only the run's own files are removed"
    )


def test_the_published_recipe_runs_by_the_same_call(tmp_path):
    pytest.importorskip("torch")
    settings = find_recipe("published").settings.with_changes(batch=20, pattern_count=6, pattern_length=3)
    options = {"seed": 1, "folder": tmp_path, "name": "tiny", "evaluations": 2, "evaluate": counted}
    training.train(settings, moves=410, **options)
    tables = run_record.read_run(tmp_path, recipe="tiny", run=1)
    assert tables.arena["step"].unique().tolist() == [11, 22] and set(tables.arena["recipe"]) == {"tiny"}
    expected = training.estimate_time(settings, moves=1000, steps=2)
    assert expected.seconds == pytest.approx(1000 / expected.moves_per_s) and "min at" in expected.describe()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"moves": 0}, "moves is 0: at least a step of 50 moves"),
        (
            {"moves": 90, "evaluations": 3},
            "moves is 90: at least a step of 50 moves is wanted for each evaluation",
        ),
        ({"moves": 900, "evaluations": 3}, "evaluations is 3: `evaluate` is wanted"),
    ],
)
def test_budgets_that_do_not_fit_are_refused(tmp_path, options, message):
    with pytest.raises(ValueError, match=message):
        training.train(SMALL, seed=1, folder=tmp_path / "run", name="x", **options)
    assert not (tmp_path / "run").exists()
    with pytest.raises(ValueError, match=r"arena\.csv is not there"):
        run_record.read_run(tmp_path / "run", recipe="x", run=1)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("batch", "wanted is NAME=VALUE"),
        ("bach=3", "no setting is called 'bach'; allowed are adam_epsilon, average_every"),
        ("batch=many", "a whole number is wanted"),
        ("epsilon=much", "a number is wanted"),
        ("lookahead=maybe", "true or false is wanted"),
        ("epsilon=2", "epsilon is 2.0: allowed are 0.0 to 1.0"),
        ("targets=best", "targets is 'best'"),
    ],
)
def test_settings_in_text_that_are_none(change, message):
    with pytest.raises(ValueError, match=message):
        command.parse_settings("compiled", [change])


def test_settings_in_text():
    read = command.parse_settings(
        "compiled",
        ["batch=2_000", "lookahead=false", "targets=published", "tau=0.15", "first_blur=0", "second_blur=0"],
    )
    assert (read.batch, read.lookahead, read.targets, read.tau) == (2000, False, "published", 0.15)
    assert command.parse_settings("published", ["steps=5"]).steps == 5


def test_the_help_lists_every_setting():
    shown = CliRunner().invoke(main, ["train", "--help"]).output
    words = " ".join(shown.split())
    for kind in command.TRAINERS.values():
        for name in kind().as_dict():
            assert f"{name}=" in words.replace("= ", "="), name


def test_train_and_evaluate_by_the_command_line(tmp_path):
    pytest.importorskip("bitbully")
    changes = [word for text in SMALL_TEXT for word in ("--set", text)]
    start = [
        "train",
        "--out",
        str(tmp_path / "run"),
        "--moves",
        "5000",
        "--games",
        "2",
        "--workers",
        "0",
        "--seed",
        "3",
    ]
    done = CliRunner().invoke(main, [*start, *changes])
    assert done.exit_code == 0 and "perfect" in done.output, done.output
    again = CliRunner().invoke(main, [*start, *changes])
    assert again.exit_code == 2 and "a run is in this folder" in again.output
    weights = str(tmp_path / "run" / "network.npz")
    tables = []
    for name in ("a", "b"):
        options = ["--games", "2", "--opponent", "depth 1", "--opponent", "random:0.5", "--workers", "0"]
        files = ["--out", str(tmp_path / f"{name}.csv"), "--moves-out", str(tmp_path / f"{name}_moves.csv")]
        done = CliRunner().invoke(main, ["evaluate", weights, *options, *files])
        assert done.exit_code == 0, done.output
        tables.append((tmp_path / f"{name}.csv").read_bytes() + (tmp_path / f"{name}_moves.csv").read_bytes())
    assert tables[0] == tables[1] and b"depth 1" in tables[0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["evaluate", "missing.npz"], "missing.npz"),
        (["evaluate", "broken.npz"], "broken.npz"),
        (["evaluate", "network.npz", "--opponent", "depth 3"], "depth 3"),
        (["evaluate", "network.npz", "--opponent", "perfect:often"], "'often' is no probability"),
        (["evaluate", "network.npz", "--opponent", "perfect:1.5"], "1.5"),
        (["train", "--out", "x", "--set", "batch=0"], "batch is 0: allowed are 1 to 1000000"),
    ],
)
def test_bad_input_is_one_line_and_status_2(tmp_path, monkeypatch, arguments, message):
    pytest.importorskip("bitbully")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "broken.npz").write_bytes(b"PK nothing")
    save_network(tmp_path / "network.npz", new_network(draw_patterns(2, 3, rng=np.random.default_rng(1))))
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 2 and message in done.output and "Traceback" not in done.output
    assert not (tmp_path / "x").exists()
