"""What fault drills share: a PostgreSQL that a test may stop, with or without a broker, and how a submission is waited
for."""

import os
import subprocess
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from benchmarks.services import Postgres, ServiceMissing, own_postgres
from graders.boxes.pool import Judge
from tests.broker import Server, running_broker
from tests.conftest import require_boxes

PATIENCE_SECONDS = 240.0  # processes here may stand still for seconds at any time


@dataclass(frozen=True)
class Backend:
    """Settings of a server, and of all that share its database. `postgres`: its own, if it has one."""

    settings: dict[str, str] = field(default_factory=dict)
    postgres: Postgres | None = None


@pytest.fixture(scope="session")
def walls(tmp_path_factory: pytest.TempPathFactory) -> None:
    with Judge(tmp_path_factory.mktemp("walls"), frameworks=["numpy"], parked={"numpy": 1}) as judge:
        require_boxes(judge)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """PostgreSQL runs as another user than root, and pytest keeps its own folders to root."""
    with tempfile.TemporaryDirectory(prefix="lectern-faults-") as name:
        folder = Path(name)
        folder.chmod(0o711)
        yield folder


@pytest.fixture
def private_postgres(open_folder: Path) -> Iterator[Postgres]:
    """With an empty database, `lectern`."""
    try:
        with own_postgres(open_folder / "postgres") as server:
            with psycopg.connect(server.url(), autocommit=True) as admin:
                admin.execute("CREATE DATABASE lectern")
            yield server
    except ServiceMissing as missing:
        if "services" in os.environ.get("LECTERN_TEST_REQUIRE", ""):
            pytest.fail(str(missing))
        pytest.skip(str(missing))


def psycopg_url(url: str) -> str:
    return url.replace("postgresql://", "postgresql+psycopg://")


@pytest.fixture(params=["sqlite and local", "postgresql and nats"])
def backend(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Backend]:
    """Both ways to run. What is on the network is of the test run's own."""
    if request.param == "sqlite and local":
        yield Backend()
        return
    url = request.getfixturevalue("migrated_postgres_copy")
    with running_broker(tmp_path / "broker") as broker:
        yield Backend({"DATABASE_URL": url, "LECTERN_QUEUE": broker.url("drill")})


@pytest.fixture
def broker_url(broker: Server) -> Callable[[str], str]:
    """The URL of an installation at the broker that all tests share."""
    return lambda name: broker.url(f"{name}-{uuid.uuid4().hex[:8]}")


@pytest.fixture
def small_disk(open_folder: Path) -> Iterator[Path]:
    """A file system of 48 MiB."""
    folder = open_folder / "disk"
    folder.mkdir()
    options = ["-t", "tmpfs", "-o", "size=48m,mode=700"]
    mounted = subprocess.run(["mount", *options, "tmpfs", str(folder)], capture_output=True)
    if mounted.returncode:
        if "sandbox" in os.environ.get("LECTERN_TEST_REQUIRE", ""):
            pytest.fail("cannot mount a small file system")
        pytest.skip("mounting a small file system takes root")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def fill(folder: Path) -> Path:
    filler = folder / "filler"
    with filler.open("wb", buffering=0) as file:
        for size in (1 << 20, 1 << 12, 1):
            try:
                while True:
                    file.write(b"\0" * size)
            except OSError:
                pass
    return filler


Finished = Callable[[httpx.Client, int], dict[str, Any]]


@pytest.fixture
def finished() -> Finished:
    """The submission once it is judged; trouble that passes is waited out."""

    def wait(client: httpx.Client, id: int) -> dict[str, Any]:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            assert time.monotonic() < deadline
            try:
                answer = client.get(f"/api/v1/submissions/{id}")
            except httpx.TransportError:
                time.sleep(0.1)
                continue
            if answer.status_code == 200 and answer.json()["state"] == "finished":
                shown: dict[str, Any] = answer.json()
                return shown
            time.sleep(0.05)

    return wait
