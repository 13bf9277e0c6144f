"""Who gets which version: dealt by hash, so that it is the same on every day and every machine.

Where several parts are hashed together, each is written as a netstring: ``length:bytes,`` with the length of its
UTF-8 bytes in decimals, so that ("a", "b:1") and ("a:b", "1") differ.
"""

import math
from collections.abc import Mapping, Sequence
from hashlib import sha256
from numbers import Integral, Real

import pandas as pd

from ludometrics.gamelog import fold_name

#: Ways to bring spellings of one name together before it is hashed.
FOLDS = ("names", "course")
#: How the two versions stand within a pair of games.
ORDERS = ("random", "fixed")


def player_key(experiment: str, name: str, *, fold: str = "names") -> str:
    """Key under which a player takes part in an experiment.

    Parameters
    ----------
    experiment : str
    name : str
    fold : {"names", "course"}
        How spellings are brought together, see `assign_by_hash`.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        Another fold; a name or experiment that is empty or cannot be written in UTF-8.

    Examples
    --------
    >>> player_key("medium-randomness", " Ann ")
    'ann'
    """
    if fold not in FOLDS:
        raise ValueError(f"fold is {fold!r}: allowed are {', '.join(FOLDS)}")
    for what, text in (("experiment", experiment), ("name", name)):
        if not isinstance(text, str) or any("\ud800" <= sign <= "\udfff" for sign in text):
            raise ValueError(f"{what} is {text!r}: it must be text that UTF-8 can hold")
    key = fold_name(name) if fold == "names" else name.strip().lower()
    if not key or not experiment:
        raise ValueError(f"experiment is {experiment!r} and name {name!r}: neither may be empty")
    return key


def assign_by_hash(experiment: str, name: str, *, fold: str = "names") -> str:
    """Assign a player to version A or B for the whole test, by a hash of the name.

    The parity of the first byte of SHA-256 of ``experiment:name`` in UTF-8 decides: even A, odd B.

    Parameters
    ----------
    experiment : str
        Name of the experiment; another name deals the players anew.
    name : str
        Name of the player.
    fold : {"names", "course"}
        How spellings are brought together: "names" by `ludometrics.gamelog.fold_name`; "course" strips the ends
        and lower-cases, so that names with letters outside ASCII may differ from what another language's lower
        case gives. Names in ASCII with single spaces get the same version either way.

    Returns
    -------
    {"A", "B"}

    Raises
    ------
    ValueError
        Another fold, an empty name or experiment.

    Source
    ------
    The adaptive-draughts course.

    Examples
    --------
    >>> assign_by_hash("medium-randomness", "Ann") == assign_by_hash("medium-randomness", " ann ")
    True
    """
    return _by_hash(experiment, player_key(experiment, name, fold=fold))


def assign_per_game(experiment: str, name: str, game: int, *, fold: str = "names") -> str:
    """Toss a coin for one game of a player: the same coin whenever it is asked for.

    The parity of the first byte of SHA-256 of "game", experiment, key of the player and number of the game.

    Parameters
    ----------
    experiment, name, fold
        See `assign_by_hash`.
    game : int
        Number of the game, at least 0: any number that no other test game of this player has.

    Returns
    -------
    {"A", "B"}
        Independent from game to game.

    Raises
    ------
    ValueError
        Another fold, an empty name or experiment, a game that is no number of that kind.

    Source
    ------
    Own.

    Examples
    --------
    >>> "".join(assign_per_game("medium-randomness", "Ann", game) for game in range(12))
    'BABAABBBBBBB'
    """
    return _coin(
        "game", experiment, player_key(experiment, name, fold=fold), str(check_number(game, what="game"))
    )


def assign_alternating(
    experiment: str, name: str, game: int, *, order: str = "random", fold: str = "names"
) -> str:
    """Give a player both versions in every pair of games.

    Parameters
    ----------
    experiment, name, fold
        See `assign_by_hash`.
    game : int
        How many test games the player has played before this one, at least 0; where colours are counted apart,
        how many with this colour.
    order : {"random", "fixed"}
        Which version comes first in a pair: drawn for each pair by SHA-256 of "pair", experiment, key of the
        player and number of the pair; or always A, as in the course's fair design.

    Returns
    -------
    {"A", "B"}

    Raises
    ------
    ValueError
        Another order or fold, an empty name or experiment, a game that is no number of that kind.

    Source
    ------
    Own; the fixed order: the adaptive-draughts course.

    Examples
    --------
    >>> "".join(assign_alternating("medium-randomness", "Ann", game) for game in range(12))
    'ABBAABABABBA'
    """
    if order not in ORDERS:
        raise ValueError(f"order is {order!r}: allowed are {', '.join(ORDERS)}")
    key = player_key(experiment, name, fold=fold)
    pair, second = divmod(check_number(game, what="game"), 2)
    first = "A" if order == "fixed" else _coin("pair", experiment, key, str(pair))
    return ("B" if first == "A" else "A") if second else first


def assign_blocked(
    experiment: str, ratings: Mapping[str, float], *, size: int = 2, fold: str = "names"
) -> pd.DataFrame:
    """Assign players of similar rating to both versions: half of each block of neighbours A, half B.

    Within a block players are ordered by SHA-256 of "block", experiment, key of the player and the keys of the
    whole block; the first half gets A.

    Parameters
    ----------
    experiment, fold
        See `assign_by_hash`.
    ratings : mapping of str to float
        Rating of each player from before the test, finite; at least one player.
    size : int
        Players in a block, even, at least 2.

    Returns
    -------
    DataFrame
        One row a player, the strongest first (equal ratings by key): player as spelt in `ratings`, rating, block
        (from 0), variant. Players left over form the last block, half and half as far as it goes; the odd one gets
        the version of `assign_by_hash`. Other experiments deal the same blocks anew.

    Raises
    ------
    ValueError
        No players, two spellings of one player, a rating that is not finite, an odd size; another fold, an empty
        name or experiment.

    Source
    ------
    Own: randomisation in blocks, stratified by rating.

    Examples
    --------
    >>> assign_blocked("medium-randomness", {"Ann": 1300, "Bob": 1150, "Cid": 1500, "Dan": 1200})
      player  rating  block variant
    0    Cid  1500.0      0       A
    1    Ann  1300.0      0       B
    2    Dan  1200.0      1       B
    3    Bob  1150.0      1       A
    """
    if isinstance(size, bool) or not isinstance(size, Integral) or size < 2 or size % 2:
        raise ValueError(f"size is {size!r}: it must be an even whole number of at least 2")
    spelt: dict[str, str] = {}
    for name, rating in ratings.items():
        key = player_key(experiment, name, fold=fold)
        if key in spelt:
            raise ValueError(f"{spelt[key]!r} and {name!r} are two spellings of one player")
        if isinstance(rating, bool) or not isinstance(rating, Real) or not math.isfinite(rating):
            raise ValueError(f"rating of {name!r} is {rating!r}: it must be a finite number")
        spelt[key] = name
    if not spelt:
        raise ValueError("ratings is empty: at least one player is needed")
    keys = sorted(spelt, key=lambda key: (-ratings[spelt[key]], key))
    variants: dict[str, str] = {}
    for start in range(0, len(keys), size):
        variants |= _deal_block(experiment, keys[start : start + size])
    return pd.DataFrame(
        {
            "player": [spelt[key] for key in keys],
            "rating": [float(ratings[spelt[key]]) for key in keys],
            "block": [place // size for place in range(len(keys))],
            "variant": [variants[key] for key in keys],
        }
    )


def check_number(number: int, *, what: str) -> int:
    """Check a number that counts from 0, of a game or a block.

    Raises
    ------
    ValueError
        Naming it and what is allowed.

    Examples
    --------
    >>> check_number(-1, what="game")
    Traceback (most recent call last):
    ...
    ValueError: game is -1: it must be a whole number of at least 0
    """
    if isinstance(number, bool) or not isinstance(number, Integral) or number < 0:
        raise ValueError(f"{what} is {number!r}: it must be a whole number of at least 0")
    return int(number)


def _by_hash(experiment: str, key: str) -> str:
    return _side(sha256(f"{experiment}:{key}".encode()).digest())


def _deal_block(experiment: str, keys: Sequence[str]) -> dict[str, str]:
    members = sorted(keys)  # who is in the block counts, not who of them is rated higher
    order = sorted(members, key=lambda key: _digest("block", experiment, key, *members))
    half = len(order) // 2
    dealt = dict.fromkeys(order[:half], "A") | dict.fromkeys(order[half : 2 * half], "B")
    return dealt | {key: _by_hash(experiment, key) for key in order[2 * half :]}


def _coin(*parts: str) -> str:
    return _side(_digest(*parts))


def _side(digest: bytes) -> str:
    return "B" if digest[0] % 2 else "A"


def _digest(*parts: str) -> bytes:
    encoded = [part.encode() for part in parts]
    return sha256(b"".join(b"%d:%s," % (len(part), part) for part in encoded)).digest()
