"""What of a course and of an exercise can be found: made of rendered texts, in the trial that proves them sound.

An entry holds what anyone may read before answering and before solving: of a question its prompt, of an exercise its
statement, of a quiz that counts its introduction alone. Answers, options, explanations, hints and solutions are never
put in, so no search can bring them out.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import Literal

from app.content.exercise import page
from app.content.lesson import Block, CellBlock, HtmlBlock, Lesson
from app.content.markdown import render
from app.content.questions.question import Question
from app.content.quiz import quiz_of
from app.content.sections import NO_HEADING, sections
from app.content.substitution import SUBSTITUTION
from graders.exercise.definition import Exercise

EntryKind = Literal["lesson", "exercise", "question"]


@dataclass(frozen=True)
class Entry:
    """`course` is its title, empty for an exercise. `around` is not shown, but counts a little: where it stands.

    `names`, one a line: who asks for one of them, or for a part of it, finds this entry first.
    """

    kind: EntryKind
    course: str
    title: str
    heading: str
    text: str
    url: str
    around: str = ""
    names: str = ""


def exercise_entry(exercise: Exercise) -> Entry:
    html = page(exercise).statement_html
    names = " ".join((exercise.entry, *(one.name for one in exercise.signature.parameters), *exercise.tags))
    text = " ".join(f"{one.heading.text} {one.text}".strip() for one in sections(html))
    return Entry(
        "exercise", "", exercise.title, "", text, f"/exercises/{exercise.slug}", f"{names} {exercise.slug}",
        names="\n".join((exercise.title, exercise.slug, exercise.entry)),
    )  # fmt: skip


def lesson_entries(course_title: str, lesson: Lesson) -> Iterator[Entry]:
    yield from _section_entries(course_title, lesson)
    for question in () if lesson.is_counted else lesson.questions.values():
        yield _question_entry(course_title, lesson, question)


def _section_entries(course_title: str, lesson: Lesson) -> Iterator[Entry]:
    """The lesson itself with what stands before its first heading, then each section under its own."""
    shown = quiz_of(lesson).introduction if lesson.is_counted else "\n".join(map(_said, lesson.render().blocks))
    found = sections(shown)
    opening = " ".join(section.text for section in found if section.heading is NO_HEADING)
    text = f"{lesson.summary} {opening}".strip()
    names = "\n".join((lesson.title, lesson.slug, *_defined(text)))
    yield Entry("lesson", course_title, lesson.title, "", text, lesson.url, course_title, names)
    for section in found:
        if section.heading is not NO_HEADING:
            url = lesson.url if lesson.is_quiz else f"{lesson.url}#{section.heading.anchor}"
            yield Entry(
                "lesson", course_title, lesson.title, section.heading.text, section.text, url, course_title,
                names="\n".join(_defined(section.text)),
            )  # fmt: skip


def _defined(text: str) -> list[str]:
    """The names of the functions and classes that code in this text defines."""
    return re.findall(r"\b(?:def|class) (\w+)[(:]", text)


def _said(block: Block) -> str:
    """What stands in the lesson for all to read; a question is an entry of its own."""
    match block:
        case HtmlBlock(html=html):
            return html
        case CellBlock(cell=cell):
            return f"<pre>{escape(f'{cell.caption} {cell.source}')}</pre>"
        case _:
            return ""


def _question_entry(course_title: str, lesson: Lesson, question: Question) -> Entry:
    """The prompt alone, with a gap where each student has numbers of their own."""
    prompt = SUBSTITUTION.sub("…", question.prompt)
    html = render(prompt, links=question.links).html
    text = " ".join(f"{one.heading.text} {one.text}".strip() for one in sections(html))
    url = lesson.url if lesson.is_quiz else f"{lesson.url}#question-{question.id.replace('.', '-')}"
    return Entry("question", course_title, lesson.title, "", text, url, course_title)
