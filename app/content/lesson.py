"""A lesson: one Markdown file, in blocks that a page sets in reading order.

Reading the file's head is cheap and done at once; its text is rendered and its questions read at first use,
and kept. A question or formula that is broken is a fault of the lesson, never an exception.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from app.content.fault import Fault
from app.content.markdown import Html, render, split_front_matter
from app.content.page import Directive, Heading, Links
from app.content.question import Question
from app.content.question_reader import read_question

if TYPE_CHECKING:
    from app.content.course import Course

Kind = Literal["lesson", "quiz"]
BLOCKS = ("question", "exercise")


@dataclass(frozen=True)
class HtmlBlock:
    html: str
    kind: Literal["html"] = "html"


@dataclass(frozen=True)
class QuestionBlock:
    question: Question
    kind: Literal["question"] = "question"


@dataclass(frozen=True)
class ExerciseBlock:
    slug: str
    kind: Literal["exercise"] = "exercise"


Block = HtmlBlock | QuestionBlock | ExerciseBlock


@dataclass(frozen=True)
class RenderedLesson:
    """`exercises` are the slugs embedded, in order, each once."""

    blocks: tuple[Block, ...]
    outline: tuple[Heading, ...]
    exercises: tuple[str, ...]
    questions: Mapping[str, Question]
    reading_minutes: int
    faults: tuple[Fault, ...]


@dataclass(frozen=True)
class Lesson:
    course_slug: str
    slug: str
    path: str
    title: str
    summary: str
    kind: Kind
    stated_minutes: int | None
    body: str
    links: Links
    header_faults: tuple[Fault, ...]

    @property
    def minutes(self) -> int:
        return self.stated_minutes or max(1, self._rendered.reading_minutes)

    @property
    def questions(self) -> Mapping[str, Question]:
        """By slug, in reading order."""
        return self._rendered.questions

    @property
    def faults(self) -> tuple[Fault, ...]:
        return self.header_faults + self._rendered.faults

    @property
    def url(self) -> str:
        return f"/courses/{self.course_slug}/{self.slug}"

    def render(self, course: "Course | None" = None) -> RenderedLesson:
        """The lesson's blocks. The course is not needed: the lesson's links know their way."""
        return self._rendered

    @cached_property
    def _rendered(self) -> RenderedLesson:
        rendered = render(self.body, links=self.links, path=self.path, blocks=BLOCKS)
        faults = list(rendered.faults)
        blocks: list[Block] = []
        questions: dict[str, Question] = {}
        exercises: dict[str, None] = {}
        for part in rendered.parts:
            if isinstance(part, Html):
                blocks.append(HtmlBlock(part.html))
            elif part.name == "exercise":
                if slug := _exercise_slug(part, self.path, faults):
                    exercises[slug] = None
                    blocks.append(ExerciseBlock(slug))
            else:
                question, found = read_question(part, self.course_slug, self.slug, self.path, self.links)
                faults.extend(found)
                if question and question.slug in questions:
                    hint = "Answers are kept by the question's name: give each its own."
                    faults.append(_fault(self.path, part.line, f"Two questions are named `{question.slug}`.", hint))
                elif question:
                    questions[question.slug] = question
                    blocks.append(QuestionBlock(question))
                else:
                    blocks.append(HtmlBlock(_BROKEN))
        return RenderedLesson(
            tuple(blocks), rendered.outline, tuple(exercises), questions, rendered.minutes, tuple(faults)
        )


_BROKEN = (
    '<aside class="admonition warning" role="note"><p class="title">A question is missing here</p>'
    "<p>It has a mistake in its file and cannot be asked until its author mends it.</p></aside>"
)


def read_lesson(text: str, *, course_slug: str, name: str, path: str, links: Links) -> Lesson:
    """The lesson in the file called `name` (`02-sinusoidal-encodings.md`)."""
    head, body, faults = split_front_matter(text, path)
    unknown = sorted(set(head) - {"title", "minutes", "kind", "summary"})
    if unknown:
        known = "Known: title, minutes, kind, summary."
        faults.append(Fault("warning", path, 1, "front-matter", f"`{unknown[0]}` means nothing here.", known))
    slug = lesson_slug(name)
    title = head.get("title")
    if not isinstance(title, str) or not title.strip():
        hint = "Begin the file with `---`, `title: …`, `---`."
        faults.append(Fault("error", path, 1, "front-matter", "The lesson has no title.", hint))
        title = slug.replace("-", " ").capitalize()
    minutes = head.get("minutes")
    if minutes is not None and (not isinstance(minutes, int) or isinstance(minutes, bool) or minutes < 1):
        hint = "Write `minutes: 12`, or leave it out: it is then reckoned from the text."
        faults.append(
            Fault("error", path, 1, "front-matter", f"`minutes: {minutes}` is not a number of minutes.", hint)
        )
        minutes = None
    kind = head.get("kind", "lesson")
    if kind not in ("lesson", "quiz"):
        hint = "Write `kind: quiz`, or leave it out."
        faults.append(Fault("error", path, 1, "front-matter", f"There is no kind of lesson `{kind}`.", hint))
    return Lesson(
        course_slug=course_slug,
        slug=slug,
        path=path,
        title=title.strip(),
        summary=str(head.get("summary") or "").strip(),
        kind="quiz" if kind == "quiz" else "lesson",
        stated_minutes=minutes,
        body=body,
        links=links,
        header_faults=tuple(faults),
    )


def lesson_slug(name: str) -> str:
    """`02-sinusoidal-encodings.md` → `sinusoidal-encodings`: the number orders the folder, no more."""
    return re.sub(r"^\d+-", "", name.removesuffix(".md"))


def _exercise_slug(directive: Directive, path: str, faults: list[Fault]) -> str | None:
    if re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", directive.argument):
        return directive.argument
    hint = "Write `:::{exercise} the-exercises-folder`."
    faults.append(_fault(path, directive.line, f"`{directive.argument}` names no exercise.", hint))
    return None


def _fault(path: str, line: int, message: str, hint: str) -> Fault:
    return Fault("error", path, line, "lesson", message, hint)
