"""Tournaments against the usual level: the comparison by hand, the window, the splits, whose tournament it is."""

import numpy as np
import pandas as pd
import pytest

from ludometrics.backgammon.assessment import assess
from ludometrics.backgammon.building import RecordBuilder
from ludometrics.backgammon.rates import Rate, l7, pr
from ludometrics.backgammon.records import join
from ludometrics.backgammon.side_tables import People
from ludometrics.backgammon.tournament_matches import list_tournaments, reference_player, tournament_matches
from ludometrics.backgammon.tournaments import (
    PACES,
    PRESSURES,
    RANKS,
    VERDICTS,
    compare_rates,
    report_tournament,
)
from made_matches import add_checker, add_errors, add_match, cases

CASES = cases("tournaments_cases")
OPEN, DAY = "Open", "2026-06-10"


def add_played(
    builder, errors, *, day=DAY, tournament="", length=7, key=None, players=("ann", "bob"), **facts
):
    """A match in which seat 0 makes these errors, in three games."""
    key = f"m{len(builder.matches)}" if key is None else key
    add_match(builder, length, key, players, date=day, tournament=tournament, **facts)
    for game, part in enumerate(np.array_split(errors, 3), start=1):
        builder.game(game, (0, 0))
        add_errors(builder, [int(error) for error in part])


def usual_year(builder, matches=6, error=10, day="2026-03-01"):
    for number in range(matches):
        add_played(builder, [error, 0, number, 0, 0], day=day)


def report(builder, tournament=OPEN, **options):
    library = builder.library()
    return report_tournament(library, assess(library), tournament, **options)


def rate_of(bounds, decisions):
    return Rate(*bounds, decisions, 4, "")


@pytest.mark.parametrize("case", CASES["compare"], ids=lambda case: case["desc"])
def test_comparison_of_two_rates(case):
    here, usual = case.get("decisions", (90, 900))
    result = compare_rates("all", rate_of(case["here"], here), rate_of(case["usual"], usual), 20)
    assert result.verdict == case["verdict"] and result.verdict in VERDICTS
    for name in ("difference", "low", "high"):
        wanted = case[name]
        assert getattr(result, name) == (None if wanted is None else pytest.approx(wanted, abs=1e-4))


def test_worse_than_usual_in_pr_and_l7():
    builder = RecordBuilder()
    usual_year(builder, matches=8)
    for error in (80, 90, 100):
        add_played(builder, [error, error, 0, 0, 70, 80, 90], tournament=OPEN)
    result = report(builder)
    library = builder.library()
    judged = assess(library)
    own = np.array([match.tournament == OPEN for match in library.matches])[library.decisions.match]
    mask = library.of_player("ann")
    assert result.player == "ann" and result.day == DAY and result.usual_matches == 8
    assert result.pr.here == pr(library, judged, mask & own) and result.pr.usual == pr(
        library, judged, mask & ~own
    )
    assert result.l7.here == l7(library, judged, mask & own)
    assert result.pr.verdict == result.l7.verdict == "worse"
    assert result.pr.difference == pytest.approx(result.pr.here.value - result.pr.usual.value)
    assert result.results[:3] == (0, 0, 3) and result.why_no_usual == ""


WINDOW = {
    "365 days before": ("2025-06-10", 7, "", 6),
    "366 days before": ("2025-06-09", 7, "", 5),
    "the day before": ("2026-06-09", 7, "", 6),
    "the day itself": ("2026-06-10", 7, "", 5),
    "after it": ("2026-07-01", 7, "", 5),
    "without a date": ("", 7, "", 5),
    "a year alone is no date": ("2026", 7, "", 5),
    "money play": ("2026-06-09", 0, "", 5),
    "the tournament's own, dated earlier, sets the day instead": ("2026-06-09", 7, OPEN, 5),
    "another tournament": ("2026-06-09", 7, "Masters", 6),
}


@pytest.mark.parametrize("day, length, tournament, usual", WINDOW.values(), ids=list(WINDOW))
def test_which_matches_make_the_usual_level(day, length, tournament, usual):
    builder = RecordBuilder()
    usual_year(builder, matches=5)
    add_played(builder, [60, 0], day=day, length=length, tournament=tournament)
    add_played(builder, [60, 0], tournament=OPEN)
    assert report(builder).usual_matches == usual


def test_a_match_without_a_counted_decision_is_no_usual_one():
    builder = RecordBuilder()
    usual_year(builder, matches=5)
    add_match(builder, 7, "forced", date="2026-06-01")
    add_checker(builder, [0.0], legal=1)
    add_played(builder, [60, 0], tournament=OPEN)
    assert report(builder).usual_matches == 5


def test_fewer_than_five_matches_are_no_usual_level():
    builder = RecordBuilder()
    usual_year(builder, matches=4)
    for error in (80, 90, 100):
        add_played(builder, [error] * 7, tournament=OPEN)
    result = report(builder)
    assert result.usual_matches == 0 and result.why_no_usual.startswith("4 matches to points in 365 days")
    assert result.pr.usual.value is None and result.pr.here.value is not None
    compared = [result.pr, result.l7, *result.ranks, *result.pressure, *result.pace]
    assert {item.verdict for item in compared} == {"insufficient"}
    assert [item.difference for item in compared] == [None] * len(compared)


def test_a_tournament_without_a_date_has_no_usual_level_unless_a_day_is_given():
    builder = RecordBuilder()
    usual_year(builder, matches=5)
    add_played(builder, [60, 0], day="", tournament=OPEN)
    assert report(builder).why_no_usual == "the tournament has no date"
    assert report(builder).day == ""
    assert report(builder, day=DAY).usual_matches == 5
    with pytest.raises(ValueError, match="Invalid isoformat"):
        report(builder, day="June")


def test_rounds_in_order_each_by_its_games_against_the_usual_pr():
    builder = RecordBuilder()
    usual_year(builder)
    errors = [0, 200, 10, 90] * 5 + [100, 200]
    add_played(builder, errors, tournament=OPEN, round="2", players=("ann", "eve"), final_score=(2, 7))
    add_played(builder, [60, 0, 0], tournament=OPEN, round="1", final_score=(7, 2))
    first, second = report(builder).rounds
    assert (first.round, first.opponent, first.won) == ("1", "bob", True)
    assert (second.round, second.opponent, second.won) == ("2", "eve", False)
    assert second.pr.here.units == 3 and second.pr.usual == report(builder).pr.usual
    assert second.pr.verdict == "worse" and first.pr.verdict == "insufficient"
    assert second.l7.value > first.l7.value


@pytest.mark.parametrize("case", CASES["rounds"], ids=lambda case: case["desc"])
def test_order_of_rounds(case):
    played = case["played"]
    for order in (played, played[::-1], sorted(played)):
        builder = RecordBuilder()
        for name in order:
            add_played(builder, [60, 0], tournament=OPEN, round=name, key=name)
        assert [each.round for each in report(builder).rounds] == played


def test_rounds_without_a_name_are_numbered_by_day():
    builder = RecordBuilder()
    for day in ("2026-06-12", "2026-06-10", "2026-06-11"):
        add_played(builder, [60, 0], tournament=OPEN, day=day, key=day)
    rounds = report(builder).rounds
    assert [each.round for each in rounds] == ["1", "2", "3"]
    assert [each.match for each in rounds] == [1, 2, 0]


def test_ranks_are_of_the_players_counted_decisions_of_each_match():
    builder = RecordBuilder()
    for number, count in enumerate((100, 35)):
        add_match(builder, 7, f"m{number}", date=DAY, tournament=OPEN)
        for _ in range(count):
            add_errors(builder, [60])
            add_checker(builder, [0.0], legal=1)  # forced: does not count
            add_errors(builder, [60], seat=1)
    ranks = report(builder).ranks
    assert [item.name for item in ranks] == list(RANKS)
    assert [item.here.decisions for item in ranks] == [60, 35, 30, 10]
    assert [item.here.units for item in ranks] == [2, 2, 1, 1]


def test_pressure_tells_double_match_point_crawford_and_after():
    builder = RecordBuilder()
    add_match(builder, 7, "m", date=DAY, tournament=OPEN)
    add_errors(builder, [0, 10])
    for number, (score, crawford) in enumerate([((6, 3), True), ((6, 5), False), ((6, 6), False)], start=2):
        builder.game(number, score, crawford=crawford)
        add_errors(builder, [number * 10] * number)
    add_match(builder, 1, "one", date=DAY, tournament=OPEN)
    add_errors(builder, [0])
    pressure = report(builder).pressure
    assert [item.name for item in pressure] == list(PRESSURES)
    assert [item.here.decisions for item in pressure] == [5, 2, 3, 2]
    assert [item.here.value for item in pressure] == [500 * value for value in (0.032, 0.020, 0.030, 0.005)]


def test_pace_divides_the_counted_decisions_of_known_duration():
    builder = RecordBuilder()
    add_match(
        builder, 0, "m", date=DAY, tournament=OPEN
    )  # in money play nothing is priced, but decisions count
    for duration in (100, 200, 300, None):
        add_checker(builder, [0.0, -0.06], played=1, duration_ms=duration)
    pace = report(builder).pace
    assert [item.name for item in pace] == list(PACES)
    assert [item.here.decisions for item in pace] == [1, 2]


def test_families_are_those_of_the_tournament_alone():
    builder = RecordBuilder()
    usual_year(builder)
    builder_of_tournament = RecordBuilder()
    for part in (builder, builder_of_tournament):
        add_played(part, [100] * 9, tournament=OPEN, key="x")
    result, alone = report(builder), report(builder_of_tournament)
    assert [family.name for family in result.families] == [family.name for family in alone.families]
    assert result.to_confirm == alone.to_confirm
    assert len(result.families) <= 3


def test_whose_tournament_it_is():
    builder = RecordBuilder()
    add_played(builder, [60] * 3, tournament=OPEN, players=("zoe", "bob"))
    add_played(builder, [60] * 3, tournament=OPEN, players=("zoe", "eve"))
    add_played(builder, [60] * 3, tournament=OPEN, players=("bob", "eve"))
    library = builder.library()
    judged = assess(library)
    every = np.ones(3, dtype=bool)
    # All have two matches; zoe has six counted decisions, bob three, eve none.
    assert reference_player(library, judged, every) == "zoe"
    assert reference_player(library, judged, np.array([True, False, False])) == "zoe"
    assert reference_player(library, judged, every, People(main="eve")) == "eve"
    assert reference_player(library, judged, every, People(main="nobody")) == "zoe"
    alias = People([("bob", "carl"), ("eve", "carl")])
    assert reference_player(library, judged, every, alias) == "carl"
    even = np.array([False, False, True])
    judged.counted[:] = False
    assert reference_player(library, judged, even) == "bob"  # the first name


def test_a_player_may_be_named_and_has_all_his_aliases():
    builder = RecordBuilder()
    usual_year(builder)
    add_played(builder, [60] * 3, tournament=OPEN, players=("Annie", "bob"))
    add_played(builder, [60] * 3, tournament=OPEN, players=("ann", "bob"))
    assert report(builder, player="annie").pr.here.decisions == 3
    people = People([("ann", "Ann A."), ("Annie", "Ann A.")], main="Ann A.")
    for result in (report(builder, people=people), report(builder, player="annie", people=people)):
        assert result.player == "Ann A." and len(result.rounds) == 2
        assert result.pr.here.decisions == 6 and result.usual_matches == 6


@pytest.mark.parametrize("tournament", ["", "Masters"])
def test_unknown_tournaments_are_refused_by_name(tournament):
    builder = RecordBuilder()
    add_played(builder, [60], tournament=OPEN)
    add_played(builder, [60])
    with pytest.raises(ValueError, match=f"'{tournament}'; the library has Open"):
        report(builder, tournament)
    with pytest.raises(ValueError, match="'eve' has no match in the tournament 'Open'"):
        report(builder, player="eve")
    with pytest.raises(ValueError, match="the library has none"):
        tournament_matches(RecordBuilder().library(), tournament)


def test_frame_has_every_comparison():
    builder = RecordBuilder()
    usual_year(builder)
    add_played(builder, [60] * 3, tournament=OPEN)
    table = report(builder).frame()
    assert table["part"].tolist() == ["all"] * 2 + ["round"] + ["rank"] * 4 + ["pressure"] * 4 + ["pace"] * 2
    assert table["measure"].tolist() == ["pr", "l7"] + ["pr"] * 11
    empty = table[(table["part"] == "rank") & (table["name"] == "91+")].iloc[0]
    assert pd.isna(empty["here_value"]) and empty["here_decisions"] == 0


def two_tournaments():
    first, second = RecordBuilder(), RecordBuilder()
    for day in ("2026-06-10", "2026-06-11"):
        add_played(first, [60, 0, 10], tournament=OPEN, day=day, key=day, final_score=(7, 1))
    add_played(second, [60, 0], tournament="Masters", day="2026-01-10", key="x", final_score=(2, 7))
    add_played(second, [60, 0], tournament="", day="2026-01-10", key="y")
    return first.library(), second.library()


def test_list_of_tournaments_in_any_order_of_files():
    parts = two_tournaments()
    tables = [list_tournaments(lib, assess(lib)) for lib in (join(parts), join(parts[::-1]))]
    assert tables[0].equals(tables[1])
    assert tables[0][
        ["tournament", "day", "player", "matches", "wins", "losses", "decisions"]
    ].to_numpy().tolist() == [
        ["Masters", "2026-01-10", "ann", 1, 0, 1, 2],
        [OPEN, "2026-06-10", "ann", 2, 2, 0, 6],
    ]
    assert tables[0]["pr"].tolist() == pytest.approx([15.0, 500 * 0.07 / 3])
    none = RecordBuilder().library()
    assert list_tournaments(none, assess(none)).empty


def test_order_of_the_files_changes_no_report():
    builders = [RecordBuilder() for _ in range(9)]
    rng = np.random.default_rng(4)
    for number, builder in enumerate(builders):
        place = {"day": "2026-03-01"} if number < 6 else {"tournament": OPEN}
        add_played(builder, rng.integers(0, 150, 12), key=f"m{number}", **place)
    parts = [builder.library() for builder in builders]
    tables = []
    for order in (range(9), rng.permutation(9)):
        library = join(parts[place] for place in order)
        tables.append(report_tournament(library, assess(library), OPEN).frame())
    pd.testing.assert_frame_equal(*tables, rtol=1e-12)
