"""A server as people start it, a process of its own over one exercise."""

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx

from app.settings import ROOT
from tests.forked import Forked
from tests.graders.conftest import make_exercise
from tests.waiting import LIMIT_SECONDS, until

DOUBLED = "doubled"
REFERENCE = make_exercise().files["reference.py"].decode()
SERVE = [sys.executable, "-P", "-m", "app", "serve"]


def one_exercise(data: Path) -> Path:
    """A folder with one exercise, in NumPy: what ships would warm three frameworks at each start."""
    folder = data / "exercises" / DOUBLED
    folder.mkdir(parents=True, exist_ok=True)
    toml = make_exercise().files["exercise.toml"].decode()
    toml = toml.replace('["numpy", "jax", "torch"]', '["numpy"]').replace("wall_seconds = 2", "wall_seconds = 10")
    for name, content in make_exercise(exercise_toml=toml).files.items():
        (folder / name).write_bytes(content)
    return folder.parent


def in_numpy_alone(slug: str, data: Path) -> Path:
    """A folder with one exercise that ships, its JAX, PyTorch and mistakes left out: for what is about neither."""
    folder = data / "exercises" / slug
    left_out = shutil.ignore_patterns("mistakes", "solutions", "jax.py", "torch.py")
    shutil.copytree(ROOT / "exercises" / slug, folder, ignore=left_out)
    toml = (folder / "exercise.toml").read_text().partition("# What JAX may have compiled")[0]
    (folder / "exercise.toml").write_text(toml.replace('["numpy", "jax", "torch"]', '["numpy"]'))
    return folder.parent


def environment(data: Path, **settings: str) -> dict[str, str]:
    content = {"LECTERN_EXERCISES": str(one_exercise(data)), "LECTERN_LESSONS": str(data / "lessons")}
    own = {"LECTERN_DATA": str(data), "LECTERN_PORT": "0", "DATABASE_URL": ""}
    return {**os.environ, **own, **content, **settings}


@contextmanager
def serving(
    data: Path, names: Mapping[str, float] | None = None, /, **settings: str
) -> Iterator[tuple[Forked | subprocess.Popen[bytes], str]]:
    """Run a server until the block ends. Yields its process and its address.

    Its output goes to files beside `data`: a pipe that nobody reads would fill up, and the server would stand still.
    `names` gives names of the product other values in it: `{"app.web.server.HEAD_SECONDS": 60}`.
    """
    data.mkdir(mode=0o700, parents=True, exist_ok=True)  # a folder that others may read is refused
    out, log = (data.with_name(f"{data.name}.{name}") for name in ("out", "log"))
    out.write_text("")
    with _start(environment(data, **settings), out, log, names) as process:

        def address() -> str | None:
            has_ended = process.poll() is not None
            found = re.fullmatch(r"Lectern is at (http://127\.0\.0\.1:\d+)\n", out.read_text())
            assert found or not has_ended, (out.read_text(), log.read_text()[-3000:])
            return found[1] if found else None

        try:
            url = until(address, lambda: log.read_text()[-3000:])
            assert url is not None
            yield process, url
        finally:
            if process.poll() is None:
                with suppress(ProcessLookupError):  # it ended at this moment
                    os.killpg(process.pid, signal.SIGKILL)


def _start(
    environment: dict[str, str], out: Path, log: Path, names: Mapping[str, float] | None
) -> Forked | subprocess.Popen[bytes]:
    """Start a server's process: a fork, or a new program where the environment needs one."""
    if "LD_PRELOAD" not in environment:
        return Forked(["serve"], environment, out=out, err=log, names=names)
    with out.open("a") as stdout, log.open("a") as stderr:
        return subprocess.Popen(SERVE, cwd=ROOT, env=environment, stdout=stdout, stderr=stderr, start_new_session=True)


def guest(url: str) -> httpx.Client:
    answer = httpx.post(f"{url}/api/v1/sessions", json={}, timeout=LIMIT_SECONDS, verify=False).raise_for_status()
    return client_of(url, f"Bearer {answer.json()['token']}")


def client_of(url: str, authorization: str) -> httpx.Client:
    return httpx.Client(base_url=url, headers={"Authorization": authorization}, timeout=LIMIT_SECONDS, verify=False)
