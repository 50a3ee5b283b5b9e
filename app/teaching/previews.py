"""What an author sees before anybody else does: the newest state of an exercise or a course, and what students never
see of it. Nothing here is published, recorded or served to anybody else.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from sqlalchemy.orm import Session

from app.content.course import Course
from app.content.highlight import listing
from app.content.lesson import Block, CellBlock, Lesson, QuestionBlock
from app.content.questions.asking import Presented, RightAnswer, explanation_of, present, right_answer
from app.content.questions.question import Question
from app.content.reading import ReadCourse, ReadExercise, Unsound
from app.people.identity import Caller
from app.reading.cells import LessonCells
from app.state import AppState, can_make_cases
from app.teaching.authors import require_author
from app.teaching.revisions import content_of, files_of, newest, revision_of
from app.teaching.subjects import Subject, subject_of
from app.web.errors import NotFound
from graders.cell import CellRun
from graders.exercise.built import cases_at_hand, is_broken
from graders.exercise.definition import Exercise
from graders.exercise.fault import Fault
from graders.exercise.samples import SampleCase, shown_case


@dataclass(frozen=True)
class Preview:
    """`state` None: it cannot be read, and `faults` say why. `query`: what names this state in an address."""

    subject: Subject
    files: Mapping[str, bytes]
    state: ReadExercise | ReadCourse | None
    faults: tuple[Fault, ...]
    query: str

    @property
    def exercise(self) -> Exercise | None:
        return self.state.exercise if isinstance(self.state, ReadExercise) else None

    @property
    def course(self) -> Course | None:
        return self.state.course if isinstance(self.state, ReadCourse) else None

    @property
    def url(self) -> str:
        return f"/preview{self.subject.url}"

    def address(self, path: str = "", query: str = "") -> str:
        """Of a page of this preview: the same state, with what else is asked."""
        together = "&".join(filter(None, (self.query, query)))
        return f"{self.url}{path}{'?' if together else ''}{together}"

    def within(self, html: str) -> str:
        """Links and pictures of this exercise or course lead to this state of them, and not to what is published."""
        own = re.compile(rf'(href|src)="{re.escape(self.subject.url)}(/[^"#?]*)?(?=["#])')
        return own.sub(lambda found: f'{found[1]}="{self.address(found[2] or "")}', html)


@dataclass(frozen=True)
class Cases:
    """All cases with what the reference answers; `hidden` are those that students never see. None made yet: `why`."""

    samples: tuple[SampleCase, ...] = ()
    hidden: tuple[SampleCase, ...] = ()
    why: str = ""


@dataclass(frozen=True)
class PreviewedQuestion:
    """A question in one of its variants, with what is told after an answer. `number` counts from 1."""

    question: Presented
    number: int
    variants: int
    right: RightAnswer
    explanation_html: str | None
    kind: str = "question"


@dataclass(frozen=True)
class PreviewedCell:
    cell: object
    code: str
    run: CellRun | None
    kind: str = "cell"


def find_preview(state: AppState, caller: Caller, kind: str, slug: str, revision: str | None = None) -> Preview:
    """The newest state, or the revision of that hash. Raises Unauthenticated; NotFound, for all who may not author it.

    attack: read an exercise's hidden cases here, or a quiz before it counts. defence: only who may author it, and the
    others are not told that there is anything.
    """
    subject = subject_of(kind, slug)
    try:
        with state.db.reading() as db:
            require_author(db, caller, subject)
            files = _files(state, db, subject, revision)
    except Unsound as unsound:
        return Preview(subject, {}, None, unsound.faults, "")
    query = f"revision={revision}" if revision else ""
    try:
        read = state.catalog.read(kind, slug, files)
    except Unsound as unsound:
        return Preview(subject, files, None, unsound.faults, query)
    return Preview(subject, files, read, read.proof.faults, query)


def _files(state: AppState, db: Session, subject: Subject, revision: str | None) -> Mapping[str, bytes]:
    """Of the folder, unless the newest revision was written elsewhere."""
    if revision:
        return files_of(db, revision_of(db, subject, revision).id)
    if content_of(db, subject) is not None and (latest := newest(db, subject)).origin != "folder":
        return files_of(db, latest.id)
    files = state.catalog.folder_files(subject.kind, subject.slug)
    if files is None:
        return files_of(db, newest(db, subject).id)
    return files


def previewed_cases(state: AppState, exercise: Exercise) -> Cases:
    """Those at hand; what is not made yet is made behind the pages."""
    if state.shelf is None or state.preparer is None or not can_make_cases(state):
        return Cases(why="This server has no judge that could make the cases.")
    cases = cases_at_hand(state.shelf, exercise)
    if cases is None:
        if is_broken(exercise):
            return Cases(why="The cases cannot be made: cases.py or reference.py fails. Check it to see why.")
        state.preparer.want(exercise)
        return Cases(why="The cases are being made. Reload this page in a moment.")
    shown = [(case.sample, shown_case(exercise, case)) for case in cases]
    return Cases(
        tuple(case for is_sample, case in shown if is_sample), tuple(case for is_sample, case in shown if not is_sample)
    )


def lesson_of(preview: Preview, slug: str) -> tuple[Course, Lesson]:
    """Raises NotFound."""
    course = preview.course
    lesson = course.lesson(slug) if course is not None else None
    if course is None or lesson is None:
        raise NotFound("There is no such lesson in this state of the course.", f"See {preview.address()}.")
    return course, lesson


def previewed_blocks(
    preview: Preview, lesson: Lesson, cells: LessonCells, variant: int
) -> list[Block | PreviewedQuestion | PreviewedCell]:
    """`variant` counts from 1, and is taken round where a question has fewer."""
    blocks: list[Block | PreviewedQuestion | PreviewedCell] = []
    for block in lesson.render().blocks:
        match block:
            case QuestionBlock(question=question):
                blocks.append(_previewed(question, variant))
            case CellBlock(cell=cell):
                blocks.append(PreviewedCell(cell, listing(cell.source), cells.output(cell)))
            case _:
                blocks.append(block if block.kind != "html" else replace(block, html=preview.within(block.html)))
    return blocks


def _previewed(question: Question, variant: int) -> PreviewedQuestion:
    draw = (variant - 1) % question.draws
    return PreviewedQuestion(
        present(question, draw), draw + 1, question.draws, right_answer(question, draw), explanation_of(question, draw)
    )
