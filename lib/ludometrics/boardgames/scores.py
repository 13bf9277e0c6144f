"""Scores as people type them into a phone: numbers, and sums such as ``20+16+16`` or ``1914-100``.

A score is read by a small grammar of its own. Python's parser makes the tree, every node of it must be on a short
list, and the tree is worked out here in exact fractions: nothing that was typed is ever run, and 0.1+0.2 ties with
0.3.
"""

import ast
import math
import operator
import re
from fractions import Fraction

#: Signs and nodes (numbers and operations) of a score at most, and the size that it stays below.
MOST_SIGNS = 200
MOST_NODES = 64
LIMIT = 1e9

_PLAIN = re.compile(r"[-+]?\d{1,9}")
_DECIMAL_COMMA = re.compile(r"([-+]?\d+),(\d{1,2})")
_TIMES = re.compile(r"(?<=[\d)])\s*[xX]\s*(?=[\d(])")
_TRAILING = re.compile(r"[-+*/\s]+$")
_LEADING_ZEROS = re.compile(r"(?<![\d.])0+(?=\d)")
# What the parser may see: no letters but an exponent's, so no names, no hexadecimal, no comment.
_SIGNS = re.compile(r"[0-9.eE+\-*/() ]+")

_BINARY = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}
_UNARY = {ast.UAdd: operator.pos, ast.USub: operator.neg}


class ScoreError(ValueError):
    """A text that is no score."""


def parse_score(text: str) -> float | None:
    """Read a score.

    Numbers with + - * / and parentheses; ``x`` or ``×`` between numbers multiplies; a minus sign of typography counts
    as one; ``21,7`` is 21.7; operators left over at the end are passed over (``86+84+``).

    Parameters
    ----------
    text : str

    Returns
    -------
    float or None
        Finite, below 1e9 in size; None for an empty text.

    Raises
    ------
    ScoreError
        What was written and why it is no score: words, names, powers, nan, division by zero, more than 200 signs or
        64 nodes.

    Source
    ------
    Own grammar; that scores hold arithmetic and need a whitelisted evaluator: the author of the published engine,
    bgelo.

    Examples
    --------
    >>> [parse_score(text) for text in ("20+16+16", "1914-100", "86+84+", "21,7", "3x4", "07", "")]
    [52.0, 1814.0, 170.0, 21.7, 12.0, 7.0, None]
    >>> parse_score("2**9")
    Traceback (most recent call last):
    ...
    ludometrics.boardgames.scores.ScoreError: score '2**9' holds what is neither a number nor one of + - * / ( )
    """
    if not isinstance(text, str):
        raise ScoreError(f"score {text!r} is no text")
    written = text.strip()
    if not written:
        return None
    if _PLAIN.fullmatch(written) and written.isascii():  # nearly all of them
        return float(int(written))
    if len(written) > MOST_SIGNS:
        raise ScoreError(f"score {written[:20]!r}... has {len(written)} signs: at most {MOST_SIGNS} are read")
    value = _evaluate(_parse(_tidy(written), written), written)
    number = float(value) if abs(value) < LIMIT else math.inf
    if not abs(number) < LIMIT:  # what is a hair below may be rounded up to it
        raise ScoreError(f"score {written!r} is too large: it must stay below {LIMIT:g}")
    return number


def _tidy(written: str) -> str:
    """The same score in the signs that the parser knows."""
    plain = written.replace("\N{MINUS SIGN}", "-").replace("\N{MULTIPLICATION SIGN}", "*")
    if comma := _DECIMAL_COMMA.fullmatch(plain):
        plain = f"{comma[1]}.{comma[2]}"
    plain = _TRAILING.sub("", _TIMES.sub("*", plain))
    if not plain:
        raise ScoreError(f"score {written!r} holds no number")
    return _LEADING_ZEROS.sub("", plain)


def _parse(plain: str, written: str) -> ast.expr:
    if not _SIGNS.fullmatch(plain):
        raise ScoreError(f"score {written!r} is neither a number nor a sum of numbers")
    try:
        return ast.parse(plain, mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise ScoreError(f"score {written!r} is no sum that can be worked out") from None


def _evaluate(tree: ast.expr, written: str) -> Fraction:
    """Value of a tree, once its size is known to be small."""
    if sum(isinstance(node, ast.expr) for node in ast.walk(tree)) > MOST_NODES:
        raise ScoreError(f"score {written!r} has more than {MOST_NODES} numbers and operations")
    try:
        return _value(tree, written)
    except ZeroDivisionError:
        raise ScoreError(f"score {written!r} divides by zero") from None


def _value(node: ast.expr, written: str) -> Fraction:
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        if math.isinf(node.value):  # 1e400
            raise ScoreError(f"score {written!r} is too large: it must stay below {LIMIT:g}")
        return Fraction(repr(node.value))  # by its decimal digits
    if isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
        return _BINARY[type(node.op)](_value(node.left, written), _value(node.right, written))
    if isinstance(node, ast.UnaryOp) and type(node.op) in _UNARY:
        return _UNARY[type(node.op)](_value(node.operand, written))
    raise ScoreError(f"score {written!r} holds what is neither a number nor one of + - * / ( )")
