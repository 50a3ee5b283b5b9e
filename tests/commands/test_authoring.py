"""docs/authoring.md is true: the exercise it builds, built from its own code blocks, checks clean."""

import re
from pathlib import Path

import pytest

from .conftest import ROOT, Command

pytestmark = pytest.mark.usefixtures("walls")
FILE = re.compile(r"`((?:\w+/)?[\w-]+\.(?:toml|md|py))`")


def test_the_ten_minute_exercise_checks_clean(lectern: Command, tmp_path: Path) -> None:
    folder = tmp_path / "softmax-over-rows"
    guide = (ROOT / "docs" / "authoring.md").read_text().partition("## 5. Prove it")[0]
    before = ""
    for words, code in re.findall(r"(.*?)```(?:toml|markdown|python)\n(.*?)```", guide, re.DOTALL):
        before += words
        path = folder / FILE.findall(before)[-1]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(code)
    assert {path.name for path in folder.rglob("*.py")} == {
        "starter.py", "reference.py", "cases.py", "torch.py", "wrong-axis.py", "overflow.py",
    }  # fmt: skip
    process = lectern("check", folder, "--json")
    assert process.json["ok"], process.json["faults"]
    assert {fault["code"] for fault in process.json["faults"]} <= {"no-hints", "no-worked-solution"}
    graded = lectern("grade", folder, folder / "mistakes" / "overflow.py", "--json")
    assert graded.json["mistake"] == "overflow"
