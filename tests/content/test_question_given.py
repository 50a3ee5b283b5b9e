"""Values of `:given:`: of one name, of several that belong together, and what functions make of them."""

import pytest

from app.content.page import Directive
from app.content.questions.asking import judge_answer, present
from app.content.questions.question import Question, values_of
from app.content.questions.reader import read_question
from graders.exercise.fault import Fault

PAIRED = """:type: shape
:given: (N, T) = (2, 8) | (4, 16); d = 3 | 5
:answer: (N, T, d)
What is the shape of {{N}} rows of {{T}} rows of {{d}}, `(N, T, d)`?
:::{explain}
So.
:::
"""
ROOT = """:type: number
:given: d_k = 16 | 20
:answer: 1 / sqrt(d_k)
:rtol: 1e-3
:mistake: sqrt(d_k) -> Turn it over: one over {{sqrt(d_k)}}.
What is one over the root of {{d_k}}?
:::{explain}
${{answer}}$
:::
"""


def read(body: str) -> tuple[Question | None, tuple[Fault, ...]]:
    return read_question(Directive("question", "q", body, 10), "course", "lesson", "a.md")


def sound(body: str) -> Question:
    question, faults = read(body)
    assert faults == ()
    assert question
    return question


def test_values_in_brackets_come_together() -> None:
    question = sound(PAIRED)
    drawn = {tuple(values_of(question, draw).values()) for draw in range(question.draws)}
    assert drawn == {("2", "8", "3"), ("2", "8", "5"), ("4", "16", "3"), ("4", "16", "5")}
    assert list(values_of(question, 0)) == ["N", "T", "d"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("(N, T) = (2, 8) | (4)", "`(4)` does not give each of N, T a value."),
        ("(N, T) = (2, 8) | (4, 16, 3)", "`(4, 16, 3)` does not give each"),
        ("(N, T) = (2, )", "`(2, )` does not give each"),
        ("(N, T = (2, 8)", "does not give a name its values"),
        ("(N, 2) = (2, 8)", "does not give a name its values"),
        ("(N, answer) = (2, 8)", "`answer` always means"),
        ("(N, T) = (2, 8); N = 3", "A name is given twice."),
    ],
)
def test_what_does_not_pair_is_a_fault_with_its_line(given: str, message: str) -> None:
    faults = read(PAIRED.replace("(N, T) = (2, 8) | (4, 16)", given))[1]
    assert message in faults[0].message
    assert faults[0].line in (10, 12)


def test_a_function_is_an_answer_and_what_it_comes_to_is_shown() -> None:
    question = sound(ROOT)
    variant = next(draw for draw in range(2) if "20" in present(question, draw).prompt_html)
    assert judge_answer(question, variant, "1/√20").correct
    assert judge_answer(question, variant, "0.2236").correct
    assert "one over 4.47214." in (judge_answer(question, variant, "sqrt(20)").feedback_html or "")
    assert "0.223607" in (judge_answer(question, variant, "1").explanation_html or "")
