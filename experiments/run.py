"""Run the studies: remove a lock that a killed run left, start the engine, and name each cell that failed."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import click

from common import PROFILES, Layout
from lock import EngineRunning, remove_stale_lock

ROOT = Path(__file__).resolve().parent.parent


@click.command(context_settings={"ignore_unknown_options": True})
@click.option(
    "--profile", type=click.Choice(PROFILES), default="quick", show_default=True, help="Size of the grids."
)
@click.option(
    "--settings",
    default="profiles/local",
    show_default=True,
    help="Where the jobs run: profiles/local on this machine, profiles/slurm on a cluster.",
)
@click.argument("engine_arguments", nargs=-1, type=click.UNPROCESSED)
def main(profile: str, settings: str, engine_arguments: tuple[str, ...]) -> None:
    """Run every cell that is missing or out of date, then the summaries and figures.

    Finished cells are kept. Further arguments go to Snakemake, such as `-n` to see what would run or
    `--forceall` to run everything again.
    """
    os.chdir(ROOT)
    # The engine and papermill of this environment, also where it was not activated.
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    snakemake = [sys.executable, "-m", "snakemake"]
    config = ["--config", f"profile={profile}"]
    try:
        if remove_stale_lock(lambda: subprocess.run([*snakemake, "--unlock", *config], check=True)):
            click.echo("removed the lock of a run that was killed; its finished cells are kept")
    except EngineRunning as error:
        raise click.ClickException(str(error)) from None
    started = time.time()
    command = [*snakemake, "--workflow-profile", settings, *engine_arguments, *config]
    status = subprocess.run(command).returncode
    layout = Layout(profile)
    for line in failures(Path(layout.logs), started):
        click.echo(line, err=True)
    if status == 0 and "-n" not in engine_arguments:
        click.echo(f"tables  {count(layout.results, '*.csv')} in {layout.results}/")
        click.echo(f"figures {count(layout.figures, '*.svg')} in {layout.figures}/ (SVG, PDF, PNG, caption)")
    sys.exit(status)


def failures(logs: Path, since: float) -> list[str]:
    """Name each cell that failed since a time: a line with its notebook and the error."""
    lines = []
    for path in sorted(logs.rglob("*.ipynb")):
        if path.stat().st_mtime >= since and (error := notebook_error(path)):
            lines.append(f"FAILED {path.parent.name}/{path.stem}: {error} (traceback in {path})")
    for path in sorted(logs.glob("figures/*.log")):
        if path.stat().st_mtime >= since and "Traceback" in (text := path.read_text(encoding="utf-8")):
            lines.append(f"FAILED figure {path.stem}: {text.strip().splitlines()[-1]} ({path})")
    return lines


def notebook_error(path: Path) -> str | None:
    """Give the error that stopped an executed notebook, in one line; None if it ran through."""
    try:
        notebook = json.loads(path.read_text(encoding="utf-8"))
    except json.JSONDecodeError:  # papermill itself stopped, before it wrote the notebook
        return last_line(path.with_suffix(".log"))
    for cell in notebook["cells"]:
        for output in cell.get("outputs", []):
            if output["output_type"] == "error":
                return f"{output['ename']}: {' '.join(output['evalue'].split())}"
    if notebook["metadata"].get("papermill", {}).get("exception"):
        return "ended without a traceback (kernel killed, or out of time)"
    return None


def last_line(path: Path) -> str:
    """Give the last line of a log."""
    lines = path.read_text(encoding="utf-8", errors="replace").split("\n") if path.is_file() else []
    return next((line.strip() for line in reversed(lines) if line.strip()), "ended without a word")


def count(folder: str, pattern: str) -> int:
    """Count the files below a folder."""
    return sum(1 for _ in Path(folder).rglob(pattern))


if __name__ == "__main__":
    main()
