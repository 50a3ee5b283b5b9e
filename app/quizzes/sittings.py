"""Sittings: each one taking of a quiz, from its start to its submission. Its pages call it an attempt.

A sitting asks the questions of the snapshot that was current when it began, each in a variant of its own: editing the
course changes nothing in it, then or later. Its deadline is a moment on the server's clock. After it, the first look at
the sitting closes it, and a sweep closes what nobody looks at (`app.sweep`); either way it counts as it stood then.

A writer here holds the person alone (`identity.require_user`, `hold`), so that of two tabs, two clicks, or a click
and the deadline, one comes first and the other finds it done.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
    Text,
    UniqueConstraint,
    exists,
    false,
    func,
    or_,
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
from app.people.permission import Wish
from app.people.quota import add_stored, stored_bytes
from app.people.readers import Work, may_read
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
from app.quizzes.terms import QuizTerms, terms_of, untold_to
from app.reading.catalog import Catalog
from app.reading.lessons import mark_read
from app.state import AppState, require_room
from app.web.errors import Conflict, Forbidden, NotFound

log = structlog.get_logger("lectern.quizzes")

GRACE = timedelta(seconds=5)  # what was sent in time may arrive this much later
DRAWS = 16
DAY_SECONDS = 86_400
# attack: sit a quiz that does not count ten thousand times, and each start reads them all, until there are more than a
# statement has room for. defence: a start reads the last ones alone.
LOOKED_BACK = 50
RESPONSE_BYTES = 256  # of a response's row beside what is typed into it, which is counted as the answer it becomes


# Called with each sitting that is submitted, in its transaction, by rooms that this one does not know.
Submitted = Callable[[Session, Catalog, "Sitting"], None]
_on_submitted: list[Submitted] = []


def on_submitted(listener: Submitted) -> None:
    _on_submitted.append(listener)


class NoAccessCode(Forbidden):
    """A class asks for a code before this quiz is begun, and it was not this one."""


class Sitting(Base):
    """`number` counts a person's sittings of a quiz from 1. `questions`: how many it asks; `points`: what they come to;
    `score`: how many of these were earned; `waiting`: how many answers a person has yet to grade; `was_guests`: it was
    begun by a guest who has signed in since. `met`: the classes whose terms it met when it began (`QuizTerms.met`), as
    `,3,14,`; None where that was not noted yet."""

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
    was_guests: Mapped[bool] = mapped_column(default=False, server_default=false())
    met: Mapped[str | None] = mapped_column(Text)

    @property
    def is_open(self) -> bool:
        return self.submitted_at is None

    def is_due(self, at: datetime | None = None) -> bool:
        """Whether it is still open and its time, with the grace, is over."""
        return self.is_open and self.deadline_at is not None and (at or now()) > self.deadline_at + GRACE

    @property
    def counts_down(self) -> bool:
        """Whether its seconds are worth a clock: not where a class closes the quiz in a week."""
        left = self.remaining_seconds()
        return left is not None and (self.time_limit_seconds is not None or left <= DAY_SECONDS)

    def remaining_seconds(self) -> float | None:
        if self.deadline_at is None or not self.is_open:
            return None
        return max(0.0, (self.deadline_at - now()).total_seconds())


# ---- whose ----------------------------------------------------------------------------------------------------


def require_sitting(db: Session, viewer: User | None, id: str, *, writes: bool = False) -> Sitting:
    """The sitting, if it is this person's own; staff may read any that is submitted, and so may whom
    `people/readers.py` lets. Raises NotFound."""
    number = read_id(id)
    sitting = db.get(Sitting, number) if number is not None else None
    if sitting is not None:
        reads = not (sitting.is_open or writes)
        wish = Wish.read_submitted_sitting if reads else Wish.answer_sitting
        work = Work(sitting.user_id, "quiz", sitting.lesson, sitting.course)
        if may_read(db, viewer, wish, work, is_handed_in=reads):
            return sitting
    raise NotFound("There is no such attempt.", "Your attempts are listed on the page of each quiz.")


def begun_by(db: Session, user: User | None, course: str, lesson: str) -> int:
    """How many sittings of this quiz this person has begun: the number of the last one."""
    if user is None:
        return 0
    return db.scalar(select(func.max(Sitting.number)).where(*of_quiz(user, course, lesson))) or 0


def has_met(met: str | None, class_id: int) -> bool:
    """Whether a sitting met this class's terms when it began. One that is older than the note of it did, as far as
    anybody knows."""
    return met is None or f",{class_id}," in met


def met_in(class_id: int) -> ColumnElement[bool]:
    """As `has_met`, for what a statement asks for."""
    return or_(Sitting.met.is_(None), Sitting.met.contains(f",{class_id},", autoescape=True))


def of_quiz(user: User, course: str, lesson: str) -> tuple[ColumnElement[bool], ...]:
    """What a statement asks for where it asks for this person's sittings of this quiz."""
    return Sitting.user_id == user.id, Sitting.course == course, Sitting.lesson == lesson


# ---- start ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Allowance:
    """How many sittings of a quiz one person may have, how many of these are left, and the number of the last that
    counts. None: as many as they like."""

    allowed: int | None = None
    left: int | None = None
    last: int | None = None


def allowance_of(db: Session, user: User | None, lesson: Lesson, terms: QuizTerms, at: datetime) -> Allowance:
    """By the quiz's own terms, or by those of the class that allows most. A class that says how many counts those that
    were begun since it opened the quiz there, and with its code: what was practised before takes none away."""
    begun = begun_by(db, user, lesson.course_slug, lesson.slug)
    found = []
    for one in terms.open_at(at) or (None,):
        allowed, before = (lesson.attempts, 0) if one is None else (one.allowed(lesson.attempts), 0)
        if one is not None and one.attempts is not None and user is not None:
            uncounted = []
            if one.opens_at is not None:
                uncounted.append(Sitting.started_at < one.opens_at)
            if one.access_code is not None:
                uncounted.append(~met_in(one.class_id))
            earlier = select(func.count()).select_from(Sitting).where(*of_quiz(user, *one.quiz))
            before = (db.scalar(earlier.where(or_(*uncounted))) or 0) if uncounted else 0
        if allowed is None:
            return Allowance()
        found.append(Allowance(allowed, max(0, allowed - (begun - before)), allowed + before))
    return max(found, key=lambda one: one.left or 0)


def start_sitting(
    db: Session, user: User, state: AppState, lesson: Lesson, code: str = "", *, address: str | None = None
) -> tuple[Sitting, bool]:
    """(the open sitting of this quiz, whether it was begun just now). `code`: what their class asks for before it is
    begun. The person is held alone. Raises RateLimited, TooLarge, NoAccessCode, and Conflict when none is left, or it
    is not open yet."""
    state.limits.spend("sitting", person=user.id)
    require_room(state, user, 0)
    mine = of_quiz(user, lesson.course_slug, lesson.slug)
    for sitting in db.scalars(select(Sitting).where(*mine, Sitting.submitted_at.is_(None))).all():
        if not sitting.is_due():
            return sitting, False
        submit(db, state.catalog, sitting)
    at = now()
    terms = terms_of(db, user, lesson.course_slug, lesson.slug)
    if opens_at := terms.opens_at(at):
        raise Conflict(
            f"This quiz opens in your class at {opens_at:%H:%M} UTC on {opens_at.day} {opens_at:%B %Y}.",
            "Come back then. Its dates are on the page of your class.",
        )
    allowance = allowance_of(db, user, lesson, terms, at)
    if allowance.left == 0:
        times = "your only attempt" if allowance.allowed == 1 else f"all {allowance.allowed} attempts"
        raise Conflict(
            f"You have used {times} at this quiz.", "Your attempts are listed on its page, each with its score."
        )
    if not lesson.questions:
        raise Conflict("This quiz has no question that can be asked.", "Tell your instructor.")
    if terms.codes(at):
        _require_code(state, user, terms, code, at, address)
    begun = begun_by(db, user, lesson.course_slug, lesson.slug)
    snapshot_id = state.catalog.course_snapshot_ids[lesson.course_slug]
    sitting = _new_sitting(db, user, lesson, snapshot_id, begun + 1, at, terms.closes_at(at))
    sitting.met = f",{','.join(map(str, terms.met(code, at)))},"
    _ask(db, user, sitting, lesson)
    db.flush()
    return sitting, True


def _require_code(state: AppState, user: User, terms: QuizTerms, code: str, at: datetime, address: str | None) -> None:
    """attack: begin an exam from home by trying codes. defence: few may be tried."""
    if not code.strip():
        raise NoAccessCode("This quiz asks for an access code.", "Your instructor tells it when the quiz begins.")
    state.limits.spend("access_code", person=user.id, address=address)
    if not terms.knows_code(code, at):
        raise NoAccessCode("This is not the access code.", "Check it letter by letter: capitals matter.")


def _new_sitting(
    db: Session, user: User, lesson: Lesson, snapshot_id: int, number: int, at: datetime, closes_at: datetime | None
) -> Sitting:
    limit = lesson.time_limit * 60 if lesson.time_limit is not None else None
    sitting = Sitting(
        user_id=user.id,
        course=lesson.course_slug,
        lesson=lesson.slug,
        snapshot_id=snapshot_id,
        number=number,
        time_limit_seconds=limit,
        started_at=at,
        deadline_at=_deadline(at, limit, user.time_multiplier, closes_at),
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


def _deadline(
    started_at: datetime, limit_seconds: int | None, multiplier: float, closes_at: datetime | None
) -> datetime | None:
    """When their time is up, or their class closes the quiz if that is earlier; None: never."""
    if limit_seconds is None:
        return closes_at
    ends_at = started_at + timedelta(seconds=limit_seconds * multiplier)
    return ends_at if closes_at is None else min(ends_at, closes_at)


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
    """Of this person's open sittings, where the time that they are given, or their class's dates, now end later."""
    extended = 0
    for sitting in db.scalars(select(Sitting).where(Sitting.user_id == user.id, Sitting.submitted_at.is_(None))).all():
        if sitting.deadline_at is None or sitting.is_due():
            continue
        terms = terms_of(db, user, sitting.course, sitting.lesson)
        counts = bool(terms.open_at(sitting.started_at))
        if sitting.time_limit_seconds is None and not counts:
            continue  # no class says any more when it ends: it ends when it was to
        closes_at = terms.closes_at(sitting.started_at)
        deadline = _deadline(sitting.started_at, sitting.time_limit_seconds, user.time_multiplier, closes_at)
        if deadline is None or deadline > sitting.deadline_at:
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
    for listener in _on_submitted:
        listener(db, catalog, sitting)


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
        sitting.user_id, sitting.was_guests = user.id, True
    db.flush()
    extend_deadlines(db, user)


def _exported(db: Session, user_id: int) -> Iterator[Row]:
    """Each sitting with what was saved in it, question by question; what is told later comes along later."""
    untold = untold_to(db, user_id, now())
    mine = select(Sitting).where(Sitting.user_id == user_id).order_by(Sitting.id)
    for sitting in db.scalars(mine).all():
        left_out = {"sitting_id"} | (TOLD_LATER if (sitting.course, sitting.lesson) in untold else frozenset())
        responses = [exported(response, frozenset(left_out)) for response in responses_of(db, sitting.id)]
        yield {**exported(sitting, LEFT_OUT), "responses": responses}


def _saved_since(start: datetime) -> ColumnElement[bool]:
    saved = select(SittingResponse.sitting_id).join(Sitting, Sitting.id == SittingResponse.sitting_id)
    return exists(saved.where(Sitting.user_id == User.id, SittingResponse.saved_at >= start))


LEFT_OUT = frozenset({"snapshot_id"})
TOLD_LATER = frozenset({"correct", "score", "comment", "graded_at"})
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
