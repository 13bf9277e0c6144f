"""How the widget's board looks: pieces and marks as small pictures, each of its own shape, so that no colour is needed.

A square's button carries its words for screen readers, which are not drawn, and classes, from which this sheet makes
what is seen. Two pictures of marks lie on it, and behind them the piece.
"""

from urllib.parse import quote

from ludometrics.draughts.layout import SQUARES

_CROWN = "M-23 17 -29 -13 -11 1 0 -22 11 1 29 -13 23 17Z"
_BOARD, _LIGHT, _NUMBER, _MARK, _LAST = "#44695a", "#efe4cc", "#f3efe2", "#ffd84d", "#bfe3ff"
#: Face and its rim, rings, crown.
_COLOURS = {
    "b": ("#171615", "#d9cfc0", "#b5aa99", "#f1d58a"),
    "w": ("#fbf8f1", "#4c443b", "#8d8172", "#7a2f1c"),
}

#: Class of a piece by its sign.
PIECE_CLASSES = {"b": "ludo-b", "B": "ludo-bk", "w": "ludo-w", "W": "ludo-wk"}


def _picture(*shapes: str) -> str:
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-50 -50 100 100">{"".join(shapes)}</svg>'
    return f'url("data:image/svg+xml,{quote(svg)}")'


def _piece(sign: str) -> str:
    """White has two plain rings, Black a milled edge, a king a crown."""
    black = sign.lower() == "b"
    face, rim, ring, crown = _COLOURS[sign.lower()]
    edge = 'r="39" stroke-width="7" stroke-dasharray="3 5.2"' if black else 'r="36" stroke-width="3"'
    inner = f'<circle r="{20 if black else 24}" fill="none" stroke="{ring}" stroke-width="3"/>'
    return _picture(
        '<g transform="scale(.92)">',
        f'<circle r="42" fill="{face}" stroke="{rim}" stroke-width="3"/>',
        f'<circle fill="none" stroke="{ring}" {edge}/>',
        f'<path d="{_CROWN}" fill="{crown}"/>' if sign.isupper() else inner,
        "</g>",
    )


_SPOT = f'<circle r="17" fill="{_MARK}" stroke="#000" stroke-opacity=".4" stroke-width="4"/>'
_BAR = f'<rect x="-26" y="42" width="52" height="6" rx="2" fill="{_MARK}"/>'
_FRAME = (
    f'<path d="M-47-47H47V47H-47Z" fill="none" stroke="{_LAST}" stroke-width="4" stroke-dasharray="9 6"/>'
)
_RING = f'<circle r="13" fill="none" stroke="{_LAST}" stroke-width="4"/>'
_CROSS = f'<path d="M-20 -20 20 20M20 -20 -20 20" stroke="{_LAST}" stroke-width="7"/>'
#: Pictures of marks by their classes; a square has one of each row at most.
_MARKS = {
    "--ludo-hint": {"ludo-target": _SPOT, "ludo-movable": _BAR},
    "--ludo-last": {"ludo-last-from": _RING, "ludo-last-to": _FRAME, "ludo-taken": _CROSS},
}

_RULES = f"""
.ludo-board {{ background: {_LIGHT}; border: 3px solid #2a4339; box-sizing: border-box; }}
.ludo-board .ludo-light {{ min-width: 0; overflow: hidden; }}
.ludo-board.ludo-board button.ludo-square.ludo-square {{
  position: relative; aspect-ratio: 1; min-width: 0; border: 0; border-radius: 0; box-shadow: none; opacity: 1;
  overflow: hidden; font-size: 0; line-height: 0; forced-color-adjust: none; touch-action: manipulation;
  background-color: {_BOARD}; background-repeat: no-repeat; background-position: center; background-size: 100% 100%;
  background-image: var(--ludo-hint, none), var(--ludo-last, none), var(--ludo-piece, none); }}
.ludo-board button.ludo-square::before {{
  position: absolute; top: 1px; left: 3px; font-size: 10px; line-height: 1.1; color: {_NUMBER}; }}
.ludo-board.ludo-board button.ludo-square.ludo-selected.ludo-square {{ background-color: {_MARK}; }}
.ludo-board button.ludo-square.ludo-selected::before {{ color: #1c2421; text-decoration: underline; }}
.ludo-board.ludo-board button.ludo-square.ludo-square:focus-visible {{
  outline: 3px solid #fff; outline-offset: -3px; box-shadow: 0 0 0 3px #0a3fa0; z-index: 3; }}
.ludo-message {{ font-weight: 600; line-height: 1.4; }}
.ludo-alert {{ line-height: 1.4; border-left: 4px solid #c62828; padding-left: .5em; font-weight: 600; }}
.ludo-alert::before {{ content: "! "; }}
.ludo-quiet {{ font-size: .9em; line-height: 1.4; opacity: .85; }}
.ludo-heading {{ font-weight: 600; margin-top: .6em; }}
.ludo-plate {{ display: flex; justify-content: space-between; gap: .5em; line-height: 2; }}
.ludo-chip {{ border: 1px solid currentcolor; border-radius: .8em; padding: 0 .5em; font-size: .85em; }}
.ludo-moves {{ margin: 0; padding-left: 2.4em; line-height: 1.5; }}
.ludo-moves span {{ display: inline-block; min-width: 5.5em; }}
.ludo-pdn {{ white-space: pre-wrap; margin: 0; line-height: 1.4; user-select: text; }}
.ludo-table {{ border-collapse: collapse; line-height: 1.5; }}
.ludo-table th, .ludo-table td {{ padding: .1em .6em; text-align: right; }}
.ludo-table th:first-child {{ text-align: left; font-weight: inherit; overflow-wrap: anywhere; }}
.ludo-table thead th {{ border-bottom: 1px solid currentcolor; }}
"""


def sheet() -> str:
    """The style sheet, as an element of HTML.

    Examples
    --------
    >>> sheet().startswith("<style>"), "http" in sheet().replace("http%3A//www.w3.org/2000/svg", "")
    (True, False)
    """
    pieces = [f".{name} {{ --ludo-piece: {_piece(sign)}; }}" for sign, name in PIECE_CLASSES.items()]
    marks = [
        f".{name} {{ {layer}: {_picture(shape)}; }}"
        for layer, shapes in _MARKS.items()
        for name, shape in shapes.items()
    ]
    numbers = [
        f'.ludo-board button.ludo-n{square}::before {{ content: "{square}"; }}'
        for square in range(1, SQUARES + 1)
    ]
    return f"<style>{_RULES}{chr(10).join([*pieces, *marks, *numbers])}</style>"
