"""The audit: lines that are added, expire, and hold no name."""

import getpass
import json
from datetime import UTC, datetime, timedelta, timezone

import pytest

from ludometrics.gamelog.audit import WITHHELD, add_entry, encode_entry, expire_entries, find_operator

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def entry(time: datetime) -> bytes:
    return encode_entry("expire", now=time, operator="cron", files={"scores-2026-01-01.json": 2})


def test_times_are_utc():
    there = datetime(2026, 11, 30, 12, tzinfo=timezone(timedelta(hours=5)))
    assert json.loads(entry(there))["time_utc"] == "2026-11-30T07:00:00+00:00"


@pytest.mark.parametrize("before, after", [(b"", b"x\n"), (b"a\n", b"a\nx\n"), (b"a", b"a\nx\n")])
def test_entries_are_added(before, after):
    assert add_entry(before, b"x\n") == after


def test_old_entries_go_and_what_is_no_entry_stays():
    old, new = entry(NOW - timedelta(days=366)), entry(NOW)
    other = b'{"torn\n[3]\n{"time_utc": "yesterday"}\n{"time_utc": "2020-01-01T00:00:00"}\n'
    kept, gone = expire_entries(old + other + new, oldest=NOW - timedelta(days=365))
    assert (kept, gone) == (other + new, 1)
    assert expire_entries(kept, oldest=NOW - timedelta(days=365)) == (kept, 0)
    assert expire_entries(b"", oldest=NOW) == (b"", 0)


def test_operator(monkeypatch):
    monkeypatch.setattr(getpass, "getuser", lambda: "ann")
    assert find_operator() == "ann" and find_operator("the secretary") == "the secretary"
    assert find_operator(removed="ANN") == WITHHELD == find_operator("Ann, secretary", removed="ann")
    assert find_operator("Joanna", removed="ann") == "Joanna"

    def nobody():
        raise KeyError("uid not found: 1234")

    monkeypatch.setattr(getpass, "getuser", nobody)
    assert find_operator() == "unknown"


@pytest.mark.parametrize("given", ["", "a\nb", "x" * 81, "\u202eann"])
def test_operators_that_cannot_be_written(given):
    with pytest.raises(ValueError, match="operator is"):
        find_operator(given)
