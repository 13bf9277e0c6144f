"""What the server can be asked. Every address is relative to the page's; no route takes a result."""

from typing import Any

from flask import Flask, Response, jsonify, request

from ludometrics.web import bodies
from ludometrics.web.club import Club
from ludometrics.web.limits import client_of
from ludometrics.web.live import MODES, LiveGame
from ludometrics.web.opponents import OPPONENTS
from ludometrics.web.orders import Order
from ludometrics.web.problems import BadValueError
from ludometrics.web.proofs import PROOF
from ludometrics.web.views import forgotten_text

_NAME = bodies.text(60)
_PROOFS = bodies.row_of(
    lambda value: None if isinstance(value, str) and PROOF.fullmatch(value) else "a proof",
    0,
    bodies.MAX_PROOFS,
)
_GAME = {"id": bodies.token, "key": bodies.token}
_PLY = bodies.whole(0, 100_000)
_PATH = bodies.row_of(bodies.whole(1, 32), 2, 13)
_ANY_GAME = {
    "mode": bodies.choice(*MODES),
    "name": _NAME,
    "request": bodies.request_id,
    "proofs": _PROOFS,
}
_NEW_GAME = {
    "computer": {
        **_ANY_GAME,
        "colour": bodies.choice("b", "w"),
        "level": bodies.choice("match", *OPPONENTS),
    },
    "two": {**_ANY_GAME, "name2": _NAME},
}
_ALL_FIELDS = {**_NEW_GAME["computer"], **_NEW_GAME["two"]}


def make_routes(app: Flask, club: Club) -> None:
    """Give the application its routes."""

    def show(game: LiveGame) -> Response:
        return jsonify(club.view(game))

    @app.get("/")
    def page() -> Response:
        return app.send_static_file("page.html")

    @app.get("/settings")
    def settings() -> Response:
        return jsonify(club.tables.settings())

    @app.get("/scores")
    def scores() -> Response:
        return jsonify(_with_warnings(club.tables.scores(), club))

    @app.get("/ratings")
    def ratings() -> Response:
        return jsonify(_with_warnings(club.tables.ratings(), club))

    @app.post("/match")
    def match() -> Response:
        return jsonify(club.match(_body({"name": _NAME})["name"]))

    @app.post("/game")
    def game() -> Response:
        body = _new_game()
        body["proofs"] = tuple(body.get("proofs", ()))
        started = club.start(Order(**body), client=client_of(request.remote_addr))
        proofs = [{"name": name, "proof": proof} for name, proof in started.proofs]
        return jsonify({**club.view(started.game), "key": started.game.key, "proofs": proofs})

    @app.post("/resume")
    def resume() -> Response:
        body = _body(_GAME)
        return show(club.resume(body["id"], body["key"]))

    @app.post("/move")
    def move() -> Response:
        body = _body({**_GAME, "ply": _PLY, "path": _PATH})
        return show(club.move(body["id"], body["key"], body["ply"], tuple(body["path"])))

    @app.post("/undo")
    def undo() -> Response:
        body = _body({**_GAME, "ply": _PLY})
        return show(club.undo(body["id"], body["key"], body["ply"]))

    @app.post("/resign")
    def resign() -> Response:
        body = _body(_GAME)
        return show(club.resign(body["id"], body["key"]))

    @app.post("/forget-me")
    def forget_me() -> Response:
        body = _body({"name": _NAME, "proofs": _PROOFS, "confirm": bodies.yes})
        done = club.forget(body["name"], tuple(body["proofs"]))
        return jsonify(games=done.games, files=len(done.files), text=forgotten_text(done))


def _body(fields: dict[str, bodies.Check], optional: tuple[str, ...] = ()) -> dict[str, Any]:
    return bodies.read_body(request.get_data(), fields, optional=optional)


def _new_game() -> dict[str, Any]:
    """Body of POST game: which fields it has follows from its mode."""
    body = _body(_ALL_FIELDS, tuple(name for name in _ALL_FIELDS if name != "mode"))
    fields = _NEW_GAME[body["mode"]]
    for name in body:
        if name not in fields:
            raise BadValueError(f"field {name!r} does not go with mode {body['mode']!r}")
    missing = [name for name in fields if name not in body and name != "proofs"]
    if missing:
        raise BadValueError(f"field {missing[0]!r} is missing")
    return body


def _with_warnings(answer: dict[str, Any], club: Club) -> dict[str, Any]:
    return {**answer, "warnings": [*answer["warnings"], *club.warnings()]}
