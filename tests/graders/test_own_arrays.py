"""Answers are arrays of the tab's own framework, unless the author does not mind."""

import pytest

from graders.boxes.pool import Judge
from graders.verdict import Verdict

from .conftest import judged, make_exercise, unhurried

TOML = make_exercise().files["exercise.toml"].decode()
FOREIGN = {
    "a NumPy array from JAX": ("jax", "import numpy as np\ndef doubled(x):\n    return 2 * np.asarray(x)\n"),
    "a NumPy array from PyTorch": ("torch", "def doubled(x):\n    return (2 * x).numpy()\n"),
    "one of them is foreign": ("torch", "def doubled(x):\n    return 2 * x if len(x) > 3 else (2 * x).numpy()\n"),
}
OWN = {
    "numpy": "def doubled(x):\n    return 2 * x\n",
    "jax": "import numpy as np\nimport jax.numpy as jnp\ndef doubled(x):\n    return jnp.asarray(2 * np.asarray(x))\n",
    "torch": "import torch\ndef doubled(x):\n    return torch.from_numpy(2 * x.numpy())\n",
}


@pytest.mark.parametrize("why", FOREIGN)
def test_an_array_of_another_framework_is_not_accepted(judge: Judge, why: str) -> None:
    framework, source = FOREIGN[why]
    result = judged(judge, unhurried(make_exercise()), source, framework)
    assert result.verdict == Verdict.wrong_answer
    assert result.diagnosis is not None
    assert "this is a NumPy array" in result.diagnosis
    assert {"jax": "return a JAX array", "torch": "return a tensor"}[framework] in result.diagnosis
    hidden = [case for case in result.cases if not case.sample and case.verdict == Verdict.wrong_answer]
    assert sum(case.diagnosis is not None for case in hidden) <= 1, "only the first hidden case speaks"


@pytest.mark.parametrize("framework", OWN)
def test_its_own_arrays_are_accepted_however_they_were_made(judge: Judge, framework: str) -> None:
    assert judged(judge, unhurried(make_exercise()), OWN[framework], framework).verdict == Verdict.accepted


def test_an_author_may_not_mind(judge: Judge) -> None:
    lenient = make_exercise(exercise_toml=TOML.replace("[signature]", "returns_any_framework = true\n\n[signature]", 1))
    assert lenient.judging_hash != make_exercise().judging_hash
    for framework, source in FOREIGN.values():
        assert judged(judge, unhurried(lenient), source, framework).verdict == Verdict.accepted


def test_wrong_values_are_told_before_the_framework(judge: Judge) -> None:
    source = "def doubled(x):\n    return (-2 * x).numpy()\n"
    result = judged(judge, unhurried(make_exercise()), source, "torch")
    assert "NumPy array" not in (result.diagnosis or "")


def test_a_scalar_of_numpys_is_a_number_everywhere(judge: Judge) -> None:
    toml = TOML.replace('returns = "float32[N]"', 'returns = "float"')
    reference = "def doubled(x):\n    return float(x.sum())\n"
    total = make_exercise(exercise_toml=toml, reference_py=reference)
    source = "import numpy as np\ndef doubled(x):\n    return np.float64(x.sum().item())\n"
    assert judged(judge, unhurried(total), source, "torch").verdict == Verdict.accepted
