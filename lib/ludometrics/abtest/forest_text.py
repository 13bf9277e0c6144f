"""Each player of a test as a line of text, with a small bar."""

import math

import pandas as pd

from ludometrics.abtest.effects import Effect
from ludometrics.abtest.layout import bar, shown, table
from ludometrics.abtest.verdicts import in_points

#: Players that are shown, those with most games first.
MOST_SHOWN = 30
NAME_WIDTH, BAR_WIDTH = 18, 25


def forest_lines(players: pd.DataFrame, unit: str, effect: Effect) -> list[str]:
    """Set out each player's scores: the difference where players met both versions, else the mean score.

    Parameters
    ----------
    players : DataFrame
        As `breakdown.player_table` gives it.
    unit : {"between", "within"}
    effect : Effect
        Of all together, for the last line.

    Returns
    -------
    list of str
        A heading and a table; empty without players.

    Source
    ------
    Own.

    Examples
    --------
    >>> row = {"player": "Ann", "rating": 1200.0, "games_a": 0, "games_b": 4, "mean_a": math.nan, "mean_b": 0.25}
    >>> print("\\n".join(forest_lines(pd.DataFrame([row]), "between", Effect(*[math.nan] * 6))))
    Players (mean score in points, on a scale from 0 to 100)
      player  version  games  rating  score
      Ann     B            4    1200   25.0  |-----o
    """
    if not len(players):
        return []
    part = players.head(MOST_SHOWN)
    lines = _differences(part, effect) if unit == "within" else _means(part)
    if len(players) > len(part):
        lines.append(f"  ... and {len(players) - len(part)} more (all in the JSON)")
    return lines


def _differences(players: pd.DataFrame, effect: Effect) -> list[str]:
    values = pd.concat([players["low"], players["high"], players["difference"]]).abs()
    most = 1.0 if values.isna().all() else min(1.0, max(0.1, math.ceil(float(values.max()) * 10.0) / 10.0))
    rows = [["player", "games A+B", "A", "B", "B - A", "range", ""]]
    for row in players.itertuples():
        known = [row.mean_a, row.mean_b, row.difference]
        games = f"{row.games_a}+{row.games_b}"
        rows.append([shown(row.player, NAME_WIDTH), games, *map(_points, known), *_drawn(row, most)])
    total = f"{players['games_a'].sum()}+{players['games_b'].sum()}"
    low, high, middle = effect.low, effect.high, effect.estimate
    overall = pd.Series({"low": low, "high": high, "difference": middle})
    rows.append(["together", total, "", "", _points(middle), *_drawn(overall, most)])
    scale = f"bar from {in_points(-most, 0)} to {in_points(most, 0)}, | is zero"
    return [f"Players (points; {scale})", *table(rows, "<>>>>><", indent="  ")]


def _drawn(row, most: float) -> list[str]:
    range_ = "" if math.isnan(row.low) else f"{in_points(row.low)} to {in_points(row.high)}"
    return [range_, bar(row.low, row.difference, row.high, least=-most, most=most, width=BAR_WIDTH)]


def _means(players: pd.DataFrame) -> list[str]:
    rows = [["player", "version", "games", "rating", "score", ""]]
    for row in players.itertuples():
        for version, games, mean in (("A", row.games_a, row.mean_a), ("B", row.games_b, row.mean_b)):
            if games:
                rating = "-" if math.isnan(row.rating) else f"{row.rating:.0f}"
                drawn = bar(0.0, mean, mean, least=0.0, most=1.0, width=BAR_WIDTH)
                cells = [shown(row.player, NAME_WIDTH), version, str(games), rating, _points(mean), drawn]
                rows.append(cells)
    heading = "Players (mean score in points, on a scale from 0 to 100)"
    return [heading, *table(rows, "<<>>><", indent="  ")]


def _points(value: float) -> str:
    return "-" if math.isnan(value) else in_points(value)
