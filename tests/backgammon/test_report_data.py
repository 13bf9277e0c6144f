"""What a report tells, held against the same numbers worked out another way."""

from dataclasses import replace
from datetime import UTC, date, datetime

import numpy as np
import pytest

from ludometrics.backgammon.assessment import assess
from ludometrics.backgammon.rates import l7, pr
from ludometrics.backgammon.records import Kind
from ludometrics.backgammon.report_data import Extent, rate_player, report_on
from ludometrics.backgammon.report_page import build_page
from ludometrics.backgammon.report_parts import compare_parts
from ludometrics.backgammon.report_positions import read_position, view_decision
from ludometrics.backgammon.report_selection import Selection, arrange
from ludometrics.backgammon.settings import DEFAULTS
from ludometrics.backgammon.side_tables import People, StudyAction
from report_sample import sample_library

PEOPLE = People([("ADA2", "Ada")], main="Ada")
SUM = {"rel": 1e-12, "abs": 1e-12}  # sums of the same numbers in another order


@pytest.fixture(scope="module")
def library():
    return sample_library(16)


@pytest.fixture(scope="module")
def report(library):
    return report_on(library, "Ada", people=PEOPLE, extent=Extent(latest=4, references=5, window=5))


def test_parts_are_the_rates_of_their_decisions(report):
    kinds = report.library.decisions.kind
    masks = [np.ones(len(kinds), bool), *(kinds == kind for kind in Kind)]
    for part, chosen in zip(report.parts, masks, strict=True):
        own = report.mask & chosen
        assert part.pr == pr(report.library, report.assessment, own)
        assert part.l7 == l7(report.library, report.assessment, own)
        assert part.errors == int((report.assessment.is_error & own).sum())
    whole, *pieces = report.parts
    for name in ("errors", "blunders", "avoidable", "priced"):
        assert getattr(whole, name) == sum(getattr(piece, name) for piece in pieces)
    assert whole.loss == pytest.approx(sum(piece.loss for piece in pieces), **SUM)
    assert whole.ratio == pytest.approx(whole.loss / whole.difficulty, **SUM)


def test_a_curve_over_time_pools_the_latest_matches(library, report):
    trend = report.pr_trend
    assert len(trend.each) == len(report.library.matches) and trend.window == 5
    count = len(report.library.matches)
    for last in (2, 7, count - 1):
        kept = np.zeros(count, bool)
        kept[max(0, last - 4) : last + 1] = True
        part = report.library.only(kept)
        rate = pr(part, assess(part), part.of_player("Ada", "ADA2"))
        found = (trend.pooled[last], trend.low[last], trend.high[last])
        assert found == pytest.approx((rate.value, rate.low, rate.high), **SUM)
    single = [match.pr.value for match in report.matches]
    assert trend.each == pytest.approx(single, **SUM)


def test_l7_over_time_leaves_money_out_and_is_in_per_cent(report):
    shown = [match for match in report.matches if match.length]
    assert report.l7_trend.each == pytest.approx([100 * match.l7.value for match in shown], **SUM)
    assert report.l7_trend.dates == tuple(match.date for match in shown)


def test_no_line_without_a_band(report):
    trend = report.pr_trend
    assert np.isnan(trend.pooled[:2]).all()
    assert np.array_equal(np.isnan(trend.pooled), np.isnan(trend.high))


def test_the_latest_matches_are_shown_with_their_curves(report):
    assert [detail.report for detail in report.details] == list(report.matches[::-1][:4])
    for detail in report.details:
        for curve, loss in zip(detail.curves, (detail.report.loss, detail.report.opponent_loss), strict=True):
            assert (
                np.isnan(curve.total).all() if loss is None else curve.total[-1] == pytest.approx(loss, **SUM)
            )
        assert [view.row for view in detail.views] == [review.row for review in detail.report.review]
        assert detail.curves[0].name == detail.report.player
        assert detail.games[0][0] == 0 and len(detail.games) == (1 if detail.report.length == 1 else 3)


def test_reference_positions_are_shown_in_their_order(report):
    assert [view.row for view in report.reference_views] == list(report.references.rows)
    assert 0 < len(report.references.rows) <= 5
    assert report.mask[list(report.references.rows)].all()


def test_a_view_tells_what_was_played_and_what_was_best(report):
    judged, decisions = report.assessment, report.library.decisions
    for row in np.flatnonzero(judged.error_mp > 0)[:40]:
        view = view_decision(report.library, judged, int(row))
        (best,) = [answer for answer in view.answers if answer.best]
        (played,) = [answer for answer in view.answers if answer.played]
        assert (
            best is view.answers[0]
            and best.cost == 0
            and (view.best, view.played) == (best.text, played.text)
        )
        assert round(1000 * played.cost) == pytest.approx(view.error_mp, abs=1)
        assert ("bd-played" in view.picture) == (decisions.kind[row] == Kind.CHECKER)
        position = read_position(view.xgid)
        assert position.board == tuple(decisions.board[row].tolist())
        assert position.away == tuple(decisions.away[row].tolist())
        assert position.offered == (decisions.kind[row] == Kind.RESPONSE)
        assert position.post_crawford == decisions.post_crawford[row]


def test_tournaments_are_held_against_all_of_the_players_matches(library):
    chosen = Selection(since=date(2025, 1, 1))
    report = report_on(library, "Ada", people=PEOPLE, selection=chosen)
    assert all(match.date >= "2025" for match in report.library.matches)
    (tournament,) = report.tournaments
    assert tournament.usual_matches > len(report.library.matches)


def test_the_page_is_the_same_whatever_the_order_of_the_files(library, report):
    shuffled = arrange(library, np.random.default_rng(8).permutation(len(library.matches)))
    again = report_on(shuffled, "ada2", people=PEOPLE, extent=Extent(latest=4, references=5, window=5))
    assert build_page(again) == build_page(report)


def test_two_players_side_by_side(library, report):
    who, parts = rate_player(library, "cy", people=PEOPLE)
    compared = compare_parts(report.parts, parts, 20)
    assert who.name == "Cy" and compared[0].name == "PR, all" and compared[-1].percent
    for each in compared:
        found = each.comparison
        if found.difference is not None:
            assert found.difference == pytest.approx(found.here.value - found.usual.value, **SUM)


def test_studied_positions_are_not_proposed_again(library, report):
    first = report.reference_views[0]
    when = datetime(2024, 6, 1, tzinfo=UTC)
    again = report_on(
        library,
        "Ada",
        people=PEOPLE,
        actions=(StudyAction(first.xgid, when, "studied"),),
        extent=Extent(references=50),
    )
    assert again.references.handled >= 1 and again.effect is not None and again.effect.families
    assert first.xgid not in [view.xgid for view in again.reference_views]
    assert report.effect is None


def not_analysed(library):
    decisions = library.decisions
    empty = np.full_like(decisions.equities, np.nan)
    options = replace(decisions.options, equity=np.full_like(decisions.options.equity, np.nan))
    return replace(library, decisions=replace(decisions, equities=empty, options=options))


def other_table(library):
    return replace(library, matches=tuple(replace(match, met="Woolsey") for match in library.matches))


def silent(library):
    """A library in which Ada never decides."""
    mask = library.of_player("Ada", "ADA2")
    return replace(library, decisions=library.decisions.where(~mask))


@pytest.mark.parametrize(
    "change, said",
    [
        (not_analysed, "the matches are not analysed; `analyse`"),
        (other_table, r"another match equity table \(Woolsey\) than kazaross-xg2"),
        (silent, "no decision of this player could be read"),
    ],
    ids=["not analysed", "another table", "no decision"],
)
def test_nothing_counted_says_why(library, change, said):
    with pytest.raises(ValueError, match=f"Ada has 16 matches but no counted decision.*{said}"):
        report_on(change(library), "Ada", people=PEOPLE)


def test_the_rule_is_that_of_the_settings(library):
    report = report_on(library, "Ada", people=PEOPLE, settings=DEFAULTS.changed(rule="gnubg"))
    assert report.parts[0].pr.decisions == report.rules["gnubg"].decisions
    assert report.rules["gnubg"].value == pytest.approx(2 * report.parts[0].pr.value, **SUM)
