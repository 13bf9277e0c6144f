"""A person's seat at a club: presses of squares and buttons in, what is to be shown out.

The moves, the rules, the computer and the saving are the club's; here is only what one person has chosen, has been told
and has been asked. Knows nothing of how it is drawn.
"""

import logging
import os
import secrets
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ludometrics.draughts import START, Move, apply_move, parse_fen
from ludometrics.draughts.pdn import short_text
from ludometrics.draughts.position import other_side
from ludometrics.gamelog.store import today
from ludometrics.web import wording
from ludometrics.web.clicks import Choice
from ludometrics.web.club import Club
from ludometrics.web.live import LiveGame
from ludometrics.web.orders import Order
from ludometrics.web.problems import BadValueError, ForbiddenError, FullError, GoneError, OutOfStepError
from ludometrics.web.settings import Settings
from ludometrics.web.squares import Face, faces
from ludometrics.web.unfinished import MARK, Unfinished, find_unfinished
from ludometrics.web.views import board_signs

#: Value of the choice of opponent that stands for another person.
TWO = "two"

_START = board_signs(START)
_log = logging.getLogger(__name__)


class Question(NamedTuple):
    """What a person is asked before something that cannot be undone: words, what yes is called, what it does."""

    text: str
    yes: str
    act: Callable[[], None]


class Seat:
    """A person's seat at the club of a folder.

    The folder is left alone until there is one or a game is started. Whatever goes wrong is told in `trouble`.

    Parameters
    ----------
    folder : path
    settings : Settings
    rng : numpy.random.Generator
        Of the computer's moves.
    show : callable
        Called when there is something new to be seen.
    now : callable
        Clock that gives a datetime with a time zone.
    tokens : callable
        Gives so many random bytes in hexadecimal digits.

    Attributes
    ----------
    view : mapping or None
        The game, as of `ludometrics.web.views.view`; None without one.
    flipped : bool
        Whether Black's side is at the bottom.
    trouble : str
        What went wrong last; empty if nothing did.
    again : callable or None
        Tries again what went wrong, where that may help.
    question : Question or None
        Asked, and not answered yet.
    unfinished : tuple of Unfinished
        Games to go on with, the last one first.
    scores, ratings : mapping
        As of `ludometrics.web.tables.Tables`.
    warnings : list of str
        Notes about the saved games.
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        settings: Settings,
        *,
        rng: np.random.Generator,
        show: Callable[[], None],
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        tokens: Callable[[int], str] = secrets.token_hex,
    ) -> None:
        self.folder, self.settings, self._show = Path(folder), settings, show
        self._open = lambda: Club(folder, settings, rng=rng, now=now, tokens=tokens)
        self._club: Club | None = None
        self._tokens = tokens
        self._asked: tuple[tuple[str, ...], str] | None = None
        self._keys = ("", "")
        self._remark = ""
        self._stale = True
        self.view: Mapping[str, Any] | None = None
        self.choice = Choice([], _START, "b")
        self.flipped = True
        self.trouble, self.again, self.question = "", None, None
        self.unfinished: tuple[Unfinished, ...] = ()
        self.scores: Mapping[str, Any] = {
            "day": today(settings.time_zone, now=now()).isoformat(),
            "table": [],
        }
        self.ratings: Mapping[str, Any] = {"players": []}
        self.warnings: list[str] = []

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.view is not None and self.view["result"] is not None

    @property
    def message(self) -> str:
        """What the status line says."""
        return self._remark or (wording.WELCOME if self.view is None else wording.turn_text(self.view))

    @property
    def note(self) -> str:
        """What is said below it: the level, and whether the game counts."""
        if self.view is None:
            return ""
        return " ".join(filter(None, (wording.match_text(self.view), wording.rated_text(self.view))))

    def faces(self) -> list[Face]:
        """How the squares 1 to 32 look."""
        choice, moves = self.choice, self.view["moves"] if self.view else []
        last = choice.path if choice.jumping else moves[-1]["path"] if moves else ()
        return faces(
            choice.shown,
            selected=choice.path[-1] if choice.path else None,
            movable=choice.movable,
            targets=choice.targets,
            taken=choice.taken,
            last=last,
        )

    def take_up(self) -> None:
        """Show the tables, and go on with the last game that is not over."""
        if not self.folder.exists():
            self._stale = False
            self._show()
            return

        def act() -> None:
            self._find_unfinished()
            if self.unfinished:
                self._enter(self.club.resume(*self.unfinished[0][:2]))

        self._attempt(act)

    @property
    def club(self) -> Club:
        """The folder's club, opened when first asked for."""
        if self._club is None:
            self._club = self._open()
        return self._club

    def start(self, name: str, opponent: str, *, colour: str = "b", name2: str = "") -> None:
        """Start a game.

        Parameters
        ----------
        name : str
            Of the person, or of Black.
        opponent : str
            A level's key, "match", or "two" for another person.
        colour : {"b", "w"}
            Of the person, against the computer.
        name2 : str
            Of White, for two.
        """
        if self.view is not None and not self.over:
            return  # pressed twice
        wanted = (name, opponent, colour, name2)
        two = opponent == TWO

        def act() -> None:
            if missing := wording.missing_text(name, name2 if two else None):
                raise BadValueError(missing)
            if self._asked is None or self._asked[0] != wanted:
                self._asked = (wanted, MARK + self._tokens(16))
            request = self._asked[1]
            if two:
                order = Order("two", name, request, name2=name2)
            else:
                order = Order("computer", name, request, colour=colour, level=opponent)
            order.names()  # a name that will not do makes no folder
            self._say("Starting …")
            self._enter(self.club.start(order).game)
            self._asked = None

        self._attempt(act)

    def rematch(self) -> None:
        """Start the same game with the colours swapped."""
        if self.view is None or not self.over:
            return
        view, names = self.view, self.view["names"]
        if view["mode"] == "two":
            self.start(names["w"], TWO, name2=names["b"])
        else:
            level = "match" if view["match"] else view["level"]
            self.start(names[view["human"]], level, colour=other_side(view["human"]))

    def press(self, square: int) -> None:
        """Press a square 1 to 32."""
        if self.view is None or self.over:
            return
        done = self.choice.press(square)
        if done.move is not None:
            self._attempt(lambda: self._play(done.move))
            return
        self.trouble, self.again, self.question = "", None, None
        self._say(
            wording.REFUSALS[done.why] if done.why else "Keep jumping." if done.kind == "jumping" else ""
        )

    def undo(self) -> None:
        """Take back the last move, once the person knows that the game then does not count."""
        if self.view is None or not self.view["can_undo"]:
            return

        def act() -> None:
            self._adopt(self.club.undo(*self._keys, self.view["ply"]))

        if self.view["rated"]:
            self._ask(wording.UNDO, "Take back", act)
        else:
            self._attempt(act)

    def resign(self) -> None:
        """Give the game up, after a question."""
        if self.view is not None and not self.over:
            words = f"Resign? {wording.resign_text(self.view)}"
            self._ask(words, "Resign", lambda: self._adopt(self.club.resign(*self._keys)))

    def answer(self, yes: bool) -> None:
        """Answer the question."""
        question, self.question = self.question, None
        if question is not None and yes:
            self._attempt(question.act)
        else:
            self._show()

    def leave(self) -> None:
        """Leave the game: one that is not over can be gone on with later."""
        minutes = self.settings.abandon_after_minutes
        later = f"You can go on with that game within {minutes} minutes; after that it is abandoned and not rated."
        words = later if self.view is not None and not self.over else ""
        self._attempt(lambda: self._drop(words))

    def resume(self, game_id: str) -> None:
        """Go on with one of the unfinished games."""
        found = next((game for game in self.unfinished if game.id == game_id), None)
        if found is not None:
            self._attempt(lambda: self._enter(self.club.resume(found.id, found.key)))

    def turn(self) -> None:
        """Turn the board round."""
        self.flipped = not self.flipped
        self._show()

    def _play(self, move: Move) -> None:
        """Show the person's move at once, then have the club make it and answer."""
        before = self.view
        position = parse_fen(before["fen"])
        after = apply_move(position, move)
        board = board_signs(after)
        played = {"text": short_text(move, position), "path": list(move.path), "by": before["turn"]}
        moves = [*before["moves"], played]
        self.view = {
            **before,
            "board": board,
            "turn": after.turn,
            "legal": [],
            "moves": moves,
            "can_undo": False,
        }
        self.choice = Choice([], board, after.turn)
        self._say("")
        self._adopt(self.club.move(*self._keys, before["ply"], move.path))

    def _ask(self, text: str, yes: str, act: Callable[[], None]) -> None:
        self.trouble, self.again, self.question = "", None, Question(text, yes, act)
        self._say("")

    def _say(self, remark: str) -> None:
        self._remark = remark
        self._show()

    def _enter(self, game: LiveGame) -> None:
        """Sit down at a game, one's own side near."""
        self.flipped = game.human != "w"
        self._adopt(game)

    def _adopt(self, game: LiveGame, remark: str = "") -> None:
        self.view, self._keys, self._remark = self.club.view(game), (game.id, game.key), remark
        self.choice = Choice(self.view["legal"], self.view["board"], self.view["turn"])
        if self.over:
            self._stale = True
            if not self.view["result"]["saved"]:
                self._tell(wording.UNSAVED, lambda: self._adopt(self.club.resume(game.id, game.key)))

    def _drop(self, remark: str) -> None:
        """Sit at no game."""
        self.view, self._keys, self.flipped, self._remark = None, ("", ""), True, remark
        self.choice, self._stale = Choice([], _START, "b"), True

    def _attempt(self, act: Callable[[], None]) -> None:
        """Do something that may go wrong, and show what came of it: nothing is lost in silence."""
        before = (self.view, self.choice)
        self.trouble, self.again, self.question, self._remark = "", None, None, ""
        try:
            act()
        except OutOfStepError as error:
            self._adopt(error.game, "" if error.game.ending else wording.ELSEWHERE)
        except GoneError:
            self._drop(wording.GONE)
        except (BadValueError, ForbiddenError, FullError) as error:
            self._go_back(before, str(error))
        except TimeoutError:
            self._go_back(before, wording.BUSY, act)
        except Exception as error:
            _log.exception("what was asked for in the widget failed")
            self._go_back(before, f"That did not work ({type(error).__name__}): {error}", act)
        except BaseException:  # the kernel was interrupted
            self._go_back(before, "That was interrupted. Nothing is lost.", act)
            raise
        finally:
            self._bring_up_to_date()
            self._show()

    def _go_back(
        self,
        before: tuple[Mapping[str, Any] | None, Choice],
        trouble: str,
        act: Callable[[], None] | None = None,
    ) -> None:
        self.view, self.choice = before
        self.choice.path = ()
        self._remark = ""
        self._tell(trouble, act)

    def _tell(self, trouble: str, act: Callable[[], None] | None) -> None:
        self.trouble = trouble
        self.again = None if act is None else lambda: self._attempt(act)

    def _find_unfinished(self) -> None:
        """Look for games to go on with, once those left too long are saved as abandoned."""
        self.club.tidy(MARK)  # those of a server go by its own settings
        self.unfinished = find_unfinished(self.folder, timeout_s=self.settings.timeout_s)

    def _bring_up_to_date(self) -> None:
        """Fetch the tables if a game was ended or left; trouble with them does not hide what else is told."""
        if not self._stale or self._club is None:
            return
        try:
            self._find_unfinished()
            tables = self._club.tables
            self.scores, self.ratings = tables.scores(), tables.ratings()
            notes = (*self.scores["warnings"], *self.ratings["warnings"], *self.club.warnings())
            self.warnings = list(dict.fromkeys(notes))
            self._stale = False
        except Exception as error:
            if not isinstance(error, TimeoutError):
                _log.exception("the tables could not be brought up to date")
            words = "the folder of games is busy" if isinstance(error, TimeoutError) else str(error)
            self.warnings = [
                f"The tables could not be brought up to date, and will be after the next move: {words}"
            ]
