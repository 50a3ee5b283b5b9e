"""`lectern import`: foreign exercises become folders that are judged; what cannot be is said, item by item."""

import json
from pathlib import Path

import pytest

from tests.content import foreign

from .conftest import Command

pytestmark = pytest.mark.usefixtures("walls")


def test_exercises_of_each_format_are_imported_and_judged(lectern: Command, tmp_path: Path) -> None:
    into = tmp_path / "exercises"
    for name, path in (
        ("deep-ml", foreign.deep_ml(tmp_path / "d")),
        ("exercism", foreign.exercism(tmp_path / "e")),
    ):
        done = lectern("import", path, "--into", into, "--json")
        (entry,) = done.json["imported"]
        assert done.json == {"format": name, "imported": [entry], "flagged": [], "refused": []}
        assert entry["warnings"] == []
        assert done.code == 0
        reference = Path(entry["path"]) / "reference.py"
        assert lectern("grade", entry["path"], reference).code == 0
        assert lectern("grade", entry["path"], Path(entry["path"]) / "starter.py").code == 1
    again = lectern("import", tmp_path / "e", "--into", into, "--json")
    assert again.json["imported"][0]["name"] == "tiny-stack"


def test_notebooks_are_imported_but_for_what_is_graded_by_hand(lectern: Command, tmp_path: Path) -> None:
    for name, path in (
        ("nbgrader", foreign.nbgrader(tmp_path / "n" / "week.ipynb")),
        ("otter", foreign.otter(tmp_path / "o" / "lab.ipynb")),
    ):
        done = lectern("import", path, "--into", tmp_path / "exercises", "--json", "--format", name)
        assert (len(done.json["imported"]), done.json["flagged"], len(done.json["refused"])) == (1, [], 1)
        assert "by hand" in done.json["refused"][0]["why"]
        assert done.code == 1


def test_what_does_not_hold_is_flagged_with_its_faults(lectern: Command, tmp_path: Path) -> None:
    """A solution that fails, a starter that is right, and one whose own tests all expect something else."""
    right = "import numpy as np\n\n\ndef total(values):\n    return np.sum(np.square(values))\n"
    wrong = [{"test": "print(total([1, 2]))", "expected_output": "6"}]
    questions = tmp_path / "questions"
    foreign.deep_ml(
        questions, "1_a", {"meta.json": '{"title": "A"}', "solution.py": "def total(values):\n    return x\n"}
    )
    foreign.deep_ml(questions, "2_b", {"meta.json": '{"title": "B"}', "starter_code.py": right})
    foreign.deep_ml(questions, "3_c", {"meta.json": '{"title": "C"}', "tests.json": json.dumps(wrong)})
    done = lectern("import", tmp_path, "--into", tmp_path / "out", "--json")
    assert done.code == 1
    codes = {entry["name"]: [fault["code"] for fault in entry["faults"]] for entry in done.json["flagged"]}
    assert codes == {"a": ["broken-exercise"], "b": ["starter-accepted"], "c": ["own-tests"]}
    assert "expects '6', but the solution prints '5'" in done.json["flagged"][2]["faults"][0]["message"]
    assert (tmp_path / "out" / "a" / "exercise.toml").is_file()


def test_one_test_of_several_that_disagrees_is_a_warning(lectern: Command, tmp_path: Path) -> None:
    tests = [
        {"test": "print(total([1, 2]))", "expected_output": "5"},
        {"test": "print(total([3]))", "expected_output": "8"},
    ]
    path = foreign.deep_ml(tmp_path, changes={"tests.json": json.dumps(tests)})
    done = lectern("import", path, "--into", tmp_path / "out")
    assert done.code == 0
    assert "warning: Test 2 expects '8', but the solution prints '9'." in done.out
    assert done.out.splitlines()[-1] == "1 item imported, 0 flagged, 0 refused (deep-ml)."


def test_a_folder_that_is_there_is_not_overwritten(lectern: Command, tmp_path: Path) -> None:
    mine = tmp_path / "out" / "sum-of-squares"
    mine.mkdir(parents=True)
    (mine / "statement.md").write_text("Mine.\n")
    done = lectern("import", foreign.deep_ml(tmp_path), "--into", tmp_path / "out", "--json")
    assert done.code == 1
    assert "is there already" in done.json["refused"][0]["why"]
    assert (mine / "statement.md").read_text() == "Mine.\n"
    assert [path.name for path in mine.iterdir()] == ["statement.md"]


def test_what_cannot_run_says_what_to_do(lectern: Command, tmp_path: Path) -> None:
    missing = lectern("import", tmp_path / "no", "--into", tmp_path / "out", "--json")
    assert missing.code == 2
    assert missing.json["error"]["code"] == "not_found"
    unknown = lectern("import", tmp_path, "--into", tmp_path / "out", "--format", "moodle", "--json")
    assert unknown.code == 2
    assert "deep-ml, exercism, nbgrader, otter" in unknown.json["error"]["hint"]
    (tmp_path / "empty").mkdir()
    unlike = lectern("import", tmp_path / "empty", "--into", tmp_path / "out")
    assert unlike.code == 2
    assert "does not look like any format" in unlike.err
    other = lectern("import", foreign.deep_ml(tmp_path / "d"), "--into", tmp_path / "out", "--format", "exercism")
    assert other.code == 2
    assert not (tmp_path / "out").exists()
