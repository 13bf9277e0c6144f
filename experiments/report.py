"""What a person sees of a run: the engine's output made brief, and each failed job in a line."""

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path

ENGINE_LOG = "engine.log"
# Of no use to whoever waits for the result; all of it stays in the engine's own log.
NOISE = re.compile(
    r"Using (workflow specific )?profile |Assuming unrestricted|Building DAG|Using shell:|Provided |"
    r"Rules claiming|Select jobs|Execute \d+ jobs|\[\w{3} \w{3} +\d+ [\d:]+ \d{4}\]$|Exiting because a job|"
    r"Complete log|WorkflowError:$|At least one job did not|Elapsed time|SLURM run ID|No (SLURM )?account|"
    r"Unable to guess SLURM|Cleaning up SLURM|\S*bash: line \d+: +\d+ \w+ |\s*$"
)
BLOCK = re.compile(r"(?:local)?rule (\w+):$|(Error) in rule (\w+):$")
FIELD = re.compile(r"    (\w+): (.*)")
JOB_LOG = re.compile(r"(?:^|[\s,])(\S+/logs/\S+\.(?:ipynb|log))(?:[\s,]|$)")
COMMAND_END = re.compile(r"(returned non-zero exit status|died with) .*$")


class EngineOutput:
    """Shortens the engine's output, line by line: progress, failures, and whatever is not known to be noise.

    `failed` has the logs of the jobs that failed, each with what the engine said of it. Once `stopped` is set, jobs
    do not fail: they were interrupted.
    """

    def __init__(self, show: Callable[[str], None]):
        self.show = show
        self.failed: dict[Path, str] = {}
        self.stopped = False
        self._block: list[str] = []
        self._exception: list[str] = []
        self._names: dict[str, str] = {}
        self._last = ""

    def feed(self, line: str) -> None:
        """Take one line, and show it, a shorter one, or none."""
        if self._block and line.startswith(" "):
            self._block.append(line)
            return
        self._end_block()
        if BLOCK.match(line):
            self._block = [line]
        elif self._exception or line == "RuleException:":
            self._add_to_exception(line)
        elif match := re.match(r"Finished jobid: (\d+) \(Rule: (\w+)\)", line):
            self._last = self._names.get(match[1], match[2])
            # It may have failed before, and was tried again.
            self.failed = {path: text for path, text in self.failed.items() if job_name(path) != self._last}
        elif re.match(r"\d+ of \d+ steps", line):
            self.show(f"{line}: {self._last}")
        elif match := re.match(r"Job (\d+) has been submitted with SLURM jobid (\S+)", line):
            self.show(f"{self._names.get(match[1], match[1])} is SLURM job {match[2]}")
        elif not NOISE.match(line):
            self.show(line)

    def close(self) -> None:
        """Show what was held back, if the output ended in the middle of an error."""
        self._end_block()
        for line in self._exception:
            self.show(line)
        self._exception = []

    def _end_block(self) -> None:
        """Use what was said of a job: its name when it starts, its log when it fails."""
        if not self._block:
            return
        match = BLOCK.match(self._block[0])
        fields = dict(field.groups() for field in map(FIELD.match, self._block) if field)
        log = JOB_LOG.search(fields.get("log", ""))
        name = job_name(Path(log[1])) if log else match[1] or match[3]
        if match[2] is None:
            self._names[fields.get("jobid", "")] = name
        elif log:
            self._job_failed(Path(log[1]), fields.get("message", ""))
        else:
            for line in self._block:
                self.show(line)
        self._block = []

    def _add_to_exception(self, line: str) -> None:
        """Hold a job's exception back until its end, and name the job by its log instead of its whole command."""
        self._exception.append(line)
        if not COMMAND_END.search(line):
            return
        log = JOB_LOG.search(" ".join(self._exception))
        if log:
            self._exception = []
            self._job_failed(Path(log[1]), "")
        else:
            self.close()

    def _job_failed(self, log: Path, message: str) -> None:
        known = log in self.failed
        self.failed[log] = self.failed.get(log) or ("" if message == "None" else message)
        if not known and not self.stopped:
            self.show(f"{job_name(log)} failed; the others go on")


class DryRun:
    """Shortens the output of a dry run: one line a job, with the reason."""

    def __init__(self, show: Callable[[str], None]):
        self.show = show
        self._block: list[str] = []
        self._jobs = 0

    def feed(self, line: str) -> None:
        """Take one line, and show it, a shorter one, or none."""
        if self._block and line.startswith(" "):
            self._block.append(line)
            return
        self.close()
        if BLOCK.match(line):
            self._block = [line]
        # After the last job the table of all jobs comes a second time.
        elif not NOISE.match(line) and (not self._jobs or "dry-run" in line):
            self.show(line)

    def close(self) -> None:
        """Show the job that was being read."""
        if not self._block:
            return
        self._jobs += 1
        rule = BLOCK.match(self._block[0])[1]
        fields = dict(field.groups() for field in map(FIELD.match, self._block) if field)
        self._block = []
        if rule != "all":
            name = " ".join([rule, *re.findall(r"=([^,]+)", fields.get("wildcards", ""))])
            reason = fields.get("reason", "")
            self.show(f"{name}: {reason if len(reason) <= 160 else reason[:157] + '...'}")


def job_name(log: Path) -> str:
    """Name a job by its log: study/cell, figures/name, or the rule's name."""
    # A cell's name may hold dots: only the last ending goes.
    return log.stem if log.parent.name == "logs" else f"{log.parent.name}/{log.stem}"


def failures(logs: Path, since: float, known: Mapping[Path, str] | None = None) -> list[str]:
    """Name each job that failed since a time, in a line with its error and where to look.

    A notebook tells itself whether it ran through, unless its kernel died or papermill never began. A log counts if
    it holds a traceback, or if the engine named it (`known`, with what the engine said).
    """
    recent = {path for path in logs.rglob("*") if path.is_file() and path.stat().st_mtime >= since}
    said = {path.with_suffix(".ipynb"): message for path, message in (known or {}).items()}
    notebooks = {path.with_suffix(".ipynb") for path in recent if path.name != ENGINE_LOG} | set(said)
    lines = []
    for notebook in sorted(notebooks):
        log = notebook.with_suffix(".log")
        error, where = None, notebook
        if notebook in recent or (notebook in said and notebook.is_file() and log not in recent):
            error = notebook_error(notebook)
        if error is None and log in recent:
            where = log
            if "Traceback" in log.read_text("utf-8", errors="replace"):
                error = last_line(log)
        if error is None and notebook in said:
            error = said[notebook] or last_line(log)
        if error:
            lines.append(f"FAILED {job_name(notebook)}: {error} (traceback in {where})")
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
    papermill = notebook["metadata"].get("papermill", {})
    if papermill.get("exception"):
        return "ended without a traceback (kernel killed, or out of time)"
    if "end_time" in papermill and papermill["end_time"] is None:
        return "was killed (out of memory, or by hand)"
    return None


def last_line(path: Path) -> str:
    """Give the last line of a log."""
    lines = path.read_text(encoding="utf-8", errors="replace").split("\n") if path.is_file() else []
    return next((line.strip() for line in reversed(lines) if line.strip()), "ended without a word")
