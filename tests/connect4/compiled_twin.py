"""The compiled trainer once more in plain Python, on lists and dictionaries, for a handful of boards.

Written from the description of a step, not from the kernels: boards are columns of letters, patterns show tuples of
digits, weights live in dictionaries keyed by what a pattern shows. Only the draws of random numbers are the same.
"""

import math

from ludometrics.connect4.patterns import draw_patterns

MASK = (1 << 64) - 1


def scrambled(number: int) -> int:
    number = ((number ^ (number >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    number = ((number ^ (number >> 27)) * 0x94D049BB133111EB) & MASK
    return number ^ (number >> 31)


def draw(seed: int, step: int, board: int, purpose: int) -> int:
    key = (seed + step * 0x9E3779B97F4A7C15) & MASK
    return scrambled((scrambled(key) + board * 0xD1342543DE82EF95 + purpose) & MASK)


def uniform(bits: int) -> float:
    return (bits >> 11) / 9007199254740992.0


def four(columns: list[str], column: int) -> bool:
    """Whether the top token of a column stands in a line of four of its colour."""
    row = len(columns[column]) - 1
    who = columns[column][row]
    for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
        length = 1
        for way in (1, -1):
            c, r = column + way * right, row + way * up
            while 0 <= c < 7 and 0 <= r < len(columns[c]) and columns[c][r] == who:
                length += 1
                c, r = c + way * right, r + way * up
        if length >= 4:
            return True
    return False


def after(columns: list[str], column: int, who: str) -> list[str]:
    return [held + who if number == column else held for number, held in enumerate(columns)]


def open_columns(columns: list[str]) -> list[int]:
    return [column for column in range(7) if len(columns[column]) < 6]


def winning(columns: list[str], who: str) -> list[int]:
    return [column for column in open_columns(columns) if four(after(columns, column, who), column)]


class Twin:
    """One run in plain Python: `step` plays and learns once on every board."""

    def __init__(self, settings, key: int, rng) -> None:
        self.settings, self.key, self.count = settings, int(key), 0
        self.patterns = draw_patterns(settings.pattern_count, settings.pattern_length, rng=rng).tolist()
        self.tables = {name: {} for name in ("online", "target", "average", "mean", "square")}
        self.games = [{"columns": [""] * 7, "opening": 0, "value": 0.0} for _ in range(settings.batch)]
        self.history: list[list[dict]] = [[] for _ in range(settings.batch)]

    def shown(self, columns: list[str]) -> list[tuple]:
        """What each pattern and its mirror image show, with the side to move and the pattern's number."""
        side = sum(map(len, columns)) % 2
        found = []
        for mirror in (False, True):
            for number, cells in enumerate(self.patterns):
                digits = []
                for cell in cells:
                    held = columns[6 - cell // 6 if mirror else cell // 6]
                    row = cell % 6
                    digits.append(
                        "YR".index(held[row]) + 1 if row < len(held) else (3 if row == len(held) else 0)
                    )
                found.append((side, number, tuple(digits)))
        return found

    def value(self, columns: list[str], table: str = "online") -> float:
        return math.tanh(sum(self.tables[table].get(key, 0.0) for key in self.shown(columns)))

    def step(self) -> None:
        for board in range(self.settings.batch):
            self.play(board)
        if self.count >= self.settings.horizon + 1:
            self.learn()
        self.count += 1

    def restart(self, board: int) -> None:
        opening = 0
        settings = self.settings
        lot = uniform(draw(self.key, self.count, board, 4))
        if settings.opening_share > 0 and lot < settings.opening_share:
            opening = 1 + draw(self.key, self.count, board, 5) % settings.opening_plies
        self.games[board] = {"columns": [""] * 7, "opening": opening, "value": 0.0}

    def play(self, board: int) -> None:
        settings, game = self.settings, self.games[board]
        columns = game["columns"]
        tokens = sum(map(len, columns))
        who, other = ("Y", "R") if tokens % 2 == 0 else ("R", "Y")
        sign = 1 if who == "Y" else -1
        use_target = settings.tau < 1
        record = {
            "columns": columns,
            "value": self.value(columns, "target") if use_target else game["value"],
            "ended": False,
            "random": False,
            "unused": False,
            "result": 0,
            "chance": 1.0,
            "rest": 0.0,
        }
        self.history[board].append(record)
        legal = open_columns(columns)
        wins = winning(columns, who)
        allowed, certain = legal, 0
        if wins:
            allowed, certain = wins, 1
        elif settings.lookahead:
            safe = [column for column in legal if not winning(after(columns, column, who), other)]
            allowed, certain = (safe, 0) if safe else (legal, -1)
        if settings.lookahead and certain:
            record.update(ended=True, result=sign * certain, unused=certain == 1)
            self.restart(board)
            return
        opening = game["opening"] > 0
        epsilon = float(settings.epsilons_at([self.count])[0])
        explores = opening or uniform(draw(self.key, self.count, board, 1)) < epsilon
        if len(allowed) == 1 and allowed == legal:
            explores = False
        backup = settings.targets == "tree backup"
        weighed = len(allowed) > 1 and not certain and not opening and (backup or not explores)
        chosen = None
        if weighed:
            bits, more = (draw(self.key, self.count, board, purpose) for purpose in (6, 7))
            values = {column: self.value(after(columns, column, who)) for column in allowed}
            noisy = {
                column: sign * value + 1e-4 * ((bits >> 9 * column) & 511) / 512
                for column, value in values.items()
            }
            greedy = max(noisy, key=noisy.get)
            blur = settings.first_blur if who == "Y" else settings.second_blur
            blurred = {column: noisy[column] + blur * ((more >> 9 * column) & 511) / 512 for column in noisy}
            chosen = max(blurred, key=blurred.get)
            errors = settings.first_errors if who == "Y" else settings.second_errors
            chances = dict.fromkeys(allowed, errors / len(allowed))
            chances[greedy] += 1 - errors
        elif not explores:
            chosen = allowed[draw(self.key, self.count, board, 2) % len(allowed)]
        if explores:
            pool = allowed if settings.lookahead else legal
            chosen = pool[draw(self.key, self.count, board, 3) % len(pool)]
            record["random"] = not (settings.lookahead and len(allowed) == 1)
        if weighed and backup:
            others = sum(chances[column] * values[column] for column in allowed if column != chosen)
            record.update(chance=chances[chosen], rest=others)
        record["unused"] = opening
        columns = after(columns, chosen, who)
        won = four(columns, chosen)
        if won or tokens + 1 == 42:
            record.update(ended=True, result=sign if won else 0)
            self.restart(board)
            return
        value = 0.0 if use_target else self.value(columns)
        self.games[board] = game | {
            "columns": columns,
            "opening": max(0, game["opening"] - 1),
            "value": value,
        }

    def target(self, records: list[dict]) -> float:
        """Fold the records of a board, oldest first, back into the oldest one's target."""
        trace = self.settings.trace
        total = records[-1]["value"]
        for now, following in zip(records[-2::-1], records[:0:-1], strict=True):
            total = now["result"] if now["ended"] else (1 - trace) * following["value"] + trace * total
            if self.settings.targets == "tree backup" and not now["ended"]:
                total = now["rest"] + now["chance"] * total
        return total

    def learn(self) -> None:
        settings = self.settings
        length = settings.horizon + 2
        slopes, learned = {}, 0
        for history in self.history:
            records = history[-length:]
            oldest = records[0]
            skipped = oldest["random"] and not oldest["ended"] and settings.targets == "published"
            if oldest["unused"] or skipped:
                continue
            learned += 1
            value = self.value(oldest["columns"])
            by_first = sum(map(len, oldest["columns"])) % 2 == 1
            loss = settings.first_loss if by_first else settings.second_loss
            steepness = 1 if loss == "cross entropy" else 2 * (1 - value**2)
            slope = steepness * (value - self.target(records))
            shown = self.shown(oldest["columns"])
            for key in shown if settings.mirrored_updates else shown[: len(self.patterns)]:
                slopes[key] = slopes.get(key, 0.0) + slope
        if not learned:
            return
        slopes = {key: slope / learned for key, slope in slopes.items()}
        norm = math.sqrt(sum(slope**2 for slope in slopes.values()))
        scale = settings.clip / norm if 0 < settings.clip < norm else 1.0
        count = self.count - settings.horizon
        rate = float(settings.rates_at([self.count])[0])
        online, target, average, mean, square = (self.tables[name] for name in self.tables)
        for key in set(online) | set(slopes):
            slope = scale * slopes.get(key, 0.0)
            mean[key] = settings.beta1 * mean.get(key, 0.0) + (1 - settings.beta1) * slope
            square[key] = settings.beta2 * square.get(key, 0.0) + (1 - settings.beta2) * slope**2
            first = mean[key] / (1 - settings.beta1**count)
            second = square[key] / (1 - settings.beta2**count)
            online[key] = online.get(key, 0.0) - rate * first / (math.sqrt(second) + settings.adam_epsilon)
            target[key] = target.get(key, 0.0) + settings.tau * (online[key] - target.get(key, 0.0))
            if settings.average_span > 0 and count % settings.average_every == 0:
                source = target if settings.tau < 1 else online
                share = min(1.0, settings.average_every / (settings.average_span * count))
                average[key] = average.get(key, 0.0) + share * (source[key] - average.get(key, 0.0))
