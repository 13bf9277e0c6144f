"""One key for all spellings of a player's name."""

from unicodedata import normalize


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
