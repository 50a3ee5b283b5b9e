"""What one server holds, typed: `state_of(request).db` instead of an attribute nobody checks."""

from collections.abc import Callable
from typing import Protocol, cast

from starlette.requests import Request
from starlette.responses import Response

from app.cells import LessonCells
from app.db import Database
from app.errors import Problem
from app.events import Events
from app.limits import RateLimits
from app.metrics import Metrics
from app.models.course import Catalog
from app.queue.local import LocalQueue
from app.settings import Settings
from graders.pool import Judge


class AppState(Protocol):
    settings: Settings
    db: Database
    catalog: Catalog
    queue: LocalQueue
    events: Events
    metrics: Metrics
    limits: RateLimits
    judge: Judge | None
    cells: LessonCells
    problem_page: Callable[[Request, Problem], Response]


def state_of(request: Request) -> AppState:
    return cast(AppState, request.app.state)
