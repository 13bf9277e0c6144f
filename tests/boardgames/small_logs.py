"""Small play logs written by hand, and random ones, for the tests of the board-game engine."""

from datetime import datetime, timedelta

import numpy as np

from ludometrics.boardgames.records import Game, Person, Play, PlayLog, Seat

START = datetime(2024, 1, 1, 19)
#: A key that stands for a guest in the tables below.
GUEST = "guest"


def make_play(number, game, seats, *, hours=0.0, **fields):
    """A play `hours` after the start; seats as (person, rank), (person, score text) or Seat."""
    table = []
    for seat in seats:
        if not isinstance(seat, Seat):
            person, result = seat
            seat = Seat(person, score=result) if isinstance(result, str) else Seat(person, rank=result)
        table.append(seat)
    at = START + timedelta(hours=hours)
    return Play(f"play-{number:04d}", game, at, at, tuple(table), **fields)


def make_log(plays, *, games=(), people=()):
    """A log of plays; games and people that are not given are plain ones, and "guest" is a guest."""
    games = {game.key: game for game in games}
    people = {person.key: person for person in people}
    for play in plays:
        games.setdefault(play.game, Game(play.game, play.game.title()))
        for seat in play.seats:
            people.setdefault(seat.person, Person(seat.person, seat.person.title(), seat.person == GUEST))
    return PlayLog(
        dict(sorted(games.items())), dict(sorted(people.items())), tuple(sorted(plays, key=lambda p: p.order))
    )


def ranked_log(*tables, days=1.0):
    """A log of one game in which each table lists its people from first to last, `days` apart."""
    return make_log(
        [
            make_play(
                n, "go", [(person, place + 1) for place, person in enumerate(table)], hours=24 * days * n
            )
            for n, table in enumerate(tables)
        ]
    )


def random_log(rng: np.random.Generator, *, plays=40, people=7, games=4, guests=0.1):
    """A log of all sorts: ranks with ties, scores, flags alone, guests, teams, lowest wins, shared moments."""
    kinds = [Game(f"g{n}", f"Game {n}", n, highest_wins=n != 1, min_minutes=20 * n) for n in range(games)]
    made = []
    for number in range(plays):
        size = int(rng.integers(2, min(people, 6) + 1))
        chosen = [f"p{n}" for n in rng.choice(people, size, replace=False)]
        chosen = [GUEST if rng.random() < guests else key for key in chosen]
        kind = rng.choice(["ranks", "scores", "flag", "teams"], p=[0.3, 0.5, 0.15, 0.05])
        made.append(_random_play(number, kinds[int(rng.integers(games))], chosen, kind, rng))
    return make_log(made, games=kinds)


def _random_play(number, game, people, kind, rng):
    fields = {"hours": float(24 * (number // 2)), "minutes": int(rng.choice([0, 10, 45, 120]))}
    if kind == "scores":
        scores = [int(score) for score in rng.integers(0, 60, len(people))]
        seats = [Seat(person, score=str(score)) for person, score in zip(people, scores, strict=True)]
    elif kind == "flag":
        seats = [Seat(person, winner=place == 0) for place, person in enumerate(people)]
    else:
        ranks = np.sort(rng.integers(1, len(people) + 1, len(people)))
        ranks -= ranks[0] - 1
        ranks[-1] += 1
        seats = [Seat(person, rank=int(rank)) for person, rank in zip(people, ranks, strict=True)]
    if kind == "teams":
        seats = [
            Seat(seat.person, rank=1 + place % 2, winner=place % 2 == 0, team=str(place % 2))
            for place, seat in enumerate(seats)
        ]
        fields["uses_teams"] = True
    order = rng.permutation(len(seats))
    return make_play(number, game.key, [seats[place] for place in order], **fields)
