"""One name in text, however it is spelt, escaped or encoded."""

import html
import re
from collections.abc import Iterator
from unicodedata import category, normalize

from ludometrics.gamelog.names import fold_name

#: How often escapes within escapes are undone: a table in a page in a notebook is three deep.
MAX_DEPTH = 4

_BACKSLASH = re.compile(
    r"\\(?:u\{(?P<braced>[0-9a-fA-F]{1,6})\}|u(?P<four>[0-9a-fA-F]{4})|U(?P<eight>[0-9a-fA-F]{8})"
    r"|(?P<bytes>x[0-9a-fA-F]{2}(?:\\x[0-9a-fA-F]{2})*)|(?P<sign>[nrtbfv/\\\"']))"
)
_PLAIN = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f", "v": "\v"}
_ESCAPE = re.compile(r"[\\&%]")
_PERCENT = re.compile(r"(?:%[0-9a-fA-F]{2})+")
_SURROGATE = re.compile("[\ud800-\udfff]")
# Signs that cannot be seen: soft hyphen, zero width, direction.
_UNSEEN = re.compile("[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]")
# Scripts that set no space between words, or hang endings on a name: no neighbour there tells where a name ends.
_NO_SPACES = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\U00020000-\U0003ffff]"
)


class Spellings:
    """All spellings of one name.

    Parameters
    ----------
    name : str

    Raises
    ------
    ValueError
        The name is no text, or nothing but white space.

    Source
    ------
    Own; folding as of `fold_name`.

    Examples
    --------
    >>> ann = Spellings("Ann")
    >>> ann.is_name(" ANN "), ann.is_name("Anna")
    (True, False)
    >>> ann.count("Ann beat Joanna; ann_2.csv; A&#110;n, %41nn and \\\\u0041nn")
    5
    """

    def __init__(self, name: str) -> None:
        self.key = fold_name(name)
        if not self.key:
            raise ValueError(f"name is {name!r}: it must have a sign that can be seen")
        self._form = re.compile(r"\s+".join(map(re.escape, self.key.split(" "))))

    def is_name(self, text: str) -> bool:
        """Tell whether a text is the name and nothing else, escapes undone."""
        if text.isascii() and not _ESCAPE.search(text):
            return " ".join(text.lower().split()) == self.key
        return any(fold_name(reading) == self.key for reading in readings(text))

    def count(self, text: str) -> int:
        """Count how often the name stands in a text as a word of its own, in the reading that has it most often."""
        most = 0
        for reading in readings(text):
            most = max(most, self._count(reading))
            if " " in self.key and "+" in reading:  # as forms of a page write a space
                most = max(most, self._count(reading.replace("+", " ")))
        return most

    def _count(self, text: str) -> int:
        folded = text.lower() if text.isascii() else normalize("NFKC", normalize("NFKC", text).casefold())
        return sum(self._stands_alone(folded, match) for match in self._form.finditer(folded))

    def _stands_alone(self, folded: str, match: re.Match[str]) -> bool:
        before = folded[match.start() - 1] if match.start() else " "
        after = folded[match.end()] if match.end() < len(folded) else " "
        return not (_joined(before, self.key[0]) or _joined(self.key[-1], after) or category(after)[0] == "M")


def readings(text: str) -> Iterator[str]:
    """Give a text as it stands, without signs that cannot be seen, and with its escapes undone level by level.

    Escapes of JSON and Python, entities of HTML, percent signs of addresses.

    Examples
    --------
    >>> list(readings("Jos%C3%A9"))
    ['Jos%C3%A9', 'José']
    """
    yield text
    if text.isascii() and not _ESCAPE.search(text):
        return
    for _ in range(MAX_DEPTH):
        if (seen := _UNSEEN.sub("", text)) != text and not text.isascii():
            yield seen
        before, text = text, _undo(text)
        if text == before:
            return
        yield text


def _undo(text: str) -> str:
    if "\\" in text:
        text = _BACKSLASH.sub(_backslash, text)
    if "&" in text:
        text = html.unescape(text)
    if "%" in text:
        text = _PERCENT.sub(
            lambda match: bytes.fromhex(match[0].replace("%", "")).decode("utf-8", "replace"), text
        )
    if _SURROGATE.search(text):  # two halves of one sign, each escaped by itself
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def _backslash(match: re.Match[str]) -> str:
    if match["sign"]:
        return _PLAIN.get(match["sign"], match["sign"])
    if match["bytes"]:
        content = bytes.fromhex(match["bytes"].replace("\\x", "").removeprefix("x"))
        try:
            return content.decode("utf-8")
        except UnicodeDecodeError:
            return content.decode("latin-1")
    number = int(match["braced"] or match["four"] or match["eight"], 16)
    return chr(number) if number < 0x110000 else match[0]


def _joined(one: str, other: str) -> bool:
    """Tell whether two neighbours belong to one word: letters or digits, but for scripts without spaces."""
    return one.isalnum() and other.isalnum() and not (_NO_SPACES.match(one) or _NO_SPACES.match(other))
