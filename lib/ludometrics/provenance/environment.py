"""The machine and the software a result was made with."""

import os
import platform
import subprocess
import sys
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from ludometrics.provenance.paths import root

# The packages whose version can change a number or a figure.
_PACKAGES = ("numpy", "pandas", "scipy", "numba", "matplotlib", "seaborn", "papermill", "torch", "bitbully")


@cache
def describe_environment() -> dict[str, Any]:
    """Describe what this process runs on, for a sidecar.

    Returns
    -------
    dict
        ``git_commit`` and ``git_dirty`` (None outside a checkout), ``versions`` of the packages that are
        installed, ``python``, ``system``, ``host``, ``cpu``, ``cores``, ``gpu`` and the ``threads`` asked for.
        Read once a process.

    Source
    ------
    Own.
    """
    return {
        "git_commit": _git("rev-parse", "HEAD"),
        "git_dirty": _git_dirty(),
        "ludometrics": _version("ludometrics"),
        "versions": {name: found for name in _PACKAGES if (found := _version(name))},
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "host": platform.node(),
        "cpu": _cpu(),
        "cores": os.cpu_count(),
        "gpu": _gpu(),
        "threads": os.environ.get("OMP_NUM_THREADS"),
    }


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _git(*arguments: str) -> str | None:
    if not (root() / ".git").exists():  # git would go on upwards, to somebody else's repository
        return None
    command = ["git", "-C", str(root()), *arguments]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def _git_dirty() -> bool | None:
    """Whether code differs from the commit. Results and figures are what a run writes: they do not count."""
    drawn = [f":(exclude)figures/*.{kind}" for kind in ("svg", "pdf", "png", "txt", "json")]
    status = _git("status", "--porcelain", "--", ".", ":(exclude)results", *drawn)
    return None if status is None else bool(status)


def _cpu() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def _gpu() -> str | None:
    """Name of the GPU, where torch is in use already: a sidecar is no reason to import it."""
    torch = sys.modules.get("torch")
    if torch is None or not torch.cuda.is_available():
        return None
    return torch.cuda.get_device_name(0)
