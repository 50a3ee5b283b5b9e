"""What a class understands and what not, on pages for its staff: an overview, one an exercise, question, lesson and
student, and who is stuck now, which looks again by itself where scripts run."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

from fastapi import APIRouter, Request
from markupsafe import Markup
from sqlalchemy.orm import Session
from starlette.responses import Response

from app.classes.classes import Member, require_member
from app.classes.evidence import overview_of
from app.classes.evidence_exercises import (
    MANY_ATTEMPTS,
    ExerciseEvidence,
    Quartiles,
    Standing,
    exercise_evidence,
)
from app.classes.evidence_lessons import LessonEvidence, lesson_evidence
from app.classes.evidence_questions import ENOUGH_PEOPLE, QuestionEvidence, QuestionFigures, question_evidence
from app.classes.evidence_scope import Person, Scope, people_of, scope_of
from app.classes.evidence_stuck import stuck_now
from app.classes.evidence_students import student_evidence
from app.classes.rights import Right
from app.content.questions.asking import present
from app.people.identity import Caller
from app.state import state_of
from app.web.errors import Invalid
from app.web.filters import duration
from app.web.plots import Plot, Share, columns, curve, shares
from app.web.rendering import is_partial, render

router = APIRouter()

SPANS = ((5, "≤5 m"), (15, "≤15 m"), (60, "≤1 h"), (240, "≤4 h"), (1440, "≤1 d"), (10080, "≤1 w"))
LONGER = "longer"


@dataclass(frozen=True)
class Line:
    """An exercise in the overview, with the bar of who is where."""

    standing: Standing
    bar: Markup


@contextmanager
def _looking(request: Request, class_id: str) -> Iterator[tuple[Session, Member, Scope]]:
    """The door. Raises what `require_member` raises."""
    state = state_of(request)
    with state.db.reading() as db:
        member = require_member(db, Caller(request), class_id, Right.see_evidence)
        yield db, member, scope_of(db, state.catalog, member.class_)


@router.get("/classes/{class_id}/evidence")
def index(request: Request, class_id: str) -> Response:
    with _looking(request, class_id) as (db, member, scope):
        overview = overview_of(db, scope)
        people = list(people_of(db, scope, scope.names).values())
    return render(
        request,
        "classes/evidence/index.html",
        member=member,
        scope=scope,
        overview=overview,
        exercises=[Line(one, _bar(one)) for one in overview.exercises],
        stuck=overview.stuck,
        people=people,
    )


@router.get("/classes/{class_id}/evidence/stuck")
def stuck(request: Request, class_id: str) -> Response:
    """Who is stuck now: the page, or the list alone where the page asks for it again."""
    with _looking(request, class_id) as (db, member, scope):
        found = stuck_now(db, scope)
    template = "classes/evidence/_stuck.html" if is_partial(request) else "classes/evidence/stuck.html"
    return render(request, template, member=member, scope=scope, stuck=found)


@router.get("/classes/{class_id}/evidence/exercise/{slug}")
def exercise(request: Request, class_id: str, slug: str) -> Response:
    state = state_of(request)
    with _looking(request, class_id) as (db, member, scope):
        found = exercise_evidence(db, scope, slug, state.catalog.exercises.get(slug), state.shelf)
        named = people_of(db, scope, {*found.unsolved, *(id for hit in found.mistakes for id in hit.who)})
    return render(
        request,
        "classes/evidence/exercise.html",
        member=member,
        scope=scope,
        evidence=found,
        standing=found.standing,
        bar=_bar(found.standing),
        attempts=_attempts_plot(found),
        times=_times_plot(found),
        took=_took(found.minutes),
        people=Namer(named),
    )


@router.get("/classes/{class_id}/evidence/question/{question}")
def question(request: Request, class_id: str, question: str) -> Response:
    """`question`: its whole name, course.lesson.slug."""
    with _looking(request, class_id) as (db, member, scope):
        lesson, asked = scope.question(question)
        found = question_evidence(db, scope, question)
        named = people_of(db, scope, (id for hit in found.answers for id in hit.who))
    return render(
        request,
        "classes/evidence/question.html",
        member=member,
        scope=scope,
        lesson=lesson,
        question=asked,
        prompt=present(asked, 0).prompt_html,
        evidence=found,
        figures=found.figures,
        bands=_bands_plot(found),
        people=Namer(named),
        enough=ENOUGH_PEOPLE,
        discriminates=_discriminates,
    )


@router.get("/classes/{class_id}/evidence/lesson/{lesson}")
def lesson(request: Request, class_id: str, lesson: str) -> Response:
    with _looking(request, class_id) as (db, member, scope):
        found = lesson_evidence(db, scope, lesson)
        url = scope.lesson(lesson).url
    return render(
        request,
        "classes/evidence/lesson.html",
        member=member,
        scope=scope,
        evidence=found,
        lesson_url=url,
        curve=_lesson_plot(found),
        stop=_stop(found),
        discriminates=_discriminates,
    )


@router.get("/classes/{class_id}/evidence/student/{user}")
def student(request: Request, class_id: str, user: str, before: str = "") -> Response:
    with _looking(request, class_id) as (db, member, scope):
        found = student_evidence(db, scope, user, read_moment(before))
    following = "" if found.before is None else found.before.isoformat().replace("+00:00", "Z")
    return render(
        request,
        "classes/evidence/student.html",
        member=member,
        scope=scope,
        evidence=found,
        before=before,
        following=following,
    )


def read_moment(text: str) -> datetime | None:
    """Raises Invalid."""
    if not text:
        return None
    try:
        at = datetime.fromisoformat(text[:40])
        return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
    except (ValueError, OverflowError):
        raise Invalid(
            "before: this is no moment.", "Use the one that the page before names, or leave it out."
        ) from None


# ---- plots and words ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Namer:
    """People by number, for a list of them in the order of their names."""

    people: dict[int, Person]

    def __call__(self, user_ids: Sequence[int]) -> list[Person]:
        wanted = set(user_ids)
        return [person for id, person in self.people.items() if id in wanted]


def _bar(one: Standing) -> Markup:
    parts = (
        Share("good", "solved", one.solved),
        Share("limit", "trying", one.trying),
        Share("bad", "gave up", one.gave_up),
        Share("rest", "not begun", one.not_begun),
    )
    return shares(f"bar-{one.exercise}", f"{one.title}: {one.students} students", parts)


def _attempts_plot(found: ExerciseEvidence) -> Plot | None:
    solved = sum(found.attempts)
    if not solved:
        return None
    labels = [*(str(number) for number in range(1, MANY_ATTEMPTS)), f"{MANY_ATTEMPTS}+"]
    most = max(range(MANY_ATTEMPTS), key=lambda place: found.attempts[place])
    told = (
        f"Of {solved} people who solved it, {found.attempts[0]} needed one attempt; most often it took {labels[most]}."
    )
    head = ("Attempts until accepted", "People")
    return columns("attempts", "Attempts until accepted", told, head, list(zip(labels, found.attempts, strict=True)))


def _times_plot(found: ExerciseEvidence) -> Plot | None:
    if not found.seconds:
        return None
    counts = [0] * (len(SPANS) + 1)
    for one in found.seconds:
        counts[next((place for place, (minutes, _) in enumerate(SPANS) if one <= 60 * minutes), len(SPANS))] += 1
    labels = [*(label for _, label in SPANS), LONGER]
    told = f"From the first attempt to the one that solved it, for {len(found.seconds)} people."
    head = ("Time from the first attempt", "People")
    return columns("times", "Time until solved", told, head, list(zip(labels, counts, strict=True)))


def _took(minutes: Quartiles | None) -> str:
    """The quartiles in a sentence. Who solves it with the first attempt takes no time from it."""
    if minutes is None:
        return ""
    lower, median, upper = (duration(60 * one) for one in (minutes.lower, minutes.median, minutes.upper))
    if not minutes.upper:
        return "At least three quarters of those who solved it did so with their first attempt."
    if not minutes.median:
        return f"At least half of those who solved it did so with their first attempt; a quarter took {upper} or more."
    first = "a quarter solved it with that one" if not minutes.lower else f"a quarter took {lower} or less"
    half = f"Half of those who solved it took {median} or less from their first attempt"
    return f"{half}; {first}, and a quarter took {upper} or more."


def _bands_plot(found: QuestionEvidence) -> Plot | None:
    if not found.bands:
        return None
    names = ("lowest third", "middle third", "highest third")
    counts = [
        (f"{name}: {round(100 * band.right / band.people) if band.people else 0}%", band.right)
        for name, band in zip(names, found.bands, strict=True)
    ]
    told = "People whose first answer is right, by thirds of what they earned in the lesson's other questions: "
    told += ", ".join(
        f"{band.right} of {band.people} in the {name}" for name, band in zip(names, found.bands, strict=True)
    )
    head = ("By the rest of the lesson", "Right")
    return columns("bands", "Right at the first answer, by the rest of the lesson", f"{told}.", head, counts)


def _lesson_plot(found: LessonEvidence) -> Plot | None:
    if not found.students:
        return None
    labels = [*(str(number) for number in range(1, len(found.steps))), "read"]
    counts = [step.reached for step in found.steps]
    told = f"Of {found.students} students {found.begun} began and {found.read} marked the lesson as read."
    head = ("Step", "Reached")
    points = list(zip(labels, counts, strict=True))
    return curve("reached", "How far readers come", told, head, points, found.students)


def _stop(found: LessonEvidence) -> str:
    """Where most stop, in one sentence; "" where nobody does."""
    if found.widest is None:
        return ""
    place, lost = found.widest
    step = found.steps[place]
    people = "1 reader stops" if lost == 1 else f"{lost} readers stop"
    return f"Most stop after step {place + 1}, the {step.kind} {step.title}: {people} there."


def _discriminates(one: QuestionFigures) -> str:
    """A discrimination in a word. The marks are those of R. L. Ebel, Essentials of educational measurement, 1972."""
    r = one.discrimination
    if r is None:
        return ""
    if r < 0:
        return "negative"
    return "good" if r >= 0.4 else "fair" if r >= 0.3 else "weak" if r >= 0.2 else "hardly any"
