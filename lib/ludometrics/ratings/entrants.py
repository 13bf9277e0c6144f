"""Who takes part when rating systems are compared: systems with settings that deserve a row of their own."""

from dataclasses import dataclass
from typing import Any

from ludometrics.ratings.bradley_terry import BradleyTerrySettings
from ludometrics.ratings.davidson import DavidsonSettings
from ludometrics.ratings.elo import RATE, EloSettings
from ludometrics.ratings.glicko1 import Glicko1Settings
from ludometrics.ratings.glicko2 import Glicko2Settings
from ludometrics.ratings.posterior import PosteriorSettings
from ludometrics.ratings.weng_lin import WengLinSettings
from ludometrics.ratings.whr import WhrSettings


@dataclass(frozen=True)
class Entrant:
    """A system and its settings, as they take part.

    Attributes
    ----------
    title : str
        As it stands in tables and figures.
    system : str
        Key of `ludometrics.ratings.SYSTEMS`.
    settings
        Of that system.
    draws_apart : bool
        The system has a model of draws: its ratings tend to the players' strengths, those of the others to what
        strengths look like when a draw counts as half a win and half a loss.
    scale : float
        The system's own points in an Elo point: its ratings and deviations are divided by this where they are held
        against strengths in Elo points.
    """

    title: str
    system: str
    settings: Any
    draws_apart: bool = False
    scale: float = 1.0


#: Who takes part. Defaults are the systems' own; what differs from them is in the title.
ENTRANTS: dict[str, Entrant] = {
    "elo": Entrant("Elo, K = 32", "elo", EloSettings()),
    "elo_falling": Entrant(
        "Elo, K falling 80, 40, 16", "elo", EloSettings(k=((10, 80.0), (40, 40.0), (None, 16.0)))
    ),
    "elo_first_move": Entrant("Elo, learns the first move", "elo", EloSettings(advantage_k=1.0)),
    "davidson": Entrant("Elo-Davidson", "davidson", DavidsonSettings(), draws_apart=True),
    "davidson_first_move": Entrant(
        "Elo-Davidson, learns the first move", "davidson", DavidsonSettings(advantage_k=1.0), draws_apart=True
    ),
    "glicko1": Entrant("Glicko-1", "glicko1", Glicko1Settings()),
    "glicko1_still": Entrant("Glicko-1, no growth", "glicko1", Glicko1Settings(growth=0.0)),
    "glicko1_first_move": Entrant(
        "Glicko-1, learns the first move", "glicko1", Glicko1Settings(advantage_k=1.0)
    ),
    "glicko2": Entrant("Glicko-2", "glicko2", Glicko2Settings()),
    "weng_lin": Entrant(
        "Weng-Lin", "weng_lin", WengLinSettings(), scale=WengLinSettings().beta * 2**0.5 * RATE
    ),
    "posterior": Entrant("Bayes on a grid", "posterior", PosteriorSettings()),
    "bradley_terry": Entrant("Bradley-Terry, refitted", "bradley_terry", BradleyTerrySettings()),
    "bradley_terry_first_move": Entrant(
        "Bradley-Terry, with a first-move term", "bradley_terry", BradleyTerrySettings(first_move=True)
    ),
    "whr": Entrant("Whole-history rating", "whr", WhrSettings()),
}


def title_of(entrant: str) -> str:
    """Give the title of an entrant; one who is no system (the oracle, the coin) has its name.

    Examples
    --------
    >>> title_of("elo"), title_of("coin")
    ('Elo, K = 32', 'Coin')
    """
    return ENTRANTS[entrant].title if entrant in ENTRANTS else entrant.capitalize()
