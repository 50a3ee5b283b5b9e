"""docs/questions.md: each example is a question without a fault, and each answer below it comes out as it says."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from app.content.expression import UnreadableAnswer
from app.content.lesson import read_lesson
from app.content.questions.asking import judge_answer
from app.content.questions.kind import Reply
from app.content.questions.question import Question
from app.content.questions.table import KINDS
from app.settings import ROOT

GUIDE = (ROOT / "docs" / "questions.md").read_text()
EXAMPLE = re.compile(r"^(`{3,})question\n(.*?)^\1\n\n((?:\|[^\n]*\n)+)", re.DOTALL | re.MULTILINE)
ROW = re.compile(r"\| (`+)(.*?)\1 \| (\S+) \| (.*?) ?\|")


def question_in(text: str) -> Question:
    lesson = read_lesson(
        f"---\ntitle: t\nkind: quiz\n---\n{text}", course_slug="c", name="01-l.md", path="01-l.md", links=lambda _: None
    )
    assert not lesson.faults, lesson.faults
    (question,) = lesson.questions.values()
    return question


def reply_to(question: Question, typed: str) -> Reply:
    keys = {choice.text: choice.key for choice in question.choices}
    match question.type:
        case "choice":
            return keys[typed]
        case "choices":
            return [keys[text] for text in typed.split(", ")]
        case "order":
            return [keys[text] for text in typed.split(" > ")]
        case "cloze":
            return typed.split("; ")
        case "matching":
            pairs = dict(pair.split(" = ") for pair in re.split(r"(?<=`), ", typed.strip()))
            return {pair.key: keys[pairs[pair.text].strip()] for pair in question.pairs}
    return typed


def rows() -> Iterator[Any]:
    for _, text, table in EXAMPLE.findall(GUIDE):
        for found in ROW.finditer(table):
            yield pytest.param(text, found[2].strip(), found[3], found[4], id=found[2].strip())


def test_every_type_has_an_example() -> None:
    assert {question_in(text).type for _, text, _ in EXAMPLE.findall(GUIDE)} == set(KINDS)


@pytest.mark.parametrize(("text", "typed", "outcome", "told"), list(rows()))
def test_each_answer_comes_out_as_the_guide_says(text: str, typed: str, outcome: str, told: str) -> None:
    question = question_in(text)
    try:
        judged = judge_answer(question, 0, reply_to(question, typed))
    except UnreadableAnswer:
        assert outcome == "unreadable"
        return
    share = {"right": 1.0, "wrong": 0.0}.get(outcome)
    assert judged.score == (float(outcome.rstrip("%")) / 100 if share is None else share)
    assert told in (judged.feedback_html or "")
