"""What rating systems score on real logs, beside what other programs scored on the same games."""

import pandas as pd

from ludometrics.provenance import claim
from ludometrics.ratings.entrants import ENTRANTS

_EARLIER = "second half of the games, draws as half; measured with other code"
#: Log losses of other programs on the same 1,280 games, and our entrant that is held against each.
NFL_LOSSES = {
    "Elo, K = 32": (0.6568, "elo", _EARLIER),
    "Glicko-2": (0.6539, "glicko2", f"{_EARLIER}: riix 0.0.6, its defaults"),
    "Weng-Lin": (0.6585, "weng_lin", f"{_EARLIER}: riix 0.0.6, its defaults"),
    "Elo-Davidson": (0.6488, "davidson", f"{_EARLIER}: riix 0.0.6, its defaults"),
}
#: The best Glicko-1 of an earlier search over the same games: prior 100, growth 5.
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
        title = ENTRANTS[entrant].title if entrant in ENTRANTS else entrant.capitalize()
        row: dict[str, object] = {"log": log, "entrant": entrant, "title": title}
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
    """Hold losses that others measured on the football log against ours.

    Parameters
    ----------
    summary : DataFrame
        Of `headline_table`, with the log ``nfl``.
    grid : DataFrame
        Of `real_grids.grids_table`, with a column log.

    Returns
    -------
    list of dict
        Rows of `ludometrics.provenance.claim`.
    """
    own = summary[summary["log"] == "nfl"].set_index("entrant")
    rows = []
    for name, (published, entrant, note) in NFL_LOSSES.items():
        ours = own.loc[entrant, ["log_loss", "log_loss_low", "log_loss_high"]]
        rows.append(
            claim(f"log loss of {name} on NFL games", published, *ours, own.loc[entrant, "n"], note=note)
        )
    accuracy = own.loc["elo", ["accuracy", "accuracy_low", "accuracy_high"]]
    rows.append(
        claim("accuracy of Elo, K = 32 on NFL games", 0.62, *accuracy, own.loc["elo", "n"], note=_EARLIER)
    )
    published, setting = NFL_GLICKO1
    one = grid[(grid["log"] == "nfl") & (grid["setting"] == setting)].iloc[0]
    ours = (one["loss"], one["loss_low"], one["loss_high"])
    note = f"{_EARLIER}; prior 100, growth 5 a day^0.5"
    rows.append(claim("log loss of the best Glicko-1 on NFL games", published, *ours, one["n"], note=note))
    return rows
