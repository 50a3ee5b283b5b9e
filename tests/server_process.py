"""A server as people start it, a process of its own over one exercise; and what is alive below it."""

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from app.settings import ROOT
from tests.graders.conftest import make_exercise

DOUBLED = "doubled"
REFERENCE = make_exercise().files["reference.py"].decode()
SERVE = "import sys; from app.web.server import serve; from app.settings import Settings; sys.exit(serve(Settings()))"


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
def serving(data: Path, **settings: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    command = [sys.executable, "-P", "-c", SERVE]
    with subprocess.Popen(
        command, cwd=ROOT, env=environment(data, **settings), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True,
    ) as process:  # fmt: skip
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            found = re.fullmatch(r"Lectern is at (http://127\.0\.0\.1:\d+)\n", line)
            assert found, (line, process.stderr and process.poll() is not None and process.stderr.read())
            yield process, found[1]
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


def descendants(pid: int) -> set[tuple[int, str]]:
    """Every process below this one, as (id, time it began): an id alone may be given again."""
    parents: dict[int, list[tuple[int, str]]] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal() and (seen := _status(int(folder.name))):
            parents.setdefault(seen[0], []).append((int(folder.name), seen[1]))
    found, left = set(), [pid]
    while left:
        children = parents.get(left.pop(), [])
        found.update(children)
        left.extend(child for child, _ in children)
    return found


def alive(processes: set[tuple[int, str]]) -> set[tuple[int, str]]:
    return {(pid, began) for pid, began in processes if (seen := _status(pid)) and seen[1] == began}


def _status(pid: int) -> tuple[int, str] | None:
    """(parent, time it began); None when it is gone, or only a zombie."""
    try:
        # bytes: a process names itself, and a hostile one with what is no text
        fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b") ")[2].decode("ascii").split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return None if fields[0] == "Z" else (int(fields[1]), fields[19])


def guest(url: str) -> httpx.Client:
    token = httpx.post(f"{url}/api/v1/sessions", json={}, verify=False).raise_for_status().json()["token"]
    return httpx.Client(base_url=url, headers={"Authorization": f"Bearer {token}"}, timeout=60, verify=False)
