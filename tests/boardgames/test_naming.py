"""What people are called: cleaned names, initials, pseudonyms, and nothing that gives the order of names away."""

import json
import random
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludometrics.boardgames.naming import (
    clean_text,
    display_names,
    initials_of,
    order_of_appearance,
)
from ludometrics.boardgames.records import Person, PlayLog
from small_logs import GUEST, make_log, make_play, random_log, ranked_log

CASES = json.loads(Path(__file__).parents[1].joinpath("data/boardgames/naming.json").read_text("utf-8"))


def described(kind):
    return pytest.mark.parametrize("case", CASES[kind], ids=[case["desc"] for case in CASES[kind]])


def log_of(names):
    """Each of the names in a play of its own, in this order; keys run the other way."""
    people = [Person(f"key{len(names) - number:03d}", name) for number, name in enumerate(names)]
    plays = [make_play(n, "go", [(person.key, 1)], hours=n) for n, person in enumerate(people)]
    return make_log(plays, people=people)


@described("clean")
def test_clean_text(case):
    assert clean_text(case["text"]) == case["clean"]


@described("initials")
def test_initials(case):
    assert initials_of(case["name"]) == case["initials"]


@described("real")
def test_real_names_are_distinct(case):
    assert list(display_names(log_of(case["names"])).values()) == case["shown"]


@settings(deadline=None)
@given(st.text())
def test_cleaning_twice_changes_nothing_more_and_can_be_written(text):
    clean = clean_text(text)
    assert clean_text(clean) == clean
    clean.encode("utf-8")


@pytest.mark.parametrize("style", ["real", "initials", "pseudonyms"])
@settings(deadline=None)
@given(names=st.lists(st.text(max_size=6), max_size=12))
def test_no_two_are_called_the_same_whatever_their_names(style, names):
    shown = list(display_names(log_of(names), style).values())
    assert len(set(shown)) == len(names) and all(shown)


def test_initials_of_a_kind_are_numbered_by_first_appearance():
    names = ["Ann Bell", "Abe Bond", "Cid", "Aya Birk"]
    assert list(display_names(log_of(names), "initials").values()) == ["A.B.", "A.B.2", "C.", "A.B.3"]


@pytest.mark.parametrize("style", ["initials", "pseudonyms"])
def test_later_plays_change_nobodys_name(style):
    log = random_log(np.random.default_rng(3), plays=60, people=12)
    short = PlayLog(log.games, log.people, log.plays[:30])
    early = display_names(short, style)
    assert early.items() <= display_names(log, style).items()


def test_a_pseudonym_does_not_depend_on_name_or_key():
    """Renamed people with other keys, in another alphabetical order, are called the same."""
    tables = [("a", "b"), ("c", "a"), ("b", "c", "d"), ("e", "d")]
    other = {"a": "z9", "b": "m1", "c": "q5", "d": "b0", "e": "a7"}
    plain = display_names(ranked_log(*tables), "pseudonyms")
    turned = display_names(ranked_log(*[[other[key] for key in table] for table in tables]), "pseudonyms")
    assert {other[key]: name for key, name in plain.items()} == turned


def test_pseudonyms_follow_neither_the_order_of_names_nor_of_keys():
    """Of many people without ranks at one table, nothing but a hash says who comes first."""
    people = [f"person{n:02d}" for n in range(40)]
    log = make_log([make_play(0, "go", [(person, 0) for person in people])])
    order = order_of_appearance(log)
    assert sorted(order) == people
    rising = sum(a < b for a, b in pairwise(order))
    assert 10 <= rising <= 29  # 39 steps; all of them rise, or none does, where the order shows


def test_more_people_than_birds():
    names = display_names(log_of([f"n{number}" for number in range(200)]), "pseudonyms").values()
    assert len(set(names)) == 200 and not any(name[0].isdigit() for name in names)


def test_seats_in_another_order_change_nothing():
    log = random_log(np.random.default_rng(4), plays=40)
    rng = random.Random(1)
    turned = [replace(play, seats=tuple(rng.sample(play.seats, len(play.seats)))) for play in log.plays]
    for style in ("real", "initials", "pseudonyms"):
        assert display_names(log, style) == display_names(
            PlayLog(log.games, log.people, tuple(turned)), style
        )


def test_guests_and_unknown_people_are_called_nothing():
    log = make_log([make_play(0, "go", [("a", 1), (GUEST, 2), (GUEST, 3)])])
    without_b = make_log([make_play(0, "go", [("a", 1), ("b", 2)])])
    del without_b.people["b"]
    assert list(display_names(log)) == ["a"] == list(display_names(without_b, "pseudonyms"))


def test_another_way_of_naming_is_refused():
    with pytest.raises(ValueError, match="names is 'nick': allowed are 'real', 'initials', 'pseudonyms'"):
        display_names(ranked_log("ab"), "nick")


@pytest.mark.parametrize("names", ["initials", "pseudonyms"])
def test_a_season_calls_people_as_the_whole_log_does(names):
    log = ranked_log("ab", "cd", "ca", "bd")
    whole = display_names(log, names)
    season = display_names(log.between(log.plays[2].at.date()), names)
    assert season == whole and len(set(whole.values())) == 4
