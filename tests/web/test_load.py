"""The load that the benchmark measures, small: no request fails and no game is lost."""

import importlib.util
import sys
from dataclasses import replace

import pytest

from ludometrics.gamelog.daily import Game
from project import ROOT


@pytest.fixture
def web_load(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    spec = importlib.util.spec_from_file_location("web_load", ROOT / "benchmarks" / "_web_load.py")
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "web_load", module)
    spec.loader.exec_module(module)
    return module


def test_many_at_once_lose_no_game(web_load):
    seen = web_load.load(players=10, seconds=4.0, pace_s=0.2)
    assert seen.errors == []
    assert len(seen.results) == seen.started >= 10
    assert all(len(times) > 20 for times in seen.latencies_ms.values())


def test_a_lost_game_would_be_noticed(web_load):
    seen = web_load.Seen(results={"a": "b", "c": "draw"}, started=2)
    kept = [Game("Ann", "Bob", "b", id="a"), Game("Ann", "Bob", "draw", id="c")]
    assert web_load.compare(seen, kept) == []
    assert len(web_load.compare(seen, kept[:1])) == 2
    assert web_load.compare(seen, [*kept, kept[0]]) == ["2 games were started, 3 saved"]
    assert web_load.compare(seen, [kept[0], replace(kept[1], winner="w")]) == [
        "game c: its player saw draw, saved is w"
    ]
