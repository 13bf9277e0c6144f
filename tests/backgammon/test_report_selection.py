"""Whose matches a report is of: names, filters, order."""

from datetime import date

import numpy as np
import pytest

from ludometrics.backgammon.assessment import assess
from ludometrics.backgammon.records import COLUMNS, Library, Match, no_decisions
from ludometrics.backgammon.report_selection import (
    Selection,
    all_players,
    arrange,
    find_player,
    playing_days,
    select_matches,
)
from ludometrics.backgammon.side_tables import People
from report_sample import HOSTILE, sample_library

PEOPLE = People([("ADA2", "Ada"), ("Cy", "Cyrille")], main="Ada")


@pytest.fixture(scope="module")
def library():
    return sample_library(12)


def test_everybody_is_there_once(library):
    assert [player.name for player in all_players(library)] == [HOSTILE, "=1+1", "Ada", "ADA2", "Cy"]
    assert [player.name for player in all_players(library, PEOPLE)] == [HOSTILE, "=1+1", "Ada", "Cyrille"]


@pytest.mark.parametrize("wanted", ["Ada", "ada", " ADA ", "ada2"])
def test_a_player_is_found_by_any_of_his_names(library, wanted):
    player = find_player(library, wanted, PEOPLE)
    assert (player.name, player.names) == ("Ada", ("ada", "ada2"))


def test_names_that_differ_in_case_only_are_one():
    matches = (Match("a", 7, ("Ann", "Bob")), Match("b", 7, ("bob", "ANN")))
    assert find_player(Library(matches, no_decisions()), "ann").names == ("ann",)


def test_who_is_not_there_gets_the_names_there_are_the_nearest_first(library):
    with pytest.raises(ValueError, match=r"^no match of 'Adda'; there are Ada, ADA2, "):
        find_player(library, "Adda")


def test_of_many_names_some_are_told():
    matches = tuple(Match(str(n), 7, (f"player {n:03d}", "Ann")) for n in range(50))
    with pytest.raises(ValueError, match=r"there are player 017, .* and 39 more$"):
        find_player(Library(matches, no_decisions()), "player 17")


def test_a_library_without_a_match_says_so():
    with pytest.raises(ValueError, match="there is no match at all"):
        find_player(Library((), no_decisions()), "Ada")


@pytest.mark.parametrize(
    "selection, kept",
    [
        (Selection(), lambda match: True),
        (Selection(opponents=("cyrille",)), lambda match: "Cy" in match.players),
        (Selection(opponents=("Cy", "=1+1")), lambda match: HOSTILE not in match.players),
        (Selection(since=date(2024, 4, 14)), lambda match: match.date >= "2024-04-14"),
        (Selection(until=date(2024, 4, 14)), lambda match: match.date and match.date <= "2024-04-14"),
        (Selection(lengths=(7,)), lambda match: match.length == 7),
        (Selection(lengths=(0, 1)), lambda match: match.length < 2),
        (
            Selection(lengths=(7,), opponents=("Cy",)),
            lambda match: match.length == 7 and "Cy" in match.players,
        ),
    ],
    ids=["all", "opponent", "two opponents", "since", "until", "length", "lengths", "both"],
)
def test_filters_keep_what_they_say(library, selection, kept):
    player = find_player(library, "Ada", PEOPLE)
    part = select_matches(library, player, selection, PEOPLE)
    assert {match.key for match in part.matches} == {match.key for match in library.matches if kept(match)}
    assert part.problems == library.problems


@pytest.mark.parametrize(
    "selection, said",
    [
        (Selection(lengths=(9,)), "Ada has no match of 9 points"),
        (Selection(since=date(2099, 1, 1)), "Ada has no match since 2099-01-01"),
        (Selection(opponents=("Dora",)), "no match of 'Dora'"),
    ],
    ids=["length", "since", "opponent"],
)
def test_nothing_left_is_an_error(library, selection, said):
    with pytest.raises(ValueError, match=said):
        select_matches(library, find_player(library, "Ada", PEOPLE), selection, PEOPLE)


@pytest.mark.parametrize(
    "wrong, said",
    [
        ({"since": date(2024, 2, 1), "until": date(2024, 1, 1)}, "must not be later"),
        ({"lengths": (65,)}, "length 65, allowed are 0"),
    ],
    ids=["dates", "length"],
)
def test_a_selection_that_cannot_be_is_refused(wrong, said):
    with pytest.raises(ValueError, match=said):
        Selection(**wrong)


def test_matches_come_by_date_whatever_the_order_of_the_files(library):
    player = find_player(library, "Ada", PEOPLE)
    wanted = select_matches(library, player, Selection(), PEOPLE)
    shuffled = arrange(library, np.random.default_rng(1).permutation(len(library.matches)))
    again = select_matches(shuffled, player, Selection(), PEOPLE)
    assert [match.date for match in wanted.matches] == sorted(match.date for match in library.matches)
    assert again.matches == wanted.matches
    for name in COLUMNS:
        assert np.array_equal(
            getattr(again.decisions, name),
            getattr(wanted.decisions, name),
            equal_nan=name in ("equities", "luck"),
        )
    assert np.array_equal(again.decisions.options.board, wanted.decisions.options.board)
    assert np.array_equal(assess(again).error_mp, assess(wanted).error_mp)


def test_a_match_of_somebody_against_himself_is_left_out_and_told():
    library = sample_library(4)
    people = People([("ADA2", "Ada"), (HOSTILE, "Ada")])
    part = select_matches(library, find_player(library, "Ada", people), Selection(), people)
    own = [match.key for match in library.matches if HOSTILE in match.players]
    assert own and {match.key for match in part.matches}.isdisjoint(own)
    assert [problem.reason for problem in part.problems].count("both players are Ada, left out") == len(own)


def test_first_and_last_day():
    assert playing_days([Match("a", 7, ("x", "y"))]) == ("", "")
    dated = [Match(day, 7, ("x", "y"), date=day) for day in ("2024-05-01", "", "2023-01-31")]
    assert playing_days(dated) == ("2023-01-31", "2024-05-01")
