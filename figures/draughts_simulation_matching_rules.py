"""What each mechanism of matching adds: distance of a game from the target, rule by rule."""

import numpy as np

from ludometrics.plotting import OKABE_ITO, new_figure, run_figure

TABLES = ["draughts_simulation/matching_rules.csv"]
VERDICTS = {"helps": "green", "hurts": "vermilion", "neutral": "sky", "undecided": "orange", "-": "black"}


def trace_chain(compared_with):
    """List the rules of which each adds to the one before: back from the default to one that adds to none."""
    chain, name = [], "default"
    while name in compared_with:
        chain.insert(0, name)
        name = compared_with[name]
    return chain


def draw(rules):
    """Draw the distance by phase, and the change against the rule each is compared with."""
    chain = trace_chain(dict(zip(rules["scenario"], rules["compared_with"], strict=True)))
    rest = rules[~rules["scenario"].isin(chain)].sort_values("game_distance_all")["scenario"]
    rules = rules.set_index("scenario").loc[[*chain, *rest]]
    figure, (left, right) = new_figure(
        "double", 30 + 5.2 * len(rules), ncols=2, sharey=True, width_ratios=(3, 2)
    )
    rows = -np.arange(len(rules), dtype=float)
    for phase, marker, color, label in (("1", "s", "orange", "days 1-10"), ("2", "o", "blue", "days 11-20")):
        value = rules[f"game_distance_{phase}"]
        error = [value - rules[f"game_distance_{phase}_low"], rules[f"game_distance_{phase}_high"] - value]
        left.errorbar(value, rows, xerr=error, fmt=marker, color=OKABE_ITO[color], label=label)
    left.plot(
        rules["bound"],
        rows,
        "|",
        color=OKABE_ITO["black"],
        markersize=9,
        label="best possible with the levels",
    )
    words = [f"{adds} [{name}]" for name, adds in rules["adds"].items()]
    left.set_yticks(rows, words, fontsize=5.5)
    left.axhline(0.5 - len(chain), color="#888888", linewidth=0.7)
    left.set_xlabel("distance of a game from the target", fontsize=7)
    left.set_xlim(0, None)
    left.legend(loc="lower center", bbox_to_anchor=(0.2, 1.0), ncols=3, fontsize=6)
    right.axvline(0, color="#888888", linewidth=0.7)
    right.axhline(0.5 - len(chain), color="#888888", linewidth=0.7)
    for row, rule in zip(rows, rules.itertuples(), strict=True):
        if rule.verdict == "-":
            continue
        error = [[rule.difference - rule.difference_low], [rule.difference_high - rule.difference]]
        right.errorbar(rule.difference, row, xerr=error, fmt="o", color=OKABE_ITO[VERDICTS[rule.verdict]])
        right.annotate(
            f"{rule.verdict}, v {rule.compared_with}", (1.02, row), xycoords=("axes fraction", "data"), va="center",
            fontsize=5.5,
        )  # fmt: skip
    right.set_xlabel("change over all days", fontsize=7)
    caption = (
        "What each mechanism of matching adds. Left: mean distance of a game's true expected score from the target "
        "(0.5 but in one row). Above the line each row adds to the one before; below, each changes one thing in the "
        "row named at the right. Right: change over all twenty days against the row named, green where "
        "it helps. Neutral: the interval lies within 0.01 either way. "
        f"n = {rules['n'].min():,} runs a row or more; bars: 95 % intervals over runs."
    )
    return figure, caption


if __name__ == "__main__":
    run_figure(__file__, draw, TABLES)
