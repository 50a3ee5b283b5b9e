"""Submissions: what a student sent, word for word, and everything one may ask about it."""

import hashlib
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal
from typing import cast as known_as

from sqlalchemy import (
    JSON,
    CheckConstraint,
    ColumnElement,
    ForeignKey,
    Index,
    LargeBinary,
    String,
    Table,
    UniqueConstraint,
    and_,
    bindparam,
    cast,
    column,
    delete,
    exists,
    func,
    insert,
    not_,
    select,
    table,
    text,
    update,
)
from sqlalchemy import Text as PlainText
from sqlalchemy.engine import Connection
from sqlalchemy.orm import Mapped, Session, aliased, mapped_column

from app.db import Base, Moment, Statement, as_read, now, read_id
from app.people.belongings import Belonging, Row, exported, plain, register, take_over, wrote
from app.people.permission import Wish
from app.people.quota import add_stored, stored_bytes
from app.people.readers import Work, may_read
from app.people.users import Role, User
from app.practice.gradings import TABLE as GRADINGS
from app.practice.gradings import Grading, kept_bytes, outcome, unfinished
from app.practice.sheets import CaseSheet, read_cases, sheets_of, whole_rows
from app.queue.turns import Waiting
from app.reading.snapshots import Snapshot
from app.web.errors import Conflict, Invalid, NotFound
from graders.exercise.definition import Exercise
from graders.exercise.own_input import input_faults, read_inputs
from graders.exercise.reader import framework_mark
from graders.frameworks import FRAMEWORKS
from graders.reasons.trace import Trace
from graders.verdict import CaseResult, PublicSubmission, State, SubmissionResult, Verdict

SubmissionKind = Literal["submit", "run", "trace"]
Which = Literal["submissions", "runs", "all"]  # of a history; traces are among the runs
KNOWN_AFTER = timedelta(days=1)  # a guest who has been here as long is no newcomer
# A best time is kept of whatever is accepted for credit (app/practice/standings.py, which imports this module).
_BEST = table("best_time", column("user_id"))
MANY = 1000  # ids in one statement; PostgreSQL takes 65,535, SQLite about half of that
KEPT_RUNS = 20  # of a person and exercise, the newest runs and traces: they earn no credit


class InvalidInput(Invalid):
    """An input of one's own that cannot be read: `faults` says what is wrong, by argument."""

    def __init__(self, message: str, hint: str, faults: Mapping[str, str]) -> None:
        super().__init__(message, hint)
        self.faults = faults


class Submission(Base):
    """Never changed once written."""

    __tablename__ = "submission"
    __table_args__ = (
        CheckConstraint("kind IN ('submit', 'run', 'trace')", "kind"),
        CheckConstraint("(idempotency_key IS NULL) = (body_hash IS NULL)", "key_has_body_hash"),
        UniqueConstraint("user_id", "idempotency_key", name="uq_submission_user_id_idempotency_key"),
        Index("ix_submission_user_id_id", "user_id", "id"),
        Index("ix_submission_user_id_exercise", "user_id", "exercise", "id"),
        Index("ix_submission_user_id_created_at", "user_id", "created_at"),
        # The runs and traces alone: those to be let go are found however many submissions are between them.
        Index(
            "ix_submission_runs", "user_id", "exercise", "id",
            sqlite_where=text("kind <> 'submit'"), postgresql_where=text("kind <> 'submit'"),
        ),
        # What retention walks: what is not erased yet, however much is.
        Index(
            "ix_submission_unerased", "id",
            sqlite_where=text("erased_at IS NULL"), postgresql_where=text("erased_at IS NULL"),
        ),
        {"sqlite_autoincrement": True},  # an id once given is never given again
    )  # fmt: skip

    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("user_account.id", ondelete="CASCADE"))
    snapshot_id: Mapped[int] = mapped_column(ForeignKey("snapshot.id"))
    exercise: Mapped[str] = mapped_column(String(120))
    framework: Mapped[str] = mapped_column(String(16))
    kind: Mapped[str] = mapped_column(String(8))
    source: Mapped[bytes] = mapped_column(LargeBinary)
    inputs: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    case_name: Mapped[str | None] = mapped_column(String(200))  # of a trace: which sample case; None: the first
    idempotency_key: Mapped[str | None] = mapped_column(String(200))
    body_hash: Mapped[str | None] = mapped_column(String(64))
    created_at: Mapped[datetime] = mapped_column(Moment, default=now)
    erased_at: Mapped[datetime | None] = mapped_column(Moment)  # its source: app/practice/old_sources.py


@dataclass(frozen=True)
class Order:
    """What someone asks to have judged, checked against the exercise."""

    exercise: str
    source: bytes
    framework: str
    kind: SubmissionKind
    inputs: Mapping[str, Any] | None
    case_name: str | None = None  # of a trace

    def __post_init__(self) -> None:
        """The code has one table of frameworks, which a check in the database would repeat. Raises ValueError for one
        that is not there."""
        if self.framework not in FRAMEWORKS:
            raise ValueError(f"{self.framework!r} is not a framework: {', '.join(FRAMEWORKS)}")

    @property
    def stored_bytes(self) -> int:
        """What its row will hold of what was sent."""
        return len(self.source) + stored_bytes(self.inputs)

    @property
    def body_hash(self) -> str:
        parts = [self.exercise, self.source.hex(), self.framework, self.kind, self.inputs and dict(self.inputs)]
        if self.case_name is not None:
            parts.append(self.case_name)
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True)
class Shown:
    """A submission with its newest grading, as a page and the API show it."""

    submission: Submission
    grading: Grading
    exercise_hash: str
    sheet: Sequence[Mapping[str, Any]] | None = None  # app/practice/sheets.py
    queue_position: int | None = None
    results: tuple[CaseResult, ...] | None = None  # where they are at hand: they are not read from the row

    @property
    def id(self) -> int:
        return self.submission.id

    @property
    def source(self) -> str:
        return self.submission.source.decode("utf-8", "replace")

    @property
    def is_finished(self) -> bool:
        return self.grading.state == State.finished

    @property
    def verdict(self) -> Verdict | None:
        return Verdict(self.grading.verdict) if self.grading.verdict else None

    @property
    def cases(self) -> tuple[CaseResult, ...]:
        return read_cases(self.grading.cases, self.sheet) if self.results is None else self.results

    @property
    def trace(self) -> Trace | None:
        return Trace.from_row(self.grading.trace) if self.grading.trace else None

    def public(self) -> dict[str, Any]:
        """Its JSON, everywhere the same."""
        grading, submission, trace = self.grading, self.submission, self.trace
        return PublicSubmission(
            id=submission.id,
            exercise=submission.exercise,
            exercise_hash=self.exercise_hash,
            framework=submission.framework,
            kind=submission.kind,
            state=grading.state,
            created_at=submission.created_at,
            cases=self.cases,
            verdict=grading.verdict,
            score=grading.score,
            summary=grading.summary,
            diagnosis=grading.diagnosis,
            mistake=grading.mistake,
            queue_position=self.queue_position,
            trace=trace.public() if trace else None,
        ).json()


@dataclass(frozen=True)
class Listed:
    """A line in a list of submissions."""

    id: int
    exercise: str
    framework: str
    kind: str
    created_at: datetime
    state: str
    verdict: str | None
    score: float | None
    started_at: datetime | None
    finished_at: datetime | None
    has_own_input: bool = False

    @property
    def judged_ms(self) -> float | None:
        """From when a worker took it until its verdict; None for what needed no judge, or has none yet."""
        if self.started_at is None or self.finished_at is None:
            return None
        return (self.finished_at - self.started_at).total_seconds() * 1000


def read_order(
    exercise: Exercise,
    source: str,
    framework: str | None = None,
    kind: SubmissionKind = "submit",
    inputs: Mapping[str, Any] | None = None,
    case_name: str | None = None,
) -> Order:
    """Raises Invalid. `inputs` names a value for each argument, as literal text or as JSON."""
    mark = framework_mark(source)
    framework = framework or (mark if mark in exercise.frameworks else exercise.frameworks[0])
    if framework not in exercise.frameworks:
        raise Invalid(
            f"framework: this exercise is not offered in {framework}.", f"Use one of {', '.join(exercise.frameworks)}."
        )
    if inputs is not None:
        if kind == "submit":
            raise Invalid("input: only a run or a trace takes your own input.", 'Send "kind": "run" with it.')
        try:
            read_inputs(exercise, inputs)
            _require_json(inputs)
        except (ValueError, RecursionError, MemoryError) as error:
            signature = exercise.signature.text(exercise.entry)
            raise InvalidInput(
                f"input: {error}", f"The signature is {signature}.", input_faults(exercise, inputs)
            ) from None
    if case_name is not None and (kind != "trace" or inputs is not None):
        raise Invalid(
            "case: only a trace takes a case, and it takes either a case or an input.",
            'Send "kind": "trace" with one of the two.',
        )
    if case_name is not None and not case_name.isprintable():  # nor could a database keep it
        raise Invalid("case: there is no sample case of this name.", "Write the name exactly as the exercise shows it.")
    # JSON can say half a surrogate pair: it is kept as said, and the judge finds that it is no UTF-8.
    return Order(exercise.slug, source.encode("utf-8", "surrogatepass"), framework, kind, inputs, case_name)


def earlier(db: Session, user: User, key: str | None, order: Order) -> int | None:
    """The submission that this idempotency key already made. Raises Conflict when it was for something else."""
    if key is None:
        return None
    held = select(Submission.id, Submission.body_hash).where(
        Submission.user_id == user.id, Submission.idempotency_key == key
    )
    row = db.execute(held).one_or_none()
    if row is None:
        return None
    if row.body_hash != order.body_hash:
        raise Conflict(
            "This Idempotency-Key was already used for a different request.", "Use a new key for a new submission."
        )
    return int(row.id)


def submit(
    db: Session,
    user: User,
    order: Order,
    snapshot_id: int,
    key: str | None,
    result: SubmissionResult | None = None,
    *,
    neighbourhood: str | None = None,
) -> tuple[Submission, Grading]:
    """A submission and its grading, waiting; or finished at once when the `result` needs no judge.

    Written as tables, for a student waits; what is returned says what the rows hold, and writes nothing by itself."""
    sent = {
        "user_id": user.id,
        "snapshot_id": snapshot_id,
        "exercise": order.exercise,
        "framework": order.framework,
        "kind": order.kind,
        "source": order.source,
        "inputs": dict(order.inputs) if order.inputs is not None else None,
        "case_name": order.case_name,
        "idempotency_key": key,
        "body_hash": order.body_hash if key is not None else None,
        "created_at": now(),
    }
    submission = as_read(Submission, {"id": _inserted(db, _INSERT, sent), **sent})
    graded = {"submission_id": submission.id, "attempt": 0, "cases": [], "queued_at": now()}
    if result is None:
        graded |= {"state": State.queued, "neighbourhood": neighbourhood}
        insert_grading = _INSERT_WAITING
    else:
        final = outcome(result, whole_rows(result.cases))
        graded |= {"state": State.finished, "finished_at": now(), **final}
        insert_grading = _INSERT_FINISHED
    grading = as_read(Grading, {"id": _inserted(db, insert_grading, graded), **graded})
    add_stored(db, user.id, order.stored_bytes + (kept_bytes(result, None) if result else 0))
    return submission, grading


_COLUMNS = (
    "user_id", "snapshot_id", "exercise", "framework", "kind", "source", "inputs", "case_name", "idempotency_key",
    "body_hash", "created_at",
)  # fmt: skip
_INSERT = Statement(insert(known_as(Table, Submission.__table__)), _COLUMNS)
_WAITING = ("submission_id", "attempt", "cases", "queued_at", "state", "neighbourhood")
_INSERT_WAITING = Statement(insert(GRADINGS), _WAITING)
_FINISHED = (
    "submission_id", "attempt", "cases", "queued_at", "state", "finished_at", "verdict", "score", "summary",
    "diagnosis", "mistake",
)  # fmt: skip
_INSERT_FINISHED = Statement(insert(GRADINGS), _FINISHED)


def _inserted(db: Session, statement: Statement, row: Mapping[str, Any]) -> int:
    """The number of the new row."""
    key = statement.run(db, row).key
    assert key is not None
    return int(key)


def let_go_of_runs(db: Session, user: User, exercise: str) -> None:
    """Deletes what is judged of this person's runs and traces of an exercise, but the newest KEPT_RUNS less one."""
    runs = (Submission.user_id == user.id, Submission.exercise == exercise, text("submission.kind <> 'submit'"))
    # in the words of the index; a few at a time, for the sender waits for it
    oldest = select(Submission.id).where(*runs).order_by(Submission.id.desc()).offset(KEPT_RUNS - 1).limit(50)
    ids = list(db.scalars(oldest))
    if not ids:
        return
    unjudged = select(Grading.submission_id).where(Grading.submission_id.in_(ids), Grading.state != State.finished)
    ids = sorted(set(ids) - set(db.scalars(unjudged)))
    sizes = select(func.sum(lengths_of(Submission.source, Submission.inputs))).where(Submission.id.in_(ids))
    judged = select(func.sum(lengths_of(Grading.cases, Grading.trace))).where(Grading.submission_id.in_(ids))
    add_stored(db, user.id, -((db.scalar(sizes) or 0) + (db.scalar(judged) or 0)))
    db.execute(delete(Submission).where(Submission.id.in_(ids)).execution_options(synchronize_session=False))


def lengths_of(*columns: Any) -> ColumnElement[int]:
    """Bytes, as `stored_bytes` counts them: JSON is ASCII in both databases, and kept as it was written."""
    lengths = [func.length(one if one is Submission.source else cast(one, PlainText)) for one in columns]
    return func.coalesce(lengths[0], 0) + func.coalesce(lengths[1], 0)


def load_submission(db: Session, id: int | str, viewer: User | None) -> Shown:
    """The one door to a submission: its author and staff pass, and whom `people/readers.py` lets read what was sent for
    credit. Raises NotFound, for what is not yours too."""
    missing = NotFound(
        "There is no such submission, or it is not yours.",
        "Sign in as the person who sent it." if viewer is None or viewer.is_guest else None,
    )
    number = read_id(id)
    if number is None or viewer is None:
        raise missing
    shown = find_shown(db, number)
    if shown is None or not _may_read(db, viewer, shown.submission):
        raise missing
    return shown


def find_shown(db: Session, number: int) -> Shown | None:
    """No matter whose it is: for those who have a door of their own before it."""
    seen = (
        select(Submission, Grading, Snapshot.content_hash, CaseSheet.cases)
        .join(Grading, _latest_grading())
        .join(Snapshot, Snapshot.id == func.coalesce(Grading.snapshot_id, Submission.snapshot_id))
        .outerjoin(CaseSheet, CaseSheet.id == Grading.sheet_id)
        .where(Submission.id == number)
    )
    row = db.execute(seen).one_or_none()
    return Shown(*row) if row is not None else None


def _may_read(db: Session, viewer: User, sent: Submission) -> bool:
    """attack: read what a student tries out before they hand it in. defence: runs and traces are not
    handed in."""
    work = Work(sent.user_id, "exercise", sent.exercise)
    return may_read(db, viewer, Wish.read_submission, work, is_handed_in=sent.kind == "submit")


def submissions_of(
    db: Session,
    user: User | None,
    *,
    exercise: str | None = None,
    which: Which = "all",
    before: int | None = None,
    limit: int = 50,
) -> list[Listed]:
    """Newest first; `before` is the id that the page before ended with."""
    if user is None:
        return []
    lines = (
        select(
            Submission.id,
            Submission.exercise,
            Submission.framework,
            Submission.kind,
            Submission.created_at,
            Grading.state,
            Grading.verdict,
            Grading.score,
            Grading.started_at,
            Grading.finished_at,
            Submission.inputs.is_not(None),
        )
        .join(Grading, _latest_grading())
        .where(Submission.user_id == user.id)
    )
    if exercise is not None:
        lines = lines.where(Submission.exercise == exercise)
    if which != "all":  # in the words of the index of runs
        lines = lines.where(
            text("submission.kind = 'submit'" if which == "submissions" else "submission.kind <> 'submit'")
        )
    if before is not None:
        lines = lines.where(Submission.id < before)
    found: Sequence[Any] = db.execute(lines.order_by(Submission.id.desc()).limit(limit)).all()
    return [Listed(*row) for row in found]


def neighbours(db: Session, of: Submission) -> tuple[int | None, int | None]:
    """The ids of what the same person sent for the same exercise just before and just after."""
    same = (Submission.user_id == of.user_id, Submission.exercise == of.exercise)
    return (
        db.scalar(select(func.max(Submission.id)).where(*same, Submission.id < of.id)),
        db.scalar(select(func.min(Submission.id)).where(*same, Submission.id > of.id)),
    )


def waiting(db: Session | Connection, grading_ids: Collection[int] | None = None) -> list[Waiting]:
    """Everything that waits to be judged, or only these gradings; oldest first."""
    sent = (Submission.user_id, Submission.exercise, Submission.kind, Submission.inputs.is_not(None))
    columns = (Grading.id, Grading.submission_id, *sent, Grading.neighbourhood, _is_newcomer(), Submission.framework)
    rows = unfinished(*columns).where(Grading.state == State.queued)
    rows = rows.join(Submission, Submission.id == Grading.submission_id).join(User, User.id == Submission.user_id)
    if grading_ids is not None and len(grading_ids) <= MANY:
        rows = rows.where(Grading.id.in_(grading_ids))
    wanted = frozenset(grading_ids) if grading_ids is not None else None
    return [
        Waiting(id, sent, person, None, exercise, kind, bool(own), near or "", bool(is_new), framework)
        for id, sent, person, exercise, kind, own, near, is_new, framework in db.execute(rows.order_by(Grading.id))
        if wanted is None or id in wanted
    ]


def has_history(db: Session, user: User) -> bool:
    """Whether this person is more than a name: an account, a guest with something accepted, or one of yesterday."""
    if not user.is_guest or user.created_at < now() - KNOWN_AFTER:
        return True
    return bool(_SOLVED.run(db, {"person": user.id}).rows)


_SOLVED = Statement(select(_BEST.c.user_id).where(_BEST.c.user_id == bindparam("person")).limit(1))


def _is_newcomer() -> ColumnElement[bool]:
    """The opposite of `has_history`, of the user in the statement."""
    solved = exists(select(_BEST.c.user_id).where(_BEST.c.user_id == User.id))
    return and_(User.role == Role.guest, User.created_at >= now() - KNOWN_AFTER, not_(solved))


def _latest_grading() -> ColumnElement[bool]:
    """Joins a submission with the newest of its gradings."""
    newest = select(func.max(Grading.id)).where(Grading.submission_id == Submission.id).correlate(Submission)
    return Grading.id == newest.scalar_subquery()


def _require_json(inputs: Mapping[str, Any]) -> None:
    """Python reads NaN and Infinity in JSON, which has neither, as PostgreSQL says aloud. Raises ValueError."""
    try:
        json.dumps(inputs, allow_nan=False)
    except ValueError:
        raise ValueError('JSON has no NaN or Infinity. Send the literal as text instead: "[-inf, nan]".') from None


def _exported(db: Session, user_id: int) -> Iterator[Row]:
    """Each with all its gradings, in the words of its page: a hidden case's inputs and values are in neither."""
    last = 0
    while True:
        page = select(Submission, Snapshot.content_hash).join(Snapshot, Snapshot.id == Submission.snapshot_id)
        page = page.where(Submission.user_id == user_id, Submission.id > last).order_by(Submission.id)
        sent = db.execute(page.limit(EXPORTED_AT_A_TIME)).all()
        if not sent:
            return
        gradings: dict[int, list[Grading]] = {}
        judged = select(Grading).where(Grading.submission_id.in_([one.id for one, _ in sent])).order_by(Grading.id)
        for grading in db.scalars(judged):
            gradings.setdefault(grading.submission_id, []).append(grading)
        sheets = sheets_of(db, [one.sheet_id for some in gradings.values() for one in some])
        for submission, exercise_hash in sent:
            last = submission.id
            shown = [
                Shown(submission, grading, exercise_hash, sheets[grading.sheet_id])
                for grading in gradings.get(submission.id, [])
            ]
            yield {
                **exported(submission, LEFT_OUT),
                "exercise_hash": exercise_hash,
                "gradings": [_grading(one) for one in shown],
            }
        db.expunge_all()


def _grading(shown: Shown) -> Row:
    public = shown.public()
    of_grading = ("state", "verdict", "score", "summary", "diagnosis", "mistake", "cases", "trace")
    measured = ("wall_ms", "peak_mb", "queued_at", "started_at", "finished_at")
    return {
        **{name: public[name] for name in of_grading if name in public},
        **{name: plain(getattr(shown.grading, name)) for name in measured},
    }


def _merge(db: Session, catalog: Any, guest: User, user: User) -> None:
    theirs = aliased(Submission)
    same_key = theirs.idempotency_key == Submission.idempotency_key
    clash = exists(select(theirs.id).where(theirs.user_id == user.id, same_key))
    keyless = update(Submission).where(Submission.user_id == guest.id, clash)
    db.execute(keyless.values(idempotency_key=None, body_hash=None).execution_options(synchronize_session=False))
    take_over(Submission)(db, catalog, guest, user)


LEFT_OUT = frozenset({"snapshot_id", "body_hash"})
EXPORTED_AT_A_TIME = 20  # a source and its trace may take a megabyte
register(
    Belonging(
        50,
        "submissions",
        "Submissions, runs and traces",
        "Your exact code and every verdict: an acknowledged submission is never lost. For runs and traces, only "
        "the newest 20 of each exercise.",
        Submission,
        LEFT_OUT,
        _exported,
        merge=_merge,
        worked=wrote(Submission.user_id, Submission.created_at),
    )
)
