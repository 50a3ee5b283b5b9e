"""`lectern new` and `lectern schema`: what they make passes `check` as it is, and replaces nothing."""

import json
from pathlib import Path

import pytest
import yaml

from .conftest import Command


@pytest.mark.usefixtures("walls")
def test_a_repository_passes_its_own_workflow(lectern: Command, tmp_path: Path) -> None:
    made = lectern("new", "course", "attention", "--repository")
    assert made.code == 0, made.err
    folder = tmp_path / "attention"
    assert "attention" in (folder / "README.md").read_text()
    workflow = yaml.safe_load((folder / ".github" / "workflows" / "check.yml").read_text())
    job = workflow["jobs"]["check"]
    step = job["steps"][-1]["run"].split()
    assert step[0] == "lectern/lectern"
    place = {name: text.replace("${{ github.workspace }}/content", str(folder)) for name, text in job["env"].items()}
    own = {name: place[name] for name in ("LECTERN_EXERCISES", "LECTERN_LESSONS")}
    checked = lectern(*step[1:], "--json", **own)
    assert checked.json["faults"] == []
    assert checked.json["exercises"].keys() == {"attention-first-exercise"}
    counts = checked.json["exercises"]["attention-first-exercise"]
    assert counts["killed"] == counts["mutants"] > 5
    # And it is no empty pass: a fault in it is found.
    (folder / "lessons" / "attention" / "01-first-lesson.md").write_text("---\ntitle: T\n---\n[no](nowhere.md)\n")
    assert lectern(*step[1:], "--json", **own).code == 1


def test_exercises_and_lessons_are_added_where_the_settings_say(lectern: Command, tmp_path: Path) -> None:
    own = {"LECTERN_EXERCISES": f"{tmp_path}/ours:{tmp_path}/theirs", "LECTERN_LESSONS": str(tmp_path / "lessons")}
    assert lectern("new", "exercise", "softmax-over-rows", **own).code == 0
    assert "def softmax_over_rows(x):" in (tmp_path / "ours" / "softmax-over-rows" / "reference.py").read_text()
    assert 'title      = "Softmax over rows"' in (tmp_path / "ours" / "softmax-over-rows" / "exercise.toml").read_text()
    assert lectern("new", "exercise", "2d-pooling", **own).code == 0
    assert "def solve(x):" in (tmp_path / "ours" / "2d-pooling" / "starter.py").read_text()
    assert lectern("new", "course", "shapes", **own).code == 0
    assert lectern("new", "lesson", "broadcasting", **own).code == 0
    lessons = sorted(path.name for path in (tmp_path / "lessons" / "shapes").glob("*.md"))
    assert lessons == ["01-first-lesson.md", "02-broadcasting.md"]
    for path in (tmp_path / "ours" / "softmax-over-rows" / "exercise.toml", tmp_path / "lessons/shapes/course.toml"):
        marker, schema = path.read_text().split("\n")[0].split()
        assert marker == "#:schema"
        assert json.loads((path.parent / schema).read_text())["title"] == path.name


@pytest.mark.parametrize("slug", ["../outside", "Upper", "a_b", "", "a" * 101, "-a"])
@pytest.mark.parametrize("kind", ["exercise", "lesson", "course"])
def test_a_name_that_is_none_is_refused(lectern: Command, tmp_path: Path, kind: str, slug: str) -> None:
    done = lectern("new", kind, "--into", tmp_path / "made", "--", slug)
    assert done.code == 2
    assert "hyphens" in done.err
    assert not (tmp_path / "made").exists()


def test_nothing_is_replaced(lectern: Command, tmp_path: Path) -> None:
    own = {"LECTERN_EXERCISES": str(tmp_path / "exercises"), "LECTERN_LESSONS": str(tmp_path / "lessons")}
    nowhere = lectern("new", "lesson", "first", **own)
    assert nowhere.code == 2
    assert "new course" in nowhere.err
    assert lectern("new", "course", "shapes", **own).code == 0
    path = tmp_path / "lessons" / "shapes" / "01-first-lesson.md"
    path.write_text("mine")
    for arguments in (("course", "shapes"), ("lesson", "first-lesson")):
        done = lectern("new", *arguments, **own)
        assert done.code == 2
        assert "already" in done.err
    assert path.read_text() == "mine"
    assert lectern("new", "course", "more", **own).code == 0
    which = lectern("new", "lesson", "second", **own)
    assert which.code == 2
    assert "more, shapes" in which.err
    assert lectern("new", "lesson", "second", "--course", "more", **own).code == 0


def test_a_schema_is_printed(lectern: Command) -> None:
    assert lectern("schema", "exercise").json["properties"].keys() > {"title", "entry", "signature"}
    assert lectern("schema", "course").json["required"] == ["title", "blurb"]
    assert "exercise, course" in lectern("schema", "lesson").err
