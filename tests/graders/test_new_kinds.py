"""Exercises that are more than one function from arrays to arrays, each in a folder of tests/exercises.

The gate judges all but the Flax one, for which it needs half a minute. `./lectern check tests/exercises/*` judges all.
"""

from pathlib import Path

import pytest

from graders.boxes.pool import Judge
from graders.exercise.reader import read_exercise
from graders.proof.gate import LEAST_SCORE, prove
from graders.verdict import Verdict

from .conftest import judged

FOLDER = Path(__file__).resolve().parents[1] / "exercises"
FLAX = FOLDER / "flax-layer-norm"
KINDS = sorted(set(FOLDER.iterdir()) - {FLAX})


@pytest.mark.parametrize("folder", KINDS, ids=lambda path: path.name)
def test_the_gate_finds_no_fault_and_the_cases_kill_its_mutants(folder: Path, judge: Judge) -> None:
    """That the mistakes are recognised is part of it."""
    exercise = read_exercise(folder)
    proved = prove(exercise, judge, folder)
    assert proved.faults == []
    assert f"{len(exercise.mistakes)} of {len(exercise.mistakes)} mistakes recognised" in proved.findings[0]
    mutants, killed, equivalent = (proved.counts[name] or 0 for name in ("mutants", "killed", "equivalent"))
    assert killed >= LEAST_SCORE * (mutants - equivalent)
    assert mutants >= 9


@pytest.mark.extra
def test_a_flax_module_is_judged_by_a_script_that_the_author_runs(judge: Judge) -> None:
    exercise = read_exercise(FLAX)
    assert judged(judge, exercise, exercise.solutions[0].text).verdict == Verdict.accepted
    known = {mistake.name: mistake for mistake in exercise.mistakes}
    result = judged(judge, exercise, known["other-names"].source.text)
    assert (result.verdict, result.mistake) == (Verdict.runtime_error, "other-names")
    assert judged(judge, exercise, known["library"].source.text).verdict == Verdict.invalid_submission


@pytest.mark.extra
def test_a_wrapper_without_the_module_is_no_layer_norm(judge: Judge) -> None:
    """What passed while students called their own module: a function in the place of the class."""
    wrapper = "import flax.linen as nn\nclass LayerNorm(nn.Module):\n    epsilon: float = 1e-6\n"
    wrapper += "    def __call__(self, x):\n        return (x - x.mean(-1, keepdims=True)) / x.std(-1, keepdims=True)\n"
    assert judged(judge, read_exercise(FLAX), wrapper).verdict != Verdict.accepted
