"""What an exercise brings beside its code, data/ and provided/: the same for everybody, and nobody's to change."""

import pytest

from graders.boxes.pool import Judge
from graders.boxes.sandbox import BoxLost
from graders.exercise.built import cases_of, mistakes_of
from graders.exercise.definition import BrokenExercise, Exercise
from graders.exercise.materials import for_box
from graders.exercise.reader import exercise_from_files
from graders.exercise.runs import load
from graders.verdict import Verdict

from .conftest import DOUBLED_FILES, judged, make_exercise

SCALE = "def scaled(x):\n    return FACTOR * x\n\nFACTOR = 2\n"
READS = """
import numpy as np
from provided.scale import scaled

def doubled(x):
    with open("data/more/factor.txt") as file:
        assert file.read() == "two"
    assert np.load("data/one.npy").sum() == 1
    return scaled(x)
"""
CASES = """
import numpy as np
from provided.scale import FACTOR

def sample_cases(rng):
    yield "three", {"x": np.load("data/one.npy") * np.float32(FACTOR)}

def hidden_cases(rng):
    yield "four", {"x": rng.standard_normal(4).astype(np.float32)}
"""
ONE = (
    b"\x93NUMPY\x01\x00v\x00{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }".ljust(127) + b"\n" + b"\0\0\x80?"
)


def with_files(**files: str) -> Exercise:
    texts = {**DOUBLED_FILES, "reference.py": READS, "cases.py": CASES, "provided/scale.py": SCALE, **files}
    binary = {"data/one.npy": ONE, "data/more/factor.txt": b"two"}
    return exercise_from_files("doubled", {**{name: text.encode() for name, text in texts.items()}, **binary})


def test_everybody_reads_the_same_files_and_imports_the_same_modules(judge: Judge) -> None:
    thrice = READS.replace("scaled(x)", "scaled(x) + x")
    exercise = with_files(**{"mistakes/thrice.py": f'"""Told."""\n{thrice}'})
    assert [float(case.expected[0]) for case in cases_of(judge, exercise) if case.sample] == [4.0]
    assert judged(judge, exercise, READS).verdict == Verdict.accepted
    assert judged(judge, exercise, thrice).mistake == "thrice"
    assert len(mistakes_of(judge, exercise)) == 1


@pytest.mark.parametrize(
    "change", ["open('data/one.npy', 'w')", "open('data/one.npy', 'a')", "open('data/more/factor.txt', 'r+')"]
)
def test_the_files_are_read_only(judge: Judge, change: str) -> None:
    result = judged(judge, with_files(), f"{READS}\n{change}\n")
    assert result.verdict == Verdict.runtime_error
    assert result.cases[0].error
    assert result.cases[0].error.type == "PermissionError"


def test_what_one_module_does_to_them_the_next_does_not_meet(judge: Judge) -> None:
    exercise = with_files()
    vandal = "import os, shutil, sys\nimport provided.scale\nprovided.scale.FACTOR = 3\nshutil.rmtree('data')\n"
    vandal += "os.mkdir('data')\nopen('data/one.npy', 'w').close()\nos.chdir('/')\ndef doubled(x): return x\n"
    box = judge.take("numpy")
    try:
        for source in (vandal, READS):
            reply = load(box, source, exercise.entries, exercise, "numpy")
            assert type(reply.answer).__name__ == "Done", reply
        request = {"op": "call", "args": [cases_of(judge, exercise)[0].inputs["x"]], "seed": None}
        assert box.ask(request, 5, exercise.limits).answer.value.tolist() == [4.0]  # type: ignore[union-attr]
    finally:
        box.close()


def test_an_error_in_what_is_provided_names_the_students_own_line(judge: Judge) -> None:
    exercise = with_files()
    result = judged(judge, exercise, "from provided.scale import scaled\ndef doubled(x):\n    return scaled(None)\n")
    assert result.cases[0].error
    assert (result.cases[0].error.type, result.cases[0].error.line) == ("TypeError", 3)


def test_there_is_nothing_to_import_where_nothing_is_provided(judge: Judge) -> None:
    result = judged(judge, make_exercise(), "import provided\ndef doubled(x): return 2 * x\n")
    assert result.cases[0].error
    assert result.cases[0].error.type == "ModuleNotFoundError"


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("provided/a-tree.py", "", "provided/a-tree.py: cannot be imported"),
        ("provided/deep/tree.py", "", "cannot be imported"),
        ("provided/__init__.py", "", "cannot be imported"),
        ("provided/tree.txt", "", "cannot be imported"),
        ("provided/tree.py", "x = (\n", "provided/tree.py:1: does not compile"),
    ],
)
def test_what_cannot_be_imported_is_a_fault(name: str, content: str, says: str) -> None:
    with pytest.raises(BrokenExercise) as fault:
        with_files(**{name: content})
    assert str(fault.value).startswith(says) or says in str(fault.value)
    assert fault.value.hint


def test_data_has_a_limit() -> None:
    with pytest.raises(BrokenExercise, match=r"data: holds 9\.0 MB; 8 MB are allowed"):
        with_files(**{f"data/{n}.txt": "x" * (1 << 20) for n in range(9)})


def test_they_are_part_of_what_is_judged() -> None:
    plain = with_files()
    assert with_files(**{"provided/scale.py": SCALE + "\n"}).judging_hash != plain.judging_hash
    assert with_files(**{"data/two.txt": "2"}).judging_hash != plain.judging_hash


def test_boxes_without_a_folder_of_their_own_are_our_failure(doubled: Exercise) -> None:
    with Judge(frameworks=["numpy"], parked={"numpy": 1}, require_walls=False, off=["mount"]) as judge:
        box = judge.take("numpy")
        with pytest.raises(BoxLost, match="boxes here have no folder for them: switched off"):
            for_box(with_files(), box)
        assert for_box(doubled, box) == {"data": {}, "provided": {}}
        box.close()
