"""Quiz attempts: each one sitting of a quiz, with the answers saved in it, from its start to its submission.

A sitting asks the questions of the snapshot that was current when it began, each in a variant of its own: editing the
course changes nothing in it, then or later. Its deadline is a moment on the server's clock. Whoever looks at a sitting
that is past it closes it, and a sweep closes what nobody looks at (`app.sweep`); either way it counts as it stood then.

Who writes here holds the person alone (`identity.require_user`, `_hold`), so that of two tabs, two clicks, or a click
and the deadline, one comes first and the other finds it done.
"""

import json
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache

import structlog
from sqlalchemy import (
    JSON,
    CheckConstraint,
    ColumnElement,
    Double,
    ForeignKey,
    Index,
    String,
    UniqueConstraint,
    func,
    select,
    text,
    update,
)
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.content.expression import UnreadableAnswer
from app.content.lesson import Lesson
from app.content.questions.asking import Judged, judge_answer, read_answer
from app.content.questions.question import Question, UnknownVariant, draw
from app.db import Base, Database, Moment, now, read_id
from app.people.permission import Wish, may
from app.people.quota import add_stored
from app.people.users import User
from app.progress.progress import mark_read
from app.quizzes.answers import MAX_SECONDS, Occasion, add_answer, leave_unanswered
from app.reading.catalog import Catalog
from app.web.errors import Conflict, NotFound
from graders.text import storable

log = structlog.get_logger("lectern.quizzes")

GRACE = timedelta(seconds=5)  # what was sent in time may arrive this much later
DRAWS = 16
# attack: sit a quiz that does not count ten thousand times, and each start reads them all, until there are more than a
# statement has room for. defence: a start reads the last ones alone.
LOOKED_BACK = 50
LISTED = 20  # sittings at once
RESPONSE_BYTES = 256  # of a response's row beside what is typed into it, which is counted as the answer it becomes
Given = str | list[str] | None


class QuizAttempt(Base):
    """`number` counts a person's sittings of a quiz from 1. `questions`: how many it asks; `score`: points of them."""

    __tablename__ = "quiz_attempt"
    __table_args__ = (
        CheckConstraint("(submitted_at IS NULL) = (score IS NULL)", "scored"),
        CheckConstraint("score >= 0 AND score <= questions", "score"),
        UniqueConstraint("user_id", "course", "lesson", "number"),
        # One open sitting a person and quiz, whatever two tabs do at once.
        Index(
            "ix_quiz_attempt_open", "user_id", "course", "lesson", unique=True,
            sqlite_where=text("submitted_at IS NULL"), postgresql_where=text("submitted_at IS NULL"),
        ),
        Index(
            "ix_quiz_attempt_due", "deadline_at",
            sqlite_where=text("submitted_at IS NULL"), postgresql_where=text("submitted_at IS NULL"),
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
    score: Mapped[float | None] = mapped_column(Double)

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


class QuizResponse(Base):
    """The answer to one question as it was last saved: `given` as typed or picked, None for none. `revision` is one
    more each time it is written. `correct` and `score` are there once the sitting is submitted."""

    __tablename__ = "quiz_response"
    __table_args__ = (UniqueConstraint("attempt_id", "slug"),)

    attempt_id: Mapped[int] = mapped_column(ForeignKey("quiz_attempt.id", ondelete="CASCADE"), primary_key=True)
    place: Mapped[int] = mapped_column(primary_key=True)  # from 1
    slug: Mapped[str] = mapped_column(String(120))
    variant: Mapped[int]
    given: Mapped[Given] = mapped_column(JSON(none_as_null=True))
    flagged: Mapped[bool] = mapped_column(default=False)
    revision: Mapped[int] = mapped_column(default=0)
    seconds: Mapped[float | None] = mapped_column(Double)
    saved_at: Mapped[datetime | None] = mapped_column(Moment)
    correct: Mapped[bool | None]
    score: Mapped[float | None] = mapped_column(Double)


@dataclass(frozen=True)
class Saved:
    """A response as the server has it now. `yours`: it is what was just sent; otherwise another's came between."""

    response: QuizResponse
    yours: bool


@dataclass(frozen=True)
class Taken:
    """Someone's sittings of a quiz: how many they have begun, the one that is open, the one whose score counts, and of
    those submitted some, the newest first; `more`: there are others before this number."""

    count: int = 0
    open: QuizAttempt | None = None
    counted: QuizAttempt | None = None
    listed: tuple[QuizAttempt, ...] = ()
    more: int | None = None


@dataclass(frozen=True)
class Reading:
    """How an answer is understood, before anybody says whether it is right."""

    read_as: str | None = None
    problem: str | None = None


# ---- whose ----------------------------------------------------------------------------------------------------


def require_attempt(db: Session, id: str, viewer: User | None, *, writes: bool = False) -> QuizAttempt:
    """The sitting, if it is this person's own; staff may read any that is submitted. Raises NotFound."""
    number = read_id(id)
    attempt = db.get(QuizAttempt, number) if number is not None else None
    if attempt is not None:
        wish = Wish.answer_attempt if attempt.is_open or writes else Wish.read_submitted_attempt
        if may(viewer, wish, attempt.user_id):
            return attempt
    raise NotFound("There is no such attempt.", "Your attempts are listed on the page of each quiz.")


def responses_of(db: Session, attempt: QuizAttempt) -> list[QuizResponse]:
    found = select(QuizResponse).where(QuizResponse.attempt_id == attempt.id).order_by(QuizResponse.place)
    return list(db.scalars(found))


def response_at(db: Session, attempt: QuizAttempt, place: str) -> QuizResponse | None:
    """The response at this place, as an address or a form names it."""
    number = read_id(place)
    return db.get(QuizResponse, (attempt.id, number)) if number is not None and str(number) == place else None


def response_beside(db: Session, attempt: QuizAttempt, place: int, *, is_next: bool) -> QuizResponse | None:
    """The one at the nearest place after this one, or before it."""
    mine = select(QuizResponse).where(QuizResponse.attempt_id == attempt.id).limit(1)
    if is_next:
        return db.scalar(mine.where(QuizResponse.place > place).order_by(QuizResponse.place))
    return db.scalar(mine.where(QuizResponse.place < place).order_by(QuizResponse.place.desc()))


def attempts_of(db: Session, user: User | None, course: str, lesson: str) -> list[QuizAttempt]:
    """This person's sittings of this quiz, all of them, the first one first."""
    if user is None:
        return []
    return list(db.scalars(select(QuizAttempt).where(*_of(user, course, lesson)).order_by(QuizAttempt.number)))


def taken_by(db: Session, user: User | None, lesson: Lesson, before: int | None = None) -> Taken:
    """This person's sittings of this quiz. `before`: those listed are older than the one of this number."""
    if user is None:
        return Taken()
    mine = _of(user, lesson.course_slug, lesson.slug)
    listed = select(QuizAttempt).where(*mine, QuizAttempt.submitted_at.is_not(None))
    if before is not None:
        listed = listed.where(QuizAttempt.number < before)
    newest = list(db.scalars(listed.order_by(QuizAttempt.number.desc()).limit(LISTED + 1)))
    return Taken(
        begun_by(db, user, lesson.course_slug, lesson.slug),
        db.scalar(select(QuizAttempt).where(*mine, QuizAttempt.submitted_at.is_(None))),
        counting(db, user, lesson),
        tuple(newest[:LISTED]),
        newest[LISTED - 1].number if len(newest) > LISTED else None,
    )


def begun_by(db: Session, user: User | None, course: str, lesson: str) -> int:
    """How many sittings of this quiz this person has begun: the number of the last one."""
    if user is None:
        return 0
    return db.scalar(select(func.max(QuizAttempt.number)).where(*_of(user, course, lesson))) or 0


def _of(user: User, course: str, lesson: str) -> tuple[ColumnElement[bool], ...]:
    return QuizAttempt.user_id == user.id, QuizAttempt.course == course, QuizAttempt.lesson == lesson


def submitted_by(db: Session, user: User | None) -> dict[tuple[str, str], int]:
    """How many sittings of each quiz, by (course, lesson), this person has submitted."""
    if user is None:
        return {}
    mine = select(QuizAttempt.course, QuizAttempt.lesson, func.count()).where(QuizAttempt.user_id == user.id)
    counted = mine.where(QuizAttempt.submitted_at.is_not(None)).group_by(QuizAttempt.course, QuizAttempt.lesson)
    return {(course, lesson): count for course, lesson, count in db.execute(counted)}


def reviewed_by(db: Session, catalog: Catalog, user: User | None) -> Callable[[str, str], Question | None]:
    """Finds what may come back to this person now: `Catalog.reviewed`, less what a sitting asks them at this moment.

    attack: in the second sitting of a quiz that counts, answer in the review what the first one missed, in the very
    numbers of the second, and be told what is right. defence: while a sitting is open, nothing of its quiz comes back.
    """
    sat: set[tuple[str, str]] = set()
    if user is not None:
        mine = select(QuizAttempt.course, QuizAttempt.lesson).where(QuizAttempt.user_id == user.id)
        sat = {(row.course, row.lesson) for row in db.execute(mine.where(QuizAttempt.submitted_at.is_(None)))}

    def reviewed(id: str, content_hash: str) -> Question | None:
        found = catalog.reviewed(id, content_hash)
        course, lesson, _ = found.id.split(".") if found else ("", "", "")
        return None if (course, lesson) in sat and catalog.lesson(course, lesson)[1].is_counted else found

    return reviewed


def counting(db: Session, user: User, lesson: Lesson) -> QuizAttempt | None:
    """The sitting whose score is this person's for the quiz: the last one, or the first of the best.

    attack: sit it as one guest after another, then sign in with what they gathered. defence: of more sittings than
    are allowed the first ones count.
    """
    done = select(QuizAttempt).where(*_of(user, lesson.course_slug, lesson.slug), QuizAttempt.score.is_not(None))
    if lesson.attempts is not None:
        done = done.where(QuizAttempt.number <= lesson.attempts)
    if lesson.counts == "last":
        return db.scalar(done.order_by(QuizAttempt.number.desc()).limit(1))
    share = QuizAttempt.score / func.coalesce(func.nullif(QuizAttempt.questions, 0), 1)
    return db.scalar(done.order_by(share.desc(), QuizAttempt.number).limit(1))


# ---- start ----------------------------------------------------------------------------------------------------


def start_attempt(db: Session, catalog: Catalog, user: User, lesson: Lesson) -> tuple[QuizAttempt, bool]:
    """(the open sitting of this quiz, whether it was begun just now). Raises Conflict when none is left."""
    mine = _of(user, lesson.course_slug, lesson.slug)
    for one in db.scalars(select(QuizAttempt).where(*mine, QuizAttempt.submitted_at.is_(None))).all():
        if not one.is_due():
            return one, False
        submit(db, catalog, one)
    taken = begun_by(db, user, lesson.course_slug, lesson.slug)
    if lesson.attempts is not None and taken >= lesson.attempts:
        times = "your only attempt" if lesson.attempts == 1 else f"all {lesson.attempts} attempts"
        raise Conflict(
            f"You have used {times} at this quiz.", "Your attempts are listed on its page, each with its score."
        )
    if not lesson.questions:
        raise Conflict("This quiz has no question that can be asked.", "Tell your instructor.")
    at = now()
    limit = lesson.time_limit * 60 if lesson.time_limit is not None else None
    attempt = QuizAttempt(
        user_id=user.id,
        course=lesson.course_slug,
        lesson=lesson.slug,
        snapshot_id=catalog.course_snapshot_ids[lesson.course_slug],
        number=taken + 1,
        time_limit_seconds=limit,
        started_at=at,
        deadline_at=None if limit is None else _deadline(at, limit, user.time_multiplier),
        questions=len(lesson.questions),
    )
    db.add(attempt)
    db.flush()
    recent = select(QuizAttempt.id).where(*mine, QuizAttempt.id != attempt.id).order_by(QuizAttempt.number.desc())
    before = _variants_before(db, list(db.scalars(recent.limit(LOOKED_BACK))))
    for place, question in enumerate(lesson.questions.values(), 1):
        variant = _another_variant(question, f"{user.id}:sitting:{attempt.id}", before.get(question.slug, []))
        db.add(QuizResponse(attempt_id=attempt.id, place=place, slug=question.slug, variant=variant))
    db.flush()
    add_stored(db, user.id, RESPONSE_BYTES * len(lesson.questions))
    return attempt, True


def _deadline(started_at: datetime, limit_seconds: int, multiplier: float) -> datetime:
    return started_at + timedelta(seconds=limit_seconds * multiplier)


def _variants_before(db: Session, attempts: list[int]) -> dict[str, list[int]]:
    asked: dict[str, list[int]] = {}
    rows = select(QuizResponse.slug, QuizResponse.variant).where(QuizResponse.attempt_id.in_(attempts))
    for slug, variant in db.execute(rows.order_by(QuizResponse.attempt_id)):
        asked.setdefault(slug, []).append(variant)
    return asked


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
    for one in db.scalars(
        select(QuizAttempt).where(QuizAttempt.user_id == user.id, QuizAttempt.submitted_at.is_(None))
    ):
        if one.deadline_at is None or one.time_limit_seconds is None or one.is_due():
            continue
        deadline = _deadline(one.started_at, one.time_limit_seconds, user.time_multiplier)
        if deadline > one.deadline_at:
            one.deadline_at = deadline
            extended += 1
    db.flush()
    return extended


# ---- answers --------------------------------------------------------------------------------------------------


def save_response(
    db: Session,
    attempt: QuizAttempt,
    slug: str,
    given: Given,
    revision: int,
    *,
    flagged: bool | None = None,
    seconds: float | None = None,
) -> Saved:
    """Compare and set: written if `revision` is still the newest, or else left alone and given back as it is. The
    sitting is open, and its person held. `flagged` and `seconds` None: as before. Raises NotFound."""
    given = as_saved(given)
    mine = (QuizResponse.attempt_id == attempt.id, QuizResponse.slug == slug)
    values: dict[str, object] = {"given": given, "revision": QuizResponse.revision + 1, "saved_at": now()}
    if flagged is not None:
        values["flagged"] = flagged
    if seconds is not None:
        values["seconds"] = min(max(seconds, 0.0), MAX_SECONDS)
    taken = update(QuizResponse).where(*mine, QuizResponse.revision == revision)
    written = db.scalar(
        taken.values(**values)
        .returning(QuizResponse)
        .execution_options(synchronize_session=False, populate_existing=True)
    )
    if written is not None:
        return Saved(written, yours=True)
    response = db.scalar(select(QuizResponse).where(*mine).execution_options(populate_existing=True))
    if response is None:
        raise NotFound("There is no such question in this attempt.", "GET the sitting to see which questions it has.")
    # The same once more is no conflict: it was saved before, and the answer was lost on the way.
    return Saved(response, yours=response.given == given and flagged in (None, response.flagged))


def as_saved(given: Given) -> Given:
    """None for what is empty.

    attack: half a surrogate pair, which JSON can say and no page can be sent with, or a NUL, which PostgreSQL keeps in
    no text: once saved, the sitting and whatever shows it would fail from then on. defence: it is kept and shown as
    the sign for what is unreadable.
    """
    if isinstance(given, str):
        return storable(given) if given.strip() else None
    return [storable(part) for part in given] if given else None


def read(question: Question, variant: int, given: Given) -> Reading:
    """Nothing that is right or wrong can be told from it."""
    if given is None:
        return Reading()
    try:
        return Reading(read_as=read_answer(question, variant, given))
    except UnreadableAnswer as error:
        return Reading(problem=f"{error.message} {error.hint}".strip())
    except UnknownVariant:
        return Reading()


def judged(question: Question, variant: int, given: Given) -> Judged | None:
    """None for no answer, and for one that cannot be read. Raises UnknownVariant."""
    try:
        return None if given is None else _judged(question, variant, json.dumps(given))
    except UnreadableAnswer:
        return None


# Sittings that end together are judged before their turn to write comes, and looked at again right after it.
@lru_cache(maxsize=8192)
def _judged(question: Question, variant: int, given: str) -> Judged:
    return judge_answer(question, variant, json.loads(given))


# ---- submission -----------------------------------------------------------------------------------------------


def submit(db: Session, catalog: Catalog, attempt: QuizAttempt) -> None:
    """It counts from now on, as it stands; nothing, if it is submitted already. Its person is held alone."""
    db.refresh(attempt)
    if not attempt.is_open:
        return
    user = db.get_one(User, attempt.user_id)
    questions = catalog.lesson_at(attempt.snapshot_id, attempt.lesson).questions
    asked, score = 0, 0.0
    for response in responses_of(db, attempt):
        question = questions.get(response.slug)
        try:
            outcome = judged(question, response.variant, response.given) if question else None
        except UnknownVariant:
            question = None
        if question is None:
            continue  # a release that reads the file otherwise: what cannot be asked any more is not held against them
        asked += 1
        response.correct, response.score = (outcome.correct, outcome.score) if outcome else (False, 0.0)
        score += response.score
        if outcome:
            add_answer(
                db, user.id, question, response.variant, response.given, outcome,
                seconds=response.seconds, occasion=Occasion.sitting, quiz_attempt_id=attempt.id,
            )  # fmt: skip
        else:
            leave_unanswered(db, user, question)
    attempt.submitted_at = min(now(), attempt.deadline_at) if attempt.deadline_at else now()
    attempt.questions, attempt.score = asked, min(score, float(asked))
    mark_read(db, user, attempt.course, attempt.lesson)
    db.flush()


def prepare_submission(db: Session, catalog: Catalog, attempt: QuizAttempt) -> None:
    """Judge what is there now, so that `submit`, while it keeps other writers waiting, finds it judged."""
    questions = catalog.lesson_at(attempt.snapshot_id, attempt.lesson).questions
    for response in responses_of(db, attempt):
        with suppress(UnknownVariant):
            if question := questions.get(response.slug):
                judged(question, response.variant, response.given)


def close_due(database: Database, catalog: Catalog, user_id: int | None = None) -> int:
    """Submit the sittings whose time is over, of one person or of all; returns how many. Each in a transaction of its
    own, which waits for nobody's judging.

    attack: a sitting that cannot be closed (an answer, or a file of another release, on which our code fails), and
    nobody else's is closed any more. defence: the others are, before that failure is raised.
    """
    due = select(QuizAttempt).where(QuizAttempt.submitted_at.is_(None), QuizAttempt.deadline_at < now() - GRACE)
    with database.reading() as db:
        attempts = list(db.scalars(due if user_id is None else due.where(QuizAttempt.user_id == user_id)))
    closed = 0
    failure: Exception | None = None
    for attempt in attempts:
        try:
            with database.reading() as db:
                prepare_submission(db, catalog, attempt)
            with database.writing() as db:
                hold(db, attempt.user_id)
                closed += _closed(db, catalog, attempt.id)
        except Exception as error:
            log.error("sitting_not_closed", sitting=attempt.id, exc_info=error)
            failure = error
    if failure is not None:
        raise failure
    return closed


def _closed(db: Session, catalog: Catalog, id: int) -> bool:
    attempt = db.get(QuizAttempt, id)
    if attempt is None or not attempt.is_due():  # handed in, given more time, or deleted meanwhile
        return False
    submit(db, catalog, attempt)
    return True


def hold(db: Session, *users: int) -> None:
    """Until this transaction ends no other one writes for these people (on SQLite none writes at all)."""
    db.execute(select(User.id).where(User.id.in_(users)).order_by(User.id).with_for_update(key_share=True))


# ---- a guest who has an account -------------------------------------------------------------------------------


def move_attempts(db: Session, catalog: Catalog, guest: User, user: User) -> None:
    """After the account's own, numbered on. Of two open sittings of one quiz the account's stays open, and the guest's
    is submitted as it stands. Both are held alone. To be called before the guest's answers move."""
    highest = {
        (course, lesson): number
        for course, lesson, number in db.execute(
            select(QuizAttempt.course, QuizAttempt.lesson, func.max(QuizAttempt.number))
            .where(QuizAttempt.user_id == user.id)
            .group_by(QuizAttempt.course, QuizAttempt.lesson)
        )
    }
    is_open = select(QuizAttempt.course, QuizAttempt.lesson).where(
        QuizAttempt.user_id == user.id, QuizAttempt.submitted_at.is_(None)
    )
    open_ones = {(course, lesson) for course, lesson in db.execute(is_open)}
    moved = select(QuizAttempt).where(QuizAttempt.user_id == guest.id).order_by(QuizAttempt.id)
    for attempt in db.scalars(moved).all():
        quiz = (attempt.course, attempt.lesson)
        if attempt.is_open and quiz in open_ones:
            submit(db, catalog, attempt)
        highest[quiz] = attempt.number = highest.get(quiz, 0) + 1
        attempt.user_id = user.id
    db.flush()
    extend_deadlines(db, user)
