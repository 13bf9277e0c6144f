"""What the settings of both trainers have in common: values checked by name, and given as plain ones."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any


class Settings:
    """Base of a frozen dataclass of settings."""

    def as_dict(self) -> dict[str, Any]:
        """Give the settings by name, for records and files."""
        return asdict(self)

    def check_choice(self, name: str, allowed: Sequence[str]) -> None:
        """Refuse a text that is none of those allowed."""
        value = getattr(self, name)
        if value not in allowed:
            raise ValueError(f"{name} is {value!r}: allowed are {', '.join(map(repr, allowed))}")

    def check_switch(self, name: str) -> None:
        """Refuse what is neither True nor False."""
        value = getattr(self, name)
        if not isinstance(value, bool):
            raise ValueError(f"{name} is {value!r}: True or False is wanted")

    def check_numbers(self, limits: Mapping[str, tuple[float, float]]) -> None:
        """Refuse numbers outside their range, ends allowed; a range that begins with an int asks for whole numbers."""
        for name, (low, high) in limits.items():
            value = getattr(self, name)
            whole = isinstance(low, int)
            if isinstance(value, bool) or not isinstance(value, int if whole else int | float):
                raise ValueError(f"{name} is {value!r}: a {'whole ' if whole else ''}number is wanted")
            if not low <= value <= high:
                raise ValueError(f"{name} is {value}: allowed are {low} to {high}")
