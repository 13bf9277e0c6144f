"""Recipes by name: the library's own, the published one and its variants, and each with one ingredient changed."""

from typing import NamedTuple

from ludometrics.connect4.compiled_settings import CompiledSettings
from ludometrics.connect4.recipe import Recipe, decaying_exploration, recipe, slow_target

OWN = "tree-backup"
NO_BLUR = {"first_blur": 0.0, "second_blur": 0.0}
# The library's own recipe with one thing changed at a time.
INGREDIENTS = {
    "batch": {f"batch-{number}": {"batch": number} for number in (500, 1000, 2000, 5000, 10_000)},
    "learning rate": {
        "rate-0.0001": {"learning_rate": 1e-4},
        "rate-0.0003": {"learning_rate": 3e-4},
        "rate-0.0006": {"learning_rate": 6e-4},
        "rate-0.001": {"learning_rate": 1e-3},
    },
    "decay of the rate": {
        "decay-none": {"learning_rate_decay": 1.0},
        "decay-fast": {"learning_rate_decay": 0.9999},
    },
    "target network": {f"tau-{tau}": {"tau": tau} for tau in (0.05, 0.15, 0.25, 1.0)},
    "clip": {f"clip-{clip}": {"clip": clip} for clip in (0.1, 0.25, 0.5, 1.0)},
    "lambda": {f"lambda-{trace}": {"trace": trace} for trace in (0.5, 0.7, 0.8, 0.9, 0.95)},
    "horizon": {f"horizon-{horizon}": {"horizon": horizon} for horizon in (3, 5, 8, 12)},
    "exploration": {
        **{f"epsilon-{share}": {"epsilon": share, "epsilon_final": share} for share in (0.05, 0.1, 0.2)},
        "epsilon-falling": {"epsilon": 0.2, "epsilon_final": 0.02, "epsilon_steps": 9000},
    },
    "blur of choices": {
        "blur-none": NO_BLUR,
        "blur-0.1": {"second_blur": 0.1},
        "blur-0.4": {"first_blur": 0.2, "second_blur": 0.4},
    },
    "mirrored updates": {"mirrored-none": {"mirrored_updates": False}},
    "random openings": {"openings-0.5": {"opening_share": 0.5}},
    "averaging": {
        "averaging-none": {"average_span": 0.0},
        **{f"averaging-{span}": {"average_span": span} for span in (0.02, 0.3)},
    },
    "targets": {
        "targets-published": {"targets": "published", **NO_BLUR},
        "targets-published-all-moves": {"targets": "published", "lookahead": False, **NO_BLUR},
        "errors-none": {"first_errors": 0.0},
        "errors-more": {"first_errors": 0.2},
        "errors-both": {"second_errors": 0.1},
    },
    "loss": {
        "loss-squared": {"second_loss": "squared error"},
        "loss-entropy": {"first_loss": "cross entropy"},
    },
    "number of patterns": {f"patterns-{count}": {"pattern_count": count} for count in (70, 100, 200, 300)},
    "length of patterns": {f"length-{length}": {"pattern_length": length} for length in (6, 7, 8)},
    "other patterns": {f"pattern-seed-{seed}": {"pattern_seed": seed} for seed in (1, 2)},
}


class Named(NamedTuple):
    """A recipe by name.

    Attributes
    ----------
    trainer : str
        "compiled" or "published".
    settings : CompiledSettings or Recipe
    ingredient : str
        What is changed against the library's own recipe; empty for whole recipes.
    """

    trainer: str
    settings: CompiledSettings | Recipe
    ingredient: str = ""


def compiled(published: Recipe, **changes: object) -> CompiledSettings:
    """Give the compiled trainer's settings for a published recipe: all they share, and what its other settings mean.

    Parameters
    ----------
    published : Recipe
    **changes
        Settings changed in it.

    Examples
    --------
    >>> compiled(slow_target(), average_span=0.1).tau
    0.05
    """
    own = CompiledSettings()
    shared = {name: value for name, value in published.as_dict().items() if name in own.as_dict()}
    targets = {"targets": "published", "lookahead": False, "average_span": 0.0, **NO_BLUR}
    losses = {"first_loss": "squared error", "second_loss": "squared error"}
    return own.with_changes(**(shared | targets | losses | changes))


def named_recipes() -> dict[str, Named]:
    """Give every recipe by its name.

    Examples
    --------
    >>> named_recipes()["tree-backup"].trainer
    'compiled'
    """
    own = CompiledSettings()
    found = {
        OWN: Named("compiled", own),
        "published-compiled": Named("compiled", compiled(recipe())),
        "published-compiled-slow-target": Named("compiled", compiled(slow_target())),
        "published-compiled-decaying-exploration": Named("compiled", compiled(decaying_exploration())),
        "published-small-batch": Named("compiled", compiled(recipe(batch=5000), average_span=0.1)),
        "published": Named("published", recipe()),
        "published-slow-target": Named("published", slow_target()),
        "published-decaying-exploration": Named("published", decaying_exploration()),
        "published-batch-2000": Named("published", recipe(batch=2000)),
    }
    for ingredient, changes in INGREDIENTS.items():
        for name, change in changes.items():
            settings = own.with_changes(**change)
            if settings != own:
                found[name] = Named("compiled", settings, ingredient)
    return found


def find_recipe(name: str) -> Named:
    """Give one recipe.

    Raises
    ------
    ValueError
        No recipe of that name: the known ones are listed.
    """
    recipes = named_recipes()
    if name not in recipes:
        raise ValueError(f"no recipe is called {name!r}: allowed are {', '.join(recipes)}")
    return recipes[name]
