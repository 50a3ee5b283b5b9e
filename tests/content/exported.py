"""Questions of every type for the tests of exports, and what of a question must be the same when it comes back."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from app.content.course import Course, course_from_files
from app.content.formats.kind import Exported, Format, Item
from app.content.markdown import render
from app.content.questions.question import Question

COVER = b'title = "Positions"\nblurb = "A course."\n'
HEAD = "---\ntitle: A quiz, and more\nkind: quiz\n---\n\n"
PICTURE = b'<svg xmlns="http://www.w3.org/2000/svg" width="4" height="3"><rect width="4" height="3"/></svg>'

SAMPLES: Mapping[str, str] = {
    "choice": """:type: choice
:points: 2.5
:right: Well seen.
Which *row* of `table` is $x_{1} < 2$?

```python
print("a" if x < 2 else {"b": 1})  # -- ~ = # :
```

| a | b |
|---|:---:|
| 1 | $y$ |

- [x] The first: `T = 1` -- Yes, **that** one, at 100%.
- [50%] The {second} ~ or = so -- Nearly; see [this](https://example.org/a).
- [ ] Price: \\$5 # none -- No -> wrong.
:::{explain}
Because $\\frac{1}{2}$.

- one
- two
:::""",
    "choices": """:type: choices
:shuffle: false
Which are trained?
- [x] The table -- Yes.
- [x] The head -- That too.
- [ ] The ids -- No.
- [ ] The `mask` -- No.
:::{explain}
Parameters are.
:::""",
    "text": """:type: text
:points: 2
:answer: learned | learnt
:partly: 80% lerned -> Mind the spelling.
:mistake: sinusoidal -> Those are computed.
:right: Yes: each row is a parameter.
:other: Think of the optimiser.
What are such positions called?
:::{explain}
They are trained.
:::""",
    "number": """:type: number
:answer: 0.25
:tolerance: 0.01
:mistake: 4 -> Turn it over.
:right: Yes.
What is one over four?
:::{explain}
A quarter.
:::""",
    "count": """:type: count
:answer: 393216
:mistake: 1280 -> Multiply.
How many numbers are in 512 rows of 768?
:::{explain}
The product.
:::""",
    "matching": """:type: matching
Match each value with its shape.
- The ids => (N, T)
- The *embeddings* => (N, T, d)
- => (N, d)
:::{explain}
Each token has a row.
:::""",
    "order": """:type: order
Put the steps in order.
1. Project to `q`, `k`
2. Multiply them
3. Take the softmax
:::{explain}
From the inside out.
:::""",
    "cloze": """:type: cloze
:points: 3
A table of 4 rows of 8 holds [[gap-1]] numbers, each is [[gap-2]], by [[gap-3]].
:::{gap} gap-1
:type: count
:answer: 32
:mistake: 12 -> Multiply.
:::
:::{gap} gap-2
:type: choice
- [x] trained -- Yes.
- [ ] computed -- No: that is the other.
:::
:::{gap} gap-3
:type: text
:answer: descent | gradient descent
:::
:::{explain}
It is learned.
:::""",
    "essay": """:type: essay
:points: 5
Why does order matter?
:::{rubric}
Says that attention is blind to it.
:::
:::{explain}
See the lesson.
:::""",
    "shape": """:type: shape
:answer: (N, T)
:mistake: (T, N) -> The other way round.
What is the shape of N rows of T ids?
:::{explain}
Rows first.
:::""",
    "predict": """:type: predict
:answer: (2, 3)
What does this print?
```python
print((2, 3))
```
:::{explain}
A tuple.
:::""",
}


def course_of(*bodies: str, figures: Mapping[str, bytes] | None = None) -> Course:
    """A course of one quiz, whose questions are these."""
    questions = [f"::::{{question}} question-{n}\n{body}\n::::" for n, body in enumerate(bodies, 1)]
    text = HEAD + "\n\n".join(questions) + "\n"
    course = course_from_files("positions", {"course.toml": COVER, "01-a-quiz.md": text.encode(), **(figures or {})})
    assert not [fault for lesson in course.lessons for fault in lesson.faults if fault.severity == "error"]
    return course


def back(format_: Format, exported: Exported, suffix: str, folder: Path) -> tuple[list[Question], Item]:
    """The questions that an import finds in an export."""
    path = folder / f"positions{suffix}"
    path.write_bytes(exported.content)
    (item,) = format_.items(path)
    assert isinstance(item, Item), item
    return course_from_files(item.name, item.files).questions, item


def substance(question: Question) -> dict[str, Any]:
    """What students see, what is right, and what they are told."""
    return {
        "type": question.type,
        "prompt": _html(question.prompt),
        "answer": question.answer,
        "tolerance": question.atol,
        "points": question.points,
        "shuffle": question.shuffle,
        "options": [(_html(o.text), o.right, o.credit, _html(o.feedback)) for o in question.choices],
        "pairs": [(_html(pair.text), _partner(question, pair.partner)) for pair in question.pairs],
        "gaps": [(gap.slug, {**substance(gap), "prompt": ""}) for gap in question.gaps],
        "mistakes": [(m.expression, m.credit, _html(m.text)) for m in question.mistakes],
        "told": [_html(r.text) if r else "" for r in (question.right, question.other, question.rubric)],
        "explanation": _html(question.explanation),
    }


def _partner(question: Question, key: str) -> str:
    return next(_html(choice.text) for choice in question.choices if choice.key == key)


def _html(text: str | None) -> str:
    return render(text).html if text else ""
