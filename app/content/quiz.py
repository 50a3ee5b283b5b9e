"""A quiz as a sitting shows it: what is read before it begins, then one question after the other.

What stands before the first heading and the first question is the introduction. A heading names the section of the
questions below it; prose between questions is shown with each question that follows it in its section.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from app.content.lesson import CellBlock, HtmlBlock, Lesson, QuestionBlock
from app.content.questions.question import Question
from app.content.renderer import code_html


@dataclass(frozen=True)
class QuizQuestion:
    """`section` is the heading it stands under, as HTML, empty for none; `context` the prose between the two."""

    question: Question
    section: str
    context: str


@dataclass(frozen=True)
class Quiz:
    introduction: str
    questions: tuple[QuizQuestion, ...]


@lru_cache(maxsize=64)
def quiz_of(lesson: Lesson) -> Quiz:
    introduction: list[str] = []
    context: list[str] = []
    section = ""
    questions: list[QuizQuestion] = []
    has_begun = False
    for block in lesson.render().blocks:
        match block:
            case QuestionBlock(question=question):
                has_begun = True
                questions.append(QuizQuestion(question, section, "".join(context).strip()))
            case HtmlBlock(html=html):
                for piece in _BEFORE_A_HEADING.split(html):
                    heading = _HEADING.match(piece)
                    if heading:
                        has_begun, section, context = True, heading[1], []
                    prose = piece[heading.end() :] if heading else piece
                    (context if has_begun else introduction).append(prose)
            case CellBlock(cell=cell):
                (context if has_begun else introduction).append(code_html(cell.source))
    return Quiz("".join(introduction).strip(), tuple(questions))


_BEFORE_A_HEADING = re.compile(r"(?=<h[1-6][ >])")
_HEADING = re.compile(r"<h[1-6][^>]*>(.*?)</h[1-6]>", re.DOTALL)
