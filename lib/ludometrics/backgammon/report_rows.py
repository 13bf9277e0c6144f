"""The tables of a report as data, with all their digits, for the CSVs beside the page; and the table of a club."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from ludometrics.backgammon.assessment import Assessment
from ludometrics.backgammon.rates import Rate, elo, l7, level, pr
from ludometrics.backgammon.records import Library
from ludometrics.backgammon.report_data import PlayerReport
from ludometrics.backgammon.report_parts import Compared, Part
from ludometrics.backgammon.report_selection import all_players
from ludometrics.backgammon.results import count_results
from ludometrics.backgammon.tournament_matches import Persons


def rate_row(name: str, rate: Rate) -> dict:
    """A rate as columns: value, ends of the interval, decisions, units, note.

    Examples
    --------
    >>> rate_row("pr", Rate(4.5, None, None, 12, 2, "no interval"))["pr_note"]
    'no interval'
    """
    ends = ("", "_low", "_high", "_decisions", "_units", "_note")
    return {f"{name}{end}": value for end, value in zip(ends, rate, strict=True)}


def parts_frame(parts: Sequence[Part]) -> pd.DataFrame:
    """Rates by part of play; losses are fractions of a match."""
    rows = []
    for part in parts:
        row = {"part": part.name, **rate_row("pr", part.pr), **rate_row("l7", part.l7)}
        row |= {"level": level(part.pr.value), "elo": part.elo.value, "elo_low": part.elo.low}
        row |= {"elo_high": part.elo.high, "elo_floored": part.elo.floored}
        row |= {"errors": part.errors, "blunders": part.blunders, "avoidable": part.avoidable}
        row |= {"priced": part.priced, "loss": part.loss if part.priced else None}
        row |= {"difficulty": part.difficulty if part.priced else None, "ratio": part.ratio}
        rows.append(row)
    return pd.DataFrame(rows)


def rules_frame(rates: Mapping[str, Rate]) -> pd.DataFrame:
    """The rate of each counting rule."""
    return pd.DataFrame([{"rule": rule, **rate_row("rate", rate)} for rule, rate in rates.items()])


def references_frame(report: PlayerReport) -> pd.DataFrame:
    """The reference positions with their XGID, where they were met, and the plays."""
    views = report.reference_views
    found = report.references.frame().drop(columns="row")
    where = {
        "xgid": [view.xgid for view in views],
        "match": [_key(report.library, view.row) for view in views],
        "game": [int(report.library.decisions.game[view.row]) for view in views],
        "move": [int(report.library.decisions.move[view.row]) for view in views],
        "played": [view.played for view in views],
        "best": [view.best for view in views],
    }
    table = pd.concat([found, pd.DataFrame(where)], axis=1)
    table["plan"], table["theme"] = table["plan"].astype(str), table["theme"].astype(str)
    return table


def _key(library: Library, row: int) -> str:
    return library.matches[library.decisions.match[row]].key


def comparison_frame(compared: Sequence[Compared], names: tuple[str, str]) -> pd.DataFrame:
    """Two players side by side."""
    rows = []
    for each in compared:
        found = each.comparison
        row = {"rate": each.name, "player": names[0], **rate_row("value", found.here)}
        row |= {"other": names[1], **rate_row("other_value", found.usual)}
        row |= {"difference": found.difference, "difference_low": found.low, "difference_high": found.high}
        rows.append(row | {"verdict": found.verdict})
    return pd.DataFrame(rows)


CLUB = ("player", "aliases", "matches", "wins", "losses", "undecided", "level")


def club_frame(library: Library, assessment: Assessment, people: Persons | None = None) -> pd.DataFrame:
    """PR and L7 of everybody in a library, the lowest PR first, those without one last.

    Parameters
    ----------
    library : Library
    assessment : Assessment
        Of the same library.
    people : Persons, optional
        Who is who.

    Returns
    -------
    DataFrame
        One row a player: CLUB, then pr, l7 and elo with their intervals (L7 as a fraction), decisions, units and notes.
    """
    rows = []
    for player in all_players(library, people):
        mask = library.of_player(*player.names)
        results = count_results(library, *player.names)
        rate, lost = pr(library, assessment, mask), l7(library, assessment, mask)
        difference = elo(lost)
        others = [name for name in player.names if name != player.name.casefold()]
        row = {"player": player.name, "aliases": "; ".join(others)}
        row["matches"] = int((library.seats_of(*player.names) >= 0).sum())
        row["wins"] = results.matches.wins + results.money.wins
        row["losses"] = results.matches.losses + results.money.losses
        row["undecided"] = results.matches.undecided + results.money.undecided
        row |= {"level": level(rate.value), **rate_row("pr", rate), **rate_row("l7", lost)}
        row |= {"elo": difference.value, "elo_low": difference.low, "elo_high": difference.high}
        rows.append(row | {"elo_floored": difference.floored})
    table = pd.DataFrame(rows)
    if table.empty:
        return table
    table["pr"], table["l7"] = table["pr"].astype(float), table["l7"].astype(float)
    return table.sort_values(["pr", "player"], na_position="last", ignore_index=True)
