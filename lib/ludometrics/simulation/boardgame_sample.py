"""The sample that comes with the repository: a made-up group's export, with one play of each odd kind."""

import csv
import io
import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ludometrics.boardgames.records import Game, Person, PlayLog
from ludometrics.provenance import named_stream, write_bytes
from ludometrics.simulation.boardgame_export import compose_export, is_simulated
from ludometrics.simulation.boardgame_groups import SimulatedGroup, simulate_group
from ludometrics.simulation.boardgame_logs import FIRST_DAY
from ludometrics.simulation.boardgame_oddities import odd_plays
from ludometrics.simulation.boardgame_worlds import GroupWorld

#: Invented, in several scripts; the last two are written alike but for case and space.
PEOPLE = (
    "Quill Ambersand",
    "Миля Клубок",
    "Νέλλη Πιόνι",
    "サイコロ まい",
    "زهرة النرد",
    "Zoë Würfelich",
    "이말판",
    "Per-Ångström Brikke",
    "Tam Meeple",
    "tam  meeple",
)
#: Invented; the first two cooperative, the third won by the lowest score.
GAMES = (
    "Hold Fast, Little Boat",
    "Night Shift at the Observatory",
    "Seven Sour Plums",
    "Moth Parliament",
    "Bogwater Barons",
    "Turnip Regatta",
    "Thimble Armada",
    "The Clerk of Weather",
    "Thimble Armada: Second Tide",
    "Uncle Oto's Tiles",
)
GUEST, AUTOMATON = "Anonymous player", "Old Clockwork"
#: Games that are an expansion played by itself, not at BoardGameGeek, and without a curated skill.
EXPANSION, HOUSE_GAME, WITHOUT_SKILL = 8, 9, 5

#: Of the shipped files: orders from scores, ranks and marks have about the shares here that real groups' have.
SEED = 2030

#: Strengths stay, heavy games tell more of them, and half of the gaps of scores mean something.
WORLD = GroupWorld(
    people=len(PEOPLE),
    spread=130.0,
    games=len(GAMES),
    popularity=0.5,
    cooperative_games=2,
    lowest_games=1,
    plays=290,
    years=2.0,
    plays_an_evening=2.2,
    table_sizes=(0.1, 0.3, 0.4, 0.15, 0.05),
    attendance=0.8,
    guests=0.1,
    automata=0.25,
    weight=0.4,
    margin=0.5,
)


class Sample(NamedTuple):
    """The sample.

    Attributes
    ----------
    log : PlayLog
        With the odd plays; those of the group alone are in `group`.
    complexity : dict of int to float
        By number at BoardGameGeek.
    skill : dict of str to float
        By key of the game.
    group : SimulatedGroup
        The truth behind the others.
    deleted : tuple of str
        Keys of plays that the export lists as deleted.
    """

    log: PlayLog
    complexity: Mapping[int, float]
    skill: Mapping[str, float]
    group: SimulatedGroup
    deleted: tuple[str, ...]


def make_sample(*, rng: np.random.Generator) -> Sample:
    """Make the sample.

    Examples
    --------
    >>> sample = make_sample(rng=np.random.default_rng(1))
    >>> len(sample.log.people), len(sample.log.games), len(sample.log.plays) > 300
    (12, 10, True)
    """
    group = simulate_group(WORLD, rng=rng)
    log = group.log
    # By what they are called in the simulation, so that titles and names fall on the same ones whatever the keys.
    games = {key: _game(game) for key, game in log.games.items()}
    people = {key: _person(person) for key, person in log.people.items()}
    (guest,) = [key for key, person in people.items() if person.is_guest and not person.is_automaton]
    (automaton,) = [key for key, person in people.items() if person.is_automaton]
    odd = odd_plays(
        group.people, guest, automaton, _kinds(games), FIRST_DAY.item(), int(group.meeting_days[-1])
    )
    plays = tuple(sorted([*log.plays, *odd], key=lambda play: play.order))
    numbers = {game.bgg_id for game in games.values()} - {0}
    unrated = [key for key, game in games.items() if game.name == GAMES[WITHOUT_SKILL]]
    return Sample(
        log=replace(log, games=games, people=people, plays=plays),
        complexity={number: heavy for number, heavy in group.complexity.items() if number in numbers},
        skill={key: skill for key, skill in group.skill.items() if key not in unrated},
        group=group,
        deleted=("0dd00000-0000-4000-8000-00000000dead",),
    )


def write_sample(path: str | os.PathLike[str], *, seed: int) -> list[Path]:
    """Write the sample: the export, and beside it what is said of the games and how strong the people are.

    Parameters
    ----------
    path : path
        Of the export, by custom ``*_sample.json``; the tables' names are made of its own:
        ``*_complexity.csv``, ``*_skill.csv``, ``*_strengths.csv``.
    seed : int
        At least 0; the same seed gives the same bytes.

    Returns
    -------
    list of Path
        The four files.

    Raises
    ------
    ValueError
        Another ending than .json, or an export there that was not simulated: nothing is written over it.
    """
    path = Path(path)
    if path.suffix != ".json":
        raise ValueError(f"{path}: the name of an export must end in .json")
    if path.exists() and not is_simulated(path):
        raise ValueError(f"{path}: is there already, and was not simulated: name another file")
    sample = make_sample(rng=named_stream(seed, "board-game group"))
    games = sorted(sample.log.games.values(), key=lambda game: GAMES.index(game.name))
    people = sorted(sample.group.strengths.items(), key=lambda item: -item[1])
    heavy, skill = sample.complexity, sample.skill
    stem = path.stem.removesuffix("_sample")
    contents = {
        path.name: compose_export(
            sample.log, deleted=sample.deleted, rng=named_stream(seed, "board-game export")
        ),
        f"{stem}_complexity.csv": _table(
            ("bgg_id", "game", "complexity"),
            [(game.bgg_id, game.name, f"{heavy[game.bgg_id]:.2f}") for game in games if game.bgg_id],
        ),
        f"{stem}_skill.csv": _table(
            ("bgg_id", "game", "skill"),
            [(game.bgg_id or "", game.name, _two_digits(skill.get(game.key))) for game in games],
        ),
        f"{stem}_strengths.csv": _table(
            ("name", "uuid", "strength"),
            [(sample.log.people[key].name, key.upper(), f"{strength:.1f}") for key, strength in people],
        ),
    }
    return [write_bytes(path.with_name(name), content) for name, content in contents.items()]


def _two_digits(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def _table(header: tuple[str, ...], rows: Iterable[tuple]) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue().encode("utf-8")


def _number(name: str) -> int:
    """Place of "Game 7" or "Person 7", from 0."""
    return int(name.split()[1]) - 1


def _game(game: Game) -> Game:
    number = _number(game.name)
    changes = {"bgg_id": 0} if number == HOUSE_GAME else {}
    return replace(game, name=GAMES[number], is_expansion=number == EXPANSION, **changes)


def _person(person: Person) -> Person:
    if person.is_guest:
        return replace(person, name=AUTOMATON if person.is_automaton else GUEST)
    return replace(person, name=PEOPLE[_number(person.name)])


def _kinds(games: Mapping[str, Game]) -> dict[str, str]:
    """A game of each kind, by what odd plays ask for."""
    by_title = {game.name: key for key, game in games.items()}
    ordered = [by_title[title] for title in GAMES]
    competitive = [key for key in ordered if not games[key].cooperative]
    return {
        "cooperative": ordered[0],
        "low": next(key for key in competitive if not games[key].highest_wins),
        "high": next(key for key in competitive if games[key].highest_wins and not games[key].no_points),
        "no points": next(key for key in competitive if games[key].no_points),
    }
