"""Games begun in a notebook and not over, found again after a restart of its kernel.

They are known by how the request began that started them. Each game's key stands in its own file, which only the
folder's owner can read: nothing more is kept, and who removes a game leaves no trace of it here.
"""

import os
from typing import NamedTuple

from ludometrics.web.livefolder import LiveFolder

#: How requests begin that come from notebooks.
MARK = "notebook-"


class Unfinished(NamedTuple):
    """A game to go on with: id, key, and words by which to choose it."""

    id: str
    key: str
    text: str


def find_unfinished(folder: str | os.PathLike[str], *, timeout_s: float = 10.0) -> tuple[Unfinished, ...]:
    """Find the games begun in notebooks and not over, and clear up what a killed kernel left half-written.

    Parameters
    ----------
    folder : path
        Of games; must exist.
    timeout_s : float
        How long to wait for another program that holds the folder, seconds.

    Returns
    -------
    tuple of Unfinished
        The last one played first.

    Raises
    ------
    TimeoutError
        Another program held the folder all the time.
    """
    live = LiveFolder(folder, timeout_s=timeout_s)
    live.clear_temporary()
    live.read_all()
    games = [game for game in live.games() if game.ending is None and game.request.startswith(MARK)]
    games.sort(key=lambda game: game.touched, reverse=True)
    return tuple(
        Unfinished(game.id, game.key, f"{game.black} – {game.white}, {game.ply} moves") for game in games
    )
