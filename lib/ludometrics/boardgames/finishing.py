"""Finishing order of a play, or the written reason why it has none.

First a gate: what is no contest between people is not rated. Then a cascade: complete ranks, else complete scores,
else the winner flag. Where the gate can be read in two ways, this is what it does, and `count_reasons` and
`count_flags` say how many plays hang on it:

* a game marked cooperative is kept out even where the play was scored as one that somebody wins (1 to 3): in logs of
  real groups such plays were won or lost by the whole table all the same ("cooperative_override");
* what makes a team play is the play's own mark, not the game's, which is only what the app proposes;
* equal scores all round are a tie, and rated ("full_tie"), though a cooperative game that is not marked so looks the
  same; equal ranks all round say nothing, and below the first place, without a winner, they are a game lost by all;
* a play scored without points (3) has no scores, whatever the game's own setting.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import pandas as pd

from ludometrics.boardgames.records import (
    COOPERATIVE_SCORING,
    MOST_SEATS,
    Game,
    Person,
    Play,
    PlayLog,
)
from ludometrics.boardgames.scores import ScoreError, parse_score
from ludometrics.boardgames.settings import EngineSettings

#: Why a play is not rated: key and sentence, in the order in which they are asked.
REASONS: dict[str, str] = {
    "ignored": "The group marked the play as ignored.",
    "too_few_seats": "Fewer than two seats: a solo play, or an empty one.",
    "too_many_seats": f"More than {MOST_SEATS} seats.",
    "unknown_reference": "The play names a game or a person that the log does not hold.",
    "duplicate_person": "The same person sits at the table twice.",
    "only_guests": "Nobody at the table is a known person.",
    "cooperative_play": "The play was scored as cooperative: its outcome is against the game.",
    "cooperative_game": "The game is marked cooperative: its outcome is against the game.",
    "cooperative_override": "The game is marked cooperative, though this play was scored as one that somebody wins.",
    "team_play": "Teams played: the outcome is not one of single people.",
    "flag_against_scores": "A seat marked as winner does not have the best score.",
    "unreadable_score": "A score cannot be read, and neither ranks nor winners stand in.",
    "all_won": "Every seat is marked as a winner, and nothing sets them apart.",
    "no_order": "No order: no complete ranks that differ, no complete scores, no winner.",
    "unnamed_team": "Teams played, and a seat is in none.",
    "one_team": "Teams played, and all seats are in one: the outcome is against the game.",
    "divided_team": "Members of one team did not finish together.",
    "guests_dropped": "Without its guests the table has no order left.",
}

#: What a person may want to look at in a play that is rated: key and sentence.
FLAGS: dict[str, str] = {
    "winner_not_best": "A seat marked as winner is not ranked best; the ranks decide.",
    "ranks_against_scores": "A seat is ranked before another with a better score; the ranks decide.",
    "not_competition_ranking": "The ranks as logged are no competition ranking; their order counts.",
    "some_ranks": "Only some seats have a rank; ranks are passed over.",
    "some_scores": "Only some seats have a score; scores are passed over.",
    "score_unreadable": "A score cannot be read.",
    "tie_broken": "Equal best scores, told apart by the winner mark.",
    "full_tie": "Every seat has the same score: a tie all round.",
}

#: By the play's own scoring: 1 the highest wins, -1 the lowest, 0 no points.
_DIRECTIONS = {1: 1, 2: -1, 3: 0, 4: 1, 5: -1, 6: 0}


class Order(NamedTuple):
    """Finishing order of a play; all tuples have one entry a seat, guests included.

    Attributes
    ----------
    ranks : tuple of int
        Competition ranking: 1, 2, 2, 4; the best is 1.
    source : {"ranks", "scores", "flag"}
        What the order was read from. By "flag" the order among the others than winners is not known.
    scores : tuple of float
        Higher is better: the negative of what was written where the lowest wins. NaN where a seat has none, and
        everywhere where the play has no points.
    teams : tuple of int
        Number of the team; -1 where the play is no team play, or teams are not kept.
    flags : tuple of str
        Keys of `FLAGS`, in that order.
    direction : int
        1: the highest score wins; -1: the lowest; 0: the play has no points.
    """

    ranks: tuple[int, ...]
    source: str
    scores: tuple[float, ...]
    teams: tuple[int, ...]
    flags: tuple[str, ...] = ()
    direction: int = 1


class Rejection(NamedTuple):
    """Why a play is not rated.

    Attributes
    ----------
    reason : str
        Key of `REASONS`.
    detail : str
        What exactly: the values, seats counted from 1; no names but those in `Play.missing`.
    """

    reason: str
    detail: str


def finish(
    play: Play, game: Game | None, people: Mapping[str, Person], settings: EngineSettings
) -> Order | Rejection:
    """Tell the finishing order of a play.

    Parameters
    ----------
    play : Play
    game : Game or None
        The play's; None where the log does not hold it.
    people : mapping of str to Person
    settings : EngineSettings
        `gate`, `teams` and `guests` count. Without the gate, cooperative and team plays are rated as any other.

    Returns
    -------
    Order or Rejection
        Another order of the seats gives the same in that order.

    Source
    ------
    The cascade from ranks over scores to the winner flag, and that a flag against the scores rejects: the author of
    the published engine, bgelo. The gate: own.

    Examples
    --------
    >>> from datetime import datetime
    >>> from ludometrics.boardgames.records import Seat
    >>> people = {name: Person(name, name) for name in "abc"}
    >>> seats = tuple(Seat(name, score) for name, score in zip("abc", ("40+2", "17", "17")))
    >>> play = Play("1", "g", datetime(2026, 9, 1), datetime(2026, 9, 1), seats)
    >>> finish(play, Game("g", "Game"), people, EngineSettings()).ranks
    (1, 2, 2)
    >>> finish(play, Game("g", "Game", cooperative=True), people, EngineSettings()).reason
    'cooperative_game'
    """
    rejection = _check_table(play, game, people)
    if rejection is None and settings.gate:
        rejection = _check_contest(play, game, settings)
    outcome = _cascade(play, game) if rejection is None else rejection
    if isinstance(outcome, Order):
        outcome = outcome._replace(direction=_direction(play, game))
        if settings.teams == "across" and play.uses_teams:
            outcome = _across_teams(play, outcome)
    if isinstance(outcome, Order) and settings.guests == "drop":
        outcome = _without_guests(play, people, outcome)
    return outcome


def finish_all(log: PlayLog, settings: EngineSettings) -> list[Order | Rejection]:
    """Tell the finishing order of every play of a log, in the order of its plays; see `finish`."""
    return [finish(play, log.games.get(play.game), log.people, settings) for play in log.plays]


def count_reasons(log: PlayLog, outcomes: Sequence[Order | Rejection]) -> pd.DataFrame:
    """Count the plays that are not rated, by reason.

    Parameters
    ----------
    log : PlayLog
    outcomes : sequence of Order or Rejection
        Of `finish_all`.

    Returns
    -------
    DataFrame
        One row a reason that occurs, in the order of `REASONS`: reason, meaning, plays, and orderable: how many of
        them have complete ranks, scores or a winner all the same, so would be rated but for the reason.

    Raises
    ------
    ValueError
        Another number of outcomes than of plays.
    """
    if len(outcomes) != len(log.plays):
        raise ValueError(f"{len(outcomes)} outcomes for {len(log.plays)} plays: one for each is needed")
    plays, orderable = dict.fromkeys(REASONS, 0), dict.fromkeys(REASONS, 0)
    for play, outcome in zip(log.plays, outcomes, strict=True):
        if isinstance(outcome, Rejection):
            plays[outcome.reason] += 1
            game = log.games.get(play.game)
            ordered = _check_table(play, game, log.people) is None and isinstance(_cascade(play, game), Order)
            orderable[outcome.reason] += ordered
    rows = [(key, REASONS[key], plays[key], orderable[key]) for key in REASONS if plays[key]]
    return pd.DataFrame(rows, columns=["reason", "meaning", "plays", "orderable"])


def count_flags(outcomes: Iterable[Order | Rejection]) -> pd.DataFrame:
    """Count the rated plays that a person may want to look at: columns flag, meaning, plays, in order of `FLAGS`."""
    plays = dict.fromkeys(FLAGS, 0)
    for outcome in outcomes:
        for flag in outcome.flags if isinstance(outcome, Order) else ():
            plays[flag] += 1
    rows = [(key, FLAGS[key], plays[key]) for key in FLAGS if plays[key]]
    return pd.DataFrame(rows, columns=["flag", "meaning", "plays"])


def competition_ranks(keys: Sequence) -> tuple[int, ...]:
    """Competition ranking of keys that can be compared, the largest first.

    Examples
    --------
    >>> competition_ranks([3.0, 7.0, 3.0, 1.0])
    (2, 1, 2, 4)
    """
    place: dict = {}
    for number, key in enumerate(sorted(keys, reverse=True), start=1):
        place.setdefault(key, number)
    return tuple(place[key] for key in keys)


def _check_table(play: Play, game: Game | None, people: Mapping[str, Person]) -> Rejection | None:
    """Reason why nothing can be rated at this table, whatever the settings."""
    seats = play.seats
    if play.ignored:
        return Rejection("ignored", "ignored")
    if len(seats) < 2:
        return Rejection("too_few_seats", f"{len(seats)} seat{'s' * (len(seats) != 1)}")
    if len(seats) > MOST_SEATS:
        return Rejection("too_many_seats", f"{len(seats)} seats")
    missing = play.missing or ("game",) * (game is None)
    missing = missing or tuple(
        f"player at seat {number}" for number, seat in enumerate(seats, start=1) if seat.person not in people
    )
    if missing:
        return Rejection("unknown_reference", ", ".join(missing))
    known: dict[str, list[int]] = {}
    for number, seat in enumerate(seats, start=1):
        if not people[seat.person].is_guest:
            known.setdefault(seat.person, []).append(number)
    twice = [numbers for numbers in known.values() if len(numbers) > 1]
    if twice:
        return Rejection("duplicate_person", f"seats {' and '.join(map(str, twice[0]))}")
    return None if known else Rejection("only_guests", f"{len(seats)} guests")


def _check_contest(play: Play, game: Game, settings: EngineSettings) -> Rejection | None:
    """Reason why the play is no contest between people."""
    scoring = f"scoring {play.scoring}"
    if play.scoring in COOPERATIVE_SCORING:
        return Rejection("cooperative_play", scoring)
    if game.cooperative:
        return Rejection(
            "cooperative_override" if play.scoring in _DIRECTIONS else "cooperative_game", scoring
        )
    if play.uses_teams and settings.teams == "reject":
        return Rejection("team_play", f"teams {_listed(seat.team for seat in play.seats)}")
    return None


def _cascade(play: Play, game: Game) -> Order | Rejection:
    """Ranks, else scores, else the winner flag."""
    given = [seat.rank for seat in play.seats]
    winners = [seat.winner for seat in play.seats]
    scores, flags, unreadable = _read_scores(play, game)
    if min(given) <= 0 < max(given):
        flags.add("some_ranks")
    if min(given) > 0 and len(set(given)) > 1:
        return _by_ranks(given, winners, scores, flags)
    if min(given) > 1 and not any(winners):
        return Rejection("no_order", f"all ranked {given[0]}, no winner")
    if not any(map(math.isnan, scores)):
        return _by_scores(play, winners, scores, flags)
    if any(winners) and not all(winners):
        return _order(competition_ranks(winners), "flag", scores, flags)
    if unreadable:
        return Rejection("unreadable_score", unreadable)
    if all(winners):
        return Rejection("all_won", f"{len(winners)} winners")
    return Rejection(
        "no_order", f"ranks {_listed(given)}; scores {_listed(seat.score for seat in play.seats)}"
    )


def _direction(play: Play, game: Game) -> int:
    by_game = 0 if game.no_points else 1 if game.highest_wins else -1
    return _DIRECTIONS.get(play.scoring, by_game)


def _read_scores(play: Play, game: Game) -> tuple[list[float], set[str], str]:
    """Scores of the seats, higher the better, with flags and the first complaint about them."""
    direction = _direction(play, game)
    if direction == 0:
        return [math.nan] * len(play.seats), set(), ""
    scores, complaint = [], ""
    for number, seat in enumerate(play.seats, start=1):
        try:
            score = parse_score(seat.score)
        except ScoreError as error:
            score, complaint = None, complaint or f"seat {number}: {error}"
        scores.append(math.nan if score is None else direction * score)
    flags = {"score_unreadable"} if complaint else set()
    if any(map(math.isnan, scores)) and not all(map(math.isnan, scores)):
        flags.add("some_scores")
    return scores, flags, complaint


def _by_ranks(given: list[int], winners: list[bool], scores: list[float], flags: set[str]) -> Order:
    ranks = competition_ranks([-rank for rank in given])
    if tuple(given) != ranks:
        flags.add("not_competition_ranking")
    if any(winner and rank > 1 for winner, rank in zip(winners, ranks, strict=True)):
        flags.add("winner_not_best")
    seats = list(zip(ranks, scores, strict=True))
    if any(rank < other and score < better for rank, score in seats for other, better in seats):
        flags.add("ranks_against_scores")
    return _order(ranks, "ranks", scores, flags)


def _by_scores(play: Play, winners: list[bool], scores: list[float], flags: set[str]) -> Order | Rejection:
    best = max(scores)
    for number, (winner, score) in enumerate(zip(winners, scores, strict=True), start=1):
        if winner and score < best:
            written = [seat.score for seat in play.seats]
            return Rejection("flag_against_scores", f"winner at seat {number}; scores {_listed(written)}")
    ranks = competition_ranks(list(zip(scores, winners, strict=True)))
    if ranks != competition_ranks(scores):
        flags.add("tie_broken")
    if set(ranks) == {1}:
        flags.add("full_tie")
    return _order(ranks, "scores", scores, flags)


def _order(ranks: tuple[int, ...], source: str, scores: list[float], flags: set[str]) -> Order:
    kept = tuple(score + 0.0 for score in scores)  # no -0.0
    return Order(ranks, source, kept, (-1,) * len(ranks), tuple(flag for flag in FLAGS if flag in flags))


def _across_teams(play: Play, order: Order) -> Order | Rejection:
    """The order with the teams of the seats; members of a team share their place."""
    labels = [seat.team.strip().casefold() for seat in play.seats]
    if "" in labels:
        return Rejection("unnamed_team", f"seat {labels.index('') + 1}; teams {_listed(labels)}")
    teams = sorted(set(labels))
    if len(teams) == 1:
        return Rejection("one_team", f"team {teams[0]!r}")
    for team in teams:
        places = sorted({rank for rank, label in zip(order.ranks, labels, strict=True) if label == team})
        if len(places) > 1:
            return Rejection("divided_team", f"team {team!r} at places {_listed(places)}")
    return order._replace(teams=tuple(teams.index(label) for label in labels))


def _without_guests(play: Play, people: Mapping[str, Person], order: Order) -> Order | Rejection:
    """The same order, guests still in it, unless nothing is left to compare once they are taken out."""
    pairs = zip(play.seats, order.ranks, strict=True)
    places = [rank for seat, rank in pairs if not people[seat.person].is_guest]
    if len(places) < 2:
        return Rejection("guests_dropped", "1 known person")
    if order.source == "flag" and len(set(places)) == 1:
        return Rejection("guests_dropped", f"winner flag alone, all {len(places)} known people at one place")
    return order


def _listed(values: Iterable[object]) -> str:
    """Values as a person reads them: 1, 2, none."""
    texts = [str(value).strip()[:20] or "none" for value in values]
    return ", ".join(texts[:12]) + (", ..." if len(texts) > 12 else "")
