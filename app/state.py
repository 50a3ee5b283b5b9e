"""What one server holds, typed: `state_of(request).db` instead of an attribute nobody checks."""

from collections.abc import Callable
from typing import Protocol, cast

from starlette.requests import Request
from starlette.responses import Response

from app.db import Database
from app.discussions.letters import MistakeLetters
from app.people.hashing import Hashing
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
from graders.exercise.fresh import Stock
from graders.exercise.preparer import Preparer
from graders.worker import Queue


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
    mistake_letters: MistakeLetters
    connections: Connections
    judge: Judge | None
    stock: Stock
    cells: LessonCells
    checks: Checks
    live: Live | None  # with `serve --edit`
    preparer: Preparer | None
    problem_page: Callable[[Request, Problem], Response]
    moved: Callable[[str], str | None]  # where what used to be at an address is now


def require_room(state: AppState, user: User, more_bytes: int, verdicts: int = 0) -> None:
    """Raises TooLarge and RateLimited where this person's quota is full."""
    if state.limits.enabled:
        quota_of(state.settings).require_room(user, more_bytes, verdicts)


def state_of(request: Request) -> AppState:
    return cast(AppState, request.app.state)
