"""Make tests/data/backgammon/moves_counts.json and moves_plays.json: what GNU Backgammon says may be played.

    python tools/make_move_counts.py

sends varied positions and rolls to GNU Backgammon (``gnubg -t``), which lists every legal play, and writes how many
there are, and the plays of the first few. The same seed gives the same positions.
"""

import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ludometrics.backgammon.gnubg_program import find_gnubg
from ludometrics.backgammon.moves import count_legal, legal_boards
from ludometrics.backgammon.positions import START, MatchState, flip, match_id, position_id
from ludometrics.provenance import write_bytes

FOLDER = Path(__file__).parents[1] / "tests" / "data" / "backgammon"
SEED = 20261130
CASES, LISTED = 315, 24
LONGEST_LIST = 60
LONGEST_GAME = 70  # turns of a random game
#: Run by GNU Backgammon's own Python. 0-ply lists all plays; at 2-ply they would only be sorted more slowly.
SCRIPT = """
import gnubg, json, os
with open(os.environ["LUDOMETRICS_GNUBG_TASK"]) as file:
    ids = json.load(file)
for command in ("set player 0 human", "set player 1 human", "set automatic game off", "set automatic roll off",
                "set evaluation chequerplay evaluation plies 0", "new match 7"):
    gnubg.command(command)
found = []
for id in ids:
    gnubg.command("set gnubgid " + id)
    if gnubg.positionid() != id.split(":")[0]:
        raise ValueError(id)
    hints = gnubg.hint(5000)["hint"] or []
    found.append([hint["move"] for hint in hints])
with open(os.environ["LUDOMETRICS_GNUBG_TASK"] + ".found", "w") as file:
    json.dump(found, file)
"""


class Question(NamedTuple):
    """A position seen by the player on roll, and his roll."""

    board: np.ndarray
    dice: tuple[int, int]

    @property
    def gnubg_id(self) -> str:
        """Position ID and Match ID, in the middle of a match to 7 points."""
        state = MatchState(on_roll=1, decider=1, dice=self.dice, length=7, score=(2, 3))
        return f"{position_id(self.board)}:{match_id(state)}"


def varied_questions(count: int, *, rng: np.random.Generator) -> list[Question]:
    """Positions of random games, scattered checkers, and bear-offs in turn, with the 21 rolls in turn."""
    makers = (_from_game, _scattered, _bear_off)
    rolls = [(first, second) for first in range(1, 7) for second in range(1, first + 1)]
    return [
        Question(makers[number // len(rolls) % len(makers)](rng), rolls[number % len(rolls)])
        for number in range(count)
    ]


def _from_game(rng: np.random.Generator) -> np.ndarray:
    """The board some turns into a game of random legal plays in which nobody has borne off all."""
    board = np.array(START)
    for _ in range(rng.integers(1, LONGEST_GAME)):
        boards = legal_boards(board, rng.integers(1, 7, 2))
        after = boards[rng.integers(len(boards))] if len(boards) else board
        if not (after > 0).any():
            break
        board = flip(after)
    return board


def _scattered(rng: np.random.Generator) -> np.ndarray:
    """Checkers of both sides at random, some on the bars; points are held by one side each."""
    while True:
        board = np.zeros(26, np.int64)
        owners = rng.integers(0, 2, 26)
        owners[0], owners[25] = 1, 0  # slot 0 is the other's bar, slot 25 the own
        for side, sign in ((0, 1), (1, -1)):
            slots = np.flatnonzero(owners == side)
            weights = np.where((slots == 0) | (slots == 25), 0.4, 1.0)
            chosen = rng.choice(slots, rng.integers(2, 16), p=weights / weights.sum())
            np.add.at(board, chosen, sign)
        other_home, own_home = board[19:25], board[1:7]
        shut = (other_home <= -2).all() and board[25] > 0 and (own_home >= 2).all() and board[0] < 0
        if not shut:  # both on the bar before closed boards: no game gets there
            return board


def _bear_off(rng: np.random.Generator) -> np.ndarray:
    """All own checkers at home or nearly, few of the other's behind them or on the bar."""
    board = np.zeros(26, np.int64)
    highest = int(rng.integers(2, 9))
    np.add.at(board, rng.integers(1, highest + 1, rng.integers(1, 16)), 1)
    empty = np.flatnonzero(board[:25] == 0)
    near = [slot for slot in empty if slot <= 7]
    np.add.at(board, rng.choice(near, rng.integers(0, 3)), -1)
    np.add.at(board, rng.choice(empty[empty > 17], rng.integers(1, 12)), -1)
    return board


def ask_gnubg(questions: list[Question]) -> list[list[str]]:
    """The plays that GNU Backgammon lists for each question, best first; none where nothing can be played."""
    with tempfile.TemporaryDirectory() as scratch:
        script, task = Path(scratch, "plays.py"), Path(scratch, "task.json")
        script.write_text(SCRIPT, encoding="utf-8")
        task.write_text(json.dumps([question.gnubg_id for question in questions]), encoding="utf-8")
        environment = dict(os.environ, LUDOMETRICS_GNUBG_TASK=str(task), HOME=scratch)
        done = subprocess.run(
            [find_gnubg(), "-t", "-q", "-r", "-p", str(script)],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=600,
            check=False,
        )
        answer = Path(f"{task}.found")
        if not answer.exists():
            raise RuntimeError(f"GNU Backgammon failed: {done.stdout.decode(errors='replace')[-800:]}")
        return json.loads(answer.read_text(encoding="utf-8"))


def _write(name: str, desc: str, rows: list[dict | list]) -> None:
    lines = ",\n".join("  " + json.dumps(row) for row in rows)
    head = {"desc": desc, "source": f"GNU Backgammon 1.07.001, tools/make_move_counts.py, seed {SEED}"}
    text = json.dumps(head, indent=1)[:-2] + f',\n "cases": [\n{lines}\n ]\n}}\n'
    write_bytes(FOLDER / name, text.encode())


def main() -> None:
    """Ask, compare, write."""
    questions = varied_questions(CASES, rng=np.random.default_rng(SEED))
    plays = ask_gnubg(questions)
    counts = [
        [position_id(question.board), *question.dice, len(listed)]
        for question, listed in zip(questions, plays, strict=True)
    ]
    _write("moves_counts.json", "Position ID of the player on roll, his dice, how many plays he has", counts)
    short = [
        {"position_id": position_id(question.board), "dice": question.dice, "plays": listed}
        for question, listed in zip(questions, plays, strict=True)
        if 1 < len(listed) <= LONGEST_LIST
    ]
    step = len(short) // LISTED
    _write("moves_plays.json", "every play of a roll, best first", short[::step][:LISTED])
    ours = count_legal(np.array([q.board for q in questions]), np.array([q.dice for q in questions]))
    differ = int((ours != [row[3] for row in counts]).sum())
    print(f"{len(counts)} positions, {differ} differ from ludometrics' own counts")


if __name__ == "__main__":
    main()
