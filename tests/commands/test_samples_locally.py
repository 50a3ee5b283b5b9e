"""The test that `get` writes, in pure Python: scripts, exceptions as answers, and each way of being wrong."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.waiting import LIMIT_SECONDS

from .conftest import ROOT

ACCOUNT = """
class Account:
    def __init__(self):
        self.balance = 0
    def deposit(self, amount):
        if amount <= 0:
            raise ValueError("too little")
        self.balance += amount
        return [self.balance, {"of": amount}]

def helper(x):
    return (x, 0.5)
"""
SCRIPT = "import math\na = Account()\na.deposit(n)\na\nhelper(math.floor(2.5))\na.deposit(0)\na.deposit(1)"
STEPS = [
    {"line": 3, "value": [5, {"dict": [["of", 5]]}]},
    {"line": 4, "odd": True},
    {"line": 5, "value": {"tuple": [2, 0.5]}},
    {"line": 6, "raised": "ValueError", "message": "too little"},
]
DEPOSITS = {"name": "deposits", "script": SCRIPT, "values": {"n": 5}, "expected": STEPS}
SAMPLES = {
    "entries": ["Account", "helper"], "raises": ["ValueError"], "messages": True, "framework": "python", "wide": False,
    "tolerance": {"rtol": 0, "atol": 1e-6}, "cases": [DEPOSITS],
}  # fmt: skip


def run(folder: Path, solution: str, samples: dict[str, Any] = SAMPLES) -> str:
    shutil.copy(ROOT / "cli" / "lectern_cli" / "test_samples.py", folder)
    (folder / "samples.json").write_text(json.dumps(samples))
    (folder / "solution.py").write_text(solution)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(folder)]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=LIMIT_SECONDS).stdout


def test_a_script_passes(tmp_path: Path) -> None:
    assert "1 passed" in run(tmp_path, ACCOUNT)
    assert "1 passed" in run(tmp_path, ACCOUNT.replace("return (x, 0.5)", "return [x, 0.5000001]"))


@pytest.mark.parametrize(
    ("right", "wrong", "words"),
    [
        ('{"of": amount}', '{"of": 1}', "line 3[1]['of'] should be 5, but is 1"),
        ("(x, 0.5)", "(x, 0.51)", "line 5[1] should be 0.5, but is 0.51"),
        ("(x, 0.5)", "(True, 0.5)", "line 5[0] should be 2, but is True"),
        ("raise ValueError", "raise KeyError", "KeyError: 'too little'"),
        ('raise ValueError("too little")', "return None", "line 6 should be ValueError, but is a value"),
        ("too little", "no", "line 6 should say 'too little', but says 'no'"),
        ("def helper", "def other", "solution.py has no helper"),
    ],
)  # fmt: skip
def test_a_script_fails_with_its_reason(tmp_path: Path, right: str, wrong: str, words: str) -> None:
    assert right in ACCOUNT
    out = run(tmp_path, ACCOUNT.replace(right, wrong))
    assert "passed" not in out
    assert words in out


def test_a_call_may_raise_and_may_have_many_right_answers(tmp_path: Path) -> None:
    raising = {"name": "negative", "arguments": [-1], "expected": {"raised": "ValueError", "message": "no"}}
    loose = {"name": "loose", "arguments": [1], "expected": {"value": 1.0}, "tolerance": {"rtol": 0, "atol": 0.5}}
    tight = {"name": "tight", "arguments": [1], "expected": {"value": 1.0}}
    free = {"name": "free", "arguments": [1]}
    samples = {**SAMPLES, "entries": ["f"], "cases": [raising, loose, tight, free]}
    solution = "def f(x):\n    if x < 0:\n        raise ValueError('no')\n    return 1.25\n"
    out = run(tmp_path, solution, samples)
    assert "1 failed, 2 passed, 1 skipped" in out
    assert "should be 1.0, but is 1.25" in out
