"""Analysis on demand: a match without analysis goes through GNU Backgammon, when that is installed.

The file is copied under a name of our own into a private folder, in which GNU Backgammon runs; nothing of the user's,
no name and no path, stands among its commands.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from tqdm.auto import tqdm

from ludometrics.backgammon.gnubg_program import find_gnubg, run_gnubg
from ludometrics.backgammon.gnubg_sgf import is_gnubg_sgf, read_gnubg_sgf
from ludometrics.backgammon.gnubg_units import MET
from ludometrics.backgammon.records import Library, Problem, join

#: How GNU Backgammon reads a file, by the end of its name.
COMMANDS = {".sgf": "load match", ".mat": "import mat", ".txt": "import mat"}
MOST_PLIES = 4
LARGEST_BYTES = 20_000_000
READ_SECONDS = 60.0

_GAME = re.compile(r"\(;FF\[4\]GM\[6\]")
_POINTS = re.compile(r"^ *\d+ +point match|^ *Game +1\s*$", re.MULTILINE | re.IGNORECASE)


def analyse(
    path: str | Path,
    *,
    plies: int = 2,
    luck: bool = True,
    gnubg: str | None = None,
    timeout_seconds: float = 3600.0,
    progress: Callable[[int, int], None] | None = None,
) -> Library:
    """Analyse a match by GNU Backgammon and read what it finds.

    Decisions that the file holds analysed more deeply keep their analysis.

    Parameters
    ----------
    path : path
        .mat (or .txt of the same form) or .sgf; it is only read.
    plies : int
        Moves looked ahead, 0 to 4. A 7-point match takes 8 to 25 s at 2 on one core, hundreds of times as long at 4.
    luck : bool
        Measure the luck of every roll too.
    gnubg : str, optional
        The program, where it is not found by itself.
    timeout_seconds : float
    progress : callable, optional
        Called with the games analysed so far and the games there are.

    Returns
    -------
    Library
        With ``path`` as its source.

    Raises
    ------
    ValueError
        Another kind of file, or one that GNU Backgammon cannot read; names it.
    RuntimeError
        GNU Backgammon is not installed (says how to install it), fails, or takes too long.
    """
    path = Path(path)
    if not 0 <= plies <= MOST_PLIES:
        raise ValueError(f"{plies} plies, allowed are 0 to {MOST_PLIES}")
    data, command = _checked(path)
    program = gnubg or find_gnubg()
    with tempfile.TemporaryDirectory(prefix="ludometrics-") as folder:
        name = "match" + (".sgf" if command == "load match" else ".mat")
        Path(folder, name).write_bytes(data)
        games = _convert(path, Path(folder), f"{command} {name}", program)
        _run(Path(folder), games, plies, luck, program, timeout_seconds, progress)
        analysed = Path(folder, "analysed.sgf")
        if not analysed.exists():
            raise RuntimeError(f"{path}: GNU Backgammon left no analysis")
        library = read_gnubg_sgf((str(path), analysed.read_text(encoding="utf-8", errors="replace")))
    # It was run without anybody's settings, so the table is its own default.
    matches = tuple(replace(match, met=MET) for match in library.matches)
    return replace(library, matches=matches)


def analyse_all(
    paths: Iterable[str | Path],
    *,
    plies: int = 2,
    luck: bool = True,
    gnubg: str | None = None,
    timeout_seconds: float = 3600.0,
    progress: bool = False,
) -> Library:
    """`analyse` several matches; those that cannot be read are among the problems.

    Raises
    ------
    RuntimeError
        GNU Backgammon is not installed; says how to install it.
    """
    program = gnubg or find_gnubg()
    paths = sorted({Path(path) for path in paths}, key=str)
    libraries: list[Library] = []
    problems: list[Problem] = []
    with tqdm(total=len(paths), unit=" matches", disable=not progress) as bar:
        for path in paths:

            def show(done: int, games: int, path: Path = path) -> None:
                bar.set_postfix_str(f"{path.name}: game {done} of {games}")

            try:
                libraries.append(
                    analyse(
                        path,
                        plies=plies,
                        luck=luck,
                        gnubg=program,
                        timeout_seconds=timeout_seconds,
                        progress=show,
                    )
                )
            except (ValueError, RuntimeError) as error:
                problems.append(Problem(str(path), "", str(error).removeprefix(f"{path}: ")))
            bar.update()
    library = join(libraries)
    return replace(library, problems=(*problems, *library.problems))


def _checked(path: Path) -> tuple[bytes, str]:
    """The file's bytes and the command that reads it."""
    command = COMMANDS.get(path.suffix.lower())
    if command is None:
        raise ValueError(f"{path}: GNU Backgammon is asked to analyse {', '.join(COMMANDS)} only")
    try:
        size = path.stat().st_size
        if size > LARGEST_BYTES:
            raise ValueError(f"{path}: {size} bytes, allowed are {LARGEST_BYTES}")
        data = path.read_bytes()
    except OSError as error:
        raise ValueError(f"{path}: cannot be opened: {error.strerror}") from error
    text = data.decode("utf-8", errors="replace")
    good = is_gnubg_sgf(text) if command == "load match" else _POINTS.search(text) is not None
    if not good or "\0" in text:
        kind = "a backgammon match in SGF" if command == "load match" else "a match in .mat form"
        raise ValueError(f"{path}: this is not {kind}")
    return data, command


def _convert(path: Path, folder: Path, command: str, program: str) -> int:
    """Let GNU Backgammon read the match and save it; returns the number of games."""
    said = run_gnubg([command, 'save match "read.sgf"'], folder, gnubg=program, timeout_seconds=READ_SECONDS)
    saved = folder / "read.sgf"
    games = 0
    if saved.exists():
        games = len(_GAME.findall(saved.read_text(encoding="utf-8", errors="replace")))
    if not games:
        last = [line for line in said.splitlines() if line.strip()][-1:]
        raise ValueError(f"{path}: GNU Backgammon cannot read it ({' '.join(last)[:200]})")
    return games


def _run(
    folder: Path,
    games: int,
    plies: int,
    luck: bool,
    program: str,
    timeout_seconds: float,
    progress: Callable[[int, int], None] | None,
) -> None:
    """Analyse game after game; a small file left after each shows how far it is."""
    commands = [
        f"set analysis luck {'on' if luck else 'off'}",
        f"set analysis chequerplay evaluation plies {plies}",
        f"set analysis cubedecision evaluation plies {plies}",
        'load match "read.sgf"',
        "first game",
    ]
    for number in range(1, games + 1):
        commands += ["analyse game", f'save position "done_{number}.sgf"', "next game"]
    commands += ['save match "analysed.sgf"']
    shown = 0

    def watch() -> None:
        nonlocal shown
        done = sum(1 for number in range(1, games + 1) if (folder / f"done_{number}.sgf").exists())
        if progress is not None and done > shown:
            progress(done, games)
            shown = done

    run_gnubg(commands, folder, gnubg=program, timeout_seconds=timeout_seconds, watch=watch)
    watch()
