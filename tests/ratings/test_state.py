"""Saved states: what is loaded is what was saved, carrying on is one pass, and other files are refused."""

import json
import pickle
from dataclasses import fields, replace

import numpy as np
import pyarrow as pa
import pytest

from ludometrics.ratings import EloSettings, Glicko1Settings, elo, glicko1, systems
from ludometrics.ratings.davidson import DavidsonRecord
from ludometrics.ratings.name_index import NameIndex
from ludometrics.ratings.state import FORMAT, VERSION, find_carried, load_state, save_state, without_games

SETTINGS = {
    "elo": EloSettings(
        k=((10, 96), (20, 48.5), (None, 1 / 3)), start=0.1 + 0.2, advantage=30, advantage_k=0.7
    ),
    "glicko1": Glicko1Settings(growth=np.float64(7.3), start_deviation=200, advantage=-5, advantage_k=0.7),
}
for name, system in systems.SYSTEMS.items():
    if "state" in system.takes:
        SETTINGS.setdefault(name, system.settings())
each_system = pytest.mark.parametrize("system", sorted(SETTINGS))
#: What records hold of single games, which is not carried on.
PER_GAME = ("forecasts", "draws")
#: Davidson's record holds the share of draws, which a replay turns into its parameter and back: all others are exact.
LAST_BITS = 1e-12
N, M = 300, 25
NAMES = tuple(f"player {number} é" if number else "" for number in range(M))


def make_log(seed=0):
    rng = np.random.default_rng(seed)
    first = np.minimum(rng.integers(M, size=N), np.arange(N) // 5)  # newcomers all along the log
    second = (first + rng.integers(1, M, size=N)) % np.maximum(2, np.minimum(M, np.arange(N) // 5 + 2))
    second = np.where(second == first, first + 1, second)
    pairs = np.stack([first, second], axis=1)
    _, order = np.unique(pairs.ravel(), return_index=True)
    numbers = np.empty(pairs.max() + 1, dtype=np.int64)
    numbers[pairs.ravel()[np.sort(order)]] = np.arange(len(order))
    return numbers[pairs], rng.choice([0, 0.5, 1], size=N), np.sort(rng.uniform(-9000, 9000, size=N))


def replay(system, log, rows, **options):
    pairs, outcomes, times = (column[rows] for column in log)
    given = {"times": times} if "times" in find_carried(system).takes else {}
    return find_carried(system).replay(pairs, outcomes, settings=SETTINGS[system], **given, **options)


def assert_same(record, other):
    exact = not isinstance(record, DavidsonRecord)
    for field in fields(record):
        if field.name not in PER_GAME:
            one, two = getattr(record, field.name), getattr(other, field.name)
            np.testing.assert_allclose(one, two, rtol=0 if exact else LAST_BITS, atol=0, err_msg=field.name)


@each_system
@pytest.mark.parametrize("cut", [0, 1, 50, 150, N])
def test_carrying_on_from_a_file_is_one_pass(tmp_path, system, cut):
    log = make_log()
    before = replay(system, log, slice(0, cut))
    assert cut in (0, N) or len(before.ratings) < log[0].max() + 1, "some players come later"
    path = save_state(tmp_path / "s.npz", NAMES[: len(before.ratings)], before, SETTINGS[system], system)
    state = load_state(path)
    assert state.system == system and state.settings == SETTINGS[system]
    assert type(state.settings) is type(SETTINGS[system]) and state.players == NAMES[: len(before.ratings)]
    assert_same(state.record, before)
    assert state.record.forecasts.size == 0
    after = replay(system, log, slice(cut, N), state=state.record)
    assert_same(after, replay(system, log, slice(0, N)))


@each_system
def test_saved_again_it_is_the_same_file(tmp_path, system):
    record = replay(system, make_log(), slice(0, N))
    names = NAMES[: len(record.ratings)]
    first = save_state(tmp_path / "a.npz", names, record, SETTINGS[system], system, last_time=1 / 3)
    state = load_state(first, system=system)
    assert state.last_time == 1 / 3
    again = (state.names, state.record, state.settings, state.system)
    second = save_state(tmp_path / "b.npz", *again, last_time=state.last_time)
    assert first.read_bytes() == second.read_bytes()
    assert sorted(item.name for item in tmp_path.iterdir()) == ["a.npz", "b.npz"]


@pytest.mark.parametrize(
    "names",
    [
        (3, -7, 2**63 - 1),
        np.array([5, 6, 7], dtype=np.uint8),
        np.array(["x", "yy", "z"]),
        ("", "名人" * 500, "a\0"),
        pa.array(["no", "a", "b", "c", "no"])[1:4],
        pa.array(["a", "b", "c"]).dictionary_encode(),
        pa.array([1, 2, 3], type=pa.int16()),
    ],
    ids=lambda names: str(getattr(names, "type", type(names)))[:20],
)
def test_names(tmp_path, names):
    record = elo.replay([[0, 1], [1, 2]], [1, 0])
    state = load_state(save_state(tmp_path / "s.npz", names, record))
    expected = names.to_pylist() if isinstance(names, pa.Array) else list(names)
    assert state.players == tuple(expected)
    assert NameIndex(state.names).names().to_pylist() == expected
    assert state.settings == EloSettings() and state.system == "elo"


def test_no_players(tmp_path):
    state = load_state(save_state(tmp_path / "s.npz", (), elo.replay([], [])))
    assert state.players == () and len(state.record.ratings) == 0


@each_system
def test_a_record_without_games_is_the_record(system):
    record = replay(system, make_log(), slice(0, N))
    bare = without_games(record, SETTINGS[system], system)
    assert bare.forecasts.size == 0 and bare.ratings is not record.ratings
    assert_same(bare, record)


def test_what_does_not_belong_together_is_not_saved(tmp_path):
    path = tmp_path / "s.npz"
    record = elo.replay([[0, 1]], [1])
    cases = [
        ("must end in .npz", (tmp_path / "s.zip", ["a", "b"], record)),
        ("3 players, but the record has 2", (path, ["a", "b", "c"], record)),
        ("stands there twice", (path, ["a", "a"], record)),
        ("is missing among the players", (path, pa.array(["a", None]), record)),
        ("names must be all text, or all whole numbers", (path, ["a", 1], record)),
        ("names are of type double", (path, pa.array([0.5, 1.5]), record)),
        ("record is EloRecord: glicko1 has Glicko1Record", (path, ["a", "b"], record, None, "glicko1")),
        ("settings is Glicko1Settings: elo has EloSettings", (path, ["a", "b"], record, Glicko1Settings())),
        ("no rating system 'elf'", (path, ["a", "b"], record, None, "elf")),
    ]
    for message, arguments in cases:
        with pytest.raises(ValueError, match=message.replace(".", r"\.")):
            save_state(*arguments)
    assert list(tmp_path.iterdir()) == []


def saved(path, **changes):
    """A state whose header is changed: an entry set, or left out where it is None."""
    save_state(path, ["a", "b"], elo.replay([[0, 1]], [1]))
    with np.load(path) as file:
        arrays = dict(file)
    header = json.loads(arrays["header"].tobytes())
    arrays.update(
        {name: value for name, value in changes.items() if name in arrays or isinstance(value, np.ndarray)}
    )
    header.update({name: value for name, value in changes.items() if name not in arrays})
    header = {name: value for name, value in header.items() if value != "left out"}
    arrays["header"] = np.frombuffer(json.dumps(header).encode(), dtype=np.uint8)
    np.savez(path, **{name: value for name, value in arrays.items() if value is not None})
    return path


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"format": "something else"}, "not a saved state, but 'something else'"),
        ({"format": "left out"}, "not a saved state"),
        (
            {"version": VERSION + 1},
            f"a saved state of version {VERSION + 1}: this library reads version {VERSION}",
        ),
        ({"system": "elf"}, "no rating system 'elf'"),
        ({"system": "glicko1"}, "Glicko1Settings has .*floor.*, the file advantage, advantage_k, k, start"),
        ({"system": "left out"}, "cannot be used: 'system'"),
        ({"settings": {"k": 32}}, "EloSettings has advantage, advantage_k, k, start, the file k"),
        (
            {"settings": {"k": -1, "start": 0, "advantage": 0, "advantage_k": 0}},
            "k is -1: K must be finite and at least 0",
        ),
        (
            {"scalars": {}},
            "EloRecord has advantage, forecasts, games, ratings, the file forecasts, games, ratings",
        ),
        ({"record.games": None}, "EloRecord has advantage, forecasts, games, ratings, the file"),
        ({"record.extra": np.zeros(2)}, "EloRecord has .*the file advantage, extra"),
        ({"record.ratings": np.zeros(3)}, "ratings is float64 of shape .3,., for 2 players"),
        ({"record.ratings": np.zeros(0)}, "2 players, but 0 ratings"),
        ({"record.ratings": np.array(["x", "y"])}, "ratings is <U1 of shape .2,., for 2 players"),
        ({"name_ends": np.array([0, 1, 5])}, "the ends of the names are not those of their bytes"),
        ({"name_ends": np.array([0, 3, 2])}, "cannot be used"),
        ({"names": np.array([97, 255], dtype=np.uint8)}, "cannot be used.*UTF8"),
        ({"name_ends": None}, "cannot be used"),
    ],
    ids=str,
)
def test_states_that_cannot_be_used(tmp_path, changes, message):
    path = saved(tmp_path / "s.npz", **changes)
    with pytest.raises(ValueError, match=message) as caught:
        load_state(path)
    assert str(path) in str(caught.value)


def test_a_state_of_another_system_than_asked_for(tmp_path):
    path = save_state(tmp_path / "s.npz", ["a", "b"], elo.replay([[0, 1]], [1]))
    with pytest.raises(ValueError, match=r"s\.npz.*it is of elo, not of glicko1"):
        load_state(path, system="glicko1")


def test_other_files_are_refused(tmp_path):
    path = tmp_path / "s.npz"
    with pytest.raises(ValueError, match="there is no such file"):
        load_state(path)
    content = save_state(path, NAMES[:2], elo.replay([[0, 1]], [1])).read_bytes()
    np.save(tmp_path / "array.npy", np.zeros(3))
    others = [b"", b"PK", b"a,b\n1,2\n", (tmp_path / "array.npy").read_bytes(), pickle.dumps({"a": 1})]
    others += [content[:size] for size in range(1, len(content), 7)]
    for other in others:
        path.write_bytes(other)
        with pytest.raises(ValueError, match=r"s\.npz: not a saved state"):
            load_state(path)
    np.savez(path, header=np.frombuffer(b'{"format": "x"', dtype=np.uint8))
    with pytest.raises(ValueError, match="not a saved state"):
        load_state(path)


@each_system
def test_a_damaged_file_is_refused_or_the_damage_does_not_matter(tmp_path, system):
    path = tmp_path / "s.npz"
    log = [column[:3] for column in make_log()]
    record = replay(system, log, slice(0, 3))
    names = NAMES[: len(record.ratings)]
    content = save_state(path, names, record, SETTINGS[system], system).read_bytes()
    refused = 0
    for at in range(0, len(content), 5):
        path.write_bytes(content[:at] + bytes([content[at] ^ (1 << at % 8)]) + content[at + 1 :])
        try:
            state = load_state(path)
        except ValueError as error:
            assert str(path) in str(error)
            refused += 1
            continue
        assert_same(state.record, record)
        assert (state.players, state.settings) == (names, SETTINGS[system])
    assert refused > len(content) // 5 / 2


def test_nothing_is_run_when_a_file_is_loaded(tmp_path):
    class Trap:
        def __reduce__(self):
            return (open, (str(tmp_path / "sprung"), "w"))

    path = tmp_path / "s.npz"
    np.savez(path, header=np.array([Trap()], dtype=object))
    with pytest.raises(ValueError, match="not a saved state"):
        load_state(path)
    assert not (tmp_path / "sprung").exists()


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path, monkeypatch):
    record = elo.replay([[0, 1]], [1])
    path = save_state(tmp_path / "s.npz", ["a", "b"], record)
    before = path.read_bytes()
    monkeypatch.setattr("os.replace", lambda *_: (_ for _ in ()).throw(OSError("no space left")))
    with pytest.raises(OSError, match="no space"):
        save_state(path, ["a", "b"], replace(record, ratings=record.ratings + 1))
    assert path.read_bytes() == before and [item.name for item in tmp_path.iterdir()] == ["s.npz"]


def test_the_file_can_be_read_without_this_library(tmp_path):
    record = glicko1.replay([[0, 1]], [1], times=[3.5], settings=SETTINGS["glicko1"])
    path = save_state(
        tmp_path / "s.npz", ["Ann", "Zoë"], record, SETTINGS["glicko1"], "glicko1", last_time=3.5
    )
    with np.load(path, allow_pickle=False) as file:
        header = json.loads(file["header"].tobytes())
        assert file["names"].tobytes().decode() == "AnnZoë" and file["name_ends"].tolist() == [0, 3, 7]
        assert file["record.ratings"].tolist() == record.ratings.tolist()
    assert (header["format"], header["version"], header["system"]) == (FORMAT, VERSION, "glicko1")
    assert header["settings"]["growth"] == 7.3 and header["scalars"] == {"advantage": record.advantage}
    assert header["last_time"] == 3.5
