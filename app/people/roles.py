"""Roles: who has an account, and which of them teach. Changed by an admin on the site, or by the operator."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

import structlog
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.db import Database
from app.people import audit, users
from app.people.accounts import account_of, read_email, read_role
from app.people.audit import Via, note
from app.people.belongings import plain
from app.people.identity import Caller
from app.people.permission import STAFF, Wish, may
from app.people.users import Login, Role, User
from app.web.errors import Conflict, Forbidden, NotFound

log = structlog.get_logger("lectern.people")

PAGE = 50


@dataclass(frozen=True)
class Account:
    """`signed_in_at`: when the newest of their sessions began that has not ended; None where there is none.
    `disabled_at`: since when they cannot sign in; None where they can."""

    id: int
    email: str
    role: str
    created_at: datetime
    signed_in_at: datetime | None
    disabled_at: datetime | None

    def as_json(self) -> dict[str, Any]:
        moments = {name: plain(getattr(self, name)) for name in ("created_at", "signed_in_at", "disabled_at")}
        return {"email": self.email, "role": self.role, **moments}


def list_accounts(
    db: Session, search: str = "", first: int = 0, count: int | None = None, role: str = ""
) -> list[Account]:
    """By e-mail address: those that `search` is a part of, `count` of them from number `first` on; of one role, if it
    is named."""
    newest = select(func.max(Login.created_at)).where(Login.user_id == User.id).scalar_subquery()
    columns = User.id, User.email, User.role, User.created_at, newest, User.disabled_at
    found = select(*columns).where(User.email.is_not(None))
    if role:
        found = found.where(User.role == role)
    if wanted := search.replace("\0", "").strip().casefold():  # PostgreSQL takes no NUL in a text
        found = found.where(User.email.contains(wanted, autoescape=True))
    rows = db.execute(found.order_by(User.email).offset(first).limit(count))
    return [
        Account(id, email or "", role, created_at, signed_in_at, disabled_at)
        for id, email, role, created_at, signed_in_at, disabled_at in rows
    ]


def require_manager(db: Session, caller: Caller) -> User:
    """Raises Unauthenticated, or Forbidden for everybody but admins."""
    person = caller.require_viewer(db)
    if not may(person, Wish.manage_people):
        raise Forbidden("Only admins can manage accounts.", "Ask an admin, or the person who runs this server.")
    return person


def change_role(database: Database, caller: Caller, user_id: int, role: str) -> str:
    """Returns whose it was, by e-mail address. Raises Unauthenticated, Forbidden, NotFound, Invalid, Conflict.

    attack: two admins take the role from each other at the same moment, or somebody loses it and goes on. defence: who
    is on the staff is held still before anybody is asked who they are.
    """
    with database.writing() as db:
        users.lock_staff(db)
        manager = require_manager(db, caller)
        person = db.get(User, user_id, populate_existing=True)
        if person is None or person.email is None:
            raise NotFound("There is no such account.", "Somebody may have deleted it. Search again.")
        wanted = read_role(role)
        _set_role(db, person, wanted, manager)
        email = person.email
    log.info("role_changed", person=user_id, role=role, by=manager.id)
    return email


def give_role(database: Database, email: str, role: str) -> None:
    """For the command line. Raises Invalid, NotFound, Conflict."""
    wanted, email = read_role(role), read_email(email)
    with database.writing() as db:
        users.lock_staff(db)
        _set_role(db, account_of(db, email), wanted, None)


def _set_role(db: Session, person: User, role: Role, manager: User | None) -> None:
    """`manager`: None for the command line."""
    require_staff_without(db, person, role)
    if person.role != role:
        via = Via.web if manager is not None else Via.command_line
        note(db, manager, audit.person(person.id), "role changed", {"from": person.role, "to": role.value}, via)
    person.role = role


def require_staff_without(db: Session, person: User, role: Role | None) -> None:
    """Raises Conflict where this person is the last one who can run this Lectern, and would be so no longer as `role`
    (None: without access). The staff is locked."""
    on_staff = select(User).where(User.role.in_(STAFF), User.disabled_at.is_(None))
    on_staff = on_staff.execution_options(populate_existing=True)
    staff = {user.id: user.role for user in db.scalars(on_staff)}
    if role not in STAFF and staff.keys() == {person.id}:
        raise Conflict(
            f"Nobody would be left to run this Lectern: {person.email} is the last instructor or admin.",
            "Make somebody else an instructor or admin first.",
        )
    admins = {id for id, held in staff.items() if held == Role.admin}
    if role != Role.admin and admins == {person.id}:
        raise Conflict(
            f"{person.email} is the last admin. Without them, nobody could change roles.",
            "Make somebody else an admin first.",
        )
