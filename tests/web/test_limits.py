"""Limits on requests."""

import pytest

from ludometrics.web import limits as module
from ludometrics.web.limits import RateLimits, client_of, whole_seconds


@pytest.fixture
def time():
    return [1000.0]


@pytest.fixture
def limits(time):
    return RateLimits({"request": (3, 60.0), "game": (1, 3600.0)}, clock=lambda: time[0])


def test_a_bucket_empties_and_fills_up_evenly(limits, time):
    assert [limits.take("request", "x") for _ in range(4)] == [0.0, 0.0, 0.0, 20.0]
    time[0] += 15
    assert limits.take("request", "x") == pytest.approx(5.0)
    time[0] += 5
    assert limits.take("request", "x") == 0.0
    time[0] += 10_000
    assert [limits.take("request", "x") for _ in range(4)] == [0.0, 0.0, 0.0, 20.0]


def test_clients_and_kinds_have_buckets_of_their_own(limits):
    assert [limits.take(kind, client) for kind in ("request", "game") for client in "xy"] == [0.0] * 4
    assert limits.take("game", "x") == 3600.0


def test_memory_is_bounded(limits, time, monkeypatch):
    monkeypatch.setattr(module, "_MOST_BUCKETS", 10)
    for number in range(100):
        limits.take("request", str(number))
        assert len(limits) <= 10
    time[0] += 60
    limits.take("request", "a")
    assert limits.take("request", "a") == 0.0


@pytest.mark.parametrize(
    "address, client",
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:a:b:c:d", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("a socket", "a socket"),
        (None, ""),
    ],
)
def test_who_counts_as_one_client(address, client):
    assert client_of(address) == client


def test_seconds_are_rounded_up():
    assert [whole_seconds(wait) for wait in (0.01, 1.0, 1.2)] == [1, 1, 2]
