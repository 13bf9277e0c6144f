"""Settings of a club."""

import pytest

from ludometrics.web.settings import Settings


@pytest.mark.parametrize(
    "name, value",
    [
        ("rule", "steady"),
        ("design", ""),
        ("experiment", " "),
        ("time_zone", "Mars/Olympus"),
        ("abandon_after_minutes", 0),
        ("abandon_after_minutes", 10_081),
        ("keep_minutes", -1),
        ("requests_a_minute", True),
        ("games_an_hour", 1.5),
        ("live_games", 0),
        ("timeout_s", 0),
    ],
)
def test_a_wrong_setting_is_named_with_its_value(name, value):
    with pytest.raises(ValueError, match=f"{name} is {value!r}"):
        Settings(**{name: value})


def test_the_defaults_are_good():
    assert Settings() == Settings(keep_minutes=60, time_zone="Europe/London")
