"""The gate on checkers and scripts: what a checker does not look at, and what a script cannot prove."""

from pathlib import Path

import numpy as np
import pytest

from graders.boxes.pool import Judge
from graders.exercise.built import cases_of
from graders.exercise.cases import Case
from graders.exercise.checker import UNREADABLE, Checker
from graders.exercise.definition import Exercise
from graders.exercise.limits import Tolerance
from graders.exercise.runs import measure, seed_of
from graders.proof.checkers import MAX_CHANGES, changes, checker_faults, odd_answers
from graders.proof.mutants import try_mutants
from graders.proof.scripts import comparisons, script_faults
from graders.verdict import Verdict

from .conftest import judged, make_exercise

COUNTER_TOML = 'title = "Counter"\nentry = ["Counter"]\nframeworks = ["python"]\n'
COUNTER = "class Counter:\n    def __init__(self, n=0):\n        self.n = n\n"
SPLIT_TOML = """
title = "Split"
entry = "split"
frameworks = ["python"]
[signature]
total = "int"
returns = "list[int]"
"""
SPLIT_CASES = """
def sample_cases(rng):
    yield "seven", {"total": 7}

def hidden_cases(rng):
    yield "drawn", {"total": int(rng.integers(5, 500))}
"""
SPLIT_CHECKER = """
def accept(inputs, output, expected):
    if sum(output) != inputs["total"]:
        return f"Your numbers add up to {sum(output)}, not to {inputs['total']}."
    if len(output) != len(expected):
        return "Split it into as many numbers as the example does."
"""

CARELESS = """
def accept(inputs, output, expected):
    if not output or output[0] < 0:
        return "Start with a number that is not negative."
"""


@pytest.mark.parametrize(
    ("checker", "codes", "text"),
    [
        (SPLIT_CHECKER, [], ""),
        ("def accept(inputs, output, expected):\n    return None\n", ["checker-accepts-all"], "with one change"),
        (CARELESS, ["checker-accepts-all"], "on the case 'seven', the answer[0] is 2"),
        (SPLIT_CHECKER.replace('if sum(output) != inputs["total"]', 'if sum(output) < inputs["total"]'),
         ["checker-accepts"], "the answer[0] is 2"),
        (SPLIT_CHECKER.replace('if sum(output) != inputs["total"]', 'if sum(output) < inputs["total"]')
         + "\n# mutants: more than the total is right\n", [], ""),
        ("def accept(inputs, output, expected):\n    if sum(output) != inputs['total'] or 1 / output[-1] < 0:\n"
         "        return 'No.'\n", [], ""),
        ("def accept(inputs, output, expected):\n    if 1 / output[0] < 0 or output != expected:\n        return '.'\n",
         ["checker-fails"], "0 for every int: raises ZeroDivisionError"),
        (SPLIT_CHECKER.replace("    if len", "    if output[0] < 0:\n        return 'No.'\n    if len")
         .replace("    if sum", "    output[0]\n    if sum"), ["checker-fails"], "no items: raises IndexError"),
    ],
    ids=["sound", "accepts all", "the first alone", "too much", "argued", "the last", "divides", "asks for an item"],
)  # fmt: skip
def test_a_checker_that_does_not_look_is_found(judge: Judge, checker: str, codes: list[str], text: str) -> None:
    exercise = make_exercise(
        "split", exercise_toml=SPLIT_TOML, cases_py=SPLIT_CASES, checker_py=checker,
        reference_py="def split(total):\n    return [1, total - 1]\n",
    )  # fmt: skip
    faults, findings = checker_faults(judge, exercise, cases_of(judge, exercise), Path("split"))
    assert [fault.code for fault in faults] == codes
    assert text in "".join(fault.message for fault in faults)
    assert len(findings) == 1


@pytest.mark.parametrize(
    "fails", ["1 / output[0]", "while not output[0]: pass", "'x' * 10**11 if not output[0] else 0"]
)
def test_an_answer_on_which_the_checker_fails_is_wrong_and_the_exercise_is_sound(judge: Judge, fails: str) -> None:
    """Its time, too, is that of one submission, however many answers are like that."""
    exercise = make_exercise(
        "split", exercise_toml=SPLIT_TOML + "[limits]\nwall_seconds = 2\ntotal_seconds = 2\n", cases_py=SPLIT_CASES,
        checker_py=f"def accept(inputs, output, expected):\n    {fails}\n    return None\n",
        reference_py="def split(total):\n    return [1, total - 1]\n",
    )  # fmt: skip
    result = judged(judge, exercise, "def split(total):\n    return [0, total]\n")
    assert result.verdict == Verdict.wrong_answer
    assert result.cases[0].mismatch is not None
    assert result.cases[0].mismatch.text == UNREADABLE


def test_the_checker_is_not_asked_again_once_its_time_for_failures_is_over(judge: Judge) -> None:
    exercise = make_exercise(
        "split", exercise_toml=SPLIT_TOML, cases_py=SPLIT_CASES,
        checker_py="def accept(inputs, output, expected):\n    1 / output[0]\n",
        reference_py="def split(total):\n    return [1, total - 1]\n",
    )  # fmt: skip
    case = cases_of(judge, exercise)[0]
    with Checker(judge, exercise, seconds=1e-9) as checker:
        assert checker.sentence(case, [0, 7]) == UNREADABLE
        assert checker.seconds_left <= 0
        assert checker.sentence(case, [2, 5]) == UNREADABLE  # which it would accept
    with Checker(judge, exercise) as checker:
        assert checker.sentence(case, [0, 7]) == UNREADABLE
        assert checker.sentence(case, [2, 5]) is None


def test_an_exercise_without_a_checker_is_not_tried(judge: Judge, doubled: Exercise) -> None:
    assert checker_faults(judge, doubled, (), Path("doubled")) == ([], [])


@pytest.mark.parametrize(
    ("value", "least"),
    [
        ([1, 2], 5),
        ((1.0, "a"), 2),
        ({"a": True, "b": None}, 1),
        ({1, 2}, 1),
        (np.arange(6, dtype=np.float32).reshape(2, 3), 8),
        (np.zeros((), np.int64), 1),
        (np.array([True]), 3),
        ([], 0),
    ],
)
def test_every_change_is_one(value: object, least: int) -> None:
    found = [changed for _, changed in changes(value, Tolerance())]
    assert len(found) >= least
    for changed in found:
        assert type(changed) is type(value)
        assert repr(changed) != repr(value)


def test_a_large_answer_is_changed_in_some_places() -> None:
    assert len(list(changes(np.zeros((300, 300), np.float32), Tolerance()))) <= MAX_CHANGES + 2
    assert len(list(changes([[0.0] * 200] * 200, Tolerance()))) <= (MAX_CHANGES + 3) ** 2


def test_odd_answers_keep_the_form_of_the_expected_one() -> None:
    found = dict(odd_answers({"x": np.ones(2, np.float32), "n": [1]}))
    assert np.isnan(found["nan for every float"]["x"]).all()
    assert found[f"{10**30} for every int"]["n"] == [10**30]
    assert found["no items"]["n"] == []


@pytest.mark.parametrize(
    ("script", "found"),
    [
        ("a, b = Account(), Account()\na == b", ["a == b"]),
        ("a = Account()\nb = a\nb.balance == 5", ["b.balance == 5"]),
        ("[x == 1 for x in Account().history()]", ["x == 1"]),
        ("transfer(1, 2) in (3, 4)", ["transfer(1, 2) in (3, 4)"]),
        ("def both():\n    return Account()\nboth() != both()", ["both() != both()"]),
        ("with Account() as a:\n    a < 2", ["a < 2"]),
        ("a = Account()\na is None\nlen(a.history()) == 2\nint(a.balance) == 5", []),
        ("x = 3\nx == 3\na = Account(x)\na.balance", []),
        ("count = len(Account().history())\ncount == 2", []),
    ],
)
def test_what_asks_a_student_s_object_is_found(script: str, found: list[str]) -> None:
    case = Case("a", True, {"script()": script}, {}, ())
    assert list(comparisons(case, ("Account", "transfer"))) == found


def test_a_value_that_is_not_compared_is_named_once(judge: Judge) -> None:
    cases = """
def sample_cases(rng):
    yield "object", script("a = Counter(2)\\na\\na.n\\na == a")
def hidden_cases(rng):
    yield "again", script(f"a = Counter({rng.integers(5)})\\na\\na.n")
"""
    exercise = make_exercise("counter", exercise_toml=COUNTER_TOML, cases_py=cases, reference_py=COUNTER)
    faults = script_faults(exercise, cases_of(judge, exercise), Path("counter"))
    assert [fault.code for fault in faults] == ["script-compares", "script-not-compared"]
    assert faults[0].message.startswith("`a == a` in the case 'object' asks the student's own object")
    assert faults[1].message == "`a` is a Counter in the case 'object', so it is not compared."


CLAMP = """
class Counter:
    def __init__(self, n):
        self.n = n
    def clamped(self):
        return self.n if self.n < 50 else 50
"""
CLAMP_CASES = """
def sample_cases(rng):
    yield "small", script("Counter(7).clamped()")
def hidden_cases(rng):
    n = int(rng.integers(100))
    yield "drawn", script("Counter(n).clamped()", n=n % 10 if n == FIRST else n)
"""


def test_a_mutant_of_a_script_s_reference_lives_where_another_seed_tells_it(judge: Judge) -> None:
    """The scripts' own cases never reach the limit; under other seeds they do, so the mutant is no equivalent."""
    first = int(np.random.default_rng(seed_of("counter:hidden")).integers(100))
    exercise = make_exercise(
        "counter", exercise_toml=COUNTER_TOML, reference_py=CLAMP, cases_py=CLAMP_CASES.replace("FIRST", str(first))
    )
    cases = cases_of(judge, exercise)
    assert all(case.inputs.get("n", 0) < 40 for case in cases)
    trial = try_mutants(judge, exercise, cases, measure(judge, exercise, exercise.reference, cases))
    assert trial.score is not None
    assert trial.score < 1
    assert {"'drawn' with another seed"} == {survivor.told_by for survivor in trial.survivors}


def test_an_input_on_which_the_checker_rejects_the_reference_says_nothing_about_a_mutant(judge: Judge) -> None:
    """All cases are odd, and other seeds draw even totals, of which the checker accepts nothing, from nobody."""
    first = int(np.random.default_rng(seed_of("split:hidden")).integers(9, 99))
    drawn = f"int(n := rng.integers(9, 99)) * 2 + int(n == {first})"
    exercise = make_exercise(
        "split", exercise_toml=SPLIT_TOML, reference_py="def split(total):\n    return [min(1, total), total - 1]\n",
        checker_py=SPLIT_CHECKER.replace('if sum(output) != inputs["total"]', "if inputs['total'] % 2 == 0 or "
                                         "sum(output) != inputs['total']"),
        cases_py=SPLIT_CASES.replace("int(rng.integers(5, 500))", drawn),
    )  # fmt: skip
    cases = cases_of(judge, exercise)
    trial = try_mutants(judge, exercise, cases, measure(judge, exercise, exercise.reference, cases))
    assert trial.killed
    assert trial.equivalents  # min(total, 1)
    assert trial.survivors == ()
