"""docs/questions.md: each example is a question without a fault, and each answer below it comes out as it says."""

import re
from collections.abc import Iterator

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


def rows() -> Iterator[tuple[int, Question, str, str, str]]:
    """Yield the line of each answer, its question, what is typed, its outcome and what is told."""
    for example in EXAMPLE.finditer(GUIDE):
        question = question_in(example[2])
        for row in ROW.finditer(GUIDE, example.start(3), example.end(3)):
            yield GUIDE.count("\n", 0, row.start()) + 1, question, row[2].strip(), row[3], row[4]


def test_every_type_has_an_example() -> None:
    assert {question_in(text).type for _, text, _ in EXAMPLE.findall(GUIDE)} == set(KINDS)


def test_each_answer_comes_out_as_the_guide_says() -> None:
    answers = list(rows())
    assert len(answers) >= len(KINDS)
    faults = [
        f"docs/questions.md:{line}  {typed}: {fault}"
        for line, question, typed, outcome, told in answers
        if (fault := difference(question, typed, outcome, told))
    ]
    assert not faults, "\n".join(faults)


def difference(question: Question, typed: str, outcome: str, told: str) -> str:
    """Say in what an answer comes out otherwise; nothing where it comes out so."""
    try:
        judged = judge_answer(question, 0, reply_to(question, typed))
    except UnreadableAnswer:
        return "" if outcome == "unreadable" else "it is unreadable"
    scores = {"right": 1.0, "wrong": 0.0, "unreadable": None}
    if judged.score != (scores[outcome] if outcome in scores else float(outcome.rstrip("%")) / 100):
        return f"it earns {judged.score}"
    return "" if told in (judged.feedback_html or "") else f"it is told {judged.feedback_html}"
