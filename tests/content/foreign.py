"""Small samples in the layouts of other systems, written here, for the tests of what reads them."""

import json
from pathlib import Path
from typing import Any


def deep_ml(folder: Path, name: str = "7_sum-of-squares", changes: dict[str, str] | None = None) -> Path:
    """A problem of `questions/`."""
    files = {
        "meta.json": json.dumps({"id": "7", "title": "Sum of squares", "difficulty": "easy", "category": "Vectors"}),
        "description.md": "Return the sum of the squares of `values`.",
        "learn.md": "Squares are never negative.",
        "example.json": json.dumps({"input": "[1, 2]", "output": "5", "reasoning": "1 + 4 = 5"}),
        "starter_code.py": "def total(values):\n    pass\n",
        "solution.py": "import numpy as np\n\n\ndef total(values):\n    return np.sum(np.square(values))\n",
        "tests.json": json.dumps([
            {"test": "print(total([1, 2]))", "expected_output": "5"},
            {"test": "x = np.array([1.5, 2.0])\nprint(total(x))", "expected_output": "6.25"},
        ]),
    }  # fmt: skip
    return _written(folder / name, {**files, **(changes or {})})


EXERCISM_TESTS = """
import unittest

from tiny_stack import (
    Stack,
    EMPTY,
)


class TinyStackTest(unittest.TestCase):
    def filled(self, values):
        stack = Stack()
        for value in values:
            stack.push(value)
        return stack

    def test_push_then_pop(self):
        stack = Stack()
        stack.push(3)
        expected = 3
        self.assertEqual(stack.pop(), expected)

    def test_many(self):
        stack = self.filled([1, 2, 3])
        self.assertEqual([stack.pop(), stack.pop()], [3, 2])
        self.assertIs(stack.is_empty(), False)

    def test_empty_is_the_constant(self):
        self.assertEqual(Stack().top(), EMPTY)

    def test_pop_of_nothing(self):
        with self.assertRaises(ValueError) as err:
            Stack().pop()
        self.assertEqual(type(err.exception), ValueError)
        self.assertEqual(err.exception.args[0], "nothing to pop")
"""

EXERCISM_EXAMPLE = """
EMPTY = 0


class Stack:
    def __init__(self):
        self.values = []

    def push(self, value):
        self.values.append(value)

    def pop(self):
        if not self.values:
            raise ValueError("nothing to pop")
        return self.values.pop()

    def top(self):
        return self.values[-1] if self.values else EMPTY

    def is_empty(self):
        return not self.values
"""

EXERCISM_STUB = """
EMPTY = None


class Stack:
    def push(self, value):
        pass
"""


def exercism(folder: Path, changes: dict[str, str] | None = None) -> Path:
    """An exercise of `exercises/practice/`."""
    config = {
        "files": {"solution": ["tiny_stack.py"], "test": ["tiny_stack_test.py"], "example": [".meta/example.py"]},
        "blurb": "A stack.",
    }
    files = {
        ".meta/config.json": json.dumps(config),
        ".meta/example.py": EXERCISM_EXAMPLE,
        ".docs/instructions.md": "# Instructions\n\nWrite a stack.\n",
        "tiny_stack.py": EXERCISM_STUB,
        "tiny_stack_test.py": EXERCISM_TESTS,
    }
    return _written(folder / "tiny-stack", {**files, **(changes or {})})


def notebook(path: Path, *cells: dict[str, Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    return path


def cell(kind: str, text: str, **nbgrader: Any) -> dict[str, Any]:
    """A cell; its lines as Jupyter stores them. `nbgrader`: the marks that nbgrader gave it."""
    metadata = {"nbgrader": {"schema_version": 3, **nbgrader}} if nbgrader else {}
    return {"cell_type": kind, "source": text.splitlines(keepends=True), "metadata": metadata}


def nbgrader(path: Path) -> Path:
    return notebook(
        path,
        cell("code", "%matplotlib inline\nimport numpy as np\n\nSCALE = 2.0"),
        cell("markdown", "## Scaled mean\nReturn the mean of `x`, times `SCALE`."),
        cell(
            "code",
            "def scaled_mean(x):\n    ### BEGIN SOLUTION\n    return SCALE * np.mean(x)\n    ### END SOLUTION",
            grade=False, solution=True, locked=False, grade_id="scaled-mean",
        ),
        cell(
            "code",
            "assert scaled_mean([1, 2, 3]) == 4\n"
            "try:\n    scaled_mean('a')\nexcept TypeError:\n    pass\nelse:\n    raise AssertionError('no error')\n"
            "### BEGIN HIDDEN TESTS\nassert np.isclose(scaled_mean([0.1, 0.2]), 0.3)\n### END HIDDEN TESTS",
            grade=True, solution=False, locked=True, points=2, grade_id="test-scaled-mean",
        ),
        cell("markdown", "Why does it work?", grade=True, solution=True, locked=False, grade_id="essay"),
    )  # fmt: skip


def otter(path: Path) -> Path:
    return notebook(
        path,
        cell("code", "import numpy as np"),
        cell("raw", "# BEGIN QUESTION\nname: doubled\npoints: 2"),
        cell("markdown", "**Question 1.** Write `doubled`."),
        cell("raw", "# BEGIN SOLUTION"),
        cell("code", "def doubled(x):\n    y = np.asarray(x) # SOLUTION\n    return 2 * y # SOLUTION"),
        cell("raw", "# END SOLUTION"),
        cell("raw", "# BEGIN TESTS"),
        cell("code", "doubled(3) == 6"),
        cell("code", '""" # BEGIN TEST CONFIG\nhidden: true\n""" # END TEST CONFIG\ndoubled([1, 2])'),
        cell("raw", "# END TESTS"),
        cell("raw", "# END QUESTION"),
        cell("raw", "# BEGIN QUESTION\nname: why\nmanual: true"),
        cell("markdown", "Say why."),
        cell("raw", "# END QUESTION"),
    )


def _written(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    return folder
