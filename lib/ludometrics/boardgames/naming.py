"""What people are called on the page: by their names, by initials, or by pseudonyms.

Pseudonyms keep strangers from reading who is who; whoever was at the table still recognises a play. What other texts
of a log may give away is withheld with the names (`payload`).
"""

import unicodedata
from dataclasses import replace
from hashlib import sha256
from typing import Literal, get_args

from ludometrics.boardgames.records import MOST_SEATS, PlayLog

Names = Literal["real", "initials", "pseudonyms"]
#: Most initials of one name: of longer names the first ones and the last.
MOST_INITIALS = 4
#: Joiners within words and pictures of some scripts; every other sign of format is taken out.
_JOINERS = "\u200c\u200d"
#: Letters and signs that show nothing.
_BLANK = "\u115f\u1160\u2800\u3164\uffa0"
#: Birds that are nobody's first name, in no order.
_BIRDS = """
Curlew Puffin Heron Wigeon Dotterel Nuthatch Lapwing Gannet Shrike Bittern Whimbrel Plover Egret Siskin Fulmar Dunlin
Hoopoe Grebe Kittiwake Wagtail Ptarmigan Osprey Redpoll Godwit Skylark Corncrake Pintail Turnstone Buzzard Fieldfare
Goldcrest Shelduck Razorbill Waxwing Moorhen Nightjar Sandpiper Crossbill Eider Whinchat Pochard Bunting Stonechat
Goshawk Treecreeper Smew Petrel Redstart Cormorant Spoonbill Thrush Flycatcher Oystercatcher Linnet Greenfinch Snipe
Mallard Wheatear Guillemot Pipit Woodcock Shoveler Sanderling Magpie Kestrel Cuckoo Dipper Swallow Firecrest Jackdaw
Merganser Whitethroat Redwing Oriole Quail Scoter Woodlark Shearwater Twite Starling Warbler Pelican Vulture Crane
""".split()


def clean_text(text: str) -> str:
    """A text as it may stand on a page: one form of each letter, one space, nothing that turns or hides what follows.

    Control and format characters (marks of direction among them) and halves of characters go; markup stays text, and
    it is the page that must show it as such.

    Returns
    -------
    str
        "" where nothing of it can be seen.

    Examples
    --------
    >>> clean_text("  Ann\\t\\u202eB. "), clean_text("\\u200b \\u3164"), clean_text("<b>Ann</b>")
    ('Ann B.', '', '<b>Ann</b>')
    """
    spaced = " ".join(text.split())  # first, since some white space is a control character
    kept = [
        sign for sign in spaced if sign in _JOINERS or unicodedata.category(sign) not in ("Cc", "Cf", "Cs")
    ]
    if not any(map(_can_be_seen, kept)):
        return ""
    return " ".join(unicodedata.normalize("NFC", "".join(kept)).split())


def initials_of(name: str) -> str:
    """Initials of a name, each with a full stop; "?" where it has neither letter nor digit.

    Examples
    --------
    >>> initials_of("ann-lena o'Brien"), initials_of("Player 3"), initials_of("🎲")
    ('A.L.O.', 'P.3.', '?')
    """
    parts = clean_text(name).replace("-", " ").split()
    firsts = [next((sign for sign in part if sign.isalnum()), "") for part in parts]
    # Some letters have a capital of two signs.
    firsts = [sign.upper() if len(sign.upper()) == 1 else sign for sign in firsts if sign]
    if len(firsts) > MOST_INITIALS:
        firsts = [*firsts[: MOST_INITIALS - 1], firsts[-1]]
    return "".join(f"{sign}." for sign in firsts) or "?"


def order_of_appearance(log: PlayLog) -> list[str]:
    """Keys of the known people of a log by their first logged play.

    Within that play the better place comes first, then the winner's flag, then a hash of play and person: neither the
    order in a file nor that of names or keys has any say.

    Examples
    --------
    >>> from datetime import datetime
    >>> from ludometrics.boardgames.records import Game, Person, Play, Seat
    >>> people = {"a": Person("a", "Ann"), "b": Person("b", "Bob"), "x": Person("x", "", is_guest=True)}
    >>> seats = Seat("a", rank=2), Seat("x", rank=3), Seat("b", rank=1)
    >>> play = Play("1", "g", datetime(2024, 3, 1), datetime(2024, 3, 1), seats)
    >>> order_of_appearance(PlayLog({"g": Game("g", "Go")}, people, (play,)))
    ['b', 'a']
    """
    found: dict[str, None] = {}
    for play in log.plays:
        fresh = [seat for seat in play.seats if seat.person not in found and is_player(log, seat.person)]
        if len(fresh) > 1:
            fresh.sort(
                key=lambda seat: (
                    seat.rank if seat.rank > 0 else MOST_SEATS + 1,
                    not seat.winner,
                    sha256(f"{play.key}\0{seat.person}".encode("utf-8", "surrogatepass")).digest(),
                )
            )
        found.update((seat.person, None) for seat in fresh)
    return list(found)


def is_player(log: PlayLog, key: str) -> bool:
    """Whether a seat's person is somebody known: no guest, no automaton, no unknown reference."""
    return key in log.people and not log.people[key].is_guest


def check_names(names: str) -> None:
    """Refuse a way of naming that there is not."""
    if names not in get_args(Names):
        raise ValueError(f"names is {names!r}: allowed are {', '.join(map(repr, get_args(Names)))}")


def display_names(log: PlayLog, names: Names = "real") -> dict[str, str]:
    """What each known person of a log is called.

    Parameters
    ----------
    log : PlayLog
    names : {"real", "initials", "pseudonyms"}
        Initials are "A.B.", and "A.B.2" for the second of the kind. Pseudonyms are birds, given out in
        `order_of_appearance`, so that nothing of a name or key is in them and later plays change none.

    Returns
    -------
    dict of str to str
        By key, in `order_of_appearance` from the first play on, those before a season included; no two alike: whoever
        appears later has a number. A name with nothing to see in it is "(no name)".

    Raises
    ------
    ValueError
        Another way of naming.

    Source
    ------
    Own.
    """
    check_names(names)
    # With those who appear before a season, so that a name is the same person's in all seasons.
    keys = order_of_appearance(replace(log, plays=(*log.earlier, *log.plays), earlier=()))
    if names == "pseudonyms":
        wanted = [_BIRDS[number % len(_BIRDS)] for number in range(len(keys))]
    elif names == "initials":
        wanted = [initials_of(log.people[key].name) for key in keys]
    else:
        wanted = [clean_text(log.people[key].name) or "(no name)" for key in keys]
    gap = "" if names == "initials" else " "
    return dict(zip(keys, _distinct(wanted, gap), strict=True))


def _distinct(wanted: list[str], gap: str) -> list[str]:
    """The same texts, the second of a kind with a 2 after it, unless somebody else is called so."""
    taken, given = set(wanted), []
    seen: set[str] = set()
    for text in wanted:
        name, number = text, 1
        while name in seen or (number > 1 and name in taken):
            number += 1
            name = f"{text}{gap}{number}"
        seen.add(name)
        given.append(name)
    return given


def _can_be_seen(sign: str) -> bool:
    return sign not in _BLANK and sign not in _JOINERS and unicodedata.category(sign)[0] not in "MZ"
