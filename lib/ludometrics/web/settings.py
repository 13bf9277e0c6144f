"""How a club is run: what a person who starts the server may choose."""

from dataclasses import dataclass, fields

from ludometrics.gamelog.store import TIME_ZONE, find_zone

#: Rules by which "Match me" chooses, and ways to deal out the versions of a level under test.
RULE_NAMES = ("default", "course")
DESIGNS = ("alternate", "hash", "none")
#: The test that the club can run: Medium plays carelessly in 10 % of its moves (A) or in 5 % (B).
EXPERIMENT = "medium-randomness"


@dataclass(frozen=True)
class Settings:
    """How a club is run.

    Attributes
    ----------
    rule : {"default", "course"}
        Rule of "Match me": ours among the nine rated levels, or that of the adaptive-draughts course among its three.
    experiment : str
        Name under which versions are recorded.
    design : {"alternate", "hash", "none"}
        How the versions of Medium are dealt: in turn to each player, order within a pair by chance; by the course's
        hash of the name for the whole test; or no test.
    abandon_after_minutes : int
        A game that nobody touched for so long is saved as abandoned, 1 to 10,080 (a week).
    keep_minutes : int
        How long a finished game can still be looked at by those who played it, 0 to 1,440.
    time_zone : str
        Name in the IANA database: where a day begins and ends.
    requests_a_minute, games_an_hour, removals_an_hour : int
        What one client address may do, at least 1. A class of thirty behind one address, a move each every three
        seconds, needs 600 requests a minute; one game each in a quarter of an hour is 120 games an hour.
    live_games, live_games_each : int
        Games that may be open at once, in all and started from one address, at least 1.
    timeout_s : float
        How long a request waits for a folder that another program holds, seconds, above 0, at most 60.

    Raises
    ------
    ValueError
        Naming the setting, its value and what is allowed.

    Examples
    --------
    >>> Settings(design="alternating")
    Traceback (most recent call last):
    ...
    ValueError: design is 'alternating': allowed are 'alternate', 'hash', 'none'
    """

    rule: str = "default"
    experiment: str = EXPERIMENT
    design: str = "alternate"
    abandon_after_minutes: int = 120
    keep_minutes: int = 60
    time_zone: str = TIME_ZONE
    requests_a_minute: int = 600
    games_an_hour: int = 120
    removals_an_hour: int = 20
    live_games: int = 2000
    live_games_each: int = 100
    timeout_s: float = 10.0

    def __post_init__(self) -> None:
        for name, allowed in (("rule", RULE_NAMES), ("design", DESIGNS)):
            value = getattr(self, name)
            if value not in allowed:
                raise ValueError(f"{name} is {value!r}: allowed are {', '.join(map(repr, allowed))}")
        if not isinstance(self.experiment, str) or not self.experiment.strip():
            raise ValueError(f"experiment is {self.experiment!r}: a name is wanted")
        find_zone(self.time_zone)
        most = {"abandon_after_minutes": 10_080, "keep_minutes": 1_440}
        least = {"keep_minutes": 0}
        for field in fields(self):
            if field.type is int or field.type == "int":
                _check_whole(
                    field.name,
                    getattr(self, field.name),
                    least.get(field.name, 1),
                    most.get(field.name, 1_000_000),
                )
        if not 0 < self.timeout_s <= 60:
            raise ValueError(f"timeout_s is {self.timeout_s!r}: allowed is a number above 0 and at most 60")


def _check_whole(name: str, value: object, least: int, most: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise ValueError(f"{name} is {value!r}: allowed are the whole numbers {least} to {most:,}")
