"""Draughts from the command line: ``python -m ludometrics.draughts --help``."""

import json
import sys
from pathlib import Path

import click
import numpy as np

from ludometrics.draughts import (
    LEVELS,
    OFFLINE_RATINGS,
    START,
    GameRecord,
    Level,
    Position,
    Rules,
    divide,
    draw_svg,
    format_fen,
    format_pdn,
    legal_moves,
    parse_fen,
    parse_level,
    perft,
    play_game,
)

MAX_PERFT = 15
_KEYS = ("black", "white", "seed", "rules", "fen")
_RULES = ("repetitions", "quiet_moves", "ply_cap")


class _Fen(click.ParamType):
    name = "fen"

    def convert(self, value: str | Position, param: object, ctx: object) -> Position:
        if isinstance(value, Position):
            return value
        try:
            return parse_fen(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)


class _Level(click.ParamType):
    name = "level"

    def convert(self, value: str | Level, param: object, ctx: object) -> Level:
        if isinstance(value, Level):
            return value
        try:
            return parse_level(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)


@click.group()
def main() -> None:
    """English draughts: count moves, play one game between two levels, show a position.

    A position is written as FEN, such as B:W18,24,K10:B12,K22: the side to move, then each colour with its squares
    1-32 and K before a king.
    """


@main.command("perft")
@click.argument("depth", type=click.IntRange(1, MAX_PERFT))
@click.option(
    "--fen", type=_Fen(), default=START, show_default="starting position", help="Position to begin from."
)
@click.option("--divide", "split", is_flag=True, help="Also give the count below each first move.")
def perft_command(depth: int, fen: Position, split: bool) -> None:
    """Count the move sequences of DEPTH plies; each jump route counts."""
    if split:
        for move, count in divide(fen, depth):
            click.echo(f"{move} {count}")
    click.echo(perft(fen, depth))


@main.command("show")
@click.argument("fen", type=_Fen())
@click.option("--svg", type=click.Path(dir_okay=False), help="Also draw the position into this SVG file.")
def show_command(fen: Position, svg: str | None) -> None:
    """Print the position FEN as a board, with its legal moves."""
    click.echo(fen)
    moves = legal_moves(fen)
    click.echo("Legal moves: " + (", ".join(map(str, moves)) or "none, the side to move has lost"))
    if svg:
        try:
            draw_svg(fen).save(svg)
        except OSError as error:
            raise click.ClickException(f"cannot write {svg}: {error.strerror}") from None


@main.command("levels")
def levels_command() -> None:
    """List the levels: key, name, plies looked ahead, chance of a careless move, rating among levels.

    The settings of the first three were inferred from published scores; the nine stand at even steps.
    """
    for preset in LEVELS.values():
        for key, level in preset.items():
            settings = f"depth {level.depth}  chance {level.chance:<5g} rating {OFFLINE_RATINGS[key]:.0f}"
            click.echo(f"{key:8}{level.name:8}{settings}")


@main.command("game")
@click.option(
    "--black",
    type=_Level(),
    help="Black's level: easy, medium, hard, l1 to l9, or depth,chance such as 4,0.1.",
)
@click.option("--white", type=_Level(), help="White's level.")
@click.option(
    "--seed", type=click.IntRange(min=0), help="Seed of the game; the same seed gives the same game."
)
@click.option(
    "--fen", type=_Fen(), default=START, show_default="starting position", help="Position to begin from."
)
@click.option(
    "--repetitions", type=int, default=3, show_default=True, help="Draw at this repetition; 0: never."
)
@click.option(
    "--quiet-moves", type=int, default=40, show_default=True, help="Draw after so many own moves; 0: never."
)
@click.option(
    "--ply-cap", type=int, default=200, show_default=True, help="Draw after so many plies; 0: never."
)
@click.option(
    "--json", "source", metavar="FILE", help="Read all settings from a JSON file (- is standard input)."
)
@click.option(
    "--as", "form", type=click.Choice(["pdn", "json"]), help="Output  [default: json with --json, else pdn]"
)
def game_command(
    black: Level | None,
    white: Level | None,
    seed: int | None,
    fen: Position,
    repetitions: int,
    quiet_moves: int,
    ply_cap: int,
    source: str | None,
    form: str | None,
) -> None:
    """Play one game between two levels and print it.

    JSON settings are an object such as {"black": {"depth": 2, "chance": 0.2}, "white": "medium", "seed": 1},
    with "rules" (repetitions, quiet_moves, ply_cap) and "fen" if wanted. JSON output holds winner (b, w or draw),
    reason, plies, moves and pdn.
    """
    context = click.get_current_context()
    settings = {"repetitions": repetitions, "quiet_moves": quiet_moves, "ply_cap": ply_cap}
    if source is not None:
        own = [name for name in context.params if name not in ("source", "form")]
        doubled = [
            n for n in own if context.get_parameter_source(n) is click.core.ParameterSource.COMMANDLINE
        ]
        if doubled:
            raise click.UsageError(f"--json gives all settings; leave out --{doubled[0].replace('_', '-')}")
        given = _read_json(source)
    else:
        missing = [
            name for name, value in (("black", black), ("white", white), ("seed", seed)) if value is None
        ]
        if missing:
            raise click.UsageError(
                f"--{missing[0]} is missing; give --black, --white and --seed, or --json FILE"
            )
        given = {"black": black, "white": white, "seed": seed, "rules": settings, "fen": fen}
    try:
        record, tags = _play(given)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    pdn = format_pdn(record, tags)
    as_json = form == "json" or (form is None and source is not None)
    click.echo(json.dumps(_summary(record, pdn)) if as_json else pdn.rstrip())


def _read_json(source: str) -> dict:
    """The settings object of a file or of standard input."""
    try:
        text = sys.stdin.read() if source == "-" else Path(source).read_text(encoding="utf-8")
        given = json.loads(text)
    except OSError as error:
        raise click.UsageError(f"--json {source}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise click.UsageError(f"--json {source}: not JSON in UTF-8 ({error})") from None
    if not isinstance(given, dict):
        raise click.UsageError(f"--json {source}: an object with {', '.join(_KEYS)} is wanted, not {given!r}")
    return given


def _only(given: dict, allowed: tuple[str, ...], where: str) -> None:
    unknown = [key for key in given if key not in allowed]
    if unknown:
        raise ValueError(f"{where}: {unknown[0]!r} is not a setting; allowed are {', '.join(allowed)}")


def _level(value: object, side: str) -> Level:
    """A level from JSON: text as on the command line, or an object with depth and chance."""
    if isinstance(value, Level):
        return value
    if isinstance(value, str):
        return parse_level(value)
    if isinstance(value, dict) and "depth" in value:
        _only(value, ("depth", "chance"), side)
        return Level(value["depth"], value.get("chance", 0.0))
    raise ValueError(
        f"{side} is {value!r}; write a level such as 'medium', '4,0.1' or {{'depth': 4, 'chance': 0.1}}"
    )


def _play(given: dict) -> tuple[GameRecord, dict[str, str]]:
    """Play the game of a settings object; returns it with its PDN tags."""
    _only(given, _KEYS, "settings")
    for key in ("black", "white", "seed"):
        if key not in given:
            raise ValueError(f"settings: {key!r} is missing; black, white and seed are needed")
    black, white, seed = _level(given["black"], "black"), _level(given["white"], "white"), given["seed"]
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise ValueError(f"seed is {seed!r}; it must be a whole number, 0 or more")
    limits, start = given.get("rules", {}), given.get("fen", START)
    if not isinstance(limits, dict):
        raise ValueError(f"rules is {limits!r}; write an object with {', '.join(_RULES)}")
    _only(limits, _RULES, "rules")
    start = start if isinstance(start, Position) else parse_fen(start)
    record = play_game(black, white, rng=np.random.default_rng(seed), rules=Rules(**limits), start=start)
    tags = {"Event": f"Game of computer levels, seed {seed}", "Black": _name(black), "White": _name(white)}
    return record, tags


def _name(level: Level) -> str:
    return f"{level.name or 'Level'} ({level.depth},{level.chance:g})"


def _summary(record: GameRecord, pdn: str) -> dict:
    return {
        "winner": record.winner,
        "reason": record.reason,
        "plies": record.plies,
        "moves": [str(move) for move in record.moves],
        "start": format_fen(record.start),
        "pdn": pdn,
    }


if __name__ == "__main__":
    main(prog_name="python -m ludometrics.draughts")
