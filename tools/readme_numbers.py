"""Keep the numbers of the README equal to cells of the committed tables.

A number stands between marks that a rendered page does not show:

    <!--n results/study/table.csv key=value,other=value column .3f-->0.123<!--/n-->

Run without arguments to write the current values into README.md; with --check to only compare.
"""

import argparse
import csv
import re
import sys
from pathlib import Path
from urllib.parse import unquote

ROOT = Path(__file__).resolve().parent.parent
MARK = re.compile(
    r"<!--n (?P<table>\S+) (?P<row>\S+) (?P<column>\S+) (?P<format>[^\s-]+)-->(?P<shown>.*?)<!--/n-->"
)


def look_up(table: str, row: str, column: str) -> float:
    """Find the one cell that a mark names. A row's values are written as in a URL: `%20` is a space, `%2C` a comma."""
    wanted = {name: unquote(value) for name, value in (part.split("=", 1) for part in row.split(","))}
    with open(ROOT / table, encoding="utf-8", newline="") as file:
        found = [
            line
            for line in csv.DictReader(file)
            if all(line[name] == value for name, value in wanted.items())
        ]
    if len(found) != 1:
        raise ValueError(f"{table}: {len(found)} rows with {wanted}, one is needed")
    return float(found[0][column])


def main() -> int:
    """Write or compare."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="change nothing; status 1 if a number differs")
    check = parser.parse_args().check
    path = ROOT / "README.md"
    text = path.read_text(encoding="utf-8")
    wrong = []

    def renew(mark: re.Match) -> str:
        value = format(look_up(mark["table"], mark["row"], mark["column"]), mark["format"])
        if value != mark["shown"]:
            wrong.append(
                f"README.md says {mark['shown']}, {mark['table']} {mark['row']} {mark['column']} is {value}"
            )
        return mark[0].removesuffix(f"{mark['shown']}<!--/n-->") + f"{value}<!--/n-->"

    renewed = MARK.sub(renew, text)
    if text.count("<!--n ") != len(MARK.findall(text)):
        wrong.append("README.md has a mark that cannot be read")
    print("\n".join(wrong) if wrong else f"{len(MARK.findall(text))} numbers agree with the tables")
    if not check:
        path.write_text(renewed, encoding="utf-8")
        return 0
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
