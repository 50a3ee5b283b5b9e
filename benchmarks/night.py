"""The night of a deadline: who does what, and after how long a pause. The simulation and the real load read the same.

Students come in the last minutes before a deadline, more and more of them. Each reads a page, answers a question, runs
their code, submits it, reads the verdict, and submits again while it is wrong. The next step comes after a pause for
thought, which begins when the answer to the last step is there. Draws depend on the seed and the student's number
alone, so that the same students do the same whatever serves them.
"""

import math
import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Kind = Literal["lesson", "exercise", "answer", "cell", "run", "wrong", "right"]
PAGES = ("lesson", "exercise")
JUDGED = ("run", "wrong", "right")
PAUSES: Mapping[Kind, float] = {  # seconds, mean
    "lesson": 5.0, "exercise": 10.0, "answer": 20.0, "cell": 15.0, "run": 30.0, "wrong": 30.0, "right": 40.0,
}  # fmt: skip


@dataclass(frozen=True)
class Step:
    kind: Kind
    pause_seconds: float  # before it
    framework: str = "numpy"


@dataclass(frozen=True)
class Student:
    number: int
    address: str
    begins_seconds: float
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Night:
    """`bunching`: how many times as many come in the last minute as in the first. `mix`: shares of the frameworks."""

    students: int = 1000
    minutes: float = 10.0
    bunching: float = 4.0
    per_address: int = 25
    cells: float = 0.3  # of the students, who run a cell of the lesson
    mix: tuple[tuple[str, float], ...] = (("numpy", 1.0),)
    seed: int = 1

    def draw(self) -> list[Student]:
        return [self._student(number) for number in range(self.students)]

    def _student(self, number: int) -> Student:
        draws = random.Random(f"{self.seed}/{number}")
        ends = self.minutes * 60 * _bunched(draws.random(), self.bunching)
        framework = draws.choices([name for name, _ in self.mix], [share for _, share in self.mix])[0]
        cell: list[Kind] = ["cell"] if draws.random() < self.cells else []
        kinds: list[Kind] = ["lesson", *cell, "answer", "exercise", "run"]
        while len(kinds) < 12 and draws.random() < 0.5:
            kinds.append("wrong")
            if draws.random() < 0.5:
                kinds.append("run")
        kinds += ["right", "lesson"]
        pauses = [draws.expovariate(1 / PAUSES[kind]) for kind in kinds[1:]]
        shrink = min(1.0, draws.uniform(0.3, 1.0) * ends / sum(pauses))  # who must end early is quick
        steps = [Step(kinds[0], 0.0, framework)]
        steps += [Step(kind, pause * shrink, framework) for kind, pause in zip(kinds[1:], pauses, strict=True)]
        address = number // self.per_address
        return Student(
            number,
            f"127.{1 + address // 62500}.{address // 250 % 250}.{1 + address % 250}",
            max(0.0, ends - sum(step.pause_seconds for step in steps)),
            tuple(steps),
        )


def _bunched(share: float, bunching: float) -> float:
    """The moment, in [0, 1], by which `share` of the students have ended, if their rate grows exponentially."""
    if bunching == 1:
        return share
    return math.log1p(share * (bunching - 1)) / math.log(bunching)
