"""Pure Python is a framework of its own: lists stay lists, and its boxes are NumPy's."""

from collections.abc import Iterator

import pytest

from graders.boxes.pool import Judge
from graders.cell import run_cell
from graders.exercise.built import cases_of
from graders.exercise.definition import BrokenExercise, Exercise
from graders.reasons.plain import plain
from graders.verdict import Verdict
from tests.conftest import require_boxes

from .conftest import DOUBLED_FILES, judged, make_exercise, unhurried

TOML = """
title = "Words counted"
entry = "counted"
frameworks = ["python"]
[signature]
text = "str"
least = "int"
returns = "dict[str, int]"
"""
CASES = """
def sample_cases(rng):
    yield "two words", {"text": "a b a", "least": 2}

def hidden_cases(rng):
    yield "drawn", {"text": " ".join(rng.choice(["a", "b", "c"], 9).tolist()), "least": 2}
"""
REFERENCE = """
from collections import Counter

def counted(text, least):
    return {word: n for word, n in Counter(text.split()).items() if n >= least}
"""


def words(**files: str) -> Exercise:
    files = {"exercise_toml": TOML, "cases_py": CASES, "reference_py": REFERENCE, **files}
    return make_exercise("words-counted", **files)


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Judge]:
    """A judge of nothing but Python."""
    with Judge(tmp_path_factory.mktemp("cache"), ["python"], {"numpy": 2}) as judge:
        require_boxes(judge, "python")
        yield judge


def test_a_submission_in_python_is_judged_in_numpys_boxes(alone: Judge) -> None:
    alone.start()
    assert [*alone.keepers] == ["numpy"]
    assert judged(alone, words(), REFERENCE).verdict == Verdict.accepted
    loop = "def counted(text, least):\n    return {word: text.split().count(word) for word in text.split()}\n"
    assert judged(alone, words(), loop, "python").verdict == Verdict.wrong_answer
    assert [*alone.zygotes()] == ["numpy"]


def test_the_judge_of_all_frameworks_starts_no_process_for_it(judge: Judge) -> None:
    assert "python" not in judge.keepers
    judge.take("python").close()


def test_what_arrives_is_pythons_own(alone: Judge) -> None:
    toml = TOML.replace('least = "int"', 'least = "tuple[int, float, bool]"').replace("dict[str, int]", "str")
    cases = CASES.replace('"least": 2', '"least": (2, 0.5, False)')
    names = "def counted(text, least):\n    return ' '.join(type(value).__name__ for value in (text, least, *least))\n"
    exercise = words(exercise_toml=toml, cases_py=cases, reference_py=names)
    assert {case.expected for case in cases_of(alone, exercise)} == {"str tuple int float bool"}


def test_scipy_can_be_imported_and_pandas_cannot(alone: Judge) -> None:
    """As the docs say."""
    assert judged(alone, unhurried(words()), f"import scipy.special\n{REFERENCE}").verdict == Verdict.accepted
    result = judged(alone, words(), f"import pandas\n{REFERENCE}")
    assert result.cases[0].error
    assert "`pandas` is not available here" in str(result.cases[0].error.plain)


def test_an_array_in_the_signature_is_a_fault() -> None:
    with pytest.raises(BrokenExercise, match="has an array, and Python has none") as fault:
        make_exercise(exercise_toml=DOUBLED_FILES["exercise.toml"].replace('"torch"', '"python"'))
    assert (fault.value.path, fault.value.line) == ("exercise.toml", 6)
    assert "declare lists" in fault.value.hint


def test_its_errors_name_no_array() -> None:
    message = "'list' object has no attribute 'shape'"
    assert plain("AttributeError", message, "python") == "A list has no `.shape`."
    assert "array" in str(plain("AttributeError", message, "numpy"))
    message = "can't multiply sequence by non-int of type 'float'"
    assert "comprehension" in str(plain("TypeError", message, "python"))
    assert "comprehension" not in str(plain("TypeError", message, "torch"))


def test_a_lessons_cell_may_be_in_python(alone: Judge) -> None:
    value = run_cell(alone, "[1, 2] + [3]", "python", wait_seconds=60.0).value
    assert value is not None
    assert (value.type, value.text) == ("list", "[1, 2, 3]")
