"""The published recipe once more in plain Python, on lists and dictionaries, for a handful of boards.

Written from the description of a step, not from the trainer: boards are columns of letters, patterns show tuples of
digits, weights live in dictionaries keyed by what a pattern shows. Only the draws of random numbers are the same.
"""

import math

import torch

from compiled_twin import after, four, open_columns, winning
from ludometrics.connect4.patterns import draw_patterns


class Twin:
    """One run in plain Python: `step` plays and learns once on every board."""

    def __init__(self, recipe, generator, rng) -> None:
        self.recipe, self.generator, self.count, self.learned_steps = recipe, generator, 0, 0
        self.patterns = draw_patterns(recipe.pattern_count, recipe.pattern_length, rng=rng).tolist()
        self.online, self.target, self.mean, self.square = {}, {}, {}, {}
        self.boards = [[""] * 7 for _ in range(recipe.batch)]
        self.ring = []  # one record a step: lists by board
        self.squared_error = self.learned = 0

    def shown(self, columns):
        side, found = sum(map(len, columns)) % 2, []
        for seen in (columns, columns[::-1]):
            for number, cells in enumerate(self.patterns):
                digits = []
                for cell in cells:
                    held, row = seen[cell // 6], cell % 6
                    if row < len(held):
                        digits.append({"Y": 1, "R": 2}[held[row]])
                    else:
                        digits.append(3 if row == len(held) else 0)
                found.append((side, number, tuple(digits)))
        return found

    def value(self, weights, columns):
        return math.tanh(sum(weights.get(key, 0.0) for key in self.shown(columns)))

    def step(self):
        recipe = self.recipe
        # 1: the current afterstates, with the target network's values.
        record = {
            "position": self.boards,
            "value": [self.value(self.target, columns) for columns in self.boards],
            "random": [],
            "result": [],  # None: the game goes on
        }
        self.ring = [*self.ring, record][-(recipe.horizon + 1) :]
        # 2 and 3: choose and play.
        draws = torch.rand(recipe.batch, 8, generator=self.generator).tolist()
        moved = []
        for columns, (coin, *noise) in zip(self.boards, draws, strict=True):
            column, at_random = self.choose(columns, coin, noise)
            who = "YR"[sum(map(len, columns)) % 2]
            columns = after(columns, column, who)
            won, full = four(columns, column), sum(map(len, columns)) == 42
            record["random"].append(at_random)
            record["result"].append({"Y": 1, "R": -1}[who] if won else (0 if full else None))
            moved.append(columns)
        # 4 to 6: learn from the oldest slot once there is one, move the target network, restart what is over.
        if len(self.ring) == recipe.horizon + 1:
            self.learn([self.value(self.target, columns) for columns in moved])
            for key, weight in self.online.items():
                held = self.target.get(key, 0.0)
                self.target[key] = held + recipe.tau * (weight - held)
        self.boards = [
            columns if result is None else [""] * 7
            for columns, result in zip(moved, record["result"], strict=True)
        ]
        self.count += 1

    def choose(self, columns, coin, noise):
        tokens = sum(map(len, columns))
        who, other = "YR" if tokens % 2 == 0 else "RY"
        legal, wins = open_columns(columns), winning(columns, who)
        if self.recipe.exclude_losing:
            safe = [column for column in legal if not winning(after(columns, column, who), other)]
            legal = [column for column in legal if column in wins or column in safe] or legal
        if coin < self.recipe.epsilon_at(self.count):
            return max(legal, key=lambda column: noise[column]), True
        scores = {}
        for column in legal:
            if column in wins:
                score = 1.0
            elif tokens == 41:
                score = 0.0
            else:
                score = self.value(self.online, after(columns, column, who)) * (1 if who == "Y" else -1)
            scores[column] = score + self.recipe.tie_noise * noise[column]
        return max(scores, key=scores.get), False

    def learn(self, newest):
        recipe, slopes, learned = self.recipe, {}, 0
        for board in range(recipe.batch):
            results = [record["result"][board] for record in self.ring]
            goal = newest[board] if results[-1] is None else results[-1]
            for slot in range(recipe.horizon - 1, -1, -1):
                following = self.ring[slot + 1]["value"][board]
                goal = (
                    (1 - recipe.trace) * following + recipe.trace * goal
                    if results[slot] is None
                    else results[slot]
                )
            if self.ring[0]["random"][board] and results[0] is None:
                continue
            learned += 1
            position = self.ring[0]["position"][board]
            value = self.value(self.online, position)
            self.squared_error += (value - goal) ** 2
            for key in self.shown(position):
                slopes[key] = slopes.get(key, 0.0) + 2 * (value - goal) * (1 - value**2)
        self.learned += learned
        slopes = {key: slope / max(1, learned) for key, slope in slopes.items()}
        norm = math.sqrt(sum(slope**2 for slope in slopes.values()))
        scale = recipe.clip / norm if 0 < recipe.clip < norm else 1.0
        self.learned_steps += 1
        rate = recipe.learning_rate_at(self.count)
        for key in {**self.online, **slopes}:
            slope = scale * slopes.get(key, 0.0)
            self.mean[key] = recipe.beta1 * self.mean.get(key, 0.0) + (1 - recipe.beta1) * slope
            self.square[key] = recipe.beta2 * self.square.get(key, 0.0) + (1 - recipe.beta2) * slope**2
            first = self.mean[key] / (1 - recipe.beta1**self.learned_steps)
            second = self.square[key] / (1 - recipe.beta2**self.learned_steps)
            move = rate * first / (math.sqrt(second) + recipe.adam_epsilon)
            self.online[key] = self.online.get(key, 0.0) - move
