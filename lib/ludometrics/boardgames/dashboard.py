"""The dashboard: the payload of a group as one HTML file that needs no server, no network and no other file.

The file holds the payload as data, a style sheet, the page's own script and the plotting library, which the page
starts only when a chart is first shown. A content security policy lets exactly these two scripts run, known by their
hashes, and forbids every address outside the file, so that nothing in a name or a comment can do anything but be read.
"""

import json
import re
from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from html import escape
from importlib.resources import files
from pathlib import Path
from string import Template

from ludometrics.boardgames.finishing import FLAGS
from ludometrics.boardgames.payload_check import SCHEMA
from ludometrics.provenance import write_bytes

#: What a payload must hold; the page reads every one of these.
PARTS = (
    "group",
    "players",
    "games",
    "series",
    "events",
    "sessions",
    "head_to_head",
    "records",
    "play_log",
    "rejections",
    "left_out",
    "warnings",
    "judgement",
    "checks",
)
#: Style sheets of the page in the order in which they are joined: a later one wins.
STYLES = ("page.css", "tables.css", "parts.css", "devices.css")
#: Scripts of the page in the order in which they are joined; each uses names of those before it.
SCRIPTS = (
    "base.js",
    "place.js",
    "tables.js",
    "season.js",
    "charts.js",
    "picker.js",
    "leaderboard.js",
    "lines.js",
    "players.js",
    "pairs.js",
    "chances.js",
    "tonight.js",
    "games.js",
    "plays.js",
    "evenings.js",
    "method.js",
    "page.js",
)
# What would end a script element or start a comment in it, if a library ever held it.
_ENDS_SCRIPT = re.compile(r"</script|<!--|\r|\0", re.IGNORECASE)
_ESCAPES = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"}


def build_dashboard(payload: Mapping) -> str:
    """Make the page.

    Parameters
    ----------
    payload : mapping
        What `build_payload` answers, or the same read from its JSON file.

    Returns
    -------
    str
        One HTML document, the same for the same payload; some 5 MB, nearly all of it the plotting library.

    Raises
    ------
    ValueError
        Another schema, a part missing, or something that JSON cannot hold.
    ModuleNotFoundError
        The plotting library is not installed; the message says how to get it.

    Source
    ------
    Own.
    """
    _check(payload)
    script, library = _script(), _plotting_library()
    page = Template(_static("dashboard.html"))
    return page.substitute(
        title=escape(_title(payload)),
        policy=_policy(script, library),
        style="\n".join(map(_static, STYLES)),
        payload=_data(payload),
        sentences=_data({"flags": FLAGS}),
        library=library,
        script=script,
    )


def write_dashboard(payload: Mapping, path: str | Path) -> Path:
    """Make the page and write it, whole or not at all.

    Parameters
    ----------
    payload : mapping
        As for `build_dashboard`.
    path : str or Path
        Where to; its folder is made if need be.

    Returns
    -------
    Path
        The file written.

    Raises
    ------
    ValueError, ModuleNotFoundError
        As `build_dashboard`; nothing is written then.

    Source
    ------
    Own.
    """
    return write_bytes(path, build_dashboard(payload).encode("utf-8"))


def _title(payload: Mapping) -> str:
    """The title without halves of characters, which no file can hold."""
    title = str(payload["group"].get("title") or "Board-game night")
    return title.encode("utf-8", "replace").decode("utf-8")


def _check(payload: Mapping) -> None:
    if not isinstance(payload, Mapping):
        raise ValueError(
            f"the payload is a {type(payload).__name__}: an object with schema {SCHEMA!r} is needed"
        )
    if payload.get("schema") != SCHEMA:
        raise ValueError(f"schema of the payload is {payload.get('schema')!r}: the page reads {SCHEMA!r}")
    missing = [part for part in PARTS if part not in payload]
    if missing:
        raise ValueError(f"the payload lacks {', '.join(map(repr, missing))}: needed are {', '.join(PARTS)}")
    if not isinstance(payload["group"], Mapping):
        raise ValueError(f"group of the payload is a {type(payload['group']).__name__}: an object is needed")


def _data(payload: Mapping) -> str:
    """The payload as JSON in ASCII without a character that means anything in HTML."""
    try:
        text = json.dumps(payload, sort_keys=True, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError) as error:
        raise ValueError(f"the payload cannot be written as JSON: {error}") from error
    return re.sub("[<>&]", lambda found: _ESCAPES[found[0]], text)


def _static(name: str) -> str:
    return (files("ludometrics.boardgames") / "static" / name).read_text(encoding="utf-8")


def _script() -> str:
    """The page's own script: its pieces in one function, so that they share names with each other and nobody else."""
    pieces = "\n".join(_static(name) for name in SCRIPTS)
    return f'(() => {{\n"use strict";\n{pieces}}})();'


def _plotting_library() -> str:
    try:
        from plotly.offline import get_plotlyjs
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            'the dashboard needs the package plotly: pip install "ludometrics[boardgames]"', name=error.name
        ) from error
    library = get_plotlyjs()
    if found := _ENDS_SCRIPT.search(library):
        raise ValueError(f"this version of plotly cannot be put into a page: its script holds {found[0]!r}")
    return library


def _policy(*scripts: str) -> str:
    hashes = " ".join(
        f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'" for script in scripts
    )
    # Styles may stand in the page: the plotting library writes its own. Pictures are the charts people save.
    return (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; img-src data: blob:; "
        "base-uri 'none'; form-action 'none'"
    )
