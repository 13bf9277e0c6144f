"""Complexity of games from BoardGameGeek: asked for once, through its XML API, and kept in a file.

Without a network, or without a token, the file alone serves (`kept_complexity`), and so does a CSV
(`ludometrics.boardgames.weights.read_complexity`).
"""

import json
import logging
import math
import os
import re
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from ludometrics.provenance import write_bytes

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

#: Environment variable that holds the token.
TOKEN_VARIABLE = "BGG_TOKEN"  # noqa: S105 - a name, no token
ENDPOINT = "https://boardgamegeek.com/xmlapi2"
#: Numbers in one request at most, by the API's own rule.
BATCH = 20
SCHEMA = "ludometrics.bgg_complexity/1"

#: Of the client's own words, which Python would else print beside ours.
_QUIET = logging.NullHandler()
_BGG_ID = re.compile(r"[1-9][0-9]{0,18}")
_TOKEN = re.compile(r"[!-~]{1,500}")
_HOW_TO = (
    f"make an account and register an application at https://boardgamegeek.com/applications, put the token it is "
    f"given into the environment variable {TOKEN_VARIABLE}, and try again; or do without: give complexities in a CSV "
    "with the columns bgg_id and complexity"
)


class BggError(OSError):
    """BoardGameGeek could not be asked, or did not answer as it should; the message says what to do."""


class Cached(NamedTuple):
    """What is kept of one game.

    Attributes
    ----------
    complexity : float
        1 to 5; NaN where BoardGameGeek does not know the game, or nobody has voted.
    fetched : str
        When it was asked, ISO 8601 in UTC.
    """

    complexity: float
    fetched: str


def read_cache(cache: str | os.PathLike[str]) -> dict[int, Cached]:
    """Read what is kept, without asking anybody.

    Parameters
    ----------
    cache : path
        JSON file as `fetch_complexity` writes it; it need not exist.

    Returns
    -------
    dict of int to Cached
        By number at BoardGameGeek.

    Raises
    ------
    ValueError
        Naming the file and what is wrong with it: it is none of these files.
    """
    path = Path(cache)
    try:
        content = json.loads(path.read_bytes())
    except FileNotFoundError:
        return {}
    except (ValueError, RecursionError):  # no UTF-8, no JSON
        raise _no_cache(path, "it is no JSON") from None
    if not isinstance(content, dict) or content.get("schema") != SCHEMA:
        raise _no_cache(path, f"its schema is not {SCHEMA!r}")
    games = content.get("games")
    if not isinstance(games, dict):
        raise _no_cache(path, "it has no 'games'")
    return dict(sorted(_read_entry(path, *entry) for entry in games.items()))


def kept_complexity(cache: str | os.PathLike[str]) -> dict[int, float]:
    """Complexities that are kept, 1 to 5, by number at BoardGameGeek; nobody is asked. Raises as `read_cache`."""
    return _only_known(read_cache(cache))


def fetch_complexity(
    bgg_ids: Iterable[int],
    *,
    cache: str | os.PathLike[str],
    token: str | None = None,
    refresh: bool = False,
    endpoint: str = ENDPOINT,
    timeout_s: float = 15.0,
    retries: int = 3,
    retry_delay_s: float = 5.0,
    requests_per_minute: int = 30,
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> dict[int, float]:
    """Look up how heavy games are, asking BoardGameGeek for those that are not kept yet.

    Parameters
    ----------
    bgg_ids : iterable of int
        Numbers at BoardGameGeek; 0 and below stand for no game and are passed over.
    cache : path
        JSON file in which answers are kept, also that a number is not known there, so that it is not asked again. It
        grows by each answer as it comes and holds what it held before where one is at fault.
    token : str, optional
        By default from the environment variable BGG_TOKEN. Needed only where something is to be asked.
    refresh : bool
        Ask for all numbers anew.
    endpoint : str
        Address of the XML API.
    timeout_s, retry_delay_s : float
        Seconds that an answer may take, and between tries where the server asks for patience.
    retries, requests_per_minute : int
    now : callable
        Clock that gives a datetime with a time zone.

    Returns
    -------
    dict of int to float
        By number, those that are known, 1 to 5.

    Raises
    ------
    BggError
        No token, or one that is refused; no network; an answer that makes no sense. What had been answered before is
        kept.
    ValueError
        As `read_cache`.
    ImportError
        The package bgg-api is not installed.

    Source
    ------
    BoardGameGeek's XML API 2, "thing", through the client bgg-api. Its own `game_list` gives the games of an answer
    their numbers by the order of asking, so that one unknown number shifts all that follow: here each is read from
    the answer.
    """
    endpoint = endpoint.rstrip("/")
    wanted = sorted({int(number) for number in bgg_ids if number > 0})
    known = read_cache(cache)
    asked = [number for number in wanted if refresh or number not in known]
    if asked:
        ask = _connect(endpoint, _find_token(token), timeout_s, retries, retry_delay_s, requests_per_minute)
        for first in range(0, len(asked), BATCH):
            batch = asked[first : first + BATCH]
            answer = _read_answer(ask(batch), batch)
            time = now().astimezone(UTC).isoformat(timespec="seconds")
            known |= {number: Cached(answer.get(number, math.nan), time) for number in batch}
            _write_cache(cache, known)
    return _only_known({number: known[number] for number in wanted})


def _only_known(entries: Mapping[int, Cached]) -> dict[int, float]:
    return {number: one.complexity for number, one in entries.items() if not math.isnan(one.complexity)}


def _find_token(token: str | None) -> str:
    token = (os.environ.get(TOKEN_VARIABLE, "") if token is None else token).strip()
    if not token:
        raise BggError(f"BoardGameGeek answers nobody without a token: {_HOW_TO}")
    if not _TOKEN.fullmatch(token):  # its value stands in no message
        raise BggError(
            f"the token for BoardGameGeek holds spaces or signs that no token has: look at {TOKEN_VARIABLE} again"
        )
    return token


def _connect(
    endpoint: str, token: str, timeout_s: float, retries: int, retry_delay_s: float, requests_per_minute: int
) -> "Callable[[list[int]], Element]":
    """A function that asks for a batch of numbers and gives the answer as a tree."""
    try:
        from boardgamegeek.api import BGGCommon
        from boardgamegeek.cache import CacheBackendNone
        from boardgamegeek.exceptions import BGGError
        from boardgamegeek.utils import request_and_parse_xml
    except ImportError as error:
        raise ImportError(
            'asking BoardGameGeek needs the package bgg-api: pip install "ludometrics[boardgames]"'
        ) from error
    logging.getLogger("boardgamegeek").addHandler(_QUIET)
    client = BGGCommon(
        endpoint, CacheBackendNone(), timeout_s, retries, retry_delay_s, requests_per_minute, token
    )
    session, statuses = client.requests_session, []
    session.hooks["response"].append(lambda response, **_: statuses.append(response.status_code))

    def ask(batch: list[int]) -> "Element":
        statuses.clear()
        try:
            return request_and_parse_xml(
                session,
                f"{endpoint}/thing",
                params={"id": ",".join(map(str, batch)), "stats": 1},
                timeout=timeout_s,
                retries=retries,
                retry_delay=retry_delay_s,
                headers={"Authorization": f"Bearer {token}"},
            )
        except BGGError as error:
            raise _explain(error, statuses[-1] if statuses else 0, endpoint) from error

    return ask


def _explain(error: Exception, status: int, endpoint: str) -> BggError:
    """What a person should know of a request that failed."""
    host = urlsplit(endpoint).netloc
    if status == 401:
        return BggError(f"{host} refuses the token (401): {_HOW_TO}")
    if status == 403:
        return BggError(f"{host} forbids this (403): the token may not be allowed to use the XML API")
    if status == 202:
        return BggError(f"{host} is still preparing its answer (202): try again in a minute")
    if status in (429, 503):
        return BggError(f"{host} has been asked too much ({status}): try again in some minutes")
    if status == 0:
        why = type(error.__context__ or error).__name__
        return BggError(
            f"{host} cannot be reached ({why}): is there a network? What is kept in the cache serves without one"
        )
    return BggError(f"{host} answered what is no answer of its XML API (status {status}): {str(error)[:120]}")


def _read_answer(root: "Element", batch: list[int]) -> dict[int, float]:
    """Complexities of an answer by number, NaN where nobody has voted."""
    if root.tag != "items":
        said = " ".join("".join(root.itertext()).split())[:120]
        raise BggError(f"BoardGameGeek answered <{root.tag}> instead of <items>: {said!r}")
    found = {}
    for item in root.findall("item"):
        number, element = item.get("id", ""), item.find("statistics/ratings/averageweight")
        if not (_BGG_ID.fullmatch(number) and int(number) in batch):
            raise BggError(f"BoardGameGeek answered for the number {number[:20]!r}, which was not asked for")
        text = "" if element is None else element.get("value", "")
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not (value == 0.0 or 1.0 <= value <= 5.0):
            raise BggError(
                f"BoardGameGeek gives the complexity of {number} as {text[:20]!r}: 1 to 5, or 0, is expected"
            )
        found[int(number)] = value or math.nan
    return found


def _write_cache(cache: str | os.PathLike[str], known: dict[int, Cached]) -> None:
    games = {
        str(number): {
            "complexity": None if math.isnan(entry.complexity) else entry.complexity,
            "fetched": entry.fetched,
        }
        for number, entry in sorted(known.items())
    }
    content = json.dumps({"schema": SCHEMA, "games": games}, indent=1, allow_nan=False) + "\n"
    write_bytes(cache, content.encode("utf-8"))


def _read_entry(path: Path, number: str, entry: object) -> tuple[int, Cached]:
    if not (_BGG_ID.fullmatch(number) and isinstance(entry, dict)):
        raise _no_cache(path, f"its game {number!r} is none")
    value, fetched = entry.get("complexity"), entry.get("fetched")
    fits = value is None or (type(value) in (int, float) and 1.0 <= value <= 5.0)
    if not fits or not isinstance(fetched, str):
        raise _no_cache(path, f"its game {number} has the complexity {value!r}, fetched {fetched!r}")
    return int(number), Cached(math.nan if value is None else float(value), fetched)


def _no_cache(path: Path, why: str) -> ValueError:
    return ValueError(
        f"{path}: is no file of complexities, as {why}: give another name, or delete it to start anew"
    )
