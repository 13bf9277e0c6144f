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
from ludometrics.backgammon.biases import Bias, Biases, find_biases
from ludometrics.backgammon.building import Option, RecordBuilder, RecordError
from ludometrics.backgammon.equity_table import (
    EquityTable,
    equity_table,
    match_chances,
    read_equity_table,
)
from ludometrics.backgammon.gnubg_analysis import analyse
from ludometrics.backgammon.luck import Luck, tally_luck
from ludometrics.backgammon.match_report import MatchReport, report_match, report_player
from ludometrics.backgammon.moves import count_legal, legal_boards
from ludometrics.backgammon.notation import format_play, parse_play
from ludometrics.backgammon.pace import Pace, report_pace
from ludometrics.backgammon.positions import (
    board_from_position_id,
    decision_xgid,
    from_xgid,
    position_id,
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
from ludometrics.backgammon.reading import problem_table, read_library
from ludometrics.backgammon.record_files import Thinning, read_records, write_records
from ludometrics.backgammon.records import Decisions, Kind, Library, Match, Opinion, Options, Problem, join
from ludometrics.backgammon.reference_positions import ReferencePositions
from ludometrics.backgammon.results import count_results
from ludometrics.backgammon.settings import DEFAULTS, RULES, Settings
from ludometrics.backgammon.side_tables import (
    People,
    apply_match_table,
    read_match_table,
    read_players,
    read_study_actions,
)
from ludometrics.backgammon.study_effect import StudyEffect
from ludometrics.backgammon.study_plan import StudyPlan
from ludometrics.backgammon.tournaments import TournamentReport, report_tournament

__all__ = [
    "DEFAULTS",
    "RULES",
    "Assessment",
    "Bias",
    "Biases",
    "Decisions",
    "EloDifference",
    "EquityTable",
    "Kind",
    "Library",
    "Luck",
    "Match",
    "MatchReport",
    "Opinion",
    "Option",
    "Options",
    "Pace",
    "People",
    "Problem",
    "Rate",
    "RecordBuilder",
    "RecordError",
    "ReferencePositions",
    "Settings",
    "StudyEffect",
    "StudyPlan",
    "Thinning",
    "TournamentReport",
    "analyse",
    "apply_match_table",
    "assess",
    "board_from_position_id",
    "count_legal",
    "count_results",
    "decision_xgid",
    "elo",
    "equity_table",
    "find_biases",
    "format_play",
    "from_xgid",
    "join",
    "l7",
    "legal_boards",
    "level",
    "match_chances",
    "parse_play",
    "position_id",
    "pr",
    "problem_table",
    "rates_by_rule",
    "ratio_interval",
    "read_equity_table",
    "read_library",
    "read_match_table",
    "read_players",
    "read_records",
    "read_study_actions",
    "report_match",
    "report_pace",
    "report_player",
    "report_tournament",
    "snowie",
    "tally_luck",
    "write_records",
]
