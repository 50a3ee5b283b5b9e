"""`lectern check`: clean on what ships, and each kind of fault named with its file and remedy."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from .conftest import ROOT, Command

pytestmark = pytest.mark.usefixtures("walls")
GATHER = ROOT / "exercises" / "learned-absolute-position-embedding"


def test_everything_shipped_is_clean(lectern: Command) -> None:
    """Starters are not accepted, right answers are, and every mistake is recognised by its own text."""
    said = lectern("check", "--json")
    errors = [fault for fault in said.json["faults"] if fault["severity"] == "error"]
    assert errors == []
    assert said.code == 0
    assert said.json["ok"] is True
    assert set(said.json["exercises"]) == {path.parent.name for path in (ROOT / "exercises").glob("*/exercise.toml")}
    assert {fault["code"] for fault in said.json["faults"]} <= {"related"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A small copy to break: the NumPy part of the gather exercise."""
    copy = tmp_path / "gather"
    shutil.copytree(GATHER, copy)
    toml = (copy / "exercise.toml").read_text()
    (copy / "exercise.toml").write_text(toml.replace('["numpy", "jax", "torch"]', '["numpy"]'))
    for path in [*copy.glob("solutions/*"), *copy.glob("mistakes/*"), *copy.glob("starters/*")]:
        if path.name not in ("numpy.py", "ids-ignored.py", "ids-not-cast.py"):
            path.unlink()
    return copy


def faults(lectern: Command, folder: Path) -> dict[str, dict[str, Any]]:
    said = lectern("check", folder, "--json")
    found = {fault["code"]: fault for fault in said.json["faults"] if fault["code"] != "related"}
    assert said.code == (1 if any(fault["severity"] == "error" for fault in found.values()) else 0)
    assert all(fault["hint"] and fault["message"] and fault["path"] for fault in found.values())
    return found


def test_the_copy_is_clean(lectern: Command, folder: Path) -> None:
    assert faults(lectern, folder) == {}


def test_each_fault_is_found(lectern: Command, folder: Path) -> None:
    right = (folder / "reference.py").read_text()
    (folder / "starters").mkdir(exist_ok=True)
    (folder / "starters" / "numpy.py").write_text(right)
    (folder / "solutions" / "wrong.py").write_text(right.replace("return ", "return 2 * "))
    (folder / "mistakes" / "none.py").write_text(f'"""This is right, in fact."""\n{right}')
    (folder / "mistakes" / "again.py").write_text((folder / "mistakes" / "ids-ignored.py").read_text())
    (folder / "statement.md").write_text("$\\frac{1$ and [there](../nowhere.md) and πŸ“– Ã©\n")
    (folder / "hints.md").write_text("")
    found = faults(lectern, folder)
    assert found["starter-accepted"]["path"].endswith("starter.py")
    assert found["not-accepted"]["path"].endswith("solutions/wrong.py")
    assert found["mistake-verdict"]["path"].endswith("mistakes/none.py")
    assert found["mistake-unrecognised"]["path"].endswith(("mistakes/again.py", "mistakes/ids-ignored.py"))
    assert "no-hints" in found
    statement = {fault["message"] for fault in found.values() if fault["path"].endswith("statement.md")}
    assert len(statement) >= 3, found


def test_a_reference_that_is_not_deterministic_is_found(lectern: Command, folder: Path) -> None:
    text = (folder / "reference.py").read_text()
    (folder / "reference.py").write_text(text.replace("return ", "import time\n    return (time.time() % 1e-7) + ", 1))
    toml = (folder / "exercise.toml").read_text()
    (folder / "exercise.toml").write_text(toml)
    found = faults(lectern, folder)
    assert {"not-deterministic", "broken-exercise"} & found.keys()


def test_a_tolerance_that_half_precision_passes_is_found(lectern: Command, folder: Path) -> None:
    toml = (
        (folder / "exercise.toml")
        .read_text()
        .replace("rtol = 1e-6", "rtol = 1e-2")
        .replace("atol = 1e-6", "atol = 1e-2")
    )
    (folder / "exercise.toml").write_text(toml)
    assert "tolerance-loose" in faults(lectern, folder)


def test_a_framework_without_a_right_answer_is_found(lectern: Command, folder: Path) -> None:
    toml = (folder / "exercise.toml").read_text().replace('["numpy"]', '["numpy", "torch"]')
    (folder / "exercise.toml").write_text(toml)
    assert "no-solution" in faults(lectern, folder)


def test_a_broken_folder_and_an_empty_one(lectern: Command, folder: Path, tmp_path: Path) -> None:
    (folder / "cases.py").write_text("def sample_cases(rng):\n    yield\n")
    assert faults(lectern, folder)["broken-exercise"]["path"].endswith("cases.py")
    (folder / "reference.py").write_text("def (\n")
    assert faults(lectern, folder)["broken-exercise"]["line"] == 1
    assert "nothing" in faults(lectern, tmp_path / "not-there")


def test_a_course_is_read_too(lectern: Command, tmp_path: Path) -> None:
    course = tmp_path / "course"
    shutil.copytree(ROOT / "lessons" / "positions", course)
    assert faults(lectern, course) == {}
    lesson = next(course.glob("01-*.md"))
    lesson.write_text(lesson.read_text() + "\n[gone](09-gone.md) and $\\frac{1$\n")
    found = faults(lectern, course)
    assert len(found) == 2
    assert all(fault["path"].endswith(lesson.name) for fault in found.values())


def test_a_key_is_named_as_it_was_written(lectern: Command, folder: Path) -> None:
    toml = (folder / "exercise.toml").read_text()
    (folder / "exercise.toml").write_text(toml.replace("minutes ", "minuts "))
    assert faults(lectern, folder)["broken-exercise"]["message"] == "`minuts` is not a key of exercise.toml."


def test_a_mistake_that_fails_in_another_way_is_told_how_to_say_so(lectern: Command, folder: Path) -> None:
    mistake = folder / "mistakes" / "ids-ignored.py"
    mistake.write_text(mistake.read_text().replace("return ", "return missing_name or "))
    hint = faults(lectern, folder)["mistake-verdict"]["hint"]
    assert "`# verdict: runtime_error`" in hint
