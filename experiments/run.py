"""Run the studies: clear up after a run that was killed, start the engine, and name each cell that failed."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import click

from common import PROFILES, Layout, Study
from lock import EngineRunning, clear_up
from report import ENGINE_LOG, DryRun, EngineOutput, failures

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
@click.option(
    "--part",
    metavar="I/N",
    callback=lambda _context, _option, value: None if value is None else read_part(value),
    help="Only the cells of machine I of N that share the work without a scheduler; no summaries or figures.",
)
@click.argument("engine_arguments", nargs=-1, type=click.UNPROCESSED)
def main(
    profile: str, settings: str, part: tuple[int, int] | None, engine_arguments: tuple[str, ...]
) -> None:
    """Run every cell that is missing or out of date, then the summaries and figures.

    Finished cells are kept. Further arguments go to Snakemake, such as `-n` to see what would run or
    `--forceall` to run everything again.
    """
    os.chdir(ROOT)
    # The engine and papermill of this environment, also where it was not activated.
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    layout = Layout(profile)
    dry = any(re.fullmatch("-[a-zA-Z]*n[a-zA-Z]*|--dry-?run", argument) for argument in engine_arguments)
    # What is said of single jobs is read here, and made brief.
    command = [sys.executable, "-m", "snakemake", "--quiet", "host"]
    command += ["--workflow-profile", settings, *engine_arguments, "--config", f"profile={profile}"]
    if part:
        cells = cells_of_part(layout, *part)
        command += ["--", *cells]
        if not cells:
            raise click.ClickException(f"no cell falls to part {part[0]} of {part[1]}")
    if dry:
        sys.exit(show_plan(command))
    clear_up_or_refuse()
    sys.exit(run_and_report(command, layout))


def run_and_report(command: list[str], layout: Layout) -> int:
    """Run the engine, then say what it made or which cells failed, and give its exit status."""
    started = time.time()
    output = EngineOutput(click.echo)
    status = run_engine(command, Path(layout.logs) / ENGINE_LOG, output)
    if output.stopped or status < 0:
        clear_up_or_refuse()
        click.echo("stopped; finished cells are kept: the same command goes on from here", err=True)
        return status
    failed = failures(Path(layout.logs), started, output.failed) if status else []
    for line in failed:
        click.echo(line, err=True)
    if failed:
        click.echo(
            "finished cells are kept: once mended, the same command runs only what is missing", err=True
        )
    if status == 0:
        click.echo(f"tables  {count(layout.results, '*.csv')} in {layout.results}/")
        click.echo(f"figures {count(layout.figures, '*.svg')} in {layout.figures}/ (SVG, PDF, PNG, caption)")
    return status


def read_part(text: str) -> tuple[int, int]:
    """Read which share of the work is meant, such as 2/3."""
    match = re.fullmatch(r"(\d+)/(\d+)", text)
    if not match or not 1 <= int(match[1]) <= int(match[2]):
        raise click.BadParameter(f"{text!r}: it must be I/N with 1 <= I <= N, such as 2/3")
    return int(match[1]), int(match[2])


def cells_of_part(layout: Layout, index: int, parts: int) -> list[str]:
    """Name a table of each cell that falls to one of several machines.

    Snakemake's own --batch does not share: `rule all` asks for every cell besides.
    """
    studies = [Study(path.stem, layout) for path in sorted(Path("experiments").glob("*.yaml"))]
    return [study.cell_files(cell)[0] for study in studies for cell in list(study.cells)[index - 1 :: parts]]


def clear_up_or_refuse() -> None:
    """Clear up after a killed run; refuse to go on while another run lives."""
    try:
        for line in clear_up():
            click.echo(line)
    except EngineRunning as error:
        raise click.ClickException(str(error)) from None


def show_plan(command: list[str]) -> int:
    """Show what a dry run would run and why, and give its exit status."""
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    output = DryRun(click.echo)
    for line in result.stdout.splitlines():
        output.feed(line)
    output.close()
    return result.returncode


def run_engine(command: list[str], log: Path, output: EngineOutput) -> int:
    """Run the engine to its end, showing its output while it comes, and give its exit status.

    The output goes through a file: an engine whose reader is killed must not break on a closed pipe.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    log.unlink(missing_ok=True)
    with log.open("wb") as sink, log.open(encoding="utf-8", errors="replace") as source:
        process = subprocess.Popen(command, stdout=sink, stderr=subprocess.STDOUT)

        def stop(number: int, _frame: object) -> None:
            output.stopped = True
            if number == signal.SIGTERM:  # Ctrl-C reaches the engine by itself
                process.terminate()

        # The engine then ends in good order; this process waits for that.
        signal.signal(signal.SIGINT, stop)
        signal.signal(signal.SIGTERM, stop)
        rest, ended = "", False
        while not ended:
            ended = process.poll() is not None  # asked before reading, so that its last words are read
            *lines, rest = (rest + source.read()).split("\n")
            for line in [*lines, rest] if ended else lines:
                output.feed(line)
            if not ended:
                time.sleep(0.2)
    output.close()
    return process.returncode


def count(folder: str, pattern: str) -> int:
    """Count the files below a folder."""
    return sum(1 for _ in Path(folder).rglob(pattern))


if __name__ == "__main__":
    main()
