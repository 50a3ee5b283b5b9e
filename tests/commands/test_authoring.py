"""docs/authoring.md is true: the exercise it builds, built from its own code blocks, checks clean."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from .conftest import ROOT, Command, Said

pytestmark = pytest.mark.usefixtures("walls")
FILE = re.compile(r"`((?:\w+/)?[\w-]+\.(?:toml|md|py))`")


GUIDE = (ROOT / "docs" / "authoring.md").read_text()
COMMAND = re.compile(r"\./lectern ([a-z][^`\n>]*)")
EMAIL = "ada@example.org"
CHECKED = "check exercises/softmax-over-rows"
WRONG = "exercises/softmax-over-rows/mistakes/wrong-axis.py"


def write_exercise(folder: Path) -> None:
    """The exercise that the guide makes in ten minutes, file by file."""
    before = ""
    for words, code in re.findall(
        r"(.*?)```(?:toml|markdown|python)\n(.*?)```", GUIDE.partition("## 5. Prove it")[0], re.DOTALL
    ):
        before += words
        path = folder / FILE.findall(before)[-1]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(code)


@pytest.mark.extra
def test_every_command_of_the_guide_does_what_it_says(lectern: Command, tmp_path: Path) -> None:
    """In a folder that has what the guide names, and no more: `lessons/positions` is a small course of that name. The
    exercise that it makes in ten minutes checks clean."""
    folders = {"LECTERN_EXERCISES": str(tmp_path / "exercises"), "LECTERN_LESSONS": str(tmp_path / "lessons")}
    assert lectern("users", "add", EMAIL, "--role", "instructor").code == 0
    token = lectern("users", "token", EMAIL).out.strip()
    written = dict.fromkeys(command.strip() for command in COMMAND.findall(GUIDE))
    meant = {"COURSE": "positions", "DIR": "out", "FILE": WRONG, "EMAIL": EMAIL, "5113…": "5113", "..": "beside"}

    def run(command: str, *more: str) -> Said:
        words = [meant.get(word, word) for word in shlex.split(command)]
        process = lectern(*words, *more, **folders, LECTERN_TOKEN=token)
        is_wrong = words[0] == "grade" and WRONG in words
        assert process.code == (1 if is_wrong else 0), (command, process.out, process.err)
        return process

    assert lectern("new", "course", "positions", **folders).code == 0
    for number, command in enumerate(one for one in written if one.startswith("new ")):
        meant["SLUG"] = f"new-{number}"
        run(command)
    (tmp_path / "lessons" / "positions" / "01-first-lesson.md").rename(
        tmp_path / "lessons" / "positions" / "02-sinusoidal-encodings.md"
    )
    made = tmp_path / "exercises" / "softmax-over-rows"
    shutil.rmtree(made)
    write_exercise(made)
    assert {path.name for path in made.rglob("*.py")} == {
        "starter.py", "reference.py", "cases.py", "torch.py", "wrong-axis.py", "overflow.py",
    }  # fmt: skip
    for command in (one for one in written if one.startswith("serve")):
        with started(command.split(), tmp_path, folders) as meant["https://lectern.example.org"]:
            for publish in (one for one in written if one.startswith("publish --server") and command == "serve"):
                ours = [
                    sys.executable,
                    str(ROOT / "lectern"),
                    *(meant.get(word, word) for word in shlex.split(publish)),
                ]
                done = subprocess.run(
                    ours, cwd=tmp_path, env={**os.environ, "LECTERN_TOKEN": token}, text=True, stdout=subprocess.PIPE
                )
                assert (done.returncode, "live" in done.stdout) == (0, True), done.stdout
    others = [one for one in written if one.partition(" ")[0] not in ("new", "serve", "publish")]
    assert {one.partition(" ")[0] for one in others} == {
        "check", "doctor", "export", "grade", "import", "schema", "users",
    }  # fmt: skip
    others.remove(CHECKED)
    for command in others:
        run(command)
    checked = run(CHECKED, "--json").json
    assert {fault["code"] for fault in checked["faults"]} <= {"no-hints", "no-worked-solution"}
    graded = lectern("grade", made, made / "mistakes" / "overflow.py", "--json")
    assert graded.json["mistake"] == "overflow"


@contextmanager
def started(command: list[str], data: Path, folders: dict[str, str]) -> Iterator[str]:
    """The address of the server that this command starts."""
    environment = {**os.environ, **folders, "LECTERN_DATA": str(data / "data"), "LECTERN_PORT": "0", "DATABASE_URL": ""}
    with subprocess.Popen(
        [sys.executable, "-P", "-m", "app", *command], cwd=data, env=environment, stdout=subprocess.PIPE, text=True
    ) as server:
        try:
            assert server.stdout is not None
            found = re.search(r"http://\S+", server.stdout.readline())
            assert found
            yield found[0]
        finally:
            server.terminate()
