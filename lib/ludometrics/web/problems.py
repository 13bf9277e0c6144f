"""Why a club cannot do what it is asked."""

from ludometrics.web.live import LiveGame


class BadValueError(ValueError):
    """What was given cannot be used; the words name it and what is allowed."""


class GoneError(LookupError):
    """No such game: it is over, was removed, or never was."""


class ForbiddenError(PermissionError):
    """The key does not fit the game, or there is no proof for the name."""


class OutOfStepError(Exception):
    """The game stands elsewhere than the one who moves believes."""

    def __init__(self, words: str, game: LiveGame) -> None:
        super().__init__(words)
        #: As it stands.
        self.game = game


class BlockedError(Exception):
    """A saved file at fault stands in the way; whoever runs the club has to see to it."""


class FullError(Exception):
    """As many games are open as may be."""
