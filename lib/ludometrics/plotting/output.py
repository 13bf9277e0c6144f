"""Figures on disk: SVG, PDF and PNG whose bytes repeat, a caption and a sidecar beside them."""

import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path

import click
import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.figure import Figure

from ludometrics.plotting.style import use_style
from ludometrics.provenance import read_table, resolve, write_bytes
from ludometrics.provenance.sidecar import compose_sidecar

# Dates and program versions inside a file would make it differ from run to run.
_METADATA: dict[str, Mapping[str, None]] = {
    "svg": {"Date": None},
    "pdf": {"CreationDate": None},
    "png": {"Software": None},
}


def save_figure(
    figure: Figure, path: str | Path, *, caption: str, inputs: Iterable[str | Path] = ()
) -> list[Path]:
    """Save a figure as SVG, PDF and PNG with its caption and sidecar.

    Parameters
    ----------
    figure : Figure
        Drawn with `new_figure`; closed afterwards.
    path : str or Path
        Where to, without an ending.
    caption : str
        What is shown, n, and what the interval is; written to ``<path>.txt``.
    inputs : paths
        The tables that were drawn, for the sidecar.

    Returns
    -------
    list of Path
        The four files and the sidecar, all drawn before the first is written. The same figure gives the same
        bytes with the same Matplotlib.

    Raises
    ------
    ValueError
        An empty caption.

    Source
    ------
    Own.
    """
    path = resolve(path)
    caption = " ".join(caption.split())
    if not caption:
        raise ValueError(f"{path.name}: a figure needs a caption that says what is shown, n and the interval")
    contents = {}
    for kind, metadata in _METADATA.items():
        buffer = io.BytesIO()
        with plt.rc_context({"svg.hashsalt": "ludometrics"}):
            figure.savefig(buffer, format=kind, metadata=metadata)
        contents[f"{path.name}.{kind}"] = buffer.getvalue()
    plt.close(figure)
    contents[f"{path.name}.txt"] = f"{caption}\n".encode()
    hashes = {name: sha256(content).hexdigest() for name, content in contents.items()}
    contents[f"{path.name}.json"] = compose_sidecar(hashes, inputs=map(resolve, inputs))
    return [write_bytes(path.with_name(name), content) for name, content in contents.items()]


def run_figure(
    script: str,
    draw: Callable[..., tuple[Figure, str]],
    tables: Sequence[str],
    arguments: list[str] | None = None,
) -> None:
    """Be the command line of a figure script: read its tables, draw, save.

    Parameters
    ----------
    script : str
        ``__file__`` of the script; its name is the figure's.
    draw : callable
        Takes the tables as data frames, in order; returns the figure and its caption. It computes nothing that
        a table could hold.
    tables : sequence of str
        CSVs relative to the folder of results. The engine reads this list from the script too.
    arguments : list of str, optional
        In place of the process's own.

    Source
    ------
    Own.
    """

    @click.command(help=draw.__doc__)
    @click.option("--results", default="results", show_default=True, help="Folder that holds the tables.")
    @click.option("--out", default="figures", show_default=True, help="Folder the figure is written to.")
    def command(results: str, out: str) -> None:
        # Speed is measured by `make bench` alone, whatever profile the studies are run in.
        folders = ("results" if table.startswith("bench/") else results for table in tables)
        paths = [resolve(folder) / table for folder, table in zip(folders, tables, strict=True)]
        try:
            frames: list[pd.DataFrame] = [read_table(path) for path in paths]
        except ValueError as error:
            raise click.UsageError(str(error)) from None
        plt.switch_backend("agg")
        use_style()
        figure, caption = draw(*frames)
        for path in save_figure(figure, Path(out) / Path(script).stem, caption=caption, inputs=paths):
            click.echo(path)

    command.main(args=arguments, prog_name=f"python figures/{Path(script).name}", standalone_mode=True)
