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
