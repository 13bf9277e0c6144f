"""What GNU Backgammon itself runs to play one match between two players of known skill, and to analyse it.

GNU Backgammon executes this file with its own embedded Python (``gnubg -t -q -r -p gnubg_script.py``), which knows
neither numpy nor this package: it uses the standard library and the module ``gnubg`` alone. The tasks, one a match,
come as a JSON list in the file named by the environment variable ``LUDOMETRICS_GNUBG_TASK``;
``ludometrics.simulation.gnubg_matches`` writes it and reads what is left in each task's folder.

A player evaluates without look-ahead and without noise (0-ply) and adds his own noise to what he sees: a Gumbel
variable of scale ``temperature`` (normalised equity) on each option, so that he picks an option with a chance
proportional to exp(-cost / temperature). GNU Backgammon's own noise is not used: drawn freely it follows the clock,
and drawn by position every player would share the same misjudgements.
"""

import json
import math
import os
import random

GAME_RUNNING = 1
CENTRED = -1


def gumbel(rng: random.Random, scale: float) -> float:
    """A Gumbel variable; 0 for scale 0 (the player who sees what GNU Backgammon sees)."""
    if scale == 0:
        return 0.0
    return -scale * math.log(-math.log(1.0 - rng.random()))


def blots_after(board: list, move: str) -> int:
    """How many single checkers a move such as ``24/18*/13 6/5(2)`` leaves; ``board``: 24 points and the bar."""
    after = list(board)
    for part in move.replace("*", "").split():
        times = 1
        if part.endswith(")"):
            part, count = part[:-1].split("(")
            times = int(count)
        stops = part.split("/")
        start, end = stops[0], stops[-1]
        source = 24 if start == "bar" else int(start) - 1
        after[source] -= times
        if end != "off":
            after[int(end) - 1] += times
    return sum(1 for count in after[:24] if count == 1)


class Player:
    """One player of known skill: how he sees the options and what he does with them."""

    def __init__(self, policy: dict, rng: random.Random):
        self.policy = policy
        self.rng = rng

    def pace(self) -> tuple:
        """(temperature of this decision, milliseconds); whether it is hurried is a coin's fall."""
        quick = self.rng.random() < 0.5
        seconds = self.rng.lognormvariate(math.log(3.0 if quick else 12.0), 0.35)
        temperature = self.policy["hurried_temperature"] if quick else self.policy["temperature"]
        return temperature, round(1000 * seconds)

    def double(self, evaluation: tuple) -> tuple:
        """(doubles?, milliseconds) for (optimal, no double, double and take, double and pass, ...)."""
        temperature, spent = self.pace()
        _, no_double, take, drop = evaluation[:4]
        doubled = min(take, drop)
        if self.policy["doubles_late"] and take < drop:  # waits until the other should pass
            doubled -= self.policy["doubles_late"]
        if self.policy["doubles_early"] and no_double < drop:
            doubled += self.policy["doubles_early"]
        return doubled + gumbel(self.rng, temperature) > no_double + gumbel(self.rng, temperature), spent

    def takes(self, evaluation: tuple) -> tuple:
        """(takes?, milliseconds); the equities are the doubler's, so the smaller is the better for this player."""
        temperature, spent = self.pace()
        _, _, take, drop = evaluation[:4]
        take -= self.policy["takes_too_much"]
        take += self.policy["passes_too_much"]
        return -take + gumbel(self.rng, temperature) > -drop + gumbel(self.rng, temperature), spent

    def move(self, options: list, board: list) -> tuple:
        """(move, milliseconds) out of [(move, equity)]."""
        temperature, spent = self.pace()
        seen = [(equity + gumbel(self.rng, temperature), move) for move, equity in options]
        best = max(seen)
        if not self.policy["avoids_blots"]:
            return best[1], spent
        # Among the plays that look nearly as good, the one that leaves the fewest blots.
        near = [option for option in seen if option[0] >= best[0] - self.policy["avoids_blots"]]
        return min(near, key=lambda option: (blots_after(board, option[1]), -option[0]))[1], spent


class Table:
    """The running match as GNU Backgammon holds it, and the notes on how long each decision took."""

    def __init__(self, gnubg, task: dict):
        self.gnubg = gnubg
        self.task = task
        self.length = task["length"]
        streams = [random.Random(f"{task['seed']}/{seat}") for seat in (0, 1)]  # noqa: S311 - no secret
        self.players = [
            Player(policy, stream) for policy, stream in zip(task["policies"], streams, strict=True)
        ]
        self.exact = {"cubeful": 1, "plies": 0, "deterministic": 1, "noise": 0.0, "prune": 0}
        self.pace: list = []
        self.game = 0
        self.number = 0

    def note(self, seat: int, kind: str, spent: int) -> None:
        self.pace.append([self.game, self.number, seat, kind, spent])

    def may_double(self, cube: dict) -> bool:
        """Whether a double is allowed and could matter."""
        mover = cube["move"]
        away = self.length - cube["score"][mover]
        return not cube["crawford"] and cube["cubeowner"] in (CENTRED, mover) and away > cube["cube"]

    def act(self) -> None:
        """One turn: a cube decision where there is one, then the roll and the move."""
        gnubg = self.gnubg
        position, cube = gnubg.posinfo(), gnubg.cubeinfo()
        seat = position["turn"]
        self.number += 1
        if position["dice"] == (0, 0):
            if self.may_double(cube):
                evaluation = gnubg.cfevaluate(gnubg.board(), cube, self.exact)
                doubles, spent = self.players[seat].double(evaluation)
                self.note(seat, "double", spent)
                if doubles:
                    self.answer(seat, evaluation)
                    return
            gnubg.command("roll")
            if gnubg.posinfo()["turn"] != seat or gnubg.posinfo()["dice"] == (0, 0):
                return  # no legal move: GNU Backgammon has passed the turn
        hints = gnubg.hint(100)["hint"]
        options = [(hint["move"], hint["equity"]) for hint in hints]
        move, spent = self.players[seat].move(options, gnubg.board()[1])
        self.note(seat, "checker", spent)
        gnubg.command("move " + move)

    def answer(self, doubler: int, evaluation: tuple) -> None:
        self.gnubg.command("double")
        self.number += 1
        takes, spent = self.players[1 - doubler].takes(evaluation)
        self.note(1 - doubler, "response", spent)
        self.gnubg.command("take" if takes else "drop")

    def play(self) -> list:
        """Play to the end; returns the final score."""
        gnubg = self.gnubg
        gnubg.command(f"new match {self.length}")
        self.game, self.number = 1, 0
        while True:
            if gnubg.posinfo()["gamestate"] == GAME_RUNNING:
                self.act()
                continue
            last = gnubg.match(0, 0, 0, 0)["games"][-1]["info"]  # cubeinfo() fails between games
            score = [
                last["score-X"],
                last["score-O"],
            ]  # the module calls player 0 X, where the board shows him as O
            score["XO".index(last["winner"])] += last["points-won"]
            if max(score) >= self.length:
                return score
            gnubg.command("new game")
            self.game, self.number = self.game + 1, 0


def run(gnubg, task: dict) -> None:
    """Play the task's match; where it asks for an analysis, analyse it and leave the exports in its folder."""
    settings = [
        "set display off", "set output rawboard on", "set rng mersenne", f"set seed {task['dice_seed']}",
        "set automatic roll off", "set automatic game off", "set automatic move off", "set automatic bearoff off",
        "set player 0 human", "set player 1 human",
        "set evaluation chequerplay evaluation plies 0", "set evaluation chequerplay evaluation prune off",
    ]  # fmt: skip
    for line in settings:
        gnubg.command(line)
    table = Table(gnubg, task)
    score = table.play()
    for seat, name in enumerate(task["names"]):
        gnubg.command(f"set player {seat} name {name}")
    gnubg.command(f"set matchinfo date {task['date']}")
    if task["plies"] is not None:
        plies = task["plies"]
        for line in [
            "set output digits 5", "set output rawboard off", "set analysis luck on",
            f"set analysis chequerplay evaluation plies {plies}", f"set analysis cubedecision evaluation plies {plies}",
            "set analysis movefilter 2 0 0 8 0.16", "analyse match",
            f'export match text "{task["folder"]}/match.txt"', f'save match "{task["folder"]}/match.sgf"',
        ]:  # fmt: skip
            gnubg.command(line)
    with open(os.path.join(task["folder"], "played.json"), "w", encoding="utf-8") as file:
        json.dump({"score": score, "pace": table.pace}, file)


if "LUDOMETRICS_GNUBG_TASK" in os.environ:
    import gnubg

    with open(os.environ["LUDOMETRICS_GNUBG_TASK"], encoding="utf-8") as file:
        for one in json.load(file):
            run(gnubg, one)
