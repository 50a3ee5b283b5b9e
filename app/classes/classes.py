"""Classes: each a dated run of a course. And the one door to a class, which asks who may.

A person's site role opens nothing here: they have a role in the class, or they do not find it.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from sqlalchemy import CheckConstraint, ForeignKey, Index, String, func, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.classes.rights import REACHES_OUT, ClassRole, Right, may_in_class
from app.db import Base, Moment, now, read_id
from app.people.audit import Thing, note
from app.people.belongings import Belonging, register, take_over_new
from app.people.identity import Caller
from app.people.permission import Wish, may
from app.people.users import User
from app.reading.catalog import Catalog
from app.state import state_of
from app.web.errors import Conflict, Forbidden, Invalid, NotFound
from graders.text import storable

MAX_TITLE = 200
# What nobody mistakes for another letter when it is read out: 31 of them, 10 together are 49 bits.
LETTERS, CODE_LENGTH = "23456789abcdefghjkmnpqrstuvwxyz", 10
JOININGS = ("code", "invitation")
_WHILE_ARCHIVED = frozenset({Right.change_class, Right.copy_class})
MISSING = NotFound("There is no such class, or you are not in it.", "Your classes are listed at /classes.")


class Class(Base):
    """`joining`: "code", people who have it join as students; "invitation", those on the roster alone. `drop_lowest`:
    so many of a student's lowest scores are left out of their total."""

    __tablename__ = "class"
    __table_args__ = (
        CheckConstraint("joining IN ('code', 'invitation')", "joining"),
        CheckConstraint("drop_lowest >= 0", "drop_lowest"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    course: Mapped[str] = mapped_column(String(120))
    title: Mapped[str] = mapped_column(String(MAX_TITLE))
    timezone: Mapped[str] = mapped_column(String(64))
    joining: Mapped[str] = mapped_column(String(16), default="code")
    join_code: Mapped[str] = mapped_column(String(16), unique=True)
    drop_lowest: Mapped[int] = mapped_column(default=0)
    created_at: Mapped[datetime] = mapped_column(Moment, default=now)
    archived_at: Mapped[datetime | None] = mapped_column(Moment)
    copied_from_id: Mapped[int | None] = mapped_column(ForeignKey("class.id", ondelete="SET NULL"))

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.timezone)

    @property
    def as_thing(self) -> Thing:
        """As the audit log names it."""
        return Thing("class", str(self.id))


class Enrolment(Base):
    """A person in a class. `name` and `section` are the class's own words for them."""

    __tablename__ = "enrolment"
    __table_args__ = (
        CheckConstraint("role IN ('student', 'assistant', 'instructor')", "role"),
        Index("ix_enrolment_user_id", "user_id"),
    )

    class_id: Mapped[int] = mapped_column(ForeignKey("class.id", ondelete="CASCADE"), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("user_account.id", ondelete="CASCADE"), primary_key=True)
    role: Mapped[str] = mapped_column(String(16))
    name: Mapped[str] = mapped_column(String(200), default="", server_default="")
    section: Mapped[str] = mapped_column(String(80), default="", server_default="")
    joined_at: Mapped[datetime] = mapped_column(Moment, default=now)


@dataclass(frozen=True)
class Member:
    """Somebody who has come through the door of a class."""

    class_: Class
    enrolment: Enrolment
    user: User

    @property
    def role(self) -> ClassRole:
        return ClassRole(self.enrolment.role)

    def may(self, right: Right) -> bool:
        if right in REACHES_OUT and not may(self.user, Wish.teach_class):
            return False
        return may_in_class(self.enrolment.role, right)

    def can(self, right: str) -> bool:
        """As `may`, for templates, by the right's name."""
        return self.may(Right[right])


def require_member(
    db: Session, caller: Caller, class_id: int | str, right: Right = Right.see_class, *, writes: bool = False
) -> Member:
    """The one door to a class. Raises Unauthenticated; NotFound for everybody who is not in it; Forbidden where their
    role in it does not allow this; Conflict where an archived class would be changed."""
    person = caller.require_viewer(db, writes=writes)
    member = member_of(db, person, class_id)
    if right in REACHES_OUT and not may(person, Wish.teach_class) and may_in_class(member.role, right):
        who = "only an instructor who may create classes does that"
        raise Forbidden(f"You may not {right.value}: {who}.", "Ask another instructor of this class.")
    if not member.may(right):
        raise Forbidden(f"In this class you are {_a(member.role)}, who may not {right.value}.", "Ask its instructor.")
    if writes and member.class_.archived_at is not None and right not in _WHILE_ARCHIVED:
        raise Conflict("This class is archived: nothing in it changes any more.", "Copy it, or reopen it.")
    return member


def require_writer(db: Session, caller: Caller, class_id: int | str, right: Right) -> Member:
    """As `require_member`, for a change: its maker is held alone, and counted. Raises RateLimited too."""
    member = require_member(db, caller, class_id, right, writes=True)
    state_of(caller.request).limits.spend("class", person=member.user.id, address=caller.address)
    return member


def member_of(db: Session, person: User, class_id: int | str) -> Member:
    """As `require_member`, of any role. Raises NotFound."""
    number = read_id(class_id)
    enrolment = db.get(Enrolment, (number, person.id)) if number is not None else None
    if enrolment is None:
        raise MISSING
    return Member(db.get_one(Class, enrolment.class_id), enrolment, person)


def _a(role: ClassRole) -> str:
    return f"a {role.value}" if role == ClassRole.student else f"an {role.value}"


def classes_of(db: Session, person: User) -> list[tuple[Class, Enrolment]]:
    """Those that this person is in: the newest first, archived ones last."""
    mine = select(Class, Enrolment).join(Enrolment, Enrolment.class_id == Class.id)
    mine = mine.where(Enrolment.user_id == person.id)
    rows = db.execute(mine.order_by(Class.archived_at.is_not(None), Class.id.desc()))
    return [(class_, enrolment) for class_, enrolment in rows]


def create_class(db: Session, caller: Caller, catalog: Catalog, course: str, title: str, timezone: str) -> Member:
    """Who creates it is its first instructor. Raises Unauthenticated, Forbidden, Invalid, RateLimited."""
    person = caller.require_viewer(db, writes=True)
    if not may(person, Wish.teach_class):
        raise Forbidden("Only instructors create classes.", "An admin can make you one, at /users.")
    if course not in catalog.courses:
        raise Invalid(
            f"course: there is no course {course[:120]!r}.", f"Use one of {', '.join(sorted(catalog.courses))}."
        )
    class_ = Class(course=course, title=read_title(title), timezone=read_timezone(timezone), join_code=new_code())
    db.add(class_)
    db.flush()
    return _first_instructor(db, class_, person, "class created", {"course": course})


def copy_class(db: Session, member: Member, title: str) -> Member:
    """An empty class of the same course, for the next term: its schedule is copied by `assignments.copy_schedule`."""
    old = member.class_
    class_ = Class(
        course=old.course, title=read_title(title), timezone=old.timezone, joining=old.joining, join_code=new_code(),
        drop_lowest=old.drop_lowest, copied_from_id=old.id,
    )  # fmt: skip
    db.add(class_)
    db.flush()
    return _first_instructor(db, class_, member.user, "class copied", {"from": old.id})


def _first_instructor(db: Session, class_: Class, person: User, action: str, detail: dict[str, object]) -> Member:
    enrolment = Enrolment(class_id=class_.id, user_id=person.id, role=ClassRole.instructor)
    db.add(enrolment)
    db.flush()
    note(db, person, class_.as_thing, action, detail)
    return Member(class_, enrolment, person)


def change_class(
    db: Session,
    member: Member,
    *,
    title: str | None = None,
    timezone: str | None = None,
    joining: str | None = None,
    drop_lowest: int | None = None,
    new_join_code: bool = False,
    archived: bool | None = None,
) -> Class:
    """None: as it was. Raises Invalid."""
    class_, changed = member.class_, []
    if joining is not None and joining not in JOININGS:
        raise Invalid(f"joining: {joining[:40]!r} is no way to join.", f"Use one of {', '.join(JOININGS)}.")
    if drop_lowest is not None and not 0 <= drop_lowest <= 100:
        raise Invalid("drop_lowest: this is not a number from 0 to 100.", "0 drops nothing.")
    wanted = {
        "title": None if title is None else read_title(title),
        "timezone": None if timezone is None else read_timezone(timezone),
        "joining": joining,
        "drop_lowest": drop_lowest,
        "join_code": new_code() if new_join_code else None,
    }
    for name, value in wanted.items():
        if value is not None and value != getattr(class_, name):
            setattr(class_, name, value)
            changed.append(name)
    if archived is not None and archived != (class_.archived_at is not None):
        class_.archived_at = now() if archived else None
        changed.append("archived" if archived else "reopened")
    if changed:
        note(db, member.user, class_.as_thing, "class changed", {"changed": changed})
    db.flush()
    return class_


def join(db: Session, person: User, code: str) -> tuple[Class, Enrolment, bool]:
    """(the class, the person's place in it, whether they joined just now). Who is in it already stays as they are.

    Raises NotFound for a code that opens nothing, Conflict for an archived class. The person is held alone.
    """
    class_ = class_by_code(db, code)
    enrolment = db.get(Enrolment, (class_.id, person.id))
    if enrolment is not None:
        return class_, enrolment, False
    if class_.archived_at is not None:
        raise Conflict("This class is archived: nobody joins it any more.", "Ask your instructor for this term's code.")
    enrolment = Enrolment(class_id=class_.id, user_id=person.id, role=ClassRole.student)
    db.add(enrolment)
    db.flush()
    note(db, person, class_.as_thing, "class joined", {"person": person.id})
    return class_, enrolment, True


def class_by_code(db: Session, code: str) -> Class:
    """The class that this code opens, however it is divided and in whatever case. Raises NotFound."""
    wanted = "".join(letter for letter in code.lower() if letter.isascii() and letter.isalnum())
    class_ = db.scalar(select(Class).where(Class.join_code == wanted)) if 0 < len(wanted) <= CODE_LENGTH else None
    if class_ is None or class_.joining != "code":
        raise NotFound("No class has this code.", "Check it letter by letter, or ask your instructor for a new one.")
    return class_


def size_of(db: Session, class_id: int) -> int:
    """How many students are in it."""
    counted = select(func.count()).select_from(Enrolment)
    return db.scalar(counted.where(Enrolment.class_id == class_id, Enrolment.role == ClassRole.student)) or 0


def require_instructors(db: Session, class_id: int, without: Sequence[int] = ()) -> None:
    """Raises Conflict where no instructor would be left in a class."""
    left = select(func.count()).select_from(Enrolment).where(Enrolment.class_id == class_id)
    left = left.where(Enrolment.role == ClassRole.instructor, Enrolment.user_id.not_in(list(without)))
    if not db.scalar(left):
        raise Conflict("Nobody would be left to run this class.", "Make somebody else an instructor of it first.")


def new_code() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))


def read_title(title: str) -> str:
    """Raises Invalid."""
    title = " ".join(storable(title).split())
    if not 0 < len(title) <= MAX_TITLE:
        raise Invalid(f"title: use 1 to {MAX_TITLE} characters.", "For example: Positions, spring term 2027.")
    return title


@cache
def timezones() -> tuple[str, ...]:
    """Those that people live in, and UTC: the names that forms offer."""
    return tuple(sorted(name for name in available_timezones() if name == "UTC" or _is_place(name)))


def _is_place(name: str) -> bool:
    area = name.partition("/")[0]
    return area in {"Africa", "America", "Antarctica", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific"}


def read_timezone(name: str) -> str:
    """Raises Invalid."""
    if name not in available_timezones():
        raise Invalid(f"timezone: {name[:64]!r} is no time zone.", "Use a name such as Europe/Berlin, or UTC.")
    return name


register(
    Belonging(
        300,
        "classes",
        "Classes",
        "Which classes you are in, as what, and the name and section by which they know you.",
        Enrolment,
        merge=take_over_new(Enrolment),
    )
)
