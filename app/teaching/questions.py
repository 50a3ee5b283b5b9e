"""A question as its author looks at it: every variant with what counts as right and wrong, and answers that are typed
to see what comes of them. It is read and judged by the code that students meet, and no answer is kept.
"""

import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from sqlalchemy.orm import Session

from app.content.expression import UnreadableAnswer
from app.content.lesson import lesson_slug
from app.content.questions.asking import judge_answer, present, right_answer
from app.content.questions.form import SINGLE, Form, MistakeRow, OptionRow, tidy
from app.content.questions.kind import Fields, Reply, Try
from app.content.questions.pieces import fenced
from app.content.questions.place import NotThere, head_of, place_of, places_in, replaced, text_at
from app.content.questions.question import Question, values_of
from app.content.questions.table import kind_of
from app.content.reading import ReadCourse, Unsound
from app.people.identity import Caller
from app.quizzes.questions import Answered, ShownQuestion, judge
from app.reading.catalog import Catalog
from app.state import AppState
from app.teaching.authors import require_author
from app.teaching.revisions import files_of, newest, revision_of, save
from app.teaching.subjects import Subject, subject_of
from app.web.errors import Conflict, Invalid, NotFound
from graders.exercise.fault import Fault

MAX_TYPED = 40  # answers at once
SHOWN_DRAWS = 12  # sets of given values on one page
MAX_ROWS = 1000  # of a form
ROW_FIELDS = ("place", "mark", "text", "feedback", "answer", "share")
MAX_TRIES = 60  # answers of a variant: a question of many options has a great many picks


@dataclass(frozen=True)
class Tried:
    """An answer, how it is understood, and what a student who gives it is told. `problem`: it cannot be read."""

    answer: str
    verdict: str  # right, partly, wrong or unreadable
    percent: int = 0
    read_as: str | None = None
    told_html: str = ""
    problem: str = ""


@dataclass(frozen=True)
class Variant:
    """`number` is one of `orderings`, which show the same values with the options in other places."""

    number: int
    values: dict[str, str]
    prompt_html: str
    right_text: str
    right_html: tuple[str, ...]
    tries: tuple[Tried, ...]


@dataclass(frozen=True)
class Overview:
    """Some of a question's `draws`, from `first`."""

    question: Question
    variants: tuple[Variant, ...]
    first: int

    @property
    def before(self) -> int:
        return max(0, self.first - SHOWN_DRAWS)

    @property
    def after(self) -> int | None:
        following = self.first + len(self.variants)
        return following if following < self.question.draws else None


def overview_of(question: Question, first: int = 0) -> Overview:
    first = min(max(0, first), question.draws - 1)
    draws = range(first, min(first + SHOWN_DRAWS, question.draws))
    return Overview(question, tuple(_variant(question, draw) for draw in draws), first)


def _variant(question: Question, number: int) -> Variant:
    shown, right = present(question, number), right_answer(question, number)
    options = {option.key: option.html for option in shown.options}
    texts = tuple(options[key] for key in right.keys if key in options)
    paired = [f"{part.html}: {html}" for part, html in zip(shown.parts, right.parts, strict=False)]
    of_gaps = [f"Gap {part.key}: {html}" for part, html in zip(shown.parts, right.parts, strict=False)]
    parts = tuple(of_gaps if question.gaps else paired)
    return Variant(
        number,
        values_of(question, number),
        shown.prompt_html,
        right.text,
        () if right.text else parts or texts,
        tuple(_tries(question, number)),
    )


def _tries(question: Question, variant: int) -> Iterator[Tried]:
    """The answers that `check` proves it on: the right one as people write it, each mistake, each option."""
    values = values_of(question, variant)
    for count, trial in enumerate(kind_of(question).tries(question, values)):
        if count == MAX_TRIES:
            return
        name = trial.answer if isinstance(trial.answer, str) and not question.choices else _named(question, trial)
        yield try_answer(question, variant, trial.answer, name)


def _named(question: Question, trial: Try) -> str:
    texts = {choice.key: choice.text for choice in question.choices}
    if isinstance(trial.answer, str):
        return texts.get(trial.answer, trial.answer)
    return trial.name.strip("`")


def try_answer(question: Question, variant: int, answer: Reply, name: str = "") -> Tried:
    """What comes of this answer. Raises UnknownVariant."""
    name = name or (answer if isinstance(answer, str) else "")
    try:
        judged = judge_answer(question, variant, answer)
    except UnreadableAnswer as error:
        return Tried(name, "unreadable", problem=f"{error.message} {error.hint}".strip())
    verdict = "right" if judged.correct else "partly" if judged.score else "wrong"
    return Tried(name, verdict, round(100 * judged.score), judged.read_as, judged.feedback_html or "")


def try_lines(question: Question, variant: int, typed: str) -> list[Tried]:
    """Each line is an answer; of what prints lines of its own, the whole is one. Raises Invalid, UnknownVariant."""
    text = typed.replace("\r\n", "\n")
    answers = [text.strip("\n")] if kind_of(question).WRITTEN.is_output else text.split("\n")
    answers = [answer for answer in answers if answer.strip()]
    if len(answers) > MAX_TYPED:
        raise Invalid(f"These are {len(answers)} answers.", f"Try at most {MAX_TYPED} at once.")
    return [try_answer(question, variant, answer) for answer in answers]


def takes_lines(question: Question) -> bool:
    """Whether its answers are typed, so that several can be tried at once."""
    return kind_of(question).WRITTEN.right_in == "answer"


def tried_in_place(question: Question, variant: int, fields: Fields) -> tuple[ShownQuestion, int]:
    """The question with what came of the answer in its own form, as a student sees it, and the status to answer with;
    nothing is kept. Raises Conflict where it has no such variant."""
    shown = present(question, variant)
    reply = kind_of(question).WIDGET.reply(question, fields)
    try:
        judged = judge(question, variant, reply)
    except Invalid as problem:
        answered = Answered(reply, unreadable=" ".join(filter(None, (problem.message, problem.hint))))
        return ShownQuestion(shown, answered, False, question.draws > 1), problem.status
    answered = Answered(
        reply,
        judged.correct,
        judged.score,
        judged.read_as,
        feedback_html=judged.feedback_html,
        explanation_html=judged.explanation_html,
    )
    return ShownQuestion(shown, answered, judged.correct, question.draws > 1), 200


def unanswered(question: Question, variant: int) -> ShownQuestion:
    return ShownQuestion(present(question, variant), None, False, question.draws > 1)


# ---- in the files of a course ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Stored:
    """A question as it stands in the newest revision of its course."""

    subject: Subject
    revision: str
    files: Mapping[str, bytes]
    path: str
    lesson: str
    slug: str
    text: str


@dataclass(frozen=True)
class Found:
    """What a text is once it is read: the question, None where it cannot be asked, and what is wrong in it, by its own
    lines."""

    question: Question | None
    faults: tuple[Fault, ...]


def questions_in(db: Session, caller: Caller, slug: str) -> dict[str, list[str]]:
    """Of each lesson that has any, its questions' names, in reading order. Raises NotFound."""
    subject = subject_of("course", slug)
    require_author(db, caller, subject)
    files = files_of(db, newest(db, subject).id)
    named = {lesson_slug(path): [place.slug for place in places_in(_text(files[path]))] for path in _lessons(files)}
    return {lesson: names for lesson, names in named.items() if names}


def stored_question(db: Session, caller: Caller, course: str, lesson: str, question: str) -> Stored:
    """Raises Unauthenticated, NotFound."""
    subject = subject_of("course", course)
    require_author(db, caller, subject)
    revision = newest(db, subject)
    files = files_of(db, revision.id)
    path = next((path for path in _lessons(files) if lesson_slug(path) == lesson), None)
    if path is None:
        raise NotFound("The course has no such lesson.", f"See {subject.desk_url}.")
    try:
        text = text_at(_text(files[path]), place_of(_text(files[path]), question))
    except NotThere as error:
        raise NotFound(str(error), f"See {subject.desk_url}/questions.") from None
    return Stored(subject, revision.content_hash, files, path, lesson, question, text)


def _lessons(files: Mapping[str, bytes]) -> list[str]:
    return sorted(path for path in files if re.fullmatch(r"\d+-[^/]*\.md", path))


def _text(content: bytes) -> str:
    return content.decode("utf-8", "replace")


def read_text(catalog: Catalog, stored: Stored, text: str) -> Found:
    """The question that this text is, read beside nothing but what it may lead to: the names of the other lessons, and
    the pictures.

    attack: a draft whose formulas hang or crash the process that renders them, which serves every student. defence: it
    goes the way of what is published: a process of its own reads it first, and only what it proves sound is read here.
    """
    head = head_of(_text(stored.files[stored.path]))
    others = dict.fromkeys(_lessons(stored.files), b"---\ntitle: t\n---\n")
    figures = {path: content for path, content in stored.files.items() if path.startswith("figures/")}
    files = {"course.toml": b'title = "t"\nblurb = "b"\n', **others, **figures, stored.path: f"{head}{text}\n".encode()}
    before = len(head.splitlines())
    try:
        read = catalog.read("course", stored.subject.slug, files)
    except Unsound as unsound:
        return Found(None, tuple(_moved(fault, before) for fault in unsound.faults))
    assert isinstance(read, ReadCourse)
    page = read.course.lesson(stored.lesson)
    question = next(iter(page.questions.values()), None) if page else None
    faults = page.faults if page else ()
    own = [fault for fault in faults if (fault.line or 0) > before] or ([] if question else faults)
    return Found(question, tuple(_moved(fault, before) for fault in own))


def _moved(fault: Fault, before: int) -> Fault:
    return replace(fault, line=max(1, fault.line - before) if fault.line else None)


def save_text(state: AppState, caller: Caller, stored: Stored, base: str, text: str) -> str:
    """The name of the question, which the text may have changed. Raises Unwritable, Conflict, TooLarge, NotFound."""
    text = text.replace("\r\n", "\n").strip("\n")
    with state.db.writing() as db:
        person = require_author(db, caller, stored.subject, writes=True)
        files = files_of(db, revision_of(db, stored.subject, base).id)
        try:
            lesson = replaced(_strict(files, stored.path), stored.slug, text)
        except NotThere as error:
            raise Conflict(str(error), "Reload the page, then edit it again.") from None
        slug = fenced(text).slug
        save(db, person, stored.subject, base, {stored.path: lesson.encode()}, f"Question {slug}, in {stored.path}")
    return slug


def _strict(files: Mapping[str, bytes], path: str) -> str:
    """attack: bytes that are no text come back as signs for what cannot be read, in lines that nobody edited. defence:
    such a lesson is not written."""
    try:
        return files[path].decode()
    except (UnicodeDecodeError, KeyError):
        raise Invalid("The lesson is not UTF-8, or is gone.", "Save it as UTF-8 first.") from None


# ---- what the form sent ---------------------------------------------------------------------------------------


def form_from(sent: Mapping[str, str], old: Form, prefix: str = "") -> Form:
    """The form as a browser sent it; what it did not show stays as it was."""

    def text(name: str, before: str) -> str:
        return sent.get(f"{prefix}{name}", before)

    settings = {name: text(name, old.setting(name)) for name in SINGLE}
    form = replace(
        old,
        slug=text("slug", old.slug),
        settings=tuple(settings.items()),
        prompt=text("prompt", old.prompt),
        rubric=text("rubric", old.rubric),
        explain=text("explain", old.explain),
    )
    if f"{prefix}given" in sent:
        form = replace(form, given=tuple(sent[f"{prefix}given"].replace("\r\n", "\n").split("\n")))
    if options := list(_rows(sent, f"{prefix}option-")):
        rows = (OptionRow(*(row.get(name, "") for name in ("mark", "text", "feedback", "answer"))) for row in options)
        form = replace(form, options=tuple(rows))
    if mistakes := list(_rows(sent, f"{prefix}mistake-")):
        slips = (MistakeRow(row.get("answer", ""), row.get("feedback", ""), row.get("share", "")) for row in mistakes)
        form = replace(form, mistakes=tuple(slips))
    if f"{prefix}gap-1-slug" in sent:
        numbers = itertools.takewhile(lambda n: f"{prefix}gap-{n}-slug" in sent, range(1, MAX_ROWS))
        before = dict(enumerate(old.gaps, 1))
        gaps = (form_from(sent, before.get(number, Form()), f"{prefix}gap-{number}-") for number in numbers)
        form = replace(form, gaps=tuple(gaps))
    return form if prefix else tidy(form)


def _rows(sent: Mapping[str, str], prefix: str) -> Iterator[dict[str, str]]:
    """Each row's fields, in the order that their places say."""
    rows: dict[str, dict[str, str]] = {}
    for name, text in sent.items():
        number, _, field = name.removeprefix(prefix).partition("-") if name.startswith(prefix) else ("", "", "")
        if number.isdecimal() and field in ROW_FIELDS:
            rows.setdefault(number, {})[field] = text
    yield from sorted(rows.values(), key=lambda row: _place(row.get("place", "")))


def _place(text: str) -> float:
    return float(text) if re.fullmatch(r"[0-9]{1,4}(\.[0-9]{1,2})?", text.strip()) else MAX_ROWS
