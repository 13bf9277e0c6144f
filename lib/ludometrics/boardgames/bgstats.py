"""Exports of the app BG Stats: one, or several of the same group merged.

The format has no version and no public description; what is read here was measured on real files of 2021 to 2026.
Unknown keys are passed over and nearly every key may be missing. A row that cannot be read is left out with the reason;
a play that refers to what the file does not hold stays in the log (`Play.missing`).
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from ludometrics.boardgames.assembly import assemble, plays_by_person
from ludometrics.boardgames.bgstats_rows import Dated, Export, read_rows
from ludometrics.boardgames.export_file import load_export
from ludometrics.boardgames.records import LeftOut, Play, PlayLog

_ONE = {"games": "the game", "players": "the person"}
_Deleted = Mapping[tuple[str, str], datetime]


def read_export(path: str | os.PathLike[str]) -> PlayLog:
    """Read one export.

    Parameters
    ----------
    path : path

    Returns
    -------
    PlayLog
        Equal for the same content in any order.

    Raises
    ------
    ValueError
        Naming the file, what is wrong and where: no export, no play, or none that can be read.
    """
    return read_exports([path])


def read_exports(paths: Sequence[str | os.PathLike[str]]) -> PlayLog:
    """Read exports of one group, each row once: by its uuid, in the state that was changed last.

    What one export lists as deleted is left out, unless another holds a later state of it. People and games that were
    deleted stay, with a warning, where plays still need them.

    Parameters
    ----------
    paths : sequence of path
        At least one; their order does not count.

    Returns
    -------
    PlayLog

    Raises
    ------
    ValueError
        As of `read_export`; one file at fault stops all.
    """
    if not paths:
        raise ValueError("no export is given: at least one is needed")
    exports = []
    for path in paths:
        export = read_rows(load_export(path), Path(path).name, alone=len(paths) == 1)
        _check_export(export, path)
        exports.append(export)
    return _merge(exports)


def _check_export(export: Export, path: str | os.PathLike[str]) -> None:
    """Raise where nothing of a file is of use."""
    if not export.plays:
        where, reason = next(row for row in export.left_out if row.where.startswith("plays"))
        raise ValueError(f"{path}: no play can be read; {where}: {reason}")
    plays = [row.item for row in export.plays]
    seated = [play for play in plays if play.seats]
    strangers = [play.missing[-1] for play in seated if not any(seat.person for seat in play.seats)]
    gameless = [play.missing[0] for play in plays if not play.game]
    for field, table, unknown, of in (
        ("gameRefId", "games", gameless, plays),
        ("playerRefId", "players", strangers, seated),
    ):
        if of and len(unknown) == len(of):
            raise ValueError(
                f"{path}: no {field} of its {len(of)} plays stands among {table} (not {min(unknown)}): is it put "
                "together from several exports?"
            )


def _merge(exports: Sequence[Export]) -> PlayLog:
    deleted = _latest_deletions(exports)
    prefix = {export.name: f"{export.name}: " if len(exports) > 1 else "" for export in exports}
    left_out = [
        LeftOut(prefix[export.name] + where, why) for export in exports for where, why in export.left_out
    ]
    games, people, plays = (_newest(exports, table, left_out) for table in ("games", "players", "plays"))
    kept = {}
    for key, row in plays.items():
        if _is_deleted(deleted, "plays", row):
            left_out.append(LeftOut(f"plays, uuid {key}", _when(deleted["plays", key])))
        else:
            kept[key] = row.item
    if not kept:
        names = ", ".join(sorted(export.name for export in exports))
        raise ValueError(f"{names}: every play is listed as deleted")
    warnings = {prefix[export.name] + warning for export in exports for warning in export.warnings}
    played = (plays_by_person(kept.values()), _plays_by_game(kept.values()))
    for table, rows, counts in (("players", people, played[0]), ("games", games, played[1])):
        _drop_deleted(table, rows, counts, deleted, left_out, warnings)
    owners = {export.owner for export in exports if export.owner in people}
    if len(owners) > 1:
        warnings.add(
            f"the exports are of {len(owners)} owners: nobody's plays before the log began are counted"
        )
    return assemble(
        {key: row.item for key, row in games.items()},
        {key: row.item for key, row in people.items()},
        kept.values(),
        source=", ".join(sorted({export.name for export in exports})),
        owner=owners.pop() if len(owners) == 1 else "",
        left_out=left_out,
        warnings=warnings,
    )


def _newest(exports: Sequence[Export], table: str, left_out: list[LeftOut]) -> dict[str, Dated]:
    """Newest state of each row; how many older ones, or equal ones, there are goes to what is left out."""
    found: dict[str, tuple[Dated, Export]] = {}
    copies = 0
    for export in exports:
        for row in {"games": export.games, "players": export.people, "plays": export.plays}[table]:
            key = row.item.key
            other = found.get(key)
            copies += other is not None
            if other is None or _age(row, export) > _age(*other):
                found[key] = row, export
    if copies:
        kind = "copies" if copies > 1 else "copy"
        left_out.append(LeftOut(table, f"{copies} older or equal {kind} of other rows"))
    return {key: row for key, (row, _) in found.items()}


def _age(row: Dated, export: Export) -> tuple[datetime, int, datetime, str]:
    """What decides between two states of a row; the content comes last, so that the order of files never does."""
    missing = len(row.item.missing) if isinstance(row.item, Play) else 0
    return row.modified or datetime.min, -missing, export.exported or datetime.min, repr(row.item)


def _latest_deletions(exports: Sequence[Export]) -> dict[tuple[str, str], datetime]:
    latest: dict[tuple[str, str], datetime] = {}
    for export in exports:
        for table, key, at in export.deletions:
            at = at or datetime.max
            latest[table, key] = max(latest.get((table, key), at), at)
    return latest


def _is_deleted(deleted: _Deleted, table: str, row: Dated) -> bool:
    at = deleted.get((table, row.item.key))
    return at is not None and at >= (row.modified or datetime.min)


def _when(at: datetime) -> str:
    return "deleted" if at == datetime.max else f"deleted on {at}"


def _drop_deleted(
    table: str,
    rows: dict[str, Dated],
    played: Mapping[str, int],
    deleted: _Deleted,
    left_out: list[LeftOut],
    warnings: set[str],
) -> None:
    """Take deleted people or games out of `rows`, unless a play needs them."""
    for key, row in list(rows.items()):
        if not _is_deleted(deleted, table, row):
            continue
        when = _when(deleted[table, key])
        if count := played.get(key, 0):
            plays = "1 play needs" if count == 1 else f"{count} plays need"
            warnings.add(f"{_ONE[table]} {row.item.name!r} was {when}, but {plays} it: kept")
        else:
            del rows[key]
            left_out.append(LeftOut(f"{table}, {row.item.name!r}", when))


def _plays_by_game(plays: Iterable[Play]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for play in plays:
        counts[play.game] = counts.get(play.game, 0) + 1
    return counts
