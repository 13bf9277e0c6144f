"""Board-game nights: the ratings of a group from its play log, and how far they can be believed.

A log (a BG Stats export, or a plain table of plays) is read by `read_log`; `finish_all` tells each play's finishing
order or why it has none; `rate_log` rates the players by pairwise Glicko-1, each play counting by its game's weight,
the table's familiarity, the margin and the length.
`python -m ludometrics.boardgames EXPORT.json --out DIR` does all of it.

>>> from datetime import datetime
>>> from ludometrics.boardgames import Game, Person, Play, PlayLog, Seat, preset, rate_log
>>> day = datetime(2026, 9, 1, 20)
>>> plays = (Play("1", "go", day, day, (Seat("ann", rank=1), Seat("bob", rank=2))),)
>>> log = PlayLog({"go": Game("go", "Go")}, {"ann": Person("ann", "Ann"), "bob": Person("bob", "Bob")}, plays)
>>> ratings = rate_log(log, preset("tuned")).ratings
>>> dict(zip(ratings.people, ratings.rating.round(1).tolist()))
{'ann': 1015.7, 'bob': 984.3}
"""

from ludometrics.boardgames.ablation import ablate
from ludometrics.boardgames.aliases import apply_aliases, read_aliases, write_alias_template
from ludometrics.boardgames.backup import keep_previous
from ludometrics.boardgames.bgstats import read_export, read_exports
from ludometrics.boardgames.checks import exit_status, run_checks
from ludometrics.boardgames.dashboard import build_dashboard, write_dashboard
from ludometrics.boardgames.engine import GroupRatings, RatedLog, rate_log
from ludometrics.boardgames.finishing import (
    FLAGS,
    REASONS,
    Order,
    Rejection,
    count_flags,
    count_reasons,
    finish,
    finish_all,
)
from ludometrics.boardgames.judging import judge_fully, judge_group
from ludometrics.boardgames.loss_tables import Replays
from ludometrics.boardgames.payload import (
    PayloadError,
    build_payload,
    check_payload,
    encode_payload,
    round_payload,
    write_payload,
)
from ludometrics.boardgames.play_table import read_play_table
from ludometrics.boardgames.reading import read_log
from ludometrics.boardgames.records import Game, LeftOut, Person, Play, PlayLog, Seat
from ludometrics.boardgames.scores import ScoreError, parse_score
from ludometrics.boardgames.settings import PRESETS, EngineSettings, preset
from ludometrics.boardgames.standings import standings
from ludometrics.boardgames.table import forecast_table, win_chances
from ludometrics.boardgames.weights import (
    GameWeight,
    game_weights,
    read_complexity,
    read_editions,
    read_skill,
    write_skill_template,
)

__all__ = [
    "FLAGS",
    "PRESETS",
    "REASONS",
    "EngineSettings",
    "Game",
    "GameWeight",
    "GroupRatings",
    "LeftOut",
    "Order",
    "PayloadError",
    "Person",
    "Play",
    "PlayLog",
    "RatedLog",
    "Rejection",
    "Replays",
    "ScoreError",
    "Seat",
    "ablate",
    "apply_aliases",
    "build_dashboard",
    "build_payload",
    "check_payload",
    "count_flags",
    "count_reasons",
    "encode_payload",
    "exit_status",
    "finish",
    "finish_all",
    "forecast_table",
    "game_weights",
    "judge_fully",
    "judge_group",
    "keep_previous",
    "parse_score",
    "preset",
    "rate_log",
    "read_aliases",
    "read_complexity",
    "read_editions",
    "read_export",
    "read_exports",
    "read_log",
    "read_play_table",
    "read_skill",
    "round_payload",
    "run_checks",
    "standings",
    "win_chances",
    "write_alias_template",
    "write_dashboard",
    "write_payload",
    "write_skill_template",
]
