"""Settings of the engine as people type them: field=value."""

from collections.abc import Iterable
from typing import Literal, get_args, get_origin, get_type_hints

from ludometrics.boardgames.settings import EngineSettings, preset
from ludometrics.boardgames.text_table import near

_TRUTHS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


def read_settings(preset_name: str, changes: Iterable[str]) -> EngineSettings:
    """Settings of a preset with some fields changed.

    Parameters
    ----------
    preset_name : str
    changes : iterable of str
        Each ``field=value``; truths are yes or no (also true, false, on, off).

    Returns
    -------
    EngineSettings

    Raises
    ------
    ValueError
        No equals sign, no such field, a field changed twice, or a value that the field cannot have.

    Examples
    --------
    >>> read_settings("tuned", ["floor=30", "use_margin=no"]).floor
    30.0
    >>> read_settings("tuned", ["flor=30"])
    Traceback (most recent call last):
    ...
    ValueError: 'flor' is no setting; near it: 'floor'
    """
    hints = get_type_hints(EngineSettings)
    read: dict[str, object] = {}
    for change in changes:
        name, equals, text = (part.strip() for part in change.partition("="))
        if not equals:
            raise ValueError(f"setting {change!r}: field=value is needed, such as floor=45")
        if name not in hints:
            raise ValueError(
                f"{name!r} is no setting{near(name, hints) or ': allowed are ' + ', '.join(hints)}"
            )
        if name in read:
            raise ValueError(f"setting {name} is given twice: once is allowed")
        read[name] = _read_value(name, text, hints[name])
    return preset(preset_name, **read)


def _read_value(name: str, text: str, kind: object) -> object:
    if get_origin(kind) is Literal:
        if text not in get_args(kind):
            raise ValueError(f"{name} is {text!r}: allowed are {', '.join(map(repr, get_args(kind)))}")
        return text
    if kind is bool:
        if text.casefold() not in _TRUTHS:
            raise ValueError(f"{name} is {text!r}: allowed are yes and no")
        return _TRUTHS[text.casefold()]
    try:
        # Python would take 1_0 for ten.
        return (int if kind is int else float)("" if "_" in text else text)
    except ValueError:
        raise ValueError(f"{name} is {text!r}: a {'whole ' if kind is int else ''}number is needed") from None
