"""What a run found, in words and small tables that a terminal shows."""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

_BAND = 90  # per cent, of the players' intervals
#: Rows shown of what may be long; the files hold all.
_MOST_ROWS = 12
#: Columns of a terminal that a name takes at most.
_MOST_NAME = 40


def summary_lines(payload: Mapping[str, Any]) -> list[str]:
    """Plays logged and rated, why not, warnings, the leaderboard, how well forecasts hold, and the checks.

    Parameters
    ----------
    payload : mapping
        Of `build_payload`.

    Returns
    -------
    list of str
    """
    sections = (
        _group(payload),
        _rejections(payload),
        _listed("Left out of the log", [f"{row['where']}: {row['reason']}" for row in payload["left_out"]]),
        _listed("To look at", payload["warnings"]),
        _leaderboard(payload),
        _judgement(payload["judgement"]),
        check_lines(payload["checks"]),
    )
    return [line for section in sections if section for line in (*section, "")][:-1]


def check_lines(checks: Iterable[Mapping[str, Any]]) -> list[str]:
    """The checks as lines: name, verdict, effect with its interval and n, and a note below.

    Examples
    --------
    >>> row = {"check": "calibration", "verdict": "undecided", "effect": 0.9, "low": 0.5, "high": 1.3, "n": 90}
    >>> check_lines([row | {"note": "slope"}])
    ['Checks (99 % intervals)', '  calibration  undecided  0.900  [0.500, 1.300]  n 90', '               slope']
    """
    rows = list(checks)
    if not rows:
        return []
    cells = [
        (row["check"], row["verdict"], *_interval(row["effect"], row["low"], row["high"]), f"n {row['n']}")
        for row in rows
    ]
    width = max(len(row["check"]) for row in rows)
    lines = []
    for line, row in zip(align(cells), rows, strict=True):
        lines += [f"  {line}", f"  {' ' * width}  {row['note']}"] if row["note"] else [f"  {line}"]
    return ["Checks (99 % intervals)", *lines]


def align(rows: Iterable[Sequence[str]], right: Iterable[int] = ()) -> list[str]:
    """Rows as lines whose columns stand under one another, in scripts with wide signs too.

    Examples
    --------
    >>> align([("Ann", "9"), ("サイ", "10")], right=[1])
    ['Ann    9', 'サイ  10']
    """
    rows, right = [list(row) for row in rows], set(right)
    widths = [max(map(_width, column), default=0) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = []
        for number, (cell, width) in enumerate(zip(row, widths, strict=True)):
            gap = " " * (width - _width(cell))
            cells.append(gap + cell if number in right else cell + gap)
        lines.append("  ".join(cells).rstrip())
    return lines


def _width(text: str) -> int:
    """Columns that a text takes in a terminal."""
    wide = sum(unicodedata.east_asian_width(sign) in "WF" for sign in text)
    return len(text) + wide - sum(unicodedata.combining(sign) > 0 for sign in text)


def _shorten(name: str) -> str:
    """A name that leaves the rest of a line its room."""
    if _width(name) <= _MOST_NAME:
        return name
    while _width(name) > _MOST_NAME - 3:
        name = name[:-1]
    return f"{name}..."


def _group(payload: Mapping[str, Any]) -> list[str]:
    group = payload["group"]
    source = f" ({group['source']})" if group["source"] else ""
    lines = [
        f"{group['title']}: {group['from']} to {group['to']}{source}",
        f"  {count(group['plays_logged'], 'play')} logged, {group['plays_rated']} rated, with "
        f"{count(group['pairs_scored'], 'pair')} of known people; {group['hours']:.0f} hours",
        f"  settings: {group['preset']}; names: {group['names']}",
    ]
    without, games = group["games_without_weight"], len(payload["games"])
    if without:
        lines.append(f"  {without} of {count(games, 'game')} have neither complexity nor skill: they weigh 1")
    return lines


def _rejections(payload: Mapping[str, Any]) -> list[str]:
    rows = payload["rejections"]
    if not rows:
        return []
    total = sum(row["plays"] for row in rows)
    lines = align([(str(row["plays"]), row["meaning"]) for row in rows], right=[0])
    return [f"Not rated: {count(total, 'play')}", *(f"  {line}" for line in lines)]


def _listed(title: str, lines: Sequence[str]) -> list[str]:
    if not lines:
        return []
    shown = [f"  {line}" for line in lines[:_MOST_ROWS]]
    more = len(lines) - len(shown)
    return [f"{title}: {len(lines)}", *shown, *([f"  and {more} more"] if more else [])]


def _leaderboard(payload: Mapping[str, Any]) -> list[str]:
    group, players = payload["group"], payload["players"]
    if not players:
        return []
    rows = [
        (
            str(row["rank"]) if row["rank"] else "-",
            _shorten(row["name"]),
            f"{row['rating']:.0f}",
            f"{row['low']:.0f} to {row['high']:.0f}",
            count(row["plays_rated"], "play"),
            "" if row["rank"] else "provisional",
        )
        for row in players
    ]
    established = sum(row["rank"] is not None for row in players)
    lines = align(rows, right=[0, 2, 3, 4])
    # All of those who have a rank, and a few of the others.
    shown = lines[: max(established, 0) + _MOST_ROWS]
    more = len(lines) - len(shown)
    return [
        f"Ratings as of {group['as_of']} ({_BAND} % intervals)",
        *(f"  {line}" for line in shown),
        *([f"  and {more} more, provisional"] if more else []),
    ]


def _judgement(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    found = {row["measure"]: row for row in rows if row["games_of"] == "decisive"}
    row = found.get("log_loss")
    if row is None or row["value"] is None:
        return []
    return [
        f"Forecasts: log loss {' '.join(_interval(row['value'], row['low'], row['high']))} over "
        f"{count(row['n'], 'play')} (95 % interval); a coin has 0.693, and less is better"
    ]


def _interval(value: float | None, low: float | None, high: float | None) -> tuple[str, str]:
    if value is None:
        return "", ""
    return f"{value:.3f}", "" if low is None or high is None else f"[{low:.3f}, {high:.3f}]"


def count(n: int, noun: str) -> str:
    """A number with its noun.

    Examples
    --------
    >>> count(1, "play"), count(2, "play")
    ('1 play', '2 plays')
    """
    return f"{n} {noun}{'s' if n != 1 else ''}"
