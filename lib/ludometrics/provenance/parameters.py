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
    """Check the parameters of a notebook; stop with one error that lists every mistake.

    Papermill only warns of a misspelt name and never looks at types, so that a run with ``sead=3`` "succeeds"
    with the default seed. Called right after the parameters cell, this compares every injected name with the
    annotated names of the notebook.

    Parameters
    ----------
    namespace : dict
        ``globals()`` of the notebook. The annotated names in it (``seed: int = 0``) are the parameters: bool,
        int, float, str, a list of these, each also ``| None``. An int given for a float is turned into a float
        in place.
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
        checked[name] = namespace[name] = _as_declared(value, kind)
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
        Empty when nothing was injected or when this is no notebook. Where such a cell was corrected and run
        again, as one does in JupyterLab, its last state counts.

    Source
    ------
    Own.
    """
    for source in reversed(namespace.get("In", [])):
        first_line, _, assignments = str(source).strip().partition("\n")
        if first_line.strip() == _INJECTED_MARK and (tree := _parsed(assignments)):
            nodes = [node for node in tree.body if isinstance(node, ast.Assign)]
            return [target.id for node in nodes for target in node.targets if isinstance(target, ast.Name)]
    return []


def _parsed(source: str) -> ast.Module | None:
    """The syntax tree, or None: a cell of the user's own with the same heading may hold a `%magic`."""
    try:
        return ast.parse(source)
    except SyntaxError:
        return None


def _annotations(namespace: Mapping[str, Any]) -> dict[str, Any]:
    found = namespace.get("__annotations__")
    if found is None and callable(namespace.get("__annotate__")):  # Python 3.14 keeps them in a function
        found = namespace["__annotate__"](1)
    return dict(found or {})


def _type_problem(value: Any, kind: Any) -> str | None:
    """Say what is wrong with the type of a value, or None. A bool is no number; an int passes for a float."""
    if _is_union(kind):
        problems = [_type_problem(value, choice) for choice in typing.get_args(kind)]
        return None if None in problems else " or ".join(filter(None, problems))
    if typing.get_origin(kind) is list:
        (item_kind,) = typing.get_args(kind)
        if not isinstance(value, list):
            return f"it must be a list of {_name(item_kind)}, not {_name(type(value))}"
        problems = (_type_problem(item, item_kind) for item in value)
        return next((f"an item is wrong: {problem}" for problem in problems if problem), None)
    if kind is Any:
        return None
    if kind is type(None):
        return None if value is None else "it must be None"
    if kind not in (bool, int, float, str, list):
        return f"its annotation {_name(kind)} is not one of bool, int, float, str, list[...] or these with | None"
    if kind is float:
        if isinstance(value, bool) or not isinstance(value, int | float):
            return f"it must be a float, not {_name(type(value))}"
        return None if _is_finite(value) else "it must be finite"
    if kind is int and isinstance(value, bool):
        return "it must be an int, not bool"
    if not isinstance(value, kind):
        return f"it must be {_article(kind)}, not {_name(type(value))}"
    return None


def _is_union(kind: Any) -> bool:
    return typing.get_origin(kind) in (types.UnionType, typing.Union)


def _is_finite(value: float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:  # an int beyond every float
        return False


def _as_declared(value: Any, kind: Any) -> Any:
    """The value with every int that stands for a float turned into one."""
    if typing.get_origin(kind) is list:
        return [_as_declared(item, *typing.get_args(kind)) for item in value]
    if _is_union(kind):
        fitting = [choice for choice in typing.get_args(kind) if _type_problem(value, choice) is None]
        return value if type(value) in fitting else _as_declared(value, fitting[0])
    return float(value) if kind is float else value


def _range_problem(value: Any, allowed: Any) -> str | None:
    if allowed is None or value is None:
        return None
    if isinstance(value, list):
        problems = (_range_problem(item, allowed) for item in value)
        return next((problem for problem in problems if problem), None)
    if isinstance(allowed, tuple):
        if len(allowed) != 2 or not all(end is None or isinstance(end, int | float) for end in allowed):
            return f"validate() was given {allowed!r}: a range is a pair of numbers, choices are a list"
        low, high = allowed
        if (low is not None and value < low) or (high is not None and value > high):
            between = [f"at least {low}"] if low is not None else []
            between += [f"at most {high}"] if high is not None else []
            return f"it must be {' and '.join(between)}"
        return None
    if value not in allowed:
        choices = map(repr, allowed)
        return f"it must be one of {', '.join(sorted(choices) if isinstance(allowed, set) else choices)}"
    return None


def _name(kind: Any) -> str:
    return kind.__name__ if isinstance(kind, type) and not typing.get_args(kind) else str(kind)


def _article(kind: Any) -> str:
    return f"{'an' if _name(kind)[0] in 'aeiou' else 'a'} {_name(kind)}"
