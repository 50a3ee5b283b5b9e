"""The data folder is closed to every other user of the machine, also one that an older installation left open."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from app.private import Exposed, exposed, keep_private
from app.settings import ROOT, Settings
from tests.server_process import serving
from tests.waiting import LIMIT_SECONDS

OTHERS = 0o077


def open_to_others(folder: Path) -> set[str]:
    """What anybody but its owner has any right to, besides what boxes of another user must read."""
    found = {path for path in (folder, *folder.rglob("*")) if path.lstat().st_mode & OTHERS and not path.is_symlink()}
    return {path.relative_to(folder).as_posix() for path in found if "jax" not in path.parts}


@pytest.fixture
def older(tmp_path: Path) -> Path:
    """As an installation from before left it: umask 022, a database in use, a cache with hidden cases."""
    data = tmp_path / "data"
    for folder in (data, data / "cache", data / "cache" / "cells", data / "cache" / "jax"):
        folder.mkdir()
        folder.chmod(0o755)
    for name in ("lectern.sqlite3", "lectern.sqlite3-wal", "lectern.sqlite3-shm", "server.lock", "cache/a.cases"):
        (data / name).touch()
        (data / name).chmod(0o644)
    return data


def test_a_server_closes_its_folder_and_all_that_it_writes(tmp_path: Path) -> None:
    data = tmp_path / "made" / "here"
    tmp_path.chmod(0o755)
    own = {"LECTERN_DATA": str(data), "LECTERN_CACHE": str(tmp_path / "cache"), "LECTERN_WORKERS": "1"}
    with serving(tmp_path / "content", None, **own):
        assert (data / "lectern.sqlite3-wal").exists()
        assert open_to_others(data) == set()
        assert open_to_others(tmp_path / "cache") == set()


@pytest.mark.extra
def test_what_an_older_installation_left_open_is_closed_before_anything_is_served(older: Path) -> None:
    assert len(open_to_others(older)) >= 7
    with serving(older, LECTERN_CACHE="", LECTERN_WORKERS="0"):
        assert {path for path in open_to_others(older) if not path.startswith("exercises")} == set()
        assert stat.S_IMODE(older.stat().st_mode) == 0o700


@pytest.mark.parametrize(
    "command", [("users", "token", "nobody@example.org"), pytest.param(("doctor",), marks=pytest.mark.extra)]
)
def test_every_command_that_writes_there_closes_it(older: Path, command: tuple[str, ...]) -> None:
    environment = {**os.environ, "LECTERN_DATA": str(older), "LECTERN_CACHE": ""}
    ran = subprocess.run(
        [sys.executable, "-P", "-m", "app", *command],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=LIMIT_SECONDS,
    )
    assert open_to_others(older) == set(), ran.stderr
    if command == ("doctor",):
        assert "accessible to other users" in ran.stdout
        again = subprocess.run(
            [sys.executable, "-P", "-m", "app", *command], cwd=ROOT, env=environment, capture_output=True, text=True,
            timeout=LIMIT_SECONDS,
        )  # fmt: skip
        assert "is private" in again.stdout


@pytest.mark.extra
def test_a_folder_with_other_things_in_it_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o755)
    (shared / "letters").touch()
    for settings in (Settings(data=shared, cache=tmp_path / "cache"), Settings(data=tmp_path / "data", cache=shared)):
        assert exposed(settings) is not None
        with pytest.raises(Exposed) as refused:
            keep_private(settings)
        assert str(shared) in refused.value.message
        assert f"chmod 700 {shared}" in refused.value.hint
        assert stat.S_IMODE(shared.stat().st_mode) == 0o755
    answer = subprocess.run(
        [sys.executable, "-P", "-c", "from app.web.server import serve; from app.settings import Settings; "
         "raise SystemExit(serve(Settings()))"],
        cwd=ROOT, env={**os.environ, "LECTERN_DATA": str(shared), "LECTERN_PORT": "0"}, capture_output=True, text=True,
        timeout=LIMIT_SECONDS,
    )  # fmt: skip
    assert answer.returncode == 2
    assert "chmod 700" in answer.stderr


def test_a_folder_of_somebody_else_that_stays_open_is_refused(tmp_path: Path) -> None:
    if os.getuid() != 0:
        pytest.skip("only root can make a folder somebody else's")
    tmp_path.chmod(0o755)
    theirs = tmp_path / "theirs"
    (theirs / "cache").mkdir(parents=True)
    theirs.chmod(0o755)
    code = (
        "import os, sys; from pathlib import Path; from app.private import Exposed, keep_private\n"
        "from app.settings import Settings\n"
        "os.setgid(61000); os.setuid(61000)\n"
        "try: keep_private(Settings(data=Path(sys.argv[1])))\n"
        "except Exposed as exposed: print(exposed.hint)\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code, str(theirs)], cwd=ROOT, capture_output=True, text=True, timeout=LIMIT_SECONDS
    )
    assert "chown" in ran.stdout, ran.stderr


def test_a_database_elsewhere_and_a_shared_cache_are_closed_too(tmp_path: Path) -> None:
    database = tmp_path / "elsewhere.sqlite3"
    database.touch()
    database.chmod(0o644)
    mask = os.umask(0o022)
    try:
        for data in ("one", "two"):  # servers of one user may share a cache
            shared = Settings(data=tmp_path / data, cache=tmp_path / "cache", database_url=f"sqlite:///{database}")
            keep_private(shared)
            assert exposed(shared) is None
            (tmp_path / "cache" / "jax").mkdir(mode=0o755, exist_ok=True)
    finally:
        os.umask(mask)
    assert stat.S_IMODE(database.stat().st_mode) == 0o600
