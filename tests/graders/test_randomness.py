"""Random numbers: no two boxes draw the same unasked, and with `seed = true` everybody's code draws the same."""

from pathlib import Path

import pytest

from graders.boxes.pool import Judge
from graders.exercise.built import cases_of
from graders.exercise.definition import BrokenExercise, Exercise
from graders.proof.gate import prove
from graders.verdict import Verdict

from .conftest import DOUBLED_FILES, judged, make_exercise

DRAWS = """
import random
import numpy as np

def doubled(x):
    return 2 * x + np.float32({drawn})
"""
TORCH_DRAWS = """# framework: torch
import numpy as np
import torch

def doubled(x):
    return 2 * x + {drawn}
"""
SEEDED = DOUBLED_FILES["exercise.toml"].replace("[signature]", "seed = true\n[signature]")
UNSEEDED_CASES = """
import numpy as np
import {module}

def sample_cases(rng):
    yield "three", {{"x": np.array([1, 2, {drawn}], np.float32)}}

def hidden_cases(rng):
    yield "four", {{"x": rng.standard_normal(4).astype(np.float32)}}
"""


def numpy_only(**files: str) -> Exercise:
    return make_exercise(exercise_toml=DOUBLED_FILES["exercise.toml"].replace(', "jax", "torch"', ""), **files)


@pytest.mark.parametrize("drawn", ["random.random()", "np.random.random()"])
def test_a_reference_draws_other_numbers_in_every_box_unless_it_is_seeded(judge: Judge, drawn: str) -> None:
    source = DRAWS.format(drawn=drawn)
    assert judged(judge, make_exercise(reference_py=source), source).verdict == Verdict.wrong_answer
    seeded = make_exercise(exercise_toml=SEEDED, reference_py=source)
    assert judged(judge, seeded, source).verdict == Verdict.accepted


def test_torch_is_seeded_too(judge: Judge) -> None:
    source = TORCH_DRAWS.format(drawn="torch.rand(())")
    plain = make_exercise(
        exercise_toml=DOUBLED_FILES["exercise.toml"].replace('"numpy", "jax", ', ""), reference_py=source
    )
    assert judged(judge, plain, source).verdict == Verdict.wrong_answer
    seeded = make_exercise(exercise_toml=SEEDED.replace('"numpy", "jax", ', ""), reference_py=source)
    assert judged(judge, seeded, source).verdict == Verdict.accepted


def test_each_input_has_its_seed_and_keeps_it(judge: Judge) -> None:
    """Earlier draws, in other calls or while it loads, change nothing."""
    source = DRAWS.format(drawn="np.random.random()")
    exercise = make_exercise(exercise_toml=SEEDED, reference_py=source)
    greedy = f"import numpy as np\nnp.random.random(1000)\n{source}"
    assert judged(judge, exercise, greedy).verdict == Verdict.accepted
    added = {case.name: float((case.expected - 2 * case.inputs["x"])[0]) for case in cases_of(judge, exercise)}
    assert len(set(added.values())) == len(added)


@pytest.mark.parametrize(("module", "drawn"), [("random", "random.random()"), ("numpy", "np.random.random()")])
def test_cases_that_nobody_seeds_are_found_by_the_first_check(
    judge: Judge, tmp_path: Path, module: str, drawn: str
) -> None:
    exercise = numpy_only(cases_py=UNSEEDED_CASES.format(module=module, drawn=drawn))
    found = [fault for fault in prove(exercise, judge, tmp_path).faults if fault.path.endswith("cases.py")]
    assert ("not-deterministic", "error") in [(fault.code, fault.severity) for fault in found]


def test_seed_is_true_or_false_and_part_of_what_is_judged() -> None:
    assert make_exercise(exercise_toml=SEEDED).judging_hash != make_exercise().judging_hash
    with pytest.raises(BrokenExercise, match="must be true or false") as fault:
        make_exercise(exercise_toml=SEEDED.replace("seed = true", "seed = 3"))
    assert fault.value.line == 5
