"""What the saved games say: ratings, today's table, and the level that suits a player."""

import logging
import math
import os
import re
import stat
from collections import Counter
from collections.abc import Callable, Iterable
from datetime import date, datetime
from pathlib import Path
from typing import Any

import numpy as np

from ludometrics.evaluation import NORMAL_95
from ludometrics.gamelog.daily import kind_and_day, set_aside_day
from ludometrics.gamelog.day_files import LeftOut
from ludometrics.gamelog.finding import search
from ludometrics.gamelog.names import fold_name
from ludometrics.gamelog.rated import RatedLog, RatingsDifferError
from ludometrics.gamelog.snapshot import RatedGames, Rater
from ludometrics.gamelog.store import today
from ludometrics.matching import RULES
from ludometrics.ratings import EloSettings, Glicko1Settings
from ludometrics.web.live import RULES as PLAYED
from ludometrics.web.offers import LEVELS_OF_RULE, no_offer, offer, whole
from ludometrics.web.opponents import OPPONENTS, TESTED
from ludometrics.web.saved import UnratedNames, people_of
from ludometrics.web.settings import Settings

_log = logging.getLogger(__name__)
# Why a file was left out, in words that hold nothing of what stands in it.
_FAULTS = re.compile(
    "not JSON at line [0-9]+, column [0-9]+(: the file is empty|: it holds NUL bytes)?|not UTF-8 at byte [0-9]+"
    "|its day is to come|its name is no daily file's|it is (a link|a folder|no plain file)|it was set aside.*"
)

#: Deviation of somebody who has played much, Elo points, and the days of absence that bring it to a newcomer's.
SETTLED, ABSENT_DAYS = 60.0, 365.0

_START, _START_DEVIATION = 1200.0, 350.0
_ANCHORS = {key: opponent.rating for key, opponent in OPPONENTS.items()}
# Which of the raters each rule of "Match me" goes by.
_RATER_OF_RULE = {"default": "match", "course": "elo"}


def raters(rule: str) -> dict[str, Rater]:
    """Give the ways in which games are rated under a rule of "Match me".

    "elo" is that of the adaptive-draughts course, levels rated like players; in the others the levels keep the ratings
    that they have from games among themselves. In "glicko" a deviation of `SETTLED` grows to a newcomer's in
    `ABSENT_DAYS`; "match" is what our own rule asks for.

    Examples
    --------
    >>> round(raters("course")["glicko"].settings.growth, 1), "match" in raters("default")
    (18.0, True)
    """
    growth = math.sqrt((_START_DEVIATION**2 - SETTLED**2) / ABSENT_DAYS)
    glicko = Glicko1Settings(
        start=_START, start_deviation=_START_DEVIATION, growth=growth, ceiling=_START_DEVIATION
    )
    ways = {"elo": Rater("elo", EloSettings()), "glicko": Rater("glicko1", glicko, anchors=_ANCHORS)}
    if rule == "default":
        ways["match"] = Rater("posterior", RULES["default"].ratings, anchors=_ANCHORS)
    return ways


class Tables:
    """Ratings and tables of a folder of games, brought up to date when they are asked for.

    Parameters
    ----------
    folder : path
    settings : Settings
    now : callable
        Clock that gives a datetime with a time zone.
    """

    def __init__(
        self, folder: str | os.PathLike[str], settings: Settings, *, now: Callable[[], datetime]
    ) -> None:
        self._folder, self._settings, self._now = Path(folder), settings, now
        self._log = self._new_log()
        self._unrated = UnratedNames(folder)
        self._answers: dict[str, tuple[RatedGames, date, dict[str, Any]]] = {}

    def settings(self) -> dict[str, Any]:
        """What may be chosen, and the rules in force."""
        settings = self._settings
        test = {"name": settings.experiment, "design": settings.design, "level": TESTED}
        return {
            "levels": [
                {"key": one.key, "name": one.name, "computer": one.computer, "rating": whole(one.rating)}
                for one in OPPONENTS.values()
            ],
            "rule": settings.rule,
            "experiment": None if settings.design == "none" else test,
            "abandon_after_minutes": settings.abandon_after_minutes,
            "rules": {"repetitions": PLAYED.repetitions, "quiet_moves": PLAYED.quiet_moves},
        }

    def scores(self) -> dict[str, Any]:
        """Today's league table."""
        return self._kept("scores", _scores)

    def ratings(self) -> dict[str, Any]:
        """All players by rating: Elo as in the adaptive-draughts course, and Glicko-1 with its 95 % interval.

        The computer's levels stand among them by their Elo; their Glicko rating is known beforehand, without interval.
        """
        return self._kept("ratings", _ratings)

    def level_rating(self, level: str) -> int | None:
        """Rating of a level as players see it: known beforehand, or under the course's rule from its games."""
        if self._settings.rule == "course":
            return whole(self._level_ratings(self._games(), [level])[level])
        return whole(OPPONENTS[level].rating)

    def match(self, name: str, *, rng: np.random.Generator) -> dict[str, Any]:
        """Choose a level for a player; Medium, if for any reason that cannot be done.

        Parameters
        ----------
        name : str
            In any spelling.
        rng : numpy.random.Generator

        Returns
        -------
        dict
            See `ludometrics.web.offers.offer`.
        """
        rule = self._settings.rule
        try:
            games = self._games()
            levels = LEVELS_OF_RULE[rule]
            rated = games.player(_RATER_OF_RULE[rule], name)
            known = None if rated is None else (rated.rating, rated.deviation or 0.0, rated.games)
            met = list(zip(*games.met(name, levels), strict=True)) if rule == "default" else []
            return offer(rule, known, met, self._level_ratings(games, levels), rng=rng)
        except Exception as error:
            # Whatever it is, a person came to play. The words of an error may hold a name.
            _log.error("no level could be matched: %s", type(error).__name__)
            return no_offer()

    def knows(self, name: str) -> bool:
        """Tell whether a name stands in a saved game, rated or not, or in a file that had to be left out."""
        games = self._games()
        if games.player("elo", name) is not None or fold_name(name) in self._unrated:
            return True
        paths = {self._folder / left.file for left in games.left_out}
        return bool(search(name, [path for path in sorted(paths) if _is_ordinary(path)]).hits)

    def holds(self, game_id: str, name: str) -> bool:
        """Tell whether a saved game was played under a name."""
        people = people_of(self._folder, game_id, timeout_s=self._settings.timeout_s)
        return fold_name(name) in people

    def warm_up(self) -> None:
        """Read and rate all games once, so that nobody waits for it."""
        self.ratings()
        self.match("nobody", rng=np.random.default_rng(0))

    def prove(self) -> None:
        """Check that the ratings carried on are those of a replay; if ever they are not, rate all games afresh."""
        try:
            self._log.prove()
        except RatingsDifferError as error:
            _log.error("%s; all games are rated afresh", error)
            self._log = self._new_log()

    def _new_log(self) -> RatedLog:
        settings = self._settings
        options = {"time_zone": settings.time_zone, "now": self._now, "timeout_s": settings.timeout_s}
        return RatedLog(self._folder, raters(settings.rule), **options)

    def _games(self) -> RatedGames:
        log = self._log
        log.refresh()
        return log.now

    def _kept(self, what: str, make: Callable[[RatedGames, date], dict[str, Any]]) -> dict[str, Any]:
        """An answer made once for the same games and day."""
        day, games = self._today(), self._games()
        kept = self._answers.get(what)
        if kept is None or kept[0] is not games or kept[1] != day:
            kept = (games, day, make(games, day))
            self._answers[what] = kept
        return dict(kept[2])

    def _today(self) -> date:
        return today(self._settings.time_zone, now=self._now())

    def _level_ratings(self, games: RatedGames, levels: Iterable[str]) -> dict[str, float | None]:
        if self._settings.rule != "course":
            return {level: OPPONENTS[level].rating for level in levels}
        found = {level: games.player("elo", OPPONENTS[level].computer) for level in levels}
        return {level: None if rated is None else rated.rating for level, rated in found.items()}


def warnings_of(left_out: Iterable[LeftOut]) -> list[str]:
    """Say what was left out, without what stands in it: of a file the kind of fault, of games in it how many.

    Examples
    --------
    >>> warnings_of([LeftOut("scores-2026-09-01.json", 7, "black is 'Ann$': ...", 1)])
    ['scores-2026-09-01.json: 1 game that cannot be used is left out, the first in row 7']
    """
    rows: dict[str, list[int]] = {}
    counts: Counter[str] = Counter()
    words = []
    for one in left_out:
        if one.row is None:
            known = kind_and_day(one.file) or set_aside_day(one.file)
            file = one.file if known else "a file of another name"  # which may be anybody's
            fault = _FAULTS.match(one.reason)
            words.append(f"{file}: left out: {fault[0] if fault else 'it cannot be used'}")
        else:
            rows.setdefault(one.file, []).append(one.row)
            counts[one.file] += one.games or 1
    for file, places in rows.items():
        n = counts[file]
        games = "1 game that cannot be used is" if n == 1 else f"{n} games that cannot be used are"
        words.append(f"{file}: {games} left out, the first in row {min(places)}")
    return words


def _is_ordinary(path: Path) -> bool:
    try:
        return stat.S_ISREG(os.lstat(path).st_mode)
    except OSError:  # gone meanwhile, or a name as the system knows none
        return False


def _scores(games: RatedGames, day: date) -> dict[str, Any]:
    table = [row._asdict() for row in games.day_table(day)]
    return {"day": day.isoformat(), "table": table, "warnings": warnings_of(games.left_out)}


def _ratings(games: RatedGames, _: date) -> dict[str, Any]:
    return {"players": _players(games), "warnings": warnings_of(games.left_out)}


def _players(games: RatedGames) -> list[dict[str, Any]]:
    glicko = games.standings("glicko")
    known = dict(zip(glicko["key"], zip(glicko["rating"], glicko["deviation"], strict=True), strict=True))
    elo = games.standings("elo")
    columns = (elo[name].tolist() for name in ("key", "name", "level", "rating", "provisional", "games"))
    players = []
    for key, name, level, rating, provisional, played in zip(*columns, strict=True):
        middle, deviation = known[key]
        low, high = (
            (None, None) if level else (middle - NORMAL_95 * deviation, middle + NORMAL_95 * deviation)
        )
        players.append(
            {
                "name": name,
                "level": level,
                "rating": whole(rating),
                "provisional": provisional,
                "games": played,
                "glicko": whole(middle),
                "low": whole(low),
                "high": whole(high),
            }
        )
    return players
