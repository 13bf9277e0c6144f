"""Commands: check committed files, compare a fresh run with them, join the replication tables."""

import sys

import click

from ludometrics.provenance.replication import join_replications
from ludometrics.provenance.verify import Finding
from ludometrics.provenance.verify import recompute as compare
from ludometrics.provenance.verify import verify as check


@click.group()
def main() -> None:
    """Where the numbers come from."""


@main.command()
@click.argument("folders", nargs=-1)
def verify(folders: tuple[str, ...]) -> None:
    """Compare every file of FOLDERS (results and figures unless given) with the hash in its sidecar.

    Ends with status 1 if one differs, is missing, is stale or has no sidecar.
    """
    _report(_or_usage_error(check, folders or ("results", "figures")), "as recorded")


@main.command()
@click.argument("fresh", default="build/quick/results")
@click.argument("committed", default="results")
def recompute(fresh: str, committed: str) -> None:
    """Compare the tables of a FRESH run with their twins among the COMMITTED ones, row by row."""
    _report(_or_usage_error(compare, fresh, committed), "equal to the committed tables", every=True)


@main.command()
@click.argument("results", default="results")
def join(results: str) -> None:
    """Join the studies' replication.csv below RESULTS into one."""
    click.echo(_or_usage_error(join_replications, results))


def _or_usage_error(function, *arguments):
    try:
        return function(*arguments)
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def _report(findings: list[Finding], good: str, *, every: bool = False) -> None:
    for finding in findings:
        if every or not finding.ok:
            click.echo(f"{'ok   ' if finding.ok else 'WRONG'} {finding.path}: {finding.message}")
    wrong = sum(not finding.ok for finding in findings)
    click.echo(f"{len(findings) - wrong} of {len(findings)} files {good}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main(prog_name="python -m ludometrics.provenance")
