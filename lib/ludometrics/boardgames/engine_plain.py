"""The plain twin of the compiled pass: the rules one after another, for reading and for tests."""

import math
from collections.abc import Iterator

from ludometrics.boardgames.engine_loops import CORRECTION_BINS, CORRECTION_PAIRS, Numbers, Plays
from ludometrics.ratings.glicko1 import Q, attenuation, expected_score


def plain_pass(plays: Plays, numbers: Numbers, n_people: int, n_games: int) -> dict[str, list]:
    """Rate all plays in their order: what `one_pass` does, in dictionaries and lists.

    Returns
    -------
    dict of str to list
        `rating`, `variance`, `plays`, `last_day` a player; `before`, `variance_before`, `after`, `variance_after`,
        `evidence` a seat; `forecast`, `outcome`, `scored`, `margin`, `pair_weight` a pair.
    """
    players = [{"rating": numbers.start, "variance": numbers.prior, "plays": 0, "last_day": math.nan}
               for _ in range(n_people)]  # fmt: skip
    books: list[list[list[float]]] = [[] for _ in range(n_games)]
    usual: list[list[float]] = [[] for _ in range(CORRECTION_BINS)]
    seats, pairs = [], []
    for play in range(len(plays.starts) - 1):
        table = [
            _seat(plays, numbers, players, i, play) for i in range(plays.starts[play], plays.starts[play + 1])
        ]
        spread = _usual_spread(books[plays.game[play]], numbers) if numbers.use_margin else 0.0
        played = [_compare(a, b, plays, numbers, play, spread, usual) for a, b in _each_pair(table)]
        for pair in played:
            if pair["raw_margin"] is not None:
                usual[_bin(pair["winner_forecast"])].append(pair["raw_margin"])
        for seat in table:
            _move(seat, numbers)
            if seat["person"] >= 0:
                player = players[seat["person"]]
                player |= {"rating": seat["after"], "variance": seat["variance_after"]}
                player |= {"plays": player["plays"] + 1, "last_day": plays.day[play]}
        scores = [seat["score"] * plays.direction[play] for seat in table]
        if plays.direction[play] and not any(math.isnan(score) for score in scores):
            books[plays.game[play]].append(scores)
        seats += table
        pairs += played
    wanted = (
        (players, ("rating", "variance", "plays", "last_day")),
        (seats, ("before", "variance_before", "after", "variance_after", "evidence")),
        (pairs, ("forecast", "outcome", "scored", "margin", "pair_weight")),
    )
    return {name: [row[name] for row in rows] for rows, names in wanted for name in names}


def _seat(plays: Plays, numbers: Numbers, players: list[dict], i: int, play: int) -> dict:
    person, rating, variance = plays.person[i], numbers.start, numbers.prior
    if person >= 0 and players[person]["plays"]:
        player = players[person]
        away = max(plays.day[play] - player["last_day"], 0.0)
        rating = player["rating"]
        variance = min(numbers.prior, player["variance"] + numbers.growth * away + numbers.drift)
    columns = ("person", "rank", "score", "team", "familiarity")
    return {name: getattr(plays, name)[i] for name in columns} | {
        "before": rating,
        "variance_before": variance,
        "push": 0.0,
        "information": 0.0,
        "evidence": 0.0,
    }


def _each_pair(table: list[dict]) -> Iterator[tuple[dict, dict]]:
    for place, first in enumerate(table):
        for second in table[place + 1 :]:
            opponents = [
                [other for other in table if other is not seat and not _mates(seat, other)]
                for seat in (first, second)
            ]
            first["opponents"], second["opponents"] = (max(len(others), 1) for others in opponents)
            yield first, second


def _mates(first: dict, second: dict) -> bool:
    return first["team"] >= 0 and first["team"] == second["team"]


def _compare(
    a: dict, b: dict, plays: Plays, numbers: Numbers, play: int, spread: float, usual: list[list[float]]
) -> dict:
    """Compare two seats: their forecast, outcome and weight; what each learns is added to it."""
    deviations = (math.sqrt(a["variance_before"]), math.sqrt(b["variance_before"]))
    forecast = expected_score(a["before"], b["before"], *deviations)
    outcome = 0.5 if a["rank"] == b["rank"] else float(a["rank"] < b["rank"])
    unknown = plays.flag_only[play] and outcome == 0.5 and a["rank"] > 1
    known = a["person"] >= 0 and b["person"] >= 0
    winner, loser = (a, b) if outcome == 1.0 else (b, a)
    raw_margin, margin = None, 1.0
    if outcome != 0.5 and spread > 0.0 and winner["score"] > loser["score"]:
        filled = min(1.0, (winner["score"] - loser["score"]) / (numbers.margin_full * spread))
        raw_margin = margin = numbers.margin_low + (numbers.margin_high - numbers.margin_low) * filled
    winner_forecast = forecast if outcome == 1.0 else 1.0 - forecast
    seen = usual[_bin(winner_forecast)]
    if numbers.correction and raw_margin is not None and len(seen) >= CORRECTION_PAIRS:
        margin = raw_margin / (sum(seen) / len(seen))
    pair = {"forecast": forecast, "outcome": outcome, "margin": margin, "pair_weight": 0.0}
    pair |= {"raw_margin": raw_margin, "winner_forecast": winner_forecast}
    pair["scored"] = known and not _mates(a, b) and not unknown
    nobody = a["person"] < 0 and b["person"] < 0
    if nobody or _mates(a, b) or (unknown and numbers.skip_unresolved):
        return pair
    weight = plays.weight[play] * margin
    if numbers.pair_confidence:
        known = [seat["familiarity"] for seat in (a, b) if not math.isnan(seat["familiarity"])]
        mean = math.prod(known) ** (1.0 / len(known))
        weight *= numbers.confidence_low + (1.0 - numbers.confidence_low) * mean
    for seat, other, score in ((a, b, outcome), (b, a, 1.0 - outcome)):
        share = weight / seat["opponents"] if numbers.per_opponent else weight
        deviation = math.sqrt(other["variance_before"])
        g, expected = attenuation(deviation), expected_score(seat["before"], other["before"], 0.0, deviation)
        seat["push"] += share * g * (score - expected)
        seat["information"] += share * (Q * g) ** 2 * expected * (1.0 - expected)
        seat["evidence"] += share
        if seat is a:
            pair["pair_weight"] = share
    return pair


def _move(seat: dict, numbers: Numbers) -> None:
    variance = 1.0 / (1.0 / seat["variance_before"] + seat["information"])
    seat["after"] = seat["before"] + Q * variance * seat["push"]
    seat["variance_after"] = max(variance, numbers.floor)


def _usual_spread(book: list[list[float]], numbers: Numbers) -> float:
    """Standard deviation of the scores entered so far; 0 while they are too few to be trusted."""
    scores = [score for play in book for score in play]
    if len(scores) < numbers.margin_scores or len(book) < numbers.margin_plays or len(scores) < 2:
        return 0.0
    if not numbers.within:
        mean = sum(scores) / len(scores)
        return math.sqrt(sum((score - mean) ** 2 for score in scores) / (len(scores) - 1))
    squares = sum((score - sum(play) / len(play)) ** 2 for play in book for score in play)
    freedom = len(scores) - len(book)
    return math.sqrt(squares / freedom) if freedom else 0.0


def _bin(chance: float) -> int:
    return min(int(chance * CORRECTION_BINS), CORRECTION_BINS - 1)
