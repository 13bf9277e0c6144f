"""Names of players: one key for all spellings, what may be typed, and what nobody may be called."""

import re
from collections.abc import Mapping
from unicodedata import category, normalize

#: Names under which the computer plays, by level: the adaptive-draughts course's three, and nine at even steps.
LEVEL_NAMES: Mapping[str, str] = {
    "easy": "Computer (Low)",
    "medium": "Computer (Medium)",
    "hard": "Computer (High)",
    **{f"l{number}": f"Computer ({number})" for number in range(1, 10)},
}
#: Longest name, in signs.
MAX_NAME = 20
#: How a removed player's name begins.
REMOVED = "(removed"
#: Name of one removed player, told apart from all others by a random token.
REMOVED_TOKEN = re.compile(r"\(removed-[0-9a-f]{8,10}\)")
#: What is allowed, in words, for messages.
NAME_FORM = f"1 to {MAX_NAME} letters, digits, underscores, spaces or . ' ( ) -"

_SIGNS = frozenset("_ .'()-")
# Letters and marks that show nothing (Default_Ignorable_Code_Point of the Unicode Character Database): with them a name
# could look empty, or like another's.
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0000-\U000e0fff]"
)
#: Keys that no person may have, and beginnings of such keys.
_RESERVED_STARTS = (REMOVED, "(anonymous", "anonymous", "computer")


class ReservedNameError(ValueError):
    """A name that stands for a level of the computer or for people whose name was removed."""


def fold_name(name: str) -> str:
    """Fold a name to the key that all its spellings share.

    ``NFKC(casefold(NFKC(name)))``, runs of white space made one space, the ends stripped.

    Parameters
    ----------
    name : str
        Signs that cannot be seen (of zero width) stay in the key; a name that may be saved has none.

    Returns
    -------
    str
        The same for upper and lower case, composed and decomposed accents, full and half width. Folded again it
        does not change. Empty where the name is nothing but white space.

    Raises
    ------
    ValueError
        It is not text.

    Source
    ------
    The Unicode Standard, section 3.13, "Default Caseless Matching" (compatibility form). No language's own rules
    are followed: a dotted capital ``İ`` is not an ``i``.

    Examples
    --------
    >>> fold_name(" Ann  Marie ")
    'ann marie'
    >>> fold_name("Straße") == fold_name("STRASSE")
    True
    """
    if not isinstance(name, str):
        raise ValueError(f"name is {name!r}: it must be text")
    # Folding case can undo the normal form, so that it is restored; white space comes last, as NFKC makes some.
    return " ".join(normalize("NFKC", normalize("NFKC", name).casefold()).split())


def is_player_name(name: object) -> bool:
    """Tell whether a name may stand in a file: 1 to 20 letters, digits, underscores, spaces or . ' ( ) -.

    Letters may carry marks, composed or not; signs that cannot be seen are none of these.

    Examples
    --------
    >>> [is_player_name(name) for name in ("Ann-Marie O'Neil", "José", "", "A" * 21, "<b>")]
    [True, True, False, False, False]
    """
    if not isinstance(name, str):
        return False
    if name.isascii():
        return 0 < len(name) <= MAX_NAME and all(sign.isalnum() or sign in _SIGNS for sign in name)
    composed = normalize("NFC", name)
    return (
        0 < len(composed) <= MAX_NAME
        and not _UNSEEN.search(name)
        and all(
            sign in _SIGNS
            or category(sign)[0] in "LN"
            or (place and category(sign)[0] == "M" and category(composed[place - 1])[0] in "LM")
            for place, sign in enumerate(composed)
        )
    )


def is_reserved(name: str) -> bool:
    """Tell whether no person may have a name: the computer's, and those that stand for removed people.

    Examples
    --------
    >>> [is_reserved(name) for name in ("computer (HIGH)", "(removed-7f3a91c2)", "（ｒｅｍｏｖｅｄ）", "Ann")]
    [True, True, True, False]
    """
    return fold_name(name).startswith(_RESERVED_STARTS)


def clean_name(typed: str) -> str:
    """Give a name as it is saved, if a person may play under it.

    Parameters
    ----------
    typed : str

    Returns
    -------
    str
        Composed (NFC), the ends stripped, runs of spaces made one.

    Raises
    ------
    ReservedNameError
        It is the computer's, or stands for removed people.
    ValueError
        Naming it and what is allowed.

    Source
    ------
    Own; the signs that are allowed: the adaptive-draughts course.

    Examples
    --------
    >>> clean_name("  Ann   Marie ")
    'Ann Marie'
    >>> clean_name("Computer (Low)")
    Traceback (most recent call last):
    ...
    ludometrics.gamelog.names.ReservedNameError: name is 'Computer (Low)': names that begin with Computer, Anonymous or
    (removed are not for people
    """
    if not isinstance(typed, str):
        raise ValueError(f"name is {typed!r}: it must be text")
    name = re.sub(" +", " ", normalize("NFC", typed)).strip(" ")
    # A name must have a letter or a digit, else nobody could tell "(" from ")" by ear.
    if not is_player_name(name) or not any(sign.isalnum() for sign in name):
        raise ValueError(f"name is {typed!r}: allowed are {NAME_FORM}, a letter or digit among them")
    if is_reserved(name):
        raise ReservedNameError(
            f"name is {typed!r}: names that begin with Computer, Anonymous or (removed are not for people"
        )
    return name


#: Level of each computer's name, by the key of the name.
LEVEL_OF_KEY: Mapping[str, str] = {fold_name(name): level for level, name in LEVEL_NAMES.items()}
