"""Pin every dependency, those of all extras included, for repeating the published numbers: requirements.lock.

    python tools/lock_requirements.py              keep the pins there are, add what pyproject.toml newly asks for
    python tools/lock_requirements.py --upgrade    take the newest of everything

One file serves Linux, macOS and Windows from Python 3.11 on. torch is left out, and with it the CUDA packages that it
asks for on Linux: which build is right depends on the machine, and tools/setup_venv.py looks for it. Needs uv, which
tools/setup_venv.py puts into the environment.
"""

import argparse
import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "requirements.lock"
APART = {"torch"}


def main() -> int:
    """Write the lock."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--upgrade", action="store_true", help="take the newest instead of keeping pins")
    upgrade = ["--upgrade"] if parser.parse_args().upgrade else []
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    oldest = re.search(r"\d+\.\d+", project["requires-python"])[0]
    command = [sys.executable, "-m", "uv", "pip", "compile", "-", "--quiet", "--universal", *upgrade]
    command += ["--python-version", oldest, "--no-annotate", "--output-file", str(LOCK)]
    command += ["--custom-compile-command", "python tools/lock_requirements.py"]
    done = subprocess.run(
        command, input="\n".join(requirements(project)), text=True, stdout=subprocess.DEVNULL
    )
    if done.returncode == 0:
        print(f"{LOCK.name}: {pins(LOCK.read_text(encoding='utf-8'))} pins")
    return done.returncode


def requirements(project: dict) -> list[str]:
    """List what pyproject.toml asks for, all extras included, but for what is installed apart.

    >>> requirements({"dependencies": ["numpy>=2.0"], "optional-dependencies": {"net": ["torch>=2.9", "numpy>=2.0"]}})
    ['numpy>=2.0']
    """
    extras = project["optional-dependencies"].values()
    wanted = {*project["dependencies"], *(item for extra in extras for item in extra)}
    return sorted(item for item in wanted if re.match(r"[\w.-]+", item)[0].lower() not in APART)


def pins(text: str) -> int:
    """Count the lines that pin a package."""
    return sum(1 for line in text.splitlines() if re.match(r"[\w.-]+==", line))


if __name__ == "__main__":
    sys.exit(main())
