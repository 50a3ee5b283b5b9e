"""A real server for a test: uvicorn on a free port in a thread, over a real database in a folder of its own."""

import asyncio
import gc
import os
import shutil
import threading
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, cast

import httpx
import psycopg
import pytest
import uvicorn
from argon2 import PasswordHasher
from fastapi import FastAPI
from sqlalchemy import Table, text

from app.db import Base, Database
from app.main import create_app
from app.people import passwords
from app.practice.gradings import ungraded
from app.settings import Settings
from app.state import AppState
from app.web.limits import RateLimits
from app.web.server import Server
from graders.boxes import warmth
from graders.boxes.cgroups import ControlGroup
from graders.boxes.keeper import JudgeUnavailable
from graders.boxes.pool import Judge
from graders.boxes.sandbox import Box
from graders.boxes.warmth import COMMON_DECLARATIONS
from graders.grade import Finished
from tests.broker import Server as Broker
from tests.broker import running_broker
from tests.needs import missing
from tests.waiting import LIMIT_SECONDS, until, until_ended

# What the servers of tests have, unless a test says otherwise: three of the exercises that ship, and a course that
# stays as it is. (`tests/content/test_shipped.py` is about all that ships.)
CATALOG = Path(__file__).parent / "catalog"
CONTENT = {"LECTERN_EXERCISES": CATALOG / "exercises", "LECTERN_LESSONS": CATALOG / "lessons"}
for _name, _folder in CONTENT.items():
    os.environ.setdefault(_name, str(_folder))
ENVIRONMENT = dict(os.environ)
POSTGRES = os.environ.get("LECTERN_TEST_POSTGRES", "postgresql://postgres@127.0.0.1:5432/postgres")
BACKENDS = ("sqlite", pytest.param("postgresql", marks=pytest.mark.extra))
ON_POSTGRES = {
    "postgres", "postgres_of_ours", "private_postgres",
    "migrated_postgres", "migrated_postgres_copy", "reused_postgres",
}  # fmt: skip
DRILLS = Path(__file__).parent / "faults"
ON_REQUEST = tuple(Path(__file__).parent / name for name in ("machines", "mutants"))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Machines are booted, and mutants tried, where they are asked for by name: they take hours."""
    if collection_path not in ON_REQUEST:
        return None
    named = [Path(config.invocation_params.dir, argument.partition("::")[0]) for argument in config.args]
    return None if any(path.is_relative_to(collection_path) for path in named) else True


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark as `extra`, for `--all`, the drills, and what is about PostgreSQL alone."""
    for item in items:
        if item.path.is_relative_to(DRILLS) or ON_POSTGRES & {*getattr(item, "fixturenames", ())}:
            item.add_marker(pytest.mark.extra)


def pytest_collection_finish() -> None:
    """What is here by now stays until the end: the collector need not go through it with every look.

    Raises UsageError where a module that was imported has changed the environment, which all tests would then have.
    """
    if changed := [name for name, value in ENVIRONMENT.items() if os.environ.get(name) != value]:
        raise pytest.UsageError(f"Collecting the tests has changed {', '.join(changed)} in the environment.")
    gc.collect()
    gc.freeze()


@dataclass(frozen=True)
class Running:
    """A server that answers at `url`."""

    url: str
    app: FastAPI
    server: Server

    @property
    def state(self) -> AppState:
        return cast(AppState, self.app.state)

    def client(self, **headers: str) -> httpx.Client:
        # Without `verify` it would read every authority's certificate first, for a plain http that shows none.
        return httpx.Client(base_url=self.url, headers=headers, timeout=LIMIT_SECONDS, verify=False)

    def guest(self) -> httpx.Client:
        """A client that holds a guest's token."""
        with self.client() as anonymous:
            token = anonymous.post("/api/v1/sessions", json={}).raise_for_status().json()["token"]
        return self.client(Authorization=f"Bearer {token}")


class QuickServer(Server):
    """Ends as soon as it is told to; uvicorn looks ten times a second."""

    def __init__(self, config: uvicorn.Config, app: FastAPI) -> None:
        super().__init__(config, app, "")
        self._told = Future[None]()

    def end(self) -> None:
        self.should_exit = True
        self._told.set_result(None)

    async def main_loop(self) -> None:
        await self.on_tick(0)
        await asyncio.wrap_future(self._told)


@contextmanager
def running(settings: Settings, **more: Any) -> Iterator[Running]:
    app = create_app(settings)
    config = uvicorn.Config(
        app,
        host="127.0.0.1",
        port=0,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=1,
        **{"proxy_headers": False, **more},
    )
    server = QuickServer(config, app)
    thread = threading.Thread(target=server.run, name="test-server")
    thread.start()
    try:
        until(lambda: server.started or not thread.is_alive())
        assert server.started, "the server did not start"
        port = server.servers[0].sockets[0].getsockname()[1]
        yield Running(f"http://127.0.0.1:{port}", app, server)
    finally:
        app.state.events.close()
        server.end()
        until_ended(thread)


@pytest.fixture(autouse=True, scope="session")
def plain_environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What this shell sets for Lectern is not what the tests are about."""
    patch = pytest.MonkeyPatch()
    for name in [name for name in os.environ if name.startswith("LECTERN_") and not name.startswith("LECTERN_TEST_")]:
        if name not in CONTENT and name != "LECTERN_ROOT":
            patch.delenv(name)
    patch.delenv("DATABASE_URL", raising=False)
    # What all servers of this run would compute again, each in its folder: ten seconds of a core and more, every time.
    # The tests of the caches have their own.
    patch.setenv("LECTERN_CACHE", os.environ.get("LECTERN_TEST_CACHE") or str(tmp_path_factory.mktemp("cache")))
    yield
    patch.undo()


@pytest.fixture(autouse=True, scope="session")
def quick_passwords() -> Iterator[None]:
    """A hash costs 64 MiB and a tenth of a second on purpose; what the tests are about is not that."""
    patch = pytest.MonkeyPatch()
    patch.setattr(passwords, "_hasher", quick := PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
    patch.setattr(passwords, "_nobody", quick.hash("nobody's password"))
    yield
    patch.undo()


@pytest.fixture(autouse=True, scope="session")
def no_common_sizes() -> Iterator[None]:
    """A judge that has prepared everything compiles common sizes, for which nobody waits: up to 20 seconds of a core
    beside the tests, again for each server. `common_sizes` is for the tests that are about that."""
    patch = pytest.MonkeyPatch()
    patch.setattr(warmth, "COMMON_DECLARATIONS", 0)
    yield
    patch.undo()


@pytest.fixture
def common_sizes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warmth, "COMMON_DECLARATIONS", COMMON_DECLARATIONS)


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The URL of a scratch database of this test run's own."""
    with scratch_postgres() as url:
        yield url


@contextmanager
def scratch_postgres(template: str = "") -> Iterator[str]:
    """The URL of an empty database, or of a copy of the one that has the URL `template`."""
    try:
        admin = psycopg.connect(POSTGRES, autocommit=True, connect_timeout=3)
    except psycopg.OperationalError as error:
        missing("services", f"no PostgreSQL at {POSTGRES}: {error}")
    name = f"lectern_test_{uuid.uuid4().hex[:12]}"
    with admin:
        admin.execute(f'CREATE DATABASE "{name}"' + (f' TEMPLATE "{template.rsplit("/", 1)[1]}"' if template else ""))
        # No test pulls PostgreSQL's plug, and each commit would wait for the disk: some ten thousand of them.
        admin.execute(f'ALTER DATABASE "{name}" SET synchronous_commit TO off')
        try:
            yield POSTGRES.rsplit("/", 1)[0] + f"/{name}"
        finally:
            admin.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@pytest.fixture(params=BACKENDS)
def empty_database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Of a database without tables: SQLite always, PostgreSQL where there is one."""
    if request.param == "sqlite":
        yield _sqlite(tmp_path / "lectern.sqlite3")
        return
    url = request.getfixturevalue("postgres")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")
    yield _sqlalchemys(url)


@pytest.fixture(scope="session")
def migrated_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What each test copies: all migrations take longer than most tests."""
    path = tmp_path_factory.mktemp("migrated") / "lectern.sqlite3"
    _migrate(_sqlite(path))
    assert [each.name for each in path.parent.iterdir()] == [path.name], "something is not in the file yet"
    return path


@pytest.fixture(scope="session")
def served_sqlite(tmp_path_factory: pytest.TempPathFactory, migrated_sqlite: Path) -> Path:
    """The same with what a server's first start adds: its catalogue and the index of words."""
    shutil.copy(migrated_sqlite, path := tmp_path_factory.mktemp("served") / "lectern.sqlite3")
    with running(Settings(workers=0, data=path.parent / "var", database_url=_sqlite(path))):
        pass
    assert {each.name for each in path.parent.iterdir()} <= {path.name, f"{path.name}.lock", "var"}
    return path


@pytest.fixture
def sqlite_url(migrated_sqlite: Path, tmp_path: Path) -> str:
    """Of a database with all tables and nothing in them, on SQLite alone."""
    shutil.copy(migrated_sqlite, path := tmp_path / "lectern.sqlite3")
    return _sqlite(path)


@pytest.fixture(scope="session")
def migrated_postgres() -> Iterator[str]:
    with scratch_postgres() as url:
        _migrate(_sqlalchemys(url))
        yield url


@pytest.fixture(scope="session")
def reused_postgres(migrated_postgres: str) -> Iterator[str]:
    with scratch_postgres(template=migrated_postgres) as url:
        yield url


@pytest.fixture
def migrated_postgres_copy(reused_postgres: str) -> Iterator[str]:
    """PostgreSQL with all tables and nothing in them, whatever other database a test is run on.

    It is one database for all tests, emptied after each: to create and to drop one takes a second where the disk is
    busy, since both wait for it."""
    yield _sqlalchemys(reused_postgres)
    _empty(reused_postgres)


def _empty(url: str) -> None:
    """Also of those who are still connected, as a server is that was killed."""
    with psycopg.connect(url, autocommit=True) as db:
        others = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        ended = f"SELECT pg_terminate_backend(pid) {others}"
        until(lambda: db.execute(ended).fetchone() is None, "somebody comes back again and again")
        names = [name for (name,) in db.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")]
        looks = (
            f"SELECT '{name}' WHERE EXISTS (SELECT FROM \"{name}\")" for name in names if name != "alembic_version"
        )
        filled = [name for (name,) in db.execute(" UNION ALL ".join(looks))]
        db.execute("SET session_replication_role = replica")  # in any order: no row asks who refers to it
        for name in filled:
            db.execute(f'DELETE FROM "{name}"')
        db.execute("SELECT setval(format('%I.%I', schemaname, sequencename), start_value, false) FROM pg_sequences")


@pytest.fixture(params=BACKENDS)
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Of a database with all tables and nothing in them: SQLite always, PostgreSQL where there is one.

    Where a test starts servers, what they add at their first start is there already on SQLite.
    """
    if request.param == "sqlite":
        template = "served_sqlite" if "serve" in request.fixturenames else "migrated_sqlite"
        shutil.copy(request.getfixturevalue(template), path := tmp_path / "lectern.sqlite3")
        yield _sqlite(path)
        return
    yield request.getfixturevalue("migrated_postgres_copy")


@pytest.fixture(scope="session")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    """A NATS server for tests that leave it alone. Each has an installation of its own there."""
    with running_broker(tmp_path_factory.mktemp("broker")) as server:
        yield server


def _sqlite(path: Path) -> str:
    return f"sqlite+pysqlite:///{path}"


def _sqlalchemys(url: str) -> str:
    return url.replace("postgresql://", "postgresql+psycopg://")


def _migrate(url: str) -> None:
    database = Database(url)
    database.migrate()
    database.close()


Serve = Callable[..., Running]


@pytest.fixture
def serve(database_url: str, tmp_path: Path) -> Iterator[Serve]:
    """Starts servers on the test's database; they judge nothing (workers=0) unless told to."""
    with ExitStack() as servers:

        def start(protocol: Any = "auto", **settings: Any) -> Running:
            chosen = {"workers": 0, "data": tmp_path / "var", "database_url": database_url, **settings}
            return servers.enter_context(running(Settings(**chosen), http=protocol))

        yield start


@pytest.fixture(scope="session")
def kept_servers(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[str], Running]]:
    """A server for each database, started once a run: starting one takes longer than most tests."""
    with ExitStack() as servers:

        @cache
        def kept(backend: str) -> Running:
            data = tmp_path_factory.mktemp("kept")
            if backend == "postgresql":
                url = servers.enter_context(scratch_postgres(template=request.getfixturevalue("migrated_postgres")))
            else:
                shutil.copy(request.getfixturevalue("served_sqlite"), path := data / "lectern.sqlite3")
                url = _sqlite(path)
            return servers.enter_context(running(Settings(workers=0, data=data, database_url=url)))

        yield kept


@cache
def _tables() -> tuple[Table, ...]:
    """What a test may have filled, those first that others refer to. The catalogue is not among them."""
    catalogue = ("snapshot", "snapshot_file", "search_entry", "search_vocabulary")
    return tuple(table for table in Base.metadata.sorted_tables if table.name not in catalogue)


@cache
def _filled() -> str:
    """The question which of them have a row: to empty each of them takes longer than most tests."""
    names = [table.name for table in _tables()]
    return " UNION ALL ".join(f"SELECT '{name}' WHERE EXISTS (SELECT 1 FROM \"{name}\")" for name in names)


@pytest.fixture(params=BACKENDS)
def server(request: pytest.FixtureRequest, kept_servers: Callable[[str], Running]) -> Iterator[Running]:
    """A server that judges nothing and knows nobody. A test that needs one set up otherwise has `serve`."""
    server = kept_servers(request.param)
    yield server
    until(lambda: not server.state.events.listeners, "a stream of this test is still open")
    while (job := server.state.jobs.claim(0)) is not None:
        server.state.jobs.record(job, Finished(ungraded()))  # or its sender would never have a turn again
    with server.state.db.writing(durable=False) as db:
        filled = set(db.scalars(text(_filled())))
        for table in reversed(_tables()):
            if table.name in filled:
                db.execute(table.delete())
    server.app.state.limits = RateLimits()


def require_boxes(judge: Judge, framework: str = "numpy") -> None:
    """Skip where this machine cannot hold a submission, saying why; fail where it is required to."""
    try:
        judge.take(framework).close()
    except JudgeUnavailable as refused:
        missing("sandbox", f"sandbox: {refused.message}")


def note_taken(judge: Judge, monkeypatch: pytest.MonkeyPatch) -> list[Box]:
    """The boxes that `judge` hands out from now on, in their order."""
    boxes: list[Box] = []
    take = judge.take

    def noted(*arguments: Any, **options: Any) -> Box:
        boxes.append(take(*arguments, **options))
        return boxes[-1]

    monkeypatch.setattr(judge, "take", noted)
    return boxes


def used_bytes(group: ControlGroup) -> int:
    """What the kernel counts as a control group's memory now."""
    name = "memory.current" if group.version == 2 else "memory.usage_in_bytes"
    return int((group.folders["memory"] / name).read_text())
