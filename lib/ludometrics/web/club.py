"""A club where people play draughts: the life of its games from start to daily file. Knows nothing of the web."""

import hmac
import logging
import os
import secrets
import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from ludometrics.gamelog.forgetting import Forgotten, forget
from ludometrics.gamelog.lock import FolderBusyError
from ludometrics.gamelog.names import LEVEL_NAMES, fold_name
from ludometrics.web import endings
from ludometrics.web.live import LiveGame
from ludometrics.web.livefolder import KeyedLocks, LiveFolder
from ludometrics.web.opponents import TESTED, reply, warm_up
from ludometrics.web.orders import Order, Started, clean
from ludometrics.web.problems import (
    BadValueError,
    BlockedError,
    ForbiddenError,
    FullError,
    GoneError,
    OutOfStepError,
)
from ludometrics.web.proofs import Proofs
from ludometrics.web.settings import Settings
from ludometrics.web.tables import Tables
from ludometrics.web.versions import Versions
from ludometrics.web.views import view

_log = logging.getLogger(__name__)


class Club:
    """Games in a folder.

    Parameters
    ----------
    folder : path
        Made, for its owner alone, if it is not there.
    settings : Settings, optional
    rng : numpy.random.Generator, optional
        Of the computer's moves; without it none that could be known.
    now : callable, optional
        Clock that gives a datetime with a time zone.
    tokens : callable, optional
        Gives so many random bytes in hexadecimal digits.

    Source
    ------
    Own.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     club = Club(folder, rng=np.random.default_rng(1))
    ...     game = club.start(Order("computer", "Ann", "f" * 16, level="easy")).game
    ...     game = club.move(game.id, game.key, 0, (11, 15))
    ...     game.ply, game.turn, game.white
    (2, 'b', 'Computer (Low)')
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        settings: Settings | None = None,
        *,
        rng: np.random.Generator | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        tokens: Callable[[int], str] = secrets.token_hex,
    ) -> None:
        self.folder, self.settings = Path(folder), settings or Settings()
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._now, self._tokens = now, tokens
        self._rng, self._rng_lock = rng or np.random.default_rng(), threading.Lock()
        self._live = LiveFolder(self.folder, timeout_s=self.settings.timeout_s)
        self._requests, self._newcomers = KeyedLocks(), threading.Lock()
        self._clients: dict[str, str] = {}
        self._proofs = Proofs(self.folder, tokens=tokens)
        self._versions = Versions(self.folder, self.settings, now=now)
        self._broken = self._live.read_all()
        self.tables = Tables(self.folder, self.settings, now=now)

    def begin(self) -> None:
        """Clear up after a killed server, save what it left over, and have everything compiled and read.

        For the one server of a folder, before the first person comes.
        """
        self._live.clear_temporary()
        self.tidy()
        warm_up()
        self.tables.warm_up()

    def view(self, game: LiveGame) -> dict[str, Any]:
        """Show a game, see `ludometrics.web.views.view`."""
        return view(game, time_zone=self.settings.time_zone)

    def warnings(self) -> list[str]:
        """What is amiss with the folder, without names."""
        broken = [f"{name}: cannot be read, and is left out" for name in self._broken]
        return [*broken, *([self._versions.problem] if self._versions.problem else [])]

    def match(self, name: str) -> dict[str, Any]:
        """Say which level a player would get, and why."""
        return self.tables.match(clean(name, "name"), rng=self._spawn())

    def start(self, order: Order, *, client: str = "") -> Started:
        """Start a game, or give the one that this request started.

        Parameters
        ----------
        order : Order
        client : str
            Address of who asks, for the cap on open games.

        Raises
        ------
        BadValueError
            A name that nobody may have, one name for both, or another order under this request.
        FullError
            Too many games are open.
        TimeoutError
            Another program held the folder all the time.
        """
        names = order.names()
        with self._requests.held(order.request):
            known = next((game for game in self._live.games() if game.request == order.request), None)
            if known is not None:
                with self._live.held(known.id) as game:
                    if not order.fits(game):
                        raise BadValueError("request was used for another game: each needs one of its own")
                    return Started(self._save(game), self._proofs_of(game))
            self._check_room(client)
            game = self._new_game(order, names)
            with self._newcomers:  # so that of two who bring one new name one gets the proof
                game = replace(game, proven=self._proven(game, order.proofs))
                self._live.add(game)
            self._versions.begun(order.request)
            self._clients[game.id] = client
            return Started(game, self._proofs_of(game))

    def resume(self, game_id: str, key: str) -> LiveGame:
        """Give a game as it stands.

        Raises
        ------
        GoneError
            No such game.
        ForbiddenError
            Another key.
        """
        with self._live.held(game_id) as game:
            _check_key(game, key)
            return self._save(game)

    def move(self, game_id: str, key: str, ply: int, path: tuple[int, ...]) -> LiveGame:
        """Make a person's move, and the computer's answer.

        Parameters
        ----------
        game_id, key : str
        ply : int
            Moves made before it. The same move sent again changes nothing.
        path : tuple of int
            Squares 1 to 32 that the piece visits.

        Raises
        ------
        OutOfStepError
            The game stands elsewhere.
        BadValueError
            The move is not legal.
        GoneError, ForbiddenError, TimeoutError
            As `resume` and `start`.
        """
        with self._live.held(game_id) as game:
            _check_key(game, key)
            if ply < game.ply and game.game.moves[ply].path == path and game.side_of(ply) in game.people():
                return self._save(game)
            if ply != game.ply or not game.persons_turn:
                raise OutOfStepError(f"move {ply + 1} is not the next one of this game", game)
            legal = {move.path: move for move in game.game.legal_moves()}
            if path not in legal:
                allowed = ", ".join(map(str, legal.values()))
                raise BadValueError(f"path is {list(path)}: allowed are {allowed}")
            return self._keep(self._answer(game.play(legal[path], self._now())))

    def undo(self, game_id: str, key: str, ply: int) -> LiveGame:
        """Take back the person's last move and what followed; the game is not rated from then on.

        `ply` is the number of moves so far; errors as of `move`.
        """
        with self._live.held(game_id) as game:
            _check_key(game, key)
            if ply == game.undone_at:
                return game
            if ply != game.ply:
                raise OutOfStepError(f"the game does not stand after {ply} moves", game)
            if not game.can_undo:
                raise OutOfStepError("no move can be taken back here", game)
            return self._keep(game.undo(self._now()))

    def resign(self, game_id: str, key: str) -> LiveGame:
        """Give a game up; one that is over stays as it is. Errors as of `resume`."""
        with self._live.held(game_id) as game:
            _check_key(game, key)
            return self._keep(game.resign(self._now())) if game.ending is None else self._save(game)

    def forget(self, name: str, proofs: tuple[str, ...]) -> Forgotten:
        """Remove a name from every saved game, and its games being played.

        Raises
        ------
        ForbiddenError
            None of the proofs holds for the name.
        BlockedError
            A file that holds the name cannot be read; nothing was changed.
        TimeoutError
            Another program held the folder all the time.
        """
        name = clean(name, "name")
        if not any(self._holds(proof, name) for proof in proofs):
            raise ForbiddenError("none of the proofs shows that this name was new on your device")
        zone, timeout_s = self.settings.time_zone, self.settings.timeout_s
        options = {"time_zone": zone, "now": self._now(), "operator": "forget-me", "timeout_s": timeout_s}
        done = forget(self.folder, name, dry_run=False, **options)
        if not done.done:
            raise BlockedError(
                "a saved file that may hold the name cannot be read, so nothing was changed; ask whoever runs this page"
            )
        if done.status not in (0, 3):  # who runs the club has to do the rest
            _log.warning(
                "forget-me left work (status %d of `forget`): %d files that cannot be read, %d exports not made anew, "
                "the name in %d other places of the folder",
                *(done.status, len(done.problems), len(done.exports.failed), len(done.left)),
            )
        self._versions.forget()
        self._broken = self._live.read_all()
        return done

    def tidy(self, begun: str = "") -> None:
        """Save games left alone for long as abandoned, save what could not be saved, drop what is long over.

        `begun`: only games whose request begins so.
        """
        self._broken = self._live.read_all()
        games = self._live.games()
        for game_id in set(self._clients) - {game.id for game in games}:
            self._clients.pop(game_id, None)
        for game_id in [game.id for game in games if game.request.startswith(begun)]:
            try:
                with self._live.held(game_id) as game:
                    endings.tidy(self.folder, self._live, game, self.settings, self._now())
            except (GoneError, FolderBusyError):
                continue
            except Exception as error:
                # One game at fault must not keep the others from being saved; its words may hold a name.
                _log.error("%s could not be tidied: %s", game_id, type(error).__name__)

    def _keep(self, game: LiveGame) -> LiveGame:
        return endings.keep(self.folder, self._live, game, self.settings)

    def _save(self, game: LiveGame) -> LiveGame:
        return endings.save(self.folder, self._live, game, self.settings)

    def _new_game(self, order: Order, names: tuple[str, str]) -> LiveGame:
        now = self._now()
        game = LiveGame(
            self._tokens(16), self._tokens(16), order.request, order.mode, *names, started=now, touched=now
        )
        if order.mode == "two":
            return game
        person = game.name_of(order.colour)
        offer = self.tables.match(person, rng=self._spawn()) if order.level == "match" else None
        level = offer["level"] if offer else order.level
        rating = offer["level_rating"] if offer else self.tables.level_rating(level)
        variant = self._versions.deal(person, order.request) if level == TESTED else None
        computer = {"white" if order.colour == "b" else "black": LEVEL_NAMES[level]}
        game = replace(
            game,
            **computer,
            human=order.colour,
            level=level,
            level_rating=rating,
            match=offer,
            variant=variant,
        )
        return self._answer(game)

    def _answer(self, game: LiveGame) -> LiveGame:
        """The game after the computer's move, if it is the computer's turn."""
        if game.ending is not None or game.persons_turn:
            return game
        return game.play(reply(game.game.position, game.level, game.variant, rng=self._spawn()), self._now())

    def _check_room(self, client: str) -> None:
        games = [game for game in self._live.games() if game.ending is None]
        if len(games) >= self.settings.live_games:
            raise FullError("as many games are being played as this server takes; try again later")
        if sum(self._clients.get(game.id) == client for game in games) >= self.settings.live_games_each:
            raise FullError(
                "too many games are open from your address; finish or resign some, or try again later"
            )

    def _proven(self, game: LiveGame, proofs: tuple[str, ...]) -> str:
        """Sides whose name is new, or for which a proof was shown."""
        return "".join(
            side
            for side, name in game.people().items()
            if any(self._holds(proof, name) for proof in proofs) or self._is_new(name)
        )

    def _is_new(self, name: str) -> bool:
        if self._is_playing(name) or self.tables.knows(name):
            return False
        self._live.read_all()  # a notebook may have begun a game as well
        return not self._is_playing(name)

    def _is_playing(self, name: str) -> bool:
        people = (person for game in self._live.games() for person in game.people().values())
        return fold_name(name) in map(fold_name, people)

    def _holds(self, proof: str, name: str) -> bool:
        """Whether a proof is genuine and its game is still here under this name."""
        game_id = self._proofs.game_of(proof, name)
        if game_id is None:
            return False
        try:
            people = self._live.peek(game_id).people().values()
        except GoneError:
            return self.tables.holds(game_id, name)
        return fold_name(name) in map(fold_name, people)

    def _proofs_of(self, game: LiveGame) -> tuple[tuple[str, str], ...]:
        names = [game.name_of(side) for side in game.proven]
        return tuple((name, self._proofs.make(game.id, name)) for name in names)

    def _spawn(self) -> np.random.Generator:
        """A generator for one thread: the club's own is drawn from by one at a time."""
        with self._rng_lock:
            return np.random.default_rng(int(self._rng.integers(2**63)))


def _check_key(game: LiveGame, key: str) -> None:
    if not hmac.compare_digest(game.key.encode(), key.encode()):
        raise ForbiddenError("that is not the key of this game")
