"""What calling a wrong function again shows: in real boxes, on samples alone, and silent where nothing is sure."""

import numpy as np
import pytest

from graders.boxes.pool import Judge
from graders.exercise.definition import Exercise
from graders.exercise.reader import read_exercise
from graders.exercise.variations import variations_of
from graders.verdict import SubmissionResult, Verdict

from .conftest import EXERCISES, judged, make_exercise, unhurried

WEIGHTED = {
    "exercise_toml": """
title = "Weighted"
entry = "weighted"
frameworks = ["numpy"]

[signature]
x = "float32[N, T]"
w = "float32[N, T]"
power = "int"
returns = "float32[N, T]"
""",
    "starter_py": "def weighted(x, w, power):\n    pass\n",
    "reference_py": "def weighted(x, w, power):\n    return x ** power / w + x.max(axis=1, keepdims=True)\n",
    "cases_py": """
import numpy as np

def sample_cases(rng):
    yield "two", {"x": rng.random((2, 3), np.float32) + 1, "w": rng.random((2, 3), np.float32) + 1, "power": 2}
    yield "three", {"x": rng.random((3, 4), np.float32) + 1, "w": rng.random((3, 4), np.float32) + 1, "power": 3}

def hidden_cases(rng):
    yield "four", {"x": rng.random((4, 2), np.float32) + 1, "w": rng.random((4, 2), np.float32) + 1, "power": 2}
""",
}
HEAD = "import numpy as np\n"
NAMED = {
    "random": ("def weighted(x, w, power):\n    return x + np.random.random(x.shape).astype(x.dtype)\n", "random"),
    "a global list": (
        "seen = []\ndef weighted(x, w, power):\n    seen.append(1)\n    return x * np.float32(len(seen))\n",
        "keeps something from one call",
    ),
    "arguments exchanged": (
        "def weighted(w, x, power):\n    return x ** power / w + x.max(axis=1, keepdims=True)\n",
        "With `x` and `w` exchanged",
    ),
    "an array ignored": (
        "def weighted(x, w, power):\n    w = np.ones_like(x)\n"
        "    return x ** power / (w + 1) + x.max(axis=1, keepdims=True) * 2\n",
        "does not depend on `w`: it stays the same when what is in it changes",
    ),
    "a number never used": (
        "def weighted(x, w, p):\n    return x ** 2 / w + x.max(axis=1, keepdims=True) * 2\n",
        "does not depend on `power`: it stays the same when its value changes. Your function never uses it.",
    ),
    "nothing that counts": ("def weighted(x, w, power):\n    return np.zeros_like(x) + 7\n", "depends on none"),
    "a sum that is not reset": (
        "def weighted(x, w, power):\n    out = np.zeros_like(x)\n    largest = 0\n    for n in range(len(x)):\n"
        "        largest = largest + x[n].max()\n        out[n] = x[n] ** power / w[n] + 2 * largest\n    return out\n",
        "also depends on the places before it in `x`",
    ),
    "one maximum for all": (
        "def weighted(x, w, power):\n    return x ** power / w + x.max() + x.sum() - x.sum(1, keepdims=True)\n",
        "depends on all places of `x`",
    ),
    "places of their own": (
        "def weighted(x, w, power):\n    return x ** power / w + x\n",
        "but should depend on others too",
    ),
}
RIGHT = WEIGHTED["reference_py"]
SILENT = {
    "nothing but NaN": "def weighted(x, w, power):\n    return x * np.float32(np.nan)\n",
    "ignored on a wrong sample alone": "def weighted(x, w, power):\n    if power == 3:\n"
    "        return np.ones_like(x)\n    return x ** power / w + x.max(axis=1, keepdims=True)\n",
    "wrong by a constant": "def weighted(x, w, power):\n    return x ** power / w + x.max(axis=1, keepdims=True) + 5\n",
    "random is in the name alone": "def weighted(x, w, power, random=0):\n"
    "    return x ** power / w - x.max(axis=1, keepdims=True)\n",
    "right on one sample with arguments exchanged": "def weighted(w, x, power):\n"
    "    return x ** 2 / w + x.max(axis=1, keepdims=True) + np.float32(power - 2)\n",
    "it raises on other inputs": "def weighted(x, w, power):\n    assert power in (2, 3), power\n"
    "    return x ** power / w + x.max(axis=1, keepdims=True) + 1\n",
}
SAYS = ("Called again", "With `", "Your output does not depend", "Your output depends on none", "Along ")


def weighted(judge: Judge) -> Exercise:
    exercise = unhurried(make_exercise("weighted", **WEIGHTED))
    assert variations_of(judge, exercise)
    return exercise


def sentences(result: SubmissionResult) -> list[str]:
    return [case.diagnosis for case in result.cases if case.diagnosis]


@pytest.mark.parametrize("why", NAMED)
def test_what_further_calls_show_is_told(judge: Judge, why: str) -> None:
    source, words = NAMED[why]
    result = judged(judge, weighted(judge), HEAD + source)
    assert result.verdict == Verdict.wrong_answer
    assert words in (result.diagnosis or ""), result.diagnosis
    assert len({*sentences(result)}) <= 2, "one for samples, and one without lines for a hidden case"


@pytest.mark.parametrize("why", SILENT)
def test_what_is_not_sure_is_not_told(judge: Judge, why: str) -> None:
    result = judged(judge, weighted(judge), HEAD + SILENT[why])
    assert result.verdict == Verdict.wrong_answer
    says = ("With `",) if "exchanged" in why else SAYS
    assert not [text for text in sentences(result) if text.startswith(says)]


def test_an_argument_that_makes_no_difference_may_be_ignored(judge: Judge) -> None:
    """The reference ignores it too: that is not what is wrong."""
    files = {**WEIGHTED, "reference_py": "def weighted(x, w, power):\n    return x * 2\n"}
    exercise = unhurried(make_exercise("unweighted", **files))
    assert {variation.argument for variation in variations_of(judge, exercise)} == {"x"}
    result = judged(judge, exercise, "def weighted(x, w, power):\n    return x * x\n")
    assert not [text for text in sentences(result) if "depend" in text]


def test_a_function_that_ends_its_box_is_judged_to_the_end(judge: Judge) -> None:
    """attack: be wrong on a sample, and end the process when the function is called once more."""
    source = (
        "import os\ncalls = []\ndef weighted(x, w, power):\n    calls.append(1)\n    if len(calls) > 3: os._exit(0)\n"
        "    return x\n"
    )
    result = judged(judge, weighted(judge), source)
    assert result.verdict == Verdict.wrong_answer
    assert all(case.verdict == Verdict.wrong_answer for case in result.cases), "the hidden ones in another box"


def test_a_right_function_is_not_called_again(judge: Judge) -> None:
    source = f"calls = []\n{RIGHT}real = weighted\ndef weighted(x, w, power):\n    calls.append(1)\n"
    source += "    assert len(calls) <= 5, 'called again'\n    return real(x, w, power)\n"
    assert judged(judge, weighted(judge), source).verdict == Verdict.accepted  # two samples, one hidden, two fresh


def test_no_hidden_input_is_there_yet_when_it_is_called_again(judge: Judge) -> None:
    """attack: choose what the further calls return by a hidden input, and read it from the sentence.
    defence: they are made before the first hidden case."""
    source = (
        "calls = []\ndef weighted(x, w, power):\n    calls.append(x.shape)\n"
        "    return x * (len(calls) if (4, 2) in calls else 1)\n"
    )
    result = judged(judge, weighted(judge), source)
    assert "Called again" not in (result.diagnosis or "")


SHIPPED = {
    "ids are counted, not read": (
        "learned-absolute-position-embedding", "numpy", "import numpy as np\ndef {entry}(positions, embedding_table):\n"
        "    n, t = positions.shape\n    return np.stack([embedding_table[:t] * 2] * n)\n",
        "does not depend on `positions`",
    ),
    "a table of its own": (
        "learned-absolute-position-embedding", "torch", "import torch\ndef {entry}(positions, embedding_table):\n"
        "    layer = torch.nn.Embedding(*embedding_table.shape)\n    return layer(positions.long()).detach()\n",
        "random weights",
    ),
    "the seed is not the key": (
        "flax-learned-pos", "jax", "import jax\ndef {entry}(seed, T, d_model):\n"
        "    return 0.02 * jax.random.normal(jax.random.PRNGKey(0), (T * d_model,)) ** 3\n",
        "does not depend on `seed`",
    ),
}  # fmt: skip


@pytest.mark.parametrize("why", SHIPPED)
def test_it_holds_for_the_exercises_that_ship(judge: Judge, why: str) -> None:
    slug, framework, source, words = SHIPPED[why]
    exercise = unhurried(read_exercise(EXERCISES / slug))
    variations_of(judge, exercise)
    result = judged(judge, exercise, source.replace("{entry}", exercise.entry), framework)
    assert words in (result.diagnosis or ""), (result.diagnosis, result.summary)


def test_a_variation_changes_one_argument_and_keeps_its_kind(judge: Judge) -> None:
    for variation in variations_of(judge, weighted(judge)):
        assert variation.argument in ("x", "w", "power")
        if isinstance(variation.value, np.ndarray):
            assert variation.value.dtype == np.float32
            assert variation.value.ndim == 2
    own = [variation for variation in variations_of(judge, weighted(judge)) if variation.axis == "N"]
    assert {variation.moves for variation in own if variation.part == "first"} == {(0,)}
