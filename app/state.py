"""What one server holds, typed: `state_of(request).db` instead of an attribute nobody checks."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Protocol, cast

from sqlalchemy.orm import Session
from starlette.requests import Request
from starlette.responses import Response

from app.classes.lti.wire import Wire
from app.db import Database
from app.discussions.letters import MistakeLetters
from app.operating.disk import DiskFigures
from app.people.hashing import Hashing
from app.people.outbox import Outbox
from app.people.provider import Provider
from app.people.quota import quota_of
from app.people.reset_links import ResetLinks
from app.people.users import User
from app.queue.contract import WebQueue
from app.queue.events import Events
from app.reading.catalog import Catalog
from app.reading.cells import LessonCells
from app.settings import Settings
from app.teaching.checks import Checks
from app.teaching.live import Live
from app.web.errors import Problem
from app.web.held import Connections
from app.web.limits import RateLimits
from app.web.metrics import Metrics
from graders.boxes.pool import Judge
from graders.exercise.built import Keeps
from graders.exercise.definition import Exercise
from graders.exercise.fresh import Stock
from graders.worker import Queue

if TYPE_CHECKING:
    from app.queue.elsewhere import Elsewhere  # the client of a broker is for those who have one


class Prepares(Protocol):
    """Who makes what exercises need, behind the pages."""

    def want(self, exercise: Exercise) -> None: ...

    def replace(self, exercises: Iterable[Exercise]) -> None: ...

    def is_settled(self, exercise: Exercise, kind: str) -> bool: ...


class Regrades(Protocol):
    """Who makes the dry runs of regradings, behind the pages."""

    def look(self) -> None: ...


class Demonstrates(Protocol):
    """Who fills a demo, and signs in who has one of its links."""

    def enter(self, db: Session, token: str, viewer: User | None) -> tuple[User | None, str]: ...


class AppState(Protocol):
    settings: Settings
    db: Database
    catalog: Catalog
    queue: WebQueue
    jobs: Queue  # for the workers in this process
    events: Events
    metrics: Metrics
    limits: RateLimits
    hashing: Hashing
    reset_links: ResetLinks
    outbox: Outbox
    provider: Provider | None  # of sign-in
    mistake_letters: MistakeLetters
    connections: Connections
    disk: DiskFigures
    lti: Wire  # what learning management systems are asked
    judge: Judge | None
    elsewhere: "Elsewhere | None"  # who does what needs a judge, where this process has none and a broker has workers
    shelf: Keeps | None  # where exercises' cases are found; None where nobody makes them
    stock: Stock
    cells: LessonCells
    checks: Checks
    regrader: Regrades
    live: Live | None  # with `serve --edit`
    demo: Demonstrates | None  # with `serve --demo`
    preparer: Prepares | None
    problem_page: Callable[[Request, Problem], Response]
    moved: Callable[[str], str | None]  # where what used to be at an address is now


def can_make_cases(state: AppState) -> bool:
    """Whether an exercise's cases will be at hand in a while, unless it is broken."""
    return state.elsewhere is not None or (state.judge is not None and state.judge.why_not() is None)


def require_room(state: AppState, user: User, more_bytes: int, verdicts: int = 0) -> None:
    """Raises TooLarge and RateLimited where this person's quota is full."""
    if state.limits.enabled:
        quota_of(state.settings).require_room(user, more_bytes, verdicts)


def state_of(request: Request) -> AppState:
    return cast(AppState, request.app.state)
