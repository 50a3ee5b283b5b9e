"""Diagnoses from the numbers alone: each on a real wrong submission, and silent on one that only comes near."""

import re
from dataclasses import replace

import pytest

from graders.boxes.pool import Judge
from graders.exercise.definition import Exercise
from graders.exercise.reader import read_exercise
from graders.reasons.numeric import RANKS
from graders.verdict import Verdict

from .conftest import EXERCISES, unhurried
from .conftest import judged_by_numbers as judged
from .small_exercises import CUBE, ENERGY, MEAN, SOFTMAX, exercise, program


def unexplained(slug: str) -> Exercise:
    """A shipped exercise without its known mistakes, whose own sentences would go first, and with time for all of its
    cases: what is said of draws needs the numbers of all."""
    return unhurried(replace(read_exercise(EXERCISES / slug), mistakes=()))


POSITION = unexplained("learned-absolute-position-embedding")
# For itself, so that what other tests have prepared of it says nothing here: these are about numbers alone
POSITION = replace(POSITION, judging_hash=f"numbers-{POSITION.judging_hash}")
ROWS = unexplained("softmax-rows")
FLAX = unexplained("flax-learned-pos")
WIDE = exercise('x = "float64[N, C]"', "float64[N, C]", "def f(x):\n    return 3 * x + 0.3\n",
                ["x=x(3, 4).astype(float)", "x=x(4, 6).astype(float)"], ["x=x(2, 5).astype(float)"])  # fmt: skip
LAYER = exercise('x = "float32[N, C]"', "float32[N, C]",
                 "def f(x):\n    d = x - x.mean(1, keepdims=True)\n"
                 "    return d / np.sqrt((d * d).mean(1, keepdims=True))\n",
                 ["x=x(4, 6)", "x=x(5, 8)"], ["x=x(3, 7)"])  # fmt: skip
UNIT = exercise('x = "float32[N, C]"', "float32[N, C]",
                "def f(x):\n    return x / np.sqrt((x * x).sum(1, keepdims=True))\n",
                ["x=x(4, 6)", "x=x(5, 8)"], ["x=x(3, 7)"])  # fmt: skip
GRAM = exercise('x = "float32[N, C]"', "float32[N, N]", "def f(x):\n    return np.tanh(x @ x.T)\n",
                ["x=x(4, 3)", "x=x(5, 2)"], ["x=x(6, 4)"])  # fmt: skip
COUNTED = exercise('x = "float32[N]"', "float32[N]", "def f(x):\n    return np.cumsum(np.exp(x))\n",
                   ["x=x(9)", "x=x(8)"], ["x=x(10)"])  # fmt: skip
DRAWN = exercise('seed = "int"\nN = "int"', "float32[N]",
                 "def f(seed, N):\n    return np.random.default_rng(seed).normal(0, 0.3, N).astype(np.float32)\n",
                 ["seed=1, N=90", "seed=2, N=120"], ["seed=3, N=100"])  # fmt: skip
UNIFORM = exercise('seed = "int"\nN = "int"', "float32[N]",
                   "def f(seed, N):\n    return np.random.default_rng(seed).uniform(-1, 1, N).astype(np.float32)\n",
                   ["seed=1, N=90", "seed=2, N=120"], ["seed=3, N=100"])  # fmt: skip
TABLE = exercise('seed = "int"\nT = "int"\nD = "int"', "float32[T, D]",
                 "def f(seed, T, D):\n"
                 "    return np.random.default_rng(seed).normal(size=(32, D))[:T].astype(np.float32)\n",
                 ["seed=1, T=8, D=6", "seed=2, T=9, D=5"], ["seed=3, T=12, D=6"])  # fmt: skip
MASKED = exercise('x = "float32[N, C]"', "float32[N, C]",
                  "def f(x):\n    e = np.exp(np.clip(x, -50, None)) * np.isfinite(x)\n    s = e.sum(1, keepdims=True)\n"
                  "    return np.where(s > 0, e / np.maximum(s, 1e-30), 0).astype(np.float32)\n",
                  ["x=np.concatenate([x(3, 5), np.full((1, 5), -np.inf)]).astype(np.float32)"] * 2,
                  ["x=np.concatenate([np.full((1, 5), -np.inf), x(3, 5)]).astype(np.float32)"])  # fmt: skip

EXP = "    e = np.exp(x - x.max(1, keepdims=True))\n"
DRAW = "    rng = np.random.default_rng(seed)\n"
FLAX_HEAD = (
    "    import flax.linen as nn\n    import jax\n    class Table(nn.Module):\n        draw: object\n"
    "        @nn.compact\n        def __call__(self):\n"
    "            return self.param('pos_embed', self.draw, (32, d_model))[:T]\n"
)
FLAX_TAIL = "    table = Table(draw)\n    return table.apply(table.init(key)).reshape(-1)\n"


def flax(init: str, key: str = "jax.random.PRNGKey(seed)") -> str:
    return f"{FLAX_HEAD}    key = {key}\n    draw = nn.initializers.{init}\n{FLAX_TAIL}"


# name → exercise, framework, the lines of the function, words of the sentence
SAID: list[tuple[str, Exercise, str, str]] = [
    ("factor_along", SOFTMAX, EXP + "    return e / np.cumsum(e.sum(1, keepdims=True), axis=0)\n",
     "Each row of yours is the expected row times a number of its own: what you divide by is wrong"),
    ("factor_along", SOFTMAX, "    return np.exp(x) * (1 + np.arange(len(x), dtype=np.float32)[:, None])\n",
     "look for what scales it"),
    ("factor_along", CUBE, "    return (3 * x + np.float32(0.3)) * (1 + np.abs(x[:, :1, :1]))\n",
     "For each place along N, yours is the expected slice times a number of its own"),
    ("factor_along", LAYER, "    d = x - x.mean(1, keepdims=True)\n    return d / np.abs(d).max(1, keepdims=True)\n",
     "look for what scales it"),
    ("factor_of_rows", CUBE, "    y = 3 * x + np.float32(0.3)\n    return y / np.sqrt((y * y).sum(2, keepdims=True))\n",
     "For each place along N and T"),
    ("factor_of_rows", POSITION, "    e = embedding_table[positions.astype(int)]\n"
     "    return e / np.linalg.norm(e, axis=-1, keepdims=True)\n", "For each place along N and T"),
    ("scaled", CUBE, "    y = 3 * x + np.float32(0.3)\n    return y / np.abs(y).max()\n",
     "a different one in each case"),
    ("offset_along", CUBE, "    y = 3 * x + np.float32(0.3)\n    return y - y.mean((1, 2), keepdims=True)\n",
     "For each place along N, yours is the expected slice plus a number of its own"),
    ("offset_along", WIDE, "    return 3 * x + 0.3 + x[:1]\n", "Each column of yours is the expected column plus"),
    ("offset_of_rows", CUBE, "    y = 3 * x + np.float32(0.3)\n    return y - y.max(2, keepdims=True)\n",
     "For each place along N and T, yours is the expected slice plus"),
    ("moved", CUBE, "    y = 3 * x + np.float32(0.3)\n    return y - y.mean()\n",
     "plus one number, but a different one in each case"),
    ("reduced", CUBE, "    return (3 * x + np.float32(0.3)).mean(1)\n", "the expected one, averaged over T: leave"),
    ("reduced", CUBE, "    return (3 * x + np.float32(0.3)).sum(2, keepdims=True)\n", "summed over C: leave"),
    ("reduced", CUBE, "    y = 3 * x + np.float32(0.3)\n    return y.max(0, keepdims=True) + 0 * y\n",
     "reduced to the largest over N and copied along it"),
    ("not_reduced", ENERGY, "    return np.tanh(x ** 2 + x)\n",
     "The sum of your values along C is the expected output"),
    ("not_reduced", MEAN, "    return x[:, ::-1]\n", "The mean of your values along C"),
    ("power", ROWS, "    e = 2.0 ** (x - x.max(1, keepdims=True))\n    return e / e.sum(1, keepdims=True)\n",
     "as a softmax of base 2 gives: take powers of e"),
    ("power", SOFTMAX, "    e = np.exp(x / np.float32(np.sqrt(x.shape[1])))\n    return e / e.sum(1, keepdims=True)\n",
     "as if the scores of a softmax were divided by sqrt(C)"),
    ("power", SOFTMAX, "    e = np.exp(x * np.float32(0.7))\n    return e / e.sum(1, keepdims=True)\n",
     "multiplied by 0.7"),
    ("power", ROWS, "    e = np.exp(x.min(1, keepdims=True) - x)\n    return e / e.sum(1, keepdims=True)\n",
     "had the other sign"),
    ("epsilon", ROWS, EXP + "    return e / (e.sum(1, keepdims=True) + 1e-5)\n",
     "sum to slightly less than 1, each row by a factor such as 0.99999"),
    ("epsilon", LAYER, "    d = x - x.mean(1, keepdims=True)\n"
     "    return d / np.sqrt((d * d).mean(1, keepdims=True) + np.float32(1e-3))\n", "slightly too small"),
    ("wrong_norm", ROWS, EXP + "    return e / np.sqrt((e * e).sum(1, keepdims=True))\n",
     "Along C, the squares of your values sum to 1: divide by the sum"),
    ("wrong_norm", ROWS, EXP + "    return e\n", "Along C, your largest value is 1: divide by the sum"),
    ("wrong_norm", ROWS, EXP + "    return e / e.sum(0)\n", "Along N, your values sum to 1, and they should along C"),
    ("wrong_norm", ROWS, EXP + "    return e / e.sum()\n", "Over all axes together"),
    ("largest_alone", SOFTMAX, "    return np.eye(x.shape[1], dtype=np.float32)[x.argmax(1)]\n", "an `argmax` or a "
        "rounding takes all"),
    ("clipped", CUBE, "    return np.maximum(3 * x + np.float32(0.3), 0)\n", "leave out the ReLU or the maximum"),
    ("clipped", CUBE, "    return np.minimum(3 * x + np.float32(0.3), np.float32(1.5))\n", "none is above 1.5: they"),
    ("signs_only", CUBE, "    return np.sign(3 * x + np.float32(0.3))\n", "only the signs of the expected ones"),
    ("degrees_of_freedom", LAYER, "    return (x - x.mean(1, keepdims=True)) / x.std(1, ddof=1, keepdims=True)\n",
     "due to C - 1 in place of C"),
    ("left_zero", CUBE, "    y = np.zeros_like(x)\n    y[:, -1:] = 3 * x[:, -1:] + np.float32(0.3)\n    return y\n",
     "Along T, only the last is there and right"),
    ("left_zero", CUBE, "    y = np.zeros_like(x)\n    y[:, :1] = 3 * x[:, :1] + np.float32(0.3)\n    return y\n",
     "Along T, only the first is there and right"),
    ("left_zero", CUBE, "    y = np.zeros_like(x)\n    y[:, :-1] = 3 * x[:, :-1] + np.float32(0.3)\n    return y\n",
     "only the first ones are there and right"),
    ("not_shifted", ROWS, "    e = np.exp(x)\n    return e / e.sum(1, keepdims=True)\n",
     "rows in which `exp(x)` overflows"),
    ("underflow", ROWS, "    e = np.exp(x - x.max())\n    return e / e.sum(1, keepdims=True)\n",
     "NaN fills whole rows along C, just those whose numbers in `x` are lowest"),
    ("overflow", ROWS, "    low = np.where(np.isfinite(x), x, 0).min(1, keepdims=True)\n    e = np.exp(x - low)\n"
     "    return e / e.sum(1, keepdims=True)\n", "NaN appears where `x` is largest along C"),
    ("masked_rows", MASKED, "    e = np.exp(x - x.max(1, keepdims=True))\n    return e / e.sum(1, keepdims=True)\n",
     "rows of `x` that are all -inf"),
    ("rounded", ROWS, EXP + "    return np.round(e / e.sum(1, keepdims=True), 3)\n", "rounded to 3 decimal places"),
    ("rounded", SOFTMAX, EXP + "    y = e / e.sum(1, keepdims=True)\n"
     "    return np.rint(y * np.float32(1000)) * np.float32(0.001)\n", "rounded to 3 decimal places"),
    ("half_values", CUBE, "    return (np.float16(3) * x.astype(np.float16) + np.float16(0.3)).astype(np.float32)\n",
     "no finer than float16"),
    ("single_values", ROWS, "    x = x.astype(np.float32)\n" + EXP + "    y = e / e.sum(1, keepdims=True)\n"
     "    return y.astype(np.float64)\n", "no finer than float32"),
    ("whole_numbers", CUBE, "    return np.floor(x * 5)\n", "All your values are whole numbers"),
    ("drawn_uniform", DRAWN, DRAW + "    return rng.uniform(0, 0.3, N).astype(np.float32)\n",
     "from a uniform distribution, where a normal one is expected: none is negative, and none above 0."),
    ("drawn_uniform", FLAX, flax("uniform(scale=0.02)"), "from a uniform distribution"),
    ("drawn_normal", UNIFORM, DRAW + "    return rng.normal(size=N).astype(np.float32)\n",
     "from a normal distribution"),
    ("drawn_spread", DRAWN,
     "    rng = np.random.RandomState(seed)\n    return rng.normal(0, 0.09, N).astype(np.float32)\n",
     "the standard deviation is asked for, and not the variance"),
    ("drawn_spread", FLAX, flax("normal(1.0)", "jax.random.PRNGKey(seed + 1)"), "about 1 instead of 0.02"),
    ("drawn_scaled", FLAX, flax("normal(0.02 ** 2)"), "times 0.02: your numbers are drawn with another standard"),
    ("wrong_norm", ROWS, EXP + "    return e / e.mean(1, keepdims=True)\n", "Along C, the mean of your values is 1"),
    ("drawn_truncated", FLAX, flax("truncated_normal(0.02)"), "from a truncated normal distribution"),
    ("drawn_again", DRAWN, "    return np.random.RandomState(seed).normal(0, 0.3, N).astype(np.float32)\n",
     "they are other draws: look for another seed or generator"),
    ("drawn_again", FLAX, flax("normal(0.02)", "jax.random.split(jax.random.PRNGKey(seed))[0]"),
     "a `split` or a `fold_in` of the key, and for draws in another dtype; in Flax"),
    ("drawn_dtype", DRAWN, DRAW + "    return rng.normal(0, 0.3, 2 * N)[N:].astype(np.float16)\n",
     "Your numbers are float16"),
    ("drawn_shape", TABLE, DRAW + "    return rng.normal(size=(D, 32)).T[:T].astype(np.float32)\n",
     "drawn in another shape, or cut along another axis"),
    ("invariant", SOFTMAX, "    return (1 / (1 + np.exp(-x))).astype(np.float32)\n",
     "Along C, the expected values sum to 1; "
        "yours have other sums, such as"),
    ("invariant", UNIT, "    return np.tanh(x)\n", "have squares that sum to 1"),
    ("invariant", LAYER, "    return np.tanh(x)\n", "Along C, the expected values have the mean 0"),
    ("invariant", GRAM, "    y = np.resize(np.cos(x * 3), (len(x), len(x)))\n    return y.astype(np.float32)\n",
     "The expected values are symmetric"),
    ("invariant", COUNTED, "    return np.exp(x) * 2\n", "Along N, the expected values never decrease"),
]  # fmt: skip


def framework_of(made: Exercise) -> str:
    return "numpy" if "numpy" in made.frameworks else made.frameworks[0]


@pytest.mark.parametrize(
    ("name", "made", "lines", "says"), SAID, ids=[f"{n}-{name}" for n, (name, *_) in enumerate(SAID)]
)
def test_the_numbers_tell_why(judge: Judge, made: Exercise, name: str, lines: str, says: str) -> None:
    result = judged(judge, made, program(made, lines), framework_of(made))
    assert result.verdict == Verdict.wrong_answer, result
    sentence = result.diagnosis or ""
    assert says in sentence, f"{sentence!r}: {result.cases[0].mismatch}"
    assert sentence.endswith(".")
    assert ". " not in sentence, "one sentence"
    for case in result.cases:
        if not case.sample and case.diagnosis:
            assert not re.search(r"\d\.\d|such as -?\d|\d\d", case.diagnosis), case.diagnosis


def test_every_diagnosis_from_numbers_has_a_submission() -> None:
    assert {name for name, *_ in SAID} == RANKS.keys()


# What comes near, and which words must not be said of it.
SILENT: list[tuple[str, Exercise, str, str]] = [
    ("large weights a little smaller, and the sum 1", SOFTMAX, EXP + "    y = e / e.sum(1, keepdims=True)\n"
     "    y = np.maximum(y, np.float32(0.02))\n    return y / y.sum(1, keepdims=True)\n", "is added to"),
    ("one row alone, among rows of zeros", SOFTMAX, EXP + "    y = np.zeros_like(e)\n    y[0] = e[0] / e[0].sum()\n"
     "    return y\n", "Over all axes"),
    ("wrong rows of a table are no offset", POSITION,
     "    ids = positions.astype(int)[:, ::-1] * 0 + 1\n    return embedding_table[ids]\n", "a number of its own"),
    ("a row with a wrong number in it", SOFTMAX,
     EXP + "    y = e / np.cumsum(e.sum(1, keepdims=True), axis=0)\n    y[:, 0] *= np.float32(1.1)\n    return y\n",
     "times a number"),
    ("each number by its own factor", CUBE, "    return (3 * x + np.float32(0.3)) * (1 + np.abs(x))\n", "a number"),
    ("each number by its own term", CUBE, "    return 3 * x + np.float32(0.3) + x ** 2\n", "a number"),
    ("a mean of something else", CUBE, "    return (3 * x * x).mean(1)\n", "averaged"),
    ("what sums to something else", ENERGY, "    return np.tanh(x ** 2 - x)\n", "of your values along"),
    ("a power that is not normalised", SOFTMAX, "    e = np.exp(x)\n    return (e / e.sum(1, keepdims=True)) ** 1.5\n",
     "a power"),
    ("a base for some scores", SOFTMAX, "    e = np.where(x > 0, 2.0 ** x, np.exp(x))\n"
     "    return (e / e.sum(1, keepdims=True)).astype(np.float32)\n", "a power"),
    ("too small, but not evenly", ROWS, EXP + "    return e / e.sum(1, keepdims=True) - 1e-5\n",
     "a small number is added"),
    ("too large, as nothing added makes it", ROWS, EXP + "    return e / (e.sum(1, keepdims=True) - 1e-5)\n",
     "a small number is added"),
    ("squares that nearly sum to 1", ROWS, EXP + "    return e / np.sqrt((e * e).sum(1, keepdims=True) + 0.01)\n",
     "squares"),
    ("ones and zeros elsewhere", SOFTMAX, "    return np.eye(x.shape[1], dtype=np.float32)[x.argmin(1)]\n", "argmax"),
    ("clipped from the wrong side", CUBE, "    y = 3 * x + np.float32(0.3)\n    return np.where(y > 0, 0, y)\n",
     "ReLU"),
    ("a leaky ReLU", CUBE, "    y = 3 * x + np.float32(0.3)\n    return np.where(y > 0, y, y / 8)\n", "ReLU"),
    ("signs of something else", CUBE, "    return np.sign(x - np.float32(0.3))\n", "only the signs"),
    ("a factor near C - 1 over C", LAYER, "    d = x - x.mean(1, keepdims=True)\n"
     "    return d / np.sqrt((d * d).mean(1, keepdims=True)) * np.float32(0.9)\n", "in place of C"),
    ("one row that is right, others not zero", CUBE,
     "    y = 3 * x + np.float32(0.3)\n    y[:, :-1] = 1\n    return y\n",
     "are zero"),
    ("one row filled in, but wrong", CUBE, "    y = np.zeros_like(x)\n    y[:, -1] = x[:, -1] ** 2\n    return y\n",
     "is there and right"),
    ("NaN where it pleases", ROWS, EXP + "    y = e / e.sum(1, keepdims=True)\n    y[0] = np.nan\n    return y\n",
     "exp("),
    ("NaN in rows that are not masked", MASKED, "    e = np.exp(x - x.max(1, keepdims=True))\n"
     "    y = e / e.sum(1, keepdims=True)\n    y[1:3] = np.nan\n    return y\n", "all -inf"),
    ("rounded, and wrong", ROWS, EXP + "    return np.round(e / e.sum(1, keepdims=True) ** 2, 3)\n", "rounded to"),
    ("whole numbers that are far off", CUBE, "    return np.rint(x * 90 + 7)\n", "float16"),
    ("single precision, and wrong", WIDE, "    return (x.astype(np.float32) ** 2).astype(np.float64)\n", "float32"),
    ("zeros and ones on purpose", CUBE, "    return (x > 0).astype(np.float32)\n", "whole numbers"),
    ("no draw at all", DRAWN, "    return np.linspace(-1, 1, N).astype(np.float32) ** 3\n", "draw"),
    ("draws that are scaled unevenly", DRAWN,
     DRAW + "    y = rng.normal(0, 0.3, N).astype(np.float32)\n    return np.where(y > 0, 2 * y, 3 * y)\n", "times"),
    ("a mean of nearly 1", ROWS, EXP + "    return e / (e.mean(1, keepdims=True) + 0.1)\n", "the mean of your"),
    ("a pattern of the same spread", DRAWN,
     "    return np.float32(0.42) * np.sin(np.arange(N, dtype=np.float32) + seed)\n",
     "other draws"),
    ("a function of what is expected", DRAWN,
     DRAW + "    return np.sin(rng.normal(0, 0.3, N) * 9).astype(np.float32)\n", "other draws"),
    ("normal numbers where nothing is drawn", CUBE,
     "    return np.random.default_rng(0).normal(0, 3, x.shape).astype(np.float32)\n", "draw"),
    ("an invariant that is kept", SOFTMAX, "    y = np.exp(np.sin(9 * x))\n    return y / y.sum(1, keepdims=True)\n",
     "sum to 1"),
    ("an invariant that a right case lacks", CUBE, "    return np.tanh(x)\n", "the expected values"),
]  # fmt: skip


@pytest.mark.parametrize(("made", "lines", "unsaid"), [row[1:] for row in SILENT], ids=[row[0] for row in SILENT])
def test_what_only_comes_near_is_not_named(judge: Judge, made: Exercise, lines: str, unsaid: str) -> None:
    result = judged(judge, made, program(made, lines), framework_of(made))
    assert result.verdict == Verdict.wrong_answer, result
    for case in result.cases:
        assert unsaid not in (case.diagnosis or ""), case.diagnosis
