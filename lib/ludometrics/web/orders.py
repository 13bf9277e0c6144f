"""What a person asks for who starts a game."""

from dataclasses import dataclass
from typing import NamedTuple

from ludometrics.gamelog.names import clean_name, fold_name
from ludometrics.web.live import LiveGame
from ludometrics.web.problems import BadValueError


@dataclass(frozen=True)
class Order:
    """What a person asks for who starts a game.

    Attributes
    ----------
    mode : {"computer", "two"}
    name : str
        As typed: of the person, or of Black.
    request : str
        Made up by the client: the same order under the same request is the same game.
    name2 : str
        Of White, for two.
    colour : {"b", "w"}
        Of the person, against the computer.
    level : str
        A level's key, or "match".
    proofs : tuple of str
        For any of the names.
    """

    mode: str
    name: str
    request: str
    name2: str = ""
    colour: str = "b"
    level: str = "match"
    proofs: tuple[str, ...] = ()

    def names(self) -> tuple[str, str]:
        """Names of Black and White as they are saved, empty for the computer.

        Raises
        ------
        BadValueError
            A name that nobody may have, or one name for both.

        Examples
        --------
        >>> Order("computer", " Ann ", "f" * 16, colour="w").names()
        ('', 'Ann')
        """
        name = clean(self.name, "name")
        if self.mode == "computer":
            return (name, "") if self.colour == "b" else ("", name)
        name2 = clean(self.name2, "name2")
        if fold_name(name) == fold_name(name2):
            raise BadValueError(f"name2 is {name2!r}: Black has that name already, and two people are wanted")
        return name, name2

    def fits(self, game: LiveGame) -> bool:
        """Tell whether a game is what this order asks for."""
        if game.mode != self.mode:
            return False
        if self.mode == "two":
            return (game.black, game.white) == self.names()
        chosen = "match" if game.match is not None else game.level
        person = next(filter(None, self.names()))
        return game.human == self.colour and chosen == self.level and game.name_of(game.human) == person


class Started(NamedTuple):
    """A game, and the proofs for its people: pairs of name and proof."""

    game: LiveGame
    proofs: tuple[tuple[str, str], ...]


def clean(name: str, field: str) -> str:
    """A name as it is saved.

    Raises
    ------
    BadValueError
        Nobody may have it.
    """
    try:
        return clean_name(name)
    except ValueError as error:
        raise BadValueError(str(error).replace("name is", f"{field} is", 1)) from None
