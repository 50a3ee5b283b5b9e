"""What fault drills share: a PostgreSQL that a test may stop, with or without a broker, and how a submission is waited
for."""

import subprocess
import tempfile
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
from tests.needs import missing
from tests.server_process import DOUBLED
from tests.waiting import until


@dataclass(frozen=True)
class Backend:
    """Settings of a server, and of all that share its database. `postgres`: its own, if it has one."""

    settings: dict[str, str] = field(default_factory=dict)
    postgres: Postgres | None = None


@pytest.fixture(scope="session")
def judge() -> Iterator[Judge]:
    """For drills in this very process that leave its zygote alone."""
    with Judge(frameworks=["numpy"], parked={"numpy": 1}) as judge:
        require_boxes(judge)
        yield judge


@pytest.fixture(scope="session")
def walls(judge: Judge) -> None:
    """Skip where this machine cannot hold a submission."""


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
    except ServiceMissing as error:
        missing("services", str(error))


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
        missing("sandbox", "mounting a small file system takes root")
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


def finished(client: httpx.Client, id: int) -> dict[str, Any]:
    """The submission once it is judged; trouble that passes is waited out."""

    def shown() -> dict[str, Any] | None:
        try:
            answer = client.get(f"/api/v1/submissions/{id}")
        except httpx.TransportError:
            return None
        is_finished = answer.status_code == 200 and answer.json()["state"] == "finished"
        return answer.json() if is_finished else None

    submission = until(shown, f"submission {id} is not judged", look_seconds=0.05)
    assert submission is not None
    return submission


def verdict_on(client: httpx.Client, source: str) -> str:
    """What a submission of this source to the one exercise is judged."""
    sent = client.post(f"/api/v1/exercises/{DOUBLED}/submissions", json={"source": source}).raise_for_status()
    return str(finished(client, sent.json()["id"])["verdict"])


def until_begun(client: httpx.Client, id: int) -> str:
    """The state of a submission once it is no longer queued."""

    def begun() -> str:
        state = client.get(f"/api/v1/submissions/{id}").json()["state"]
        return "" if state == "queued" else str(state)

    return until(begun, f"submission {id} waits")
