"""Contexts: courses of a platform, each connected to a class by one of its instructors.

attack: a platform's teacher connects their course to somebody else's class, and is staff there. defence: who connects
is an instructor of the class here, signed in here, and comes from that course as its instructor.
"""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, UniqueConstraint, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.classes.classes import Class, Enrolment, Member, classes_of
from app.classes.lti.launches import MAX_TITLE, Launch, LaunchClaims
from app.classes.lti.platforms import MAX_ID, Platform
from app.classes.rights import ClassRole, Right, may_in_class
from app.classes.roster import MAX_NAME, ExpectedPerson
from app.db import Base, Moment, now
from app.people.audit import note
from app.people.users import User
from app.web.errors import Conflict, Forbidden, NotFound
from app.web.outgoing import MAX_URL


class Context(Base):
    """A course of a platform that is connected. `swept_at`: when its scores were compared last."""

    __tablename__ = "lti_context"
    __table_args__ = (
        UniqueConstraint("platform_id", "deployment", "context"),
        Index("ix_lti_context_class_id", "class_id"),
        Index("ix_lti_context_connected_by_id", "connected_by_id"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    platform_id: Mapped[int] = mapped_column(ForeignKey("lti_platform.id", ondelete="CASCADE"))
    deployment: Mapped[str] = mapped_column(String(MAX_ID))
    context: Mapped[str] = mapped_column(String(MAX_ID))
    title: Mapped[str] = mapped_column(String(MAX_TITLE), default="", server_default="")
    class_id: Mapped[int] = mapped_column(ForeignKey("class.id", ondelete="CASCADE"))
    line_items_url: Mapped[str] = mapped_column(String(MAX_URL), default="", server_default="")
    memberships_url: Mapped[str] = mapped_column(String(MAX_URL), default="", server_default="")
    connected_by_id: Mapped[int | None] = mapped_column(ForeignKey("user_account.id", ondelete="SET NULL"))
    connected_at: Mapped[datetime] = mapped_column(Moment, default=now)
    members_at: Mapped[datetime | None] = mapped_column(Moment)  # when its people were fetched last
    swept_at: Mapped[datetime | None] = mapped_column(Moment)


def context_of(db: Session, platform_id: int, claims: LaunchClaims) -> Context | None:
    named = select(Context).where(
        Context.platform_id == platform_id, Context.deployment == claims.deployment, Context.context == claims.context
    )
    return db.scalar(named) if claims.context else None


def contexts_of(db: Session, class_: Class) -> list[Context]:
    return list(db.scalars(select(Context).where(Context.class_id == class_.id).order_by(Context.id)))


def require_context(db: Session, class_: Class, id: int | None) -> Context:
    """Raises NotFound."""
    row = db.get(Context, id) if id is not None else None
    if row is None or row.class_id != class_.id:
        raise NotFound("This course is not connected to this class.", "Reload the page.")
    return row


def connectable(db: Session, person: User) -> list[Class]:
    """The classes that they may connect."""
    mine = classes_of(db, person)
    return [one for one, place in mine if one.archived_at is None and may_in_class(place.role, Right.connect)]


def connect(db: Session, member: Member, launch: Launch) -> Context:
    """The course that a launch of theirs came from. Raises Forbidden, Conflict."""
    claims = launch.launch
    if not claims.is_teaching:
        raise Forbidden("Only an instructor of the course there can connect it.", "Ask its instructor.")
    if not claims.context:
        raise Conflict("The platform did not say which course this is.", "Open this again from a page of a course.")
    row = context_of(db, launch.platform_id, claims)
    if row is not None and row.class_id != member.class_.id:
        raise Conflict("This course is connected to another class.", "Its instructor can disconnect it there.")
    if row is None:
        row = Context(
            platform_id=launch.platform_id, deployment=claims.deployment, context=claims.context,
            class_id=member.class_.id, connected_by_id=member.user.id,
        )  # fmt: skip
        db.add(row)
    refresh(row, claims)
    db.flush()
    detail = {"platform": row.platform_id, "context": row.id}
    note(db, member.user, member.class_.as_thing, "course connected", detail)
    return row


def disconnect(db: Session, member: Member, row: Context) -> None:
    """The people stay in the class. Scores are not sent any more."""
    detail = {"platform": row.platform_id, "context": row.id}
    note(db, member.user, member.class_.as_thing, "course disconnected", detail)
    db.delete(row)
    db.flush()


def refresh(row: Context, claims: LaunchClaims) -> None:
    """What a platform calls the course, and where its services are, as its newest launch says."""
    row.title = claims.context_title or row.title
    row.line_items_url = claims.line_items or row.line_items_url
    row.memberships_url = claims.memberships or row.memberships_url


def take_in(db: Session, row: Context, person: User, claims: LaunchClaims) -> Enrolment | None:
    """People from a connected course are in its class, with the role that they have there; who is in it already
    stays what they are. None for somebody without a role there. Raises Conflict for an archived class."""
    class_ = db.get_one(Class, row.class_id)
    place = db.get(Enrolment, (class_.id, person.id))
    if place is None:
        if class_.archived_at is not None:
            raise Conflict("This class is archived: nobody joins it any more.", "Ask your instructor for this term's.")
        if claims.role is None:
            return None
        place = Enrolment(class_id=class_.id, user_id=person.id, role=claims.role)
        db.add(place)
        note(db, person, class_.as_thing, "class joined", {"person": person.id, "role": claims.role, "context": row.id})
    place.name = place.name or claims.name[:MAX_NAME]
    _take_expected(db, class_, place, claims)
    db.flush()
    return place


def _take_expected(db: Session, class_: Class, place: Enrolment, claims: LaunchClaims) -> None:
    """The student's place that was kept for their address is theirs: the platform's word for who is in this course is
    what the instructor connected it for. A place on the staff waits for its own account."""
    kept = db.get(ExpectedPerson, (class_.id, claims.email)) if claims.email else None
    if kept is not None and kept.role == ClassRole.student:
        place.name, place.section = kept.name or place.name, place.section or kept.section
        db.delete(kept)


def platform_of(db: Session, row: Context) -> Platform:
    return db.get_one(Platform, row.platform_id)
