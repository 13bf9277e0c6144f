"""The server, asked as the page asks it, and as it should not be."""

import json
import logging
import re
from datetime import date

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from werkzeug.middleware.dispatcher import DispatcherMiddleware
from werkzeug.test import Client

from ludometrics.gamelog import LEVEL_NAMES, fold_name
from ludometrics.gamelog.daily import Game, read_day, write_day
from ludometrics.web.__main__ import LOCAL
from ludometrics.web.app import EXTENSION, create_app
from ludometrics.web.bodies import MAX_BYTES
from ludometrics.web.headers import HEADERS

TODAY = "2026-09-01"
VIEW = {
    *("id", "mode", "names", "human", "level", "level_name", "level_rating", "match", "fen", "board", "turn"),
    *("ply", "legal", "moves", "counts", "rated", "can_undo", "result", "pdn"),
}
POSTS = ("match", "game", "resume", "move", "undo", "resign", "forget-me")
OFFER = {
    *("level", "level_name", "level_rating", "provisional", "rating", "deviation", "expected", "games"),
    "reason",
}


def save_games(folder, rows: list[Game], day=None) -> None:
    folder.mkdir(exist_ok=True)
    write_day(folder, date.fromisoformat(day or "2026-08-31"), rows)


@pytest.fixture
def saved(folder):
    def read() -> list[Game]:
        path = folder / f"scores-{TODAY}.json"
        return read_day(path) if path.exists() else []

    return read


def test_a_whole_game_and_its_tables(device, rng, saved):
    view = device.start("Ann", "l4")
    assert view.keys() == VIEW | {"key", "proofs"} and view["board"] == "b" * 12 + "." * 8 + "w" * 12
    assert view["names"] == {"b": "Ann", "w": "Computer (4)"} and view["human"] == "b" and view["ply"] == 0
    assert (view["level"], view["level_name"], view["level_rating"]) == ("l4", "Level 4", 1063)
    assert len(view["legal"]) == 7 and view["result"] is None and view["rated"] and not view["can_undo"]
    after = device.move(view, [11, 15])
    assert after["ply"] == 2 and [move["by"] for move in after["moves"]] == ["b", "w"]
    assert after["moves"][0]["text"] == "11-15" and after["can_undo"]
    over = device.play_on(after, rng)
    (game,) = saved()
    assert over["result"]["winner"] == game.winner and over["result"]["saved"] and over["legal"] == []
    assert over["pdn"].splitlines()[4] == '[Black "Ann"]' and '[Date "2026.09.01"]' in over["pdn"]
    table = device.get("scores").get_json()
    assert table["day"] == TODAY and table["warnings"] == []
    assert {row["name"]: row["points"] for row in table["table"]} == {
        name: {"b": 3 * (side == "b"), "w": 3 * (side == "w"), "draw": 1}[game.winner]
        for side, name in (("b", "Ann"), ("w", "Computer (4)"))
    }
    ratings = {row["name"]: row for row in device.get("ratings").get_json()["players"]}
    ann, level = ratings["Ann"], ratings["Computer (4)"]
    assert ann["games"] == 1 and ann["provisional"] and ann["low"] < ann["glicko"] < ann["high"]
    assert ann["level"] is None and level["level"] == "l4"
    assert (level["glicko"], level["low"], level["high"]) == (1063, None, None)


def test_the_view_keeps_the_version_to_itself(device):
    view = device.start("Ann", "medium")
    assert "variant" not in json.dumps(view) and not re.search(r'"[AB]"', json.dumps(view))


def test_two_people_to_the_end(device, rng, saved):
    view = device.start_two()
    assert view["human"] is None and view["level"] is None and view["turn"] == "b"
    over = device.play_on(view, rng)
    (game,) = saved()
    assert (game.black, game.white, game.winner) == ("Ann", "Bob", over["result"]["winner"])
    assert re.match(r"(Black \(Ann\)|White \(Bob\)) won: |Drawn: ", over["result"]["text"])


def test_resigning(device, saved):
    view = device.start_two()
    view = device.move(view, [11, 15])
    over = device.good("resign", id=view["id"], key=view["key"])
    assert over["result"] == {
        "winner": "b",
        "reason": "resigned",
        "text": "Black (Ann) won: White resigned.",
        "saved": True,
    }
    assert over["pdn"].endswith("1-0\n") and [game.winner for game in saved()] == ["b"]


def test_taking_back(device):
    view = device.start("Ann", "easy", "w")
    assert view["ply"] == 1 and view["turn"] == "w" and not view["can_undo"]
    view = device.play_on(view, np.random.default_rng(1), 1)
    back = device.good("undo", id=view["id"], key=view["key"], ply=3)
    assert (back["ply"], back["rated"], back["can_undo"]) == (1, False, False)
    over = device.good("resign", id=view["id"], key=view["key"])
    assert over["result"]["text"].endswith("The game is not rated: a move was taken back.")
    assert device.get("scores").get_json()["table"] == []


def test_a_page_that_is_loaded_again_goes_on(device):
    view = device.move(device.start("Ann", "match"), [11, 15])
    again = device.good("resume", id=view["id"], key=view["key"])
    assert {**again, "key": view["key"]} == view and again["match"].keys() == OFFER


def test_another_position_answers_409_with_the_view(device):
    view = device.start_two()
    answer = device.post("move", id=view["id"], key=view["key"], ply=1, path=[22, 18])
    assert answer.status_code == 409
    assert answer.get_json()["view"]["ply"] == 0 and answer.get_json()["error"]


@pytest.mark.parametrize(
    "change, status",
    [({"id": "f" * 32}, 404), ({"key": "0" * 32}, 403), ({"path": [11, 18]}, 400), ({"ply": 5}, 409)],
    ids=["id", "key", "path", "ply"],
)
def test_a_wrong_move_has_its_own_status(device, change, status):
    view = device.start_two()
    body = {"id": view["id"], "key": view["key"], "ply": 0, "path": [11, 15], **change}
    answer = device.post("move", **body)
    assert answer.status_code == status and set(answer.get_json()) <= {"error", "view"}


def test_the_same_request_twice_is_one_game(device, folder):
    body = {"mode": "computer", "name": "Ann", "level": "match", "colour": "w", "request": "0123456789abcdef"}
    first, second = (device.good("game", **body) for _ in range(2))
    assert first == second and len(list((folder / "live").iterdir())) == 1
    answer = device.post("game", **{**body, "colour": "b"})
    assert answer.status_code == 400 and "request" in answer.get_json()["error"]


def test_the_settings(open_device):
    settings = open_device(rule="course", abandon_after_minutes=7).get("settings").get_json()
    assert [level["key"] for level in settings["levels"]] == list(LEVEL_NAMES)
    assert settings["levels"][0] == {
        "key": "easy",
        "name": "Low",
        "computer": "Computer (Low)",
        "rating": 1148,
    }
    assert settings["rule"] == "course" and settings["abandon_after_minutes"] == 7
    assert settings["experiment"] == {
        "name": "medium-randomness",
        "design": "alternate",
        "level": "medium",
    }
    assert open_device(design="none").get("settings").get_json()["experiment"] is None


# Match me


def won_and_lost(level: str, scores: str, name: str = "Ann") -> list[Game]:
    """Games of Ann, as Black: w won, l lost, d drawn."""
    winners = {"w": "b", "l": "w", "d": "draw"}
    return [Game(name, LEVEL_NAMES[level], winners[score], level=level) for score in scores]


def offered(open_device) -> dict:
    return open_device().good("match", name=" ann ")


def test_a_newcomer_gets_a_gentle_level(open_device):
    offer = offered(open_device)
    assert offer.keys() == OFFER
    assert (offer["level"], offer["games"], offer["provisional"]) == ("l5", 0, True)


def test_twenty_wins_in_a_row_raise_the_level_at_every_step(open_device, folder):
    games, seen = [], []
    for _ in range(20):
        if games:
            save_games(folder, games)
        level = offered(open_device)["level"]
        seen.append(level)
        games += won_and_lost(level, "w")
    ranks = [int(level[1:]) for level in seen]
    assert ranks == sorted(ranks) and ranks[0] == 5 and ranks[1] > 5 and ranks[-1] == 9


def test_twenty_wins_raise_the_level_of_a_settled_player(open_device, folder):
    history = won_and_lost("l3", "wl" * 30)
    save_games(folder, history)
    before = offered(open_device)
    assert not before["provisional"]
    save_games(folder, history + won_and_lost("l3", "w" * 20))
    assert int(offered(open_device)["level"][1:]) > int(before["level"][1:])


def test_ten_losses_lead_to_the_weakest_level(open_device, folder):
    games = []
    for _ in range(10):
        if games:
            save_games(folder, games)
        games += won_and_lost(offered(open_device)["level"], "l")
    save_games(folder, games)
    assert offered(open_device)["level"] == "l1"


def test_the_courses_rule_is_medium_until_five_games(open_device, folder):
    save_games(folder, won_and_lost("easy", "wwww"))
    offer = open_device(rule="course").good("match", name="Ann")
    assert (offer["level"], offer["provisional"], offer["games"]) == ("medium", True, 4)
    save_games(folder, won_and_lost("easy", "wwww") + won_and_lost("hard", "llllllll"))
    offer = open_device(rule="course").good("match", name="Ann")
    assert offer["level"] == "easy" and not offer["provisional"] and offer["deviation"] is None
    assert offer["level_rating"] < 1200 and 0 < offer["expected"] < 1


def test_the_level_and_why_come_with_the_game(device):
    view = device.start("Ann", "match")
    assert view["level"] == view["match"]["level"] == "l5" and view["level_rating"] == 1184
    assert "first game" in view["match"]["reason"]


def test_without_ratings_everybody_gets_medium(device, monkeypatch, caplog):
    club = device.client.application.extensions[EXTENSION]

    def fail(*_):
        raise RuntimeError("ratings of Ann")

    monkeypatch.setattr(club.tables, "_games", fail)
    view = device.good("match", name="Ann")
    assert view["level"] == "medium" and view["rating"] is None and view["reason"]
    assert "RuntimeError" in caplog.text and "Ann" not in caplog.text


# Files at fault


def test_a_file_of_nul_bytes_is_named_and_everything_goes_on(device, folder):
    save_games(folder, [Game("Ann", "Bob", "b")])
    (folder / f"scores-{TODAY}.json").write_bytes(b"\0" * 400)
    for route in ("scores", "ratings"):
        answer = device.get(route)
        assert answer.status_code == 200
        assert any(f"scores-{TODAY}.json" in words for words in answer.get_json()["warnings"])
    assert [row["name"] for row in device.get("ratings").get_json()["players"]] == ["Ann", "Bob"]
    assert device.good("match", name="Ann")["games"] == 1


def test_warnings_hold_no_name(device, folder):
    folder.mkdir(exist_ok=True)
    rows = (
        '{"black": "Zoë$", "white": "Bob", "winner": "b"}, {"black": "Zoë"}, {"black": "Zoë", "white": "Bob"}'
    )
    (folder / "scores-2026-08-31.json").write_text(f"[{rows}]")
    (folder / "live" / f"{'a' * 32}.json").write_text('{"black": "Zoë"')
    device.client.application.extensions[EXTENSION].tidy()
    warnings = device.get("scores").get_json()["warnings"]
    assert warnings == [
        "scores-2026-08-31.json: 3 games that cannot be used are left out, the first in row 1",
        f"live/{'a' * 32}.json: cannot be read, and is left out",
    ]


# What is refused


def good_bodies(device) -> dict[str, dict]:
    view = device.start_two("Ann", "Bob")
    game = {"id": view["id"], "key": view["key"]}
    two = {"mode": "two", "name": "Cid", "name2": "Dan", "request": "another-request-0", "proofs": []}
    return {
        "match": {"name": "Ann"},
        "game": two,
        "resume": game,
        "move": {**game, "ply": 0, "path": [11, 15]},
        "undo": {**game, "ply": 0},
        "resign": game,
        "forget-me": {"name": "Eve", "proofs": [], "confirm": True},
    }


BAD_VALUES = (
    *(
        None,
        True,
        1.5,
        -1,
        10**30,
        "",
        " ",
        "x" * 61,
        "\0",
        "\ud800",
        "Ann\u200b",
        "a\nb",
        "<b>",
        [],
        [[]],
        {},
    ),
    *(["11", "15"], [0, 33], "../../scores", "Computer (Low)", "(removed-0a1b2c3d)"),
)


@pytest.mark.parametrize("route", POSTS)
def test_every_bad_value_of_every_field_is_refused(open_device, route, saved):
    device = open_device(removals_an_hour=1000)
    good = good_bodies(device)[route]
    for field in good:
        for value in BAD_VALUES:
            if (field in ("proofs", "confirm") and value in ([], True)) or (field, value) == (
                "request",
                "x" * 61,
            ):
                continue  # these are good
            answer = device.client.post(
                f"/{route}", data=json.dumps({**good, field: value}), content_type="application/json"
            )
            assert answer.status_code == 400, (route, field, value, answer.get_json())
            assert answer.get_json().keys() == {"error"}
    assert saved() == []


@pytest.mark.parametrize("route", POSTS)
def test_a_missing_field_and_an_unknown_one_are_refused(device, route):
    good = good_bodies(device)[route]
    for field in set(good) - {"proofs"}:
        answer = device.post(route, **{name: value for name, value in good.items() if name != field})
        assert answer.status_code == 400 and field in answer.get_json()["error"]
    assert device.post(route, **good, more=1).status_code == 400


@pytest.mark.parametrize("field", ["winner", "result", "outcome", "score", "ending", "saved", "variant"])
def test_no_route_takes_a_result(device, saved, field):
    rules = list(device.client.application.url_map.iter_rules())
    posts = {rule.rule[1:] for rule in rules if "POST" in rule.methods}
    assert posts == set(POSTS) and not any({"PUT", "PATCH", "DELETE"} & rule.methods for rule in rules)
    for route, body in good_bodies(device).items():
        for value in ("b", "draw", True, {"winner": "b"}):
            answer = device.post(route, **{**body, field: value})
            assert answer.status_code == 400 and field in answer.get_json()["error"]
    for route in ("scores", "ratings"):
        game = {"black": "Ann", "white": "Bob", "winner": "b"}
        assert device.post(route, **game).status_code == 405
    assert saved() == []


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"\0",
        b'{"name": "\xff"}',
        b'{"name": NaN}',
        b"[" * 4000,
        b'{"name":' * 500,
        b'{"a":1,"a":1}',
    ],
    ids=["empty", "half", "array", "nul", "not UTF-8", "NaN", "deep", "deep object", "twice"],
)
def test_a_body_that_is_no_object_is_refused(device, content):
    answer = device.client.post("/match", data=content, content_type="application/json")
    assert answer.status_code == 400 and answer.get_json()["error"]


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_no_body_breaks_the_server(device, data):
    values = st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=70),
        lambda inner: st.lists(inner),
    )
    fields = [
        "mode",
        "name",
        "name2",
        "id",
        "key",
        "ply",
        "path",
        "request",
        "level",
        "colour",
        "proofs",
        "confirm",
    ]
    body = data.draw(st.dictionaries(st.sampled_from(fields), values) | values)
    content = data.draw(st.just(json.dumps(body).encode()) | st.binary(max_size=200))
    route = data.draw(st.sampled_from(POSTS))
    answer = device.client.post(f"/{route}", data=content, content_type="application/json")
    assert answer.status_code in (200, 400, 403, 404, 413, 429)
    if answer.status_code == 200:
        assert route in ("match", "game")


def test_a_long_body_is_refused(device):
    answer = device.post("match", name="x" * MAX_BYTES)
    assert answer.status_code == 413 and str(MAX_BYTES) in answer.get_json()["error"]


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "", "multipart/form-data"]
)
def test_a_body_of_another_kind_is_refused(device, kind):
    assert device.client.post("/match", data=b'{"name": "Ann"}', content_type=kind).status_code == 415


@pytest.mark.parametrize(
    "headers, status",
    [
        ({}, 200),
        ({"Origin": "http://localhost"}, 200),
        ({"Origin": "http://localhost:81"}, 403),
        ({"Origin": "https://elsewhere.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://[::1"}, 403),
        ({"Origin": "http://[zz]"}, 403),
        ({"Sec-Fetch-Site": "same-origin", "Origin": "https://the.public.name"}, 200),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Sec-Fetch-Site": "cross-site", "Origin": "http://localhost"}, 403),
    ],
)
def test_pages_of_others_cannot_ask(device, headers, status):
    answer = device.client.post("/match", json={"name": "Ann"}, headers=headers)
    assert answer.status_code == status


@pytest.mark.parametrize(
    "host, status",
    [
        ("localhost:8000", 200),
        ("LOCALHOST", 200),
        ("127.0.0.1:8000", 200),
        ("[::1]:8000", 200),
        ("elsewhere.example", 421),
        ("localhost.elsewhere.example:8000", 421),
        ("", 421),
    ],
)
def test_a_server_for_this_machine_alone_answers_to_its_own_names(folder, open_club, host, status):
    app = create_app(folder, club=open_club(), hosts=LOCAL)
    for route in ("/scores", "/static/icon.svg"):
        assert app.test_client().get(route, headers={"Host": host}).status_code == status


@pytest.mark.parametrize(
    "route, status", [("match", 405), ("game", 405), ("nothing", 404), ("game/", 404), ("..", 404)]
)
def test_other_addresses_and_methods(device, route, status):
    answer = device.get(route)
    assert answer.status_code == status and answer.get_json().keys() == {"error"}


# Names


def test_spellings_of_a_name_are_one_player(device, rng):
    for name in ("Zoë", "ZOE\u0308", " zoë "):
        device.play_on(device.start(name, "l1"), rng)
    players = [row for row in device.get("ratings").get_json()["players"] if row["level"] is None]
    assert [(row["name"], row["games"]) for row in players] == [("zoë", 3)]
    assert device.good("match", name="ＺＯË")["games"] == 3


@pytest.mark.parametrize(
    "name", ["Computer (Low)", "COMPUTER (9)", "(removed)", "(Removed-1)", "Anonymous 1", "computer"]
)
def test_reserved_names_are_refused(device, name):
    answer = device.post("game", mode="two", name="Ann", name2=name, request="0123456789abcdef")
    assert answer.status_code == 400 and "not for people" in answer.get_json()["error"]


def test_names_stand_in_no_address_and_no_log(device, rng, caplog):
    caplog.set_level(logging.DEBUG)
    view = device.start("Xanthippe", "match")
    device.play_on(view, rng)
    device.post("forget-me", name="Xanthippe", proofs=[], confirm=True)
    device.get("ratings?name=Xanthippe")
    assert fold_name("Xanthippe") not in caplog.text.casefold()
    for rule in device.client.application.url_map.iter_rules():
        assert not rule.arguments - {"filename"}


# Headers, errors, limits


@pytest.mark.parametrize(
    "method, route",
    [("get", "/"), ("get", "/scores"), ("post", "/match"), ("get", "/no"), ("get", "/static/icon.svg")],
)
def test_every_answer_has_the_headers(device, method, route):
    answer = getattr(device.client, method)(route)
    for name, value in HEADERS.items():
        assert answer.headers[name] == value
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy and "frame-ancestors 'none'" in policy and "unsafe" not in policy
    kept = route in ("/", "/static/icon.svg")
    assert answer.headers["Cache-Control"] == ("no-cache" if kept else "no-store")
    assert "Set-Cookie" not in answer.headers


def test_an_unforeseen_error_says_nothing_of_itself(device, monkeypatch, caplog):
    club = device.client.application.extensions[EXTENSION]

    def fail(*_, **__):
        raise RuntimeError("secret of Ann")

    monkeypatch.setattr(club, "match", fail)
    answer = device.post("match", name="Ann")
    assert answer.status_code == 500
    assert answer.get_json() == {"error": "something went wrong on the server"}
    assert "RuntimeError" in caplog.text and "test_app.py" in caplog.text and "Ann" not in caplog.text


def test_a_busy_folder_is_503(device, monkeypatch):
    from ludometrics.gamelog.lock import FolderBusyError

    club = device.client.application.extensions[EXTENSION]

    def busy(*_, **__):
        raise FolderBusyError("/secret/folder is busy")

    monkeypatch.setattr(club, "match", busy)
    answer = device.post("match", name="Ann")
    assert answer.status_code == 503 and "secret" not in answer.get_json()["error"]


def test_too_many_requests(folder, open_club):
    time = [0.0]
    club = open_club(requests_a_minute=3)
    client = create_app(folder, club=club, clock=lambda: time[0]).test_client()
    assert [client.get("/settings").status_code for _ in range(4)] == [200, 200, 200, 429]
    answer = client.get("/settings")
    assert answer.headers["Retry-After"] == "20" and "20 s" in answer.get_json()["error"]
    assert client.get("/settings", environ_base={"REMOTE_ADDR": "192.0.2.9"}).status_code == 200
    assert client.get("/static/icon.svg").status_code != 429
    time[0] = 20.0
    assert client.get("/settings").status_code == 200


def test_too_many_games(open_device):
    device = open_device(games_an_hour=2)
    for _ in range(2):
        device.start()
    answer = device.post("game", mode="two", name="Ann", name2="Bob", request="0123456789abcdef")
    assert answer.status_code == 429 and int(answer.headers["Retry-After"]) > 60
    device.good("match", name="Ann")


def test_too_many_open_games(open_device):
    device = open_device(live_games_each=1)
    device.start()
    answer = device.post("game", mode="two", name="Ann", name2="Bob", request="0123456789abcdef")
    assert answer.status_code == 429 and "open from your address" in answer.get_json()["error"]


def test_addresses_forwarded_by_nobody_known_count_for_nothing(open_device):
    device = open_device(requests_a_minute=1)
    client = device.client
    codes = [
        client.get("/settings", headers={"X-Forwarded-For": f"192.0.2.{n}"}).status_code for n in range(3)
    ]
    assert codes == [200, 429, 429]


# In a folder of another server


def test_everything_works_below_a_prefix(folder, open_club, rng):
    app = create_app(folder, club=open_club())
    client = Client(DispatcherMiddleware(lambda *_: None, {"/a/x": app}))
    assert client.get("/a/x/settings").status_code == 200
    page = client.get("/a/x/")
    assert page.status_code == 200
    links = re.findall(r'(?:src|href|action)="([^"#]+)"', page.get_data(as_text=True))
    assert links and not [link for link in links if link.startswith(("/", "http"))]
    for link in links:
        assert client.get(f"/a/x/{link}").status_code == 200, link
    body = {"mode": "two", "name": "Ann", "name2": "Bob", "request": "0123456789abcdef"}
    view = client.post("/a/x/game", json=body).get_json()
    while view["result"] is None:
        path = view["legal"][rng.integers(len(view["legal"]))]["path"]
        move = {"id": view["id"], "key": view.get("key", body.get("key")), "ply": view["ply"], "path": path}
        body["key"] = move["key"]
        view = client.post("/a/x/move", json=move).get_json()
    assert len(client.get("/a/x/scores").get_json()["table"]) == 2


def test_without_its_last_slash_the_page_sends_on_relatively(folder, open_club):
    app = create_app(folder, club=open_club())
    client = Client(DispatcherMiddleware(lambda *_: None, {"/a/x": app}))
    answer = client.get("/a/x")
    assert answer.status_code == 308 and answer.headers["Location"] == "x/"
