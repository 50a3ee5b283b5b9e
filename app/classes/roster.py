"""The roster: who is in a class, and who is expected; as rows, as JSON and as CSV, in and out.

Somebody who has no account yet is expected under their e-mail address, and is in the class once they have one.

attack: sign up under the address of somebody who is expected, and take their place. defence: who is expected as a
student gains what a join code gives to everybody; a place on the staff is taken by an account alone whose address is
confirmed, where this Lectern can send mail to confirm it (`claim_places`).

attack: a student who was made an instructor of a class puts somebody's account on its roster, assigns an exercise and
reads what that person sent to it. defence: only who may create classes, as the site's staff may, puts accounts into
one. For all others a place is an offer, which its person takes by the letter's link or by the class's code: neither an
account that is there nor one that is made later is put into the class (`add_people`, `claim_places`).
"""

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Index, Select, String, delete, false, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.classes.classes import Class, Enrolment, Member, join, require_instructors
from app.classes.rights import ClassRole, Right
from app.db import Base, Moment, now, read_id
from app.people.accounts import read_email
from app.people.arrivals import on_arrival
from app.people.audit import note
from app.people.users import User
from app.web.csv_file import unquoted, write_csv
from app.web.errors import Forbidden, Invalid, NotFound
from graders.text import storable

MAX_PEOPLE = 5000
MAX_CSV_BYTES = 1 << 20
MAX_NAME, MAX_SECTION = 200, 80
MAX_OFFERS = 200  # of one class. attack: a letter in our name to each of five thousand strangers
# What other systems call the columns of theirs that are ours.
HEADINGS: Mapping[str, str] = {
    "email": "email", "e-mail": "email", "email address": "email", "e-mail address": "email", "mail": "email",
    "sis login id": "email", "login": "email",
    "name": "name", "full name": "name", "student": "name", "student name": "name",
    "first name": "first", "given name": "first", "last name": "last", "surname": "last", "family name": "last",
    "section": "section", "group": "section", "groups": "section",
    "role": "role",
}  # fmt: skip


class ExpectedPerson(Base):
    """A place that is kept for an address without an account. `is_offer`: its person must take it; nothing else puts
    them into the class."""

    __tablename__ = "expected_person"
    __table_args__ = (
        CheckConstraint("role IN ('student', 'assistant', 'instructor')", "role"),
        Index("ix_expected_person_email", "email"),
    )

    class_id: Mapped[int] = mapped_column(ForeignKey("class.id", ondelete="CASCADE"), primary_key=True)
    email: Mapped[str] = mapped_column(String(254), primary_key=True)
    role: Mapped[str] = mapped_column(String(16))
    name: Mapped[str] = mapped_column(String(MAX_NAME), default="", server_default="")
    section: Mapped[str] = mapped_column(String(MAX_SECTION), default="", server_default="")
    expected_at: Mapped[datetime] = mapped_column(Moment, default=now)
    invited_at: Mapped[datetime | None] = mapped_column(Moment)  # when a letter went out
    is_offer: Mapped[bool] = mapped_column(default=False, server_default=false())


# (db, member, rows): who was put on a roster that they were not on, by whom. Letters register here (invitations.py).
Added = Callable[[Session, Member, Sequence["Enrolment | ExpectedPerson"]], None]
on_added: list[Added] = []


@dataclass(frozen=True)
class Wanted:
    """A line of a roster, as it is to be."""

    email: str
    name: str = ""
    section: str = ""
    role: ClassRole = ClassRole.student


@dataclass(frozen=True)
class Listed:
    """A line of a roster, as it is. `user` is None for who is expected, `email` for a guest, who has no address yet."""

    user: int | None
    email: str | None
    name: str
    section: str
    role: str
    since: datetime

    @property
    def label(self) -> str:
        """What the class calls them."""
        return self.name or self.email or f"guest {self.user}"

    def as_json(self) -> dict[str, Any]:
        return {
            "user": self.user,
            "email": self.email,
            "name": self.name,
            "section": self.section,
            "role": self.role,
            "state": "expected" if self.user is None else "enrolled",
        }


@dataclass(frozen=True)
class Changes:
    """What replacing a roster did, in people."""

    added: int = 0
    changed: int = 0
    removed: int = 0
    expected: int = 0


@dataclass(frozen=True)
class Preview:
    """What replacing a roster would do, person by person: who comes, who changes and how, and who leaves."""

    added: tuple[Wanted, ...]
    changed: tuple[tuple[Wanted, str], ...]
    removed: tuple[Listed, ...]
    same: int


def preview_roster(db: Session, class_: Class, wanted: Sequence[Wanted]) -> Preview:
    """As `replace_roster` would do it: instructors stay; guests, who have no address to be named by, leave."""
    people = roster_of(db, class_)
    before = {one.email: one for one in people if one.email is not None}
    nameless = [one for one in people if one.email is None]
    emails = {one.email for one in wanted}
    added, changed = [], []
    for one in wanted:
        was = before.get(one.email)
        if was is None:
            added.append(one)
        elif words := _changed(was, one):
            changed.append((one, words))
    removed = [
        was
        for was in (*before.values(), *nameless)
        if was.email not in emails and not (was.user is not None and was.role == ClassRole.instructor)
    ]
    same = len(wanted) - len(added) - len(changed)
    return Preview(tuple(added), tuple(changed), tuple(removed), same)


def _changed(was: Listed, one: Wanted) -> str:
    pairs = (("name", was.name, one.name), ("section", was.section, one.section), ("role", was.role, one.role))
    return ", ".join(f"{what}: {old or 'none'} → {new or 'none'}" for what, old, new in pairs if old != new)


def roster_of(db: Session, class_: Class) -> list[Listed]:
    """Instructors first, then assistants, then students; each by name."""
    expected = select(ExpectedPerson).where(ExpectedPerson.class_id == class_.id)
    people = _enrolled(db, select(Enrolment).where(Enrolment.class_id == class_.id))
    people += [
        Listed(None, one.email, one.name, one.section, one.role, one.expected_at) for one in db.scalars(expected)
    ]
    order = {role: place for place, role in enumerate(reversed(ClassRole))}
    return sorted(people, key=lambda one: (order[ClassRole(one.role)], one.label.casefold(), one.user or 0))


def students_of(db: Session, class_: Class, user_id: int | None = None) -> list[Listed]:
    """Those who are enrolled as students, by name; or the one that is named."""
    found = select(Enrolment).where(Enrolment.class_id == class_.id, Enrolment.role == ClassRole.student)
    if user_id is not None:
        found = found.where(Enrolment.user_id == user_id)
    return sorted(_enrolled(db, found), key=lambda one: (one.label.casefold(), one.user or 0))


def _enrolled(db: Session, wanted: Select[Enrolment]) -> list[Listed]:
    """With their addresses, which are looked up by number: joined, all that anybody has would be read."""
    places = db.scalars(wanted).all()
    emails = select(User.id, User.email).where(User.id.in_([one.user_id for one in places]))
    email_of = {one.id: one.email for one in db.execute(emails)}
    return [
        Listed(one.user_id, email_of.get(one.user_id), one.name, one.section, one.role, one.joined_at) for one in places
    ]


def replace_roster(db: Session, member: Member, wanted: Sequence[Wanted]) -> Changes:
    """From now on these are in the class, and nobody else; but its instructors are only removed by hand, each. Work is
    not touched: who comes back finds it. Raises Conflict where no instructor would be left."""
    class_ = member.class_
    emails = {one.email: one for one in wanted}
    before = {one.user: one for one in roster_of(db, class_) if one.user is not None}
    kept = {one.email for one in before.values() if one.role == ClassRole.instructor}
    leaving = [user for user, one in before.items() if one.email not in emails and one.email not in kept]
    removed = len(leaving)
    if leaving:
        gone = delete(Enrolment).where(Enrolment.class_id == class_.id, Enrolment.user_id.in_(leaving))
        db.execute(gone.execution_options(synchronize_session=False))
    unexpected = delete(ExpectedPerson).where(ExpectedPerson.class_id == class_.id)
    if emails:
        unexpected = unexpected.where(ExpectedPerson.email.not_in(emails))
    removed += db.execute(unexpected.execution_options(synchronize_session=False)).rowcount  # type: ignore[attr-defined]
    counts = add_people(db, member, wanted)
    require_instructors(db, class_.id)
    found = Changes(counts.added, counts.changed, removed, counts.expected)
    note(db, member.user, class_.as_thing, "roster replaced", vars(found))
    return found


def add_people(db: Session, member: Member, wanted: Sequence[Wanted]) -> Changes:
    """These are in the class from now on, as they are given here; the others stay. Raises Conflict, Invalid."""
    class_ = member.class_
    emails = [one.email for one in wanted]
    accounts = {email: id for id, email in db.execute(select(User.id, User.email).where(User.email.in_(emails)))}
    places = {one.user_id: one for one in db.scalars(select(Enrolment).where(Enrolment.class_id == class_.id))}
    is_offer = not member.may(Right.move_people)
    if is_offer:
        accounts = {email: id for email, id in accounts.items() if id in places}
    expected = {
        one.email: one for one in db.scalars(select(ExpectedPerson).where(ExpectedPerson.class_id == class_.id))
    }
    if len({*places, *accounts.values()}) + len({*expected, *(set(emails) - accounts.keys())}) > MAX_PEOPLE:
        raise Invalid(f"A class has at most {MAX_PEOPLE} people.", "Make several classes.")
    if is_offer and len({*expected, *(set(emails) - accounts.keys())}) > MAX_OFFERS:
        raise Invalid(
            f"At most {MAX_OFFERS} people can wait for a place that you offer.",
            "Tell them the class's code, or ask an instructor who may create classes to add them.",
        )
    changed = waiting = 0
    added: list[Enrolment | ExpectedPerson] = []
    for one in wanted:
        user_id = accounts.get(one.email)
        row: Enrolment | ExpectedPerson | None
        if user_id is None:
            row = expected.get(one.email)
            waiting += 1
        else:
            row = places.get(user_id)
        if row is None:
            fields = {"class_id": class_.id, "role": one.role, "name": one.name, "section": one.section}
            added.append(
                ExpectedPerson(email=one.email, is_offer=is_offer, **fields)
                if user_id is None
                else Enrolment(user_id=user_id, **fields)
            )
        elif (row.role, row.name, row.section) != (one.role, one.name, one.section):
            row.role, row.name, row.section = one.role, one.name, one.section
            changed += 1
        if isinstance(row, ExpectedPerson) and row.is_offer and not is_offer:
            row.is_offer = False
    db.add_all(added)
    db.flush()
    require_instructors(db, class_.id)
    for tell in on_added:
        tell(db, member, added)
    return Changes(len(added), changed, 0, waiting)


def join_class(db: Session, person: User, code: str) -> tuple[Class, Enrolment, bool]:
    """As `classes.join`; a student who was expected is listed by the name and section that were kept for them."""
    class_, enrolment, is_new = join(db, person, code)
    kept = db.get(ExpectedPerson, (class_.id, person.email)) if person.email is not None else None
    if kept is not None and kept.role == ClassRole.student:
        if is_new:
            enrolment.name, enrolment.section = kept.name, kept.section
        db.delete(kept)
        db.flush()
    return class_, enrolment, is_new


def change_person(
    db: Session, member: Member, user_id: int, *, name: str | None, section: str | None, role: str | None
) -> Enrolment:
    """None: as it was. Raises NotFound, Invalid, Conflict."""
    enrolment = require_enrolled(db, member.class_, user_id)
    if role is not None:
        before, wanted = enrolment.role, read_class_role(role)
        leaves_staff = before != ClassRole.student and wanted == ClassRole.student
        if leaves_staff and user_id != member.user.id and not member.may(Right.move_people):
            # attack: make the professor a student, and read what they sent to an exercise as a student's work.
            raise Forbidden("You may not make staff of this class students.", "Ask an instructor who creates classes.")
        enrolment.role = wanted
        if before != enrolment.role:
            detail = {"class": member.class_.id, "from": before, "to": str(enrolment.role)}
            note(db, member.user, member.class_.as_thing, "class role changed", {"person": user_id, **detail})
    if name is not None:
        enrolment.name = _read(name, "name", MAX_NAME)
    if section is not None:
        enrolment.section = _read(section, "section", MAX_SECTION)
    db.flush()
    require_instructors(db, member.class_.id)
    return enrolment


def remove_person(db: Session, member: Member, user_id: int) -> None:
    """Their work stays theirs, and is there again if they come back. Raises NotFound, Conflict."""
    enrolment = require_enrolled(db, member.class_, user_id)
    require_instructors(db, member.class_.id, [user_id])
    db.delete(enrolment)
    note(db, member.user, member.class_.as_thing, "person removed", {"person": user_id})
    db.flush()


def forget_expected(db: Session, member: Member, email: str) -> None:
    """Raises NotFound."""
    row = db.get(ExpectedPerson, (member.class_.id, email))
    if row is None:
        raise NotFound("Nobody is expected under this address.", "Reload the page.")
    db.delete(row)
    db.flush()


def read_person(text: str) -> int:
    """A person's number, as an address names it. Raises NotFound."""
    number = read_id(text)
    if number is None:
        raise NotFound("There is no such person in this class.", "GET …/roster lists who is.")
    return number


def require_enrolled(db: Session, class_: Class, user_id: int) -> Enrolment:
    """Raises NotFound."""
    enrolment = db.get(Enrolment, (class_.id, user_id))
    if enrolment is None:
        raise NotFound("This person is not in the class.", "GET …/roster lists who is.")
    return enrolment


def claim_places(db: Session, user: User, is_confirmed: bool) -> None:
    """The places kept for this person's address become theirs; those on the staff only where the address is confirmed
    to be theirs. What is only offered stays an offer."""
    if user.email is None:
        return
    kept = ExpectedPerson.email == user.email, ExpectedPerson.is_offer.is_(False)
    for place in db.scalars(select(ExpectedPerson).where(*kept)).all():
        if place.role != ClassRole.student and not is_confirmed:
            continue
        if db.get(Enrolment, (place.class_id, user.id)) is None:
            fields = {"role": place.role, "name": place.name, "section": place.section}
            db.add(Enrolment(class_id=place.class_id, user_id=user.id, **fields))
        db.delete(place)
    db.flush()


# ---- CSV ------------------------------------------------------------------------------------------------------


def read_roster(lines: Iterable[Mapping[str, Any]], numbers: Sequence[int] | None = None) -> list[Wanted]:
    """Lines by our own names of the columns. `numbers`: of the lines, where they are not counted from 1. Raises
    Invalid, which names every faulty line."""
    found: dict[str, Wanted] = {}
    faults = []
    for number, line in zip(numbers if numbers is not None else count(1), lines, strict=False):
        try:
            one = _wanted(line)
        except Invalid as fault:
            faults.append(f"line {number}: {fault.message.rstrip('.')}")
            continue
        if one.email in found:
            faults.append(f"line {number}: {one.email} is there twice")
        found[one.email] = one
        if len(found) > MAX_PEOPLE:
            raise Invalid(f"A class has at most {MAX_PEOPLE} people.", "Make several classes.")
    if faults:
        more = f" And {len(faults) - 10} more." if len(faults) > 10 else ""
        raise Invalid(f"The roster has faults: {'; '.join(faults[:10])}.{more}", "Nothing was changed. Correct them.")
    return list(found.values())


def read_roster_csv(data: bytes) -> list[Wanted]:
    """A table with a line of headings, divided by commas, semicolons or tabs. Raises Invalid."""
    if len(data) > MAX_CSV_BYTES:
        raise Invalid("The file is larger than 1 MiB.", "Send the columns email, name, section and role alone.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Invalid("The file is not UTF-8.", "Save it as “CSV UTF-8”.") from None
    head = text.partition("\n")[0]
    divider = max(",;\t", key=head.count)
    try:
        reader = csv.reader(io.StringIO(text.replace("\0", "")), delimiter=divider, strict=False)
        numbered = [(reader.line_num, row) for row in reader if any(field.strip() for field in row)]
    except csv.Error as error:
        raise Invalid(f"The file cannot be read as CSV: {error}.", "Check its quotation marks.") from None
    rows = [row for _, row in numbered]
    if not rows:
        raise Invalid("The file is empty.", "Its first line names the columns: email,name,section,role")
    columns = [HEADINGS.get(field.strip().casefold(), "") for field in rows[0]]
    if "email" not in columns:
        raise Invalid("No column is called email.", "The first line names the columns: email,name,section,role")
    return read_roster((_named(columns, row) for row in rows[1:]), [number for number, _ in numbered[1:]])


def _named(columns: Sequence[str], row: Sequence[str]) -> dict[str, str]:
    fields = {name: unquoted(field) for name, field in zip(columns, row, strict=False) if name}
    if "name" not in fields and ("first" in fields or "last" in fields):
        fields["name"] = f"{fields.get('first', '')} {fields.get('last', '')}".strip()
    return {name: field for name, field in fields.items() if name in ("email", "name", "section", "role")}


def roster_csv(people: Iterable[Listed | Wanted]) -> str:
    lines = [["email", "name", "section", "role"]]
    lines += [[one.email or "", one.name, one.section, one.role] for one in people]
    return write_csv(lines)


def _wanted(line: Mapping[str, Any]) -> Wanted:
    fields = {name: line.get(name) or "" for name in ("email", "name", "section", "role")}
    odd = [name for name, field in fields.items() if not isinstance(field, str)]
    if odd:
        raise Invalid(f"{odd[0]} is no text", None)
    return Wanted(
        read_email(fields["email"]),
        _read(fields["name"], "name", MAX_NAME),
        _read(fields["section"], "section", MAX_SECTION),
        read_class_role(fields["role"].strip().casefold() or ClassRole.student),
    )


def _read(text: str, what: str, most: int) -> str:
    text = " ".join(storable(text).split())
    if len(text) > most:
        raise Invalid(f"{what}: this is longer than {most} characters", "Shorten it.")
    return text


def read_class_role(role: str) -> ClassRole:
    """Raises Invalid."""
    try:
        return ClassRole(role)
    except ValueError:
        raise Invalid(f"role: {role[:40]!r} is no role in a class", "Use student, assistant or instructor.") from None


on_arrival(claim_places)
