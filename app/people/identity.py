"""Who is asking: sessions by bearer token or cookie, passwords, and how a guest becomes somebody.

Signed out is the default: a route says `viewer` where anyone may look, `require_viewer` where one must be known,
and `require_user` where something is written, which makes a guest of a new visitor.
"""

import unicodedata
from dataclasses import dataclass
from typing import NoReturn

import structlog
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from email_validator import EmailNotValidError, validate_email
from sqlalchemy import event
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request

from app.db import Database
from app.people import users
from app.people.guests import keep_work
from app.people.permission import Wish, may
from app.people.users import Role, User
from app.quizzes import sittings
from app.settings import Settings
from app.state import state_of
from app.web.day import offset_said
from app.web.errors import Conflict, Forbidden, Invalid, NotFound, Unauthenticated, is_api

PASSWORD_MIN_LENGTH = 10
PASSWORD_MAX_LENGTH = 1000
TOKEN_MAX_LENGTH = 200
COMMAND_LINE_TOKEN_DAYS = 365
TIME_MULTIPLIER_MIN, TIME_MULTIPLIER_MAX = 1, 10

log = structlog.get_logger("lectern.web")
_hasher = PasswordHasher()
# Verified for an address that nobody has, so that the answer takes as long as for one that somebody has. Of random
# bytes that were thrown away, and written here because making one at each start would delay it.
_nobody = "$argon2id$v=19$m=65536,t=3,p=4$we7lPGWNpjUIlAGdqtx+pQ$tQ8QgdNL9kzfFtnCMfqrXXUnf4isxdUol1l6VRGmhsE"


@dataclass(frozen=True)
class SignedIn:
    user: User
    token: str


@dataclass(frozen=True)
class Visitor:
    """Whoever is asking, as every page names them: plain words, for a row is worth nothing once its transaction
    failed, and it is then that a page must tell so."""

    email: str | None


def viewer(db: Session, request: Request, *, writes: bool = False) -> User | None:
    """Whoever is asking, or None. A token that opens nothing raises Unauthenticated; an old cookie does not.

    `writes`: a double click or a second tab waits for its turn, so that what is read here still holds when written.
    """
    token = bearer_token(request)
    if token is not None:
        user = users.user_by_token(db, token, alone=writes)
        if user is None:
            raise Unauthenticated(
                "This token is unknown, or no longer valid.",
                "Get a new one with POST /api/v1/sessions.",
                headers={"WWW-Authenticate": "Bearer"},
            )
    else:
        cookie = cookie_token(request)
        user = users.user_by_token(db, cookie, alone=writes) if cookie else None
    request.state.viewer = Visitor(user.email) if user is not None else None
    return user


def require_viewer(db: Session, request: Request, *, writes: bool = False) -> User:
    return viewer(db, request, writes=writes) or _refuse()


def require_staff(db: Session, request: Request) -> User:
    """Raises Unauthenticated, or Forbidden for students and guests."""
    person = require_viewer(db, request)
    if not may(person, Wish.run_the_site):
        raise Forbidden("This is for instructors.", "Sign in as an instructor.")
    return person


def require_user(db: Session, request: Request) -> User:
    """The person who writes: the viewer, or a guest made now, whose cookie goes out with this response.

    A program that shows neither token nor browser headers is told to get a token instead: it would not keep a
    cookie, and each call would make another guest.
    """
    known = viewer(db, request, writes=True)
    if known is not None:
        _keep_offset(known, request)
        return known
    if is_api(request.url.path) and not is_browser(request):
        _refuse()
    state_of(request).limits.spend("guest", address=address_of(request))
    return _new_guest(db, request).user


@dataclass(frozen=True)
class Caller:
    """The sender of a request, for verbs that open their own transaction and know nothing of HTTP."""

    request: Request

    @property
    def address(self) -> str:
        return address_of(self.request)

    def viewer(self, db: Session) -> User | None:
        """As `viewer`. Raises Unauthenticated."""
        return viewer(db, self.request)

    def require_user(self, db: Session) -> User:
        """As `require_user`. Raises Unauthenticated, RateLimited, Forbidden."""
        return require_user(db, self.request)


def open_guest(database: Database, request: Request) -> SignedIn:
    """A guest's session for a program that asks for one."""
    with database.writing() as db:
        return _new_guest(db, request)


async def sign_up(database: Database, request: Request, email: str, password: str) -> SignedIn:
    """The caller becomes a student with this address, keeping the work of the guest they were. Raises RateLimited,
    Forbidden, Invalid, Conflict."""
    state, address = state_of(request), address_of(request)
    state.limits.spend("sign_up", address=address)
    _require_open(state.settings)
    email = read_email(email)
    require_password(password)
    hashed = await state.hashing.run(address, lambda: hash_password(password))
    return await run_in_threadpool(_signed_up, database, request, email, hashed)


def _signed_up(database: Database, request: Request, email: str, hashed: str) -> SignedIn:
    try:
        with database.writing() as db:
            person = viewer(db, request, writes=True)
            if person is None:
                person = users.add_user(db, email, Role.student, hashed)
            elif person.is_guest:
                person.email, person.password_hash, person.role = email, hashed, Role.student
                db.flush()
            else:
                raise Conflict(
                    "You already have an account and are signed in.", "Sign out first to create another one."
                )
            return _renew(db, request, person)
    except IntegrityError:
        raise Conflict("There is already an account with this e-mail address.", "Sign in instead.") from None


async def sign_in(database: Database, request: Request, email: str, password: str) -> SignedIn:
    """Opens a session of an existing account; a guest's work becomes theirs. Raises RateLimited, Unauthenticated.

    attack: the same account under sixty spellings of its address, each with tries of its own. defence: the address is
    normalised first, and what is counted is what is looked up. (What is no address is nobody's account.)
    """
    state, address = state_of(request), address_of(request)
    known_as = _read_email(email)
    state.limits.spend("sign_in", person=known_as or email.strip().casefold(), address=address)
    hashed = await run_in_threadpool(_hash_of, database, known_as) if known_as else None
    # attack: asking for one address after another and timing the answer, to learn who has an account
    matches = await state.hashing.run(address, lambda: _verify(hashed or _nobody, password))
    if not (known_as and matches and hashed):
        raise _wrong()
    needs_rehash = _hasher.check_needs_rehash(hashed)
    fresh = await state.hashing.run(address, lambda: _hash(password)) if needs_rehash else None
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
        if fresh:
            person.password_hash = fresh
        try:
            before = viewer(db, request, writes=True)
        except Unauthenticated:
            before = None  # an old token is no reason not to sign in
        signed_in = _renew(db, request, person)
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


async def leave(request: Request, password: str) -> None:
    """The caller is deleted, with all that is theirs, and every session ends. Raises Unauthenticated, Forbidden for a
    wrong password, Conflict for the last one on the staff.

    attack: somebody passes a machine that was left open, or has found a token. defence: the password, asked again,
    from the same allowance as signing in.
    """
    state, address = state_of(request), address_of(request)
    person = await run_in_threadpool(_caller, request)
    hashed = person.password_hash
    if hashed is not None:
        state.limits.spend("sign_in", person=person.email, address=address)
        if not await state.hashing.run(address, lambda: _verify(hashed, password)):
            raise Forbidden(
                "password: this is not your password.", "Nothing was deleted. Check the password; it is case-sensitive."
            )
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
            _refuse()  # signed out, gone or changed while we verified
        if leaving.is_staff and staff == [leaving.id]:
            raise Conflict(
                "You are the last instructor or admin: nobody would be left to run this Lectern.",
                "Add another instructor first: ./lectern users add EMAIL --role instructor",
            )
        users.delete_user(db, leaving)
    log.info("person_deleted", person=leaving.id)  # whoever restores a backup deletes them again
    if bearer_token(request) is None:
        request.state.set_cookie = ""
    request.state.viewer = None


def add_user(database: Database, email: str, role: str, password: str | None) -> User:
    """For the command line. Raises Invalid, Conflict."""
    email = read_email(email)
    if role not in (Role.student, Role.instructor, Role.admin):
        raise Invalid(f"There is no role {role}.", "Use student, instructor or admin.")
    hashed = hash_password(password) if password is not None else None
    try:
        with database.writing() as db:
            return users.add_user(db, email, Role(role), hashed)
    except IntegrityError:
        raise Conflict(f"There is already an account {email}.", "See ./lectern users token.") from None


def make_token(database: Database, email: str) -> str:
    """For the command line: a bearer token that holds for a year. Raises Invalid, NotFound."""
    email = read_email(email)
    with database.writing() as db:
        user = users.user_by_email(db, email)
        if user is None:
            raise NotFound(f"There is no account {email}.", f"Create it: ./lectern users add {email} --role student")
        return users.open_login(db, user, COMMAND_LINE_TOKEN_DAYS)


def give_time(database: Database, email: str, multiplier: float) -> int:
    """For the command line: of a quiz's time limit this person has so many times as much, from now on and in sittings
    that are open; returns in how many of these. Raises Invalid, NotFound."""
    if not TIME_MULTIPLIER_MIN <= multiplier <= TIME_MULTIPLIER_MAX:
        raise Invalid(
            f"{multiplier:g} is not a valid time multiplier.",
            f"Use a number from {TIME_MULTIPLIER_MIN} to {TIME_MULTIPLIER_MAX}, such as 1.5.",
        )
    email = read_email(email)
    with database.writing() as db:
        user = users.user_by_email(db, email)
        if user is None:
            raise NotFound(f"There is no account {email}.", f"Create it: ./lectern users add {email} --role student")
        sittings.hold(db, user.id)
        return sittings.give_time(db, user, multiplier)


def read_email(email: str) -> str:
    """The address as it is stored, looked up and counted by: one spelling a person. Raises Invalid.

    The one normalisation there is: compatible forms (full-width letters, ligatures), case, the two ways to write an
    international domain, space around it, and characters without a width are no difference.
    """
    try:
        found = validate_email(_folded(email).strip(), check_deliverability=False, test_environment=True)
    except EmailNotValidError as error:
        raise Invalid(f"email: {error}", "Check the spelling of the address.") from None
    return _folded(found.normalized)


def _read_email(email: str) -> str | None:
    try:
        return read_email(email)
    except Invalid:
        return None


def _folded(text: str) -> str:
    """Unicode's own folding for names that are compared (NFKC_Casefold): to fold it again changes nothing."""
    seen = "".join(each for each in text if unicodedata.category(each) != "Cf" and each not in _UNSEEN)
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", seen).casefold())


# Those that Unicode lets nobody see, besides the format characters: fillers and variation selectors.
_UNSEEN = frozenset(map(chr, (0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFFA0, *range(0x180B, 0x1810),
                              *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))  # fmt: skip


def require_password(password: str) -> None:
    """Raises Invalid for one that cannot be anybody's."""
    if len(password) < PASSWORD_MIN_LENGTH:
        raise Invalid(
            f"password: this has {len(password)} characters; use at least {PASSWORD_MIN_LENGTH}.",
            "A few words that you can remember work well.",
        )
    if len(password) > PASSWORD_MAX_LENGTH:
        raise Invalid(f"password: use at most {PASSWORD_MAX_LENGTH} characters.", "Use a shorter one.")


def hash_password(password: str) -> str:
    """Takes a core for a while: a server calls it where `Hashing` runs it. Raises Invalid."""
    require_password(password)
    return _hash(password)


def bearer_token(request: Request) -> str | None:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip()[:TOKEN_MAX_LENGTH] if scheme.lower() == "bearer" else None


def cookie_token(request: Request) -> str | None:
    return request.cookies.get(cookie_name(state_of(request).settings), "")[:TOKEN_MAX_LENGTH] or None


def cookie_name(settings: Settings) -> str:
    # __Host- binds the cookie to https, this host and the whole path; a browser refuses it on plain http.
    return "__Host-lectern" if settings.is_https else "lectern"


def is_browser(request: Request) -> bool:
    """Browsers name the page that a write comes from; the origin check has passed by the time this is asked."""
    return "sec-fetch-site" in request.headers or "origin" in request.headers


def address_of(request: Request) -> str:
    return request.client.host if request.client else "unknown"


def _refuse() -> NoReturn:
    raise Unauthenticated(
        "Sign in first.",
        "For a guest's token, POST {} to /api/v1/sessions, then send the token as Authorization: Bearer.",
        headers={"WWW-Authenticate": "Bearer"},
    )


def _require_open(settings: Settings) -> None:
    if settings.registration == "invitation":
        raise Forbidden("This Lectern is by invitation only.", "Ask your instructor for an account.")


def _new_guest(db: Session, request: Request) -> SignedIn:
    _require_open(state_of(request).settings)
    guest = users.add_guest(db)
    _keep_offset(guest, request)
    return _renew(db, request, guest)


def _keep_offset(user: User, request: Request) -> None:
    """Where they are is where they last wrote; a program, which says nothing of it, changes nothing."""
    said = offset_said(request)
    if said is not None and said != user.utc_offset_minutes:
        user.utc_offset_minutes = said


def _renew(db: Session, request: Request, person: User) -> SignedIn:
    """A fresh session for whoever this person now is.

    attack: a cookie planted in the victim's browser before they sign in. So the session that a cookie named ends
    here; a bearer token was given to this very program, which may go on using it.
    """
    settings = state_of(request).settings
    cookie = cookie_token(request) if bearer_token(request) is None else None
    if cookie:
        users.close_login(db, cookie)
    token = users.open_login(db, person, settings.session_days)
    takes_cookie = bearer_token(request) is None and (cookie or is_browser(request))
    now_known = Visitor(person.email)

    def tell(committed: Session) -> None:
        request.state.viewer = now_known
        if takes_cookie:
            request.state.set_cookie = token

    # Only once it is stored: when that fails, the cookie of the session before still opens that session.
    event.listen(db, "after_commit", tell, once=True)
    return SignedIn(person, token)


def _hash(password: str) -> str:
    return _hasher.hash(_bytes(password))


def _verify(hashed: str, password: str) -> bool:
    try:
        return _hasher.verify(hashed, _bytes(password[:PASSWORD_MAX_LENGTH]))
    except (VerificationError, InvalidHashError):
        return False


def _bytes(password: str) -> bytes:
    return password.encode("utf-8", "surrogatepass")
