"""Answers of another shape, in the names of their axes, and when no name is said."""

import pytest

from graders.boxes.pool import Judge
from graders.exercise.definition import Exercise
from graders.exercise.reader import read_exercise
from graders.verdict import SubmissionResult, Verdict

from .conftest import EXERCISES
from .conftest import judged_by_numbers as judged
from .small_exercises import exercise, program

SOFTMAX = exercise('x = "float32[N, C]"', "float32[N, C]",
                   "def f(x):\n    e = np.exp(x)\n    return e / e.sum(axis=1, keepdims=True)\n",
                   ["x=x(4, 6)", "x=x(5, 5)"], ["x=x(3, 7)"])  # fmt: skip
PICK = exercise(
    'ids = "int64[N, T]"\nrows = "float32[M, D]"', "float32[N, T, D]",
    "def f(ids, rows):\n    return rows[ids] * 2 + 1\n",
    ["ids=np.array([[2, 0, 4], [5, 2, 3]]), rows=x(6, 4)", "ids=np.array([[3, 1, 1, 4]] * 3), rows=x(6, 5)"],
    ["ids=np.array([[5, 3, 1, 0, 2]]), rows=x(7, 2)"],
)  # fmt: skip
PAIRS = exercise('x = "float32[N, C]"\ny = "float32[M, C]"', "float32[N, M]",
                 "def f(x, y):\n    return np.exp(x @ y.T)\n",
                 ["x=x(3, 4), y=x(2, 4)", "x=x(5, 6), y=x(4, 6)"], ["x=x(2, 7), y=x(6, 7)"])  # fmt: skip
ALIKE = exercise('x = "float32[N, C]"\ny = "float32[M, C]"', "float32[N, M]",
                 "def f(x, y):\n    return np.exp(x @ y.T)\n",
                 ["x=x(3, 4), y=x(4, 4)", "x=x(5, 6), y=x(6, 6)"], [])  # fmt: skip

NAMED = [
    (PICK, "    return (rows[ids] ** 2).sum(axis=2)\n",
     "The axis D is missing, and your axes are those of `ids`: your output is (N, T), not (N, T, D)."),
    (PICK, "    return (rows[ids] ** 2).sum(axis=1)\n", "The axis T is missing: your output is (N, D), not (N, T, D)."),
    (PICK, "    return rows[ids].transpose(1, 0, 2) ** 2\n",
     "N and T are exchanged, and the numbers are not just transposed"),
    (PICK, "    return rows[ids].reshape(len(ids), -1) ** 2\n", "The axes T and D are run together"),
    (PICK, "    return rows[ids][:, :, None] ** 2\n",
     "There is an axis of size 1 too many, and the numbers differ too"),
    (PICK, "    return rows[ids].max(axis=1, keepdims=True)\n",
     "The axis T is only of size 1, as after a reduction that keeps"),
    (PICK, "    return rows[ids][:, :, 1:] ** 2\n", "The axis D is one place too short"),
    (PICK, "    return np.concatenate([ids[..., None], rows[ids] ** 2], 2).astype(np.float32)\n",
     "The axis D is one place too long"),
    (PICK, "    return rows.T[:, ids] .transpose(1, 2, 0)[..., None] * np.ones(len(rows), np.float32)\n",
     "The axis M is too many"),
    (PICK, "    return (rows @ rows.T)[ids].transpose(2, 0, 1)\n",
     "The axis D is missing, and M, the other axis of `rows`, is there instead: your output is (M, N, T)"),
    (PICK, "    return rows[ids].sum()\n", None),  # the difference itself says this
    (PAIRS, "    return np.exp(x @ x.T) + 0 * y.sum()\n",
     "The axis N is there twice, and M is missing: your output is (N, N), not (N, M)."),
    # near misses: no one name, or no one reason
    (PICK, "    return np.zeros((5, 7), np.float32) + rows[0, 0]\n", None),
    (PICK, "    return rows[ids][:, :2, :2] ** 2\n", None),
    (PICK, "    return (rows[ids] ** 2).sum(axis=2 if len(ids) == 2 else 1)\n", None),
    (ALIKE, "    return np.exp(x)[:, :, None] + y.sum()\n", None),  # C or M
]  # fmt: skip


def told(result: SubmissionResult) -> set[str]:
    """What is told of any case."""
    assert result.verdict == Verdict.wrong_answer, result
    return {case.diagnosis for case in result.cases if case.diagnosis}


@pytest.mark.parametrize(("made", "lines", "says"), NAMED)
def test_the_axes_of_another_shape_are_named(judge: Judge, made: Exercise, lines: str, says: str | None) -> None:
    result = judged(judge, made, program(made, lines), "numpy")
    if says is None:
        assert not any("your output is (" in sentence for sentence in told(result)), told(result)
    else:
        assert len(told(result)) == 1, told(result)
        assert all(says in sentence for sentence in told(result)), told(result)


def test_a_map_over_the_other_axis_is_the_wrong_axis(judge: Judge) -> None:
    lines = "    return np.stack([np.exp(c) / np.exp(c).sum() for c in x.T])\n"
    assert told(judged(judge, SOFTMAX, program(SOFTMAX, lines), "numpy")) == {
        "You took the softmax along N; take it along C."
    }
    lines = lines.replace("np.exp(c).sum()", "np.exp(c).max()")
    assert not any("softmax" in each for each in told(judged(judge, SOFTMAX, program(SOFTMAX, lines), "numpy")))


def test_a_product_is_no_axis_by_chance(judge: Judge) -> None:
    """Sizes written as numbers fit the first sample alone."""
    softmax = read_exercise(EXERCISES / "softmax-rows")
    source = "import numpy as np\n\ndef solve(x):\n    return np.full((2, 6), x.flat[0]) / np.arange(1, 7)\n"
    assert not any("your output is (" in each for each in told(judged(judge, softmax, source, "numpy")))


TURN = exercise('x = "float32[N, N]"', "float32[N, N]", "def f(x):\n    return 2 * x\n", ["x=x(3, 3)", "x=x(5, 5)"],
                ["x=x(4, 4)"])  # fmt: skip
CUBES = exercise('x = "float32[B, N, N]"', "float32[B, N, N]", "def f(x):\n    return 2 * x\n",
                 ["x=x(2, 3, 3)", "x=x(4, 5, 5)"], ["x=x(3, 4, 4)"])  # fmt: skip


def test_axes_of_one_name_that_are_exchanged_are_not_named_twice(judge: Judge) -> None:
    """“Your dimensions are in the order (N, N); they should be (N, N)” is what was said."""
    square = judged(judge, TURN, program(TURN, "    return 2 * x.T\n"))
    assert (square.diagnosis or "").startswith("Your result is transposed: its rows are the columns")
    cubes = judged(judge, CUBES, program(CUBES, "    return 2 * x.transpose(0, 2, 1)\n"))
    assert (cubes.diagnosis or "").startswith("The axes 1 and 2 of your result are exchanged")
