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
    process = lectern("grade", FLAX, FLAX / "reference.py", "--json")
    assert process.code == 0
    assert list(process.json) == KEYS
    assert process.json["verdict"] == "accepted"
    assert process.json["score"] == 1
    assert process.json["id"] is None
    assert all(list(case) == CASE_KEYS for case in process.json["cases"])
    assert "accepted" in process.err  # progress


def test_a_mistake_is_rejected_by_its_name_and_told_why(lectern: Command) -> None:
    process = lectern("grade", GATHER, GATHER / "mistakes" / "ids-ignored.py", "--json")
    assert process.code == 1
    assert process.json["verdict"] == "wrong_answer"
    assert process.json["mistake"] == "ids-ignored"
    assert process.json["diagnosis"]
    in_words = lectern("grade", GATHER, GATHER / "mistakes" / "ids-ignored.py")
    assert in_words.code == 1
    assert process.json["diagnosis"] in in_words.out


def test_an_error_is_said_plainly_under_its_traceback(lectern: Command, tmp_path: Path) -> None:
    source = tmp_path / "answer.py"
    head = "def learned_absolute_position_embedding(positions, table):\n"
    source.write_text(f"{head}    return table[positions.long()]\n")
    lines = lectern("grade", GATHER, source).out.splitlines()
    assert lines.index("      return table[positions.long()]") + 1 == lines.index(
        "A NumPy array has no `.long`: write `x.astype(np.int64)`."
    )


def test_an_error_of_another_case_than_the_first_says_which(lectern: Command, doubled: Path, tmp_path: Path) -> None:
    source = tmp_path / "answer.py"
    source.write_text("def solve(x):\n    if len(x) == 1:\n        return x\n    raise RuntimeError('two')\n")
    out = lectern("grade", doubled, source).out
    assert "Start with: one." in out
    assert "In the case “two”:\n  line 4, in solve\n" in out
    source.write_text("def solve(x):\n    raise RuntimeError('never')\n")
    assert "In the case" not in lectern("grade", doubled, source).out


@pytest.mark.extra
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
        process = lectern("grade", *arguments, "--json")
        assert process.code == 2, arguments
        assert list(process.json) == ["error"]
        assert list(process.json["error"]) == ["code", "message", "hint"]
        assert all(process.json["error"].values())
        assert lectern("grade", *arguments).err.startswith("lectern: ")


def test_an_exercise_anywhere_is_judged_also_one_whose_reference_raises(lectern: Command, tmp_path: Path) -> None:
    copy = tmp_path / "elsewhere" / "gather"
    shutil.copytree(GATHER, copy)
    assert lectern("grade", copy, copy / "reference.py", "--json").json["exercise"] == "gather"
    (copy / "reference.py").write_text(
        f"def {json.loads(json.dumps('learned_absolute_position_embedding'))}(p, t):\n    1 / 0\n"
    )
    process = lectern("grade", copy, GATHER / "reference.py", "--json")
    assert process.code == 2
    assert process.json["verdict"] == "internal_error"
    assert "reference.py:2" in process.json["error"]["message"]


def test_a_file_that_is_not_utf_8_is_the_students_to_mend(lectern: Command, tmp_path: Path) -> None:
    (tmp_path / "answer.py").write_bytes(b"\xff\xfe\n")
    process = lectern("grade", GATHER, tmp_path / "answer.py", "--json")
    assert process.code == 1
    assert process.json["verdict"] == "invalid_submission"
    assert "UTF-8" in process.json["summary"]


def test_a_trace_prints_the_shapes_in_a_margin(lectern: Command) -> None:
    process = lectern("grade", GATHER, GATHER / "solutions" / "numpy-loops.py", "--trace")
    assert process.code == 0
    assert "returns float32 (N, T, d_model) = (1, 3, 4), 0.1 … 2.4" in process.out
    (loop,) = [line for line in process.out.splitlines() if "for t in range(T):" in line]
    assert "×3 t = 0" in loop
    assert "accepted" in process.out


def test_a_trace_as_json_has_one_key_more(lectern: Command) -> None:
    chosen = "two sentences, the first padded on the left"
    process = lectern("grade", GATHER, GATHER / "mistakes" / "wrong-axis.py", "--trace", "--case", chosen, "--json")
    assert process.code == 1
    assert list(process.json) == [*KEYS, "trace"]
    assert process.json["kind"] == "trace"
    assert [case["name"] for case in process.json["cases"]] == [chosen]
    assert process.json["trace"]["dims"]["N"] == 2
    assert process.json["trace"]["events"][0]["kind"] == "call"


def test_a_trace_of_no_sample_case_exits_2(lectern: Command) -> None:
    for arguments in (("--trace", "--case", "hidden 1"), ("--case", "one sentence of three tokens")):
        process = lectern("grade", GATHER, GATHER / "reference.py", *arguments, "--json")
        assert process.code == 2
        assert list(process.json) == ["error"]
    process = lectern("grade", GATHER, GATHER / "reference.py", "--trace", "--case", "hidden 1")
    assert "one sentence of three tokens" in process.err


REVEALED = {
    "exercise.toml": """
title = "T"
entry = "solve"
frameworks = ["numpy"]
[signature]
x = "float64[N]"
returns = "float64[N]"
""",
    "statement.md": "Double it.\n",
    "starter.py": "def solve(x):\n    return None\n",
    "reference.py": "def solve(x):\n    return 2 * x\n",
    "cases.py": """
import numpy as np

def sample_cases(rng):
    yield "one", {"x": np.array([1.0])}
    yield "two", {"x": np.array([1.0, 2.0])}

def hidden_cases(rng):
    yield "a hundred", {"x": np.array([100.0])}
    yield "below zero", {"x": np.array([-1.0])}
    yield "drawn", {"x": rng.normal(size=3)}
""",
}


@pytest.fixture
def doubled(tmp_path: Path) -> Path:
    folder = tmp_path / "doubled"
    folder.mkdir()
    for name, text in REVEALED.items():
        (folder / name).write_text(text)
    return folder


def test_authors_see_every_hidden_case_by_its_name(lectern: Command, doubled: Path, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.py"
    wrong.write_text("def solve(x):\n    if x[0] == -1:\n        raise ValueError('below')\n    return 2.001 * x\n")
    plain = lectern("grade", doubled, wrong)
    assert "a hundred" not in plain.out + plain.err
    process = lectern("grade", doubled, wrong, "--reveal", "--seed", "7")
    assert process.code == 1
    assert "hidden case 'a hundred': " in process.out
    assert "times the tolerance: rtol = 0.0005, atol = 0.0005 would accept it." in process.out
    assert "hidden case 'below zero': It raises ValueError: below (line 3)." in process.out
    assert "fresh case 'drawn': " in process.out
    assert "The worst: hidden case 'below zero'" in process.out
    refused = lectern("grade", doubled, wrong, "--reveal", "--json")
    assert (refused.code, refused.json["error"]["code"]) == (2, "invalid")
