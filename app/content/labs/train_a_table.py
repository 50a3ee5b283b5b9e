"""A table of positions before, while and after it is trained: first by frames that are committed, then live in a box.

`PYTHONPATH=. python -m app.content.labs.train_a_table` writes the committed frames again.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from app.content.labs.drawing import Array, HeatMap, digits, heat_map
from app.content.labs.kind import Experiment, LabKind, Option
from app.content.labs.position_similarity import similarity
from app.content.labs.training import D_MODEL, EVERY, MAX_LEN, RATE, REACH, STEPS, train

FRAMES = Path(__file__).with_name("train_a_table.json")
SEED = 0
STEP = Option("step", STEPS, range(0, STEPS + 1, EVERY), "training step")
PARAMETERS: tuple[Option[float], ...] = (
    Option("seed", SEED, range(100), "seed"),
    Option("max_len", MAX_LEN, range(16, 49, 8), "max_len"),
    Option("d_model", D_MODEL, (2, 4, 8, 16), "d_model"),
    Option("steps", STEPS, range(120, 481, 60), "steps"),
    Option("rate", RATE, (0.03, 0.1, 0.3, 1), "learning rate"),
)
PLACES = 5  # of the numbers that leave the box: 25 frames of 48 rows of 16 stay below what a cell may give
LOSS_MOST = 1000.0  # nats; what is beyond it has been computed by nobody


@dataclass(frozen=True)
class Frame:
    step: int
    loss: float
    table: Array


@dataclass(frozen=True)
class Trained:
    first: HeatMap
    now: HeatMap
    step: int
    curve: "Curve"
    shown: str
    frames_json: str
    reading: tuple[str, ...]


@dataclass(frozen=True)
class Curve:
    """The loss by step, in a square of 100 × 100 that a page stretches: zero loss below, that of step 0 above.

    `top` and `last` are the numbers on its axes: the loss of step 0, and the last step.
    """

    points: str
    floor: float
    across: float
    top: str
    last: int
    alternative: str


def draw(options: Mapping[str, int]) -> Trained:
    step = options["step"]
    first, now = frames()[0], frames()[step // EVERY]
    return Trained(
        _map(first, "before training: only the diagonal stands out from the noise"),
        _map(now, f"after {step} steps" + (": a broad band along the diagonal" if step >= 100 else "")),
        step,
        curve(step),
        f"seed {SEED}, {MAX_LEN} rows of {D_MODEL} numbers, learning rate {RATE}",
        json.dumps([[frame.step, frame.loss, frame.table.tolist()] for frame in frames()], separators=(",", ":")),
        reading(step),
    )


def curve(step: int) -> Curve:
    first, last = frames()[0], frames()[-1]
    points = " ".join(
        f"{100 * frame.step / last.step:.2f},{100 * (1 - frame.loss / first.loss):.2f}" for frame in frames()
    )
    words = f"The loss by step: from {digits(first.loss, 2)} to {digits(last.loss, 2)} after {last.step} steps."
    return Curve(
        points, 100 * (1 - floor(MAX_LEN) / first.loss), 100 * step / last.step, digits(first.loss, 2), last.step, words
    )


def floor(max_len: int) -> float:
    """The loss of a model that knows the task, in nats a position: it still guesses among a position's neighbours."""
    near = [min(position, REACH) + min(max_len - 1 - position, REACH) for position in range(max_len)]
    return sum(map(math.log, near)) / max_len


@cache
def frames() -> tuple[Frame, ...]:
    return tuple(Frame(step, loss, np.array(table)) for step, loss, table in json.loads(FRAMES.read_text()))


def reading(step: int, made: Sequence[Frame] | None = None) -> tuple[str, ...]:
    """The loss, and the mean cosine of positions 1, 2, 4 and 8 apart."""
    frame = (made or frames())[step // EVERY]
    matrix = similarity(frame.table, 1)
    means = ", ".join(f"{apart}: {digits(float(np.diag(matrix, apart).mean()), 2)}" for apart in (1, 2, 4, 8))
    return f"step {step}: loss {digits(frame.loss, 3)}", f"mean cosine by distance, {means}"


def _map(frame: Frame, words: str) -> HeatMap:
    return heat_map(similarity(frame.table, 1), 1, f"Heat map of the cosine of every two positions, {words}.")


def read(result: Any, parameters: Mapping[str, float]) -> list[list[Any]]:
    """[step, loss, table] for every 20th step, each of the shape that was asked for and of finite numbers."""
    if type(result) is not list or len(result) != parameters["steps"] // EVERY + 1:
        raise ValueError("as many frames as were asked for")
    for number, frame in enumerate(result):
        if type(frame) is not list or len(frame) != 3 or type(frame[0]) is not int or frame[0] != number * EVERY:
            raise ValueError(f"frame {number} to be a step, a loss and a table")
        if type(frame[1]) is not float or not 0 <= frame[1] <= LOSS_MOST:
            raise ValueError(f"the loss of frame {number} to be a number")
        if not _is_table(frame[2], parameters["max_len"], parameters["d_model"]):
            raise ValueError(f"the table of frame {number} to be finite and of its shape")
    return result


def _is_table(table: Any, rows: float, columns: float) -> bool:
    return (
        type(table) is list
        and len(table) == rows
        and all(type(row) is list and len(row) == columns for row in table)
        and all(type(value) is float and math.isfinite(value) for row in table for value in row)
    )


def main() -> None:
    made = [[step, round(loss, 4), np.round(table, 3).tolist()] for step, loss, table in train(SEED)]
    FRAMES.write_text(json.dumps(made, separators=(",", ":")) + "\n")


CALL = f"""

result = [
    [step, round(loss, {PLACES}), np.round(table, {PLACES})]
    for step, loss, table in train(seed, max_len, d_model, steps, rate)
]
"""
TRAINING = Experiment(PARAMETERS, Path(__file__).with_name("training.py").read_text() + CALL, read)
TRAIN_A_TABLE = LabKind("train-a-table", (STEP,), draw, TRAINING)

if __name__ == "__main__":
    main()
