"""A server as people start it, a process of its own over one exercise."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import httpx

from app.settings import ROOT
from tests.graders.conftest import make_exercise
from tests.waiting import LIMIT_SECONDS

DOUBLED = "doubled"
REFERENCE = make_exercise().files["reference.py"].decode()
SERVE = [sys.executable, "-P", "-m", "app", "serve"]
# The same, with other values for names of its modules: a server whose limits of time never end, say.
SERVE_WITH = """
import importlib, json, sys
from app.__main__ import cli
for name, value in json.loads(sys.argv.pop()).items():
    module, _, attribute = name.rpartition(".")
    assert hasattr(importlib.import_module(module), attribute), name
    setattr(sys.modules[module], attribute, value)
cli(prog_name="./lectern")
"""


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
) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Its log is beside `data`: in a pipe that nobody reads a server with much to say would stand still.

    `names`: what other values names of the product have in this server, as in `{"app.web.server.HEAD_SECONDS": 60}`.
    """
    command = [sys.executable, "-P", "-c", SERVE_WITH, "serve", json.dumps(names)] if names else SERVE
    data.mkdir(mode=0o700, parents=True, exist_ok=True)  # a folder that others may read is refused
    with (
        data.with_name(f"{data.name}.log").open("a") as log,
        subprocess.Popen(
            command, cwd=ROOT, env=environment(data, **settings), stdout=subprocess.PIPE, stderr=log, text=True,
            start_new_session=True,
        ) as process,
    ):  # fmt: skip
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            found = re.fullmatch(r"Lectern is at (http://127\.0\.0\.1:\d+)\n", line)
            assert found, (line, Path(log.name).read_text()[-3000:])
            yield process, found[1]
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


def guest(url: str) -> httpx.Client:
    answer = httpx.post(f"{url}/api/v1/sessions", json={}, timeout=LIMIT_SECONDS, verify=False).raise_for_status()
    return client_of(url, f"Bearer {answer.json()['token']}")


def client_of(url: str, authorization: str) -> httpx.Client:
    return httpx.Client(base_url=url, headers={"Authorization": authorization}, timeout=LIMIT_SECONDS, verify=False)
