"""Claims: the verdict at the borders, and the join over studies."""

import pytest

from ludometrics.provenance import claim, join_replications, read_table, write_replication
from ludometrics.provenance.replication import CLAIM_COLUMNS


@pytest.mark.parametrize(
    ("published", "verdict"),
    [(0.9, "reproduced"), (1.1, "reproduced"), (0.89, "not reproduced"), (1.11, "not reproduced")],
)
def test_a_single_value_must_lie_in_our_interval(published, verdict):
    assert claim("x", published, 1.0, 0.9, 1.1, 20)["verdict"] == verdict


@pytest.mark.parametrize(("published", "verdict"), [(1.499, "reproduced"), (1.501, "not reproduced")])
def test_a_published_interval_counts_as_well(published, verdict):
    # Half-widths 0.3 and 0.4: the interval of the difference has 0.5.
    row = claim(
        "x", published, 1.0, 0.7, 1.3, 20, published_low=published - 0.4, published_high=published + 0.4
    )
    assert row["verdict"] == verdict


def test_fitted_and_unmeasured():
    assert claim("x", 1.0, 1.0, 0.9, 1.1, 20, fitted=True)["verdict"] == "fitted"
    row = claim("x", 1.0, None, None, None, 0)
    assert row["verdict"] == "cannot tell" and row["ours"] is None
    assert claim("x", 1.0, float("nan"), None, None, 0)["verdict"] == "cannot tell"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((1.0, 1.0, None, None, 3), "needs an interval"),
        ((1.0, 1.0, 1.1, 1.2, 3), "needs an interval that holds it"),
        ((1.0, 1.0, 0.9, 1.1, 0), "at least 1"),
    ],
)
def test_a_claim_without_its_interval_is_refused(arguments, said):
    with pytest.raises(ValueError, match=said):
        claim("x", *arguments)
    with pytest.raises(ValueError, match="only one end"):
        claim("x", 1.0, 1.0, 0.9, 1.1, 3, published_low=0.5)


def test_studies_are_joined(tmp_path):
    for study, value in (("b_study", 1.0), ("a_study", 2.0)):
        write_replication([claim("x", value, 1.0, 0.9, 1.1, 20)], tmp_path / study / "replication.csv")
    joint = read_table(join_replications(tmp_path))
    assert list(joint.columns) == ["study", *CLAIM_COLUMNS]
    assert joint[["study", "verdict"]].values.tolist() == [
        ["a_study", "not reproduced"],
        ["b_study", "reproduced"],
    ]


def test_what_is_no_replication_table_is_refused(tmp_path):
    with pytest.raises(ValueError, match="no study there"):
        join_replications(tmp_path)
    (tmp_path / "s").mkdir()
    (tmp_path / "s" / "replication.csv").write_text("claim\nx\n")
    with pytest.raises(ValueError, match="its columns must be"):
        join_replications(tmp_path)


@pytest.mark.parametrize("published", [float("nan"), float("inf")])
def test_a_published_value_is_a_number(published):
    with pytest.raises(ValueError, match="must be a finite number"):
        claim("x", published, 1.0, 0.9, 1.1, 3)


@pytest.mark.parametrize("ends", [(1.1, 1.2), (1.2, 0.8), (float("nan"), 1.2)])
def test_a_published_interval_holds_its_value(ends):
    with pytest.raises(ValueError, match="does not hold"):
        claim("x", 1.0, 1.0, 0.9, 1.1, 3, published_low=ends[0], published_high=ends[1])


def test_a_fitted_claim_is_shown_with_its_numbers():
    row = claim("x", 2.0, 1.0, 0.9, 1.1, 20, fitted=True, note="the level was chosen for it")
    assert (row["ours"], row["ours_low"], row["ours_high"], row["n"]) == (1.0, 0.9, 1.1, 20)
    assert row["note"] == "the level was chosen for it"


def test_the_table_of_a_study(tmp_path):
    rows = [claim("b", 1, 1, 0.9, 1.1, 20), claim("a", 2.5, None, None, None, 0, note="not measured")]
    path = write_replication(rows, tmp_path / "replication.csv")
    assert path.read_text().splitlines() == [
        ",".join(CLAIM_COLUMNS),
        "a,2.5,,,,,,0,cannot tell,not measured",
        "b,1,,,1,0.9,1.1,20,reproduced,",
    ]
    with pytest.raises(ValueError, match=r"two rows have the key \{'claim': 'b'\}"):
        write_replication([rows[0], rows[0]], path)


def test_an_unknown_verdict_is_refused_and_the_old_join_stays(tmp_path):
    path = write_replication([claim("x", 1.0, 1.0, 0.9, 1.1, 20)], tmp_path / "s" / "replication.csv")
    joint = join_replications(tmp_path)
    before = joint.read_bytes()
    path.write_text(path.read_text().replace("reproduced", "confirmed"))
    with pytest.raises(ValueError, match="verdict 'confirmed' is none of"):
        join_replications(tmp_path)
    assert joint.read_bytes() == before


def test_the_join_keeps_every_digit(tmp_path):
    rows = [claim("x", 1 / 3, 0.3, 0.1, 2 / 3, 7), claim("y", 1433, 1426.0, 1377.125, 1475.0, 1000)]
    path = write_replication(rows, tmp_path / "s" / "replication.csv")
    joined = join_replications(tmp_path).read_text().splitlines()[1:]
    assert joined == [f"s,{line}" for line in path.read_text().splitlines()[1:]]
