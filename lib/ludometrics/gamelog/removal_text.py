"""What forgetting and expiry say, in words: never with a player's name."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ludometrics.gamelog.drift import Drift
    from ludometrics.gamelog.expiry import Expired
    from ludometrics.gamelog.finding import Found, Hit
    from ludometrics.gamelog.forgetting import Forgotten
    from ludometrics.gamelog.removal import ExportsDone

#: Most places that are listed one by one.
MOST_LISTED = 50


def forgotten_text(done: Forgotten) -> str:
    """Say what `forget` did, or would do."""
    lines = []
    if done.is_blocked:
        lines.append("Nothing was changed: a file that cannot be read holds the name.")
    elif not done.is_known:
        lines.append(_unknown(done))
    else:
        lines += _changes(done)
    lines += _problems(done)
    lines += exports_lines(done.exports, dry_run=not done.done)
    lines += _left(done)
    if done.dry_run and done.is_known and not done.is_blocked:
        lines.append("Nothing has been changed yet: this was a trial run (--yes does it).")
    return "\n".join(lines)


def expired_text(done: Expired) -> str:
    """Say what `expire` did, or would do."""
    would = "would be " if done.dry_run else ""
    lines = [
        f"Games from before {done.first_kept} {would}deleted: those of days more than {count_of(done.days, 'day')} "
        f"ago in {done.time_zone}; those of {done.first_kept} itself are kept."
    ]
    for name, games in done.files.items():
        lines.append(f"  {name}: {'cannot be read' if games is None else count_of(games, 'game')}")
    if not done.files:
        lines.append("  No daily file is older.")
    for number, one, many in (
        (done.ledger_lines, "line of the ledger", "lines of the ledger"),
        (done.live_games, "open game of the page", "open games of the page"),
        (done.audit_entries, "entry of the audit", "entries of the audit"),
    ):
        if number:
            lines.append(f"  {count_of(number, one, many)}")
    lines += exports_lines(done.exports, dry_run=done.dry_run)
    if done.drift is not None and done.drift.changed:
        lines.append(f"Warning: {drift_text(done.drift, dry_run=done.dry_run)}")
        lines.append(
            "  Keep a table of ratings (export --what ratings) if they are to be compared over time."
        )
    lines += [f"Warning: {warning}" for warning in done.warnings]
    if done.dry_run:
        lines.append("Nothing has been changed yet: this was a trial run (--yes does it).")
    return "\n".join(lines)


def drift_text(drift: Drift, *, dry_run: bool) -> str:
    """Say how ratings change."""
    text = (
        f"ratings of {drift.changed} of {count_of(drift.players, 'player')} {'would ' * dry_run}change, by at most "
        f"{drift.largest_elo:.0f} points of Elo and {drift.largest_glicko:.0f} of Glicko"
    )
    return text + (
        f"; {drift.reset} of them {'would ' * dry_run}have no rated game left and begin anew"
        * bool(drift.reset)
    )


def exports_lines(exports: ExportsDone, *, dry_run: bool) -> list[str]:
    """Say what became of the exports."""
    would = "would be " if dry_run else ""
    lines = [f"Export {would}made anew: {path}" for path in exports.remade]
    lines += [f"Export {would}deleted, as none of its games is left: {path}" for path in exports.deleted]
    lines += [f"Export NOT made anew: {path}: {why}" for path, why in exports.failed]
    if exports.remade or exports.deleted or exports.failed:
        lines.append("  Whoever was given a copy of these tables must be told.")
    return lines


def hit_lines(hits: tuple[Hit, ...], *, indent: str = "  ") -> list[str]:
    """List places, a line each, the first of many."""
    lines = []
    for hit in hits[:MOST_LISTED]:
        place = ", ".join(filter(None, (hit.part, hit.where)))
        kind = "the name" if hit.kind == "name" else "in a longer text"
        lines.append(f"{indent}{hit.path}{f' ({place})' if place else ''}: {kind}, {hit.count} x")
    if len(hits) > MOST_LISTED:
        lines.append(f"{indent}and {len(hits) - MOST_LISTED} further places")
    return lines


def found_lines(found: Found) -> list[str]:
    """Say what was searched and what could not be."""
    lines = [f"{count_of(found.files, 'file')} searched."]
    if found.pictures:
        lines.append(
            f"{count_of(found.pictures, 'picture')} among them or in them: only the text stored with a picture is "
            "searched, not what it shows."
        )
    for path, part, why in found.unsearched[:MOST_LISTED]:
        lines.append(f"Not searched: {path}{f' ({part})' if part else ''}: {why}")
    if len(found.unsearched) > MOST_LISTED:
        lines.append(f"Not searched: {len(found.unsearched) - MOST_LISTED} further places")
    return lines


def count_of(number: int, one: str, many: str | None = None) -> str:
    """A number of things.

    Examples
    --------
    >>> count_of(1, "game"), count_of(2, "game"), count_of(2, "line of it", "lines of it")
    ('1 game', '2 games', '2 lines of it')
    """
    return f"{number} {one if number == 1 else many or f'{one}s'}"


def _unknown(done: Forgotten) -> str:
    near = f"{count_of(done.near, 'name')} in it {'is' if done.near == 1 else 'are'} spelt nearly so"
    return (
        "Nothing was changed: no saved game, assignment or game being played in this folder is of that name. "
        "It may be misspelt, its games may have expired or been removed before, or they may be in another folder; "
        f"{near if done.near else 'no name in it is spelt nearly so'}."
    )


def _changes(done: Forgotten) -> list[str]:
    would = "" if done.done else "would be "
    what = "deleted" if done.drop else "changed"
    lines = [f"{count_of(done.games, 'game')} in {count_of(len(done.files), 'file')} {would}{what}:"]
    lines += [f"  {name}: {games}" for name, games in done.files.items()]
    if done.uncounted:
        lines.append(
            f"  of them {would}deleted, as the name was a fault for which they never counted: {done.uncounted}"
        )
    if done.ledger_lines:
        lines.append(f"{count_of(done.ledger_lines, 'line')} of the ledger of versions {would}deleted.")
    if done.live_games:
        lines.append(
            f"{count_of(done.live_games, 'game')} of the page, being played or just over, {would}closed there."
        )
    if done.left_over:
        files = count_of(done.left_over, "file that a killed program left", "files that killed programs left")
        lines.append(f"{files} half-written {would}deleted.")
    if done.token:
        lines.append(f"The name is now {done.token}.")
    lines.append(_consequence(done))
    return lines


def _consequence(done: Forgotten) -> str:
    if done.drop:
        drift = drift_text(done.drift, dry_run=not done.done) if done.drift else "no rating changes"
        return f"The games go for the opponents too: {drift}."
    return (
        "The games stay under a random token, and no other player's rating changes. Whoever knows on which days, or "
        "against whom, the person played may still tell which games they were; to delete the games instead: --drop."
    )


def _problems(done: Forgotten) -> list[str]:
    lines = []
    for file, why, holds_name in done.problems:
        advice = (
            "it holds the name: mend it, or delete it, then run this again"
            if holds_name
            else "the name was not found in its bytes; look at it, and run this again once it is mended"
        )
        lines.append(f"Cannot be read: {file}: {why}; {advice}")
    return lines


def _left(done: Forgotten) -> list[str]:
    lines = []
    if done.left:
        lines.append("The name stands in other places, which you must see to yourself:")
        lines += hit_lines(done.left)
    lines += found_lines(done.search)
    lines.append("Backups, logs of the web server and copies that others have were not searched.")
    return lines
