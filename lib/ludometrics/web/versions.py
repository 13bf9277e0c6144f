"""Which version of the level under test a player meets, recorded before play."""

import logging
import os
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from ludometrics.abtest import assign_by_hash
from ludometrics.abtest.ledger import Ledger, assign
from ludometrics.abtest.ledger_lines import Assignment
from ludometrics.gamelog import FolderLock, fold_name
from ludometrics.gamelog.places import LEDGER
from ludometrics.web.settings import Settings

_log = logging.getLogger(__name__)


class Versions:
    """Deals the versions of one experiment in a folder of games.

    Parameters
    ----------
    folder : path
        Must exist.
    settings : Settings
        Experiment and design.
    now : callable
        Clock that gives a datetime with a time zone.

    Attributes
    ----------
    problem : str or None
        What kept the last version from being recorded, without a name.
    """

    def __init__(
        self, folder: str | os.PathLike[str], settings: Settings, *, now: Callable[[], datetime]
    ) -> None:
        self._settings = settings
        self._lock = FolderLock(folder, timeout_s=settings.timeout_s)
        self._ledger = Ledger(Path(folder) / LEDGER, now=now, timeout_s=settings.timeout_s)
        self._dealt: dict[tuple[str, str], str] = {}
        self.problem: str | None = None

    def deal(self, name: str, request: str = "") -> str | None:
        """Give the version of a player's next game, on the disk when this returns.

        Parameters
        ----------
        name : str
            Any spelling.
        request : str, optional
            Names the game that is asked for: asked again, as its start failed, it gets the same version.

        Returns
        -------
        {"A", "B"} or None
            None where there is no test, and where the ledger cannot be used: a game of no version belongs to no test,
            and is better than none.
        """
        if self._settings.design == "none":
            return None
        try:
            # The folder's lock as well: it first finishes a removal that was killed half-way, which puts in place a
            # ledger written before.
            with self._lock.shared(), self._ledger.held():
                if (request, fold_name(name)) in self._dealt:
                    return self._dealt[request, fold_name(name)]
                dealt = self._by_hash(name) if self._settings.design == "hash" else self._in_turn(name)
        except (ValueError, OSError) as error:
            # The ledger's own words may hold a name.
            self.problem = f"{LEDGER} cannot be used: games against the level under test belong to no test"
            _log.error("%s (%s)", self.problem, type(error).__name__)
            return None
        self.problem = None
        if request:
            self._dealt[request, fold_name(name)] = dealt.variant
        return dealt.variant

    def begun(self, request: str) -> None:
        """Take note that the game of a request has begun: it will not be asked for again."""
        for key in [key for key in self._dealt if key[0] == request]:
            del self._dealt[key]

    def forget(self) -> None:
        """Forget what was dealt to games that never began."""
        self._dealt.clear()

    def _by_hash(self, name: str) -> Assignment:
        experiment = self._settings.experiment
        recorded = self._ledger.find(experiment, name)
        if recorded is not None:
            return recorded
        variant = assign_by_hash(experiment, name, fold="course")
        return self._ledger.record(Assignment(experiment, name, variant, "hash"))

    def _in_turn(self, name: str) -> Assignment:
        """The number of the game is the one after the last that the ledger holds of this player."""
        experiment, key = self._settings.experiment, fold_name(name)
        game = self._ledger.next_game(experiment, key)
        return assign(self._ledger, experiment, key, design="alternate", game=game)
