"""A password changes: by the person who knows the old one, by the link that was sent to them, or by the operator.

attack: a thief who has signed in, or who has asked for a link, and is still there after the change. defence: every way
to change a password goes through `set_password`, which ends the sessions, the links, and what other rooms know that
opens the account (ways_in.py).
"""

from sqlalchemy.orm import Session
from starlette.concurrency import run_in_threadpool

from app.db import Database
from app.people import audit, users
from app.people.accounts import account_of, read_email
from app.people.audit import Via, note
from app.people.guests import keep_work
from app.people.identity import Caller, refuse, renew
from app.people.passwords import hash_password, require_password, verify
from app.people.resets import close_resets, use_reset, user_by_reset
from app.people.users import User
from app.people.verifications import verified
from app.people.ways_in import close_ways_in
from app.state import AppState
from app.web.credentials import bearer_token
from app.web.errors import Conflict, Forbidden, NotFound, Unauthenticated


def set_password(db: Session, user: User, hashed: str, but: str | None = None) -> int:
    """Ends the account's sessions, except the one of the token `but`, its reset links, and whatever else opens it.
    Returns how many sessions ended."""
    user.password_hash = hashed
    close_resets(db, user.id)
    close_ways_in(db, user.id)
    return users.close_logins(db, user.id, but)


def give_password(database: Database, email: str, password: str) -> int:
    """For the command line. Returns how many sessions ended. Raises Invalid, NotFound."""
    hashed = hash_password(password, read_email(email))
    with database.writing() as db:
        user = account_of(db, email)
        note(db, None, audit.person(user.id), "password set", via=Via.command_line)
        return set_password(db, user, hashed)


async def change_password(state: AppState, caller: Caller, current: str, password: str) -> None:
    """The caller's own; they stay signed in where they are. Raises Unauthenticated, Conflict for somebody without a
    password, RateLimited, Invalid, and Forbidden for a wrong `current`.

    attack: guess it at a machine that was left open. defence: the same allowance as signing in.
    attack: a copy of the cookie. defence: the browser gets a new one, and the old one opens nothing.
    """
    person = await run_in_threadpool(_person_of, state, caller)
    known, email = person.password_hash, person.email
    if known is None or email is None:
        raise Conflict("You have no password.", "Use “Forgot your password?” to choose one.")
    await state.limits.spend_soon("sign_in", person=email, address=caller.address)
    require_password(password, email)
    if not await state.hashing.run(caller.address, lambda: verify(known, current)):
        raise Forbidden("current: this is not your password.", "Nothing was changed. The password is case-sensitive.")
    fresh = await state.hashing.run(caller.address, lambda: hash_password(password, email))
    await run_in_threadpool(_change, state, caller, known, fresh)


def _person_of(state: AppState, caller: Caller) -> User:
    with state.db.reading() as db:
        return caller.require_viewer(db)


def _change(state: AppState, caller: Caller, known: str, fresh: str) -> None:
    with state.db.writing() as db:
        person = caller.require_viewer(db, writes=True)
        if person.password_hash != known:
            refuse()  # changed while we verified
        token = bearer_token(caller.request)
        set_password(db, person, fresh, but=token)
        note(db, person, audit.person(person.id), "password changed")
        if token is None:
            renew(db, caller.request, person)


async def reset_password(state: AppState, caller: Caller, token: str, password: str) -> None:
    """The caller signs in to the account of this link, with a new password; a guest's work becomes theirs. Raises
    RateLimited, Invalid, and NotFound for a link that is not valid, or has expired.

    attack: links at random, each of which costs us a hash. defence: one that is unknown is refused before.
    """
    await state.limits.spend_soon("sign_in", address=caller.address)
    email = await run_in_threadpool(email_of_reset, state, token)
    require_password(password, email)
    hashed = await state.hashing.run(caller.address, lambda: hash_password(password, email))
    await run_in_threadpool(_reset, state, caller, token, hashed)


def email_of_reset(state: AppState, token: str) -> str:
    """Raises NotFound for a link that is not valid, or has expired."""
    with state.db.reading() as db:
        user = user_by_reset(db, token)
    if user is None or user.email is None:
        raise _dead()
    return user.email


def _reset(state: AppState, caller: Caller, token: str, hashed: str) -> None:
    with state.db.writing() as db:
        try:
            before = caller.viewer(db, writes=True)
        except Unauthenticated:
            before = None  # an old token is no reason not to choose a password
        person = use_reset(db, token)
        if person is None:
            raise _dead()
        set_password(db, person, hashed)
        note(db, person, audit.person(person.id), "password reset")
        verified(db, person)  # they read what is sent to the address
        renew(db, caller.request, person)
        if before is not None and before.is_guest:
            keep_work(db, state.catalog, before, person)


def _dead() -> NotFound:
    return NotFound(
        "This link is not valid, or has expired.",
        "A link works once, for an hour, until the password is changed. Ask for another one.",
    )
