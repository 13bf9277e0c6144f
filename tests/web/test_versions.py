"""Versions of the level under test."""

import json
from datetime import UTC, datetime

import pytest

from ludometrics.abtest import assign_alternating, assign_by_hash
from ludometrics.abtest.ledger import read_ledger
from ludometrics.web.settings import Settings
from ludometrics.web.versions import LEDGER, Versions

TEST = "medium-randomness"


@pytest.fixture
def versions(tmp_path):
    def make(design: str) -> Versions:
        return Versions(tmp_path, Settings(design=design), now=lambda: datetime(2026, 9, 1, tzinfo=UTC))

    return make


def test_in_turn_to_each_player_whatever_the_spelling_and_the_process(versions, tmp_path):
    one, two = versions("alternate"), versions("alternate")
    dealt = [dealer.deal(name) for dealer, name in ((one, "Ann"), (two, " ANN "), (two, "ann"), (one, "Ann"))]
    assert dealt == [assign_alternating(TEST, "Ann", game) for game in range(4)]
    assert sorted(dealt[:2]) == ["A", "B"]
    ledger = read_ledger(tmp_path / LEDGER)
    assert ledger["game"].tolist() == [0, 1, 2, 3] and set(ledger["design"]) == {"alternate"}


def test_by_the_hash_of_the_course(versions, tmp_path):
    for name in ("Ann", "Bob", "ÀÉ"):
        assert {versions("hash").deal(name) for _ in range(3)} == {assign_by_hash(TEST, name, fold="course")}
    assert len(read_ledger(tmp_path / LEDGER)) == 3


def test_without_a_test_nothing_is_written(versions, tmp_path):
    assert versions("none").deal("Ann") is None
    assert not (tmp_path / LEDGER).exists()


def test_after_lines_were_removed_the_count_begins_again(versions, tmp_path):
    dealer = versions("alternate")
    for name in ("Ann", "Bob", "Ann", "Ann"):
        dealer.deal(name)
    lines = (tmp_path / LEDGER).read_text().splitlines(keepends=True)
    (tmp_path / LEDGER).write_text("".join(line for line in lines if json.loads(line)["player"] != "ann"))
    assert [dealer.deal("Ann") for _ in range(2)] == [
        assign_alternating(TEST, "Ann", game) for game in (0, 1)
    ]
    assert read_ledger(tmp_path / LEDGER)["player"].tolist() == ["bob", "ann", "ann"]


def test_a_ledger_that_cannot_be_read_keeps_nobody_from_playing(versions, tmp_path, caplog):
    (tmp_path / LEDGER).write_text("Ann has no version\n")
    dealer = versions("alternate")
    assert dealer.deal("Ann") is None
    assert "assignments.jsonl cannot be used" in dealer.problem
    assert "Ann" not in caplog.text and "ValueError" in caplog.text


def test_a_player_dealt_to_by_one_design_gets_no_version_of_another(versions):
    versions("alternate").deal("Ann")
    dealer = versions("hash")
    assert dealer.deal("Ann") is None and dealer.problem
    assert dealer.deal("Bob") in "AB" and dealer.problem is None


def test_a_start_that_failed_gets_the_same_version_again(versions, tmp_path):
    dealer = versions("alternate")
    first = dealer.deal("Ann", "a" * 16)
    assert dealer.deal("Ann", "a" * 16) == first and dealer.deal("Ann", "b" * 16) != first
    dealer.begun("a" * 16)
    assert len(read_ledger(tmp_path / LEDGER)) == 2


def test_after_old_lines_expired_the_count_goes_on(versions, tmp_path):
    dealer = versions("alternate")
    for _ in range(4):
        dealer.deal("Ann")
    lines = (tmp_path / LEDGER).read_text().splitlines(keepends=True)
    (tmp_path / LEDGER).write_text("".join(lines[2:]))
    assert dealer.deal("Ann") == assign_alternating(TEST, "Ann", 4)
    assert read_ledger(tmp_path / LEDGER)["game"].tolist() == [2, 3, 4]


def test_one_request_under_two_names_is_two_games(versions, tmp_path):
    dealer = versions("alternate")
    dealer.deal("Ann", "a" * 16), dealer.deal("Bob", "a" * 16)
    assert read_ledger(tmp_path / LEDGER)["player"].tolist() == ["ann", "bob"]
