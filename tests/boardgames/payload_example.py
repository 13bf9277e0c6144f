"""Payloads of made-up groups for the tests of the page: no real person, no real game."""

from datetime import datetime, timedelta

import numpy as np

from ludometrics.boardgames.engine import rate_log
from ludometrics.boardgames.payload import build_payload
from ludometrics.boardgames.records import Game, LeftOut, Person, Play, PlayLog, Seat
from ludometrics.boardgames.settings import preset

PLAIN = ("Ada", "Ben", "Cleo", "Dmitri", "Esra", "Finn", "Grace", "Hugo", "Iris", "Jonas")
#: Names that break a page which takes them for anything but text.
AWKWARD = (
    "<img src=x onerror=\"window.broken = 'img'\">",
    "</script><script>window.broken = 'script'</script>",
    "مريم بنت أحمد",
    "👩‍🚀 Zoë 🎲",
    "Maximiliane-Theodora von und zu " + "Hohenüberlingen" * 8,
    "&amp; Söhne <b>fett</b>",
    "%{y} $x^2$ <a href='https://example.invalid/'>link</a>",
    "line\u2028separator \u202eevil",
    'O\'Neil "quote" \\ back',
    "Iris",
)
AWKWARD_GAME = "<svg onload=\"window.broken = 'svg'\"> & “Harbour” \u2028 Lights"
AWKWARD_TITLE = "Thursday </title><b>table</b>"
#: Key, name, number, stated minutes, and settings.
GAMES = (
    Game("g0", "Harbour Lights", 101, min_minutes=60, max_minutes=90),
    Game("g1", "Nine Foxes", 102, min_minutes=20, max_minutes=20),
    Game("g2", "The Long Canal", 103, min_minutes=120, max_minutes=180),
    Game("g3", "Tin & Copper", 104, highest_wins=False, min_minutes=90, max_minutes=90),
    Game("g4", "Sleepy Dice", 0),
    Game("g5", "Storm Watch", 106, cooperative=True, min_minutes=60, max_minutes=60),
)


def _scored(seats: list[str], results: np.ndarray, rng: np.random.Generator, low: bool) -> tuple[Seat, ...]:
    scores = np.round(40 + results / (-8 if low else 8)).astype(int)
    best = scores.min() if low else scores.max()
    return tuple(
        Seat(key, score=str(score), winner=bool(score == best))
        for key, score in zip(seats, scores, strict=True)
    )


def _play(
    number: int, at: datetime, seats: list[str], skill: dict, only: str, rng: np.random.Generator
) -> Play:
    """A play of some kind: most are scored, some ranked, some with a winner only, some not to be rated."""
    played = [game for game in GAMES if only in ("", game.key)]
    game = played[int(rng.integers(len(played)))]
    results = np.array([skill[key] for key in seats]) + rng.gumbel(0.0, 170.0, len(seats))
    places = [int(1 + (results > own).sum()) for own in results]
    kind = rng.choice(
        ["scores", "ranks", "flag", "teams", "nothing", "ignored"], p=[0.6, 0.2, 0.1, 0.03, 0.04, 0.03]
    )
    table = _scored(seats, results, rng, not game.highest_wins)
    if game.cooperative:
        table = tuple(Seat(key, winner=bool(number % 2)) for key in seats)
    elif kind == "ranks":
        second = number % 5 == 0  # marked as winner by mistake
        table = tuple(
            Seat(key, rank=place, winner=place == 1 + second)
            for key, place in zip(seats, places, strict=True)
        )
    elif kind == "flag":
        table = tuple(Seat(key, winner=place == 1) for key, place in zip(seats, places, strict=True))
    elif kind == "nothing":
        table = tuple(Seat(key) for key in seats)
    return Play(
        f"play-{number:04d}", game.key, at, at, table,
        minutes=int(rng.choice([0, 35, 80, 150])), ignored=kind == "ignored", uses_teams=kind == "teams",
        location="The flat" if number % 3 else "", board="Night map" if number % 7 == 0 else "",
    )  # fmt: skip


def example_log(
    *,
    players: int = 8,
    plays: int = 80,
    seed: int = 1,
    awkward: bool = False,
    only: str = "",
    start: str = "2023-11-18",
) -> PlayLog:
    """The log of a made-up group; with `awkward` its names and a game hold markup, other scripts and more.

    `only`: key of the one game that is played.
    """
    rng = np.random.default_rng(seed)
    names = list((AWKWARD if awkward else PLAIN)[:players])
    names += [f"Member {number}" for number in range(len(names) + 1, players + 1)]
    people = [Person(f"p{number:03d}", name) for number, name in enumerate(names)]
    keys = [person.key for person in people]
    skill = dict(zip([*keys, "x"], [*rng.normal(0.0, 120.0, players), 0.0], strict=True))
    often = 1.0 / np.arange(1, players + 1) ** 0.7
    at, made = datetime.fromisoformat(f"{start} 19:30"), []
    for number in range(plays):
        size = min(int(rng.integers(2, 6)), players)
        seats = [keys[i] for i in rng.choice(players, size, replace=False, p=often / often.sum())]
        seats += ["x"] * int(rng.choice(3, p=[0.84, 0.09, 0.07]))
        made.append(_play(number, at, seats, skill, only, rng))
        wait = timedelta(hours=1) if rng.random() < 0.5 else timedelta(days=int(rng.integers(3, 14)))
        at = (
            at + wait
            if wait.days == 0 and at.hour < 23
            else at.replace(hour=19) + timedelta(days=max(wait.days, 1))
        )
    games = {game.key: game for game in GAMES}
    if awkward:
        games["g0"] = Game("g0", AWKWARD_GAME, 101)
    return PlayLog(
        games, {person.key: person for person in [*people, Person("x", "Anonymous", is_guest=True)]}, tuple(made),
        source="example.json", left_out=(LeftOut("plays[17]", "an older copy of a play that was read before"),),
        warnings=("12 plays share the time 10:00, which the app fills in: their order is by time of typing.",),
    )  # fmt: skip


def example_payload(*, names: str = "real", **group) -> dict:
    """The payload of such a group, with a row of judgement and one of the checks."""
    log = example_log(**group)
    row = {"value": 0.671, "low": 0.655, "high": 0.69, "n": 72, "games": 310}
    check = {
        "check": "calibration",
        "question": "Does 70 % mean 70 %?",
        "effect": 0.83,
        "low": 0.41,
        "high": 1.2,
    }
    return build_payload(
        rate_log(log, preset("tuned")),
        names=names,
        title=AWKWARD_TITLE if group.get("awkward") else "Thursday table",
        judgement=[{"games_of": "all scored pairs", "measure": "log_loss", **row}],
        checks=[{**check, "n": 310, "verdict": "UNDECIDED", "note": "slope; 1 is right"}],
    )
