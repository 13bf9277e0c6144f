"""GNU Backgammon's files of the tests, and comparisons of what was read from them."""

from pathlib import Path

import numpy as np

from ludometrics.backgammon.assessment import assess
from ludometrics.backgammon.records import DOUBLE, PASS, TAKE, Kind
from ludometrics.backgammon.settings import DEFAULTS

FOLDER = Path(__file__).parents[1] / "data" / "backgammon"
MATCH = [FOLDER / f"gnubg_match{part}.txt" for part in ("", "_002", "_003")]
SESSION = [FOLDER / f"gnubg_session{part}.txt" for part in ("", "_002")]

# How far our totals of a game may be from the program's own.
EQUITY_TOLERANCE, CHANCE_TOLERANCE, CLOSE_CUBES_TOLERANCE = 0.006, 0.001, 1
# Errors of single decisions are rounded to 0.001 before they are summed: half of that each, at the game's slope.
ROUNDING = 0.0005


def own_totals(library, game, seat):
    """Our own of what `gnubg_totals.PlayerTotals` holds; ``exact_`` sums are of costs before they are rounded."""
    decisions = library.decisions
    judged = assess(library, DEFAULTS.changed(rule="gnubg"))
    mine = (decisions.game == game) & (decisions.seat == seat)
    checker, cube = mine & (decisions.kind == Kind.CHECKER), mine & (decisions.kind != Kind.CHECKER)
    double, response = mine & (decisions.kind == Kind.DOUBLE), mine & (decisions.kind == Kind.RESPONSE)
    exact = np.where(decisions.kind == Kind.CHECKER, judged.choices.cost, _cube_cost(decisions))
    scored = mine & ~np.isnan(judged.error) & (judged.error > 0)
    return {
        "moves": checker.sum(),
        "unforced": (checker & (decisions.legal_plays > 1)).sum(),
        "cube_decisions": cube.sum(),
        "doubles": (double & (decisions.played == DOUBLE)).sum(),
        "takes": (response & (decisions.played == TAKE)).sum(),
        "passes": (response & (decisions.played == PASS)).sum(),
        "close_cubes": (cube & judged.counted).sum(),
        "checker_error": np.nansum(judged.error[checker]),
        "cube_error": np.nansum(judged.error[cube]),
        "error": np.nansum(judged.error[mine]),
        "loss": np.nansum(judged.loss[mine]),
        "exact_error": np.nansum(exact[mine]),
        "exact_loss": np.nansum((exact * judged.slope)[mine]),
        "luck": np.nansum(decisions.luck[mine]),
        "rounding": ROUNDING * np.nansum(judged.slope[scored]),
    }


def _cube_cost(decisions):
    no_double, take, drop = decisions.equities.T
    doubled = np.minimum(take, drop)
    best = np.maximum(no_double, doubled)
    offer = np.where(decisions.played == DOUBLE, best - doubled, best - no_double)
    answer = np.where(decisions.played == TAKE, take - doubled, drop - doubled)
    return np.where(decisions.kind == Kind.DOUBLE, offer, answer)


def differences(library, totals):
    """What of ``totals`` (`gnubg_totals.Totals`, the match's own left out) our totals do not meet, in words."""
    found = []
    for game in totals:
        if game.game == 0:
            continue
        for seat, theirs in enumerate(game.players):
            ours = own_totals(library, game.game, seat)
            limits = {
                "moves": 0, "unforced": 0, "cube_decisions": 0, "doubles": 0, "takes": 0, "passes": 0,
                "close_cubes": CLOSE_CUBES_TOLERANCE, "checker_error": EQUITY_TOLERANCE,
                "cube_error": EQUITY_TOLERANCE, "error": EQUITY_TOLERANCE, "exact_error": EQUITY_TOLERANCE,
                "exact_loss": CHANCE_TOLERANCE, "loss": max(CHANCE_TOLERANCE, ours["rounding"]), "luck": 0.02,
            }  # fmt: skip
            for name, limit in limits.items():
                value = getattr(theirs, name.removeprefix("exact_"))
                known = value == value and value >= (0 if isinstance(value, int) else -np.inf)
                if known and abs(ours[name] - value) > limit + 1e-9:
                    found.append(f"game {game.game} seat {seat} {name}: {ours[name]} and {value}")
    return found


SAME_COLUMNS = (
    "game", "move", "seat", "kind", "away", "crawford", "post_crawford", "cube", "cube_owner", "board", "dice",
    "legal_plays",
)  # fmt: skip


def row_differences(first, second, *, equity=0.00051, luck=0.00051):
    """Columns in which two readings of one match differ; options of the first must stand among the second's."""
    found = []
    a, b = first.decisions, second.decisions
    for name in ("length", "players", "start_score", "final_score", "key"):
        if getattr(first.matches[0], name) != getattr(second.matches[0], name):
            found.append(name)
    if len(a) != len(b):
        return [*found, f"{len(a)} and {len(b)} rows"]
    found += [name for name in SAME_COLUMNS if not np.array_equal(getattr(a, name), getattr(b, name))]
    for name, limit in (("equities", equity), ("luck", luck)):
        if not np.allclose(getattr(a, name), getattr(b, name), rtol=0, atol=limit, equal_nan=True):
            found.append(name)
    for row in range(len(a)):
        mine, theirs = _options(a, row), _options(b, row)
        for board, (value, depth) in mine.items():
            if board not in theirs or depth != theirs[board][1] or abs(value - theirs[board][0]) > equity:
                found.append(f"option of row {row}")
        if _played(a, row) != _played(b, row):
            found.append(f"played in row {row}")
    return found


def _options(decisions, row):
    rows = decisions.options_of(row)
    options = decisions.options
    return {
        tuple(board): (equity, depth)
        for board, equity, depth in zip(
            options.board[rows].tolist(), options.equity[rows], options.depth[rows], strict=True
        )
    }


def _played(decisions, row):
    played = int(decisions.played[row])
    if decisions.kind[row] != Kind.CHECKER or played < 0:
        return played
    return tuple(decisions.options.board[decisions.options_of(row)][played].tolist())
