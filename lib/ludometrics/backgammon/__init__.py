"""What backgammon matches say about their players, from analyses that programs made: rates, intervals, leaks, study.

Readers turn files into a `Library` of decisions; `assess` judges each decision; everything else sums what it found
over the decisions of a player, with an interval over matches or games.

>>> import numpy as np
>>> from ludometrics.backgammon import RecordBuilder, Match, assess, pr
>>> builder = RecordBuilder()
>>> builder.match(Match("final", 7, ("Ada", "Bo")))
>>> builder.game(1, (0, 0))
>>> board = (0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0)
>>> builder.double(seat=0, move=9, board=board, played=1, equities=(0.90, 0.80, 1.00), cube=1, cube_owner=0)
>>> library = builder.library()
>>> judged = assess(library)
>>> judged.error_mp.tolist(), round(float(judged.loss[0]), 6)
([100], 0.006261)
>>> pr(library, judged, library.of_player("Ada")).value
50.0
"""

from ludometrics.backgammon.assessment import Assessment, assess
from ludometrics.backgammon.building import Option, RecordBuilder, RecordError
from ludometrics.backgammon.equity_table import (
    EquityTable,
    equity_table,
    match_chances,
    read_equity_table,
)
from ludometrics.backgammon.rates import (
    EloDifference,
    Rate,
    elo,
    l7,
    level,
    pr,
    rates_by_rule,
    ratio_interval,
    snowie,
)
from ludometrics.backgammon.records import Decisions, Kind, Library, Match, Opinion, Options, Problem, join
from ludometrics.backgammon.settings import DEFAULTS, RULES, Settings

__all__ = [
    "DEFAULTS",
    "RULES",
    "Assessment",
    "Decisions",
    "EloDifference",
    "EquityTable",
    "Kind",
    "Library",
    "Match",
    "Opinion",
    "Option",
    "Options",
    "Problem",
    "Rate",
    "RecordBuilder",
    "RecordError",
    "Settings",
    "assess",
    "elo",
    "equity_table",
    "join",
    "l7",
    "level",
    "match_chances",
    "pr",
    "rates_by_rule",
    "ratio_interval",
    "read_equity_table",
    "snowie",
]
