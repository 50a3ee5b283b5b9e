"""Regradings: what a class sent to an exercise is judged by another of its revisions, first on paper alone.

A dry run judges every submission again, after students' own, and says who would gain and who would lose. Nothing is
live until it is applied: then what it has found counts, for all ("new") or for those who gain ("better"). Taken back,
every verdict is again what it was.

    queued ──▶ running ──▶ finished ──▶ applied
                                 ▲          │
                                 └──────────┘  taken back

Rows are the truth: a server that ends goes on where it was (`regrader.py`). Quizzes are regraded by a ruling
(`rulings.py`), in the same states and the same tables.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import JSON, CheckConstraint, Double, ForeignKey, Index, String, delete, func, select, text, update
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.classes.classes import MISSING, Class, Enrolment, Member, require_member
from app.classes.gradebook import GradebookCell
from app.classes.leases import UNFINISHED
from app.classes.letters import regraded
from app.classes.rights import ClassRole, Right
from app.classes.rulings import Ruling, read_ruling, ruled, take_outcome_back, write_outcome
from app.content.reading import Unsound
from app.db import Base, Database, Moment, now, read_id
from app.people.audit import note
from app.people.belongings import Belonging, register, take_over
from app.people.identity import Caller
from app.people.users import User, hold
from app.practice.efforts import recount
from app.practice.gradings import Grading
from app.practice.replacements import Replaced, newest_gradings, replace_verdict, restore_verdict
from app.practice.submissions import Submission
from app.queue.messages import finished_from_row
from app.quizzes.sittings import Sitting, on_submitted
from app.reading.catalog import Catalog
from app.reading.snapshots import keep, snapshots_of
from app.state import state_of
from app.teaching.revisions import files_of, revision_of
from app.teaching.subjects import subject_of
from app.web.errors import Conflict, Forbidden, Invalid, NotFound
from graders.grade import Finished
from graders.text import storable
from graders.verdict import State as GradingState
from graders.verdict import Verdict

State = Literal["queued", "running", "finished", "failed", "applied"]
Keep = Literal["better", "new"]
AT_ONCE = 100  # verdicts in one transaction: who submits meanwhile waits for no more
MOST = 20_000  # submissions of one regrading
MAX_MESSAGE = 500


class Regrading(Base):
    """`revision`: the content hash that is judged by, kept as a snapshot; for a quiz, `ruling` says what was decided.
    `owner` and `leased_until`: which process works on it. `message`: a sentence for those whose score has changed."""

    __tablename__ = "regrading"
    __table_args__ = (
        CheckConstraint("kind IN ('exercise', 'quiz')", "kind"),
        CheckConstraint("state IN ('queued', 'running', 'finished', 'failed', 'applied')", "state"),
        CheckConstraint("keep IN ('better', 'new')", "keep"),
        Index("ix_regrading_class_id", "class_id", "id"),
        Index("ix_regrading_unfinished", "id", sqlite_where=UNFINISHED, postgresql_where=UNFINISHED),
        Index("ix_regrading_created_by_id", "created_by_id"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    class_id: Mapped[int] = mapped_column(ForeignKey("class.id", ondelete="CASCADE"))
    kind: Mapped[str] = mapped_column(String(16))
    slug: Mapped[str] = mapped_column(String(120))
    revision: Mapped[str | None] = mapped_column(String(64))
    snapshot_id: Mapped[int | None] = mapped_column(ForeignKey("snapshot.id"))
    ruling: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    state: Mapped[str] = mapped_column(String(16), default="queued")
    why: Mapped[str] = mapped_column(String(500), default="", server_default="")
    message: Mapped[str] = mapped_column(String(MAX_MESSAGE), default="", server_default="")
    keep: Mapped[str | None] = mapped_column(String(8))
    created_by_id: Mapped[int | None] = mapped_column(ForeignKey("user_account.id", ondelete="SET NULL"))
    created_at: Mapped[datetime] = mapped_column(Moment, default=now)
    applied_at: Mapped[datetime | None] = mapped_column(Moment)
    owner: Mapped[str | None] = mapped_column(String(32))
    leased_until: Mapped[datetime | None] = mapped_column(Moment)


class RegradingItem(Base):
    """A submission or a quiz attempt. `before_id`: the grading that counted when it began. `result`: what the dry run
    found, as it is stored once it is applied, and the `snapshot_id` that it was judged by. `undo`: what takes it back;
    None where nothing was changed."""

    __tablename__ = "regrading_item"
    __table_args__ = (
        Index("ix_regrading_item_user_id", "user_id"),
        Index("ix_regrading_item_submission_id", "submission_id"),
        Index("ix_regrading_item_sitting_id", "sitting_id"),
        Index(
            "ix_regrading_item_left", "regrading_id", "id",
            sqlite_where=text("result IS NULL"), postgresql_where=text("result IS NULL"),
        ),
    )  # fmt: skip

    regrading_id: Mapped[int] = mapped_column(ForeignKey("regrading.id", ondelete="CASCADE"), primary_key=True)
    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)  # of the submission or the sitting
    user_id: Mapped[int] = mapped_column(ForeignKey("user_account.id", ondelete="CASCADE"))
    submission_id: Mapped[int | None] = mapped_column(ForeignKey("submission.id", ondelete="CASCADE"))
    sitting_id: Mapped[int | None] = mapped_column(ForeignKey("sitting.id", ondelete="CASCADE"))
    before_id: Mapped[int | None]
    before_verdict: Mapped[str | None] = mapped_column(String(32))
    before_score: Mapped[float] = mapped_column(Double)
    after_verdict: Mapped[str | None] = mapped_column(String(32))
    after_score: Mapped[float | None] = mapped_column(Double)
    result: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    undo: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))


@dataclass(frozen=True)
class Difference:
    """Whose score would change, or has. Scores are in [0, 1]."""

    id: int
    user: int
    before: float
    after: float
    before_verdict: str | None
    after_verdict: str | None


@dataclass(frozen=True)
class Standing:
    """A regrading with what it has found so far. `failed`: what could not be judged, and stays as it is."""

    regrading: Regrading
    total: int
    done: int
    gain: tuple[Difference, ...]
    lose: tuple[Difference, ...]
    same: int
    failed: int

    def as_json(self) -> dict[str, Any]:
        one = self.regrading
        what = "submission" if one.kind == "exercise" else "sitting"
        return {
            "id": one.id,
            "class": one.class_id,
            "kind": one.kind,
            "slug": one.slug,
            "revision": one.revision,
            "ruling": one.ruling,
            "state": one.state,
            "why": one.why or None,
            "keep": one.keep,
            "total": self.total,
            "done": self.done,
            "gain": [_public(difference, what) for difference in self.gain],
            "lose": [_public(difference, what) for difference in self.lose],
            "same": self.same,
            "failed": self.failed,
        }


def _public(difference: Difference, what: str) -> dict[str, Any]:
    return {
        what: difference.id,
        "user": difference.user,
        "before": difference.before,
        "after": difference.after,
        "before_verdict": difference.before_verdict,
        "after_verdict": difference.after_verdict,
    }


# ---- begun ----------------------------------------------------------------------------------------------------


def begin_regrading(db: Session, member: Member, catalog: Catalog, slug: str, revision: str) -> Regrading:
    """A dry run of this revision, published or not, over all that the class's students sent to the exercise for credit.
    Raises NotFound, Invalid, Conflict."""
    exercise = read_revision(db, catalog, slug, revision)
    require_none_under_way(db, member.class_, "exercise", slug)
    snapshot_id = keep(db, "exercise", exercise)
    row = Regrading(
        class_id=member.class_.id, kind="exercise", slug=slug, revision=revision, snapshot_id=snapshot_id,
        created_by_id=member.user.id,
    )  # fmt: skip
    db.add(row)
    db.flush()
    user_ids = _students_of(db, member.class_)
    items = []
    for start in range(0, len(user_ids), AT_ONCE):
        sent = select(Submission.id, Submission.user_id).where(
            Submission.user_id.in_(user_ids[start : start + AT_ONCE]), Submission.exercise == slug,
            Submission.kind == "submit", Submission.erased_at.is_(None),
        )  # fmt: skip
        items += [(id, user_id) for id, user_id in db.execute(sent)]
    if len(items) > MOST:
        raise Invalid(f"There are more than {MOST:,} submissions.", "Regrade in a class of its own.")
    for start in range(0, len(items), AT_ONCE):
        some = dict(items[start : start + AT_ONCE])
        for id, grading in newest_gradings(db, some).items():
            if grading.state != GradingState.finished or grading.verdict is None:
                continue  # it is judged by what is live when its turn comes
            db.add(
                RegradingItem(
                    regrading_id=row.id, id=id, submission_id=id, user_id=some[id], before_id=grading.id,
                    before_verdict=grading.verdict, before_score=grading.score or 0.0,
                )
            )  # fmt: skip
    db.flush()
    note(db, member.user, member.class_.as_thing, "regrading begun", {"exercise": slug, "revision": revision})
    return row


def begin_ruling(
    db: Session, member: Member, catalog: Catalog, slug: str, question: str, action: str, answer: Any
) -> Regrading:
    """A dry run of a ruling on a question of a quiz, over the submitted attempts of the class's students. It is
    finished at once. Raises NotFound, Invalid."""
    class_ = member.class_
    slug = slug.removeprefix(f"{class_.course}.")
    ruling = read_ruling(catalog, class_, slug, question, action, answer)
    row = Regrading(
        class_id=class_.id, kind="quiz", slug=slug, ruling=ruling.as_json(), state="finished",
        created_by_id=member.user.id,
    )  # fmt: skip
    db.add(row)
    db.flush()
    user_ids = _students_of(db, class_)
    for start in range(0, len(user_ids), AT_ONCE):
        taken = select(Sitting).where(
            Sitting.user_id.in_(user_ids[start : start + AT_ONCE]), Sitting.course == class_.course,
            Sitting.lesson == slug, Sitting.submitted_at.is_not(None),
        )  # fmt: skip
        for sitting in db.scalars(taken).all():
            db.add(_ruled_item(db, catalog, row, sitting, ruling))
    db.flush()
    note(db, member.user, class_.as_thing, "regrading begun", {"quiz": slug, "question": question, "action": action})
    return row


def _ruled_item(db: Session, catalog: Catalog, row: Regrading, sitting: Sitting, ruling: Ruling) -> RegradingItem:
    outcome = ruled(db, catalog, sitting, [ruling])
    before = (sitting.score or 0.0) / sitting.points if sitting.points else 0.0
    return RegradingItem(
        regrading_id=row.id, id=sitting.id, sitting_id=sitting.id, user_id=sitting.user_id, before_score=before,
        after_score=outcome.share, result={},
    )  # fmt: skip


def _students_of(db: Session, class_: Class) -> list[int]:
    students = select(Enrolment.user_id).where(Enrolment.class_id == class_.id, Enrolment.role == ClassRole.student)
    return sorted(db.scalars(students))


def read_revision(db: Session, catalog: Catalog, slug: str, revision: str) -> Any:
    """The exercise as a revision has it. Raises NotFound, Invalid."""
    subject = subject_of("exercise", slug)
    files = files_of(db, revision_of(db, subject, revision).id)
    try:
        read = catalog.read("exercise", slug, files)
    except Unsound as unsound:
        fault = unsound.fault
        raise Invalid(f"This revision cannot be judged by: {fault.message}", fault.hint) from None
    return read.exercise  # type: ignore[union-attr]


def require_none_under_way(db: Session, class_: Class, kind: str, slug: str) -> None:
    """Raises Conflict."""
    same = select(Regrading.id).where(Regrading.class_id == class_.id, Regrading.kind == kind, Regrading.slug == slug)
    if (id := db.scalar(same.where(UNFINISHED).limit(1))) is not None:
        raise Conflict(f"Regrading {id} of this {kind} is still under way.", "Wait until it is finished, or delete it.")


# ---- the door -------------------------------------------------------------------------------------------------


def require_regrading(db: Session, caller: Caller, id: int | str, *, writes: bool = False) -> tuple[Member, Regrading]:
    """The one door to a regrading: who may regrade in its class passes. Raises Unauthenticated, NotFound, Forbidden."""
    person = caller.require_viewer(db, writes=writes)
    number = read_id(id)
    row = db.get(Regrading, number, with_for_update={"key_share": True} if writes else None) if number else None
    enrolment = db.get(Enrolment, (row.class_id, person.id)) if row is not None else None
    if row is None or enrolment is None:
        raise NotFound("There is no such regrading, or it is not of a class of yours.", MISSING.hint)
    member = Member(db.get_one(Class, row.class_id), enrolment, person)
    if not member.may(Right.regrade):
        raise Forbidden("Only instructors of the class who may create classes regrade.", "Ask one of them.")
    if writes:
        state_of(caller.request).limits.spend("class", person=person.id, address=caller.address)
    return member, row


def require_regrader(db: Session, caller: Caller, class_id: int | str) -> Member:
    """Who may look at a class's regradings. Raises as `require_member`."""
    return require_member(db, caller, class_id, Right.regrade)


def regradings_of(db: Session, class_: Class) -> list[Regrading]:
    """The newest first."""
    return list(db.scalars(select(Regrading).where(Regrading.class_id == class_.id).order_by(Regrading.id.desc())))


def standing_of(db: Session, regrading: Regrading) -> Standing:
    item = RegradingItem
    of_it = item.regrading_id == regrading.id
    is_done = item.result.is_not(None)
    is_failed = item.after_verdict == Verdict.internal_error
    counted = select(func.count(), func.count().filter(is_done), func.count().filter(is_done, is_failed))
    total, done, failed = db.execute(counted.where(of_it)).one()
    columns = (item.id, item.user_id, item.before_score, item.after_score, item.before_verdict, item.after_verdict)
    changed = select(*columns).where(of_it, is_done, item.before_score != item.after_score, ~is_failed_or_none())
    rows = db.execute(changed.order_by(item.id))
    differences = [Difference(id, user, old, new or 0.0, *verdicts) for id, user, old, new, *verdicts in rows]
    gain = tuple(one for one in differences if one.after > one.before)
    lose = tuple(one for one in differences if one.after < one.before)
    return Standing(regrading, total, done, gain, lose, done - failed - len(gain) - len(lose), failed)


def is_failed_or_none() -> Any:
    return func.coalesce(RegradingItem.after_verdict, "") == Verdict.internal_error.value


def delete_regrading(db: Session, member: Member, regrading: Regrading) -> None:
    """A dry run is forgotten, also while it runs. Raises Conflict for one that is applied."""
    if regrading.state == "applied":
        raise Conflict("This regrading is applied.", "Take it back first.")
    db.delete(regrading)
    note(db, member.user, member.class_.as_thing, "regrading deleted", {"regrading": regrading.id})
    db.flush()


# ---- applied, and taken back ----------------------------------------------------------------------------------


def apply(
    database: Database, catalog: Catalog, caller: Caller, id: int | str, keep: Keep, message: str = ""
) -> list[int]:
    """What the dry run has found counts from now on; "better": only where the score is higher. Returns the submissions
    that changed (of a quiz, none). What was judged otherwise since the dry run began is left as it is.

    Some at a time, so that nobody who submits meanwhile waits for all. A server that ends in between leaves it
    finished and partly applied: to apply it again does the rest, and to take it back undoes what was done. Raises
    Unauthenticated, NotFound, Forbidden, Conflict, Invalid.
    """
    message = " ".join(storable(message).split())
    if len(message) > MAX_MESSAGE:
        raise Invalid(f"message: this is longer than {MAX_MESSAGE} characters.", "One sentence is enough.")
    with database.writing() as db:
        member, regrading = require_regrading(db, caller, id, writes=True)
        if regrading.state == "applied" and regrading.keep == keep:
            return []  # the answer to an earlier request was lost on the way
        if regrading.state != "finished":
            raise Conflict(f"This regrading is {regrading.state}: only a finished dry run is applied.", None)
        if regrading.keep not in (None, keep) and _some_applied(db, regrading):
            raise Conflict("It is partly applied in the other way.", "Take it back, then apply it.")
        regrading.keep, regrading.message = keep, message
        wanted = [one for one in _changing(db, regrading, keep) if one.undo is None]
    changed: list[int] = []
    for start in range(0, len(wanted), AT_ONCE):
        with database.writing() as db:
            some = wanted[start : start + AT_ONCE]
            if regrading.kind == "quiz":
                _apply_rulings(db, catalog, regrading, some)
            else:
                changed += _applied(db, regrading, some)
    with database.writing() as db:
        row = db.get_one(Regrading, regrading.id)
        row.state, row.applied_at = "applied", now()
        _tell(db, member.class_, row)
        detail = {"regrading": row.id, "exercise": row.slug, "keep": keep, "changed": len(changed)}
        note(db, db.get_one(User, member.user.id), member.class_.as_thing, "regrading applied", detail)
    return changed


def _tell(db: Session, class_: Class, regrading: Regrading) -> None:
    """A letter to each whose verdict or score has changed, where there is a sentence for them."""
    if regrading.message:
        theirs = RegradingItem.regrading_id == regrading.id, RegradingItem.undo.is_not(None)
        for user in db.scalars(select(User).where(User.id.in_(select(RegradingItem.user_id).where(*theirs)))).all():
            regraded(db, class_, user, regrading.message)


def _some_applied(db: Session, regrading: Regrading) -> bool:
    applied = select(RegradingItem.id).where(RegradingItem.regrading_id == regrading.id)
    return db.scalar(applied.where(RegradingItem.undo.is_not(None)).limit(1)) is not None


def _changing(db: Session, regrading: Regrading, keep: Keep) -> list[RegradingItem]:
    """What applying would change."""
    found = select(RegradingItem).where(
        RegradingItem.regrading_id == regrading.id, RegradingItem.result.is_not(None), ~is_failed_or_none()
    )
    items = db.scalars(found.order_by(RegradingItem.id)).all()
    if keep == "better":
        return [one for one in items if (one.after_score or 0.0) > one.before_score]
    if regrading.kind == "quiz":
        return [one for one in items if one.after_score != one.before_score]
    return [one for one in items if (one.after_score, one.after_verdict) != (one.before_score, one.before_verdict)]


def _applied(db: Session, regrading: Regrading, items: Sequence[RegradingItem]) -> list[int]:
    hold(db, *sorted({one.user_id for one in items}))
    rows = {
        one.id: one
        for one in db.scalars(
            select(RegradingItem).where(
                RegradingItem.regrading_id == regrading.id, RegradingItem.id.in_([one.id for one in items])
            )
        )
    }
    submissions = {one.id: one for one in db.scalars(select(Submission).where(Submission.id.in_(rows)))}
    current = newest_gradings(db, submissions)
    people: set[int] = set()
    changed = []
    for id, row in rows.items():
        submission, grading = submissions.get(id), current.get(id)
        if row.undo is not None or submission is None or grading is None or grading.id != row.before_id:
            continue
        assert row.result is not None
        finished, note_ = finished_from_row(row.result), regrading.message or None
        judged_by = row.result.get("snapshot_id") or regrading.snapshot_id
        assert judged_by is not None
        replaced = replace_verdict(db, submission, grading, finished, judged_by, note_)
        row.undo = replaced.as_json()
        people.add(submission.user_id)
        changed.append(id)
    _count_again(db, regrading, people)
    return changed


def _apply_rulings(db: Session, catalog: Catalog, regrading: Regrading, items: Sequence[RegradingItem]) -> None:
    ids = [one.id for one in items]
    hold(db, *sorted({one.user_id for one in items}))
    of_it = RegradingItem.regrading_id == regrading.id, RegradingItem.id.in_(ids)
    sittings = {one.id: one for one in db.scalars(select(Sitting).where(Sitting.id.in_(ids)))}
    for row in db.scalars(select(RegradingItem).where(*of_it)).all():
        if row.undo is None and row.id in sittings:
            _apply_ruling(db, catalog, regrading, sittings[row.id], row)


def _apply_ruling(db: Session, catalog: Catalog, regrading: Regrading, sitting: Sitting, row: RegradingItem) -> None:
    assert regrading.ruling is not None
    row.undo = write_outcome(db, sitting, ruled(db, catalog, sitting, [Ruling(**regrading.ruling)]))


def rule_on_submission(db: Session, catalog: Catalog, sitting: Sitting) -> None:
    """What is submitted later is judged like what was submitted before a ruling, in every class of its student."""
    standing = (
        select(Regrading)
        .join(Enrolment, Enrolment.class_id == Regrading.class_id)
        .join(Class, Class.id == Regrading.class_id)
        .where(Enrolment.user_id == sitting.user_id, Enrolment.role == ClassRole.student)
        .where(Class.course == sitting.course, Class.archived_at.is_(None))
        .where(Regrading.kind == "quiz", Regrading.slug == sitting.lesson, Regrading.state == "applied")
        .order_by(Regrading.id)
    )
    for regrading in db.scalars(standing).all():
        assert regrading.ruling is not None
        row = _ruled_item(db, catalog, regrading, sitting, Ruling(**regrading.ruling))
        if regrading.keep == "new" or (row.after_score or 0.0) > row.before_score:
            _apply_ruling(db, catalog, regrading, sitting, row)
        db.add(row)
        db.flush()


def take_back(database: Database, caller: Caller, id: int | str) -> list[int]:
    """Every verdict is again what it was. Returns the submissions that changed. Raises Unauthenticated, NotFound,
    Forbidden, Conflict."""
    with database.writing() as db:
        member, regrading = require_regrading(db, caller, id, writes=True)
        if regrading.state != "applied" and not _some_applied(db, regrading):
            raise Conflict("This regrading is not applied.", "There is nothing to take back.")
        regrading.state = "finished"  # from now on nobody else takes it back
        found = select(RegradingItem).where(RegradingItem.regrading_id == regrading.id, RegradingItem.undo.is_not(None))
        items = db.scalars(found.order_by(RegradingItem.id)).all()
    for start in range(0, len(items), AT_ONCE):
        with database.writing() as db:
            _taken_back(db, regrading, [one.id for one in items[start : start + AT_ONCE]])
    with database.writing() as db:
        row = db.get_one(Regrading, regrading.id)
        row.applied_at, row.keep = None, None
        detail = {"regrading": row.id, "exercise": row.slug, "changed": len(items)}
        note(db, db.get_one(User, member.user.id), member.class_.as_thing, "regrading taken back", detail)
    return [one.id for one in items] if regrading.kind == "exercise" else []


def _taken_back(db: Session, regrading: Regrading, ids: Sequence[int]) -> None:
    rows = db.scalars(
        select(RegradingItem).where(RegradingItem.regrading_id == regrading.id, RegradingItem.id.in_(ids))
    ).all()
    hold(db, *sorted({row.user_id for row in rows}))
    if regrading.kind == "quiz":
        sittings = {one.id: one for one in db.scalars(select(Sitting).where(Sitting.id.in_(ids)))}
        for row in rows:
            if row.undo is not None and row.id in sittings:
                take_outcome_back(db, sittings[row.id], row.undo)
            row.undo = None
        return
    submissions = {one.id: one for one in db.scalars(select(Submission).where(Submission.id.in_(ids)))}
    people: set[int] = set()
    for row in rows:
        if row.undo is not None and row.id in submissions:
            restore_verdict(db, submissions[row.id], Replaced(**row.undo))
            people.add(submissions[row.id].user_id)
        row.undo = None
    _count_again(db, regrading, people)


def _count_again(db: Session, regrading: Regrading, people: Iterable[int]) -> None:
    """What is kept of these people's work at this exercise, in every class."""
    db.flush()
    for user_id in sorted(people):
        recount(db, user_id, [regrading.slug])
        cells = delete(GradebookCell).where(GradebookCell.user_id == user_id, GradebookCell.slug == regrading.slug)
        db.execute(cells.execution_options(synchronize_session=False))


# ---- what is older than the exercise --------------------------------------------------------------------------


@dataclass(frozen=True)
class Outdated:
    """Of a class's submissions to an exercise, how many were judged by another state of it than is live."""

    slug: str
    total: int
    older: int


def outdated_of(db: Session, class_: Class, slugs: Sequence[str], catalog: Catalog) -> list[Outdated]:
    """A verdict by any variant of what is live is not older."""
    current = {slug: _live_of(db, catalog, slug) for slug in slugs}
    user_ids = _students_of(db, class_)
    counts: dict[str, list[int]] = {slug: [0, 0] for slug in slugs}
    for start in range(0, len(user_ids), 20):
        newest = select(func.max(Grading.id)).where(Grading.submission_id == Submission.id).correlate(Submission)
        judged_by = func.coalesce(Grading.snapshot_id, Submission.snapshot_id)
        rows = (
            select(Submission.exercise, judged_by, func.count())
            .join(Grading, Grading.id == newest.scalar_subquery())
            .where(Submission.user_id.in_(user_ids[start : start + 20]), Submission.exercise.in_(slugs))
            .where(Submission.kind == "submit", Grading.verdict.is_not(None))
            .group_by(Submission.exercise, judged_by)
        )
        for slug, snapshot_id, count in db.execute(rows):
            counts[slug][0] += count
            counts[slug][1] += count if snapshot_id not in current[slug] else 0
    return [Outdated(slug, total, older) for slug, (total, older) in counts.items() if total]


def _live_of(db: Session, catalog: Catalog, slug: str) -> set[int]:
    """The snapshots of what is live of an exercise, in all of its variants."""
    exercise = catalog.exercises.get(slug)
    if exercise is None:
        return set()
    return set(snapshots_of(db, exercise).values()) if exercise.others else {catalog.snapshot_ids[slug]}


# ---- for the regrader -----------------------------------------------------------------------------------------


def left_of(db: Session, regrading_id: int, count: int) -> list[tuple[RegradingItem, Submission, int | None]]:
    """What is not judged again yet: each with its submission, and the seed of its first verdict's fresh cases."""
    left = (
        select(RegradingItem, Submission, Grading.seed)
        .join(Submission, Submission.id == RegradingItem.submission_id)
        .join(Grading, Grading.id == RegradingItem.before_id)
        .where(RegradingItem.regrading_id == regrading_id, text("result IS NULL"))
        .order_by(RegradingItem.id)
        .limit(count)
    )
    return [(item, submission, seed) for item, submission, seed in db.execute(left)]


def store_result(db: Session, item: RegradingItem, row: dict[str, Any], finished: Finished) -> bool:
    """False: it is not wanted any more."""
    found = update(RegradingItem).where(
        RegradingItem.regrading_id == item.regrading_id, RegradingItem.id == item.id, text("result IS NULL")
    )
    values = {"result": row, "after_verdict": finished.result.verdict, "after_score": finished.result.score}
    return bool(db.execute(found.values(**values).execution_options(synchronize_session=False)).rowcount)  # type: ignore[attr-defined]


on_submitted(rule_on_submission)
register(
    Belonging(
        335,
        "regradings",
        "Judged again",
        "Where your work was judged again after a mistake in an exercise or a quiz: your score before and after.",
        RegradingItem,
        frozenset({"result", "undo"}),
        merge=take_over(RegradingItem),
    )
)
