"""Who sends a request: the person of its bearer token or cookie, and the guest that a new visitor becomes.

Signed out is the default: a route says `viewer` where anyone may look, `require_viewer` where one must be known,
and `require_user` where something is written, which makes a guest of a new visitor.
"""

from dataclasses import dataclass
from typing import NoReturn

from sqlalchemy import event
from sqlalchemy.orm import Session
from starlette.requests import Request

from app.db import Database
from app.people import users
from app.people.permission import Wish, may
from app.people.users import User
from app.settings import Settings
from app.state import state_of
from app.web.credentials import address_of, bearer_token, cookie_token, is_browser
from app.web.day import offset_in
from app.web.errors import Forbidden, Unauthenticated, is_api


@dataclass(frozen=True)
class SignedIn:
    user: User
    token: str


@dataclass(frozen=True)
class Visitor:
    """The person who asks, as every page names them: plain words, for a row is worth nothing once its transaction
    failed, and it is then that a page must tell so. `authors`: they find the way to the author's room."""

    email: str | None
    authors: bool = False


def _visitor(user: User) -> Visitor:
    return Visitor(user.email, may(user, Wish.author_content))


def viewer(db: Session, request: Request, *, writes: bool = False) -> User | None:
    """The person who asks, or None. A token that opens nothing raises Unauthenticated; an old cookie does not.

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
    request.state.viewer = _visitor(user) if user is not None else None
    return user


def require_viewer(db: Session, request: Request, *, writes: bool = False) -> User:
    return viewer(db, request, writes=writes) or refuse()


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
    # attack: sign out in another tab, and type on in this one; the next person signs in, and has what was typed.
    # defence: the page says whose it is, and nothing of it is taken for anybody else.
    whose = request.headers.get("lectern-person")
    if whose and (known is None or whose != str(known.id)):
        raise Unauthenticated(
            "You are signed out, or signed in as another person.",
            "Sign in as before and send it again: what you typed is kept in this browser.",
        )
    if known is not None:
        _keep_offset(known, request)
        return known
    if is_api(request.url.path) and not is_browser(request):
        refuse()
    state_of(request).limits.spend("guest", address=address_of(request))
    return _new_guest(db, request).user


@dataclass(frozen=True)
class Caller:
    """The sender of a request, for verbs that open their own transaction and know nothing of HTTP."""

    request: Request

    @property
    def address(self) -> str:
        return address_of(self.request)

    def viewer(self, db: Session, *, writes: bool = False) -> User | None:
        """As `viewer`. Raises Unauthenticated."""
        return viewer(db, self.request, writes=writes)

    def require_viewer(self, db: Session, *, writes: bool = False) -> User:
        """As `require_viewer`. Raises Unauthenticated."""
        return require_viewer(db, self.request, writes=writes)

    def require_user(self, db: Session) -> User:
        """As `require_user`. Raises Unauthenticated, RateLimited, Forbidden."""
        return require_user(db, self.request)


def open_guest(database: Database, request: Request) -> SignedIn:
    """A guest's session for a program that asks for one."""
    with database.writing() as db:
        return _new_guest(db, request)


def refuse() -> NoReturn:
    raise Unauthenticated(
        "Sign in first.",
        "For a guest's token, POST {} to /api/v1/sessions, then send the token as Authorization: Bearer.",
        headers={"WWW-Authenticate": "Bearer"},
    )


def require_open(settings: Settings) -> None:
    if settings.registration == "invitation":
        raise Forbidden("This Lectern is by invitation only.", "Ask your instructor for an account.")


def _new_guest(db: Session, request: Request) -> SignedIn:
    require_open(state_of(request).settings)
    guest = users.add_guest(db)
    _keep_offset(guest, request)
    return renew(db, request, guest)


def _keep_offset(user: User, request: Request) -> None:
    """Where they are is where they last wrote; a program, which says nothing of it, changes nothing."""
    offset = offset_in(request)
    if offset is not None and offset != user.utc_offset_minutes:
        user.utc_offset_minutes = offset


def renew(db: Session, request: Request, person: User) -> SignedIn:
    """A fresh session for the person that they now are.

    attack: a cookie planted in the victim's browser before they sign in. So the session that a cookie named ends
    here; a bearer token was given to this very program, which may go on using it.
    """
    settings = state_of(request).settings
    cookie = cookie_token(request) if bearer_token(request) is None else None
    if cookie:
        users.close_login(db, cookie)
    token = users.open_login(db, person, settings.session_days)
    takes_cookie = bearer_token(request) is None and (cookie or is_browser(request))
    now_known = _visitor(person)

    def tell(committed: Session) -> None:
        request.state.viewer = now_known
        if takes_cookie:
            request.state.set_cookie = token

    # Only once it is stored: when that fails, the cookie of the session before still opens that session.
    event.listen(db, "after_commit", tell, once=True)
    return SignedIn(person, token)
