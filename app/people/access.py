"""Who can sign in: an admin ends somebody's sessions, or disables their account. What is theirs stays as it is."""

import structlog
from sqlalchemy.orm import Session

from app.db import Database, now
from app.people import audit, users
from app.people.audit import note
from app.people.identity import Caller
from app.people.resets import close_resets
from app.people.roles import require_manager, require_staff_without
from app.people.users import User
from app.web.errors import NotFound

log = structlog.get_logger("lectern.people")


def end_sessions(database: Database, caller: Caller, user_id: int) -> str:
    """Signs them out everywhere, API tokens included; they may sign in again. Returns whose sessions these were, by
    e-mail address. Raises Unauthenticated, Forbidden, NotFound."""
    with database.writing() as db:
        manager = require_manager(db, caller)
        person = _account(db, user_id)
        ended = users.close_logins(db, person.id)
        note(db, manager, audit.person(person.id), "sessions ended", {"count": ended})
    log.info("sessions_ended", person=user_id, count=ended, by=manager.id)
    return person.email or ""


def disable(database: Database, caller: Caller, user_id: int) -> str:
    """Ends their sessions, tokens and reset links; signing in is refused until `enable`. Returns their e-mail address.
    Raises Unauthenticated, Forbidden, NotFound, Conflict for the last one who can run this Lectern.

    attack: two admins disable each other at the same moment. defence: as in `change_role`, the staff is held still.
    """
    with database.writing() as db:
        users.lock_staff(db)
        manager = require_manager(db, caller)
        person = _account(db, user_id)
        if person.disabled_at is None:
            require_staff_without(db, person, None)
            person.disabled_at = now()
            users.close_logins(db, person.id)
            close_resets(db, person.id)
            note(db, manager, audit.person(person.id), "account disabled")
    log.info("account_disabled", person=user_id, by=manager.id)
    return person.email or ""


def enable(database: Database, caller: Caller, user_id: int) -> str:
    """They may sign in again. Returns their e-mail address. Raises Unauthenticated, Forbidden, NotFound."""
    with database.writing() as db:
        users.lock_staff(db)
        manager = require_manager(db, caller)
        person = _account(db, user_id)
        if person.disabled_at is not None:
            person.disabled_at = None
            note(db, manager, audit.person(person.id), "account enabled")
    log.info("account_enabled", person=user_id, by=manager.id)
    return person.email or ""


def _account(db: Session, user_id: int) -> User:
    person = db.get(User, user_id, populate_existing=True, with_for_update={"key_share": True})
    if person is None or person.email is None:
        raise NotFound("There is no such account.", "Somebody may have deleted it. Search again.")
    return person
