"""A small project with the repository's own Snakefile, settings and library, to break in tests."""

import base64
import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import ClassVar

import nbformat
import psutil
import yaml

ROOT = Path(__file__).resolve().parents[2]
CELLS = ("k01", "k02", "k03", "k04")
AFTER_CELLS = {"toy_summary": 1, "replication": 1, "figure": 1, "all": 1}

# The cell leaves a mark each time it runs, so that a test can count.
NOTEBOOK = [
    (
        "parameters",
        'k: int = 1\nseed: int = 0\nseconds: float = 0.0\nbad: int = 0\nout: str = "build/toy"\n'
        'cell: str = "k01"\nprogress: bool = False',
    ),
    ("", "from ludometrics.provenance import validate\n\nparameters = validate(globals(), k=(1, 99))"),
    (
        "",
        "import time\n\nimport pandas as pd\n\n"
        "from ludometrics.provenance import named_stream, resolve, write_table",
    ),
    ("", 'with open(resolve("runs.txt"), "a") as runs:\n    runs.write(f"{cell}\\n")'),
    ("", 'time.sleep(seconds)\nif k == bad:\n    raise RuntimeError(f"cell {cell} is a bad one")'),
    (
        "",
        "values = named_stream(seed, cell).normal(size=20)\n"
        'row = {"value": values.mean(), "low": values.mean() - 1.0, "high": values.mean() + 1.0, "n": 20}\n'
        'frame = pd.DataFrame([{"k": k, "replication": 0, **row}])\n'
        'write_table(frame, f"{out}/cell__{cell}.csv", key=["k", "replication"], parameters=parameters)',
    ),
]
SUMMARY = [
    ("parameters", 'results: str = "results/toy"\nout: str = "results/toy"\ncells: list[str] = ["k01"]'),
    ("", "from ludometrics.provenance import validate\n\nparameters = validate(globals())"),
    ("", "from ludometrics.provenance import claim, merge_cells, write_replication, write_table"),
    (
        "",
        'paths = [f"{results}/cell__{cell}.csv" for cell in cells]\nframe = merge_cells(paths)\n'
        'write_table(frame, f"{out}/summary.csv", key=["k"], inputs=paths)\n'
        'row = claim("mean of k01", 0.0, *frame.loc[0, ["value", "low", "high", "n"]])\n'
        'write_replication([row], f"{out}/replication.csv", inputs=paths)',
    ),
]
FIGURE = '''"""One point a cell."""

from ludometrics.plotting import new_figure, run_figure

TABLES = ["toy/summary.csv"]


def draw(summary):
    """Draw the mean of each cell with its interval."""
    figure, axes = new_figure("single", 50)
    axes.errorbar(summary["k"], summary["value"], [summary["value"] - summary["low"]] * 2, fmt="o")
    axes.set(xlabel="k", ylabel="mean")
    return figure, f"Means of {len(summary)} cells, n = 20 each, with 95 % intervals."


if __name__ == "__main__":
    run_figure(__file__, draw, TABLES)
'''
SMK = """STUDIES.append(Study("{name}", LAYOUT))


module {name}:
    snakefile:
        "rules/study.smk"
    config:
        {{"study": STUDIES[-1]}}


use rule * from {name} as {name}_*
"""


def jobs(output: str) -> dict[str, int]:
    """Rules and how many jobs of each the engine planned."""
    counts = re.findall(r"^([a-z_]+)\s+(\d+)$", output, re.MULTILINE)
    return {name: int(n) for name, n in counts if name != "total"}


class Project:
    """The toy project in a folder, and what a test does with it."""

    _started: ClassVar[list[subprocess.Popen]] = []

    def __init__(self, folder: Path, *, seconds: float = 0.0, bad: int = 0):
        self.folder = folder
        for name in ("Snakefile", "pyproject.toml"):
            shutil.copy(ROOT / name, folder / name)
        shutil.copytree(ROOT / "profiles", folder / "profiles")
        (folder / "experiments").mkdir()
        for path in (ROOT / "experiments").glob("*.py"):
            shutil.copy(path, folder / "experiments" / path.name)
        shutil.copytree(ROOT / "experiments" / "rules", folder / "experiments" / "rules")
        ignore = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / "lib" / "ludometrics", folder / "lib" / "ludometrics", ignore=ignore)
        (folder / "notebooks").mkdir()
        (folder / "figures").mkdir()
        (folder / "figures" / "toy.py").write_text(FIGURE)
        self.add_study("toy", NOTEBOOK, SUMMARY)
        self.write_grid(seconds=seconds, bad=bad)

    def add_study(self, name: str, cell: list, summary: list) -> None:
        for path, cells in ((f"{name}.ipynb", cell), (f"{name}_summary.ipynb", summary)):
            kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
            notebook = nbformat.v4.new_notebook(metadata={"kernelspec": kernel})
            for number, (tag, source) in enumerate(cells):
                metadata = {"tags": [tag] if tag else []}
                notebook.cells.append(nbformat.v4.new_code_cell(source, id=f"c{number}", metadata=metadata))
            nbformat.write(notebook, self.folder / "notebooks" / path)
        (self.folder / "experiments" / f"{name}.smk").write_text(SMK.format(name=name))

    def write_grid(self, *grids: dict, name: str = "toy", **values) -> None:
        """Write the grid of a study: the one with four cells and further values, or those given."""
        content = {
            "cell": "k{k:02d}",
            "tables": ["cell"],
            "summary": ["summary", "replication"],
            "profiles": dict.fromkeys(
                ("tiny", "quick", "full"), list(grids) or [{"k": [1, 2, 3, 4], "seed": 1, **values}]
            ),
        }
        (self.folder / "experiments" / f"{name}.yaml").write_text(yaml.safe_dump(content))

    def environment(self) -> dict[str, str]:
        path = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])
        own = {"PYTHONPATH": str(self.folder / "lib"), "PATH": path}
        # Every cell imports the same libraries: compile them once.
        return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"} | own

    def start(self, *arguments: str, cores: int | None = 2, bare: bool = False, **variables: str):
        """Start experiments/run.py, or the bare engine, in a process group of its own."""
        command = [sys.executable, "experiments/run.py"]
        if bare:
            command = [sys.executable, "-m", "snakemake", "--workflow-profile", "profiles/local"]
        process = subprocess.Popen(
            [*command, *(["--cores", str(cores)] if cores else []), *arguments],
            cwd=self.folder,
            env={**self.environment(), **variables},
            text=True,
            start_new_session=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        Project._started.append(process)
        return process

    @staticmethod
    def end_all() -> None:
        """Kill whatever was started and still runs."""
        for process in Project._started:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        Project._started.clear()

    def run(self, *arguments: str, **options) -> tuple[int, str]:
        """Run to the end; give the exit status and what was said."""
        process = self.start(*arguments, **options)
        try:
            output, _ = process.communicate(timeout=600)
        except subprocess.TimeoutExpired:
            self.kill(process)
            raise
        return process.returncode, output

    def kill(self, process: subprocess.Popen) -> None:
        """End the engine and all it started, as a crash of the machine would."""
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()

    def runs(self) -> list[str]:
        """The cells that were begun since the last call, sorted."""
        path = self.folder / "runs.txt"
        begun = sorted(path.read_text().split()) if path.exists() else []
        path.unlink(missing_ok=True)
        return begun

    def finished(self) -> set[str]:
        """The cells that have their files and that the engine does not hold to be half done."""
        marks = {
            base64.urlsafe_b64decode(path.name).decode()
            for path in (self.folder / ".snakemake/incomplete").glob("*")
        }
        folder = "build/quick/results/toy"
        return {
            cell
            for cell in CELLS
            if all(
                (self.folder / name).exists() and name not in marks
                for name in (f"{folder}/cell__{cell}.csv", f"{folder}/cell__{cell}.json")
            )
        }

    def left_behind(self) -> list[psutil.Process]:
        """The processes that bear this project's mark: jobs, at work or orphaned."""
        found = []
        for process in psutil.process_iter():
            try:
                if process.environ().get("LUDOMETRICS_ENGINE") == str(self.folder):
                    found.append(process)
            except psutil.Error:
                continue
        return found

    def hashes(self) -> dict[str, str]:
        """SHA-256 of every table and figure: what must not depend on the way a grid was run."""
        base = self.folder / "build" / "quick"
        kinds = (".csv", ".svg", ".pdf", ".png", ".txt")
        files = [
            path
            for part in ("results", "figures")
            for path in (base / part).rglob("*")
            if path.suffix in kinds
        ]
        return {
            path.relative_to(base).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files
        }

    def wait_until(self, condition, seconds: float = 180) -> None:
        """Wait until a condition holds; a file that is not there yet means that it does not."""
        end = time.monotonic() + seconds
        while True:
            try:
                if condition():
                    return
            except FileNotFoundError:
                pass
            if time.monotonic() > end:
                raise TimeoutError("the grid did not get that far")
            time.sleep(0.05)
