"""What the widget shows besides the board, as HTML: whatever came from people or files is escaped."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date
from html import escape
from typing import Any

from ludometrics.draughts.position import side_name
from ludometrics.web.wording import RATINGS_FOOT, TODAY_FOOT

#: Rows of the ratings shown.
FIRST_ROWS = 25
_TODAY = ("Name", "Played", "Won", "Drawn", "Lost", "Points")
_RATINGS = ("Name", "Elo", "Games", "Glicko", "95 % interval")


def status_html(message: str, note: str = "", alert: str = "") -> str:
    """The status line: what is to be done, what is to be known, and what went wrong.

    Examples
    --------
    >>> status_html("Your turn.", alert="name is '<b>'")
    '<div role="alert" class="ludo-alert">name is &#x27;&lt;b&gt;&#x27;</div><div role="status"
    class="ludo-message">Your turn.</div>'
    """
    trouble = f'<div role="alert" class="ludo-alert">{escape(alert)}</div>' if alert else ""
    quiet = f'<div class="ludo-quiet">{escape(note)}</div>' if note else ""
    return f'{trouble}<div role="status" class="ludo-message">{escape(message)}</div>{quiet}'


def quiet_html(text: str) -> str:
    """A line of small print; empty for no text."""
    return f'<div class="ludo-quiet">{escape(text)}</div>' if text else ""


def heading_html(text: str) -> str:
    """A heading."""
    return f'<div role="heading" aria-level="3" class="ludo-heading">{escape(text)}</div>'


def plate_html(view: Mapping[str, Any], side: str) -> str:
    """Name, colour and number of pieces of a side, and whether it is to move or has won."""
    result, count = view["result"], view["counts"][side]
    moving = not result and view["turn"] == side
    state = "to move" if moving else "won" if result and result["winner"] == side else ""
    words = f"<strong>{escape(view['names'][side])}</strong> {side_name(side)}"
    chip = f' <span class="ludo-chip">{state}</span>' if state else ""
    pieces = f"{count} {'piece' if count == 1 else 'pieces'}"
    return f'<div class="ludo-plate"><span>{words}{chip}</span><span>{pieces}</span></div>'


def moves_html(view: Mapping[str, Any]) -> str:
    """The moves, two to a line, Black's first."""
    texts = [escape(move["text"]) for move in view["moves"]]
    if not texts:
        return quiet_html("No move yet.")
    pairs = (texts[ply : ply + 2] for ply in range(0, len(texts), 2))
    lines = "".join(f"<li>{' '.join(f'<span>{text}</span>' for text in pair)}</li>" for pair in pairs)
    return f'<ol class="ludo-moves">{lines}</ol>'


def pdn_html(view: Mapping[str, Any]) -> str:
    """The game in Portable Draughts Notation, to be copied."""
    return f'<pre class="ludo-pdn">{escape(view["pdn"])}</pre>'


def tables_html(
    scores: Mapping[str, Any], ratings: Mapping[str, Any], warnings: Sequence[str], computers: Collection[str]
) -> str:
    """Today's league table, the ratings, and notes about the saved games.

    Parameters
    ----------
    scores, ratings : mapping
        As of `ludometrics.web.tables.Tables`.
    warnings : sequence of str
    computers : collection of str
        Names under which the computer plays.

    Returns
    -------
    str
    """
    day = date.fromisoformat(scores["day"])
    today = [
        [_name(row["name"], row["name"] in computers)]
        + [str(row[key]) for key in ("played", "won", "drawn", "lost", "points")]
        for row in scores["table"]
    ]
    players = ratings["players"]
    more = len(players) - FIRST_ROWS
    foot = RATINGS_FOOT if more <= 0 else f"And {more} more. {RATINGS_FOOT}"
    return (
        heading_html(f"Today, {day.day} {day:%B %Y}")
        + _table(_TODAY, today, TODAY_FOOT)
        + heading_html("Ratings")
        + _table(_RATINGS, map(_rating_cells, players[:FIRST_ROWS]), foot)
        + warnings_html(warnings)
    )


def warnings_html(warnings: Sequence[str]) -> str:
    """Notes about the saved games; empty without any."""
    if not warnings:
        return ""
    items = "".join(f"<li>{escape(text)}</li>" for text in warnings)
    count = f"{len(warnings)} {'note' if len(warnings) == 1 else 'notes'} about the saved games"
    return f'<details class="ludo-quiet"><summary>{count}</summary><ul>{items}</ul></details>'


def _rating_cells(row: Mapping[str, Any]) -> list[str]:
    interval = "–" if row["low"] is None else f"{row['low']}–{row['high']}"
    glicko = "–" if row["glicko"] is None else str(row["glicko"])
    star = "*" if row["provisional"] else ""
    return [
        _name(row["name"], row["level"] is not None),
        f"{row['rating']}{star}",
        str(row["games"]),
        glicko,
        interval,
    ]


def _name(name: str, computer: bool) -> str:
    return f"<em>{escape(name)}</em>" if computer else escape(name)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]], foot: str) -> str:
    """A table whose cells are HTML already; a line in its place without rows."""
    lines = "".join(
        f'<tr><th scope="row">{first}</th>{"".join(f"<td>{cell}</td>" for cell in rest)}</tr>'
        for first, *rest in rows
    )
    if not lines:
        return quiet_html("No rated games yet")
    heads = "".join(f'<th scope="col">{escape(text)}</th>' for text in head)
    return (
        f'<table class="ludo-table"><thead><tr>{heads}</tr></thead><tbody>{lines}</tbody></table>'
        f"{quiet_html(foot)}"
    )
