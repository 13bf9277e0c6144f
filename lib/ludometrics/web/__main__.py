"""The server: ``python -m ludometrics.web --data DIR``."""

import logging
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any

import click
import portalocker
import waitress

from ludometrics.gamelog.places import SERVER_LOCK
from ludometrics.gamelog.store import TIME_ZONE, today
from ludometrics.web.app import create_app
from ludometrics.web.bodies import MAX_BYTES
from ludometrics.web.club import Club
from ludometrics.web.settings import DESIGNS, RULE_NAMES, Settings

#: Names of this machine for itself.
LOCAL = ("localhost", "127.0.0.1", "::1")
_TIDY_S = 60.0
_DEFAULT = Settings()

_log = logging.getLogger("ludometrics.web")


class ServerError(click.ClickException):
    """The server cannot start: a line that says why, and exit status 2."""

    exit_code = 2


@contextmanager
def only_server(folder: Path) -> Iterator[None]:
    """Keep a second server off a folder.

    Raises
    ------
    ServerError
        There is one, or the folder cannot be written.
    """
    lock = portalocker.Lock(
        folder / SERVER_LOCK, mode="a", timeout=0, flags=portalocker.LOCK_EX | portalocker.LOCK_NB
    )
    try:
        lock.acquire()
    except portalocker.AlreadyLocked:
        raise ServerError(f"{folder}: another server is running on this folder; stop it first") from None
    except OSError as error:
        raise ServerError(str(error)) from None
    try:
        yield
    finally:
        lock.release()


class Housekeeping(threading.Thread):
    """Once a minute looks after the games of a club, and once a day proves its ratings."""

    def __init__(self, club: Club) -> None:
        super().__init__(name="housekeeping", daemon=True)
        self._club, self._over = club, threading.Event()
        self._proved: date | None = None

    def run(self) -> None:
        """Go on until stopped."""
        while not self._over.wait(_TIDY_S):
            self.work()

    def work(self) -> None:
        """Do what there is to do now; what fails is tried again a minute later."""
        try:
            self._club.tidy()
            day = today(self._club.settings.time_zone)
            if self._proved != day:
                self._club.tables.prove()
                self._proved = day
        except Exception as error:
            # The words of an error may hold a name.
            _log.error("housekeeping: %s", type(error).__name__)

    def stop(self) -> None:
        """Stop, after what is being done."""
        self._over.set()
        self.join(timeout=30)


@click.command()
@click.option(
    "--data",
    "folder",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder of the games; made, for you alone, if it is not there.",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen at.")
@click.option(
    "--port", default=8000, show_default=True, type=click.IntRange(0, 65535), help="0: any free one."
)
@click.option(
    "--rule", default="default", show_default=True, type=click.Choice(RULE_NAMES), help='Of "Match me".'
)
@click.option(
    "--design",
    default=_DEFAULT.design,
    show_default=True,
    type=click.Choice(DESIGNS),
    help="How the two versions of Medium are dealt.",
)
@click.option("--experiment", default=_DEFAULT.experiment, show_default=True, help="Name of that test.")
@click.option("--time-zone", default=TIME_ZONE, show_default=True, help="Where a day begins and ends.")
@click.option("--abandon-after", "abandon_after_minutes", default=120, show_default=True, help="Minutes.")
@click.option("--threads", default=8, show_default=True, type=click.IntRange(1, 64))
@click.option(
    "--requests-a-minute", default=_DEFAULT.requests_a_minute, show_default=True, help="Of one address."
)
@click.option("--games-an-hour", default=_DEFAULT.games_an_hour, show_default=True, help="Of one address.")
@click.option("--live-games", default=_DEFAULT.live_games, show_default=True, help="Games open at once.")
@click.option(
    "--live-games-each", default=_DEFAULT.live_games_each, show_default=True, help="Those of one address."
)
@click.option(
    "--trusted-proxy",
    help="Address of the proxy through which people come: its X-Forwarded-For and X-Forwarded-Proto are believed.",
)
def main(folder: Path, host: str, port: int, threads: int, trusted_proxy: str | None, **chosen: Any) -> None:
    """Serve the page and the games in a folder until stopped (Ctrl-C or SIGTERM).

    Exit status: 0 when stopped; 2 if it cannot start.
    """
    logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # which tells each request that has to wait
    try:
        settings = Settings(**chosen)
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except (ValueError, OSError) as error:
        raise ServerError(str(error)) from None
    with only_server(folder):
        try:
            serve(folder, settings, host=host, port=port, threads=threads, trusted_proxy=trusted_proxy)
        except (ValueError, OSError) as error:
            raise ServerError(str(error)) from None


def serve(
    folder: Path, settings: Settings, *, host: str, port: int, threads: int, trusted_proxy: str | None
) -> None:
    """Serve until stopped."""
    signal.signal(
        signal.SIGTERM, _stop
    )  # from here on, so that a stop while getting ready is a clean one too
    click.echo("Getting ready (the first time this takes a quarter of a minute) ...", err=True)
    club = Club(folder, settings)
    club.begin()
    # Through a proxy the server is called by names that only the proxy knows.
    app = create_app(folder, club=club, hosts=LOCAL if host in LOCAL and not trusted_proxy else ())
    server = waitress.create_server(app, host=host, port=port, threads=threads, **_options(trusted_proxy))
    keeper = Housekeeping(club)
    keeper.start()
    shown = f"[{host}]" if ":" in host else host
    listening = getattr(
        server, "effective_listen", None
    )  # of several sockets, where a name has several addresses
    at = listening[0][1] if listening else server.effective_port
    click.echo(f"Ludometrics serves {folder} at http://{shown}:{at}/ (Ctrl-C stops it)")
    try:
        server.run()
    finally:
        keeper.stop()
        server.close()


def _options(trusted_proxy: str | None) -> dict[str, Any]:
    options: dict[str, Any] = {
        "ident": None,
        "max_request_body_size": 4 * MAX_BYTES,  # beyond the application's own, kinder refusal
        "max_request_header_size": 16_384,
        "connection_limit": 1000,
        "channel_timeout": 30,  # seconds; who says nothing for so long makes room for others
        "cleanup_interval": 10,
        "asyncore_use_poll": True,  # select() ends at 1,024 files
        "clear_untrusted_proxy_headers": True,
    }
    if trusted_proxy:
        options |= {
            "trusted_proxy": trusted_proxy,
            "trusted_proxy_headers": {"x-forwarded-for", "x-forwarded-proto"},
        }
    return options


def _stop(*_: Any) -> None:
    raise SystemExit(0)


if __name__ == "__main__":
    main()
