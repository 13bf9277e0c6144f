"""What rating systems score on real logs, beside what other programs scored on the same games."""

import pandas as pd

from ludometrics.provenance import claim
from ludometrics.ratings.entrants import title_of

#: Log losses that other programs had on the same 1,280 games (the second half, draws as half), and our entrant that is
#: held against each. Those of riix 0.0.6 are with its defaults.
NFL_LOSSES = {
    "riix, Glicko-2": (0.6539, "glicko2"),
    "riix, TrueSkill": (0.6636, "weng_lin"),
    "riix, Weng-Lin": (0.6585, "weng_lin"),
    "riix, Elo-Davidson": (0.6488, "davidson"),
}
#: Numbers of an earlier search over the same games that follow from the log and the formulas alone.
NFL_ELO_LOSS, NFL_ELO_ACCURACY = 0.6568, 0.620
NFL_GLICKO1 = (0.6543, "start_deviation 100, growth 5")


def headline_table(measures: pd.DataFrame, differences: pd.DataFrame) -> pd.DataFrame:
    """One row a log and entrant: its losses with intervals, and how it compares with the coin and with Elo.

    Parameters
    ----------
    measures, differences : DataFrame
        Of `trial.measures_table` and `trial.differences_table`, with a column log.

    Returns
    -------
    DataFrame
        log, entrant, title; log_loss (all games, draws as half), brier, accuracy (decisive games) and slope, each with
        its interval; from_coin and from_elo (paired differences of log loss) with interval and verdict; n (units);
        games. Sorted by log and log loss.
    """
    rows = []
    chosen = {"log_loss": "all", "brier": "all", "accuracy": "decisive", "slope": "all"}
    for (log, entrant), group in measures.groupby(["log", "entrant"], sort=False):
        row: dict[str, object] = {"log": log, "entrant": entrant, "title": title_of(entrant)}
        for measure, games_of in chosen.items():
            one = group[(group["measure"] == measure) & (group["games_of"] == games_of)].iloc[0]
            row |= {measure: one["value"], f"{measure}_low": one["low"], f"{measure}_high": one["high"]}
        for baseline in ("coin", "elo"):
            pair = (differences["log"] == log) & (differences["baseline"] == baseline)
            found = differences[pair & (differences["entrant"] == entrant)]
            names = ("difference", "low", "high", "verdict")
            values = found.iloc[0][list(names)] if len(found) else (0.0, 0.0, 0.0, "itself")
            row |= dict(
                zip(
                    (f"from_{baseline}{end}" for end in ("", "_low", "_high", "_verdict")),
                    values,
                    strict=True,
                )
            )
        whole = group[(group["measure"] == "log_loss") & (group["games_of"] == "all")].iloc[0]
        rows.append(row | {"n": whole["n"], "games": whole["games"]})
    return pd.DataFrame(rows).sort_values(["log", "log_loss"], kind="stable", ignore_index=True)


def nfl_claims(summary: pd.DataFrame, grid: pd.DataFrame) -> list[dict]:
    """Hold numbers that others measured on the football log against ours: same games, same formulas, so exact.

    Parameters
    ----------
    summary : DataFrame
        Of `headline_table`, with the log ``nfl``.
    grid : DataFrame
        Of `real_grids.grids_table`, with a column log.

    Returns
    -------
    list of dict
        Rows of `ludometrics.provenance.claim`; the published interval is its rounding.
    """
    own = summary[(summary["log"] == "nfl") & (summary["entrant"] == "elo")].iloc[0]
    published, setting = NFL_GLICKO1
    one = grid[(grid["log"] == "nfl") & (grid["setting"] == setting)].iloc[0]
    cases = (
        ("log loss of Elo, K = 32, on NFL games", NFL_ELO_LOSS, 0.00005, own["log_loss"], own["games"]),
        ("accuracy of Elo, K = 32, on NFL games", NFL_ELO_ACCURACY, 0.0005, own["accuracy"], own["games"]),
        (
            "log loss of Glicko-1, prior 100, growth 5, on NFL games",
            published,
            0.00005,
            one["loss"],
            own["games"],
        ),
    )
    return [
        claim(
            text,
            value,
            ours,
            ours,
            ours,
            int(n),
            published_low=value - rounding,
            published_high=value + rounding,
            note="second half of the games, draws as half; the same games and formulas: the interval is rounding",
        )
        for text, value, rounding, ours, n in cases
    ]


def bounds_table(summary: pd.DataFrame) -> pd.DataFrame:
    """Set log losses of other programs on the football log beside those of our entrants as they come.

    Parameters
    ----------
    summary : DataFrame
        Of `headline_table`.

    Returns
    -------
    DataFrame
        reference, reference_loss, entrant, loss, difference (ours less theirs), reached (1 where ours is no larger);
        the last row sets their best beside our best. Empty without the log ``nfl``.
    """
    own = summary[(summary["log"] == "nfl") & (summary["entrant"] != "coin")].set_index("entrant")["log_loss"]
    rows = [(name, loss, entrant) for name, (loss, entrant) in NFL_LOSSES.items()] if len(own) else []
    if rows:
        rows.append(("best of these", min(loss for _, loss, _ in rows), own.idxmin()))
    table = pd.DataFrame(rows, columns=["reference", "reference_loss", "entrant"])
    table["loss"] = own.reindex(table["entrant"]).to_numpy()
    table["difference"] = table["loss"] - table["reference_loss"]
    table["reached"] = (table["difference"] <= 0).astype(int)
    return table
