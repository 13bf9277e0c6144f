"""Make a virtual environment and install the project into it. Standard library only: it runs before anything is there.

    python3 tools/setup_venv.py .venv --extras lab,test,engine,connect4,web,backgammon,boardgames

torch comes first and by pip alone: on Linux a plain `pip install torch` brings several gigabytes of CUDA, so the
CPU build is looked for, and a build that would bring CUDA is refused. Everything else is installed by uv where it
can be had (seconds), else by pip (a minute or two).
"""

from __future__ import annotations  # so that a Python too old for the project can still read this and say so

import argparse
import json
import os
import platform
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EVERYTHING = "lab,test,engine,connect4,web,backgammon,boardgames"
TORCH = "torch==2.13.0"
TORCH_INDEX = "https://download.pytorch.org/whl/cpu"
OLDEST_PYTHON = (3, 11)


def main() -> int:
    """Parse the command line and install."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="?", default=".venv", help="the environment (default: %(default)s)")
    parser.add_argument("--extras", default=EVERYTHING, help="extras of pyproject.toml (default: all)")
    parser.add_argument("--constraint", help="a file of pins, such as requirements.lock")
    parser.add_argument(
        "--torch", default=TORCH, help="what pip installs first; empty: no torch (default: %(default)s)"
    )
    parser.add_argument(
        "--torch-index", default=TORCH_INDEX, help="extra index for it (default: %(default)s)"
    )
    parser.add_argument(
        "--installer", choices=("auto", "pip"), default="auto", help="auto: uv if it can be had"
    )
    arguments = parser.parse_args()
    if sys.version_info < OLDEST_PYTHON:
        found = platform.python_version()
        print(
            f"Python {found} is too old: use 3.11 or newer, as in `make reproduce PYTHON=python3.12`",
            file=sys.stderr,
        )
        return 1
    started = time.monotonic()
    extras = [name for name in arguments.extras.split(",") if name]
    unknown = sorted(set(extras) - set(known_extras()))
    if unknown:
        parser.error(f"no extra is called {unknown[0]!r}; pyproject.toml has {', '.join(known_extras())}")
    folder = Path(arguments.folder).absolute()
    python = make_environment(folder)
    if "connect4" in extras and not install_torch(python, arguments.torch, arguments.torch_index):
        extras.remove("connect4")
        print(
            "going on without torch: the Connect-4 trainers, and their tests, are left out", file=sys.stderr
        )
    install_project(python, extras, arguments.constraint, arguments.installer)
    (folder / ".ready").touch()
    seconds = time.monotonic() - started
    print(
        f"{folder.name} is ready after {seconds:.0f} s (Python {platform.python_version()}; {', '.join(extras)})"
    )
    return 0


def known_extras() -> list[str]:
    """Name the extras of pyproject.toml; pip and uv only warn of one that does not exist."""
    import tomllib  # not there before Python 3.11

    with open(ROOT / "pyproject.toml", "rb") as file:
        return list(tomllib.load(file)["project"]["optional-dependencies"])


def make_environment(folder: Path) -> Path:
    """Make the environment, or keep it if it is there, whole and of the same Python; give its interpreter."""
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    wanted = "{}.{}".format(*sys.version_info[:2])
    if python.exists():
        # Where the system lacks python3-venv, a first try leaves an environment without pip behind.
        code = "import sys, pip; print('{}.{}'.format(*sys.version_info[:2]))"
        found = subprocess.run([python, "-c", code], capture_output=True, text=True).stdout.strip()
        if found == wanted:
            return python
        what = f"holds Python {found}" if found else "does not start or has no pip"
        print(f"{folder} {what}; making it anew with Python {wanted}")
    run(sys.executable, "-m", "venv", "--clear", folder)
    return python


def install_torch(python: Path, torch: str, index: str) -> bool:
    """Install the CPU build of torch unless it is there; False if only a CUDA build could be had or none."""
    if not torch:
        return False
    if subprocess.run([python, "-c", "import torch"], capture_output=True).returncode == 0:
        return True
    # Few retries and a short time-out: where the index cannot be reached, a local wheel may still serve.
    where = ["--extra-index-url", index, "--retries", "1", "--timeout", "5"] if index else []
    pip = [python, "-m", "pip", "install", "--disable-pip-version-check", "--quiet", torch, *where]
    plan = subprocess.run([*pip, "--dry-run", "--report", "-"], capture_output=True, text=True)
    if plan.returncode != 0:
        reason = plan.stderr.strip().splitlines()[-1:] or ["no reason given"]
        print(f"pip finds no {torch}: {reason[0]}", file=sys.stderr)
        return False
    cuda = cuda_packages(json.loads(plan.stdout))
    if cuda:
        print(
            f"{torch} would bring {len(cuda)} CUDA packages ({cuda[0]}, ...): not installed. Where the CPU index "
            f"{index or '(none given)'} cannot be reached, give a wheel, as in `make reproduce TORCH=path/to.whl`",
            file=sys.stderr,
        )
        return False
    print(f"installing {torch} (CPU)")
    return subprocess.run(pip).returncode == 0


def cuda_packages(report: dict) -> list[str]:
    """Name the CUDA packages in pip's report of what it would install."""
    names = [item["metadata"]["name"].lower() for item in report.get("install", [])]
    return [name for name in names if name.startswith(("nvidia", "cuda", "triton"))]


def install_project(python: Path, extras: list[str], constraint: str | None, installer: str) -> None:
    """Install the project, editable, with extras."""
    project = f"{ROOT}[{','.join(extras)}]" if extras else str(ROOT)
    pins = ["--constraint", constraint] if constraint else []
    if installer == "auto" and have_uv(python):
        uv = [
            python,
            "-m",
            "uv",
            "pip",
            "install",
            "--quiet",
            "--compile-bytecode",  # else every kernel compiles what it imports
            "--python",
            python,
            "--editable",
            project,
            *pins,
        ]
        if subprocess.run([str(word) for word in uv]).returncode == 0:
            return
        print("uv did not manage (it does not read pip's settings); trying pip", file=sys.stderr)
    pip = [python, "-m", "pip", "install", "--disable-pip-version-check", "--quiet"]
    run(*pip, "--editable", project, *pins)


def have_uv(python: Path) -> bool:
    """Say whether uv is in the environment, after trying to put it there."""
    pip = [python, "-m", "pip", "install", "--disable-pip-version-check", "--quiet", "uv"]
    return subprocess.run(pip, capture_output=True).returncode == 0


def run(*command: str | Path) -> None:
    """Run a command; end with its status if it fails."""
    status = subprocess.run([str(word) for word in command]).returncode
    if status:
        print(f"this failed with status {status}: {' '.join(map(str, command))}", file=sys.stderr)
        sys.exit(status)


if __name__ == "__main__":
    sys.exit(main())
