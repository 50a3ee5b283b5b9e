"""What the soak teaches: two exercises whose programs have known verdicts, cells, and a quiz."""

from pathlib import Path

STEADY, REVISED = "doubled", "scaled"  # the author publishes new revisions of the second
COURSE, CELLS, CELL, QUIZ = "soak", "cells", "sum", "quiz"
QUESTIONS = ("shape", "count")
FACTORS = (2, 3)  # of `scaled`, in turn: what is right for one revision is wrong for the next

TOML = """title = "{title}"
entry = "{slug}"
frameworks = ["numpy"]
[signature]
x = "float32[N]"
returns = "float32[N]"
[limits]
wall_seconds = 10
cpu_seconds = 1
total_seconds = 20
memory_mb = 256
output_kb = 64
"""
CASES = """import numpy as np


def sample_cases(rng):
    yield "three", {"x": np.array([1, 2, 3], np.float32)}


def hidden_cases(rng):
    yield "four", {"x": rng.standard_normal(4).astype(np.float32)}
    yield "one", {"x": np.array([0.1], np.float32)}
"""
LESSON = """---
title: Cells
---
Run it.

:::{code-cell} python
:name: sum
print(1 + 1)
:::
"""
QUIZ_PAGE = """---
title: Quiz
kind: quiz
attempts: 5
---
Two questions.

::::{question} shape
:type: shape
:answer: (N, T)
What shape have N times T?
::::

::::{question} count
:type: count
:answer: 42
How many?
::::
"""


def reference(slug: str, factor: int) -> str:
    return f"def {slug}(x):\n    return {factor} * x\n"


def statement(factor: int, edition: int) -> str:
    """Another one for each edition, so that no two revisions are the same."""
    return f"Return `x` times {factor}. Edition {edition}.\n"


def write_content(folder: Path) -> tuple[Path, Path]:
    """The folders of the exercises and of the lessons."""
    exercises, course = folder / "exercises", folder / "lessons" / COURSE
    for slug in (STEADY, REVISED):
        place = exercises / slug
        place.mkdir(parents=True)
        (place / "exercise.toml").write_text(TOML.format(title=slug.capitalize(), slug=slug))
        (place / "statement.md").write_text(statement(FACTORS[0], 0))
        (place / "starter.py").write_text(f"def {slug}(x):\n    return None\n")
        (place / "reference.py").write_text(reference(slug, FACTORS[0]))
        (place / "cases.py").write_text(CASES)
    course.mkdir(parents=True)
    (course / "course.toml").write_text('title = "Soak"\nblurb = "What the soak asks."\n')
    (course / "01-cells.md").write_text(LESSON)
    (course / "02-quiz.md").write_text(QUIZ_PAGE)
    return exercises, course.parent
