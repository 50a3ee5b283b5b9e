"""A course with a question of each type, to be answered through a page or the API."""

from pathlib import Path

QUESTIONS = r"""---
title: One of each
summary: A question of each type.
minutes: 5
---
::::{question} one-right
:type: choice
Which table is trained?
- [ ] The sinusoidal one -- It is computed.
- [x] The learned one -- Yes, row by row.
- [ ] Both -- Only one of them has parameters.
:::{explain}
A formula has nothing to train.
:::
::::

::::{question} several-right
:type: choices
Which of these are trained?
- [x] The token table -- Yes, trained.
- [x] The head -- Yes, that too.
- [ ] The sinusoids -- These are computed.
- [ ] The indices -- These are given.
:::{explain}
The explanation of several.
:::
::::

::::{question} a-shape
:type: shape
:answer: (N, T, d_model)
:mistake: (N, T) -> That is the shape of the ids.
`N` rows of `T` ids are looked up in a table whose rows have `d_model` numbers. Which shape has the result?
:::{explain}
A row for each id.
:::
::::

::::{question} a-count
:type: count
:given: max_len = 512 | 1024; d_model = 768 | 1280
:answer: max_len * d_model
:mistake: max_len + d_model -> Multiply them.
How many numbers are in a table of {{max_len}} rows of {{d_model}}?
:::{explain}
${{max_len}} \times {{d_model}} = {{answer}}$.
:::
::::

::::{question} a-rounded-count
:type: count
:rtol: 0.01
:answer: 512 * 768
Roughly how many numbers are in a table of 512 rows of 768?
:::{explain}
About 393 thousand.
:::
::::

::::{question} a-number
:type: number
:answer: 1/4
:tolerance: 0.001
:mistake: 4 -> Turn it over.
What is one over four?
:::{explain}
A quarter.
:::
::::

::::{question} a-text
:type: text
:answer: learned | learnt
:mistake: sinusoidal -> Those are computed.
What are the rows of a trained table called?
:::{explain}
They are {{answer}}.
:::
::::

::::{question} an-order
:type: order
Put the steps of attention in order.
1. Project to queries, keys and values
2. Multiply queries by keys
3. Take the softmax of the scores
4. Weigh the values
:::{explain}
The explanation of the order.
:::
::::

::::{question} an-output
:type: predict
:answer:
  (2, 3)
  [[0 0 0]
   [0 0 0]]
:mistake: (3, 2)\n[[0 0]\n[0 0]\n[0 0]] -> Rows come first.
What does this print?
```python
import numpy as np

table = np.zeros((2, 3), dtype=int)
print(table.shape)
print(table)
```
:::{explain}
Two rows of three.
:::
::::
"""

COURSE = "asked"
LESSON = "one-of-each"
PAGE = f"/courses/{COURSE}/{LESSON}"
API = f"/api/v1/lessons/{COURSE}/{LESSON}/questions"


def write_course(lessons: Path, questions: str = QUESTIONS) -> Path:
    """The folder of courses, with this course in it."""
    folder = lessons / COURSE
    folder.mkdir(parents=True)
    (folder / "course.toml").write_text('title = "Asked"\nblurb = "One question of each type."\n')
    (folder / f"01-{LESSON}.md").write_text(questions)
    return lessons


def id_of(slug: str) -> str:
    return f"{COURSE}.{LESSON}.{slug}"
