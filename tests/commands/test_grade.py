"""`lectern grade`: exit codes, one JSON object, and nothing needed but two paths."""

import json
import shutil
from pathlib import Path

import pytest

from .conftest import ROOT, Command

pytestmark = pytest.mark.usefixtures("walls")
GATHER = ROOT / "exercises" / "learned-absolute-position-embedding"
FLAX = ROOT / "exercises" / "flax-learned-pos"
KEYS = ["id", "exercise", "exercise_hash", "framework", "kind", "state", "verdict", "score", "summary", "diagnosis",
        "mistake", "queue_position", "created_at", "cases"]  # fmt: skip
CASE_KEYS = ["name", "sample", "verdict", "wall_ms", "diagnosis", "stdout", "error", "mismatch"]


def test_the_flax_reference_is_accepted(lectern: Command) -> None:
    said = lectern("grade", FLAX, FLAX / "reference.py", "--json")
    assert said.code == 0
    assert list(said.json) == KEYS
    assert said.json["verdict"] == "accepted"
    assert said.json["score"] == 1
    assert said.json["id"] is None
    assert all(list(case) == CASE_KEYS for case in said.json["cases"])
    assert "accepted" in said.err  # progress


def test_a_mistake_is_rejected_by_its_name_and_told_why(lectern: Command) -> None:
    said = lectern("grade", GATHER, GATHER / "mistakes" / "ids-ignored.py", "--json")
    assert said.code == 1
    assert said.json["verdict"] == "wrong_answer"
    assert said.json["mistake"] == "ids-ignored"
    assert said.json["diagnosis"]
    in_words = lectern("grade", GATHER, GATHER / "mistakes" / "ids-ignored.py")
    assert in_words.code == 1
    assert said.json["diagnosis"] in in_words.out


def test_a_framework_is_chosen_by_flag_by_mark_or_by_default(lectern: Command, tmp_path: Path) -> None:
    torch = GATHER / "solutions" / "torch.py"
    assert lectern("grade", GATHER, torch, "--json").json["framework"] == "torch"
    unmarked = tmp_path / "answer.py"
    unmarked.write_text("\n".join(torch.read_text().splitlines()[1:]))
    assert lectern("grade", GATHER, unmarked, "--framework", "torch", "--json").json["verdict"] == "accepted"
    assert lectern("grade", GATHER, unmarked, "--json").json["framework"] == "numpy"


def test_what_could_not_be_judged_exits_2_with_a_remedy(lectern: Command, tmp_path: Path) -> None:
    for arguments in (
        (tmp_path / "nowhere", FLAX / "reference.py"),
        (FLAX, tmp_path / "nothing.py"),
        (FLAX, FLAX / "reference.py", "--framework", "torch"),
        (FLAX, FLAX / "reference.py", "--framework", "abacus"),
    ):
        said = lectern("grade", *arguments, "--json")
        assert said.code == 2, arguments
        assert list(said.json) == ["error"]
        assert list(said.json["error"]) == ["code", "message", "hint"]
        assert all(said.json["error"].values())
        assert lectern("grade", *arguments).err.startswith("lectern: ")


def test_an_exercise_anywhere_is_judged_also_one_whose_reference_raises(lectern: Command, tmp_path: Path) -> None:
    copy = tmp_path / "elsewhere" / "gather"
    shutil.copytree(GATHER, copy)
    assert lectern("grade", copy, copy / "reference.py", "--json").json["exercise"] == "gather"
    (copy / "reference.py").write_text(
        f"def {json.loads(json.dumps('learned_absolute_position_embedding'))}(p, t):\n    1 / 0\n"
    )
    said = lectern("grade", copy, GATHER / "reference.py", "--json")
    assert said.code == 2
    assert said.json["verdict"] == "internal_error"
    assert "reference.py:2" in said.json["error"]["message"]


def test_a_file_that_is_not_utf_8_is_the_students_to_mend(lectern: Command, tmp_path: Path) -> None:
    (tmp_path / "answer.py").write_bytes(b"\xff\xfe\n")
    said = lectern("grade", GATHER, tmp_path / "answer.py", "--json")
    assert said.code == 1
    assert said.json["verdict"] == "invalid_submission"
    assert "UTF-8" in said.json["summary"]
