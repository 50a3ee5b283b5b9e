"""What a wrong program does, as a fingerprint: the same from programs that are written otherwise, and told to no
student."""

import json

import numpy as np
import pytest

from graders.boxes.pool import Judge
from graders.boxes.reply import CallOutcome, Returned
from graders.exercise.built import cases_of, mistakes_of
from graders.exercise.cases import Case
from graders.exercise.definition import Exercise
from graders.grade import Finished, grade
from graders.reasons.fingerprint import HALF, fingerprint
from tests.graders.conftest import STOCK, judged, make_exercise

SUMMED = {
    "exercise_toml": """
title = "Row sums"
entry = "sums"
frameworks = ["numpy", "jax", "torch"]
[signature]
x = "float32[N, M]"
returns = "float32[N]"
[tolerance]
rtol = 1e-4
atol = 1e-5
""",
    "statement_md": "Sum each row.",
    "starter_py": "def sums(x):\n    return None\n",
    "reference_py": "def sums(x):\n    return x.sum(1)\n",
    "cases_py": """
import numpy as np

def sample_cases(rng):
    yield "small", {"x": np.arange(12, dtype=np.float32).reshape(3, 4)}

def hidden_cases(rng):
    yield "fixed", {"x": np.linspace(-1, 2, 7 * 31, dtype=np.float32).reshape(7, 31)}
    yield "drawn", {"x": rng.standard_normal((5, 300)).astype(np.float32)}
""",
    "mistakes__columns_py": '"""You summed each column."""\ndef sums(x):\n    return x.sum(0)\n',
}
MEAN = "def sums(x):\n    return x.mean(1)\n"
# The same mean, added up by hand, backwards: it differs in the last digits.
MEAN_OTHERWISE = """
import numpy as np
def sums(x):
    total = np.zeros(len(x), np.float32)
    for column in reversed(range(x.shape[1])):
        total = total + x[:, column] / np.float32(x.shape[1])
    return total
"""
MEAN_IN_TORCH = "import torch\ndef sums(x):\n    return torch.mean(x, dim=1)\n"


@pytest.fixture(scope="module")
def row_sums() -> Exercise:
    return make_exercise("row-sums", **SUMMED)


def found(judge: Judge, exercise: Exercise, source: str, framework: str = "numpy") -> Finished:
    *_, last = grade(exercise, source.encode(), framework, judge, stock=STOCK)
    assert isinstance(last, Finished)
    return last


def halves(finished: Finished) -> set[tuple[int, str]]:
    assert finished.fingerprint is not None
    assert len(finished.fingerprint) == 2 * HALF
    return {(0, finished.fingerprint[:HALF]), (1, finished.fingerprint[HALF:])}


def test_one_outcome_of_programs_written_otherwise(judge: Judge, row_sums: Exercise) -> None:
    mean = found(judge, row_sums, MEAN)
    assert mean.result.mistake is None
    assert halves(mean) & halves(found(judge, row_sums, MEAN_OTHERWISE))
    assert halves(mean) & halves(found(judge, row_sums, MEAN_IN_TORCH, "torch"))


@pytest.mark.parametrize(
    "other",
    [
        "def sums(x):\n    return x.max(1)\n",
        "def sums(x):\n    return x.sum(1) / (x.shape[1] - 1)\n",
        "def sums(x):\n    return x.mean(1)[:-1]\n",
        "def sums(x):\n    return x.mean(1, dtype='float64')\n",
        "def sums(x):\n    return list(x.mean(1))\n",
        "def sums(x):\n    return x.mean(2)\n",
        "def sums(x):\n    return x.mean(1).astype(int).astype('float32')\n",
        "import elsewhere\ndef sums(x):\n    return x.mean(1)\n",
        "def sums(x):\n    while True: pass\n",
    ],
)
def test_other_outcomes_are_others(judge: Judge, row_sums: Exercise, other: str) -> None:
    assert not halves(found(judge, row_sums, MEAN)) & halves(found(judge, row_sums, other))


def test_an_error_is_the_same_wherever_it_stands(judge: Judge, row_sums: Exercise) -> None:
    early = found(judge, row_sums, "def sums(x):\n    return x.mean(2)\n")
    late = found(judge, row_sums, "import numpy as np\n\ndef sums(values):\n    a = 2\n    return np.mean(values, a)\n")
    assert early.result.verdict == "runtime_error"
    assert halves(early) & halves(late)


def test_a_known_mistakes_is_that_of_a_student_who_makes_it(judge: Judge, row_sums: Exercise) -> None:
    cases = cases_of(judge, row_sums)
    theirs = fingerprint(row_sums, cases, dict(enumerate(mistakes_of(judge, row_sums)["columns"])))
    finished = found(judge, row_sums, "import numpy as np\ndef sums(x):\n    return np.einsum('ij->j', x)\n")
    assert finished.result.mistake == "columns"
    assert {theirs[:HALF], theirs[HALF:]} & {half for _, half in halves(finished)}


def test_a_mistake_that_returns_a_float_is_known_by_its_value_not_by_its_last_digit(judge: Judge) -> None:
    files = {
        "exercise_toml": (
            'title = "T"\nentry = "mean"\nframeworks = ["numpy"]\n[signature]\nx = "float64[N]"\nreturns = "float"\n'
        ),
        "reference_py": "def mean(x):\n    return float(x.mean())\n",
        "cases_py": "import numpy as np\ndef sample_cases(rng):\n    yield 'a', {'x': np.array([0.1, 0.2, 0.4])}\n"
        "def hidden_cases(rng):\n    for n in (3, 5, 7):\n        yield f'{n}', {'x': rng.normal(size=n)}\n",
        "mistakes__added_py": '"""You add, and do not divide."""\ndef mean(x):\n    return float(x.sum())\n',
        "starter_py": "def mean(x):\n    return None\n",
    }
    made = make_exercise("mean", **files)
    in_turn = "def mean(x):\n    total = 0.0\n    for each in x[::-1]:\n        total = total + {}\n    return total\n"
    for each in ("float(each)", "np.float32(0) + each", "np.asarray(each)"):
        assert judged(judge, made, "import numpy as np\n" + in_turn.format(each)).mistake == "added", each


def test_what_is_right_or_a_run_has_none_and_no_student_is_told(judge: Judge, row_sums: Exercise) -> None:
    assert found(judge, row_sums, "def sums(x):\n    return x.sum(1)\n").fingerprint is None
    *_, run = grade(row_sums, MEAN.encode(), "numpy", judge, "run", stock=STOCK)
    assert isinstance(run, Finished)
    assert run.fingerprint is None
    wrong = found(judge, row_sums, MEAN)
    assert wrong.fingerprint
    shown = json.dumps([case.row() for case in wrong.result.cases]) + repr(wrong.result)
    assert wrong.fingerprint[:HALF] not in shown


def test_noise_below_the_tolerance_makes_no_other_outcome(row_sums: Exercise) -> None:
    """Ten thousand numbers, wrong by any amount, of which a few always lie on an edge of a grid."""
    rng = np.random.default_rng(7)
    apart = 0
    for size in np.geomspace(1e-3, 1e3, 40):
        expected = rng.standard_normal((100, 100)).astype(np.float32)
        wrong = expected + (size * rng.standard_normal((100, 100))).astype(np.float32)
        noisy = wrong * (1 + 1e-6 * rng.standard_normal((100, 100))).astype(np.float32)
        case = Case("one", True, {}, {}, expected)
        first, second = (fingerprint(row_sums, [case], {0: returned(value)}) for value in (wrong, noisy))
        apart += first[:HALF] != second[:HALF] and first[HALF:] != second[HALF:]
    assert apart == 0


def returned(value: object) -> CallOutcome:
    return Returned(value)
