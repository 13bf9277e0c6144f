"""Make data/nfl_2009_2018.csv from the log inside the PyPI package melo 1.1.2: ``python tools/make_nfl.py``.

Fetches the wheel by pip, reads its file nfl.dat, checks what it holds, and writes a plain CSV. The licence of the
package stands in data/NOTICE.md.
"""

import hashlib
import io
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import pandas as pd

PACKAGE = "melo==1.1.2"
OUT = Path(__file__).parents[1] / "data" / "nfl_2009_2018.csv"
COLUMNS = ["date", "home", "home_score", "away", "away_score"]
GAMES, TEAMS = 2559, 32


def main() -> None:
    """Fetch, check, write."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder, PACKAGE]
        subprocess.run(command, check=True)
        (wheel,) = Path(folder).glob("melo-*.whl")
        text = zipfile.ZipFile(wheel).read("melo/nfl.dat").decode("utf-8")
    table = pd.read_csv(io.StringIO(text), sep=r"\s+", comment="#", names=COLUMNS)
    teams = set(table["home"]) | set(table["away"])
    if len(table) != GAMES or len(teams) != TEAMS or not table["date"].is_monotonic_increasing:
        sys.exit(f"the package's log has changed: {len(table)} games of {len(teams)} teams")
    table.to_csv(OUT, index=False, lineterminator="\n")
    print(f"{OUT}: {len(table)} games, sha256 {hashlib.sha256(OUT.read_bytes()).hexdigest()}")


if __name__ == "__main__":
    main()
