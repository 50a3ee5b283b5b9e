"""The web application on one screen: what it is made of, and in which order it starts and stops."""

import secrets
from asyncio import to_thread
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, asynccontextmanager
from functools import partial
from threading import Thread
from typing import TYPE_CHECKING

from fastapi import FastAPI
from starlette.datastructures import State
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.types import Lifespan

from app import api, pages
from app.classes.deliveries import Deliveries
from app.classes.demo import Demo
from app.classes.letters import post_due
from app.classes.lti.passback import Passback
from app.classes.lti.wire import Wire
from app.classes.regrader import Regrader
from app.db import Database
from app.discussions.letters import MistakeLetters
from app.operating.disk import DiskFigures
from app.operating.release import version
from app.operating.retention import rules
from app.operating.settings_note import note_settings
from app.people.hashing import Hashing
from app.people.outbox import Outbox
from app.people.provider import provider_of
from app.people.reset_links import ResetLinks
from app.people.users import forget_expired_logins
from app.queue.contract import WebQueue
from app.queue.events import Events
from app.queue.local import LocalQueue
from app.queue.watch import watched
from app.quizzes.answers import carry_over
from app.reading.admission import Admission
from app.reading.catalog import Catalog
from app.reading.cells import LessonCells
from app.settings import Settings
from app.state import AppState, Prepares
from app.sweep import Sweep
from app.teaching.checks import Checks, check_key
from app.teaching.folders import FolderTruth
from app.teaching.live import Live
from app.teaching.publications import catch_up
from app.teaching.redirects import Moved, Renames
from app.web import errors, log, tracing
from app.web.allowances import SharedAllowances
from app.web.edge import Edge
from app.web.held import Connections
from app.web.hosts import address
from app.web.limits import RateLimits
from app.web.mail import mail_server_of
from app.web.metrics import Metrics, thread_seconds
from app.web.outgoing import Outgoing
from app.web.rendering import render_problem
from graders.boxes.pool import Judge
from graders.exercise.definition import Exercise
from graders.exercise.fresh import Stock
from graders.exercise.preparer import Preparer
from graders.proof.admitted import Admitted
from graders.worker import Queue, Worker

if TYPE_CHECKING:
    from app.queue.elsewhere import Elsewhere

# What a worker is judging when the server ends is judged again at the next start: there is no need to wait for it.
WORKER_END_SECONDS = 0.3


def create_app(settings: Settings | None = None, say_of_demo: Callable[[str], None] | None = None) -> FastAPI:
    """Nothing runs before the lifespan begins. With LECTERN_WORKERS=0 this process judges nothing itself.
    `say_of_demo`: it is a demo (app/classes/demo.py), and this is told its links."""
    settings = settings or Settings()
    log.configure(settings.log_level, settings.log_format)
    app = FastAPI(
        title="Lectern",
        version=version(),
        summary="Courses that grade tensor code.",
        openapi_url="/api/v1/openapi.json",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=_lifespan(settings),
        # attack: learn a secret from how far a page shrinks. defence: pages hold none, and other sites' requests bring
        # no session with them. Event streams are not compressed: each event would wait for the next.
        middleware=[
            Middleware(Edge, settings=settings),
            Middleware(GZipMiddleware, minimum_size=2048, compresslevel=5),
        ],
    )
    app.state.settings = settings
    app.state.db = Database(settings.database, settings.database_connections, settings.statement_seconds)
    app.state.events = Events()
    enabled = settings.rate_limits == "on"
    app.state.allowances = SharedAllowances(app.state.db) if enabled and not app.state.db.is_sqlite else None
    app.state.limits = RateLimits(
        enabled=enabled, address_bytes=settings.address_quota_mb << 20, shared=app.state.allowances
    )
    app.state.hashing = Hashing()
    origin = settings.origin or address(settings.host, settings.port)
    mail = mail_server_of(settings)
    app.state.reset_links = ResetLinks(app.state.db, origin, None if "reset" in settings.kinds_off else mail)
    app.state.outbox = Outbox(app.state.db, origin, mail, settings.kinds_off)
    app.state.provider = provider_of(settings)
    app.state.deliveries = Deliveries(app.state.db, settings.reachable_networks)
    app.state.mistake_letters = MistakeLetters(app.state.db, origin, mail_server_of(settings))
    app.state.connections = Connections()
    app.state.disk = DiskFigures(app.state.db, settings.data, settings.cache_folder)
    edits, content, truth = settings.edit == "on", settings.cache_folder / "content", FolderTruth(app.state.db)
    app.state.catalog = Catalog(app.state.db, content, settings.ceilings, truth, shows_unproved=edits)
    roots = {"exercise": settings.exercises, "course": settings.lessons}
    app.state.lti = Wire(Outgoing(settings.private_lti_hosts))
    app.state.passback = Passback(app.state.db, app.state.catalog, app.state.lti)
    app.state.live = Live(app.state.catalog, roots) if edits else None
    app.state.preparer = None
    app.state.metrics = Metrics()
    app.state.queue, app.state.jobs, app.state.elsewhere = _queue(settings, app.state)
    app.state.judge = _judge(settings)
    app.state.shelf = app.state.elsewhere.shelf if app.state.elsewhere is not None else app.state.judge
    app.state.stock = Stock()
    at_once = settings.workers if app.state.elsewhere is None else app.state.elsewhere.at_once
    app.state.cells = LessonCells(app.state.judge, settings.cache_folder / "cells", at_once, app.state.elsewhere)
    app.state.checks = _checks(settings, app.state)
    app.state.regrader = Regrader(
        app.state.db, app.state.catalog, app.state.judge, app.state.elsewhere, f"web-{secrets.token_hex(8)}"
    )
    app.state.checks.on_change.append(lambda *key: app.state.events.announce(check_key(*key)))
    app.state.demo = _demo(settings, app.state, say_of_demo) if say_of_demo is not None else None
    _watch(app.state.metrics, app.state.queue, app.state.judge, app.state.stock)
    app.state.catalog.on_change.append(Renames(app.state.db, app.state.catalog).follow)
    app.state.problem_page = render_problem
    app.state.moved = Moved(app.state.db)
    errors.install(app)
    app.include_router(api.router)
    pages.install(app, demo=app.state.demo is not None)
    return app


def _demo(settings: Settings, state: State, say: Callable[[str], None]) -> Demo:
    can_judge = lambda: state.judge is not None and state.judge.why_not() is None  # noqa: E731
    return Demo(settings, state.db, state.catalog, state.queue, can_judge, say)


def _queue(settings: Settings, state: State) -> tuple[WebQueue, Queue, "Elsewhere | None"]:
    """What the web asks, and what the workers in this process ask: of one object, or of a broker's two sides. And who
    does what needs a judge where this process has none."""
    beside = state.db, state.catalog, state.events, state.metrics, state.limits
    if settings.queue == "local":
        queue = LocalQueue(*beside)
        return queue, queue, None
    from app.queue.brokered import brokered  # the client of a broker is for those who have one

    return brokered(settings, *beside)


def _judge(settings: Settings) -> Judge | None:
    if not settings.workers:
        return None
    return Judge(
        cache_folder=settings.cache_folder,
        require_walls=settings.sandbox == "on",
        build_seconds=settings.build_seconds,
    )


def _checks(settings: Settings, state: State) -> Checks:
    admitted = Admitted(settings.cache_folder / "admitted")
    content = settings.cache_folder / "content"
    siblings = lambda: set(state.catalog.exercises)  # noqa: E731
    return Checks(state.db, state.judge, content, settings.ceilings, siblings, admitted, state.elsewhere)


def _watch(metrics: Metrics, queue: WebQueue, judge: Judge | None, stock: Stock) -> None:
    metrics.watch("lectern_queue", "Gradings that are waiting or running.", queue.counts, "state")
    wait = "How long the oldest waiting grading has waited."
    metrics.watch_one("lectern_queue_oldest_seconds", wait, queue.longest_wait_seconds)
    metrics.watch("lectern_workers", "Threads of workers elsewhere, by worker.", queue.workers, "worker")
    metrics.watch("lectern_thread_cpu_seconds", "Processor time of threads, by name.", thread_seconds, "thread")
    parked = lambda: {crew.name: crew.parked for crew in queue.crews()}  # noqa: E731
    held = lambda: {crew.name: len(crew.held) for crew in queue.crews()}  # noqa: E731
    metrics.watch("lectern_worker_boxes_parked", "Warm boxes of workers elsewhere, by worker.", parked, "worker")
    metrics.watch("lectern_worker_held", "Gradings that workers elsewhere hold, by worker.", held, "worker")
    if judge is not None:
        metrics.watch("lectern_boxes_parked", "Warm boxes waiting for a submission.", judge.parked, "framework")
        metrics.watch("lectern_fresh_cases", "Sets of fresh cases that are ready.", stock.counts, "state")


def _lifespan(settings: Settings) -> Lifespan[FastAPI]:
    @asynccontextmanager
    async def running(app: FastAPI) -> AsyncIterator[None]:
        state = app.state
        with ExitStack() as at_exit:  # undone in the opposite order, each whatever became of the others
            at_exit.callback(tracing.start(settings.traces, "lectern-web"))
            at_exit.callback(state.db.close)
            at_exit.callback(state.hashing.close)
            if state.allowances is not None:
                at_exit.callback(state.allowances.close)
            state.db.migrate()
            with state.db.writing() as db:
                forget_expired_logins(db)
                note_settings(db, settings)
            state.reset_links.start()
            at_exit.callback(state.reset_links.close)
            state.outbox.start()
            at_exit.callback(state.outbox.close)
            state.deliveries.start()
            at_exit.callback(state.deliveries.close)
            state.mistake_letters.start()
            at_exit.callback(state.mistake_letters.close)
            # in a thread: what is new is tried out in a process of its own, and that takes a while
            import_folders = partial(state.catalog.import_folders, is_judged=state.shelf is not None)
            await to_thread(import_folders, settings.exercises, settings.lessons)
            await to_thread(Renames(state.db, state.catalog).follow_all)
            await to_thread(catch_up, state.db, state.catalog)
            await to_thread(carry_over, state.db, state.catalog.all_questions())
            Thread(target=state.catalog.render_lessons, name="render-lessons", daemon=True).start()
            state.catalog.on_change.append(partial(_render_change, state.catalog))
            prune = state.allowances.prune if state.allowances is not None else lambda: None
            remind = None if "due" in settings.kinds_off else partial(post_due, state.db, state.catalog)
            sweep = Sweep(state.db, state.catalog, settings.guest_days, rules(settings), prune, remind)
            at_exit.callback(sweep.close)
            sweep.start()
            state.passback.start()
            at_exit.callback(state.passback.close)
            for worker in [Worker(state.jobs, state.judge, state.stock, watched) for _ in range(settings.workers)]:
                at_exit.callback(worker.close, WORKER_END_SECONDS)
                worker.start()
            if state.judge is not None:
                exercises, look_again = state.catalog.awaited(), state.queue.look_again
                admit = Admission(state.catalog, state.judge, Admitted(settings.cache_folder / "admitted"))
                built = partial(_tell_built, state)
                preparer = Preparer(exercises, state.judge, state.stock, look_again, admit, built)
                state.preparer = preparer
                state.queue.build_by(preparer)
                at_exit.callback(preparer.close, WORKER_END_SECONDS)
                at_exit.callback(state.checks.close, WORKER_END_SECONDS)
                at_exit.callback(state.judge.close)  # before the workers: it cuts short what they wait for
                state.judge.start(state.catalog.frameworks())  # behind the pages; what is submitted meanwhile waits
                preparer.start()
                state.checks.start()
                at_exit.callback(state.cells.close)
                _prepare_cells(state)
                state.catalog.on_change.append(partial(_prepare_change, state, preparer))
            if state.elsewhere is not None:
                _prepare_elsewhere(state, state.elsewhere, settings, at_exit)
            at_exit.callback(state.regrader.close, WORKER_END_SECONDS)
            state.regrader.start()
            if state.live is not None:
                state.live.open()
                at_exit.callback(state.live.close)
            state.catalog.follow()
            at_exit.callback(state.catalog.close)
            at_exit.callback(state.queue.close)
            state.queue.start()
            at_exit.callback(state.events.close)
            state.events.open()
            if state.demo is not None:
                at_exit.callback(state.demo.close)
                state.demo.start()
            yield

    return running


def _render_change(catalog: Catalog, kind: str, slug: str) -> None:
    """No reader waits for the first rendering of a lesson that has changed."""
    if kind == "course":
        Thread(target=catalog.render_lessons, args=(slug,), name="render-lessons", daemon=True).start()


def _prepare_elsewhere(state: AppState, elsewhere: "Elsewhere", settings: Settings, at_exit: ExitStack) -> None:
    """What a judge of this process would do is done by workers."""
    from app.queue.preparing import RemotePreparer

    admit = Admission(state.catalog, elsewhere.admission_faults, Admitted(settings.cache_folder / "admitted"))
    preparer = RemotePreparer(state.catalog.awaited(), elsewhere, admit, partial(_tell_built, state))
    state.preparer = preparer
    at_exit.callback(preparer.close, WORKER_END_SECONDS)
    at_exit.callback(state.checks.close, WORKER_END_SECONDS)
    at_exit.callback(elsewhere.close)
    preparer.start()
    state.checks.start()
    at_exit.callback(state.cells.close)
    _prepare_cells(state)
    state.catalog.on_change.append(partial(_prepare_change, state, preparer))


def _prepare_cells(state: AppState) -> None:
    for course in state.catalog.courses:
        state.cells.prepare(state.catalog.cells(course), course=course)


def _prepare_change(state: AppState, preparer: Prepares, kind: str, slug: str) -> None:
    """What has changed while the server runs is prepared as at the start."""
    if kind == "course":
        made = partial(state.live.tell, kind, slug) if state.live is not None else lambda: None
        state.cells.prepare(state.catalog.cells(slug), made, slug)
        return
    preparer.replace(state.catalog.awaited())
    if state.judge is not None:
        state.judge.start(state.catalog.frameworks())


def _tell_built(state: AppState, exercise: Exercise) -> None:
    """Its sample cases can be shown."""
    if state.live is not None:
        state.live.tell("exercise", exercise.slug)
