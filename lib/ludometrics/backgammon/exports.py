"""What other programs read: positions as a list of XGIDs, as cards for Anki; rates of players as CSV."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from hashlib import sha256
from html import escape
from typing import Any, NamedTuple

import pandas as pd

from ludometrics.backgammon.report_positions import View
from ludometrics.backgammon.report_text import number, percent

_NUMBER = re.compile(r"[+-]?[0-9.,\s]+")
#: Characters of the name by which Anki knows a note again.
_NAME = 20


class Card(NamedTuple):
    """A card to be learnt.

    Attributes
    ----------
    xgid : str
    front, back : str
        HTML.
    tags : tuple of str
        Without spaces.
    """

    xgid: str
    front: str
    back: str
    tags: tuple[str, ...] = ()


def make_card(view: View, *, tags: Sequence[str] = ()) -> Card:
    """A card of a decision: the board and the question before, the answers after.

    Parameters
    ----------
    view : View
        Without arrows, which would give the answer away.
    tags : sequence of str
        Spaces in them become underscores.
    """
    front = f'{view.picture}<p class="question">{escape(view.question)}</p>'
    rows = [
        f"<tr><td>{escape(answer.text or 'another play')}</td><td>{number(answer.equity, 3, sign=True)}</td>"
        f"<td>{number(-answer.cost, 3, sign=True) if not answer.best else ''}</td></tr>"
        for answer in view.answers
    ]
    best = escape(view.best or "not known")
    cost = f"<p>Played: {escape(view.played)}" if view.played and view.played != view.best else ""
    if cost:
        cost += f", {percent(view.loss)} % of the match</p>" if view.loss == view.loss else "</p>"
    back = (
        f"<p><b>{best}</b></p><table>{''.join(rows)}</table>{cost}<p><small>{escape(view.xgid)}</small></p>"
    )
    return Card(
        view.xgid, front, back, tuple(re.sub(r"\s+", "_", tag.strip()) for tag in tags if tag.strip())
    )


def anki_csv(cards: Iterable[Card], *, deck: str = "Backgammon") -> bytes:
    """Cards as a CSV that Anki imports (2.1.54 or newer).

    Parameters
    ----------
    cards : iterable of Card
        Of several with the same XGID the first is kept.
    deck : str
        They are put into it.

    Returns
    -------
    bytes
        UTF-8. The name of a note hangs on the XGID alone: imported again it changes the note and keeps what has been
        learnt.

    Raises
    ------
    ValueError
        A name of a deck in more than one line.

    Examples
    --------
    >>> print(anki_csv([Card("XGID=a", "Take?", "<b>Pass</b>", ("cube",))]).decode())
    #separator:Comma
    #html:true
    #deck:Backgammon
    #columns:id,Front,Back,Tags
    #guid column:1
    #tags column:4
    "9d6480c6a950a02b38f3","Take?","<b>Pass</b>","cube"
    <BLANKLINE>
    """
    if not deck.strip() or deck != " ".join(deck.split()):
        raise ValueError(f"name of the deck is {deck!r}: one line without spaces at its ends is needed")
    head = ["#separator:Comma", "#html:true", f"#deck:{deck}", "#columns:id,Front,Back,Tags"]
    head += ["#guid column:1", "#tags column:4"]
    text = io.StringIO()
    # Every cell in quotes: Anki takes a line that begins with # for a remark.
    writer = csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\n")
    seen: set[str] = set()
    for card in cards:
        if card.xgid not in seen:
            seen.add(card.xgid)
            writer.writerow([card_id(card.xgid), card.front, card.back, " ".join(card.tags)])
    return ("\n".join(head) + "\n" + text.getvalue()).encode("utf-8")


def card_id(xgid: str) -> str:
    """The name by which a card is known again, the same wherever and whenever it is made."""
    return sha256(xgid.encode("utf-8")).hexdigest()[:_NAME]


def xgid_list(xgids: Iterable[str]) -> bytes:
    """XGIDs, one a line, each once, in their order.

    Examples
    --------
    >>> xgid_list(["XGID=b", "XGID=a", "XGID=b"])
    b'XGID=b\\nXGID=a\\n'
    """
    return "".join(f"{xgid}\n" for xgid in dict.fromkeys(xgids)).encode("utf-8")


def encode_table(frame: pd.DataFrame) -> bytes:
    """A table as the bytes of a CSV: ten digits, unknown left empty, no cell that a spreadsheet takes for a formula.

    Examples
    --------
    >>> encode_table(pd.DataFrame({"player": ["=1+1"], "pr": [1 / 3], "low": [None]})).decode("utf-8-sig")
    "player,pr,low\\n'=1+1,0.3333333333,\\n"
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(frame.columns)
    for row in frame.itertuples(index=False):
        writer.writerow([_cell(value) for value in row])
    # The mark at the beginning tells a spreadsheet that this is UTF-8.
    return text.getvalue().encode("utf-8-sig")


def _cell(value: Any) -> Any:
    if value is None or value is pd.NA or value != value:
        return ""
    if isinstance(value, float):
        return f"{value:.10g}"
    if (
        isinstance(value, str)
        and value[:1] in ("=", "+", "-", "@", "\t", "\r")
        and not _NUMBER.fullmatch(value)
    ):
        return f"'{value}"
    return value
