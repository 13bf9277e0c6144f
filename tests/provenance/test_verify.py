"""`verify` finds every file that is not what its sidecar says; `recompute` every number that differs."""

import json

import pandas as pd
import pytest
from click.testing import CliRunner

from ludometrics.provenance import recompute, verify, write_table
from ludometrics.provenance.__main__ import main


@pytest.fixture
def results(tmp_path):
    folder = tmp_path / "results"
    write_table(pd.DataFrame({"k": [1, 2], "v": [0.5, 0.25]}), folder / "study" / "cell.csv", key=["k"])
    source = folder / "study" / "cell.csv"
    write_table(
        pd.DataFrame({"k": [1], "v": [0.5]}), folder / "study" / "summary.csv", key=["k"], inputs=[source]
    )
    return folder


def wrong(folder):
    return {finding.path.split("/")[-1]: finding.message for finding in verify([folder]) if not finding.ok}


def test_all_is_well(results):
    assert wrong(results) == {} and len(verify([results])) == 2


def test_a_changed_byte_is_found_and_what_was_made_from_it(results):
    path = results / "study" / "cell.csv"
    path.write_bytes(path.read_bytes().replace(b"0.5", b"0.6"))
    found = wrong(results)
    assert "its bytes are not" in found["cell.csv"] and "stale" in found["summary.csv"]


def test_missing_files_are_found(results):
    (results / "study" / "summary.csv").unlink()
    (results / "study" / "cell.json").unlink()
    assert wrong(results) == {
        "summary.csv": "named by summary.json and missing",
        "cell.csv": "no sidecar vouches for it",
    }


def test_a_broken_sidecar_is_found(results):
    (results / "study" / "cell.json").write_text("{")
    assert "not a JSON file" in wrong(results)["cell.json"]


def test_the_command_ends_with_a_status(results):
    run = CliRunner().invoke(main, ["verify", str(results)])
    assert run.exit_code == 0 and "2 of 2 files as recorded" in run.output
    (results / "study" / "cell.csv").write_text("k,v\n")
    run = CliRunner().invoke(main, ["verify", str(results)])
    assert run.exit_code == 1 and "WRONG" in run.output and "cell.csv" in run.output
    run = CliRunner().invoke(main, ["verify", str(results / "absent")])
    assert run.exit_code == 2 and "no such folder" in run.output


def twins(tmp_path, fresh, committed, key=("replication",)):
    for name, values in (("fresh", fresh), ("committed", committed)):
        frame = pd.DataFrame({"replication": range(len(values)), "v": values})
        write_table(frame, tmp_path / name / "s" / "cell.csv", key=list(key))
    return tmp_path / "fresh", tmp_path / "committed"


def move_to_another_cpu(folder):
    path = folder / "s" / "cell.json"
    sidecar = json.loads(path.read_text())
    sidecar["environment"]["cpu"] = "another"
    path.write_text(json.dumps(sidecar))


def test_the_first_replications_are_compared(tmp_path):
    (finding,) = recompute(*twins(tmp_path, [0.5, 0.25], [0.5, 0.25, 0.125]))
    assert finding.ok and finding.message == "2 rows, equal"


def test_a_number_that_differs_is_named(tmp_path):
    (finding,) = recompute(*twins(tmp_path, [0.5, 0.25], [0.5, 0.26]))
    assert not finding.ok
    assert "1 of 2 rows differ: v at replication=1: committed 0.26, fresh 0.25" in finding.message


def test_another_cpu_may_differ_in_the_last_digits_only(tmp_path):
    fresh, committed = twins(tmp_path, [0.5], [0.5 + 1e-8])
    assert not recompute(fresh, committed)[0].ok
    move_to_another_cpu(committed)
    assert recompute(fresh, committed)[0].ok
    fresh, committed = twins(tmp_path, [0.5], [0.5 + 1e-5])
    move_to_another_cpu(committed)
    assert not recompute(fresh, committed)[0].ok


def test_averages_have_no_twin(tmp_path):
    fresh, committed = twins(tmp_path, [0.5], [0.6], key=("replication",))
    for folder in (fresh, committed):
        write_table(pd.DataFrame({"k": [1], "v": [0.1]}), folder / "s" / "summary.csv", key=["k"])
    assert [finding.path.split("/")[-1] for finding in recompute(fresh, committed)] == ["cell.csv"]
    with pytest.raises(ValueError, match="no table there has a twin"):
        recompute(fresh, tmp_path / "nothing")
