"""The web application on one screen: what it is made of, and in which order it starts and stops."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from starlette.middleware import Middleware
from starlette.types import Lifespan

from app import errors, log, routes
from app.db import Database
from app.edge import Edge
from app.events import Events
from app.limits import RateLimits
from app.models.course import Catalog
from app.queue.local import LocalQueue
from app.rendering import render_problem
from app.routes import api
from app.settings import Settings
from graders.pool import Judge
from graders.worker import Worker


def create_app(settings: Settings | None = None) -> FastAPI:
    """Nothing runs before the lifespan begins. With LECTERN_WORKERS=0 this process only takes submissions in."""
    log.configure()
    settings = settings or Settings()
    app = FastAPI(
        title="Lectern",
        version="1",
        summary="Courses that grade tensor code.",
        openapi_url="/api/v1/openapi.json",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=_lifespan(settings),
        middleware=[Middleware(Edge, settings=settings)],
    )
    app.state.settings = settings
    app.state.db = Database(settings.database)
    app.state.events = Events()
    app.state.limits = RateLimits(enabled=settings.rate_limits == "on")
    app.state.catalog = Catalog(app.state.db)
    app.state.queue = LocalQueue(app.state.db, app.state.catalog, app.state.events)
    app.state.judge = _judge(settings)
    app.state.problem_page = render_problem
    errors.install(app)
    app.include_router(api.router)
    for router in routes.pages:
        app.include_router(router, include_in_schema=False)
    return app


def _judge(settings: Settings) -> Judge | None:
    if not settings.workers:
        return None
    return Judge(cache_folder=settings.data / "cache", require_walls=settings.sandbox == "on")


def _lifespan(settings: Settings) -> Lifespan[FastAPI]:
    @asynccontextmanager
    async def running(app: FastAPI) -> AsyncIterator[None]:
        state = app.state
        state.db.migrate()
        state.catalog.import_folders(settings.exercises, settings.lessons)
        state.events.open()
        state.queue.start()
        workers = [Worker(state.queue, state.judge) for _ in range(settings.workers)]
        if state.judge is not None:
            state.judge.start()  # warms up behind the pages; what is submitted meanwhile waits
        for worker in workers:
            worker.start()
        try:
            yield
        finally:
            state.events.close()
            state.queue.close()
            if state.judge is not None:
                state.judge.close()
            for worker in workers:
                worker.close()
            state.db.close()

    return running
