"""Who gets which version."""

from hashlib import sha256

#: Ways to bring spellings of one name together before it is hashed.
FOLDS = ("course",)


def assign_by_hash(experiment: str, name: str, *, fold: str = "course") -> str:
    """Assign a player to version A or B by a hash of the name, the same on every day and every machine.

    The parity of the first byte of SHA-256 of ``experiment:name`` in UTF-8 decides: even A, odd B.

    Parameters
    ----------
    experiment : str
        Name of the experiment; another name deals the players anew.
    name : str
        Name of the player.
    fold : {"course"}
        How spellings are brought together: "course" strips the ends and lower-cases. Names with letters outside
        ASCII may differ from what another language's lower case gives.

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
    if fold not in FOLDS:
        raise ValueError(f"fold is {fold!r}: allowed are {', '.join(FOLDS)}")
    folded = name.strip().lower()
    if not folded or not experiment:
        raise ValueError(f"experiment is {experiment!r} and name {name!r}: neither may be empty")
    first_byte = sha256(f"{experiment}:{folded}".encode()).digest()[0]
    return "B" if first_byte % 2 else "A"
