"""How a session begins and ends: signing up, in and out, and leaving for good. Pages and the API do it alike."""

import structlog
from sqlalchemy.exc import IntegrityError
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request

from app.db import Database
from app.people import audit, users
from app.people.accounts import read_email, readable_email
from app.people.arrivals import arrived
from app.people.audit import note
from app.people.guests import keep_work
from app.people.identity import SignedIn, refuse, renew, require_open, require_viewer, viewer
from app.people.passwords import hash_again, hash_password, needs_hash_again, require_password, verify
from app.people.users import Role, User
from app.people.verifications import ask_to_verify, verified
from app.state import state_of
from app.web.credentials import address_of, bearer_token, cookie_token
from app.web.errors import Conflict, Forbidden, Unauthenticated

log = structlog.get_logger("lectern.web")


async def sign_up(
    database: Database, request: Request, email: str, password: str, *, is_invited: bool = False
) -> SignedIn:
    """The caller becomes a student with this address, keeping the work of the guest they were. `is_invited`: they come
    from a link that was sent to the address. Raises RateLimited, Forbidden, Invalid, Conflict."""
    state, address = state_of(request), address_of(request)
    await state.limits.spend_soon("sign_up", address=address)
    if not is_invited:
        require_open(state.settings)
    email = read_email(email)
    require_password(password, email)
    hashed = await state.hashing.run(address, lambda: hash_password(password, email))
    return await run_in_threadpool(_signed_up, database, request, email, hashed, is_invited)


def _signed_up(database: Database, request: Request, email: str, hashed: str, is_invited: bool) -> SignedIn:
    try:
        with database.writing() as db:
            person = viewer(db, request, writes=True)
            if person is None:
                person = users.add_user(db, email, Role.student, hashed)
                note(db, person, audit.person(person.id), "account added", {"role": Role.student.value})
            elif person.is_guest:
                person.email, person.password_hash, person.role = email, hashed, Role.student
                note(db, person, audit.person(person.id), "account added", {"role": Role.student.value})
                db.flush()
            else:
                raise Conflict(
                    "You already have an account and are signed in.", "Sign out first to create another one."
                )
            asks = state_of(request).outbox.sends("verification")
            if is_invited:
                verified(db, person)
            else:
                arrived(db, person, is_confirmed=not asks)
                if asks:
                    ask_to_verify(db, person)
            return renew(db, request, person)
    except IntegrityError:
        raise Conflict("There is already an account with this e-mail address.", "Sign in instead.") from None


async def sign_in(database: Database, request: Request, email: str, password: str) -> SignedIn:
    """Opens a session of an existing account; a guest's work becomes theirs. Raises RateLimited, Unauthenticated,
    Forbidden for an account that is disabled, to those who know its password.

    attack: the same account under sixty spellings of its address, each with tries of its own. defence: the address is
    normalised first, and what is counted is what is looked up. (What is no address is nobody's account.)
    """
    state, address = state_of(request), address_of(request)
    known_as = readable_email(email)
    await state.limits.spend_soon("sign_in", person=known_as or email.strip().casefold(), address=address)
    hashed = await run_in_threadpool(_hash_of, database, known_as) if known_as else None
    # attack: asking for one address after another and timing the answer, to learn who has an account
    matches = await state.hashing.run(address, lambda: verify(hashed, password))
    if not (known_as and matches and hashed):
        raise _wrong()
    fresh = await state.hashing.run(address, lambda: hash_again(password)) if needs_hash_again(hashed) else None
    return await run_in_threadpool(_signed_in, database, request, known_as, hashed, fresh)


def _hash_of(database: Database, email: str) -> str | None:
    with database.reading() as db:
        known = users.user_by_email(db, email)
        return known.password_hash if known is not None else None


def _signed_in(database: Database, request: Request, email: str, hashed: str, fresh: str | None) -> SignedIn:
    with database.writing() as db:
        person = users.user_by_email(db, email)
        if person is None or person.password_hash != hashed:
            raise _wrong()  # changed or removed while we verified
        if person.disabled_at is not None:
            raise Forbidden("This account is disabled.", "Ask the person who runs this server.")
        if fresh:
            person.password_hash = fresh
        try:
            before = viewer(db, request, writes=True)
        except Unauthenticated:
            before = None  # an old token is no reason not to sign in
        signed_in = renew(db, request, person)
        if before is not None and before.is_guest:
            keep_work(db, state_of(request).catalog, before, person)
        return signed_in


def _wrong() -> Unauthenticated:
    return Unauthenticated(
        "The e-mail address or the password is wrong.", "Check both; the password is case-sensitive."
    )


def sign_out(database: Database, request: Request) -> None:
    """Ends the session that this request came with. Raises Unauthenticated when it came with none."""
    with database.writing() as db:
        require_viewer(db, request)
        users.close_login(db, bearer_token(request) or cookie_token(request) or "")
    if bearer_token(request) is None:
        request.state.set_cookie = ""
    request.state.viewer = None


async def prove_password(request: Request, password: str, nothing: str) -> User:
    """The caller, who has just shown that they know their password. `nothing`: what was not done where they do not, as
    in "Nothing was deleted." Raises Unauthenticated, RateLimited, Forbidden for a wrong password, and Conflict for
    somebody who has none.

    attack: somebody passes a machine that was left open, or has found a token. defence: the password, asked again,
    from the same allowance as signing in.
    """
    state, address = state_of(request), address_of(request)
    person = await run_in_threadpool(_caller, request)
    hashed = person.password_hash
    if hashed is None:
        raise Conflict("You have no password.", "Use “Forgot your password?” to choose one.")
    await state.limits.spend_soon("sign_in", person=person.email, address=address)
    if not await state.hashing.run(address, lambda: verify(hashed, password)):
        raise Forbidden("password: this is not your password.", f"{nothing} Check the password; it is case-sensitive.")
    return person


async def leave(request: Request, password: str) -> None:
    """The caller is deleted, with all that is theirs, and every session ends. Raises Unauthenticated, Forbidden for a
    wrong password, Conflict for the last one on the staff. Somebody without a password is not asked for one."""
    person = await run_in_threadpool(_caller, request)
    if person.password_hash is not None:
        person = await prove_password(request, password, "Nothing was deleted.")
    await run_in_threadpool(_delete_caller, request, person)


def _caller(request: Request) -> User:
    with state_of(request).db.reading() as db:
        return require_viewer(db, request)


def _delete_caller(request: Request, person: User) -> None:
    """`person` as they were when their password was verified."""
    with state_of(request).db.writing() as db:
        staff = users.lock_staff(db) if person.is_staff else []
        leaving = viewer(db, request, writes=True)
        if leaving is None or leaving.password_hash != person.password_hash:
            refuse()  # signed out, gone or changed while we verified
        if leaving.is_staff and staff == [leaving.id]:
            raise Conflict(
                "You are the last instructor or admin: nobody would be left to run this Lectern.",
                "Add another instructor first: ./lectern users role EMAIL instructor, or users add for a new account.",
            )
        note(db, leaving, audit.person(leaving.id), "account deleted", {"role": leaving.role})
        db.flush()
        users.delete_user(db, leaving)
    log.info("person_deleted", person=leaving.id)  # after restoring a backup, delete them again
    if bearer_token(request) is None:
        request.state.set_cookie = ""
    request.state.viewer = None
