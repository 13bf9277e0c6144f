"""What the cells of the A/B study say together: alarms, coverage, power, looks, and the course's two experiments."""

import math

import numpy as np
import pandas as pd

from ludometrics.abtest.naive import naive_difference
from ludometrics.evaluation import share_interval
from ludometrics.evaluation.intervals import NORMAL_95

TITLES = {
    "naive": "the course's",
    "default": "ours",
    "sequence": "confidence sequence",
    "cluster": "statsmodels, clustered",
    "tea_games": "tea-tasting, games",
    "tea_players": "tea-tasting, players",
}
#: Bounds within which alarms and coverage of a method that keeps its 5 % should lie.
ALARMS, COVERAGE = (0.035, 0.065), (0.935, 0.965)
#: The course's two experiments: mean and games of A and of B, and the design of each.
EXPERIMENTS = {
    "first": (51, 7.5 / 51, 73, 22.5 / 73, "names_matching"),
    "second": (128, 25.5 / 128, 128, 14.0 / 128, "alternate_fixed"),
}


def add_blocks(table: pd.DataFrame, key: list[str]) -> pd.DataFrame:
    """Add up blocks of replications.

    Parameters
    ----------
    table : DataFrame
        Counts and sums of blocks, with a column replication.
    key : list of str

    Returns
    -------
    DataFrame
        One row a key.

    Examples
    --------
    >>> blocks = pd.DataFrame({"method": ["a", "a"], "replication": [0, 10], "trials": [10, 20]})
    >>> add_blocks(blocks, ["method"])["trials"].tolist()
    [30]
    """
    return table.drop(columns="replication").groupby(key, as_index=False, sort=False).sum()


def rates_table(methods: pd.DataFrame, key: list[str]) -> pd.DataFrame:
    """Rates of verdicts, of differences and of coverage, with intervals over trials.

    Parameters
    ----------
    methods : DataFrame
        Of `ab_grids.methods_grid` or `ab_grids.power_grid`, all blocks and designs.
    key : list of str
        What a row is of, with "method" last.

    Returns
    -------
    DataFrame
        The key; trials, verdicts, verdict_share; difference with low and high (share of verdicts that are of a
        difference), difference_of_all (share of trials); coverage with low and high; width, estimate, true_effect,
        bias,
        sd (of estimates), all in score; found (mean estimate where a difference is found), exaggeration (found over the
        true effect there), wrong_sign (share of differences found in the wrong direction), by_range and by_p (shares of
        verdicts), games (mean).
    """
    rows = []
    for row in add_blocks(methods, key).to_dict("records"):
        n, verdicts, ranges, found = (
            int(row[name]) for name in ("trials", "verdicts", "ranges", "differences")
        )
        rows.append(
            {name: row[name] for name in key}
            | {"trials": n, "verdicts": verdicts, "verdict_share": verdicts / n}
            | _share("difference", found, verdicts)
            | {"difference_of_all": found / n}
            | _share("coverage", int(row["covered"]), ranges)
            | {
                "width": _ratio(row["width"], ranges),
                "estimate": _ratio(row["estimate"], verdicts),
                "true_effect": _ratio(row["true_effect"], verdicts),
                "bias": _ratio(row["estimate"] - row["true_effect"], verdicts),
                "sd": math.sqrt(
                    max(
                        0.0,
                        _ratio(row["estimate_squared"], verdicts) - _ratio(row["estimate"], verdicts) ** 2,
                    )
                )
                if verdicts
                else math.nan,
                "found": _ratio(row["found"], found),
                "exaggeration": _ratio(row["found"], row["found_true"])
                if abs(row["found_true"]) > 1e-12
                else math.nan,
                "wrong_sign": _ratio(found - row["right"], found) if row["true_effect"] else math.nan,
                "by_range": _ratio(row["by_range"], verdicts),
                "by_p": _ratio(row["by_p"], verdicts),
                "games": row["games"] / n,
            }
        )
    return pd.DataFrame(rows)


def bars_table(rates: pd.DataFrame) -> pd.DataFrame:
    """Where the default analysis keeps its 5 %, and where not.

    Parameters
    ----------
    rates : DataFrame
        Of `rates_table` by design, players, truth and method.

    Returns
    -------
    DataFrame
        One row a design, number of players and truth in which it gives verdicts: verdicts; alarms (without a
        difference) and coverage with their bounds; alarms_kept and coverage_kept ("yes", "low", "high"; alarms "-"
        where there is a difference).
    """
    own = rates[(rates["method"] == "default") & (rates["verdicts"] > 0)]
    rows = []
    for row in own.itertuples(index=False):
        none = row.truth == "none"
        rows.append(
            {
                "design": row.design,
                "players": row.players,
                "truth": row.truth,
                "verdicts": row.verdicts,
                "alarms": row.difference if none else math.nan,
                "alarms_kept": _kept(row.difference, ALARMS) if none else "-",
                "coverage": row.coverage,
                "coverage_kept": _kept(row.coverage, COVERAGE),
            }
        )
    return pd.DataFrame(rows)


def looks_table(looks: pd.DataFrame) -> pd.DataFrame:
    """Shares of trials with a difference at each look, and at that or any look before.

    Returns
    -------
    DataFrame
        design, players, truth, method, look; trials; at and ever with low and high; wrong (ranges that have left out
        the truth) with low and high; games (mean at this look).
    """
    key = ["design", "players", "truth", "method", "look"]
    rows = []
    for row in add_blocks(looks, key).to_dict("records"):
        n = int(row["trials"])
        rows.append(
            {name: row[name] for name in key}
            | {"trials": n}
            | _share("at", int(row["at"]), n)
            | _share("ever", int(row["ever"]), n)
            | _share("wrong", int(row["wrong"]), n)
            | {"games": row["games"] / n}
        )
    return pd.DataFrame(rows)


def course_table(course: pd.DataFrame) -> pd.DataFrame:
    """The parts of the difference between the course's groups.

    Returns
    -------
    DataFrame
        design, truth, quantity; n (runs), mean with low and high (95 % interval of the mean), sd (of a run).
    """
    rows = []
    for row in add_blocks(course, ["design", "truth", "quantity"]).to_dict("records"):
        n = int(row["n"])
        mean = _ratio(row["total"], n)
        sd = math.sqrt(max(0.0, row["squares"] - n * mean**2) / (n - 1)) if n > 1 else math.nan
        half = NORMAL_95 * sd / math.sqrt(n) if n > 1 else math.nan
        rows.append(
            {name: row[name] for name in ("design", "truth", "quantity")}
            | {"n": n, "mean": mean, "low": mean - half, "high": mean + half, "sd": sd}
        )
    return pd.DataFrame(rows)


def experiments_table(parts: pd.DataFrame) -> pd.DataFrame:
    """The course's two experiments with the range they gave and one that allows for who played.

    The honest range is the published difference plus and minus 1.96 times the spread of that difference when the same
    experiment is run again and again, players dealt anew where they were dealt.

    Parameters
    ----------
    parts : DataFrame
        Of `course_table`.

    Returns
    -------
    DataFrame
        experiment; estimate with low and high as published; honest_low, honest_high; sd and n of the runs; true_effect
        (mean
        true effect over B's games).
    """
    own = parts[parts["truth"] == "course"].set_index(["design", "quantity"])
    rows = []
    for name, (n_a, mean_a, n_b, mean_b, design) in EXPERIMENTS.items():
        published = naive_difference(n_a, mean_a, n_b, mean_b)
        # The course's names were dealt once; another name for the experiment would have dealt others.
        dealt = "hash_matching" if design == "names_matching" else design
        spread = own.loc[(dealt, "difference")]
        half = NORMAL_95 * spread["sd"]
        rows.append(
            {
                "experiment": name,
                "estimate": published.difference,
                "low": published.low,
                "high": published.high,
                "honest_low": published.difference - half,
                "honest_high": published.difference + half,
                "sd": spread["sd"],
                "n": int(spread["n"]),
                "true_effect": own.loc[(design, "version"), "mean"],
            }
        )
    return pd.DataFrame(rows)


def _share(name: str, count: int, n: int) -> dict[str, float]:
    if not n:
        return {name: math.nan, f"{name}_low": math.nan, f"{name}_high": math.nan}
    found = share_interval(count, n)
    return {name: found.value, f"{name}_low": found.low, f"{name}_high": found.high}


def _ratio(total: float, n: float) -> float:
    return float(total) / n if n else math.nan


def _kept(value: float, bounds: tuple[float, float]) -> str:
    if np.isnan(value):
        return "-"
    return "low" if value < bounds[0] else "high" if value > bounds[1] else "yes"
