"""`lectern serve --demo`, as a process."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from app import pages
from app.main import create_app
from app.settings import Settings
from benchmarks.processes import free_port
from tests.commands.server import start, wait_until_it_answers
from tests.waiting import LIMIT_SECONDS, exit_code, until

from .conftest import Command

REAL = ("DATABASE_URL", "LECTERN_DATA", "LECTERN_QUEUE")


@dataclass(frozen=True)
class Demo:
    url: str
    links: tuple[str, str]  # of the instructor, and of a student
    folder: Path  # where it keeps what it has
    process: subprocess.Popen[bytes]
    log: Path

    def wait_for(self, words: str) -> str:
        def has_come() -> bool:
            assert self.process.poll() is None, self.log.read_text()
            return words in self.log.read_text()

        until(has_come, self.log.read_text)
        return self.log.read_text()


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    """Without a judge: what is judged here is judged as elsewhere."""
    folder, port = tmp_path_factory.mktemp("demo"), free_port()
    environment = {name: value for name, value in os.environ.items() if name not in REAL}
    environment |= {"TMPDIR": str(folder), "LECTERN_WORKERS": "0", "LECTERN_PORT": str(port)}
    log, url = folder / "log", f"http://127.0.0.1:{port}"
    process = start([sys.executable, "-P", "-m", "app", "serve", "--demo"], environment, log)
    try:
        wait_until_it_answers(url, process, log)
        found = Demo(url, ("", ""), folder, process, log)
        said = found.wait_for("The term is filled in")
        instructor, student = re.findall(rf"{url}(/demo/\S+)", said)
        yield Demo(url, (instructor, student), folder, process, log)
    finally:
        process.kill()
        process.wait()


@pytest.mark.extra
def test_a_demo_is_filled_opens_its_links_once_and_leaves_nothing(demo: Demo) -> None:
    with httpx.Client(base_url=demo.url, follow_redirects=True, timeout=LIMIT_SECONDS) as client:
        assert client.get("/demo/guessed").status_code == 404
        home = client.get(demo.links[0])
        assert home.status_code == 200
        assert home.url.path == "/classes/1"
        assert "Positions, spring 2027" in home.text
        assert "nothing is kept" in home.text
        assert client.get(demo.links[0]).url.path == "/classes/1", "a browser that asks twice is where it was"
        book = client.get("/api/v1/classes/1/gradebook").json()
        assert len(book["rows"]) == 300
        assert [column["slug"] for column in book["columns"]] == [
            "softmax-rows", "test-your-understanding", "learned-absolute-position-embedding", "flax-learned-pos",
        ]  # fmt: skip
        past = [row["cells"][0] for row in book["rows"]]
        assert sum(1 for cell in past if cell and cell["score"] == 1) > 100
        assert any(cell and cell["late_days"] for cell in past)
        assert any(cell and cell["override"] for cell in past)
        assert {row["section"] for row in book["rows"]} == set("ABCD")
        assert all(row["email"].endswith("@example.org") for row in book["rows"])
        assert "nothing is kept" in client.get("/exercises").text
    assert httpx.get(demo.url + demo.links[0], timeout=LIMIT_SECONDS).status_code == 404, "a link opens once"
    with httpx.Client(base_url=demo.url, follow_redirects=True, timeout=LIMIT_SECONDS) as student:
        assert student.get(demo.links[1]).url.path == "/classes/1"
        assert student.get("/api/v1/classes/1/gradebook").status_code == 403
    kept = list(demo.folder.glob("lectern-demo-*"))
    assert len(kept) == 1
    assert kept[0].stat().st_mode & 0o077 == 0
    demo.process.send_signal(signal.SIGTERM)
    exit_code(demo.process)
    assert not kept[0].exists()


@pytest.mark.parametrize("name", REAL)
def test_a_demo_is_never_put_beside_real_work(lectern: Command, tmp_path: Path, name: str) -> None:
    ended = lectern("serve", "--demo", **{**dict.fromkeys(REAL, ""), name: "real", "TMPDIR": str(empty(tmp_path))})
    assert ended.code == 2
    assert name in ended.err
    assert not list((tmp_path / "empty").iterdir())


def test_a_demo_listens_to_this_machine_alone(lectern: Command, tmp_path: Path) -> None:
    nothing_real = {**dict.fromkeys(REAL, ""), "TMPDIR": str(empty(tmp_path))}
    for ended in (
        lectern("serve", "--demo", "--host", "0.0.0.0", **nothing_real),
        lectern("serve", "--demo", **nothing_real, LECTERN_HOST="0.0.0.0"),
    ):
        assert ended.code == 2
        assert "0.0.0.0" in ended.err
        assert "password" in ended.err
        assert not list((tmp_path / "empty").iterdir())


def empty(folder: Path) -> Path:
    (folder / "empty").mkdir()
    return folder / "empty"


def test_no_setting_turns_a_demo_on(tmp_path: Path) -> None:
    """Its links sign in without a password: where there is none, the route is not there."""
    app = create_app(Settings(data=tmp_path, workers=0))
    assert app.state.demo is None
    assert not [one for router in pages.ROUTERS for one in router.routes if "/demo" in getattr(one, "path", "")]
