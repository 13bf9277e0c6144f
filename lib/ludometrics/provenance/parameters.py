"""Parameters of a notebook: what papermill injected, held against what the notebook declares."""

import ast
import math
import types
import typing
from collections.abc import Mapping
from typing import Any

# Papermill writes the injected values into a cell that opens with this comment.
_INJECTED_MARK = "# Parameters"


class ParameterError(ValueError):
    """A parameter of a notebook has an unknown name, a wrong type or a value that is not allowed."""


def validate(namespace: dict[str, Any], **allowed: Any) -> Mapping[str, Any]:
    """Check the parameters of a notebook; stop with a clear error at the first run of a mistake.

    Papermill only warns of a misspelt name and never looks at types, so that a run with ``sead=3`` "succeeds"
    with the default seed. Called right after the parameters cell, this compares every injected name with the
    annotated names of the notebook.

    Parameters
    ----------
    namespace : dict
        ``globals()`` of the notebook. The annotated names in it (``seed: int = 0``) are the parameters. An int
        given for a float is turned into a float in place.
    **allowed
        What a parameter may be, by its name: a pair ``(low, high)`` of numbers, both included and either
        ``None`` for no bound, or a list or set of the values to choose from. For a list parameter it holds for
        each item.

    Returns
    -------
    Mapping
        The checked parameters by name, in the order of their declaration, read-only.

    Raises
    ------
    ParameterError
        Unknown name, wrong type, value out of range, not one of the choices, or not finite. All mistakes are
        listed at once, each with the name, the value and what is allowed.

    Examples
    --------
    >>> notebook = {"__annotations__": {"seed": int, "k": float}, "seed": 3, "k": 16}
    >>> dict(validate(notebook, seed=(0, None)))
    {'seed': 3, 'k': 16.0}

    Source
    ------
    Own.
    """
    declared = {
        name: kind
        for name, kind in _annotations(namespace).items()
        if not name.startswith("_") and name in namespace
    }
    if not declared:
        raise ParameterError(
            "no parameters found: the notebook's parameters cell must hold annotated names, such as `seed: int = 0`"
        )
    unknown = sorted(set(allowed) - set(declared))
    if unknown:
        raise ParameterError(f"validate() was told of {unknown}, which the notebook does not declare")

    mistakes = [
        f"unknown parameter {name!r} (this notebook takes: {', '.join(declared)})"
        for name in injected_names(namespace)
        if name not in declared
    ]
    checked = {}
    for name, kind in declared.items():
        value = namespace[name]
        problem = _type_problem(value, kind) or _range_problem(value, allowed.get(name))
        if problem:
            mistakes.append(f"parameter {name!r} is {value!r}: {problem}")
            continue
        if kind is float:
            value = namespace[name] = float(value)
        checked[name] = value
    if mistakes:
        raise ParameterError("; ".join(mistakes))
    return types.MappingProxyType(checked)


def injected_names(namespace: Mapping[str, Any]) -> list[str]:
    """List the names that papermill injected, in order.

    Parameters
    ----------
    namespace : mapping
        ``globals()`` of a notebook; the sources of the cells run so far are in its ``In``.

    Returns
    -------
    list of str
        Empty when nothing was injected or when this is no notebook.

    Source
    ------
    Own.
    """
    names: list[str] = []
    for source in namespace.get("In", []):
        if not str(source).lstrip().startswith(_INJECTED_MARK):
            continue
        for node in ast.parse(source).body:
            if isinstance(node, ast.Assign):
                names += [target.id for target in node.targets if isinstance(target, ast.Name)]
    return names


def _annotations(namespace: Mapping[str, Any]) -> dict[str, Any]:
    found = namespace.get("__annotations__")
    if found is None and callable(namespace.get("__annotate__")):  # Python 3.14 keeps them in a function
        found = namespace["__annotate__"](1)
    return dict(found or {})


def _type_problem(value: Any, kind: Any) -> str | None:
    """Say what is wrong with the type of a value, or None. A bool is no number; an int passes for a float."""
    if typing.get_origin(kind) is list:
        (item_kind,) = typing.get_args(kind) or (Any,)
        if not isinstance(value, list):
            return f"it must be a list of {_name(item_kind)}, not {_name(type(value))}"
        problems = (_type_problem(item, item_kind) for item in value)
        return next((f"an item is wrong: {problem}" for problem in problems if problem), None)
    if kind is Any:
        return None
    if kind is float:
        if isinstance(value, bool) or not isinstance(value, int | float):
            return f"it must be a float, not {_name(type(value))}"
        return None if math.isfinite(value) else "it must be finite"
    if kind is int and isinstance(value, bool):
        return "it must be an int, not bool"
    if not isinstance(value, kind):
        return f"it must be {_article(kind)}, not {_name(type(value))}"
    return None


def _range_problem(value: Any, allowed: Any) -> str | None:
    if allowed is None:
        return None
    if isinstance(value, list):
        problems = (_range_problem(item, allowed) for item in value)
        return next((problem for problem in problems if problem), None)
    if isinstance(allowed, tuple):
        low, high = allowed
        if (low is not None and value < low) or (high is not None and value > high):
            between = [f"at least {low}"] if low is not None else []
            between += [f"at most {high}"] if high is not None else []
            return f"it must be {' and '.join(between)}"
        return None
    if value not in allowed:
        return f"it must be one of {', '.join(repr(item) for item in allowed)}"
    return None


def _name(kind: Any) -> str:
    return getattr(kind, "__name__", str(kind))


def _article(kind: Any) -> str:
    return f"{'an' if _name(kind)[0] in 'aeiou' else 'a'} {_name(kind)}"
