"""What the wrong places share: a condition on an input or a place in the output, and when neither is said."""

import re

import pytest

from graders.boxes.pool import Judge
from graders.exercise.definition import Exercise
from graders.exercise.reader import read_exercise
from graders.verdict import SubmissionResult, Verdict

from .conftest import EXERCISES
from .conftest import judged_by_numbers as judged
from .small_exercises import exercise, program

INF = "np.array([[-np.inf, 1, 2, .5], [.3, -2, -np.inf, 4], [2, -np.inf, 3, -1]], np.float32)"
INF_TOO = "np.array([[1, -np.inf, 2], [-3, .7, 1.5]], np.float32)"
HALVES = exercise('x = "float32[N, C]"', "float32[N, C]", "def f(x):\n    return np.exp(x) + 1\n",
                  [f"x={INF}", f"x={INF_TOO}"], ["x=x(3, 4)"])  # fmt: skip
SIGNS = exercise('x = "float32[N, C]"', "float32[N, C]", "def f(x):\n    return 3 * x + x * x + np.float32(0.3)\n",
                 ["x=x(4, 5)", "x=x(3, 6)"], ["x=x(5, 4)"])  # fmt: skip
IDS = exercise(
    'ids = "int64[N, T]"', "float32[N, T]", "def f(ids):\n    return np.sqrt(ids + 1.0).astype(np.float32)\n",
    ["ids=np.array([[3, 3, 0, 200, 7], [1, 0, 5, 1, 300]])", "ids=np.array([[0, 6, 2, 2, 9], [4, 128, 0, 8, 4]])"],
    ["ids=np.array([[5, 3, 6]])"],
)  # fmt: skip
MASKED = exercise(
    'x = "float32[N, C]"\nkeep = "bool[N, C]"', "float32[N, C]",
    "def f(x, keep):\n    return np.where(keep, x + 2, x * x + 5)\n",
    ["x=x(3, 4), keep=x(3, 4) > 0", "x=x(4, 5), keep=x(4, 5) > 0"], ["x=x(2, 6), keep=np.ones((2, 6), bool)"],
)  # fmt: skip
SUMS = exercise('x = "float32[N, C]"', "float32[N]", "def f(x):\n    return np.exp(x).sum(axis=1) + 1\n",
                [f"x={INF.replace('-np.inf, 4', '-2, 4')}", f"x={INF_TOO}"], ["x=x(3, 4)"])  # fmt: skip
SIGNED = "    y = 3 * x + x * x + np.float32(0.3)\n"
ROOTS = "    y = np.sqrt(ids + 1.0).astype(np.float32)\n"
KEPT = "    y = np.where(keep, x + 2, x * x + 5)\n"

SHARED = [
    (HALVES, "    return np.where(np.isinf(x), 9, np.exp(x) + 1).astype(np.float32)\n",
     "Only the places where `x` is -inf are wrong: yours is 9 there, expected 1"),
    (SIGNS, SIGNED + "    return np.where(x < 0, np.float32(0), y)\n", "`x` is negative are wrong: yours is 0 there"),
    (SIGNS, SIGNED + "    return np.where(x > 0, x, y)\n", "Only the places where `x` is positive are wrong."),
    (SIGNS, SIGNED + "    y[x == x.max(axis=1, keepdims=True)] = np.nan\n    return y\n", "`x` is largest in its row"),
    (IDS, ROOTS + "    return np.where(ids == 0, np.float32(0), y)\n",
     "Only the places where `ids` is 0 are wrong: yours is 0 there, expected 1"),
    (IDS, ROOTS + "    return np.where(ids > 127, np.sqrt(ids - 127.0), y).astype(np.float32)\n", "is above 127"),
    (IDS, ROOTS + "    y[0, 1] *= 1 + (ids[0, 1] == ids[0, 0])\n    for row, out in zip(ids, y):\n"
     "        for n in range(len(row)):\n            if row[n] in row[:n]:\n                out[n] = -row[n] - 1\n"
     "    return y\n", "`ids` repeats a number from earlier in its row"),
    (MASKED, KEPT + "    return np.where(keep, y, x)\n", "Only the places where `keep` is False are wrong"),
    (SUMS, "    y = np.exp(x).sum(axis=1) + 1\n    return np.where(np.isinf(x).any(axis=1), np.float32(0.5), y)\n",
     "Only the places along N where `x` holds -inf are wrong: yours is 0.5 there"),
    (SIGNS, SIGNED + "    y[0] = x[0]\n    return y\n", "Only the first place along N is wrong"),
    (SIGNS, SIGNED + "    y[:, -1] = 9\n    return y\n", "Only the last place along C is wrong: yours is 9 there"),
    (SIGNS, SIGNED + "    d = np.arange(min(y.shape))\n    y[d, d] = 7\n    return y\n",
     "Only the diagonal of (N, C) is wrong: yours is 7 there"),
    (SIGNS, SIGNED + "    return np.where(np.tri(*y.shape, dtype=bool), y, x)\n", "above the diagonal of (N, C)"),
    (SIGNS, SIGNED + "    return np.where(np.tri(*y.shape, k=-1, dtype=bool), x, y)\n", "below the diagonal of (N, C)"),
    # near misses
    (HALVES, "    y = np.exp(x) + 1\n    y[0, 0] = 9\n    y[1, 2] = 9\n    return y\n", None),
    (SIGNS, SIGNED + "    return np.where(x < -0.5, np.float32(0), y)\n", None),
    (SIGNS, SIGNED + "    y[0] = x[0]\n    y[-1, -1] = 0\n    return y\n", None),
    (SIGNS, SIGNED + "    return np.where(x < 0, x, y) if len(x) == 4 else np.where(x > 0, x, y)\n", None),
    (MASKED, KEPT + "    return np.where(keep & (x > 0), x, np.where(keep, y, -x))\n", None),
    (IDS, ROOTS + "    return np.where(ids == ids[0, 2], np.float32(0), y)\n", None),
]  # fmt: skip


def told(result: SubmissionResult) -> set[str]:
    """What is told of sample cases."""
    assert result.verdict == Verdict.wrong_answer, result
    return {case.diagnosis for case in result.cases if case.sample and case.diagnosis}


@pytest.mark.parametrize(("made", "lines", "says"), SHARED)
def test_what_the_wrong_places_share_is_named(judge: Judge, made: Exercise, lines: str, says: str | None) -> None:
    result = judged(judge, made, program(made, lines), "numpy")
    if says is None:
        assert not any(sentence.startswith("Only ") for sentence in told(result)), told(result)
    else:
        assert told(result)
        assert all(says in sentence for sentence in told(result)), told(result)
    for case in result.cases:
        fixed = r"is 0|holds a 0|above (127|255)"
        assert case.sample or not re.search(r"\d", re.sub(fixed, "", case.diagnosis or ""))


def test_a_right_case_with_such_places_contradicts(judge: Judge) -> None:
    """Negative numbers are no reason where a case with some is right."""
    body = "    return np.where((x < 0) & (x.shape[0] > 2), np.float32(0), 3 * x + np.float32(0.3))\n"
    line = "def f(x):\n    return 3 * x + np.float32(0.3)\n"
    for more, silent in (([], False), (["x=x(2, 5)"], True)):
        samples = ["x=x(4, 5)", "x=x(3, 6)", *more]
        made = exercise('x = "float32[N, C]"', "float32[N, C]", line, samples, [])
        assert silent != any("is negative" in each for each in told(judged(judge, made, program(made, body), "numpy")))


def test_two_conditions_that_fit_are_silent(judge: Judge) -> None:
    """0 stands only in the first place of each row."""
    first = "x=np.array([[0, 2, 3, 1], [0, 5, 1, 7], [0, 3, 3, 2]], np.float32)"
    made = exercise('x = "float32[N, C]"', "float32[N, C]", "def f(x):\n    return x + 4\n", [first], [])
    lines = "    return np.where(x == 0, np.float32(1), x + 4)\n"
    assert not any(each.startswith("Only ") for each in told(judged(judge, made, program(made, lines), "numpy")))


def test_shipped_exercises_are_told_too(judge: Judge, gather: Exercise) -> None:
    source = f"import numpy as np\n\ndef {gather.entry}(positions, embedding_table):\n"
    lines = "    out = embedding_table[positions.astype(int)]\n    out[positions == 0] = 0\n    return out\n"
    assert str(judged(judge, gather, source + lines, "numpy").diagnosis) == (
        "Only the places where `positions` is 0 are wrong: yours is 0 there, though 0 counts like any other number."
    )
    softmax = read_exercise(EXERCISES / "softmax-rows")
    source = "import numpy as np\n\ndef solve(x):\n    x = np.where(np.isinf(x), 0, x)\n"
    lines = "    e = np.exp(x - x.max(axis=1, keepdims=True))\n    return e / e.sum(axis=1, keepdims=True)\n"
    result = judged(judge, softmax, source + lines, "numpy")
    assert result.diagnosis == "Only the places along N where `x` holds -inf are wrong."


MEANS = exercise(
    'mask = "bool[T, T]"\nv = "float32[T, E]"', "float32[T, E]",
    "def f(mask, v):\n    return (mask @ v) / mask.sum(axis=1, keepdims=True).astype(np.float32)\n",
    ["mask=np.tri(4, dtype=bool) | (np.arange(4) == 1)[:, None], v=x(4, 3)",
     "mask=np.array([[1, 0, 1], [1, 1, 1], [0, 1, 1]]) > 0, v=x(3, 5)"],
    ["mask=np.ones((3, 3), bool), v=x(3, 2)"],
)  # fmt: skip


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ("    return np.where(mask.all(axis=1)[:, None], v.mean(axis=0), v * v).astype(np.float32)\n", True),
        ("    return np.where(mask.all(axis=0)[:, None], v, 3)\n", False),
    ],
)
def test_rows_with_a_masked_place_are_named(judge: Judge, lines: str, says: bool) -> None:
    sentences = told(judged(judge, MEANS, program(MEANS, lines), "numpy"))
    assert says == any("Only the places along T where `mask` holds False" in each for each in sentences), sentences
