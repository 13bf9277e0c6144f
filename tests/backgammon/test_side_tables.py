"""Tables beside the matches: what they say, and every way in which they can be wrong."""

from datetime import UTC, datetime

import pytest

from ludometrics.backgammon.records import Library, Match, no_decisions
from ludometrics.backgammon.side_tables import (
    MOST_BYTES,
    People,
    StudyAction,
    apply_match_table,
    read_match_table,
    read_players,
    read_study_actions,
)

XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:63:0:0:0:7:10"
POSITION = "4HPwATDgc/ABMA"


def written(folder, text: str, name: str = "table.csv"):
    path = folder / name
    path.write_bytes(text.encode("utf-8") if isinstance(text, str) else text)
    return path


def library_of(*sources: str) -> Library:
    matches = tuple(
        Match(f"key{number}", 7, ("Ann", "Bo"), date="2020-01-01", tournament="old", source=source)
        for number, source in enumerate(sources)
    )
    return Library(matches, no_decisions())


def test_matches(tmp_path):
    path = written(
        tmp_path,
        "match,date,tournament,round\nkey0,2026-03-01,Open,Final\na/two.sgf,,Cup,\nthree,2026-04-05,,\n",
    )
    library = apply_match_table(
        library_of("x/one.txt", "b/a/two.sgf", "three.txt.gz"), read_match_table(path)
    )
    said = [(match.date, match.tournament, match.round) for match in library.matches]
    assert said == [("2026-03-01", "Open", "Final"), ("2020-01-01", "Cup", ""), ("2026-04-05", "old", "")]
    assert library.problems == ()


def test_rows_that_mean_no_match_or_several(tmp_path):
    path = written(tmp_path, "match;tournament\nnowhere.txt;A\none.txt;B\ntwo.txt;C\n\nkey2;D\n")
    library = apply_match_table(library_of("x/one.txt", "y/one.txt", "two.txt"), read_match_table(path))
    assert [match.tournament for match in library.matches] == ["old", "old", "C"]
    assert [(problem.where, problem.reason) for problem in library.problems] == [
        ("row 2", "no match is 'nowhere.txt': left out"),
        ("row 3", "'one.txt' may be each of x/one.txt, y/one.txt: left out"),
        ("row 6", "'key2' stands in row 4 already: left out"),
    ]


def test_players(tmp_path):
    path = written(tmp_path, "﻿Alias,Person,Main,note\nkev,Kevin,yes,home\nKEV42,kevin,no,\n annie ,Anne,,\n")
    people = read_players(path)
    assert people.main == "Kevin"
    assert [people.person(name) for name in ("KEV", "kev42", "Annie", "ANNE", " Bo ")] == [
        "Kevin",
        "Kevin",
        "Anne",
        "Anne",
        "Bo",
    ]
    assert people.aliases("KEV") == ("Kevin", "kev", "KEV42")
    assert people.aliases("Bo") == ("Bo",)
    assert People().main is None


def test_study_actions(tmp_path):
    path = written(
        tmp_path,
        f"position,time,action\n{XGID},2026-03-01T10:00:00Z,studied\n{POSITION},2026-03-01T01:30:00+02:00,Review\n{POSITION},2026-03-02,quiz\n",
    )
    assert read_study_actions(path) == (
        StudyAction(XGID, datetime(2026, 3, 1, 10, tzinfo=UTC), "studied"),
        StudyAction(POSITION, datetime(2026, 2, 28, 23, 30, tzinfo=UTC), "review"),
        StudyAction(POSITION, datetime(2026, 3, 2, tzinfo=UTC), "quiz"),
    )


BAD = [
    (read_match_table, "", "it is empty, wanted is a header: match"),
    (read_match_table, "date\n2026-01-01\n", "no column 'match', wanted are match"),
    (read_match_table, "match,match\na,b\n", "column 'match' stands there twice"),
    (read_match_table, "match,elo\na,b\n", "column 'elo', allowed are match, date, tournament, round, note"),
    (
        read_match_table,
        "match,date\na,2026-02-30\n",
        "row 2: date is '2026-02-30', allowed are days as 2026-03-31",
    ),
    (read_match_table, "match,date\na,01.02.2026\n", "row 2: date is '01.02.2026'"),
    (read_match_table, "match,date\n,2026-02-20\n", "row 2: match is empty"),
    (read_match_table, "match\na,b\n", "row 2: 2 cells, the header has 1"),
    (read_match_table, b"match\n\xff\n", "byte 6 is not UTF-8"),
    (read_match_table, 'match\n"a\n', "no table: unexpected end of data"),
    (
        read_players,
        "alias,person,main\na,A,perhaps\n",
        "row 2: main is 'perhaps', allowed are yes, no and nothing",
    ),
    (read_players, "alias,person\na,A\na,B\n", "'a' is an alias of 'B' and stands for 'A' already"),
    (
        read_players,
        "alias,person\nBob,Robert\nRob,Bob\n",
        "'Bob' is an alias of 'Robert' and stands for 'Bob' already",
    ),
    (
        read_players,
        "alias,person,main\na,A,yes\nb,B,yes\n",
        "row 3: main player 'B' beside 'A', allowed is one person",
    ),
    (read_players, "alias,person\na,\n", "row 2: person is empty"),
    (
        read_study_actions,
        f"position,time,action\n{XGID},2026-03-01,played\n",
        "row 2: action is 'played', allowed are studied, review,",
    ),
    (
        read_study_actions,
        f"position,time,action\n{XGID},yesterday,quiz\n",
        "row 2: time is 'yesterday', allowed are times as",
    ),
    (read_study_actions, "position,time,action\nhere,2026-03-01,quiz\n", "row 2: "),
    (
        read_study_actions,
        "position,time,action\n4HPwATDgc/A!MA,2026-03-01,quiz\n",
        "allowed are an XGID and a Position ID",
    ),
]


@pytest.mark.parametrize(("reader", "text", "message"), BAD, ids=[f"{number}" for number in range(len(BAD))])
def test_bad_tables(tmp_path, reader, text, message):
    path = written(tmp_path, text)
    with pytest.raises(ValueError) as caught:
        reader(path)
    assert str(caught.value).startswith(str(path))
    assert message in str(caught.value)


def test_huge_file(tmp_path):
    path = tmp_path / "matches.csv"
    with open(path, "wb") as file:
        file.truncate(MOST_BYTES + 1)
    with pytest.raises(ValueError, match="larger than 32 MB"):
        read_match_table(path)
