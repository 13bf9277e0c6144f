"""How much a game says of skill: its weight, from complexity and from a table of skill that the group edits."""

import math
import os
import re
import warnings
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ludometrics.boardgames.factors import weight_factor
from ludometrics.boardgames.naming import clean_text
from ludometrics.boardgames.records import Game, PlayLog
from ludometrics.boardgames.settings import EngineSettings
from ludometrics.boardgames.spreadsheet import encode_rows
from ludometrics.boardgames.text_table import near, read_text_table, refuse, whole_number
from ludometrics.boardgames.values import fold_name
from ludometrics.provenance import write_bytes

#: Largest number of a game at BoardGameGeek that is believed.
MOST_BGG_ID = 10**9

_NUMBER = re.compile(r"[0-9]{1,9}(\.[0-9]{0,20})?|\.[0-9]{1,20}")
_DECIMAL_COMMA = re.compile(r"([0-9]+),([0-9]+)")


class GameWeight(NamedTuple):
    """Weight of a game and what it is made of.

    Attributes
    ----------
    weight : float
        W of its plays.
    complexity : float
        Of BoardGameGeek, 1 to 5; NaN where not known.
    skill : float
        0 to 1; NaN where not known.
    source : {"complexity and skill", "complexity", "skill", "none"}
        What was known of it, or of its base game.
    """

    weight: float
    complexity: float
    skill: float
    source: str


def game_weights(
    games: Mapping[str, Game],
    settings: EngineSettings,
    *,
    complexity: Mapping[int, float] | None = None,
    skill: Mapping[str, float] | None = None,
    editions: Mapping[str, str] | None = None,
) -> dict[str, GameWeight]:
    """Weigh games, W = weight_base + weight_complexity (complexity - 1)/4 + weight_skill x skill.

    Parameters
    ----------
    games : mapping of str to Game
        By key.
    settings : EngineSettings
        The weights, and `use_weight` (W is 1 without).
    complexity : mapping of int to float, optional
        By number at BoardGameGeek, 1 to 5; 0 or NaN: not known. See `read_complexity` and
        `ludometrics.boardgames.bgg`.
    skill : mapping of str to float, optional
        As `read_skill` gives it.
    editions : mapping of str to str, optional
        From the key of a game to that of its base game, which stands in for what is not known of it; see
        `read_editions`.

    Returns
    -------
    dict of str to GameWeight
        Skill alone stands in for complexity as well; complexity alone goes with a skill of 0.5; W is 1 where neither
        is known.

    Raises
    ------
    ValueError
        A complexity outside 1 to 5 that is not 0, or a skill outside 0 to 1.

    Source
    ------
    0.5 + 0.35 complexity + 0.65 skill, so between 0.5 and 1.5: the author of the published engine, bgelo. The scaling
    of complexity and what stands in: own.

    Examples
    --------
    >>> games = {"a": Game("a", "Chess", bgg_id=171), "b": Game("b", "Our own")}
    >>> weights = game_weights(games, EngineSettings(), complexity={171: 3.0}, skill={"bgg:171": 1.0})
    >>> round(weights["a"].weight, 3), weights["b"].weight, weights["b"].source
    (1.325, 1.0, 'none')
    """
    complexity, skill, editions = complexity or {}, skill or {}, editions or {}
    found = {}
    for key, game in games.items():
        base = games.get(editions.get(key, ""))
        heavy = _known(game, base, lambda one: _complexity_of(one, complexity))
        skilful = _known(game, base, lambda one: _skill_of(one, skill))
        parts = [name for name, value in (("complexity", heavy), ("skill", skilful)) if not math.isnan(value)]
        weight = weight_factor(heavy, skilful, settings) if settings.use_weight else 1.0
        found[key] = GameWeight(weight, heavy, skilful, " and ".join(parts) or "none")
    return found


def read_complexity(path: str | os.PathLike[str]) -> dict[int, float]:
    """Read a CSV of complexities: columns bgg_id and complexity (1 to 5; 0 or empty: not known), and game for reading.

    Parameters
    ----------
    path : path

    Returns
    -------
    dict of int to float
        By number at BoardGameGeek.

    Raises
    ------
    ValueError
        Naming the file, the row and the value at fault: a column that is missing or unknown, no number, one out of
        range, a game that has two.
    """
    table: dict[int, float] = {}
    text = read_text_table(path, ("bgg_id", "complexity"), ("game",))
    for number, row in text.rows:
        bgg_id = whole_number(text.path, number, "bgg_id", row["bgg_id"], 1, MOST_BGG_ID)
        if not bgg_id:
            refuse(text.path, number, "bgg_id", row["bgg_id"], f"whole numbers from 1 to {MOST_BGG_ID}")
        value = _number(row["complexity"])
        if not (math.isnan(value) or value == 0.0 or 1.0 <= value <= 5.0):
            refuse(text.path, number, "complexity", row["complexity"], "numbers from 1 to 5, 0 or nothing")
        if value > 0.0:
            _add(table, bgg_id, value, f"{text.path}, row {number}: bgg_id {bgg_id}")
    return table


def read_skill(path: str | os.PathLike[str], log: PlayLog | None = None) -> dict[str, float]:
    """Read a CSV of skill: columns game (name or key) or bgg_id or both, and skill (0 to 1; empty: not known).

    Parameters
    ----------
    path : path
        As `write_skill_template` writes it; a row's number, where it has one, counts before its name.
    log : PlayLog, optional
        Rows that name no game of it are warned of.

    Returns
    -------
    dict of str to float
        By ``bgg:`` and the number, or by what stands under game, folded in case and spaces.

    Raises
    ------
    ValueError
        Naming the file, the row and the value at fault: a column that is missing or unknown, no number, one out of
        range, a game that has two, a row with neither game nor number.
    """
    table: dict[str, float] = {}
    text = read_text_table(path, ("skill",), ("game", "bgg_id", "plays"))
    _need_one(text.path, text.columns, ("game", "bgg_id"))
    for number, row in text.rows:
        bgg_id = whole_number(text.path, number, "bgg_id", row["bgg_id"], 0, MOST_BGG_ID)
        key = f"bgg:{bgg_id}" if bgg_id else fold_name(row["game"])
        if not key:
            refuse(text.path, number, "game", "", "the name or the key of a game, or its bgg_id")
        value = _number(row["skill"])
        if not (math.isnan(value) or 0.0 <= value <= 1.0):
            refuse(text.path, number, "skill", row["skill"], "numbers from 0 to 1, or nothing")
        if not math.isnan(value):
            _add(table, key, value, f"{text.path}, row {number}: {row['game'] or key}")
            if log is not None:
                _warn_unknown(log, key, row["game"] or key, f"{text.path}, row {number}")
    return table


def write_skill_template(log: PlayLog, path: str | os.PathLike[str]) -> Path:
    """Write a CSV for the group to fill in: bgg_id, game, plays, and an empty skill, the most played game first.

    Parameters
    ----------
    log : PlayLog
    path : path
        Must not exist: what a group has filled in is never written over.

    Returns
    -------
    Path

    Raises
    ------
    ValueError
        There is such a file.
    """
    path = Path(path)
    if path.exists():
        raise ValueError(f"{path}: is there already, and may have been filled in: choose another name")
    plays = Counter(play.game for play in log.plays)
    played = [game for game in log.games.values() if plays[game.key]]
    played.sort(key=lambda game: (-plays[game.key], fold_name(game.name), game.key))
    rows = [(max(game.bgg_id, 0), clean_text(game.name) or game.key, plays[game.key], "") for game in played]
    return write_bytes(path, encode_rows(("bgg_id", "game", "plays", "skill"), rows))


def read_editions(path: str | os.PathLike[str], log: PlayLog) -> dict[str, str]:
    """Read a CSV of editions and expansions: columns game or bgg_id, and base or base_bgg_id.

    Parameters
    ----------
    path : path
    log : PlayLog
        Games are its; a row whose game or base is none of them is warned of and passed over.

    Returns
    -------
    dict of str to str
        From the key of a game to that of its base game; of a chain of editions, all lead to its end.

    Raises
    ------
    ValueError
        Naming the file, the row and the value at fault: a column that is missing or unknown, a name that several games
        share, a game with two bases, games that are each other's base.
    """
    text = read_text_table(path, (), ("game", "bgg_id", "base", "base_bgg_id"))
    _need_one(text.path, text.columns, ("game", "bgg_id"))
    _need_one(text.path, text.columns, ("base", "base_bgg_id"))
    bases: dict[str, str] = {}
    for number, row in text.rows:
        game = _find_game(log, row, "game", "bgg_id", text.path, number)
        base = _find_game(log, row, "base", "base_bgg_id", text.path, number)
        if game and base and game != base:
            _add(bases, game, base, f"{text.path}, row {number}: {log.games[game].name}")
    return {game: _last_base(game, bases, log, text.path) for game in bases}


def _last_base(game: str, bases: Mapping[str, str], log: PlayLog, path: str) -> str:
    chain = [game]
    while chain[-1] in bases:
        chain.append(bases[chain[-1]])
        if chain[-1] in chain[:-1]:
            names = " and ".join(dict.fromkeys(log.games[key].name for key in chain))
            raise ValueError(f"{path}: {names} are each other's base: one of them must have none")
    return chain[-1]


def _find_game(log: PlayLog, row: Mapping[str, str], name: str, numbered: str, path: str, number: int) -> str:
    """Key of the game in these columns of a row; "" with a warning where the log has none such."""
    bgg_id = whole_number(path, number, numbered, row[numbered], 0, MOST_BGG_ID)
    if not bgg_id and not row[name]:
        refuse(path, number, name, "", f"the name or the key of a game, or its {numbered}")
    if bgg_id:
        key, shown = f"bgg:{bgg_id}", f"{numbered} {bgg_id}"
    else:
        key, shown = fold_name(row[name]), repr(row[name])
    # A key stands for one game, whatever else is called so.
    found = [game.key for game in log.games.values() if fold_name(game.key) == key]
    found = found or [game.key for game in log.games.values() if key in _skill_keys(game)]
    if len(found) > 1:
        raise ValueError(
            f"{path}, row {number}: {shown} stands for {len(found)} games: give the key of one of them: "
            + ", ".join(found)
        )
    if not found:
        _warn_unknown(log, key, shown, f"{path}, row {number}")
    return found[0] if found else ""


def _known(game: Game, base: Game | None, look_up: Callable[[Game], float]) -> float:
    value = look_up(game)
    return look_up(base) if math.isnan(value) and base is not None else value


def _complexity_of(game: Game, complexity: Mapping[int, float]) -> float:
    value = float(complexity.get(game.bgg_id, math.nan)) if game.bgg_id > 0 else math.nan
    if math.isnan(value) or value == 0.0:
        return math.nan
    if not 1.0 <= value <= 5.0:
        raise ValueError(f"complexity of {game.name!r} is {value:g}: it must be in 1 to 5, or 0")
    return value


def _skill_of(game: Game, skill: Mapping[str, float]) -> float:
    value = next((float(skill[key]) for key in _skill_keys(game) if key in skill), math.nan)
    if not (math.isnan(value) or 0.0 <= value <= 1.0):
        raise ValueError(f"skill of {game.name!r} is {value:g}: it must be in 0 to 1")
    return value


def _skill_keys(game: Game) -> list[str]:
    """What a row may call a game by, the surest first."""
    numbered = [f"bgg:{game.bgg_id}"] if game.bgg_id > 0 else []
    shown = fold_name(clean_text(game.name))  # as the template has it
    return [*numbered, fold_name(game.key), fold_name(game.name), *([shown] if shown else [])]


def _number(text: str) -> float:
    """Number of a cell, at least 0, with a decimal point or comma; NaN where it is empty, -1 where it is none."""
    if not text:
        return math.nan
    pointed = _DECIMAL_COMMA.sub(r"\1.\2", text)
    return float(pointed) if _NUMBER.fullmatch(pointed) else -1.0


def _need_one(path: str, columns: Sequence[str], either: Sequence[str]) -> None:
    if not set(either) & set(columns):
        raise ValueError(f"{path}: has neither column {either[0]!r} nor {either[1]!r}: one is needed")


def _add(table: dict, key: Hashable, value: object, where: str) -> None:
    if table.setdefault(key, value) != value:
        raise ValueError(f"{where} has {table[key]!r} already, and {value!r} here: keep one")


def _warn_unknown(log: PlayLog, key: str, shown: str, where: str) -> None:
    if not any(key in _skill_keys(game) for game in log.games.values()):
        hint = near(key, [game.name for game in log.games.values()])
        warnings.warn(f"{where}: {shown} is no game of the log{hint}", stacklevel=3)
