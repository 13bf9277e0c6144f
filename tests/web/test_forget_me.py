"""Removal of a name by its own device."""

import json
import os

import pytest

from ludometrics.abtest.ledger import read_ledger
from ludometrics.gamelog.daily import read_day, read_unrated

TODAY = "2026-09-01"
NAME = "Zoë Straße"


def holds(folder, *needles: str) -> list[str]:
    """Files that hold one of the texts."""
    found = []
    for parent, _, names in os.walk(folder):
        for name in names:
            with open(os.path.join(parent, name), "rb") as file:
                content = file.read()
            if any(needle.encode() in content for needle in needles):
                found.append(name)
    return found


@pytest.fixture
def playing(device, rng, clock):
    """Zoë has played against Medium and Bob, has left a game, and is in the middle of another; and so is Bob."""
    first = device.start(NAME, "medium")
    proofs = [entry["proof"] for entry in first["proofs"]]
    device.play_on(first, rng)
    device.play_on(device.start_two("Bob", NAME.upper()), rng)
    left = device.start(NAME, "l3")
    device.move(left, [11, 15])
    clock.forward(minutes=121)
    device.client.application.extensions["ludometrics.club"].tidy()
    live = device.move(device.start(NAME, "l3"), [11, 15])
    others = device.move(device.start("Cid", "l3"), [11, 15])
    return {"proofs": proofs, "live": live, "others": others}


def ask(device, proofs, name=NAME):
    return device.post("forget-me", name=name, proofs=proofs, confirm=True)


def test_no_byte_of_the_name_is_left(device, folder, playing):
    before = {row["name"]: row for row in device.get("ratings").get_json()["players"]}
    assert holds(folder, "Zoë", "Zo\\u00eb", "zoë", "ZOË") != []
    answer = ask(device, playing["proofs"], name="zoe\u0308 STRASSE")
    assert answer.status_code == 200
    assert answer.get_json() == {
        "games": 3,
        "files": 2,
        "text": "3 saved games in 2 files no longer hold this name. Games being played under it are over.",
    }
    assert holds(folder, "Zoë", "Zo\\u00eb", "zoë", "ZOË", "Zoe", "STRASSE", "Straße") == []
    games = read_day(folder / f"scores-{TODAY}.json")
    assert len(games) == 2 and games[0].black == games[1].white and games[0].black.startswith("(removed-")
    assert read_unrated(folder / f"unrated-{TODAY}.json")[0].black == games[0].black
    assert len(read_ledger(folder / "assignments.jsonl")) == 0
    after = {row["name"]: row for row in device.get("ratings").get_json()["players"]}
    del before[NAME.upper()]
    assert after == before


def test_the_game_in_the_middle_is_over(device, folder, playing):
    ask(device, playing["proofs"])
    game = {"id": playing["live"]["id"], "key": playing["live"]["key"]}
    for route, rest in (("resume", {}), ("move", {"ply": 2, "path": [9, 13]}), ("resign", {})):
        assert device.post(route, **game, **rest).status_code == 404
    others = playing["others"]
    assert device.good("resume", id=others["id"], key=others["key"])["ply"] == 2
    assert device.good("resign", id=others["id"], key=others["key"])["result"]["saved"]


def test_the_name_is_new_again(device, playing):
    assert device.start(NAME)["proofs"] == []
    ask(device, playing["proofs"])
    view = device.start(NAME)
    assert len(view["proofs"]) == 1
    assert ask(device, [view["proofs"][0]["proof"]]).status_code == 200
    assert device.good("match", name=NAME)["games"] == 0


def test_a_proof_is_good_once(device, playing):
    assert ask(device, playing["proofs"]).status_code == 200
    assert ask(device, playing["proofs"]).status_code == 403


@pytest.mark.parametrize("whose", ["none", "another name", "made up", "another game"])
def test_nobody_removes_another_by_typing_a_name(device, folder, playing, whose):
    bob = device.start_two("Dan", "Eve")["proofs"]
    proof = playing["proofs"][0]
    shown = {
        "none": [],
        "another name": [entry["proof"] for entry in bob],
        "made up": [f"{playing['live']['id']}.{'0' * 32}"],
        "another game": [f"{playing['live']['id']}.{proof.partition('.')[2]}"],
    }[whose]
    state = {name: (folder / name).read_bytes() for name in os.listdir(folder) if (folder / name).is_file()}
    answer = ask(device, shown)
    assert answer.status_code == 403 and answer.get_json()["error"]
    assert state == {name: (folder / name).read_bytes() for name in state}


def test_the_proof_of_a_game_that_expired_is_void(device, folder, playing):
    (folder / f"scores-{TODAY}.json").unlink()
    device.client.application.extensions["ludometrics.club"]._live.drop(
        playing["proofs"][0].partition(".")[0]
    )
    assert ask(device, playing["proofs"]).status_code == 403


def test_a_file_that_cannot_be_read_but_holds_the_name_stops_it(device, folder, playing):
    (folder / "scores-2026-08-30.json").write_text(json.dumps([{"black": NAME, "white": "Bob"}])[:-3])
    answer = ask(device, playing["proofs"])
    assert answer.status_code == 503 and "cannot be read" in answer.get_json()["error"]
    assert holds(folder, "Zo\\u00eb") and device.get("scores").status_code == 200


def test_it_wants_to_be_confirmed(device, playing):
    for confirm in (False, None, "true", 1):
        answer = device.post("forget-me", name=NAME, proofs=playing["proofs"], confirm=confirm)
        assert answer.status_code == 400


def test_who_did_it_stands_in_the_audit_without_a_name(device, folder, playing):
    ask(device, playing["proofs"])
    (line,) = (folder / "audit.jsonl").read_text().splitlines()
    assert json.loads(line)["operator"] == "forget-me" and "Zo" not in line
