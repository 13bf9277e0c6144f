"""A plan as it is asked for and told in words: in points, hundredths of a score."""

from datetime import date
from typing import Any

from ludometrics.abtest.layout import counted, shorten, table, wrap
from ludometrics.abtest.planning import power_table
from ludometrics.abtest.plans import Plan, make_plan, plan_hash
from ludometrics.abtest.verdicts import in_points

#: What is tabulated beside the plan: games of each player and differences, as multiples of the plan's.
GAMES, EFFECTS = (0.25, 0.5, 1, 2, 4), (0.5, 1, 1.5, 2)
#: Columns of an experiment's name that are shown.
MOST_OF_NAME = 60


def plan_from_points(
    experiment: str,
    *,
    effect: float,
    sd: float,
    margin: float,
    players: int | None = None,
    games_each: int | None = None,
    assignment: str | None = None,
    sequential: bool = False,
    decided_on: date,
    **others: Any,
) -> Plan:
    """Make a plan from numbers in points.

    Parameters
    ----------
    experiment : str
    effect, sd, margin : float
        Points: hundredths of a score.
    players, games_each : int, optional
        One of them, and the other is computed; or both.
    assignment, sequential, decided_on, **others
        As in `Plan`.

    Returns
    -------
    Plan

    Raises
    ------
    ValueError
        As `make_plan`; a plan that looks early between players.

    Source
    ------
    Own.

    Examples
    --------
    >>> plan = plan_from_points("test", design="within", effect=5, sd=30, margin=5, icc=0.35, players=8,
    ...                         decided_on=date(2026, 10, 1))
    >>> plan.games_each, plan.effect
    (94, 0.05)
    """
    given = {name: value / 100.0 for name, value in (("effect", effect), ("sd", sd), ("margin", margin))}
    if sequential and others.get("design") == "between":
        raise ValueError(
            "a plan between players cannot be sequential: looking early needs a design within players"
        )
    others |= given | {"sequential": sequential, "decided_on": decided_on}
    if players is None or games_each is None:
        return make_plan(experiment, players=players, games_each=games_each, assignment=assignment, **others)
    if assignment is None:
        assignment = "hash" if others["design"] == "between" else "alternate"
    return Plan(
        experiment=experiment, players=players, games_each=games_each, assignment=assignment, **others
    )


def plan_lines(plan: Plan) -> list[str]:
    """Tell a plan, with the power of smaller and larger ones.

    Parameters
    ----------
    plan : Plan

    Returns
    -------
    list of str

    Source
    ------
    Own.

    Examples
    --------
    >>> plan = plan_from_points("test", design="within", effect=5, sd=30, margin=5, icc=0.35, players=8,
    ...                         decided_on=date(2026, 10, 1))
    >>> print(plan_lines(plan)[0])
    Plan 'test': 8 players of 94 games each, 752 games in all, versions by 'alternate'.
    """
    lines = wrap(
        f"Plan {shorten(repr(plan.experiment), MOST_OF_NAME)}: {counted(plan.players, 'player')} of "
        f"{counted(plan.games_each, 'game')} each, {counted(plan.planned_games, 'game')} in all, "
        f"versions by {plan.assignment!r}."
    )
    chance = f"{100.0 * plan.expected_power:.0f} %"
    lines += wrap(
        f"It finds a difference of {in_points(plan.effect)} points with a chance of {chance} (wanted: "
        f"{100.0 * plan.power:g} %), and gives a false alarm with one of {100.0 * plan.alpha:g} %."
    )
    if plan.expected_power < plan.power:
        lines += wrap("That is less than wanted: leave out --players or --games-each to have it computed.")
    if plan.sequential:
        lines += wrap("The chance is that of one look at the end: looking on the way costs some of it.")
    lines += [f"SHA-256 {plan_hash(plan)}", "Tell that number to others before the first game.", ""]
    lines += [f"Power with {counted(plan.players, 'player')}, by games of each and difference in points:"]
    return lines + table(_power_rows(plan), ">" * (2 + len(EFFECTS)), indent="  ")


def _power_rows(plan: Plan) -> list[list[str]]:
    step, least = (1, 1) if plan.design == "between" else (2, 4)
    games = sorted({max(least, round(plan.games_each * factor / step) * step) for factor in GAMES})
    effects = [plan.effect * factor for factor in EFFECTS if plan.effect * factor <= 1.0]
    found = power_table(
        ["drawn" if plan.assignment == "game" else plan.design],
        effects,
        games,
        players=plan.players,
        sd=plan.sd,
        icc=plan.icc,
        alpha=plan.alpha,
        correlation=plan.correlation,
    )
    rows = [["games each", "in all", *map(in_points, effects), *[""] * (len(EFFECTS) - len(effects))]]
    for each in games:
        powers = found.loc[found["games_each"] == each, "power"]
        cells = [f"{100.0 * power:.0f} %" for power in powers]
        rows.append([str(each), str(each * plan.players), *cells, *[""] * (len(EFFECTS) - len(cells))])
    return rows
