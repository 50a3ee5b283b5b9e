"""`lectern export`, and import of what it wrote: nothing changes; what is left out is said."""

import zipfile
from pathlib import Path

import pytest

from tests.content import banks

from .conftest import Command

ROOT = Path(__file__).resolve().parents[2]

QUIZ = """---
title: A quiz
kind: quiz
---

::::{question} rows
:type: choice
:given: n = 2 | 3
Which of {{n}}?
- [x] a -- Yes.
- [ ] b -- No.
:::{explain}
So.
:::
::::

::::{question} gaps
:type: cloze
It is [[how]].
:::{gap} how
:type: text
:answer: learned
:::
:::{explain}
So.
:::
::::
"""


def course(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "course.toml").write_text('title = "Rows"\nblurb = "On rows."\n')
    (folder / "01-a-quiz.md").write_text(QUIZ)
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.usefixtures("walls")
@pytest.mark.parametrize(("name", "left_out"), [("moodle-xml", 0), ("gift", 1), ("qti", 0)])
def test_import_of_an_export_changes_nothing(lectern: Command, tmp_path: Path, name: str, left_out: int) -> None:
    path = course(tmp_path / "rows")
    file = tmp_path / f"export{'.zip' if name == 'qti' else '.gift' if name == 'gift' else '.xml'}"
    done = lectern("export", path, "--format", name, "--to", file, "--json")
    assert (done.code, done.json["questions"], len(done.json["left_out"])) == (left_out, 2 - left_out, left_out)
    assert {"name": "rows", "what": "1 of its 2 variants: it is exported for n = 2"} in done.json["lost"]
    back = lectern("import", file, "--into", tmp_path / "back", "--json")
    assert (back.code, back.json["format"], len(back.json["imported"])) == (0, name, 1)
    assert contents(tmp_path / "back" / "rows") == contents(path)
    again = lectern("import", file, "--into", tmp_path, "--json")
    assert again.code == 0


@pytest.mark.usefixtures("walls")
def test_folders_of_all_kinds_go_into_a_zip_and_come_back(lectern: Command, tmp_path: Path) -> None:
    source = tmp_path / "content"
    course(source / "rows")
    assert lectern("new", "exercise", "softmax-over-rows", "--into", source).code == 0
    file = tmp_path / "all.zip"
    assert lectern("export", source, "--format", "folders", "--to", file).code == 0
    with zipfile.ZipFile(file) as archive:
        assert {name.partition("/")[0] for name in archive.namelist()} == {"rows", "softmax-over-rows"}
    done = lectern("import", file, "--into", tmp_path / "back", "--json")
    assert (done.code, done.json["flagged"], done.json["refused"]) == (0, [], [])
    for name in ("rows", "softmax-over-rows"):
        assert contents(tmp_path / "back" / name) == contents(source / name)


@pytest.mark.usefixtures("walls")
def test_a_bank_becomes_a_course_that_passes_check(lectern: Command, tmp_path: Path) -> None:
    (tmp_path / "bank.xml").write_text(banks.MOODLE)
    done = lectern("import", tmp_path / "bank.xml", "--into", tmp_path / "into", "--json")
    assert done.code == 1
    assert [entry["name"] for entry in done.json["imported"]] == ["sum-of-squares", "bank"]
    assert [entry["name"] for entry in done.json["refused"]] == ["Sum", "In C", "Unsound"]
    checked = lectern("check", tmp_path / "into" / "bank", "--json")
    assert checked.json["ok"], checked.json["faults"]


def test_what_cannot_be_exported_says_why_and_what_to_do(lectern: Command, tmp_path: Path) -> None:
    path = course(tmp_path / "rows")
    for arguments, message in (
        ((tmp_path / "none", "--format", "gift"), "There is no such folder"),
        ((path, "--format", "word"), "There is no format 'word'."),
        ((tmp_path, "--format", "gift"), "There is no course in"),
        ((ROOT / "docs", "--format", "folders"), "There is no exercise or course here."),
    ):
        done = lectern("export", *arguments, "--json")
        assert done.code == 2
        assert message in done.json["error"]["message"]
        assert done.json["error"]["hint"]
    file = tmp_path / "x.gift"
    file.write_text("mine")
    assert lectern("export", path, "--format", "gift", "--to", file, "--json").json["error"]["code"] == "conflict"
    assert file.read_text() == "mine"
