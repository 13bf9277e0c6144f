"""How "Match me" decides: the course's rule and ours, as a diagram."""

from itertools import pairwise

from ludometrics.plotting import OKABE_ITO, new_figure, run_figure

TABLES = ["draughts_simulation/settings.csv"]
ROW_HEIGHT = 1.25


def steps_of(rule):
    """The steps of a rule in words, from its settings."""
    if rule["newcomer"] == "fallback":
        return [
            f"All games saved so far\nare rated by {rule['system']},\nlevels like players",
            f"Fewer than {rule['provisional_games']} games?",
            f"Expected score against each\nof {rule['levels']} levels",
            f"Level nearest to {rule['target']};\nof equals the first",
        ], f"{rule['fallback'].capitalize()}"
    return [
        "Ratings after each game, with\ntheir uncertainty; levels keep\nthe ratings measured offline",
        f"Deviation above {rule['provisional_deviation']},\nand all games won\nor all lost?",
        f"Expected score against each\nof {rule['levels']} levels",
        f"Level nearest to {rule['target']}; the last\none again unless another is\nnearer by {rule['hysteresis']} or more",
    ], f"First game: a level\nthat leaves a newcomer\n{rule['gentle_share']}; then steps\nof 1, 2, 4 levels"


def draw(settings):
    """Draw both rules side by side, from the rating to the level."""
    figure, panels = new_figure("double", 95, ncols=2)
    for axes, scenario, color in zip(panels, ("course", "default"), ("sky", "orange"), strict=True):
        rule = settings[settings["scenario"] == scenario].set_index("setting")["value"]
        steps, newcomer = steps_of(rule)
        box = {
            "boxstyle": "round,pad=0.45",
            "facecolor": "white",
            "edgecolor": OKABE_ITO[color],
            "linewidth": 1.2,
        }
        words = {"ha": "center", "va": "center", "fontsize": 6.5}
        boxes = [
            axes.text(1.0, -ROW_HEIGHT * number, text, bbox=box, **words) for number, text in enumerate(steps)
        ]
        aside = axes.text(3.0, -ROW_HEIGHT, newcomer, bbox=box | {"linestyle": "--"}, **words)
        for start, end in [*pairwise(boxes), (boxes[1], aside)]:
            patches = {
                "patchA": start.get_bbox_patch(),
                "patchB": end.get_bbox_patch(),
                "shrinkA": 1,
                "shrinkB": 1,
            }
            axes.annotate(
                "",
                end.get_position(),
                start.get_position(),
                arrowprops={"arrowstyle": "->", "color": "#444444", **patches},
            )
        axes.text(2.0, -ROW_HEIGHT * 0.78, "yes", **words)
        axes.text(1.12, -ROW_HEIGHT * 1.5, "no", **words)
        title = "the course's rule" if scenario == "course" else "ours (default)"
        axes.set(xlim=(0, 4.0), ylim=(-ROW_HEIGHT * 3.6, 0.7), title=title)
        axes.axis("off")
    caption = (
        "How Match me decides (a diagram). Left: the course's rule, with the strongest possible first impression for "
        "beginners, since Medium is far above them. Right: ours. The settings shown are those of the simulation "
        "(settings.csv)."
    )
    return figure, caption


if __name__ == "__main__":
    run_figure(__file__, draw, TABLES)
