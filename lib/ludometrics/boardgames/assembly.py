"""A `PlayLog` put together from its parts: sorted, so that no file's order counts, with warnings for a person."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from ludometrics.boardgames.records import Game, LeftOut, Person, Play, PlayLog
from ludometrics.boardgames.values import fold_name


def assemble(
    games: Mapping[str, Game],
    people: Mapping[str, Person],
    plays: Iterable[Play],
    *,
    source: str = "",
    owner: str = "",
    left_out: Iterable[LeftOut] = (),
    warnings: Iterable[str] = (),
) -> PlayLog:
    """Make a log of its parts, each sorted, with the warnings that follow from people and plays added.

    Returns
    -------
    PlayLog

    Examples
    --------
    >>> people = {key: Person(key, "Ann") for key in ("b", "a")}
    >>> list(assemble({}, people, []).people)
    ['a', 'b']
    """
    people = dict(sorted(people.items()))
    plays = tuple(sorted(plays, key=lambda play: play.order))
    return PlayLog(
        games=dict(sorted(games.items())),
        people=people,
        plays=plays,
        source=source,
        owner=owner,
        left_out=tuple(sorted(left_out)),
        warnings=(*sorted(warnings), *derived_warnings(people, plays)),
    )


def derived_warnings(people: Mapping[str, Person], plays: Sequence[Play]) -> list[str]:
    """What a person should look at: people of one name, and plays that share a moment.

    Parameters
    ----------
    people : mapping of str to Person
    plays : sequence of Play

    Returns
    -------
    list of str
        Names are told, keys are not.
    """
    return [*_same_names(people, plays), *_same_moments(plays)]


def plays_by_person(plays: Iterable[Play]) -> Counter[str]:
    """Count each person's plays."""
    return Counter(person for play in plays for person in {seat.person for seat in play.seats})


def shared_plays(plays: Iterable[Play], people: Iterable[str]) -> int:
    """Count the plays in which at least two of several people sit."""
    wanted = set(people)
    return sum(len(wanted & {seat.person for seat in play.seats}) > 1 for play in plays)


def _same_names(people: Mapping[str, Person], plays: Sequence[Play]) -> list[str]:
    played = plays_by_person(plays)
    groups = defaultdict(list)
    for key, person in people.items():
        if played[key] and not person.is_guest:
            groups[fold_name(person.name)].append(key)
    found = []
    for keys in groups.values():
        if len(keys) > 1:
            counts = " and ".join(str(count) for count in sorted((played[key] for key in keys), reverse=True))
            name = min(people[key].name for key in keys)
            together = shared_plays(plays, keys)
            number = f"{together} play{'s' * (together > 1)}"
            told = f" they sit at one table in {number}, as several people do;" if together else ""
            found.append(
                f"{len(keys)} people are called {name!r} ({counts} plays): rated apart;{told} if they are one, "
                "say so in a file of aliases"
            )
    return sorted(found)


def _same_moments(plays: Sequence[Play]) -> list[str]:
    moments = Counter(play.at for play in plays)
    shared = sum(count for count in moments.values() if count > 1)
    if not shared:
        return []
    typed = Counter((play.at, play.entered) for play in plays)
    arbitrary = sum(count for count in typed.values() if count > 1)
    most = max(moments.values())
    moment = min(at for at, count in moments.items() if count == most)
    by_key = f", and {arbitrary} typed in the same second by their keys" if arbitrary else ""
    return [
        f"{shared} of {len(plays)} plays are logged at the very moment of another (most: {most} at {moment}): they are "
        f"rated in the order in which they were typed in{by_key}"
    ]
