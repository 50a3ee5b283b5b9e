"""`export DIR`, `import DIR` and `publish --from DIR`: content between folders, the database and a server."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.server_process import DOUBLED, one_exercise, serving
from tests.waiting import LIMIT_SECONDS

from .conftest import ROOT, Command, Said

EMAIL = "ada@example.org"
COURSE = {
    "course.toml": 'title = "Rows"\nblurb = "On rows."\n',
    "01-a-lesson.md": "---\ntitle: Rows\n---\n\nRows first.\n",
}


def write_content(folder: Path) -> Path:
    one_exercise(folder)
    (folder / "lessons" / "03-rows").mkdir(parents=True)
    for name, text in COURSE.items():
        (folder / "lessons" / "03-rows" / name).write_text(text)
    return folder


def state(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_what_is_imported_is_exported_as_it_was_and_both_may_be_repeated(lectern: Command, tmp_path: Path) -> None:
    content, out = write_content(tmp_path / "content"), tmp_path / "out"
    imported = lectern("import", content, "--json")
    assert imported.code == 0, imported.err
    assert {each["slug"]: each["outcome"] for each in imported.json["imported"]} == {
        DOUBLED: "written",
        "rows": "written",
    }
    assert "2 unchanged" in lectern("import", content).out
    assert lectern("export", out).out == "No folders exported, 0 unchanged, 0 refused.\n", "nothing is published"
    assert lectern("export", out, "--drafts").code == 0
    assert state(out / "exercises") == state(content / "exercises")
    assert state(out / "lessons" / "rows") == {name: text.encode() for name, text in COURSE.items()}
    before = state(out)
    assert "2 unchanged" in lectern("export", out, "--drafts").out
    assert state(out) == before
    (out / "lessons" / "rows" / "01-a-lesson.md").write_text("mine alone")
    refused = lectern("export", out, "--drafts")
    assert (refused.code, "no revision holds" in refused.err) == (1, True)
    assert (out / "lessons" / "rows" / "01-a-lesson.md").read_text() == "mine alone"
    assert lectern("import", out).code == 0
    older = lectern("import", content)
    assert (older.code, "older revision" in older.err) == (1, True)


@pytest.fixture
def url(tmp_path: Path, walls: None) -> Iterator[str]:
    with serving(tmp_path / "server", LECTERN_DATA=str(tmp_path / "server" / "var")) as (_, url):
        yield url


@pytest.mark.extra
def test_a_repository_is_published_by_its_own_ci(lectern: Command, tmp_path: Path, url: str) -> None:
    data = {"LECTERN_DATA": str(tmp_path / "server" / "var")}
    assert lectern("users", "add", EMAIL, "--role", "instructor", **data).code == 0
    token = lectern("users", "token", EMAIL, **data).out.strip()
    content = write_content(tmp_path / "content")
    shutil.rmtree(content / "exercises")
    assert lectern("new", "exercise", "added-up", "--into", content / "exercises").code == 0

    def publish(*options: str) -> Said:
        command = [sys.executable, str(ROOT / "lectern"), "publish", "--server", url, "--from", str(content), *options]
        environment = {**os.environ, "LECTERN_TOKEN": token}
        done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=LIMIT_SECONDS)
        return Said(done.returncode, done.stdout, done.stderr)

    first = publish("--message", "commit 1")
    assert first.code == 0, first.out + first.err
    assert first.out == "exercise added-up: live\ncourse rows: live\n2 of 2 are live.\n"
    assert httpx.get(f"{url}/courses/rows/a-lesson", timeout=LIMIT_SECONDS).status_code == 200
    (content / "exercises" / "added-up" / "statement.md").write_text("Add up, please.\n")
    assert publish("--message", "commit 2").out.startswith("exercise added-up: live\ncourse rows: live already\n")
    assert "Add up, please" in httpx.get(f"{url}/exercises/added-up", timeout=LIMIT_SECONDS).text
    (content / "exercises" / "added-up" / "reference.py").write_text("def solve(\n")
    broken = publish()
    assert (broken.code, "reference.py" in broken.err) == (1, True)
    page = httpx.get(f"{url}/exercises/added-up", timeout=LIMIT_SECONDS).text
    assert "Add up, please" in page, "students keep what was live"
