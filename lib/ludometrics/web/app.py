"""The server of a club as a Flask application."""

import logging
import os
import time
import traceback
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

from flask import Flask, Response, jsonify, redirect, request
from werkzeug.exceptions import HTTPException

from ludometrics.web.bodies import MAX_BYTES
from ludometrics.web.club import Club
from ludometrics.web.headers import add_headers, host_name, is_same_origin
from ludometrics.web.limits import RateLimits, client_of, whole_seconds
from ludometrics.web.problems import (
    BadValueError,
    BlockedError,
    ForbiddenError,
    FullError,
    GoneError,
    OutOfStepError,
)
from ludometrics.web.routes import make_routes
from ludometrics.web.settings import Settings

#: Where the application keeps its club.
EXTENSION = "ludometrics.club"

_log = logging.getLogger(__name__)
_STATUSES = (
    (BadValueError, 400),
    (GoneError, 404),
    (ForbiddenError, 403),
    (BlockedError, 503),
    (FullError, 429),
    (TimeoutError, 503),
)
_WORDS = {
    400: "the request cannot be understood",
    404: "there is nothing at this address",
    405: "this address does not take that method",
    413: f"the body is too long: at most {MAX_BYTES} bytes are allowed",
    415: "the body must be sent as application/json",
}
#: Routes that cost more than others, and the allowance each draws on besides that of all requests.
_DEAR = {"/game": "game", "/forget-me": "removal"}


def create_app(
    folder: str | os.PathLike[str],
    settings: Settings | None = None,
    *,
    club: Club | None = None,
    hosts: Collection[str] = (),
    clock: Callable[[], float] = time.monotonic,
) -> Flask:
    """Make the application.

    Parameters
    ----------
    folder : path
        Of the games; made if it is not there.
    settings : Settings, optional
    club : Club, optional
        In place of one made from the folder and the settings.
    hosts : collection of str, optional
        Names by which the server may be called; without them any. A server for this machine alone should have them:
        else a page of somebody else's, whose name is made to lead here, could read the tables.
    clock : callable, optional
        Of the limits on requests: seconds that only rise.

    Returns
    -------
    flask.Flask
        `extensions[EXTENSION]` is its club.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     create_app(folder).test_client().get("/settings").get_json()["rules"]
    {'repetitions': 3, 'quiet_moves': 40}
    """
    app = Flask(__name__, static_folder="static", static_url_path="/static")
    app.config["MAX_CONTENT_LENGTH"] = MAX_BYTES
    app.json.sort_keys = False
    club = club or Club(folder, settings)
    app.extensions[EXTENSION] = club
    limits = RateLimits(_rates(club.settings), clock=clock)
    app.before_request(lambda: _guard(limits, hosts))
    app.after_request(lambda response: add_headers(response, keep=_may_be_kept()))
    _answer_errors(app, club)
    make_routes(app, club)
    return app


def _rates(settings: Settings) -> dict[str, tuple[int, float]]:
    return {
        "request": (settings.requests_a_minute, 60.0),
        "game": (settings.games_an_hour, 3600.0),
        "removal": (settings.removals_an_hour, 3600.0),
    }


def _may_be_kept() -> bool:
    return request.method in ("GET", "HEAD") and (request.path == "/" or request.path.startswith("/static/"))


def _guard(limits: RateLimits, hosts: Collection[str]) -> Response | None:
    """Turn away what is not to be looked at any further."""
    if hosts and host_name(request) not in hosts:
        return _error(421, f"this server answers to {', '.join(hosts)} only; see its option --trusted-proxy")
    if not request.environ.get("PATH_INFO"):  # /x in place of /x/: the page's addresses would lead astray
        return redirect(f"{request.root_path.rstrip('/').rpartition('/')[2]}/", 308)
    if request.path.startswith("/static/"):
        return None
    client = client_of(request.remote_addr)
    kinds = ["request", *([_DEAR[request.path]] if request.path in _DEAR else [])]
    wait = max(limits.take(kind, client) for kind in kinds)
    if wait:
        return _too_many(wait)
    if request.method == "POST":
        if not is_same_origin(request):
            return _error(403, "requests from pages of other servers are not taken")
        if request.mimetype != "application/json":
            return _error(415, _WORDS[415])
    return None


def _answer_errors(app: Flask, club: Club) -> None:
    def known(error: Exception) -> Response:
        status = next(status for kind, status in _STATUSES if isinstance(error, kind))
        busy = isinstance(error, TimeoutError)  # whose words name the folder
        words = "the folder of games is busy; try again" if busy else str(error)
        return _error(status, words)

    for kind, _ in _STATUSES:
        app.register_error_handler(kind, known)
    app.register_error_handler(
        OutOfStepError, lambda error: _error(409, str(error), view=club.view(error.game))
    )
    app.register_error_handler(HTTPException, _answer_http)
    app.register_error_handler(Exception, _answer_unforeseen)


def _answer_http(error: HTTPException) -> Response:
    if error.code is None or error.code < 400:
        return error.get_response()
    response = _error(error.code, _WORDS.get(error.code, error.name))
    if error.code == 405:
        response.headers["Allow"] = ", ".join(error.valid_methods or ())
    return response


def _answer_unforeseen(error: Exception) -> Response:
    # Where, but not what: the words of an error may hold a name.
    frames = traceback.extract_tb(error.__traceback__)
    places = ", ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in frames[-8:])
    kind = type(error).__name__
    if isinstance(error, OSError) and error.errno is not None:
        kind = f"{kind} ({os.strerror(error.errno)})"  # such as a full disk
    _log.error("%s in answering %s: %s", kind, request.endpoint, places)
    return _error(500, "something went wrong on the server")


def _too_many(wait: float) -> Response:
    seconds = whole_seconds(wait)
    response = _error(429, f"too many requests from your address; try again in {seconds} s")
    response.headers["Retry-After"] = str(seconds)
    return response


def _error(status: int, words: str, **more: Any) -> Response:
    response = jsonify(error=words, **more)
    response.status_code = status
    return response
