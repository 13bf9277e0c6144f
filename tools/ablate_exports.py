"""Ablate the board-game engine on several groups' exports, and keep nothing of them but sums.

    python tools/ablate_exports.py EXPORT... --out data/board_night_real_exports.csv \\
        --reasons data/board_night_real_reasons.csv

One row an export (numbered, not named), preset and mechanism, and one for all exports together, whose plays are pooled;
and how many plays of each export are rated, and how many are not, by reason.
"""

from pathlib import Path

import click
import numpy as np
import pandas as pd
from tqdm import tqdm

from ludometrics.boardgames import count_reasons, finish_all, game_weights, preset, rate_log, read_log
from ludometrics.boardgames.ablation import MECHANISMS, SKILL, forecast_both
from ludometrics.boardgames.loss_tables import Replays, tabulate_pairs
from ludometrics.boardgames.settings import PRESETS
from ludometrics.evaluation import cluster_interval, give_verdict
from ludometrics.provenance import named_stream, write_bytes

POOLED = "all"


@click.command(help=__doc__)
@click.argument(
    "exports", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path)
)
@click.option("--out", required=True, type=click.Path(dir_okay=False, path_type=Path), help="CSV to write.")
@click.option("--reasons", type=click.Path(dir_okay=False, path_type=Path), help="CSV of plays not rated.")
@click.option(
    "--replicates", default=2000, show_default=True, type=click.IntRange(100), help="Of each bootstrap."
)
@click.option("--seed", default=2026, show_default=True, type=click.IntRange(0), help="Of the bootstraps.")
def main(exports: tuple[Path, ...], out: Path, reasons: Path | None, replicates: int, seed: int) -> None:
    rows = []
    for name in PRESETS:
        base = preset(name, gate=True)
        logs = [read_log([path]) for path in tqdm(exports, desc=name)]
        replays = [Replays.of(rate_log(log, base, weights=game_weights(log.games, base))) for log in logs]
        for mechanism in MECHANISMS:
            if mechanism.name == SKILL:  # nobody's skill table comes with an export
                continue
            differences, changed = zip(*(_differences(one, base, mechanism) for one in replays), strict=True)
            numbered = [*((str(n), values) for n, values in enumerate(differences, start=1))]
            for export, values in [*numbered, (POOLED, np.concatenate(differences))]:
                rng = named_stream(seed, f"{name} {mechanism.name} {export}")
                found = cluster_interval(values, None, replicates=replicates, rng=rng)
                share = np.mean(changed) if export == POOLED else changed[int(export) - 1]
                verdict = give_verdict(found.low, found.high)
                rows.append((name, mechanism.name, export, *found, verdict, share))
    names = ["preset", "mechanism", "export", "difference", "low", "high", "n", "verdict", "changed"]
    text = pd.DataFrame(rows, columns=names).to_csv(index=False, float_format="%.6g", lineterminator="\n")
    click.echo(write_bytes(out, text.encode("utf-8")))

    if reasons is not None:
        click.echo(_write_reasons(exports, reasons))


def _write_reasons(exports: tuple[Path, ...], out: Path) -> Path:
    parts = []
    for number, path in enumerate(exports, start=1):
        log = read_log([path])
        for name in PRESETS:
            outcomes = finish_all(log, preset(name))
            counted = count_reasons(log, outcomes)[["reason", "plays"]]
            rated = pd.DataFrame({"reason": ["rated"], "plays": [len(log.plays) - counted["plays"].sum()]})
            part = pd.concat([rated, counted]).assign(export=number, logged=len(log.plays), preset=name)
            parts.append(part[["export", "logged", "preset", "reason", "plays"]])
    text = pd.concat(parts).to_csv(index=False, lineterminator="\n")
    return write_bytes(out, text.encode("utf-8"))


def _differences(replays: Replays, base, mechanism) -> tuple[np.ndarray, float]:
    """Log loss with a mechanism less that without it, a play, and the share of pairs whose forecast it changes."""
    both = forecast_both(replays, base, mechanism, {}, rng=named_stream(0, "nothing is drawn"))
    table = tabulate_pairs(both)
    losses = table.rows("play")[0]
    return losses[:, 0] - losses[:, 1], float((table.losses[:, 0] != table.losses[:, 1]).mean())


if __name__ == "__main__":
    main()
