"""What a payload may say in words: who is called what, and which texts are withheld together with the names."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from ludometrics.boardgames.naming import Names, clean_text, display_names
from ludometrics.boardgames.records import LeftOut, PlayLog

#: Keys of people that are shorter may be words of the language, and are left in texts.
_SHORT_KEY = 16
#: A score that gives nothing away.
_PLAIN_SCORE = re.compile(r"[0-9\s.,+*/×xX()−-]{0,200}")


@dataclass(frozen=True)
class Labels:
    """Identifiers of people and games in a payload, and the texts that may stand in it.

    Attributes
    ----------
    log : PlayLog
    names : {"real", "initials", "pseudonyms"}
    players, games : tuple of str
        Keys, in the order in which they are numbered from 1.
    """

    log: PlayLog
    names: Names
    players: tuple[str, ...]
    games: tuple[str, ...]

    @property
    def open(self) -> bool:
        """Whether texts of the log are shown."""
        return self.names == "real"

    @cached_property
    def name(self) -> dict[str, str]:
        """What each known person is called, by key."""
        return display_names(self.log, self.names)

    @cached_property
    def place(self) -> dict[str, int]:
        """Place of each known person among the players, from 0, by key."""
        return {key: number for number, key in enumerate(self.players)}

    @cached_property
    def game(self) -> dict[str, str]:
        """Identifier of each game, by key."""
        return {key: f"g{number}" for number, key in enumerate(self.games, start=1)}

    def player(self, key: str) -> str | None:
        """Identifier of a person; None for a guest and for somebody unknown."""
        return f"p{self.place[key] + 1}" if key in self.place else None

    def play(self, place: int) -> str:
        """Identifier of a play by its place in the log."""
        return f"n{place + 1}"

    def text(self, text: str) -> str | None:
        """A text of the log, without keys of people; None where it is empty or texts are withheld."""
        if not self.open:
            return None
        known = self._long_keys
        if known is not None:
            text = known.sub(lambda found: self._called(found[0]), text)
        return clean_text(text) or None

    def score(self, text: str) -> str | None:
        """A score as logged; where texts are withheld, only one without words."""
        text = clean_text(text)
        return text if text and (self.open or _PLAIN_SCORE.fullmatch(text)) else None

    def game_name(self, key: str) -> str:
        """Name of a game; where names are withheld, not that of a home-made game that names one of the people."""
        game = self.log.games[key]
        name = clean_text(game.name) or "(no name)"
        own = not self.open and game.bgg_id == 0 and set(_words(name)) & self._words_of_names
        return f"Game {self.game[key][1:]}" if own else name

    def left_out(self) -> list[dict[str, str]]:
        """Rows of the file that are not in the log; only their number where texts are withheld."""
        rows = self.log.left_out
        if self.open:
            return [self._left_out(row) for row in rows]
        if not rows:
            return []
        return [{"where": "withheld", "reason": f"{_counted(len(rows), 'row')}; the reasons may hold names"}]

    def warnings(self, more: Sequence[str] = ()) -> list[str]:
        """Warnings of the log and more that hold no names; of the former only their number where withheld."""
        rows = self.log.warnings
        if self.open:
            return [text for row in rows if (text := self.text(row))] + list(more)
        if not rows:
            return list(more)
        return [f"{_counted(len(rows), 'warning')} withheld, since names may be in them", *more]

    def _left_out(self, row: LeftOut) -> dict[str, str]:
        return {"where": self.text(row.where) or "", "reason": self.text(row.reason) or ""}

    @cached_property
    def _long_keys(self) -> re.Pattern[str] | None:
        keys = sorted((key for key in self.log.people if len(key) >= _SHORT_KEY), key=len, reverse=True)
        return re.compile("|".join(map(re.escape, keys)), re.IGNORECASE) if keys else None

    def _called(self, key: str) -> str:
        folded = {known.casefold(): name for known, name in self.name.items()}
        return folded.get(key.casefold(), "somebody")

    @cached_property
    def _words_of_names(self) -> set[str]:
        return {word for person in self.log.people.values() for word in _words(clean_text(person.name))}


def _words(text: str) -> list[str]:
    """Words of three letters or more, without regard to case."""
    return [word for word in re.findall(r"\w+", text.casefold()) if len(word) > 2]


def _counted(n: int, noun: str) -> str:
    return f"{n} {noun}{'s' if n != 1 else ''}"
