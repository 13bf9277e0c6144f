"""Finding GNU Backgammon and running it on a list of its own commands, without a shell."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path

PROGRAMS = ("gnubg", "gnubg-cli")
PLACES = ("/usr/games", "/usr/local/games", "/usr/local/bin", "/opt/homebrew/bin", "/opt/local/bin")
POLL_SECONDS = 0.2
SHOWN = 600  # characters of what the program said that an error quotes


def find_gnubg() -> str:
    """The path of GNU Backgammon.

    Raises
    ------
    RuntimeError
        It is not installed; says how to install it.
    """
    for program in PROGRAMS:
        found = shutil.which(program) or shutil.which(program, path=os.pathsep.join(PLACES))
        if found is not None:
            return found
    raise RuntimeError(
        "GNU Backgammon is not installed; on Debian and Ubuntu: sudo apt-get install gnubg;"
        " elsewhere see https://www.gnu.org/software/gnubg/"
    )


def run_gnubg(
    commands: Sequence[str],
    folder: str | Path,
    *,
    gnubg: str | None = None,
    timeout_seconds: float = 600.0,
    watch: Callable[[], None] | None = None,
) -> str:
    """Give GNU Backgammon ``commands``, one a line, in ``folder``; returns what it said.

    It reads nobody's settings, writes its own into ``folder``, and speaks English with decimal points.

    Parameters
    ----------
    commands : sequence of str
        Written by the caller; names of files in them relative to ``folder``. No text of a user's belongs here.
    folder : path
        An existing, private one.
    gnubg : str, optional
        The program; `find_gnubg` where None.
    timeout_seconds : float
    watch : callable, optional
        Called several times a second while the program runs.

    Raises
    ------
    RuntimeError
        The program is missing, cannot be started, ends with an error, or is not done in time (it is stopped then).
    ValueError
        A command of several lines.
    """
    if any("\n" in command or "\r" in command for command in commands):
        raise ValueError("a command for GNU Backgammon is one line")
    program, folder = gnubg or find_gnubg(), Path(folder).resolve()
    script, said = folder / "commands.txt", folder / "said.txt"
    script.write_text("".join(f"{command}\n" for command in commands), encoding="utf-8")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG"))}
    environment = {**kept, "LC_ALL": "C.UTF-8", "HOME": str(folder)}
    try:
        with script.open("rb") as source, said.open("wb") as target:
            running = subprocess.Popen(  # noqa: S603
                [program, "-t", "-q", "-r"],
                cwd=folder,
                env=environment,
                stdin=source,
                stdout=target,
                stderr=subprocess.STDOUT,
            )
            _wait(running, timeout_seconds, watch)
    except OSError as error:
        raise RuntimeError(f"GNU Backgammon cannot be started as {program}: {error}") from error
    text = said.read_text(encoding="utf-8", errors="replace")
    if running.returncode != 0:
        raise RuntimeError(f"GNU Backgammon ended with {running.returncode}: ...{text[-SHOWN:]}")
    return text


def _wait(running: subprocess.Popen, timeout_seconds: float, watch: Callable[[], None] | None) -> None:
    """Wait for the end; stop the program when it takes too long, or when ``watch`` fails."""
    end = time.monotonic() + timeout_seconds
    try:
        while True:
            try:
                running.wait(timeout=POLL_SECONDS)
                return
            except subprocess.TimeoutExpired:
                if watch is not None:
                    watch()
                if time.monotonic() > end:
                    raise RuntimeError(f"GNU Backgammon was not done after {timeout_seconds:g} s") from None
    finally:
        if running.poll() is None:
            running.kill()
            running.wait()
