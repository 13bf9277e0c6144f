"""A club with a clock that the test moves, and a device that asks its server."""

import itertools
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from ludometrics.web.app import create_app
from ludometrics.web.club import Club
from ludometrics.web.settings import Settings


class Clock:
    """Stands still until it is moved."""

    def __init__(self) -> None:
        self.time = datetime(2026, 9, 1, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.time

    def forward(self, **span: float) -> None:
        self.time += timedelta(**span)


class Device:
    """Asks a server as the page does."""

    def __init__(self, client) -> None:
        self.client = client
        self.requests = (f"request-{number:012}" for number in itertools.count())

    def get(self, route: str):
        return self.client.get(f"/{route}")

    def post(self, route: str, **body):
        return self.client.post(f"/{route}", json=body)

    def start(self, name: str = "Ann", level: str = "easy", colour: str = "b", **more) -> dict:
        body = {"mode": "computer", "name": name, "level": level, "colour": colour, **more}
        return self.good("game", request=next(self.requests), **body)

    def start_two(self, name: str = "Ann", name2: str = "Bob", **more) -> dict:
        return self.good("game", mode="two", name=name, name2=name2, request=next(self.requests), **more)

    def good(self, route: str, **body) -> dict:
        answer = self.post(route, **body)
        assert answer.status_code == 200, answer.get_json()
        return answer.get_json()

    def move(self, view: dict, path: list[int]) -> dict:
        """The view after a move, with the key of the game."""
        after = self.good("move", id=view["id"], key=view["key"], ply=view["ply"], path=path)
        return {**after, "key": view["key"]}

    def play_on(self, view: dict, rng: np.random.Generator, most: int = 10_000) -> dict:
        """Random legal moves until the game is over, or so many were made."""
        for _ in range(most):
            if view["result"] is not None:
                break
            view = self.move(view, view["legal"][rng.integers(len(view["legal"]))]["path"])
        return view


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "games"


@pytest.fixture
def open_club(folder, clock):
    """A club on the test's folder; again after a restart, or as a second process would."""

    def make(**settings) -> Club:
        return Club(folder, Settings(**settings), rng=np.random.default_rng(1), now=clock)

    return make


@pytest.fixture
def open_device(folder, open_club):
    """A device at the server of a new club on the test's folder."""

    def make(**settings) -> Device:
        return Device(create_app(folder, club=open_club(**settings)).test_client())

    return make


@pytest.fixture
def device(open_device):
    return open_device()


@pytest.fixture
def rng():
    return np.random.default_rng(2026)
