"""Comments on lines of a submission, by a class's staff, for the student who sent it.

attack: read or comment on anybody's code by its number. defence: `require_submission` finds only what a student of this
very class sent to one of its exercises.
"""

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, Text, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.classes.assignments import Assignment
from app.classes.classes import Enrolment, Member
from app.classes.rights import ClassRole, Right
from app.content.highlight import rows
from app.content.posted import post_html
from app.db import Base, Moment, now, read_id
from app.people.audit import note
from app.people.belongings import Belonging, register, take_over
from app.people.users import User
from app.practice.feedback import Feedback, Remark, ask_for_feedback
from app.practice.submissions import Shown, find_shown
from app.web.errors import Conflict, Forbidden, Invalid, NotFound
from graders.text import storable

MAX_TEXT = 5000
MAX_COMMENTS = 200  # on one submission


class LineComment(Base):
    """`user_id`: whose submission it is on; `author_id`: who wrote it, None once they have no account any more. One
    that was deleted keeps its row without its text."""

    __tablename__ = "line_comment"
    __table_args__ = (
        CheckConstraint("line >= 1", "line"),
        Index("ix_line_comment_submission_id", "submission_id"),
        Index("ix_line_comment_class_id", "class_id"),
        Index("ix_line_comment_user_id", "user_id"),
        Index("ix_line_comment_author_id", "author_id"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    submission_id: Mapped[int] = mapped_column(ForeignKey("submission.id", ondelete="CASCADE"))
    class_id: Mapped[int] = mapped_column(ForeignKey("class.id", ondelete="CASCADE"))
    user_id: Mapped[int] = mapped_column(ForeignKey("user_account.id", ondelete="CASCADE"))
    author_id: Mapped[int | None] = mapped_column(ForeignKey("user_account.id", ondelete="SET NULL"))
    line: Mapped[int]
    text: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(Moment, default=now)
    edited_at: Mapped[datetime | None] = mapped_column(Moment)
    deleted_at: Mapped[datetime | None] = mapped_column(Moment)


def require_submission(db: Session, member: Member, id: int | str) -> tuple[Shown, Assignment]:
    """What a student of the class sent for credit to one of its exercises, and the assignment. Raises NotFound."""
    number = read_id(id)
    shown = find_shown(db, number) if number is not None else None
    if shown is not None and shown.submission.kind == "submit":
        place = db.get(Enrolment, (member.class_.id, shown.submission.user_id))
        assignment = db.get(Assignment, (member.class_.id, "exercise", shown.submission.exercise))
        if place is not None and place.role == ClassRole.student and assignment is not None:
            return shown, assignment
    raise NotFound("No student of this class has sent this.", "The gradebook links to what each sent.")


def add_comment(db: Session, member: Member, id: str, line: int, text: str) -> LineComment:
    """Raises NotFound, Invalid, Conflict."""
    shown, _ = require_submission(db, member, id)
    if shown.submission.erased_at is not None:
        raise Conflict("This code was deleted, as this server does with old submissions.", None)
    if not 1 <= line <= len(rows(shown.source)):
        raise Invalid("line: this submission has no such line.", "Reload the page.")
    written = select(LineComment.id).where(LineComment.submission_id == shown.id, LineComment.deleted_at.is_(None))
    if len(db.scalars(written).all()) >= MAX_COMMENTS:
        raise Conflict(f"A submission has at most {MAX_COMMENTS} comments.", "Delete one first.")
    comment = LineComment(
        submission_id=shown.id, class_id=member.class_.id, user_id=shown.submission.user_id, author_id=member.user.id,
        line=line, text=_read(text),
    )  # fmt: skip
    db.add(comment)
    db.flush()
    return comment


def change_comment(db: Session, member: Member, id: str, text: str) -> LineComment:
    """One's own. Raises NotFound, Forbidden, Invalid."""
    comment = _require_comment(db, member, id)
    if comment.author_id != member.user.id:
        raise Forbidden("Only who wrote a comment changes it.", "Write one of your own below it.")
    comment.text, comment.edited_at = _read(text), now()
    db.flush()
    return comment


def delete_comment(db: Session, member: Member, id: str) -> LineComment:
    """One's own; instructors anybody's. Raises NotFound, Forbidden."""
    comment = _require_comment(db, member, id)
    is_own = comment.author_id == member.user.id
    if not is_own and not member.may(Right.change_scores):
        raise Forbidden("Only who wrote a comment, and instructors, delete it.", "Ask an instructor of the class.")
    comment.text, comment.deleted_at = "", now()
    if not is_own:
        note(db, member.user, member.class_.as_thing, "comment deleted", {"submission": comment.submission_id})
    db.flush()
    return comment


def comments_on(db: Session, submission_id: int, member: Member | None = None) -> tuple[Remark, ...]:
    """Line by line, in the order they were written. `member`: who looks at them from the class; None: its author."""
    found = (
        select(LineComment, Enrolment, User.email)
        .outerjoin(
            Enrolment,
            (Enrolment.class_id == LineComment.class_id) & (Enrolment.user_id == LineComment.author_id),
        )
        .outerjoin(User, User.id == LineComment.author_id)
        .where(LineComment.submission_id == submission_id, LineComment.deleted_at.is_(None))
        .order_by(LineComment.line, LineComment.id)
    )
    if member is not None:
        found = found.where(LineComment.class_id == member.class_.id)
    return tuple(
        Remark(
            id=comment.id,
            line=comment.line,
            html=post_html(comment.text),
            author=staff_name(place, email if member is not None else None),
            created_at=comment.created_at,
            edited_at=comment.edited_at,
            is_own=member is not None and comment.author_id == member.user.id,
            may_delete=member is not None and (comment.author_id == member.user.id or member.may(Right.change_scores)),
        )
        for comment, place, email in db.execute(found)
    )


def text_of(db: Session, member: Member, id: str) -> LineComment:
    """One's own, as it was typed. Raises NotFound, Forbidden."""
    comment = _require_comment(db, member, id)
    if comment.author_id != member.user.id:
        raise Forbidden("Only who wrote a comment changes it.", "Write one of your own below it.")
    return comment


def staff_name(place: Enrolment | None, email: str | None = None) -> str:
    """What a student reads of who wrote to them: the class's name for that person, or what they are in it."""
    if place is None or place.role == ClassRole.student:
        return email or "Course staff"
    return place.name or email or ("Your instructor" if place.role == ClassRole.instructor else "Your assistant")


def _require_comment(db: Session, member: Member, id: str) -> LineComment:
    number = read_id(id)
    comment = db.get(LineComment, number) if number is not None else None
    if comment is None or comment.class_id != member.class_.id or comment.deleted_at is not None:
        raise NotFound("There is no such comment.", "Reload the page.")
    return comment


def _read(text: str) -> str:
    text = storable(text).strip()
    if not 0 < len(text) <= MAX_TEXT:
        raise Invalid(f"text: use 1 to {MAX_TEXT} characters.", "Shorten it, or say something.")
    return text


def _for_its_author(db: Session, submission_id: int) -> Feedback:
    return Feedback(remarks=comments_on(db, submission_id))


ask_for_feedback(_for_its_author)
register(
    Belonging(
        390,
        "line_comments",
        "Comments on your code",
        "What a class's staff wrote about lines of what you sent.",
        LineComment,
        frozenset({"author_id"}),
        merge=take_over(LineComment),
    )
)
