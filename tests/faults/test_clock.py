"""The wall clock jumps an hour, forwards and back: no limit and no lease takes notice."""

import shutil
import struct
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import select

from app.db import Database
from app.practice.gradings import Grading
from tests.faults.conftest import Backend, finished, until_begun, verdict_on
from tests.needs import missing
from tests.server_process import DOUBLED, REFERENCE, guest, serving

PATH = f"/api/v1/exercises/{DOUBLED}/submissions"
# Long enough for a lease to be renewed under it
SLOW = "import time\ndef doubled(x):\n    time.sleep(1.5)\n    return 2 * x\n"
SLEEPS = "import time\ndef doubled(x):\n    time.sleep(600)\n"
HOUR = 3600


@pytest.fixture(scope="session")
def jumping_clock(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library to preload."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        missing("services", "there is no C compiler")
    library = tmp_path_factory.mktemp("clock") / "clock.so"
    source = Path(__file__).with_name("clock.c")
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", str(library), str(source)], check=True)
    return library


@pytest.mark.usefixtures("walls")
def test_a_jump_of_the_wall_clock_is_nobodys_time_limit_and_no_leases_end(
    tmp_path: Path, jumping_clock: Path, backend: Backend
) -> None:
    offset = tmp_path / "offset"

    def jump(seconds: int) -> None:
        with offset.open("r+b") as file:
            file.write(struct.pack("q", seconds))

    offset.write_bytes(struct.pack("q", 0))
    data = tmp_path / "data"
    settings = {**backend.settings, "LD_PRELOAD": str(jumping_clock), "CLOCK_OFFSET": str(offset)}
    with serving(data, LECTERN_WORKERS="1", **settings) as (_, url), guest(url) as student:
        assert verdict_on(student, REFERENCE) == "accepted"

        slow = student.post(PATH, json={"source": SLOW}).json()
        assert until_begun(student, slow["id"]) == "running"
        jump(HOUR)
        endless = student.post(PATH, json={"source": SLEEPS}).json()
        created = datetime.fromisoformat(endless["created_at"])
        assert created > datetime.now(UTC) + timedelta(minutes=50), "the server's own clock has jumped"
        assert finished(student, slow["id"])["verdict"] == "accepted"
        assert until_begun(student, endless["id"]) == "running"
        jump(0)  # by the wall clock its time would be up in an hour, for which nobody waits here
        assert finished(student, endless["id"])["verdict"] == "time_limit"
    database = Database(backend.settings.get("DATABASE_URL") or f"sqlite+pysqlite:///{data / 'lectern.sqlite3'}")
    with database.reading() as db:
        assert set(db.scalars(select(Grading.attempt))) == {1}, "judged once each"
    database.close()
