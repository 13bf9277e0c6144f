"""What the author of the published board-game engine, bgelo, says of it, beside what we find."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

import pandas as pd

from ludometrics.boardgames.checks import SUPPORTED
from ludometrics.boardgames.engine import rate_log
from ludometrics.boardgames.factors import duration_factor
from ludometrics.boardgames.records import Game, Person, Play, PlayLog, Seat
from ludometrics.boardgames.settings import EngineSettings
from ludometrics.provenance import claim
from ludometrics.ratings import glicko1
from ludometrics.simulation.days_claims import count_claim

#: Kind of group that stands for the author's, rated as published: everything that the engine believes is true there.
WORLD = "all (bgelo)"
#: Number of plays at which its groups are asked (the largest tried up to it): about the author's.
PLAYS = 600
#: Every factor off: Glicko's update with nothing but the sharing by opponents.
_BARE = EngineSettings(use_weight=False, use_confidence=False, use_margin=False, use_duration=False)
_GUEST = "guest"


def formula_claims() -> list[dict]:
    """Statements that follow from the formulas: exact on our side, so that only the author's rounding is an interval.

    Returns
    -------
    list of dict
        Rows of `ludometrics.provenance.claim`.

    Source
    ------
    The author of bgelo; Glickman, "The Glicko system", for the duel.
    """
    short = float(duration_factor(10.0, EngineSettings()))
    won = _rate([["a", "b"]], _BARE)
    start, prior = _BARE.start, _BARE.deviation
    textbook, _ = glicko1.update(start, prior, [start], [prior], [1.0])
    six = [f"p{n}" for n in range(6)]
    unshared = _rate([six], replace(_BARE, per_opponent=False))
    times = (unshared["p0"] - start) / (won["a"] - start)
    table = ["a", _GUEST, "b", "c"]
    kept, dropped = (_compared([table], replace(_BARE, guests=how)) for how in ("unknown", "drop"))
    note = 'the sentence says "about a third", the formula sqrt(10/60)'
    alike = "only if weights are not shared by opponents, as the engine does"
    return [
        _exact("weight by duration of a ten-minute play", 1 / 3, short, rounding=0.05, note=note),
        _exact(
            "rating after winning an even duel of newcomers (1000, 180), by Glickman's formula",
            textbook,
            won["a"],
            rounding=1e-9,
        ),
        _exact("comparisons lost with a guest's seat at a table of four", 3.0, float(kept - dropped)),
        _exact("moves of a table of six, unshared, in those of a duel", 3.0, times, rounding=0.5, note=alike),
    ]


def _exact(text: str, published: float, ours: float, *, rounding: float = 0.0, note: str = "") -> dict:
    ends = {"published_low": published - rounding, "published_high": published + rounding} if rounding else {}
    return claim(text, published, ours, ours, ours, 1, note=note, **ends)


def group_claims(
    mechanisms: pd.DataFrame, presets: pd.DataFrame, checks: pd.DataFrame, real: pd.DataFrame
) -> list[dict]:
    """Events of the author's one group beside the share of groups, simulated and real, in which they happen.

    Parameters
    ----------
    mechanisms : DataFrame
        Of the summary: world, mechanism, plays, shares of verdicts, `worse`, `n`.
    presets : DataFrame
        Trials of `board_night_presets.try_presets` with the world.
    checks : DataFrame
        Of the summary: world, plays, variant, check, verdict, count, n.
    real : DataFrame
        Ablations of real exports, as tools/ablate_exports.py writes them.

    Returns
    -------
    list of dict
        Rows of `ludometrics.provenance.claim`.

    Source
    ------
    The author of bgelo.
    """
    own = mechanisms[(mechanisms["world"] == WORLD) & (mechanisms["plays"] <= PLAYS)]
    plays = own["plays"].max()
    own = own[own["plays"] == plays].set_index("mechanism")
    note = f"in simulated groups of {plays} plays in which every belief is true, settings as published"
    rows = []
    for text, mechanism, column in (
        ("margins of 0.6-1.4 instead of 0.8-1.2 make forecasts worse", "margin of 0.6-1.4", "worse"),
        ("the margin factor (0.8-1.2) is neutral", "margin G", "neutral"),
        ("the duration factor is neutral", "duration D", "neutral"),
    ):
        found = own.loc[mechanism]
        rows.append(count_claim(text, round(found[column] * found["n"]), int(found["n"]), note=note))
        rows.append(_real_claim(text, real[real["mechanism"] == mechanism], column))
    rows.append(_shuffled_claim(checks))
    rows.append(_veteran_claim(presets))
    return rows


def _real_claim(text: str, rows: pd.DataFrame, column: str) -> dict:
    """The same event among real exports, with what they say together in the note."""
    own = rows[rows["preset"] == "bgelo"]
    (pooled,) = own[own["export"] == "all"].itertuples()
    single = own[own["export"] != "all"]
    happened = single["difference"] > 0 if column == "worse" else single["verdict"] == column
    note = (
        f"as published but for the gate; verdicts {', '.join(single['verdict'])}; together {pooled.difference:+.5f} "
        f"[{pooled.low:+.5f}, {pooled.high:+.5f}], n = {pooled.n} plays: {pooled.verdict}"
    )
    return count_claim(f"{text}: real exports", int(happened.sum()), len(single), note=note)


def _shuffled_claim(checks: pd.DataFrame) -> dict:
    """Skill that is curated survives the check of weights where skill that was dealt out anew does not."""
    own = checks[
        (checks["world"] == WORLD) & (checks["check"] == "weight") & (checks["verdict"] == SUPPORTED)
    ]
    own = own[own["plays"] == own["plays"].max()].set_index("variant")
    sound, dealt = own.loc["sound"], own.loc["weight shuffled"]
    note = (
        f"groups of {int(sound['plays'])} plays in which the weights are true; of those dealt out anew "
        f"{dealt['share']:.2f} [{dealt['low']:.2f}, {dealt['high']:.2f}] are supported"
    )
    return count_claim(
        "curated weights are supported by their check", int(sound["count"]), int(sound["n"]), note=note
    )


def _veteran_claim(presets: pd.DataFrame) -> dict:
    """The dropped Elo took a streak over two plays for as sure as sixty plays; a deviation tells them apart."""
    own = presets[(presets["world"] == WORLD) & (presets["engine"] == "bgelo")].dropna(
        subset=["late_deviation"]
    )
    surer = own["late_deviation"] < own["first_deviation"]
    note = (
        f"mean deviation {own['first_deviation'].mean():.0f} points after 2 plays, "
        f"{own['late_deviation'].mean():.0f} after 60"
    )
    return count_claim(
        "60 plays make a rating surer than a streak over 2", int(surer.sum()), len(surer), note=note
    )


def _log(tables: list[list[str]]) -> PlayLog:
    names = sorted({name for table in tables for name in table})
    people = {name: Person(name, name, name == _GUEST) for name in names}
    plays = []
    for number, table in enumerate(tables):
        day = datetime(2026, 1, 1 + number)
        seats = tuple(Seat(name, rank=place) for place, name in enumerate(table, start=1))
        plays.append(Play(f"play {number}", "game", day, day, seats))
    return PlayLog({"game": Game("game", "Game")}, people, tuple(plays))


def _rate(tables: list[list[str]], settings: EngineSettings) -> Mapping[str, float]:
    ratings = rate_log(_log(tables), settings).ratings
    return dict(zip(ratings.people, ratings.rating.tolist(), strict=True))


def _compared(tables: list[list[str]], settings: EngineSettings) -> int:
    return int((rate_log(_log(tables), settings).ratings.pair_weight > 0).sum())
