"""Sittings: each one taking of a quiz, from its start to its submission. Its pages call it an attempt.

A sitting asks the questions of the snapshot that was current when it began, each in a variant of its own: editing the
course changes nothing in it, then or later. Its deadline is a moment on the server's clock. After it, the first look at
the sitting closes it, and a sweep closes what nobody looks at (`app.sweep`); either way it counts as it stood then.

A writer here holds the person alone (`identity.require_user`, `hold`), so that of two tabs, two clicks, or a click
and the deadline, one comes first and the other finds it done.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction

import structlog
from sqlalchemy import (
    CheckConstraint,
    ColumnElement,
    Double,
    ForeignKey,
    Index,
    String,
    UniqueConstraint,
    exists,
    func,
    select,
    text,
)
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.content.lesson import Lesson
from app.content.questions.asking import is_graded_by_hand, longest_answer
from app.content.questions.kind import Reply
from app.content.questions.question import Question, UnknownVariant, draw
from app.db import Base, Database, Moment, now, read_id
from app.people.belongings import Belonging, Row, exported, register, wrote
from app.people.identity import Caller
from app.people.permission import Wish, may
from app.people.quota import add_stored, stored_bytes
from app.people.users import User, hold
from app.quizzes.answers import MAX_LENGTH, Occasion, add_answer, leave_unanswered, require_short
from app.quizzes.responses import (
    ReadBack,
    SavedResponse,
    SittingResponse,
    judged,
    read_back,
    responses_of,
    save_response,
    variants_before,
)
from app.reading.catalog import Catalog
from app.reading.lessons import mark_read
from app.state import AppState, require_room
from app.web.errors import Conflict, NotFound

log = structlog.get_logger("lectern.quizzes")

GRACE = timedelta(seconds=5)  # what was sent in time may arrive this much later
DRAWS = 16
# attack: sit a quiz that does not count ten thousand times, and each start reads them all, until there are more than a
# statement has room for. defence: a start reads the last ones alone.
LOOKED_BACK = 50
RESPONSE_BYTES = 256  # of a response's row beside what is typed into it, which is counted as the answer it becomes


class Sitting(Base):
    """`number` counts a person's sittings of a quiz from 1. `questions`: how many it asks; `points`: what they come to;
    `score`: how many of these were earned; `waiting`: how many answers a person has yet to grade."""

    __tablename__ = "sitting"
    __table_args__ = (
        CheckConstraint("(submitted_at IS NULL) = (score IS NULL)", "scored"),
        CheckConstraint("score >= 0 AND score <= points", "score"),
        UniqueConstraint("user_id", "course", "lesson", "number"),
        # One open sitting a person and quiz, whatever two tabs do at once.
        Index(
            "ix_sitting_open", "user_id", "course", "lesson", unique=True,
            sqlite_where=text("submitted_at IS NULL"), postgresql_where=text("submitted_at IS NULL"),
        ),
        Index(
            "ix_sitting_due", "deadline_at",
            sqlite_where=text("submitted_at IS NULL"), postgresql_where=text("submitted_at IS NULL"),
        ),
        Index(
            "ix_sitting_waiting", "submitted_at",
            sqlite_where=text("waiting > 0"), postgresql_where=text("waiting > 0"),
        ),
        {"sqlite_autoincrement": True},
    )  # fmt: skip

    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("user_account.id", ondelete="CASCADE"))
    course: Mapped[str] = mapped_column(String(120))
    lesson: Mapped[str] = mapped_column(String(120))
    snapshot_id: Mapped[int] = mapped_column(ForeignKey("snapshot.id"))
    number: Mapped[int]
    time_limit_seconds: Mapped[int | None]  # the quiz's own, before anybody's multiplier
    started_at: Mapped[datetime] = mapped_column(Moment, default=now)
    deadline_at: Mapped[datetime | None] = mapped_column(Moment)
    submitted_at: Mapped[datetime | None] = mapped_column(Moment)
    questions: Mapped[int]
    points: Mapped[float] = mapped_column(Double)
    score: Mapped[float | None] = mapped_column(Double)
    waiting: Mapped[int] = mapped_column(default=0, server_default="0")

    @property
    def is_open(self) -> bool:
        return self.submitted_at is None

    def is_due(self, at: datetime | None = None) -> bool:
        """Whether it is still open and its time, with the grace, is over."""
        return self.is_open and self.deadline_at is not None and (at or now()) > self.deadline_at + GRACE

    def remaining_seconds(self) -> float | None:
        if self.deadline_at is None or not self.is_open:
            return None
        return max(0.0, (self.deadline_at - now()).total_seconds())


# ---- whose ----------------------------------------------------------------------------------------------------


def require_sitting(db: Session, viewer: User | None, id: str, *, writes: bool = False) -> Sitting:
    """The sitting, if it is this person's own; staff may read any that is submitted. Raises NotFound."""
    number = read_id(id)
    sitting = db.get(Sitting, number) if number is not None else None
    if sitting is not None:
        wish = Wish.answer_sitting if sitting.is_open or writes else Wish.read_submitted_sitting
        if may(viewer, wish, sitting.user_id):
            return sitting
    raise NotFound("There is no such attempt.", "Your attempts are listed on the page of each quiz.")


def begun_by(db: Session, user: User | None, course: str, lesson: str) -> int:
    """How many sittings of this quiz this person has begun: the number of the last one."""
    if user is None:
        return 0
    return db.scalar(select(func.max(Sitting.number)).where(*of_quiz(user, course, lesson))) or 0


def of_quiz(user: User, course: str, lesson: str) -> tuple[ColumnElement[bool], ...]:
    """What a statement asks for where it asks for this person's sittings of this quiz."""
    return Sitting.user_id == user.id, Sitting.course == course, Sitting.lesson == lesson


# ---- start ----------------------------------------------------------------------------------------------------


def start_sitting(db: Session, user: User, state: AppState, lesson: Lesson) -> tuple[Sitting, bool]:
    """(the open sitting of this quiz, whether it was begun just now). The person is held alone. Raises RateLimited,
    TooLarge, and Conflict when none is left."""
    state.limits.spend("sitting", person=user.id)
    require_room(state, user, 0)
    mine = of_quiz(user, lesson.course_slug, lesson.slug)
    for sitting in db.scalars(select(Sitting).where(*mine, Sitting.submitted_at.is_(None))).all():
        if not sitting.is_due():
            return sitting, False
        submit(db, state.catalog, sitting)
    begun = begun_by(db, user, lesson.course_slug, lesson.slug)
    if lesson.attempts is not None and begun >= lesson.attempts:
        times = "your only attempt" if lesson.attempts == 1 else f"all {lesson.attempts} attempts"
        raise Conflict(
            f"You have used {times} at this quiz.", "Your attempts are listed on its page, each with its score."
        )
    if not lesson.questions:
        raise Conflict("This quiz has no question that can be asked.", "Tell your instructor.")
    sitting = _new_sitting(db, user, lesson, state.catalog.course_snapshot_ids[lesson.course_slug], begun + 1)
    _ask(db, user, sitting, lesson)
    db.flush()
    return sitting, True


def _new_sitting(db: Session, user: User, lesson: Lesson, snapshot_id: int, number: int) -> Sitting:
    at = now()
    limit = lesson.time_limit * 60 if lesson.time_limit is not None else None
    sitting = Sitting(
        user_id=user.id,
        course=lesson.course_slug,
        lesson=lesson.slug,
        snapshot_id=snapshot_id,
        number=number,
        time_limit_seconds=limit,
        started_at=at,
        deadline_at=None if limit is None else _deadline(at, limit, user.time_multiplier),
        questions=0,
        points=0.0,
    )
    db.add(sitting)
    db.flush()
    return sitting


def points_of(questions: Iterable[Question]) -> float:
    return float(sum((question.points for question in questions), Fraction(0)))


def _ask(db: Session, user: User, sitting: Sitting, lesson: Lesson) -> None:
    """Each question in a variant of its own, and of each pool some, which this person has had least."""
    mine = of_quiz(user, lesson.course_slug, lesson.slug)
    recent = select(Sitting.id).where(*mine, Sitting.id != sitting.id).order_by(Sitting.number.desc())
    before = variants_before(db, list(db.scalars(recent.limit(LOOKED_BACK))))
    asked = drawn_questions(lesson, f"{user.id}:sitting:{sitting.id}", before)
    for place, question in enumerate(asked, 1):
        variant = _another_variant(question, f"{user.id}:sitting:{sitting.id}", before.get(question.slug, []))
        db.add(SittingResponse(sitting_id=sitting.id, place=place, slug=question.slug, variant=variant))
    sitting.questions, sitting.points = len(asked), points_of(asked)
    add_stored(db, user.id, RESPONSE_BYTES * len(asked))


def drawn_questions(lesson: Lesson, seed: str, before: Mapping[str, Sequence[int]]) -> list[Question]:
    """In reading order; `before`: the variants that a person has had, by a question's slug."""
    left_out: set[str] = set()
    for pool, drawn in lesson.pools:
        among = [question for question in lesson.questions.values() if question.pool == pool]
        among.sort(key=lambda question: (len(before.get(question.slug, ())), _chance(question, seed)))
        left_out |= {question.slug for question in among[drawn:]}
    return [question for question in lesson.questions.values() if question.slug not in left_out]


def _chance(question: Question, seed: str) -> bytes:
    return hashlib.sha256(f"{seed}:{question.id}".encode()).digest()


def _deadline(started_at: datetime, limit_seconds: int, multiplier: float) -> datetime:
    return started_at + timedelta(seconds=limit_seconds * multiplier)


def _another_variant(question: Question, seed: str, before: list[int]) -> int:
    """In numbers that this person has not had, or had least, and not in those of the last time, if there are others."""
    times = Counter(variant % question.draws for variant in before)
    last = before[-1] if before else -1

    def staleness(variant: int) -> tuple[bool, bool, int]:
        return variant == last, variant % question.draws == last % question.draws, times[variant % question.draws]

    return min((draw(question, f"{seed}:{salt}") for salt in range(DRAWS if before else 1)), key=staleness)


def give_time(db: Session, user: User, multiplier: float) -> int:
    """From now on this person has so many times as long, in open sittings too; returns in how many. A deadline that
    was promised is never brought forward."""
    user.time_multiplier = multiplier
    db.flush()
    return extend_deadlines(db, user)


def extend_deadlines(db: Session, user: User) -> int:
    extended = 0
    for sitting in db.scalars(select(Sitting).where(Sitting.user_id == user.id, Sitting.submitted_at.is_(None))):
        if sitting.deadline_at is None or sitting.time_limit_seconds is None or sitting.is_due():
            continue
        deadline = _deadline(sitting.started_at, sitting.time_limit_seconds, user.time_multiplier)
        if deadline > sitting.deadline_at:
            sitting.deadline_at = deadline
            extended += 1
    db.flush()
    return extended


# ---- answers --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Save:
    """What came of saving an answer: `saved` None where the sitting is over, and no answer is taken any more."""

    sitting: Sitting
    saved: SavedResponse | None

    def read_back(self, catalog: Catalog) -> ReadBack:
        """How what the server has now is understood."""
        if self.saved is None:
            return ReadBack()
        response = self.saved.response
        question = catalog.lesson_at(self.sitting.snapshot_id, self.sitting.lesson).questions.get(response.slug)
        return read_back(question, response.variant, response.given) if question else ReadBack()

    def over(self) -> Conflict:
        at = self.sitting.submitted_at
        when = f" at {at:%H:%M:%S} UTC" if at else ""
        if at is not None and at == self.sitting.deadline_at:
            what = f"The time for this attempt ran out{when}, before this answer arrived."
        else:
            what = f"This attempt was submitted{when}, before this answer arrived."
        return Conflict(what, "The answers saved before then count; this one does not.")


def save_answer(
    db: Session,
    user: User,
    state: AppState,
    id: str,
    slug: str,
    reply: Reply | None,
    revision: int,
    *,
    flagged: bool | None = None,
    seconds: float | None = None,
) -> Save:
    """As `save_response`, in the person's own sitting; one whose time is over is submitted instead. The person is held
    alone. Raises NotFound, RateLimited, Invalid."""
    state.limits.spend("sitting", person=user.id)
    sitting = require_sitting(db, user, id, writes=True)
    saved = None
    if sitting.is_due():
        submit(db, state.catalog, sitting)
    elif sitting.is_open:
        question = state.catalog.lesson_at(sitting.snapshot_id, sitting.lesson).questions.get(slug)
        require_short(reply, longest_answer(question) if question else MAX_LENGTH)
        saved = save_response(db, sitting.id, slug, reply, revision, flagged=flagged, seconds=seconds)
    return Save(sitting, saved)


# ---- submission -----------------------------------------------------------------------------------------------


def submit(db: Session, catalog: Catalog, sitting: Sitting) -> None:
    """It counts from now on, as it stands; nothing, if it is submitted already. Its person is held alone."""
    db.refresh(sitting)
    if not sitting.is_open:
        return
    user = db.get_one(User, sitting.user_id)
    questions = catalog.lesson_at(sitting.snapshot_id, sitting.lesson).questions
    asked: list[Question] = []
    score = 0.0
    for response in responses_of(db, sitting.id):
        question = questions.get(response.slug)
        try:
            outcome = judged(question, response.variant, response.given) if question else None
        except UnknownVariant:
            question = None
        if question is None:
            continue  # a release that reads the file otherwise: what cannot be asked any more is not held against them
        asked.append(question)
        if is_graded_by_hand(question):
            sitting.waiting += _waits(db, user, response)
            continue
        response.correct, response.score = (outcome.correct, outcome.score) if outcome else (False, 0.0)
        score += response.score * float(question.points)
        if outcome:
            add_answer(
                db, user.id, question, response.variant, response.given, outcome,
                seconds=response.seconds, occasion=Occasion.sitting, sitting_id=sitting.id,
            )  # fmt: skip
        else:
            leave_unanswered(db, user, question)
    sitting.submitted_at = min(now(), sitting.deadline_at) if sitting.deadline_at else now()
    sitting.questions, sitting.points = len(asked), points_of(asked)
    sitting.score = min(score, sitting.points)
    mark_read(db, user, sitting.course, sitting.lesson)
    db.flush()


def _waits(db: Session, user: User, response: SittingResponse) -> bool:
    """Whether there is something for a person to grade; nothing earns nothing at once."""
    if response.given is None:
        response.correct, response.score = False, 0.0
        return False
    add_stored(db, user.id, stored_bytes(response.given))
    return True


def prepare_submission(db: Session, catalog: Catalog, sitting: Sitting) -> None:
    """Judge what is there now, so that `submit`, while it keeps other writers waiting, finds it judged."""
    questions = catalog.lesson_at(sitting.snapshot_id, sitting.lesson).questions
    for response in responses_of(db, sitting.id):
        with suppress(UnknownVariant):
            if question := questions.get(response.slug):
                judged(question, response.variant, response.given)


def close_due(database: Database, catalog: Catalog, user_id: int | None = None) -> int:
    """Submit the sittings whose time is over, of one person or of all; returns how many. Each in a transaction of its
    own, which waits for nobody's judging.

    attack: a sitting that cannot be closed (an answer, or a file of another release, on which our code fails), and
    nobody else's is closed any more. defence: the others are, before that failure is raised.
    """
    due = select(Sitting).where(Sitting.submitted_at.is_(None), Sitting.deadline_at < now() - GRACE)
    with database.reading() as db:
        sittings = list(db.scalars(due if user_id is None else due.where(Sitting.user_id == user_id)))
    closed = 0
    failure: Exception | None = None
    for sitting in sittings:
        try:
            with database.reading() as db:
                prepare_submission(db, catalog, sitting)
            with database.writing() as db:
                hold(db, sitting.user_id)
                closed += _closed(db, catalog, sitting.id)
        except Exception as error:
            log.error("sitting_not_closed", sitting=sitting.id, exc_info=error)
            failure = error
    if failure is not None:
        raise failure
    return closed


def _closed(db: Session, catalog: Catalog, id: int) -> bool:
    sitting = db.get(Sitting, id)
    if sitting is None or not sitting.is_due():  # handed in, given more time, or deleted meanwhile
        return False
    submit(db, catalog, sitting)
    return True


def hand_in(state: AppState, caller: Caller, id: str) -> User:
    """Submits the caller's sitting, judged before other writers wait. Raises NotFound, RateLimited, Unauthenticated."""
    state.limits.spend("sitting", address=caller.address)
    with state.db.reading() as db:
        prepare_submission(db, state.catalog, require_sitting(db, caller.require_viewer(db), id))
    with state.db.writing() as db:
        user = caller.require_viewer(db, writes=True)
        submit(db, state.catalog, require_sitting(db, user, id, writes=True))
    return user


# ---- a guest who has an account -------------------------------------------------------------------------------


def move_sittings(db: Session, catalog: Catalog, guest: User, user: User) -> None:
    """After the account's own, numbered on. Of two open sittings of one quiz the account's stays open, and the guest's
    is submitted as it stands. Both are held alone. To be called before the guest's answers move."""
    highest = {
        (course, lesson): number
        for course, lesson, number in db.execute(
            select(Sitting.course, Sitting.lesson, func.max(Sitting.number))
            .where(Sitting.user_id == user.id)
            .group_by(Sitting.course, Sitting.lesson)
        )
    }
    is_open = select(Sitting.course, Sitting.lesson).where(Sitting.user_id == user.id, Sitting.submitted_at.is_(None))
    open_ones = {(course, lesson) for course, lesson in db.execute(is_open)}
    moved = select(Sitting).where(Sitting.user_id == guest.id).order_by(Sitting.id)
    for sitting in db.scalars(moved).all():
        quiz = (sitting.course, sitting.lesson)
        if sitting.is_open and quiz in open_ones:
            submit(db, catalog, sitting)
        highest[quiz] = sitting.number = highest.get(quiz, 0) + 1
        sitting.user_id = user.id
    db.flush()
    extend_deadlines(db, user)


def _exported(db: Session, user_id: int) -> Iterator[Row]:
    """Each sitting with what was saved in it, question by question."""
    mine = select(Sitting).where(Sitting.user_id == user_id).order_by(Sitting.id)
    for sitting in db.scalars(mine).all():
        responses = [exported(response, frozenset({"sitting_id"})) for response in responses_of(db, sitting.id)]
        yield {**exported(sitting, LEFT_OUT), "responses": responses}


def _saved_since(start: datetime) -> ColumnElement[bool]:
    saved = select(SittingResponse.sitting_id).join(Sitting, Sitting.id == SittingResponse.sitting_id)
    return exists(saved.where(Sitting.user_id == User.id, SittingResponse.saved_at >= start))


LEFT_OUT = frozenset({"snapshot_id"})
register(
    Belonging(
        30,
        "sittings",
        "Quiz attempts",
        "When each began and ended, your answers and your score.",
        Sitting,
        LEFT_OUT,
        _exported,
        merge=move_sittings,
        merges_first=True,  # what a sitting that is submitted here answers moves with the guest's answers
        worked=(*wrote(Sitting.user_id, Sitting.started_at, Sitting.submitted_at), _saved_since),
    )
)
