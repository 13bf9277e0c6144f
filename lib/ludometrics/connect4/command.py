"""What the commands do: settings read from text, a run with its evaluations, a network file measured."""

from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path

import pandas as pd

from ludometrics.connect4.compiled_settings import CompiledSettings
from ludometrics.connect4.network import ValueNetwork
from ludometrics.connect4.recipe import Recipe
from ludometrics.connect4.training import evaluation_seed, train
from ludometrics.connect4.weights_file import load_network, read_published
from ludometrics.provenance import write_bytes

TRAINERS = {"compiled": CompiledSettings, "published": Recipe}


def describe_settings() -> str:
    """List the settings of both trainers with their defaults, for the help text."""
    parts = []
    for name, kind in TRAINERS.items():
        defaults = ", ".join(f"{field.name}={field.default}" for field in fields(kind))
        parts.append(f"Settings of the {name} trainer: {defaults}.")
    return "\n\n".join(parts)


def parse_settings(trainer: str, changes: Sequence[str]) -> CompiledSettings | Recipe:
    """Read settings from NAME=VALUE, each as its default's type.

    Raises
    ------
    ValueError
        No equals sign, an unknown name, or a value of another type or outside its range.

    Examples
    --------
    >>> parse_settings("compiled", ["batch=2000", "epsilon=0.2"]).batch
    2000
    """
    kind = TRAINERS[trainer]
    defaults = kind()
    read: dict[str, object] = {}
    for change in changes:
        name, equals, text = change.partition("=")
        if not equals:
            raise ValueError(f"--set {change}: wanted is NAME=VALUE, such as batch=2000")
        before = getattr(defaults, name, None)
        if name not in {field.name for field in fields(kind)}:
            known = ", ".join(sorted(field.name for field in fields(kind)))
            raise ValueError(f"--set {change}: no setting is called {name!r}; allowed are {known}")
        read[name] = _read_value(change, text, before)
    return defaults.with_changes(**read)


def _read_value(change: str, text: str, before: object) -> object:
    if isinstance(before, bool):
        words = {"true": True, "false": False, "1": True, "0": False}
        if text.lower() not in words:
            raise ValueError(f"--set {change}: true or false is wanted")
        return words[text.lower()]
    if isinstance(before, str):
        return text
    try:
        return int(text.replace("_", "")) if isinstance(before, int) else float(text)
    except ValueError:
        wanted = "a whole number" if isinstance(before, int) else "a number"
        raise ValueError(f"--set {change}: {wanted} is wanted") from None


def read_network(path: str | Path) -> ValueNetwork:
    """Read a network: a file of ours (.npz), or the published layout (.pt).

    Raises
    ------
    ValueError
        A file that is neither, or is broken: the message names it.
    """
    return read_published(path) if Path(path).suffix == ".pt" else load_network(path)


def read_pairings(names: Sequence[str], *, quick: bool) -> tuple | None:
    """Read which opponents are met: all pairings (None), the three quick ones, or those named, on both sides.

    Raises
    ------
    ValueError
        An unknown opponent, a rate of error that is none.
    """
    from ludometrics.connect4.arena import QUICK_PAIRINGS, Pairing

    if quick:
        return QUICK_PAIRINGS
    if not names:
        return None
    found = []
    for text in names:
        name, colon, error = text.partition(":")
        try:
            rate = float(error) if colon else 0.0
        except ValueError:
            raise ValueError(f"--opponent {text}: {error!r} is no probability of an error") from None
        found += [Pairing(name, side, rate) for side in ("first", "second")]
    return tuple(found)


def evaluate_file(
    weights: Path,
    *,
    pairings: Sequence | None,
    games: int,
    seed: int,
    workers: int,
    out: Path | None = None,
    moves_out: Path | None = None,
) -> pd.DataFrame:
    """Measure the network of a file; tables are written only when all games are played.

    Raises
    ------
    ValueError
        A file that is no network.
    """
    from ludometrics.connect4.arena import record_games, summarise

    network = read_network(weights)
    played = record_games(network, pairings, games, seed=seed, workers=workers, progress=True)
    table = summarise(played, seed=seed)
    if out is not None:
        write_bytes(out, _as_csv(table))
    if moves_out is not None:
        write_bytes(moves_out, _as_csv(played.drop(columns=["own_s", "opponent_s"])))
    return table


def train_run(
    *,
    trainer: str,
    changes: CompiledSettings | Recipe,
    out: Path,
    moves: int,
    seed: int,
    evaluations: int,
    games: int,
    quick: bool,
    workers: int,
    checkpoint_every: int,
    resume: bool,
    device: str,
) -> pd.DataFrame:
    """Train with either trainer, evaluating on the way.

    Returns
    -------
    DataFrame
        Rows of arena.csv; those of metrics.csv where nothing was evaluated.

    Raises
    ------
    ValueError
        Settings or a budget outside their range; a folder that holds another run.
    """

    def evaluate(network: ValueNetwork, number: int) -> pd.DataFrame:
        from ludometrics.connect4.arena import QUICK_PAIRINGS, play_games

        chosen = QUICK_PAIRINGS if quick else None
        return play_games(network, chosen, games, seed=evaluation_seed(seed, number), workers=workers)

    train(
        changes,
        seed=seed,
        moves=moves,
        folder=out,
        name=trainer,
        evaluations=evaluations,
        evaluate=evaluate,
        checkpoint_every=checkpoint_every,
        resume=resume,
        device=device,
        progress=True,
    )
    table = out / ("arena.csv" if evaluations else "metrics.csv")
    return pd.read_csv(table)


def _as_csv(table: pd.DataFrame) -> bytes:
    return table.to_csv(index=False, float_format="%.10g", lineterminator="\n").encode()
