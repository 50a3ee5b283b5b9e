"""What the author of a question overlooked: lines that students would read too early, answers in prompts."""

import pytest

from app.content.lesson import Lesson, read_lesson
from app.content.questions.asking import present

CHOICE = """::::{question} q
:type: choices
Which?
- [x] one -- Yes.
- [ ] two -- No.
- [x] three -- Yes.
:::{explain}
So.
:::
::::
"""
ORDER = """::::{question} q
:type: order
Put in order.
1. one
2. two
3. three
:::{explain}
So.
:::
::::
"""
COUNT = """::::{question} q
:type: count
:given: n = 3 | 5
:answer: n * 100
How many are in {{n}} rows of 100?
:::{explain}
So.
:::
::::
"""
TEXT = """::::{question} q
:type: text
:answer: learned | trained
What are embeddings called that are parameters?
:::{explain}
So.
:::
::::
"""


def lesson(text: str) -> Lesson:
    return read_lesson(f"---\ntitle: T\n---\n{text}", course_slug="c", name="01-a.md", path="01-a.md",
                       links=lambda href: href)  # fmt: skip


@pytest.mark.parametrize("text", [CHOICE, ORDER, COUNT, TEXT])
def test_these_are_clean(text: str) -> None:
    assert lesson(text).faults == ()


@pytest.mark.parametrize(
    ("text", "old", "new", "line"),
    [
        (CHOICE, "- [ ] two", "-[ ] two", 8),
        (CHOICE, "- [ ] two", "- [] two", 8),
        (CHOICE, "- [ ] two", "- [ x] two", 8),
        (CHOICE, "- [ ] two", "[ ] two", 8),
        (CHOICE, "- [ ] two", "  - [ ] two", 8),
        (CHOICE, "- [ ] two", "• [ ] two", 8),
        (CHOICE, "- [ ] two", "- [ ]two", 8),
        (CHOICE, "- [x] one", "- one", 7),
        (CHOICE, "Which?\n", "Which?\n:shuffle: false\n", 7),
        (CHOICE, ":::{explain}", "::{explain}", 10),
        (CHOICE, ":::{explain}", ":::{explanation}", 10),
        (CHOICE, ":::{explain}", ":::explain", 10),
        (ORDER, "2. two", "2.two", 8),
        (ORDER, "2. two", "(2) two", 8),
        (ORDER, "2. two", "- two", 8),
        (ORDER, "1. one", "1: one", 7),
        (COUNT, "How many", ":mistake: n -> no\nHow many", None),
        (COUNT, "100?", "100?\n:mistake: n -> No, in all.", 9),
        (COUNT, "100?", "100?\n:answer: 300", 9),
    ],
)  # fmt: skip
def test_a_line_that_students_would_read_too_early_withholds_the_question(
    text: str, old: str, new: str, line: int | None
) -> None:
    """One fault, of the line that is wrong: not that the type has too few options as well."""
    found = lesson(text.replace(old, new, 1))
    if line is None:
        assert found.faults == ()
        assert "q" in found.questions
        return
    (fault,) = found.faults
    assert (fault.line, fault.severity) == (line, "error")
    assert "would read it in the prompt" in fault.message
    assert "q" not in found.questions, "it is not asked"


def test_code_and_the_explanation_may_look_like_anything() -> None:
    code = "Which?\n```\n-[ ] x\n:answer: y\n2.z\n```\n"
    explained = "So.\n-[y] as a formula\n\n2.5 is more -- or less\n"
    found = lesson(CHOICE.replace("Which?\n", code).replace("So.\n", explained))
    assert found.faults == ()
    assert "-[ ] x" in present(found.questions["q"], 0).prompt_html


@pytest.mark.parametrize(
    ("text", "old", "new", "severity", "message"),
    [
        (COUNT, "n = 3 | 5", "n = 3 | 5; m = 1 | 2", "warning", "`m` is not used"),
        (COUNT, "{{n}} rows", "n rows", "error", "does not show its value"),
        (COUNT, ":given: n = 3 | 5\n:answer: n * 100\nHow many are in {{n}}", ":answer: 300\n300 is how many in 3",
         "warning", "`300` stands in the prompt"),
        (TEXT, "called that are parameters", "called that are trained", "warning", "`trained` stands"),
    ],
)  # fmt: skip
def test_an_answer_in_its_prompt_and_a_value_that_nobody_sees(
    text: str, old: str, new: str, severity: str, message: str
) -> None:
    (fault,) = lesson(text.replace(old, new)).faults
    assert fault.severity == severity
    assert message in fault.message
    assert fault.line == 4
