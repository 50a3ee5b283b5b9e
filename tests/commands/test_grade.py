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


def test_an_error_is_said_plainly_under_its_traceback(lectern: Command, tmp_path: Path) -> None:
    source = tmp_path / "answer.py"
    head = "def learned_absolute_position_embedding(positions, table):\n"
    source.write_text(f"{head}    return table[positions.long()]\n")
    lines = lectern("grade", GATHER, source).out.splitlines()
    assert lines.index("      return table[positions.long()]") + 1 == lines.index(
        "A NumPy array has no `.long`: write `x.astype(np.int64)`."
    )


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


def test_a_trace_prints_the_shapes_in_a_margin(lectern: Command) -> None:
    said = lectern("grade", GATHER, GATHER / "solutions" / "numpy-loops.py", "--trace")
    assert said.code == 0
    assert "returns float32 (N, T, d_model) = (1, 3, 4), 0.1 … 2.4" in said.out
    (loop,) = [line for line in said.out.splitlines() if "for t in range(T):" in line]
    assert "×3 t = 0" in loop
    assert "accepted" in said.out


def test_a_trace_as_json_has_one_key_more(lectern: Command) -> None:
    chosen = "two sentences, the first padded on the left"
    said = lectern("grade", GATHER, GATHER / "mistakes" / "wrong-axis.py", "--trace", "--case", chosen, "--json")
    assert said.code == 1
    assert list(said.json) == [*KEYS, "trace"]
    assert said.json["kind"] == "trace"
    assert [case["name"] for case in said.json["cases"]] == [chosen]
    assert said.json["trace"]["dims"]["N"] == 2
    assert said.json["trace"]["events"][0]["kind"] == "call"


def test_a_trace_of_no_sample_case_exits_2(lectern: Command) -> None:
    for arguments in (("--trace", "--case", "hidden 1"), ("--case", "one sentence of three tokens")):
        said = lectern("grade", GATHER, GATHER / "reference.py", *arguments, "--json")
        assert said.code == 2
        assert list(said.json) == ["error"]
    said = lectern("grade", GATHER, GATHER / "reference.py", "--trace", "--case", "hidden 1")
    assert "one sentence of three tokens" in said.err
