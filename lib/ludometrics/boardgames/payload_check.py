"""Checks of a payload: its schema, and what must hold between its tables."""

import json
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from itertools import chain, combinations, pairwise
from typing import Any

SCHEMA = "ludometrics.boardgames/1"
#: Decimals of a written payload.
DIGITS = 3
#: How far two ways of adding up the same numbers may differ, points.
TOLERANCE = 1e-9
_BAND = 1.645


class PayloadError(ValueError):
    """A payload that is wrong; says where."""


def check_payload(payload: Mapping[str, Any], *, rounded: bool = False) -> None:
    """Check a payload against its schema, and its tables against one another.

    Every line of ratings ends at the final rating, which is the start and all changes; ranks start at 1; the play log
    holds every play once and mirrors the rated ones; what is not rated has a reason; guests have no identity; counts
    agree; no number is without a value; where names are withheld, so is what else may hold them.

    Parameters
    ----------
    payload : mapping
        Of `build_payload`, or read from a file.
    rounded : bool
        Whether numbers are those of a written payload, of three decimals: then sums need agree only to that.

    Raises
    ------
    PayloadError
        Naming the first place that is wrong.
    ImportError
        Without fastjsonschema (`pip install "ludometrics[boardgames]"`).

    Source
    ------
    The author of bgelo for the first five; the others own.
    """
    for problem in chain(_check_finite(payload), _check_schema(payload)):
        raise PayloadError(problem)
    unit = 0.5 * 10.0**-DIGITS if rounded else 0.0
    checks = (
        _check_players,
        _check_plays,
        _check_events,
        _check_series,
        _check_sessions,
        _check_meetings,
        _check_counts,
        _check_references,
        _check_withheld,
    )
    for problem in chain.from_iterable(check(payload, unit) for check in checks):
        raise PayloadError(f"payload: {problem}")


@cache
def _validator() -> Callable[[Any], Any]:
    try:
        import fastjsonschema
    except ImportError:
        raise ImportError(
            'payloads are checked with fastjsonschema: pip install "ludometrics[boardgames]"'
        ) from None
    text = files("ludometrics.boardgames").joinpath("payload_schema.json").read_text(encoding="utf-8")
    return fastjsonschema.compile(json.loads(text))


def _check_schema(payload: Any) -> Iterator[str]:
    validate = _validator()
    from fastjsonschema import JsonSchemaValueException

    try:
        validate(payload)
    except JsonSchemaValueException as error:
        value = repr(error.value)
        shown = value if len(value) <= 80 else value[:77] + "..."
        yield f"{error.message.replace('data', 'payload', 1)}, not {shown}"


def _check_finite(payload: Any) -> Iterator[str]:
    found = _find_infinite(payload)
    if found is not None:
        path, value = found
        yield f"payload{path} is {value}: JSON has no such number"


def _find_infinite(value: Any) -> tuple[str, float] | None:
    """Path and value of the first number that is not finite; paths are put together only for that one."""
    if isinstance(value, float):
        return None if math.isfinite(value) else ("", value)
    if isinstance(value, dict):
        items = ((f".{key}", item) for key, item in value.items() if not isinstance(item, str | int))
    elif isinstance(value, list | tuple):
        items = (
            (f"[{number}]", item) for number, item in enumerate(value) if not isinstance(item, str | int)
        )
    else:
        return None
    for step, item in items:
        if (found := _find_infinite(item)) is not None:
            return step + found[0], found[1]
    return None


def _differ(first: float, second: float, slack: float) -> bool:
    return abs(first - second) > slack + TOLERANCE


def _check_players(payload: Mapping[str, Any], unit: float) -> Iterator[str]:
    """Numbered in order, distinct names, established first, ranks from 1, bands about the rating."""
    rows = payload["players"]
    line = payload["group"]["settings"]["deviation"] ** 2 / 2.0
    names = Counter(row["name"] for row in rows)
    ranked = [row["rank"] for row in rows if row["rank"] is not None]
    for number, row in enumerate(rows):
        place = f"players[{number}]"
        if row["id"] != f"p{number + 1}":
            yield f"{place}.id is {row['id']}: in this place it must be p{number + 1}"
        if names[row["name"]] > 1:
            yield f"{place}.name is {row['name']!r}: another player is called so"
        if row["provisional"] != (row["rank"] is None):
            yield f"{place}.rank is {row['rank']}, provisional {row['provisional']}: only the established have one"
        if (row["deviation"] ** 2 > line) != row["provisional"] and _differ(
            row["deviation"], line**0.5, unit
        ):
            yield f"{place}.provisional is {row['provisional']} with a deviation of {row['deviation']}"
        for name, sign in (("low", -1), ("high", 1)):
            bound = row["rating"] + sign * _BAND * row["deviation"]
            if _differ(row[name], bound, 4 * unit):
                yield f"{place}.{name} is {row[name]}: rating and deviation make it {bound:.6f}"
    for number, (row, after) in enumerate(pairwise(rows)):
        behind = (
            row["rating"] - row["deviation"] < after["rating"] - after["deviation"] - 4 * unit - TOLERANCE
        )
        if row["provisional"] > after["provisional"] or (
            row["provisional"] == after["provisional"] and behind
        ):
            yield f"players[{number + 1}] stands after players[{number}], which is not before it in the order"
    if ranked and (
        ranked[0] != 1 or any(b != a and b != at for at, (a, b) in enumerate(pairwise(ranked), 2))
    ):
        yield f"players: the ranks are {ranked[:10]}: they must start at 1, equals sharing one"


def _check_plays(payload: Mapping[str, Any], unit: float) -> Iterator[str]:
    """Every logged play once, in order; rated ones are the events; the others have a reason."""
    rows, events = payload["play_log"], payload["events"]
    for number, row in enumerate(rows):
        place = f"play_log[{number}]"
        if row["id"] != f"n{number + 1}":
            yield f"{place}.id is {row['id']}: in this place it must be n{number + 1}"
        if number and row["date"] < rows[number - 1]["date"]:
            yield f"{place}.date is {row['date']}: the play before it is later"
        if row["rated"] != (row["reason"] is None):
            yield f"{place}.reason is {row['reason']!r}, rated {row['rated']}: just what is not rated has one"
        if not row["rated"] and row["reason"] == "":
            yield f"{place}.reason is empty"
    rated = [row["id"] for row in rows if row["rated"]]
    told = [event["play"] for event in events]
    for number, (play, event) in enumerate(zip(rated, told, strict=False)):
        if play != event:
            yield f"events[{number}].play is {event}: by the play log it must be {play}"
    if len(rated) != len(told):
        yield f"events: there are {len(told)} of {len(rated)} plays that the log calls rated"
    reasons = Counter(row["reason"] for row in rows if not row["rated"])
    if reasons != {row["reason"]: row["plays"] for row in payload["rejections"]}:
        yield f"rejections: by the play log they are {dict(sorted(reasons.items()))}"


def _check_events(payload: Mapping[str, Any], unit: float) -> Iterator[str]:
    """Moves add up, each starts where the last ended, ranks start at 1, and the seats are those of the play log."""
    log = {row["id"]: row for row in payload["play_log"]}
    now: dict[str, float] = {}
    for number, event in enumerate(payload["events"]):
        place = f"events[{number}]"
        seats = event["seats"]
        logged = log[event["play"]]["seats"]
        people = Counter(seat["player"] for seat in seats)
        guests = people.pop(None, 0)
        if people != Counter(seat["player"] for seat in logged if seat["player"] is not None):
            yield f"{place}.seats: players are {sorted(people)}, which are not those of the play log"
        if any(n > 1 for n in people.values()) or guests > sum(seat["player"] is None for seat in logged):
            yield f"{place}.seats: a player sits twice, or there are more guests than in the play log"
        ranks = sorted(seat["rank"] for seat in seats)
        if ranks[0] != 1 or any(rank != ranks.index(rank) + 1 for rank in ranks):
            yield f"{place}.seats: ranks are {ranks}: they must be a competition ranking from 1"
        for at, seat in enumerate(seats):
            if _differ(seat["before"] + seat["change"], seat["after"], 3 * unit):
                yield f"{place}.seats[{at}]: {seat['before']} and {seat['change']} do not make {seat['after']}"
            player = seat["player"]
            if player is None:
                continue
            if player in now and _differ(seat["before"], now[player], 2 * unit):
                yield f"{place}.seats[{at}].before is {seat['before']}: {player} stood at {now[player]}"
            now[player] = seat["after"]


def _check_series(payload: Mapping[str, Any], unit: float) -> Iterator[str]:
    """One line a player: from the start through every rated play to the rating, and the changes lead there too."""
    moves: dict[str, list[tuple[str, float, float]]] = {row["id"]: [] for row in payload["players"]}
    for event in payload["events"]:
        for seat in event["seats"]:
            if seat["player"] in moves:
                moves[seat["player"]].append((event["play"], seat["after"], seat["change"]))
    if set(payload["series"]) != set(moves):
        yield f"series: there must be one for each of {len(moves)} players, and no other"
    for player in payload["players"]:
        place, line, own = f"series.{player['id']}", payload["series"][player["id"]], moves[player["id"]]
        if {len(values) for values in line.values()} != {len(own) + 1}:
            yield f"{place}: every list must hold the start and {len(own)} rated plays"
        if line["play"] != ["start", *(play for play, _, _ in own)]:
            yield f"{place}.play: the plays are not those of the events"
        for number, (_, after, _) in enumerate(own, start=1):
            if _differ(line["rating"][number], after, 2 * unit):
                yield f"{place}.rating[{number}] is {line['rating'][number]}: the event says {after}"
        if any(later < hours for hours, later in pairwise(line["hours"])):
            yield f"{place}.hours: playing time must not go back"
        if _differ(line["rating"][-1], player["rating"], 2 * unit):
            yield f"{place}.rating ends at {line['rating'][-1]}: the player's is {player['rating']}"
        total = line["rating"][0] + math.fsum(change for _, _, change in own)
        if _differ(total, player["rating"], (len(own) + 2) * unit):
            yield f"{place}: the start and all changes make {total}, and the player's rating is {player['rating']}"


def _check_sessions(payload: Mapping[str, Any], unit: float) -> Iterator[str]:
    """Every logged play is in one session, whose changes are those of its events."""
    counts = Counter(play for session in payload["sessions"] for play in session["plays"])
    for row in payload["play_log"]:
        if counts.pop(row["id"], 0) != 1:
            yield f"sessions: play {row['id']} must stand in exactly one"
    if counts:
        yield f"sessions: the log has no play {min(counts)}"
    moves = {event["play"]: event["seats"] for event in payload["events"]}
    for number, session in enumerate(payload["sessions"]):
        sums: dict[str, list[float]] = {}
        for play in session["plays"]:
            for seat in moves.get(play, ()):
                if seat["player"] is not None:
                    sums.setdefault(seat["player"], []).append(seat["change"])
        place = f"sessions[{number}]"
        if session["id"] != f"s{number + 1}":
            yield f"{place}.id is {session['id']}: in this place it must be s{number + 1}"
        if set(sums) != set(session["changes"]) or not set(sums) <= set(session["players"]):
            yield f"{place}.changes: they must be of those who sat at its rated plays"
        for player, values in sums.items():
            told = session["changes"][player]
            if _differ(told, math.fsum(values), (len(values) + 1) * unit):
                yield f"{place}.changes.{player} is {told}: its events make it {math.fsum(values)}"


def _check_meetings(payload: Mapping[str, Any], unit: float) -> Iterator[str]:
    """Results of every two players are those of the events' ranks."""
    place_of = {row["id"]: number for number, row in enumerate(payload["players"])}
    ranked: Counter[tuple[str, str, int]] = Counter()
    for event in payload["events"]:
        known = [seat for seat in event["seats"] if seat["player"] in place_of]
        known.sort(key=lambda seat: place_of[seat["player"]])
        for a, b in combinations(known, 2):
            ranked[a["player"], b["player"], (a["rank"] < b["rank"]) - (a["rank"] > b["rank"])] += 1
    told = set()
    for number, row in enumerate(payload["head_to_head"]):
        place, pair = f"head_to_head[{number}]", (row["a"], row["b"])
        if not place_of.get(row["a"], len(place_of)) < place_of.get(row["b"], -1) or pair in told:
            yield f"{place}: {pair} must be two players in the players' order, and stand once"
        told.add(pair)
        if row["wins"] != ranked[*pair, 1] or row["losses"] != ranked[*pair, -1]:
            yield f"{place}: by the events {pair} have {ranked[*pair, 1]} wins and {ranked[*pair, -1]} losses"
        n = row["wins"] + row["losses"] + row["ties"]
        if row["n"] != n or row["plays"] != n + row["unresolved"]:
            yield f"{place}: wins, losses and ties are {n}, n is {row['n']}, plays are {row['plays']}"
        if row["ties"] + row["unresolved"] > ranked[*pair, 0]:
            yield f"{place}: there are {ranked[*pair, 0]} events in which {pair} are level"
        if n and _differ(row["score"], (row["wins"] + row["ties"] / 2) / n, unit):
            yield f"{place}.score is {row['score']}: its results make it {(row['wins'] + row['ties'] / 2) / n}"
    missing = {(a, b) for a, b, sign in ranked if sign} - told
    if missing:
        yield f"head_to_head: {min(missing)} met and are missing"


def _check_counts(payload: Mapping[str, Any], unit: float) -> Iterator[str]:
    """Counts of the group, of players and of games are those of the play log."""
    log, group = payload["play_log"], payload["group"]
    if group["plays_logged"] != len(log) or group["plays_rated"] != len(payload["events"]):
        yield f"group: the play log holds {len(log)} plays, {len(payload['events'])} of them rated"
    if log and [group["from"], group["to"]] != [log[0]["date"][:10], log[-1]["date"][:10]]:
        yield f"group: plays are from {log[0]['date']} to {log[-1]['date']}"
    counts: Counter[tuple[str | None, bool]] = Counter()
    for row in log:
        for key in {seat["player"] for seat in row["seats"]} | {row["game"]}:
            counts[key, False] += 1
            counts[key, True] += row["rated"]
    for table in ("players", "games"):
        for number, row in enumerate(payload[table]):
            logged, rated = counts[row["id"], False], counts[row["id"], True]
            if (row["plays_logged"], row["plays_rated"]) != (logged, rated):
                yield f"{table}[{number}]: the play log has {logged} plays of {row['id']}, {rated} of them rated"


def _check_references(payload: Mapping[str, Any], unit: float) -> Iterator[str]:
    """Whatever is referred to is there."""
    there = {row["id"] for table in ("players", "games", "play_log") for row in payload[table]} | {None}
    for number, row in enumerate(payload["games"]):
        if row["id"] != f"g{number + 1}":
            yield f"games[{number}].id is {row['id']}: in this place it must be g{number + 1}"
        for at, best in enumerate(row["best"]):
            if best["player"] not in there:
                yield f"games[{number}].best[{at}].player is {best['player']}: there is no such player"
    for table, columns in (("records", ("player", "play", "other")), ("play_log", ("game",))):
        for number, row in enumerate(payload[table]):
            for column in columns:
                if row[column] not in there:
                    yield f"{table}[{number}].{column} is {row[column]}: there is nothing of that name"
    for table in ("play_log", "sessions"):
        for number, row in enumerate(payload[table]):
            people = row["players"] if table == "sessions" else [seat["player"] for seat in row["seats"]]
            strangers = [player for player in people if player not in there]
            if strangers:
                yield f"{table}[{number}]: there is no player {strangers[0]}"


def _check_withheld(payload: Mapping[str, Any], unit: float) -> Iterator[str]:
    """Where names are withheld, so are the texts that may hold them."""
    if payload["group"]["names"] == "real":
        return
    if payload["group"]["source"] is not None:
        yield "group.source: with names withheld it must be null"
    for table, columns in (("play_log", ("location", "board", "detail")), ("sessions", ("location",))):
        for number, row in enumerate(payload[table]):
            for column in columns:
                if row[column] is not None:
                    yield f"{table}[{number}].{column}: with names withheld it must be null"
