"""Streamed logs: the bits of one replay, whatever the file, its types and the pieces; faults are named by row."""

import gzip
import re
from dataclasses import fields
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

from ludometrics.evaluation.scores import brier, log_loss
from ludometrics.ratings import EloSettings, Glicko1Settings, elo, glicko1, index_games
from ludometrics.ratings.arrow_columns import days_of
from ludometrics.ratings.frames import days_since_1970, read_games
from ludometrics.ratings.log_pieces import LogReader
from ludometrics.ratings.name_index import NameIndex
from ludometrics.ratings.stream import rate_stream

SETTINGS = {
    "elo": EloSettings(k=((5, 60), (None, 20)), advantage=20, advantage_k=0.5),
    "glicko1": Glicko1Settings(growth=12.0, advantage=20, advantage_k=0.5),
}
#: The sums are Kahan's, the reference's numpy's pairwise: they differ in the last digits.
SUMS = 1e-12
N, M = 230, 40


def make_log(seed=0, n=N):
    rng = np.random.default_rng(seed)
    first = rng.integers(M, size=n)
    second = (first + rng.integers(1, M, size=n)) % M
    names = np.array([f"player {number}" + "é" * number for number in range(M)], dtype=object)
    return pd.DataFrame(
        {
            "first": names[first],
            "second": names[second],
            "outcome": rng.choice([0, 0.5, 1], size=n),
            "time": np.sort(rng.integers(-40_000, 20_000, size=n)).astype(float),
        }
    )


def write(log, path):
    """Write a frame or an Arrow table to a file of the kind that its name says."""
    table = log if isinstance(log, pa.Table) else pa.Table.from_pandas(log, preserve_index=False)
    if path.suffix == ".parquet":
        pq.write_table(table, path, row_group_size=100)
    elif path.suffix == ".gz":
        content = pa.BufferOutputStream()
        pa.csv.write_csv(table, content)
        path.write_bytes(gzip.compress(content.getvalue().to_pybytes()))
    else:
        pa.csv.write_csv(table, path)
    return path


def replayed(log, system="elo"):
    games = index_games(log["first"], log["second"], log["outcome"], times=log["time"])
    times = {"times": games.times} if system == "glicko1" else {}
    module = {"elo": elo, "glicko1": glicko1}[system]
    return games, module.replay(
        games.pairs, games.outcomes, settings=SETTINGS[system], n_players=len(games.players), **times
    )


def assert_same(record, other):
    for field in fields(record):
        if field.name != "forecasts":
            np.testing.assert_array_equal(getattr(record, field.name), getattr(other, field.name), field.name)


def stream(path, system="elo", **options):
    options = {"time": "time", "settings": SETTINGS.get(system), "progress": False, **options}
    return rate_stream(path, system=system, **options)


@pytest.mark.parametrize("batch_games", [1, 7, 100, 1000])
@pytest.mark.parametrize("suffix", [".parquet", ".csv", ".csv.gz"])
@pytest.mark.parametrize("system", ["elo", "glicko1"])
def test_it_gives_the_bits_of_one_replay(tmp_path, system, suffix, batch_games):
    log = make_log()
    games, record = replayed(log, system)
    found = stream(write(log, tmp_path / f"log{suffix}"), system, batch_games=batch_games)
    assert found.players == games.players and found.n_games == N
    assert_same(found.record, record)
    assert found.record.forecasts.size == 0
    assert found.log_loss == pytest.approx(log_loss(record.forecasts, games.outcomes).mean(), rel=SUMS)
    assert found.brier == pytest.approx(brier(record.forecasts, games.outcomes).mean(), rel=SUMS)
    assert found.last_time == games.times[-1]


def test_the_judgement_does_not_depend_on_the_pieces(tmp_path):
    path = write(make_log(), tmp_path / "log.parquet")
    assert len({(r.log_loss, r.brier) for r in (stream(path, batch_games=n) for n in (1, 7, 1000))}) == 1


@pytest.mark.parametrize("system", ["elo", "glicko1"])
@pytest.mark.parametrize("cut", [0, 1, 17, N])
def test_a_log_in_two_files_is_one_log(tmp_path, system, cut):
    log = make_log()
    _, record = replayed(log, system)
    before = stream(write(log[:cut], tmp_path / "a.parquet"), system)
    known = {field.name: np.copy(getattr(before.record, field.name)) for field in fields(before.record)}
    # The second file has the words of its dictionary in another order, and players who are new.
    table = pa.Table.from_pandas(
        log[cut:].assign(first=log["first"][cut:].astype("category")), preserve_index=False
    )
    after = stream(write(table, tmp_path / "b.parquet"), None, state=before, settings=None, batch_games=50)
    assert_same(after.record, record)
    assert after.settings == SETTINGS[system] and after.system == system and after.n_games == N - cut
    for name, value in known.items():
        np.testing.assert_array_equal(getattr(before.record, name), value, "the state must not change")


FAR, WORDS = pa.large_string(), pa.dictionary(pa.int16(), pa.string())


@pytest.mark.parametrize("kinds", [(FAR, FAR), (WORDS, WORDS), (WORDS, FAR)], ids=str)
def test_types_of_names(tmp_path, kinds):
    log = make_log()
    games, record = replayed(log)
    table = pa.table(
        {
            "first": pa.array(log["first"], type=kinds[0]),
            "second": pa.array(log["second"], type=kinds[1]),
            "outcome": log["outcome"],
            "time": log["time"],
        }
    )
    found = stream(write(table, tmp_path / "log.parquet"))
    assert found.players == games.players
    assert_same(found.record, record)


def test_whole_numbers_are_names(tmp_path):
    log = make_log()
    log["first"], log["second"] = (
        log[column].str.extract(r"(\d+)")[0].astype("int32") for column in ("first", "second")
    )
    games, record = replayed(log)
    found = stream(write(log, tmp_path / "log.parquet"))
    assert found.players == games.players and isinstance(found.players[0], int)
    assert_same(found.record, record)
    text = stream(write(log, tmp_path / "log.csv"))
    assert text.players == tuple(map(str, games.players)), "in a CSV file a name is text: 007 is not 7"
    assert_same(text.record, record)


@pytest.mark.parametrize(
    ("written", "meanings"),
    [
        ({1: "1-0", 0: "0-1", 0.5: "1/2-1/2"}, None),
        ({1: " 1.00 ", 0: "0", 0.5: ".50"}, None),
        ({1: Decimal("1.00"), 0: Decimal("0.00"), 0.5: Decimal("0.50")}, None),
        ({1: "won", 0: "lost", 0.5: "½"}, {"won": 1, "lost": 0}),
        ({1: 2, 0: 0, 0.5: 1}, {2: 1, 1: 0.5}),
        ({1: 2.0, 0: -1.0}, {2: 1, -1: 0}),
        ({1: True, 0: False}, {True: 1, False: 0, "true": 1, "false": 0}),
    ],
    ids=str,
)
@pytest.mark.parametrize("suffix", [".parquet", ".csv"])
def test_outcomes_as_people_write_them(tmp_path, written, meanings, suffix):
    log = make_log()
    log = log[log["outcome"].isin(written)].reset_index(drop=True)
    _, record = replayed(log)
    changed = log.assign(outcome=[written[value] for value in log["outcome"]])
    found = stream(write(changed, tmp_path / f"log{suffix}"), outcomes=meanings)
    assert_same(found.record, record)


DAYS = [-35_460, -35_460, -1, 0, 19_000, 19_000, 25_567]
DATES = [date(1970, 1, 1) + timedelta(days=day) for day in DAYS]


@pytest.mark.parametrize(
    "times",
    [
        pa.array(DATES, type=pa.date32()),
        pa.array(DATES, type=pa.date64()),
        *(pa.array(DATES).cast(pa.timestamp(unit)) for unit in ("s", "ms", "us", "ns")),
        pa.array(
            [datetime(*day.timetuple()[:3], tzinfo=UTC) for day in DATES],
            type=pa.timestamp("ms", "Asia/Tokyo"),
        ),
        pa.array([day.isoformat() for day in DATES]),
        pa.array([f"{day:%Y.%m.%d} 00:00" for day in DATES]),
        pa.array([f"{day.isoformat()}T00:00:00.999Z" for day in DATES], type=pa.large_string()),
        pa.array([day.isoformat() for day in DATES]).dictionary_encode(),
        pa.array(DAYS, type=pa.int32()),
        pa.array(DAYS, type=pa.float32()),
        pa.array(list(map(Decimal, DAYS))),
    ],
    ids=lambda times: str(times.type)[:30],
)
@pytest.mark.parametrize("suffix", [".parquet", ".csv"])
def test_times_as_people_write_them(tmp_path, times, suffix):
    if suffix == ".csv" and pa.types.is_dictionary(times.type):
        times = times.dictionary_decode()
    if suffix == ".csv" and getattr(times.type, "tz", None):
        times = times.cast(pa.timestamp("ms", "UTC"))
    n = len(DAYS)
    table = pa.table({"first": ["Ann"] * n, "second": ["Bob"] * n, "outcome": [1.0] * n, "time": times})
    index = NameIndex()
    columns = {"first": "first", "second": "second", "outcome": "outcome", "time": "time"}
    reader = LogReader(write(table, tmp_path / f"log{suffix}"), index, **columns)
    assert [day for piece in reader.pieces(3) for day in piece.times] == DAYS


def test_text_of_dates_means_what_read_games_takes_it_for():
    texts = [
        "1872-11-30",
        "2018.12.31",
        "2018/12/31 23:59",
        "2018-12-31T10:20:30.5Z",
        "2018-12-31Z",
        "2018-12",
    ]
    texts += [
        "2000-02-29",
        "1900-02-29",
        "2018-13-01",
        "2018-00-10",
        "2018-12-32",
        "2018-12-31 24:00",
        "",
        "soon",
    ]
    texts += [
        "2018.12-31",
        "2018-12-31 10:60",
        "2018-12-31 10:20:61",
        " 2018-12-31 ",
        "2018-12-31 10:20:",
        "20a8-12-31",
    ]
    texts += (
        pd.date_range("1600-01-01", "2400-12-31", freq="2003h", unit="s")
        .strftime("%Y-%m-%d %H:%M:%S")
        .tolist()
    )
    np.testing.assert_array_equal(days_of(pa.array(texts)), days_since_1970(pd.Series(texts)))


def test_a_csv_file_means_what_read_games_takes_it_for(tmp_path):
    path = tmp_path / "log.csv"
    path.write_text(
        '\ufeffwhite,extra,black,result,date\r\nNone,1,"O\'Neil, Zoë",1-0,1872-11-30\r\n'
        '"O\'Neil, Zoë",2,NA,1/2-1/2,1872.12.01\r\n\r\n"two\nlines",3,None,0,1872-12-01 12:00\r\n',
        encoding="utf-8",
    )
    columns = {"first": "white", "second": "black", "outcome": "result", "time": "date"}
    games = read_games(path, **columns)
    record = elo.replay(games.pairs, games.outcomes, n_players=len(games.players))
    found = rate_stream(path, **columns, progress=False)
    assert found.players == games.players and found.last_time == games.times[-1] == -35_458.5
    assert_same(found.record, record)


def test_forecasts_are_written_as_they_are_made(tmp_path):
    log = make_log()
    games, record = replayed(log, "glicko1")
    path = tmp_path / "made" / "forecasts.parquet"
    stream(write(log, tmp_path / "log.csv"), "glicko1", forecasts_to=path, batch_games=50)
    table = pq.read_table(path)
    assert table.column_names == ["outcome", "forecast"]
    assert table["forecast"].to_pylist() == record.forecasts.tolist()
    assert table["outcome"].to_pylist() == games.outcomes.tolist()
    assert [item.name for item in path.parent.iterdir()] == [path.name]


def test_a_log_without_games(tmp_path):
    empty = make_log()[:0]
    for suffix in (".parquet", ".csv"):
        found = stream(write(empty, tmp_path / f"log{suffix}"), "glicko1")
        assert (found.players, found.n_games, found.last_time) == ((), 0, None)
        assert np.isnan(found.log_loss) and len(found.record.ratings) == 0


def test_memory_is_that_of_a_piece_and_of_the_players(tmp_path):
    """A proxy: however many games, what is held at a time are pieces of the size asked for and one table of names."""
    sizes = []
    for n in (1000, 20_000):
        index = NameIndex()
        columns = {"first": "first", "second": "second", "outcome": "outcome", "time": "time"}
        reader = LogReader(write(make_log(n=n), tmp_path / "log.parquet"), index, **columns)
        pieces = [(len(piece.outcomes), piece.n_players) for piece in reader.pieces(64)]
        assert sum(games for games, _ in pieces) == n and max(pieces) == (64, M)
        sizes.append(index.nbytes)
    assert sizes[0] == sizes[1] == NameIndex().nbytes


# --- what is refused -------------------------------------------------------------------------------------------------

WRONG = [
    ("first", None, "first is empty"),
    ("second", None, "second is empty"),
    ("first", "same", "'same' plays against itself"),
    ("outcome", None, "outcome is empty: allowed are 1, 1.0, 0"),
    ("outcome", "2-0", "outcome is '2-0': allowed are 1, 1.0, 0"),
    ("time", None, "time is empty: it must be a date such as 2018-12-31, or a number of days"),
    ("time", "soon", "time is 'soon': it must be a date such as 2018-12-31, or a number of days"),
    (
        "time",
        "1970-01-01",
        "time is '1970-01-01', before that of the game before ('2024-05-01'): games must stand in",
    ),
]


def text_log(n=30):
    return pd.DataFrame(
        {
            "first": [f"a{row % 5}" for row in range(n)],
            "second": [f"b{row % 7}" for row in range(n)],
            "outcome": ["1-0", "0-1", "1/2-1/2"] * (n // 3),
            "time": ["2024-05-01"] * n,
        }
    )


@pytest.mark.parametrize("batch_games", [1, 7, 100])
@pytest.mark.parametrize("row", [1, 2, 17, 30])
@pytest.mark.parametrize("suffix", [".parquet", ".csv"])
@pytest.mark.parametrize(("column", "value", "message"), WRONG)
def test_the_first_row_at_fault_is_named(tmp_path, column, value, message, suffix, row, batch_games):
    if row == 1 and value == "1970-01-01":
        row = 2
    log = text_log()
    log.loc[row - 1, column] = value
    if value == "same":
        log.loc[row - 1, "second"] = value
    if row < 30:
        log.loc[29] = [None, None, "?", "?"]  # a later fault is not told
    path = write(log, tmp_path / f"log{suffix}")
    target = tmp_path / "forecasts.parquet"
    target.write_bytes(b"there before")
    with pytest.raises(ValueError, match=re.escape(f"{path}, row {row}: {message}")):
        stream(path, batch_games=batch_games, forecasts_to=target)
    assert target.read_bytes() == b"there before"
    assert sorted(item.name for item in tmp_path.iterdir()) == sorted([target.name, path.name])


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("outcome", 0.7, "outcome is 0.7: allowed"),
        ("outcome", np.nan, "outcome is nan: allowed"),
        ("time", np.nan, "time is nan: it must be a date"),
        ("time", np.inf, "time is inf: it must be a date"),
        ("time", -9e9, "time is -9000000000.0, before that of the game before ("),
    ],
)
def test_numbers_at_fault(tmp_path, column, value, message):
    log = make_log()
    log.loc[150, column] = value
    table = pa.table({name: pa.array(log[name], from_pandas=False) for name in log})
    with pytest.raises(ValueError, match=re.escape(f"log.parquet, row 151: {message}")):
        stream(write(table, tmp_path / "log.parquet"))


def test_bytes_that_are_no_text(tmp_path):
    path = tmp_path / "log.csv"
    path.write_bytes(b"first,second,outcome\nAnn,Bob,1\nAndr\xe9,Bob,1\n")
    with pytest.raises(ValueError, match=r"log.csv, row 2: first 'Andr.*xe9' is not text in UTF-8"):
        stream(path, time=None)
    path.write_bytes(b"first,second,outcome,time\nAnn,Bob,\xff,1\n")
    with pytest.raises(ValueError, match=r"row 1: outcome is '.*xff': allowed"):
        stream(path)
    path.write_bytes(b"first,second,outcome,time\nAnn,Bob,1,2018-01-01\nAnn,Bob,1,2018-01-\xff1\n")
    with pytest.raises(ValueError, match=r"row 2: time is '2018-01-.*xff1': it must be a date"):
        stream(path)


def test_a_very_long_value_is_cut_in_the_message(tmp_path):
    log = text_log()
    log.loc[3, "outcome"] = "x" * 5000
    with pytest.raises(ValueError, match=re.escape("row 4: outcome is 'xxx")) as caught:
        stream(write(log, tmp_path / "log.parquet"))
    assert len(str(caught.value)) < 500 and "(5002 characters)" in str(caught.value)


def test_rows_of_a_csv_file_with_other_than_all_fields(tmp_path):
    path = tmp_path / "log.csv"
    path.write_text("first,second,outcome\n" + "Ann,Bob,1\n" * 8 + "Ann,Bob\n" + "Ann,Bob,1\n")
    with pytest.raises(ValueError, match=r"row 9: it is 'Ann,Bob', with 2 of the 3 fields"):
        stream(path, time=None)


def test_columns_that_are_not_there(tmp_path):
    path = write(make_log(), tmp_path / "log.csv")
    with pytest.raises(ValueError, match=r"no column 'white'; there are first, second, outcome, time"):
        stream(path, first="white")
    with pytest.raises(ValueError, match="they must be different ones"):
        stream(path, second="first")
    path.write_text("first,second,first,outcome\n")
    with pytest.raises(ValueError, match="2 columns 'first'"):
        stream(path, time=None)


@pytest.mark.parametrize(("column", "values"), [("first", [0.5]), ("time", [True])])
def test_columns_of_a_wrong_type(tmp_path, column, values):
    table = pa.table({"first": ["a"], "second": ["b"], "outcome": [1], "time": [1], column: values})
    with pytest.raises(
        ValueError, match=rf"log.parquet, column.*{column}.*are of type (double|bool): they must be"
    ):
        stream(write(table, tmp_path / "log.parquet"))


def test_names_of_another_kind_than_before(tmp_path):
    before = stream(write(text_log(), tmp_path / "a.parquet"))
    log = text_log().assign(first=1, second=2)
    with pytest.raises(ValueError, match="names are integers, those before are text"):
        stream(write(log, tmp_path / "b.parquet"), state=before)


def test_a_log_from_before_the_state(tmp_path):
    before = stream(write(text_log(), tmp_path / "a.csv"))
    log = text_log().assign(time="2024-04-30")
    with pytest.raises(
        ValueError, match=re.escape("row 1: time is '2024-04-30', before that of the game before (19844)")
    ):
        stream(write(log, tmp_path / "b.csv"), state=before)


@pytest.mark.parametrize("suffix", [".parquet", ".csv", ".csv.gz"])
@pytest.mark.parametrize("content", [b"", b"\0\1\2\3" * 100], ids=["empty", "binary"])
def test_files_of_another_kind(tmp_path, suffix, content):
    path = tmp_path / f"log{suffix}"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=re.escape(str(path))):
        stream(path)


@pytest.mark.parametrize("suffix", [".parquet", ".csv.gz"])
def test_files_that_are_cut_off_or_damaged(tmp_path, suffix):
    rng = np.random.default_rng(0)
    log = make_log(n=3000).assign(first=[f"{number:x}" for number in rng.integers(2**62, size=3000)])
    path = write(log, tmp_path / f"log{suffix}")
    content = path.read_bytes()
    target = tmp_path / "forecasts.parquet"
    for broken in (content[: len(content) // 2], content[: len(content) - 9]):
        path.write_bytes(broken)
        with pytest.raises(ValueError, match=re.escape(str(path)) + ".* it cannot be read as a table"):
            stream(path, forecasts_to=target, batch_games=10)
        assert not target.exists()


def test_other_mistakes(tmp_path):
    path = write(make_log(), tmp_path / "log.csv")
    with pytest.raises(ValueError, match="there is no such file"):
        stream(tmp_path / "none.csv")
    with pytest.raises(ValueError, match=r"must end in .parquet, .csv, .csv.gz"):
        stream(tmp_path / "log.xlsx")
    with pytest.raises(ValueError, match="no rating system 'elf'"):
        rate_stream(path, system="elf")
    with pytest.raises(ValueError, match="settings are Glicko1Settings: elo has EloSettings"):
        stream(path, settings=Glicko1Settings())
    with pytest.raises(ValueError, match="batch_games is 0: it must be at least 1"):
        stream(path, batch_games=0)
    with pytest.raises(ValueError, match=r"outcomes\['draw'\] is 0.4: it must be 0, 0.5 or 1"):
        stream(path, outcomes={"draw": 0.4})
    with pytest.raises(ValueError, match=r"must end in \.parquet"):
        stream(path, forecasts_to=tmp_path / "forecasts.csv")
    log = write(make_log(), tmp_path / "log.parquet")
    with pytest.raises(ValueError, match="would take the place of the log"):
        stream(log, forecasts_to=Path(tmp_path, "x", "..", "log.parquet"))
    state = stream(path)
    with pytest.raises(ValueError, match="system is 'glicko1', but the state is of 'elo'"):
        stream(path, "glicko1", state=state)
    with pytest.raises(ValueError, match="the state was made with"):
        stream(path, state=state, settings=EloSettings())
