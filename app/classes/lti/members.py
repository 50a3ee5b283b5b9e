"""Who is in a platform's course, put into the class's roster (Names and Role Provisioning Services).

People are added and never taken out, and nobody's role is changed: that is the instructor's to do. Who has come from
there before is enrolled; who has not is expected under their address, and in the class once they come. (An account with
that address is enrolled at once where the instructor may do so by the roster, too.) Staff come in
when they open the class themselves: an address alone makes nobody an assistant.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.classes.classes import Enrolment, Member
from app.classes.lti.accounts import LtiAccount
from app.classes.lti.contexts import Context
from app.classes.lti.launches import class_role
from app.classes.lti.platforms import MAX_ID
from app.classes.lti.services import MEMBERS_SCOPE, Service
from app.classes.rights import ClassRole, Right
from app.classes.roster import MAX_NAME, MAX_PEOPLE, ExpectedPerson
from app.db import now
from app.people.accounts import readable_email
from app.people.audit import note
from app.people.users import User
from app.web.outgoing import Unreachable
from graders.text import storable

ACCEPT = "application/vnd.ims.lti-nrps.v2.membershipcontainer+json"


@dataclass(frozen=True)
class Listed:
    """Somebody in the platform's course."""

    subject: str
    role: str | None
    name: str
    email: str


@dataclass(frozen=True)
class Taken:
    """In people. `later`: those who are in the class once they open it themselves."""

    enrolled: int
    expected: int
    already: int
    later: int


def fetch_members(service: Service, context: Context) -> list[Listed]:
    """Called with no transaction open. Raises Unreachable, Refused."""
    found: dict[str, Listed] = {}
    for page in service.pages((MEMBERS_SCOPE,), context.memberships_url, ACCEPT):
        listed = page.get("members") if isinstance(page, dict) else None
        if not isinstance(listed, list):
            raise Unreachable("The platform's answer is no list of members.")
        found.update((one.subject, one) for one in _read(listed))
        if len(found) > MAX_PEOPLE:
            raise Unreachable(f"The course has more than {MAX_PEOPLE} people.")
    return list(found.values())


def _read(listed: Iterable[Any]) -> Iterable[Listed]:
    for one in listed:
        if not isinstance(one, dict) or one.get("status", "Active") != "Active":
            continue
        subject, name, email = one.get("user_id"), one.get("name"), one.get("email")
        if isinstance(subject, str) and 0 < len(subject) <= MAX_ID and storable(subject) == subject:
            yield Listed(
                subject,
                class_role(one.get("roles")),
                " ".join(storable(name).split())[:MAX_NAME] if isinstance(name, str) else "",
                (readable_email(email) or "") if isinstance(email, str) and len(email) <= 254 else "",
            )


def take_members(db: Session, member: Member, context: Context, listed: list[Listed]) -> Taken:
    class_id = member.class_.id
    linked = select(LtiAccount.subject, LtiAccount.user_id).where(LtiAccount.platform_id == context.platform_id)
    account_of = {row.subject: row.user_id for row in db.execute(linked)}
    emails = [one.email for one in listed if one.email]
    by_email = {row.email: row.id for row in db.execute(select(User.email, User.id).where(User.email.in_(emails)))}
    places = {one.user_id: one for one in db.scalars(select(Enrolment).where(Enrolment.class_id == class_id))}
    expected = set(db.scalars(select(ExpectedPerson.email).where(ExpectedPerson.class_id == class_id)))
    # attack: a platform of one's own lists somebody's address, and their work is read. defence: as on the roster
    may_enrol = member.may(Right.move_people)
    enrolled = waiting = already = later = 0
    for one in listed:
        user_id = account_of.get(one.subject)
        known = user_id if user_id is not None else by_email.get(one.email)
        if known in places:
            places[known].name = places[known].name or one.name
            already += 1
        elif one.email in expected:
            already += 1
        elif one.role is None or len(places) + len(expected) >= MAX_PEOPLE:
            later += one.role is not None
        elif user_id is not None or (known is not None and one.role == ClassRole.student and may_enrol):
            assert known is not None
            places[known] = Enrolment(class_id=class_id, user_id=known, role=one.role, name=one.name)
            db.add(places[known])
            enrolled += 1
        elif one.email and one.role == ClassRole.student:
            fields = {"role": one.role, "name": one.name, "is_offer": not may_enrol}
            db.add(ExpectedPerson(class_id=class_id, email=one.email, **fields))
            expected.add(one.email)
            waiting += 1
        else:
            later += 1
    context.members_at = now()
    taken = Taken(enrolled, waiting, already, later)
    note(db, member.user, member.class_.as_thing, "people fetched", {"context": context.id, **vars(taken)})
    db.flush()
    return taken
