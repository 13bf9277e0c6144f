"""Matches played at random by GNU Backgammon itself, which runs this file with its own Python (standard library only).

``matches.json`` beside it lists [name, length, seed, moves of a game before somebody resigns (0: played out)]; a match
leaves a text export and an SGF named by it. Players double, take, pass and choose plays by drawn numbers, so that
every kind of error occurs.
"""

import json
import os
import random

RUNNING, CENTRED = 1, -1


class Table:
    def __init__(self, gnubg, length, seed, moves):
        self.gnubg, self.length, self.moves = gnubg, length, moves
        self.rng = random.Random(seed)

    def may_double(self):
        cube = self.gnubg.cubeinfo()
        mover = cube["move"]
        if self.length and cube["score"][mover] + cube["cube"] >= self.length:
            return False
        return not cube["crawford"] and cube["cubeowner"] in (CENTRED, mover)

    def turn(self):
        command = self.gnubg.command
        position = self.gnubg.posinfo()
        if position["dice"] == (0, 0):
            if self.may_double() and self.rng.random() < 0.12:
                command("double")
                command("take" if self.rng.random() < 0.7 else "drop")
                return
            command("roll")
            if self.gnubg.posinfo()["turn"] != position["turn"] or self.gnubg.posinfo()["dice"] == (0, 0):
                return
        hints = self.gnubg.hint(100)["hint"]
        command("move " + hints[min(len(hints) - 1, self.rng.choice((0, 0, 0, 1, 2, 9)))]["move"])

    def game(self):
        turns = 0
        while self.gnubg.posinfo()["gamestate"] == RUNNING:
            self.turn()
            turns += 1
            if self.moves and turns >= self.moves and self.gnubg.posinfo()["gamestate"] == RUNNING:
                if self.gnubg.posinfo()["dice"] == (0, 0):
                    self.gnubg.command("resign " + self.rng.choice(("normal", "gammon")))
                    self.gnubg.command("accept")

    def points(self):
        last = self.gnubg.match(0, 0, 0, 0)["games"][-1]["info"]
        score = [last["score-X"], last["score-O"]]
        score["XO".index(last["winner"])] += last["points-won"]
        return score

    def play(self):
        self.gnubg.command(f"new match {self.length}" if self.length else "new session")
        games = 1
        self.game()
        while max(self.points()) < self.length or (not self.length and games < 3):
            self.gnubg.command("new game")
            self.game()
            games += 1


def main(gnubg):
    for line in (
        "set display off", "set rng mersenne", "set automatic game off", "set automatic roll off",
        "set automatic move off", "set automatic bearoff off", "set player 0 human", "set player 1 human",
        "set evaluation chequerplay evaluation plies 0", "set analysis luck on", "set beavers 0",
        "set analysis chequerplay evaluation plies 0", "set analysis cubedecision evaluation plies 0",
    ):  # fmt: skip
        gnubg.command(line)
    with open("matches.json", encoding="utf-8") as file:
        matches = json.load(file)
    for name, length, seed, moves in matches:
        gnubg.command(f"set seed {seed}")
        Table(gnubg, length, seed, moves).play()
        gnubg.command("set matchinfo date 2026-03-20")
        gnubg.command("analyse match" if length else "analyse session")
        gnubg.command(f'export match text "{name}.txt"')
        gnubg.command(f'save match "{name}.sgf"')


if os.path.exists("matches.json"):
    import gnubg

    main(gnubg)
