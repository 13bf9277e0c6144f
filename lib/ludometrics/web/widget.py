"""The club in a notebook: a board to click on, in JupyterLab and on Colab (ipywidgets 7.7 and 8)."""

import os
import secrets
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import ipywidgets
import numpy as np
from ipywidgets import HTML, Button, Dropdown, GridBox, HBox, Layout, RadioButtons, Text, VBox

from ludometrics.draughts import LEVELS
from ludometrics.draughts.layout import SQUARES, square_at
from ludometrics.gamelog.names import LEVEL_NAMES
from ludometrics.web import markup
from ludometrics.web.opponents import OPPONENTS
from ludometrics.web.seat import TWO, Seat
from ludometrics.web.settings import Settings
from ludometrics.web.style import sheet
from ludometrics.web.wording import HINTS

#: What may be chosen as opponent: levels by their keys, "match" for the one that suits, "two" for another person.
OPPONENT_KEYS = ("match", *OPPONENTS, TWO)
_RATED = tuple(LEVELS["nine"])
_SIDE = 8


class DraughtsWidget(VBox):
    """A game of draughts in a notebook, saved in a folder of games like those of the page.

    Nothing is written before somebody presses Start. A game that was not over when the kernel stopped is gone on with.

    Parameters
    ----------
    folder : path
        Of the games; made, for its owner alone, with the first game.
    name : str
        Put into the field for the player's name.
    level : str
        Opponent offered first: "match", a level's key ("easy", "medium", "hard", "l1" to "l9"), or "two".
    colour : {"b", "w"}
        Of the player, offered first.
    settings : Settings, optional
    rng : numpy.random.Generator
        Of the computer's moves.
    now : callable, optional
        Clock that gives a datetime with a time zone.
    tokens : callable, optional
        Gives so many random bytes in hexadecimal digits.

    Attributes
    ----------
    seat : Seat
        What is shown, and what can be done.
    squares : dict of int to Button
        Buttons of the squares 1 to 32.

    Raises
    ------
    ValueError
        No such level or colour.

    Source
    ------
    Own.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     widget = DraughtsWidget(folder, "Ann", "easy", rng=np.random.default_rng(1))
    ...     for button in (widget.start, widget.squares[11], widget.squares[15]):
    ...         button.click()
    ...     [move["by"] for move in widget.seat.view["moves"]]
    ['b', 'w']
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        name: str = "",
        level: str = "match",
        colour: str = "b",
        settings: Settings | None = None,
        *,
        rng: np.random.Generator,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        tokens: Callable[[int], str] = secrets.token_hex,
    ) -> None:
        _check("level", level, OPPONENT_KEYS)
        _check("colour", colour, ("b", "w"))
        self.squares = _square_buttons()
        self._cells = _board_cells(self.squares)
        self.setup = self._new_setup(name, level, colour)
        self.game = self._new_game()
        self.status, self.asked, self.tables = HTML(), self._new_question(), HTML()
        self._drawn: dict[str, Any] = {}
        super().__init__([HTML(sheet()), self.setup, self.status, self.asked, self.game, self.tables])
        self.seat = Seat(folder, settings or Settings(), rng=rng, show=self._draw, now=now, tokens=tokens)
        self._connect()
        self._adapt()
        self.seat.take_up()

    def __repr__(self) -> str:
        return f"DraughtsWidget({str(self.seat.folder)!r})"

    def _new_setup(self, name: str, level: str, colour: str) -> VBox:
        style, wide = {"description_width": "initial"}, Layout(margin="2px 24px 2px 2px")
        self.name = Text(name, style=style, layout=wide)
        self.name2 = Text(description="White's name", style=style)
        self.opponent = Dropdown(
            options=_opponents(), value=level, description="Opponent", style=style, layout=wide
        )
        sides = [("Black, moves first", "b"), ("White", "w")]
        self.colour = RadioButtons(options=sides, value=colour, description="Your pieces", style=style)
        self.hint = HTML()
        self.start = Button(description="Start", button_style="primary")
        self.unfinished = Dropdown(description="Games not over", style=style)
        self.go_on = Button(description="Go on")
        self.unfinished_row = HBox([self.unfinished, self.go_on], layout=Layout(flex_flow="row wrap"))
        return VBox(
            [
                HTML(markup.heading_html("New game")),
                HBox([self.name, self.name2], layout=Layout(flex_flow="row wrap")),
                HTML(markup.quiet_html(HINTS["name"])),
                HBox([self.opponent, self.colour], layout=Layout(flex_flow="row wrap")),
                self.hint,
                self.start,
                self.unfinished_row,
            ]
        )

    def _new_game(self) -> HBox:
        self.far, self.near, self.moves, self.pdn = HTML(), HTML(), HTML(), HTML()
        size = Layout(
            grid_template_columns=f"repeat({_SIDE}, minmax(0, 1fr))",
            width="100%",
            overflow="hidden",
            grid_gap="0px",
        )
        self.board = GridBox([], layout=size)
        self.board.add_class("ludo-board")
        self.take_back = Button(description="Take back")
        self.resign = Button(description="Resign")
        self.later = Button(description="Leave for later")
        self.rematch = Button(description="Rematch, colours swapped", button_style="primary")
        self.new = Button(description="New game")
        self.turn = Button(description="Turn board")
        buttons = [self.take_back, self.resign, self.later, self.rematch, self.new, self.turn]
        for button in buttons:
            button.layout.width = "auto"
        row = HBox(buttons, layout=Layout(flex_flow="row wrap"))
        left = VBox(
            [self.far, self.board, self.near, row], layout=Layout(flex="1 1 320px", max_width="480px")
        )
        scroll = VBox([self.moves], layout=Layout(max_height="320px", overflow="auto"))
        record = ipywidgets.Accordion([self.pdn], selected_index=None)
        record.set_title(0, "The game as PDN")
        self.record = VBox(
            [HTML(markup.heading_html("Moves")), scroll, record],
            layout=Layout(flex="1 1 200px", max_width="480px", margin="0 0 0 12px"),
        )
        return HBox([left, self.record], layout=Layout(flex_flow="row wrap"))

    def _new_question(self) -> HBox:
        self.question = HTML()
        self.yes = Button(button_style="warning", layout=Layout(width="auto"))
        self.no = Button(description="Play on", layout=Layout(width="auto"))
        self.again = Button(description="Try again", layout=Layout(width="auto"))
        return HBox([self.question, self.yes, self.no, self.again], layout=Layout(flex_flow="row wrap"))

    def _connect(self) -> None:
        """Give every button its work."""
        seat = self.seat
        work = {
            self.start: lambda: seat.start(
                self.name.value, self.opponent.value, colour=self.colour.value, name2=self.name2.value
            ),
            self.go_on: lambda: seat.resume(self.unfinished.value or ""),
            self.take_back: seat.undo,
            self.resign: seat.resign,
            self.later: seat.leave,
            self.rematch: seat.rematch,
            self.new: seat.leave,
            self.turn: seat.turn,
            self.yes: lambda: seat.answer(True),
            self.no: lambda: seat.answer(False),
            self.again: lambda: seat.again and seat.again(),
        }
        work |= {button: (lambda at=square: seat.press(at)) for square, button in self.squares.items()}
        for button, act in work.items():
            button.on_click(lambda _, act=act: act())
        self.opponent.observe(lambda _: self._adapt(), names="value")

    def _adapt(self) -> None:
        """Ask only for what the chosen opponent leaves open."""
        chosen = self.opponent.value
        two = chosen == TWO
        self.name.description = "Black's name (moves first)" if two else "Your name"
        _show(self.name2, two)
        _show(self.colour, not two)
        hint = HINTS.get(chosen, HINTS["rated"] if chosen in _RATED else "")
        self.hint.value = markup.quiet_html(hint)

    def _draw(self) -> None:
        """Show what the seat has to show; only what has changed is sent to the browser."""
        seat = self.seat
        self._draw_board()
        self._draw_record()
        self._draw_buttons()
        self.status.value = markup.status_html(seat.message, seat.note, seat.trouble)
        shown = markup.tables_html(seat.scores, seat.ratings, seat.warnings, LEVEL_NAMES.values())
        self.tables.value = shown

    def _draw_board(self) -> None:
        seat = self.seat
        if self._drawn.get("flipped") is not seat.flipped:
            self.board.children = self._cells[::-1] if seat.flipped else self._cells
            self._drawn["flipped"] = seat.flipped
        closed = seat.view is None or seat.over
        faces = seat.faces()
        for square, button in self.squares.items():
            face, before = faces[square - 1], self._drawn.get(square, ())
            with button.hold_sync():
                for name in before:
                    if name not in face.classes:
                        button.remove_class(name)
                for name in face.classes:
                    button.add_class(name)
                button.description = face.words
                button.disabled = closed
            self._drawn[square] = face.classes

    def _draw_record(self) -> None:
        view, flipped = self.seat.view, self.seat.flipped
        _show(self.record, view is not None)
        plates = ("w", "b") if flipped else ("b", "w")
        self.far.value, self.near.value = (markup.plate_html(view, side) if view else "" for side in plates)
        self.moves.value = markup.moves_html(view) if view else ""
        self.pdn.value = markup.pdn_html(view) if view else ""

    def _draw_buttons(self) -> None:
        seat, view = self.seat, self.seat.view
        live = view is not None and not seat.over
        _show(self.setup, view is None)
        options = [(game.text, game.id) for game in seat.unfinished]
        if self._drawn.get("unfinished") != options:
            self.unfinished.options = options
            self._drawn["unfinished"] = options
        _show(self.unfinished_row, bool(options))
        _show(self.take_back, live and view["mode"] == "computer")
        self.take_back.disabled = not (live and view["can_undo"])
        for button in (self.resign, self.later):
            _show(button, live)
        for button in (self.rematch, self.new):
            _show(button, seat.over)
        asked = seat.question
        for button in (self.yes, self.no):
            _show(button, asked is not None)
        self.question.value = markup.quiet_html(asked.text) if asked else ""
        self.yes.description = asked.yes if asked else ""
        _show(self.again, seat.again is not None)


def _check(name: str, value: object, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise ValueError(f"{name} is {value!r}: allowed are {', '.join(map(repr, allowed))}")


def _opponents() -> list[tuple[str, str]]:
    """Names and keys of all opponents."""
    levels = [(f"{one.name} (rated {round(one.rating)})", one.key) for one in OPPONENTS.values()]
    return [("Match me", "match"), *levels, ("Another person here", TWO)]


def _show(control: ipywidgets.DOMWidget, visible: bool) -> None:
    control.layout.display = None if visible else "none"


def _square_buttons() -> dict[int, Button]:
    buttons = {}
    for square in range(1, SQUARES + 1):
        button = Button(layout=Layout(width="auto", height="auto", margin="0", padding="0"))
        button.add_class("ludo-square")
        button.add_class(f"ludo-n{square}")
        buttons[square] = button
    return buttons


def _board_cells(buttons: dict[int, Button]) -> tuple[ipywidgets.DOMWidget, ...]:
    """The board's squares in the order in which they are read, light ones too."""
    places = [square_at(row, column) for row in range(_SIDE) for column in range(_SIDE)]
    return tuple(buttons[square] if square else _light() for square in places)


def _light() -> ipywidgets.Box:
    box = ipywidgets.Box(layout=Layout(margin="0"))
    box.add_class("ludo-light")
    return box
