"""A lesson: one Markdown file, in blocks that a page sets in reading order.

Reading the file's head is cheap and done at once; its text is rendered and its questions read at first use,
and kept. A question or formula that is broken is a fault of the lesson, never an exception.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal

from app.content.cell import Cell, Listing, read_cell
from app.content.front_matter import split_front_matter
from app.content.lab import Lab, read_lab
from app.content.markdown import Html, render
from app.content.oversight import lost_lines, oversights
from app.content.page import Directive, Heading, Links
from app.content.questions.asking import is_graded_by_hand
from app.content.questions.question import Question
from app.content.questions.reader import read_question
from app.content.renderer import code_html
from graders.exercise.fault import Fault
from graders.text import title_of

LessonKind = Literal["lesson", "quiz"]
Counts = Literal["best", "last"]
HEAD_NAMES = ("title", "minutes", "kind", "summary")
QUIZ_NAMES = ("time_limit", "attempts", "counts", "pools")
QUIZ_NUMBER_MAX = 10_000  # a week has as many minutes
RENDERED_MAX = 128  # the same lesson, as often as it was edited, counts each time
BLOCKS = ("question", "exercise", "lab", "code-cell")


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


@dataclass(frozen=True)
class LabBlock:
    lab: Lab
    kind: Literal["lab"] = "lab"


@dataclass(frozen=True)
class CellBlock:
    cell: Cell
    kind: Literal["cell"] = "cell"


Block = HtmlBlock | QuestionBlock | ExerciseBlock | LabBlock | CellBlock


@dataclass(frozen=True)
class RenderedLesson:
    """`exercises` are the slugs embedded, in order, each once."""

    blocks: tuple[Block, ...]
    outline: tuple[Heading, ...]
    exercises: tuple[str, ...]
    questions: Mapping[str, Question]
    cells: Mapping[str, Cell]
    reading_minutes: int
    faults: tuple[Fault, ...]


@dataclass(frozen=True)
class Lesson:
    """Of a quiz: `time_limit` in minutes, `attempts` the sittings that each may have; None is no such limit. `pools`:
    of how many questions of each pool a sitting asks; of a pool that is not named it asks all.

    `is_withheld`: its front matter leaves open whether it is a quiz that counts, so nothing of it is shown.
    """

    course_slug: str
    slug: str
    path: str
    title: str
    summary: str
    kind: LessonKind
    stated_minutes: int | None
    body: str
    links: Links
    header_faults: tuple[Fault, ...]
    time_limit: int | None = None
    attempts: int | None = None
    counts: Counts = "best"
    pools: tuple[tuple[str, int], ...] = ()
    is_withheld: bool = False

    @property
    def is_quiz(self) -> bool:
        return self.kind == "quiz"

    @property
    def is_counted(self) -> bool:
        """Whether its questions may be had in a sitting only: somebody who could try them beforehand, at leisure and as
        often as they like, would have neither a time limit nor a last attempt."""
        return self.is_quiz and (self.time_limit is not None or self.attempts is not None)

    @property
    def minutes(self) -> int:
        return self.stated_minutes or max(1, self._rendered.reading_minutes + math.ceil(len(self.questions) / 2))

    @property
    def questions(self) -> Mapping[str, Question]:
        """By slug, in reading order."""
        return self._rendered.questions

    @property
    def asked(self) -> int:
        """How many questions a sitting asks."""
        sizes = Counter(question.pool for question in self.questions.values())
        return sum(sizes.values()) - sum(max(0, sizes[pool] - drawn) for pool, drawn in self.pools)

    @property
    def cells(self) -> Mapping[str, Cell]:
        """By name, in reading order."""
        return self._rendered.cells

    @property
    def faults(self) -> tuple[Fault, ...]:
        return self.header_faults + self._rendered.faults + (*find_pool_faults(self), *find_lost_essays(self))

    @property
    def url(self) -> str:
        return f"/courses/{self.course_slug}/{self.slug}"

    def render(self) -> RenderedLesson:
        """The lesson's blocks; its links know their way without the course."""
        return self._rendered

    @cached_property
    def _rendered(self) -> RenderedLesson:
        return _render(self)


@lru_cache(maxsize=RENDERED_MAX)
def _render(lesson: Lesson) -> RenderedLesson:
    """A course that is read again with one lesson edited has its other lessons rendered already."""
    rendered = render(lesson.body, links=lesson.links, path=lesson.path, blocks=BLOCKS)
    faults = list(rendered.faults)
    blocks: list[Block] = []
    questions: dict[str, Question] = {}
    exercises: dict[str, None] = {}
    cells: dict[str, Cell] = {}
    for part in rendered.parts:
        if isinstance(part, Html):
            blocks.append(HtmlBlock(part.html))
        elif part.name == "exercise":
            if slug := _exercise_slug(part, lesson.path, faults):
                exercises[slug] = None
                blocks.append(ExerciseBlock(slug))
        elif part.name == "lab":
            lab, lab_faults = read_lab(part, f"lab-{len(blocks)}", lesson.path, lesson.links)
            faults.extend(lab_faults)
            blocks.append(LabBlock(lab) if lab else HtmlBlock(_BROKEN_LAB))
        elif part.name == "code-cell":
            cell, cell_faults = read_cell(part, tuple(cells.values()), lesson.path)
            faults.extend(cell_faults)
            if isinstance(cell, Listing):
                blocks.append(HtmlBlock(code_html(cell.source)))
            else:
                cells[cell.name] = cell
                blocks.append(CellBlock(cell))
        else:
            question, found = _question(part, lesson)
            faults.extend(found)
            if question and question.slug in questions:
                hint = "Answers are stored under the name of the question: give each its own."
                faults.append(_fault(lesson.path, part.line, f"Two questions are named `{question.slug}`.", hint))
            elif question:
                questions[question.slug] = question
                blocks.append(QuestionBlock(question))
            else:
                blocks.append(HtmlBlock(_BROKEN))
    if lesson.is_quiz and not questions:
        faults.append(_fault(lesson.path, 1, "The quiz has no questions.", "Add one: `::::{question} its-name`."))
    for lost in blocks if lesson.is_quiz else ():
        if isinstance(lost, ExerciseBlock | LabBlock):
            message = f"No {'exercise' if isinstance(lost, ExerciseBlock) else 'lab'} can be shown in a quiz."
            faults.append(Fault("warning", lesson.path, None, "lesson", message, "Put it in a lesson."))
    if lesson.is_withheld:
        return RenderedLesson((HtmlBlock(_WITHHELD),), (), (), {}, {}, rendered.minutes, tuple(faults))
    return RenderedLesson(
        tuple(blocks), rendered.outline, tuple(exercises), questions, cells, rendered.minutes, tuple(faults)
    )


def _question(part: Directive, lesson: Lesson) -> tuple[Question | None, Sequence[Fault]]:
    """The question, or None if it cannot be asked, and everything wrong with it.

    attack: `-[ ] an option -- its feedback`, which is no option and stands in the prompt with the answer in it.
    defence: such a question is not asked, and what else is wrong with it follows from this.
    """
    if lost := lost_lines(part, lesson.path):
        return None, lost
    question, faults = read_question(part, lesson.course_slug, lesson.slug, lesson.path, lesson.links)
    overlooked = list(oversights(question)) if question else []
    is_sound = not any(fault.severity == "error" for fault in overlooked)
    return (question if is_sound else None), [*faults, *overlooked]


_BROKEN = (
    '<aside class="admonition warning" role="note"><p class="title">A question is missing here</p>'
    "<p>There is a mistake in its file. It cannot be asked until its author fixes it.</p></aside>"
)
_WITHHELD = (
    '<aside class="admonition warning" role="note"><p class="title">This lesson is not shown</p>'
    "<p>There is a mistake in the lines at the head of its file. Its author must correct them first.</p></aside>"
)
_BROKEN_LAB = (
    '<aside class="admonition warning" role="note"><p class="title">A figure is missing here</p>'
    "<p>There is a mistake in its file. It cannot be drawn until its author fixes it.</p></aside>"
)


def read_lesson(text: str, *, course_slug: str, name: str, path: str, links: Links) -> Lesson:
    """The lesson in the file called `name` (`02-sinusoidal-encodings.md`).

    attack: a colon too many in the front matter, or a blank before its dashes, and a quiz that counts is an open
    lesson, with its answers and explanations. defence: of a lesson whose front matter has a fault nothing is shown.
    """
    head, body, faults = split_front_matter(text, path)
    unknown = sorted(set(head) - {*HEAD_NAMES, *QUIZ_NAMES})
    if unknown:
        known = f"Known: {', '.join(HEAD_NAMES)}; in a quiz {', '.join(QUIZ_NAMES)}."
        faults.append(Fault("warning", path, 1, "front-matter", f"`{unknown[0]}` is not a known setting.", known))
    slug = lesson_slug(name)
    title = head.get("title")
    if not isinstance(title, str) or not title.strip():
        hint = "Begin the file with `---`, `title: …`, `---`."
        faults.append(Fault("error", path, 1, "front-matter", "The lesson has no title.", hint))
        title = title_of(slug)
    minutes = head.get("minutes")
    if minutes is not None and (not isinstance(minutes, int) or isinstance(minutes, bool) or minutes < 1):
        hint = "Write `minutes: 12`, or leave it out to have it estimated from the text."
        faults.append(
            Fault("error", path, 1, "front-matter", f"`minutes: {minutes}` is not a number of minutes.", hint)
        )
        minutes = None
    kind = head.get("kind", "lesson")
    if kind not in ("lesson", "quiz"):
        hint = "Write `kind: quiz`, or leave it out."
        faults.append(Fault("error", path, 1, "front-matter", f"`{kind}` is not a kind of lesson.", hint))
    for name in QUIZ_NAMES if kind != "quiz" else ():
        if name in head:
            hint = "Add `kind: quiz`, or leave it out."
            faults.append(Fault("error", path, 1, "front-matter", f"`{name}` is only for quizzes.", hint))
    is_quiz = kind == "quiz"
    counts = head.get("counts", "best")
    if is_quiz and counts not in ("best", "last"):
        hint = "Write `counts: last`, or leave it out: then the best attempt counts."
        faults.append(Fault("error", path, 1, "front-matter", f"`counts: {counts}` is neither best nor last.", hint))
    time_limit = _whole(head, "time_limit", "minutes", path, faults) if is_quiz else None
    attempts = _whole(head, "attempts", "sittings", path, faults) if is_quiz else None
    limits = [name for name in ("time_limit", "attempts") if head.get(name) is not None]
    is_open_to_doubt = (
        not head
        or kind not in ("lesson", "quiz")
        or (not is_quiz and any(name in head for name in QUIZ_NAMES))
        or (is_quiz and len(limits) > sum(limit is not None for limit in (time_limit, attempts)))
    )
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
        time_limit=time_limit,
        attempts=attempts,
        counts="last" if is_quiz and counts == "last" else "best",
        pools=tuple(_pools(head.get("pools"), path, faults)) if is_quiz else (),
        header_faults=tuple(faults),
        is_withheld=is_open_to_doubt,
    )


def _pools(written: object, path: str, faults: list[Fault]) -> Iterator[tuple[str, int]]:
    """`pools:` and below it `name: 4`, for each pool how many of its questions a sitting asks."""
    if written is None:
        return
    for name, drawn in written.items() if isinstance(written, dict) else [("", written)]:
        if name and isinstance(drawn, int) and not isinstance(drawn, bool) and 1 <= drawn <= QUIZ_NUMBER_MAX:
            yield name, drawn
        else:
            message = f"`{name or 'pools'}: {drawn}` does not say how many questions of a pool are asked."
            hint = "Write `pools:`, and below it, indented, `name: 4` for each pool."
            faults.append(Fault("error", path, 1, "front-matter", message, hint))


def find_pool_faults(lesson: Lesson) -> Iterator[Fault]:
    """Pools that are named and hold too little, and questions in pools that are not named."""
    named = dict(lesson.pools)
    found: dict[str, list[Question]] = {}
    for question in lesson.questions.values():
        if question.pool:
            found.setdefault(question.pool, []).append(question)
    for pool, questions in found.items():
        first = questions[0]
        if not lesson.is_quiz:
            yield first.fault(first.line, "Only a quiz has pools.", "Remove `:pool:`, or add `kind: quiz`.")
        elif pool not in named:
            hint = f"Say in the front matter how many of them are asked: `pools:`, and below it `  {pool}: 1`."
            yield first.fault(first.line, f"The quiz has no pool `{pool}`.", hint)
        elif len({question.points for question in questions}) > 1:
            hint = "Give them the same `:points:`, so that every attempt can earn as many."
            yield first.fault(first.line, f"Questions of the pool `{pool}` count differently.", hint, "warning")
    for pool, drawn in lesson.pools:
        if drawn >= (size := len(found.get(pool, []))):
            message = f"Of the pool `{pool}` {drawn} questions are asked, and it has {size}."
            hint = f"Write `:pool: {pool}` in more questions than are asked."
            yield _fault(lesson.path, 1, message, hint)


def find_lost_essays(lesson: Lesson) -> Iterator[Fault]:
    for question in () if lesson.is_quiz else lesson.questions.values():
        if is_graded_by_hand(question):
            hint = "Put it in a quiz: only its attempts are graded."
            yield question.fault(question.line, f"Nobody grades a question of type {question.type} in a lesson.", hint)


def _whole(head: Mapping[str, object], name: str, what: str, path: str, faults: list[Fault]) -> int | None:
    """A whole number from 1 up, or None where there is none."""
    value = head.get(name)
    if value is None:
        return None
    if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= QUIZ_NUMBER_MAX:
        return value
    hint = f"Write a whole number such as `{name}: 20`, or leave it out for no limit."
    faults.append(Fault("error", path, 1, "front-matter", f"`{name}: {value}` is not a number of {what}.", hint))
    return None


def lesson_slug(name: str) -> str:
    """`02-sinusoidal-encodings.md` → `sinusoidal-encodings`: the number orders the folder, no more."""
    return re.sub(r"^\d+-", "", name.removesuffix(".md"))


def _exercise_slug(directive: Directive, path: str, faults: list[Fault]) -> str | None:
    if re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", directive.argument):
        return directive.argument
    hint = "Write `:::{exercise} name-of-its-folder`."
    faults.append(_fault(path, directive.line, f"`{directive.argument}` is not the name of an exercise.", hint))
    return None


def _fault(path: str, line: int, message: str, hint: str) -> Fault:
    return Fault("error", path, line, "lesson", message, hint)
