"""Study actions made for the tests."""

from datetime import UTC, datetime

from ludometrics.backgammon.side_tables import StudyAction

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


def action(position, *, when=NOON, kind="studied") -> StudyAction:
    """Something done with a position."""
    return StudyAction(position, when, kind)
