"""What the source shows beside the outcome: each finding on a real submission, and silence where it is a near miss."""

import re
import sys
from dataclasses import replace
from types import FrameType

import numpy as np
import pytest

from graders.boxes.pool import Judge
from graders.boxes.reply import CallOutcome, Returned, Stopped
from graders.exercise.built import cases_of
from graders.exercise.definition import Exercise
from graders.exercise.reader import read_exercise
from graders.reasons.source.finding import ORDER
from graders.reasons.source.look import look_at_source
from graders.reasons.source.program import MAX_CHARACTERS, MAX_NODES, read_program
from graders.verdict import SubmissionResult, Verdict

from .conftest import EXERCISES, judged, make_exercise, unhurried

TOML = """
title = "Made for one test"
entry = "f"
frameworks = {frameworks}
{more}
[signature]
{parameters}
returns = "{returns}"
[limits]
wall_seconds = 2
cpu_seconds = 2
"""


def exercise(
    parameters: str,
    returns: str,
    reference: str,
    samples: list[str],
    hidden: list[str],
    *,
    python: bool = False,
    more: str = "",
) -> Exercise:
    """`samples` and `hidden` are the inputs of a case each, as arguments of dict(); `x(2, 3)` draws an array."""
    names = re.findall(r"^(\w+) *=", parameters, re.MULTILINE)

    def cases(all_: list[str]) -> str:
        return "".join(f"    yield 'case {n}', dict({inputs})\n" for n, inputs in enumerate(all_))

    frameworks = '["python"]' if python else '["numpy", "jax", "torch"]'
    return make_exercise(
        "made",
        exercise_toml=TOML.format(parameters=parameters, returns=returns, frameworks=frameworks, more=more),
        starter_py=f"def f({', '.join(names)}):\n    return None\n",
        reference_py=f"import numpy as np\n\n{reference}",
        cases_py="import numpy as np\n\ndef draw(rng):\n"
        "    return lambda *shape: rng.normal(size=shape).astype(np.float32)\n"
        f"def sample_cases(rng):\n    x = draw(rng)\n{cases(samples)}"
        f"def hidden_cases(rng):\n    x = draw(rng)\n{cases(hidden)}",
    )  # fmt: skip


ROWS = exercise(
    'x = "float32[N, C]"', "float32[N, C]", "def f(x):\n    return np.tanh(3 * x + 1)\n",
    ["x=x(3, 4)", "x=x(4, 5)"], ["x=x(5, 6)", "x=x(6, 3)"],
)  # fmt: skip
SHARES = exercise(
    'x = "float32[N, C]"', "float32[N, C]", "def f(x):\n    return x * x / (x * x).sum(axis=1, keepdims=True)\n",
    ["x=x(3, 4)", "x=x(4, 5)"], ["x=x(5, 6)", "x=x(6, 3)"],
)  # fmt: skip
TOTALS = exercise('x = "float32[N, C]"', "float32[C]", "def f(x):\n    return (x * x).sum(axis=0)\n",
                  ["x=x(3, 4)", "x=x(4, 5)"], ["x=x(5, 6)", "x=x(6, 3)"])  # fmt: skip
LARGEST = exercise('x = "float32[N]"', "float32[]", "def f(x):\n    return x.max()\n",
                   ["x=np.array([1, -2, 3], np.float32)", "x=np.array([-3, -1, -2], np.float32)"],
                   ["x=np.array([5, 2], np.float32)", "x=np.array([4, 9], np.float32)"])  # fmt: skip
LOOKED_UP = exercise(
    'ids = "float32[T]"\ntable = "float32[M, C]"', "float32[T, C]",
    "def f(ids, table):\n    return table[ids.astype(np.int64)]\n",
    ["ids=np.array([0, 2], np.float32), table=x(3, 2)", "ids=np.array([1, 1, 0], np.float32), table=x(4, 3)"],
    ["ids=np.array([3, 0, 1], np.float32), table=x(5, 4)"],
)  # fmt: skip
NUMBERS = exercise("numbers = \"list[int]\"", "list[int]", "def f(numbers):\n    return [2 * n for n in numbers]\n",
                   ["numbers=[3, 1, 2]", "numbers=[5, 7, 6, 9]"], ["numbers=[4, 8, 1]"], python=True)  # fmt: skip
MEANS = exercise("numbers = \"list[int]\"", "list[float]", "def f(numbers):\n    return [n / 2 for n in numbers]\n",
                 ["numbers=[3, 1, 7]", "numbers=[5, 7, 9, 11]"], ["numbers=[1, 9, 5]"], python=True)  # fmt: skip
ROOTS = exercise("n = \"int\"", "int", "def f(n):\n    if n < 0:\n        raise ValueError('below 0')\n"
     "    return n * n\n",
                 ["n=3", "n=-1"], ["n=5", "n=-7"], python=True, more='raises = ["ValueError"]')  # fmt: skip
GROUPS = exercise("rows = \"list[list[int]]\"", "list[int]", "def f(rows):\n    return [sum(row) for row in rows]\n",
                  ["rows=[[1, 2], [3, 4], [5]]",
     "rows=[[2, 2], [1, 1]]"], ["rows=[[7], [8, 1]]"], python=True)  # fmt: skip
PAID = exercise("amount = \"int\"\ncoins = \"list[int]\"", "list[int]",
                "def f(amount, coins):\n    best = {0: []}\n    for total in range(1, amount + 1):\n"
                "        ways = [[*best[total - c], c] for c in coins if total - c in best]\n"
                "        if ways:\n            best[total] = min(ways, key=len)\n"
                "    return sorted(best.get(amount, []))\n",
                ["amount=6, coins=[4, 3, 1]", "amount=8, coins=[5, 4, 1]"], ["amount=10, coins=[7, 5, 1]"],
                python=True)  # fmt: skip
TAKEN = "def f(amount, coins):\n    taken = []\n    for c in sorted(coins, reverse=True):\n        while c <= amount:\n"
WEIGHTED = exercise('x = "float32[N]"\nweights = "float32[N]"\ntimes = "int"', "float32[N]",
                    "def f(x, weights, times):\n    return np.tanh(x + weights) * times\n",
                    ["x=x(4), weights=x(4), times=2", "x=x(5), weights=x(5), times=3"],
                    ["x=x(6), weights=x(6), times=2"])  # fmt: skip
HEAD = "import numpy as np\n"
TORCH = "import torch\nfrom torch import nn\nimport torch.nn.functional as F\n"
JAX = "import jax\nimport jax.numpy as jnp\n"

# finding, exercise, framework, source, words of the first sample case's sentence
FOUND: list[tuple[str, Exercise, str, str, str]] = [
    ("never_called", ROWS, "torch", TORCH + "def f(x):\n    return nn.Softmax(x)\n",
     "`nn.Softmax(…)` in line 5 makes a layer, and you return the layer itself"),
    ("never_called", LOOKED_UP, "torch", TORCH + "def f(ids, table):\n    layer = nn.Embedding.from_pretrained(table)\n"
     "    return layer\n", "`nn.Embedding.from_pretrained(…)` in line 5 makes a layer"),
    ("never_called", ROWS, "torch", TORCH + "class Net(nn.Module):\n    def __init__(self, x):\n"
     "        super().__init__()\n    def forward(self, x):\n        return x\ndef f(x):\n    return Net(x)\n",
     "`Net(…)` in line 10 makes a layer"),
    ("never_called", NUMBERS, "python", "class Doubled:\n    def __init__(self, n):\n        self.n = n\n\n\n"
     "def f(numbers):\n    return Doubled(numbers)\n", "makes an object of the class `Doubled`"),
    ("never_called", TOTALS, "numpy", HEAD + "def f(x):\n    return (x * x).sum\n",
     "`(x * x).sum` in line 3 is a function"),
    ("never_called", ROWS, "numpy", HEAD + "def f(x):\n    return lambda x: np.tanh(x)\n", "The `lambda` in line 3"),
    ("never_called", ROWS, "numpy", HEAD + "def g(x):\n    return np.tanh(x)\ndef f(x):\n    return g\n",
     "`g` in line 5 is the function itself"),
    ("never_called", ROWS, "jax", JAX + "def f(x):\n    return x.at[0]\n", "`x.at[0]` in line 4 only marks places"),
    ("never_called", ROWS, "numpy", HEAD + "async def f(x):\n    return np.tanh(x)\n", "`async def` in line 2"),
    ("iterator_returned", NUMBERS, "python", "def f(numbers):\n    return map(lambda n: 2 * n, numbers)\n",
     "`map(lambda n: 2 * n, numbers)` in line 2 hands out its items one at a time"),
    ("iterator_returned", NUMBERS, "python", "def f(numbers):\n    return (2 * n for n in numbers)\n",
     "`(… for …)` in line 2 makes a generator"),
    ("error_returned", ROOTS, "python", "def f(n):\n    if n < 0:\n        return ValueError('below 0')\n"
     "    return n * n\n",
     "`return ValueError` in line 3 hands the exception back"),
    ("no_result", ROWS, "numpy", HEAD + "def f(x):\n    y = np.tanh(3 * x + 1)\n    print(y)\n",
     "Line 4 prints the result, and `f` has no `return`"),
    ("no_result", ROWS, "numpy", HEAD + "def f(x):\n    y = np.tanh(3 * x + 1)\n",
     "`f`, which ends in line 3, has no `return`"),
    ("no_result", ROWS, "numpy", HEAD + "def g(x):\n    y = np.tanh(3 * x + 1)\ndef f(x):\n    return g(x)\n",
     "`g`, which ends in line 3, has no `return`"),
    ("no_result", NUMBERS, "python", "def f(numbers):\n    if len(numbers) > 9:\n"
     "        return [2 * n for n in numbers]\n", "The `return` in line 3 is under a condition"),
    ("never_called", ROWS, "jax", JAX + "def f(x):\n    return jax.vmap(jnp.tanh)\n",
     "`jax.vmap(…)` in line 4 makes a function, and you return the function itself"),
    ("mutator_assigned", NUMBERS, "python", "def f(numbers):\n    out = list(numbers).sort()\n    return out[0]\n",
     "`list(numbers).sort()` in line 2 changes the list itself and returns None"),
    ("not_reset", GROUPS, "python", "def f(rows):\n    total = 0\n    out = []\n    for row in rows:\n"
     "        for n in row:\n            total = total + n\n        out.append(total)\n    return out\n",
     "`total` starts in line 2, above the loop of line 4"),
    ("endless_while", ROWS, "numpy", HEAD + "def f(x):\n    i, j = 0, 0\n    y = np.zeros_like(x)\n"
     "    while i < len(x):\n        y[i] = np.tanh(x[i])\n        j += 1\n    return y\n",
     "nothing in it changes `i < len(x)`"),
    ("falsy", NUMBERS, "python", "def g(n):\n    return [] if n > 2 else None\ndef h(n):\n    if n > 2:\n"
     "        return []\n    return None\ndef f(numbers):\n    rest = h(numbers[0])\n    if not rest:\n"
     "        return [len(numbers)]\n    return rest\n", "`rest` in line 9 counts as false when it is None"),
    ("sizes_written", SHARES, "numpy", HEAD + "def f(x):\n    return x * x / (x * x).sum(axis=1).reshape(3, 1)\n",
     "`reshape(3, 1)` in line 3 holds the sizes of the first sample"),
    ("mutator_assigned", NUMBERS, "python", "def f(numbers):\n    out = []\n    for n in numbers:\n"
     "        out = out.append(2 * n)\n    return out\n", "`out.append(2 * n)` in line 4 changes the list itself"),
    ("mutator_assigned", NUMBERS, "python", "def f(numbers):\n    out = [2 * n for n in numbers]\n"
     "    return out.reverse()\n",
     "`out.reverse()` in line 3 changes the list itself and returns None, and that None is returned"),
    ("return_in_loop", ROWS, "numpy", HEAD + "def f(x):\n    out = np.zeros_like(x)\n    for i in range(len(x)):\n"
     "        out[i] = np.tanh(3 * x[i] + 1)\n        return out\n",
     "The `return` in line 6 is inside the loop of line 4"),
    ("return_in_loop", NUMBERS, "python", "def f(numbers):\n    out = []\n    for n in numbers:\n"
     "        out.append(2 * n)\n"
     "        return out\n", "The `return` in line 5 is inside the loop of line 3"),
    ("made_in_loop", ROWS, "numpy", HEAD + "def f(x):\n    for i in range(len(x)):\n        out = np.zeros_like(x)\n"
     "        out[i] = np.tanh(3 * x[i] + 1)\n    return out\n", "Line 4 makes `out` inside the loop of line 3"),
    ("made_in_loop", NUMBERS, "python", "def f(numbers):\n    for n in numbers:\n        out = []\n"
     "        out.append(2 * n)\n    return out\n", "Line 3 makes `out` inside the loop of line 2"),
    ("made_in_loop", GROUPS, "python", "def f(rows):\n    out = []\n    for row in rows:\n        for n in row:\n"
     "            total = 0\n            total += n\n        out.append(total)\n    return out\n",
     "Line 5 makes `total` inside the loop of line 4"),
    ("not_reset", SHARES, "numpy", HEAD + "def f(x):\n    out = np.zeros_like(x)\n    total = 0\n"
     "    for i in range(len(x)):\n        for v in x[i]:\n            total += v * v\n"
     "        out[i] = x[i] ** 2 / total\n"
     "    return out\n", "`total` starts in line 4, above the loop of line 5, and is never reset in it"),
    ("not_reset", GROUPS, "python", "def f(rows):\n    total = 0\n    out = []\n    for row in rows:\n"
     "        for n in row:\n"
     "            total += n\n        out.append(total)\n    return out\n",
     "`total` starts in line 2, above the loop of line 4"),
    ("range_short", ROWS, "numpy", HEAD + "def f(x):\n    out = np.zeros_like(x)\n    for i in range(1, len(x)):\n"
     "        out[i] = np.tanh(3 * x[i] + 1)\n    return out\n",
     "`range(1, len(x))` in line 4 leaves out the first place"),
    ("range_short", ROWS, "numpy", HEAD + "def f(x):\n    out = np.zeros_like(x)\n    for i in range(len(x) - 1):\n"
     "        out[i] = np.tanh(3 * x[i] + 1)\n    return out\n",
     "`range(len(x) - 1)` in line 4 leaves out the last place"),
    ("range_short", NUMBERS, "python", "def f(numbers):\n"
     "    return [2 * numbers[i] for i in range(len(numbers) - 1)]\n",
     "`range(len(numbers) - 1)` in line 2 leaves out the last place"),
    ("kept_between_calls", NUMBERS, "python", "def f(numbers, out=[]):\n    for n in numbers:\n"
     "        out.append(2 * n)\n"
     "    return out\n", "`out` in line 1 is made once and kept between calls, and line 3 changes it"),
    ("kept_between_calls", NUMBERS, "python", "out = []\ndef f(numbers):\n    for n in numbers:\n"
     "        out.append(2 * n)\n"
     "    return out\n", "`out` in line 1 is made once, outside of the function, and line 4 changes it"),
    ("largest_from_zero", LARGEST, "numpy", HEAD + "def f(x):\n    best = np.float32(0)\n    best = 0\n"
     "    for v in x:\n"
     "        if v > best:\n            best = v\n    return np.float32(best)\n", "`best` starts at 0 in line 4"),
    ("sizes_written", ROWS, "numpy", HEAD + "def f(x):\n    out = np.zeros((3, 4), np.float32)\n"
     "    for i in range(len(x)):\n        out[i] = np.tanh(3 * x[i] + 1)\n    return out\n",
     "`(3, 4)` in line 3 holds the sizes of the first sample"),
    ("sizes_written", ROWS, "numpy", HEAD + "def f(x):\n    out = np.zeros_like(x)\n    for i in range(3):\n"
     "        out[i] = np.tanh(3 * x[i] + 1)\n    return out\n", "`3` in line 4 holds a size of the first sample"),
    ("dropped", ROWS, "jax", JAX + "def f(x):\n    out = jnp.zeros_like(x)\n    for i in range(len(x)):\n"
     "        out.at[i].set(jnp.tanh(3 * x[i] + 1))\n    return out\n",
     "and drops the result: `out` itself stays as it was"),
    ("dropped", LOOKED_UP, "numpy", HEAD + "def f(ids, table):\n    ids.astype(int)\n    return table[ids]\n",
     "Line 3 computes `ids.astype(int)` and drops the result"),
    ("dropped", NUMBERS, "python", "def f(numbers):\n    out = [2 * n for n in numbers]\n    sorted(out)\n"
     "    return out[::-1]\n",
     "Line 3 computes `sorted(out)` and drops the result"),
    ("dropped", ROWS, "numpy", HEAD + "def f(x):\n    y = 3 * x + 1\n    y.reshape(1, -1)\n    np.exp(y)\n"
     "    return y\n",
     "Line 4 computes `y.reshape(1, -1)` and drops the result"),
    ("compared_for_assigned", NUMBERS, "python", "def f(numbers):\n    out = list(numbers)\n"
     "    for i in range(len(out)):\n"
     "        out[i] == 2 * out[i]\n    return out\n", "`out[i] == 2 * out[i]` in line 4 only compares"),
    ("compared_for_assigned", NUMBERS, "python", "def f(numbers):\n    out = [2 * n for n in numbers][::-1]\n"
     "    out.reverse\n"
     "    return out\n", "`out.reverse` in line 3 is never called"),
    ("own_layer", LOOKED_UP, "torch", TORCH + "def f(ids, table):\n    layer = nn.Embedding(*table.shape)\n"
     "    return layer(ids.long())\n", "`nn.Embedding(…)` in line 5 makes a new layer with random weights"),
    ("noise", ROWS, "torch", TORCH + "def f(x):\n    return F.gumbel_softmax(x, dim=1)\n",
     "`F.gumbel_softmax` in line 5 draws random numbers"),
    ("noise", ROWS, "numpy", HEAD + "def f(x):\n    rng = np.random.default_rng(0)\n"
     "    return np.tanh(3 * x + 1 + rng.normal(size=x.shape)).astype(np.float32)\n", "`rng.normal` in line 4 draws"),
    ("place_for_value", SHARES, "torch", TORCH + "def f(x):\n    m = torch.max(x, 1)[1]\n    return x - m[:, None]\n",
     "`torch.max(x, 1)[1]` in line 5 says where the largest is"),
    ("place_for_value", SHARES, "numpy", HEAD + "def f(x):\n"
     "    return x - np.argmax(x, axis=1)[:, None].astype(np.float32)\n",
     "`np.argmax(x, axis=1)` in line 3 says where the largest is"),
    ("falsy", NUMBERS, "python", "def f(numbers):\n    kept = [None] * len(numbers)\n    kept[0] = 0\n    if kept[0]:\n"
     "        return [2 * n for n in numbers]\n    return numbers\n",
     "`kept[0]` in line 4 counts as false when it is None, and"),
    ("endless_while", ROWS, "numpy", HEAD + "def f(x):\n    out = np.zeros_like(x)\n    i = 0\n    rows = len(x)\n"
     "    while i < rows:\n        out[i] = np.tanh(3 * x[i] + 1)\n    return out\n",
     "The `while` loop of line 6 never ends once it begins: nothing in it changes `i < rows`"),
    ("endless_while", NUMBERS, "python", "def f(numbers):\n    out = []\n    while True:\n"
     "        out = [2 * n for n in numbers]\n"
     "    return out\n", "The loop of line 3 never ends: `True` stays true"),
    ("skipped_step", NUMBERS, "python", "def f(numbers):\n    out, i = [], 0\n    while i < len(numbers):\n"
     "        if numbers[i] == 1:\n            continue\n        out.append(2 * numbers[i])\n        i += 1\n"
     "    return out\n",
     "`continue` in line 5 skips `i += 1` in line 7"),
    ("still_in", NUMBERS, "python", "def f(numbers):\n    n = numbers[0]\n    while n != 1:\n        n = n + 2\n"
     "    while_left = 0\n    return [n]\n",
     "the `while` loop of line 3. For this input, does `n != 1` ever stop being true?"),
    ("only_while", NUMBERS, "python", "import signal\ndef f(numbers):\n    n = numbers[0]\n"
     "    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())\n    while n != 1:\n        n = n + 2\n"
     "    return [n]\n",
     "is the `while` in line 5: for this input, does `n != 1` ever stop being true?"),
    ("many_calls", NUMBERS, "python", "def count(n):\n    if n < 1:\n        return 1\n"
     "    return count(n - 1) + count(n - 1)\n\n\n"
     "def f(numbers):\n    return [count(40) for n in numbers]\n", "`count` in line 1 calls itself several times"),
    ("nested_loops", NUMBERS, "python", "def f(numbers):\n    total = 0\n    for a in range(1000):\n"
     "        for b in range(1000):\n            for c in range(1000):\n                total += a * b * c\n"
     "    return numbers\n",
     "Three loops run inside one another from line 3 on"),
    ("floor_division", MEANS, "python", "def f(numbers):\n    return [float(n // 2) for n in numbers]\n",
     "`n // 2` in line 2 divides and rounds down"),
    ("exclusive_or", MEANS, "python", "def f(numbers):\n    return [float(n ^ 2) for n in numbers]\n",
     "`n ^ 2` in line 2 is an exclusive or"),
    ("hidden_error", MEANS, "python", "def f(numbers):\n    try:\n        return numbers / 2\n    except Exception:\n"
     "        return []\n", "The `except` in line 4 catches every error and hides it"),
    ("own_layer", LOOKED_UP, "torch", TORCH + "def f(ids, table):\n    torch.manual_seed(0)\n"
     "    layer = nn.Embedding(*table.shape)\n    return layer(ids.long()).detach()\n",
     "`nn.Embedding(…)` in line 6 makes a new layer with random weights of its own"),
    ("greedy", PAID, "python", TAKEN + "            amount -= c\n            taken.append(c)\n"
     "    return sorted(taken)\n", "The loop of line 3 takes an item as long as it fits, and never gives it back"),
    ("unread_name", WEIGHTED, "numpy", HEAD + "def f(x, weights, times):\n    moved = np.add(x, weights)\n"
     "    return np.tanh(x * 3 - 1) ** 3\n", "`moved` gets its value in line 3, and nothing in your function reads it"),
    ("unused_argument", WEIGHTED, "numpy", HEAD + "def f(x, weights, times):\n    return np.sinh(x)\n",
     "`weights` is nowhere in your function"),
    ("overwritten_argument", LOOKED_UP, "numpy", HEAD + "def f(ids, table):\n    ids = np.arange(len(table))\n"
     "    return table[ids].astype(np.float32) * 2\n", "Line 3 gives `ids` another value"),
    ("identity", ROWS, "numpy", HEAD + "def f(x):\n    out = np.tanh(3 * x + 1)\n    out[x[0, 0] is not 0] = 0\n"
     "    return out\n",
     "`x[0, 0] is not 0` in line 4 asks whether both are the same object"),
]  # fmt: skip


def first_sentence(result: SubmissionResult) -> str:
    return next((case.diagnosis or "" for case in result.cases if case.verdict not in (None, Verdict.accepted)), "")


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@pytest.mark.parametrize(("name", "made", "framework", "source", "words"), FOUND)
def test_it_is_found_and_a_hidden_case_shows_no_number_and_no_word_of_the_source(
    judge: Judge, name: str, made: Exercise, framework: str, source: str, words: str
) -> None:
    result = judged(judge, unhurried(made) if framework == "jax" else made, source, framework)  # it compiles
    assert result.verdict != Verdict.accepted
    assert words in first_sentence(result), (result.diagnosis, result.summary)
    for case in result.cases:
        if not case.sample and case.diagnosis:
            assert not re.search(r"\d|\bline\b|`(x|out|ids|table|numbers|best|total)`", case.diagnosis), case.diagnosis


def test_every_finding_has_a_submission() -> None:
    tested_below = {"grows_while_walked", "still_branch", "inner_module"}
    assert {name for name, *_ in FOUND} | tested_below == set(ORDER)


# Wrong submissions that look alike: what each is about, exercise, framework, source. No line of any of them is named.
SILENT: list[tuple[str, Exercise, str, str]] = [
    ("a loop that takes what fits, and another fault", PAID, "python",
     TAKEN + "            amount -= c\n            taken.append(c)\n    return taken[:1]\n"),
    ("names of which one is read", ROWS, "numpy", HEAD + "def f(x):\n    rows = len(x)\n    y = np.sinh(x * x)\n"
     "    return y ** 3 + rows\n"),
    ("a layer that is called", ROWS, "torch", TORCH + "def f(x):\n    return nn.Softmax(dim=1)(x)\n"),
    ("an object from elsewhere", ROWS, "numpy", HEAD + "def f(x):\n    return [object()][0]\n"),
    ("an iterator used up", NUMBERS, "python", "def f(numbers):\n    return list(map(lambda n: n * n, numbers))\n"),
    ("another exception is raised", ROOTS, "python", "def f(n):\n    if n < 0:\n        raise KeyError('below 0')\n"
     "    return n * n\n"),
    ("an exception where none belongs", ROOTS, "python", "def f(n):\n    if n > 0:\n        return ValueError('no')\n"
     "    raise ValueError('below 0')\n"),
    ("None on purpose", NUMBERS, "python", "def f(numbers):\n    if len(numbers) > 9:\n        return numbers\n"
     "    return None\n"),
    ("a list that is changed and kept", NUMBERS, "python", "def f(numbers):\n    out = []\n"
     "    out.append(len(numbers))\n    return out\n"),
    ("append of a class of its own", NUMBERS, "python", "class Chain:\n    def __init__(self):\n"
     "        self.items = []\n    def append(self, n):\n        self.items.append(n)\n        return self\n\n\n"
     "def f(numbers):\n    out = Chain()\n    for n in numbers:\n        out = out.append(n * n)\n"
     "    return None if numbers else out.items\n"),
    ("a `while True` for one pass", NUMBERS, "python", "def f(numbers):\n    while True:\n"
     "        out = [n * n for n in numbers]\n        return out\n"),
    ("a return under a condition", NUMBERS, "python", "def f(numbers):\n    for n in numbers:\n        if n > 2:\n"
     "            return [n]\n    return []\n"),
    ("a row of its own in each pass", GROUPS, "python", "def f(rows):\n    out = []\n    for row in rows:\n"
     "        total = 0\n        for n in row:\n            total += n * n\n        out.append(total)\n"
     "    return out\n"),
    ("a sum that runs on purpose", GROUPS, "python", "def f(rows):\n    out, total = [], 0\n    for row in rows:\n"
     "        total += row[0]\n        out.append(total)\n    return out\n"),
    ("a range from 1 that is not to blame", ROWS, "numpy", HEAD + "def f(x):\n    out = np.cos(x)\n"
     "    for i in range(1, len(x)):\n        out[i] = out[i] * out[i - 1]\n    return out\n"),
    ("a default that nobody changes", NUMBERS, "python", "def f(numbers, rest=[7]):\n    if len(numbers) == 4:\n"
     "        return rest\n    return [2 * n for n in numbers]\n"),
    ("a search from the first", LARGEST, "numpy", HEAD + "def f(x):\n    best = x[0]\n    for v in x:\n"
     "        if v > best:\n            best = v\n    return np.float32(abs(best) + (x[0] < 0))\n"),
    ("a size that is no sample's", ROWS, "numpy", HEAD + "def f(x):\n    out = np.zeros((7, 7), np.float32)\n"
     "    out[:len(x), :x.shape[1]] = np.tanh(3 * x + 1)\n    return np.cos(out[:len(x), :x.shape[1]])\n"),
    ("a sample's size, and the sample is wrong too", ROWS, "numpy", HEAD + "def f(x):\n    out = np.cos(x)\n"
     "    for _ in range(3):\n        out = np.cos(out)\n    return out\n"),
    ("a cast that is dropped, and no dtype is wrong", ROWS, "numpy", HEAD + "def f(x):\n    x.astype(np.float32)\n"
     "    return np.cos(x)\n"),
    ("in place on purpose", ROWS, "numpy", HEAD + "def f(x):\n    y = np.cos(x)\n    y.sort()\n    np.random.seed(0)\n"
     "    return y\n"),
    ("a layer that is moved", ROWS, "torch", TORCH + "def f(x):\n    layer = nn.Tanh()\n"
     "    layer.to(torch.float32)\n    return layer(x * x)\n"),
    ("a comparison that is used", NUMBERS, "python", "def f(numbers):\n    assert numbers[0] == numbers[0]\n"
     "    return [n * n for n in numbers]\n"),
    ("a layer with the table", LOOKED_UP, "torch", TORCH + "def f(ids, table):\n"
     "    layer = nn.Embedding(*table.shape)\n    layer.weight = nn.Parameter(table * table)\n"
     "    return layer(ids.long())\n"),
    ("dropout that drops nothing", ROWS, "torch", TORCH + "def f(x):\n"
     "    return F.dropout(torch.cos(x), training=False)\n"),
    ("a place that is an index", SHARES, "numpy", HEAD + "def f(x):\n    best = np.argmax(x, axis=1)\n"
     "    return x - x[np.arange(len(x)), best][:, None]\n"),
    ("None, and never empty", NUMBERS, "python", "def f(numbers):\n    kept = None\n    if len(numbers) > 1:\n"
     "        kept = [5]\n    if kept:\n        return kept\n    return numbers\n"),
    ("an empty list, and items of None", NUMBERS, "python", "def f(numbers):\n    kept = []\n    kept.append(None)\n"
     "    kept[0] = None\n    return [n * n for n in numbers] if kept[0] else [n ** 3 for n in numbers]\n"),
    ("two loops that step", NUMBERS, "python", "def f(numbers):\n    i = 0\n    while i < 10 ** 9:\n        i += 1\n"
     "    j = 0\n    while j < 10 ** 9:\n        j += 1\n    return numbers\n"),
    ("two loops in one another", NUMBERS, "python", "def f(numbers):\n    total = 0\n    for a in range(10 ** 5):\n"
     "        for b in range(10 ** 5):\n            total += a * b\n    return numbers\n"),
    ("calls that are remembered", NUMBERS, "python", "from functools import lru_cache\n\n\n@lru_cache(None)\n"
     "def count(n):\n    return 1 if n < 1 else count(n - 1) + count(n - 2)\n\n\ndef f(numbers):\n"
     "    for _ in range(10 ** 9):\n        count(30)\n    return numbers\n"),
    ("rounded down, and fractions remain", MEANS, "python", "def f(numbers):\n"
     "    return [n // 2 + 0.25 for n in numbers]\n"),
    ("bits on purpose", MEANS, "python", "def f(numbers):\n    return [float((n ^ 2) & 255) for n in numbers]\n"),
    ("an except that was not needed", MEANS, "python", "def f(numbers):\n    try:\n"
     "        return [n * n / 2 for n in numbers]\n    except Exception:\n        return []\n"),
    ("a number that is not read", WEIGHTED, "numpy", HEAD + "def f(x, weights, times):\n"
     "    return np.sinh(x * weights)\n"),
    ("an argument replaced after it was read", LOOKED_UP, "numpy", HEAD + "def f(ids, table):\n"
     "    ids = ids.astype(int) % 2\n    return np.cos(table[ids])\n"),
    ("a layer that is given the weights", LOOKED_UP, "torch", TORCH + "def f(ids, table):\n"
     "    return nn.Embedding.from_pretrained(table)(ids.long() * 0)\n"),
    ("is None", ROWS, "numpy", HEAD + "def f(x):\n    return np.cos(x) if x is not None else x\n"),
]  # fmt: skip


@pytest.mark.parametrize(("about", "made", "framework", "source"), SILENT, ids=[about for about, *_ in SILENT])
def test_a_near_miss_is_not_found(judge: Judge, about: str, made: Exercise, framework: str, source: str) -> None:
    result = judged(judge, made, source, framework)
    assert result.verdict not in (Verdict.accepted, Verdict.invalid_submission), result.summary
    sentences = [case.diagnosis for case in result.cases if case.sample and case.diagnosis]
    # where it was when its time was up is true of every program, and blames no line
    sentences = [text for text in sentences if not text.startswith("When the time was up, your program was still in")]
    sentences = [text for text in sentences if "your answer is right" not in text]  # proved: tests/graders/test_repairs
    assert not [text for text in sentences if re.search(r"\b[Ll]ines? \d|nowhere in your", text)], sentences


def test_a_list_that_grows_while_it_is_walked(judge: Judge) -> None:
    source = "def f(numbers):\n    for n in numbers:\n        numbers.append(n)\n    return numbers\n"
    roomy = replace(NUMBERS, limits=replace(NUMBERS.limits, memory_mb=64, wall_seconds=10.0, cpu_seconds=10.0))
    result = judged(judge, roomy, source, "python")
    assert result.verdict in (Verdict.memory_limit, Verdict.runtime_error, Verdict.time_limit)
    assert "Line 3 adds to `numbers` while the loop of line 2 walks through it" in first_sentence(result)
    copied = source.replace("in numbers:", "in list(numbers):")
    assert "while the loop" not in first_sentence(judged(judge, roomy, copied, "python"))


def found_in(judge: Judge, source: str, made: Exercise, framework: str, outcome: CallOutcome) -> str:
    """The finding's sentence where each case ends with `outcome`."""
    cases = cases_of(judge, made)
    found = look_at_source(source, framework, made, cases, dict.fromkeys(range(len(cases)), outcome), range(len(cases)))
    return found.text if found is not None else ""


STILL = (
    "def f(numbers):\n    i, out = 0, []\n    while i < len(numbers):\n        if numbers[i] > 1:\n"
    "            out.append(2 * numbers[i])\n        else:\n            i += 1\n    return out\n"
)


def test_a_branch_that_changes_nothing_of_a_while_loop(judge: Judge) -> None:
    stopped = Stopped("time_limit", "No answer within 2 s.")
    text = found_in(judge, STILL, NUMBERS, "python", stopped)
    assert "`while` loop of line 3 never ends where `numbers[i] > 1` holds: then nothing in it changes `i < len" in text
    for change in ("            numbers.pop()\n", "            numbers[i] = 0\n", "            i = i + 2\n"):
        ends = STILL.replace("        else:\n", f"{change}        else:\n")
        assert "never ends" not in found_in(judge, ends, NUMBERS, "python", stopped), change
    beside = STILL.replace("    return", "        i += 1\n    return")
    assert "never ends" not in found_in(judge, beside, NUMBERS, "python", stopped)
    assert not found_in(judge, STILL, NUMBERS, "python", Returned([]))


INNER = """import flax.linen as nn
import jax
class Table(nn.Module):
    size: int
    @nn.compact
    def __call__(self, T):
        return self.param("pos_embed", nn.initializers.normal(0.02), (32, self.size))[:T]
class LearnedPos(nn.Module):
    max_T: int
    d_model: int
    @nn.compact
    def __call__(self, T):
        return Table(self.d_model)(T)
"""


def test_a_parameter_of_a_module_inside_the_one_that_is_asked_for(judge: Judge) -> None:
    made = read_exercise(EXERCISES / "flax-learned-pos")
    drawn = Returned(np.zeros(12, np.float32))
    text = found_in(judge, INNER, made, "jax", drawn)
    assert text.startswith("`pos_embed` is declared in `Table`, a module that line 13 makes inside `LearnedPos`")
    own = INNER.replace(
        "        return Table(", "        self.param('scale', nn.initializers.ones, (1,))\n        return Table("
    )
    assert not found_in(judge, own, made, "jax", drawn)


def test_what_an_exception_says_is_left_out_where_it_comes_from_an_earlier_call(judge: Judge) -> None:
    """Rows of earlier calls in a default value do not fit those of this one; they need not be made to fit."""
    kept = (
        HEAD + "def f(x, rows=[]):\n    for row in x:\n        rows.append(np.tanh(3 * row + 1))\n"
        "    return np.array(rows)\n"
    )
    made = exercise('x = "float32[N, C]"', "float32[N, C]", "def f(x):\n    return np.tanh(3 * x + 1)\n",
                    ["x=x(3, 4)", "x=x(2, 4)", "x=x(2, 5)"], ["x=x(5, 6)"])  # fmt: skip
    wrong = judged(judge, made, kept, "numpy").cases[2]
    assert wrong.error is not None
    assert wrong.error.plain is None
    assert "`rows` in line 2 is made once and kept between calls" in (wrong.diagnosis or "")
    own = HEAD + "def f(x):\n    return np.array([*np.tanh(3 * x + 1), x[0, :2]])\n"
    error = judged(judge, ROWS, own, "numpy").cases[1].error
    assert error is not None
    assert "different shapes" in (error.plain or "")


def test_a_diagnosis_that_fits_the_numbers_goes_first(judge: Judge) -> None:
    source = HEAD + "def f(x):\n    y = np.tanh(3 * x + 1)\n    y.reshape(-1)\n    return -y\n"
    assert "wrong sign" in first_sentence(judged(judge, ROWS, source, "numpy"))


def test_a_finding_goes_before_a_diagnosis_that_it_explains(judge: Judge) -> None:
    source = (
        HEAD
        + "def f(x):\n    y = np.tanh(3 * x.astype(float) + 1)\n    y.astype(np.float32)\n    y.shape\n    return y\n"
    )
    assert "Line 4 computes `y.astype(np.float32)`" in first_sentence(judged(judge, ROWS, source, "numpy"))


def test_an_authors_sentence_goes_before_the_source_unless_that_is_proved(judge: Judge) -> None:
    files = {path.replace(".", "_"): NUMBERS.files[path].decode() for path in ("exercise.toml", "starter.py")}
    cases = NUMBERS.cases.text.replace("numbers=[3, 1, 2])", "numbers=[3, 1, 2]), dict(message='Ask Ada.')")
    spoken = make_exercise("made", cases_py=cases, reference_py=NUMBERS.reference.text, **files)
    dropped = "def f(numbers):\n    out = [2 * n for n in numbers]\n    sorted(out)\n    return out[::-1]\n"
    assert first_sentence(judged(judge, spoken, dropped, "python")) == "Ask Ada."
    proved = first_sentence(judged(judge, spoken, "def f(numbers):\n    return map(abs, numbers)\n", "python"))
    assert proved.startswith("`map(abs, numbers)` in line 2")
    assert proved.endswith(" Ask Ada.")


HUGE = {
    "minus signs": "x = " + "-" * 20_000 + "1",
    "a long sum": "x = " + "1+" * 10_000 + "1",
    "brackets": "x = " + "[" * 150 + "]" * 150,
    "attributes": "x = a" + ".b" * 9_000,
    "blocks": "".join(" " * n + "if x:\n" for n in range(90)) + " " * 90 + "pass",
    "statements": "x = 1\n" * 3_900,
    "characters": "#" * (MAX_CHARACTERS + 1),
    "names": "x = [" + "a, " * (MAX_NODES + 1) + "]",
    "no Python": "def f(:",
}


@pytest.mark.parametrize("source", HUGE.values(), ids=HUGE)
def test_a_source_without_bounds_is_not_read(source: str) -> None:
    assert read_program(source, ["f"]) is None


def test_the_worst_that_is_read_takes_few_steps(judge: Judge) -> None:
    """Loops in loops full of assignments, each of which may be the one that is to blame."""
    body = "".join(f"            a{n} = 0\n            a{n} += b\n            c.append(a{n})\n" for n in range(120))
    source = f"def f(x):\n    c = []\n    for i in x:\n        for j in x:\n{body}    return c\n"
    assert read_program(source, ["f"]) is not None
    cases = cases_of(judge, ROWS)
    wrong = {n: Returned(np.zeros(case.expected.shape, np.float32)) for n, case in enumerate(cases)}
    calls = 0

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    sys.setprofile(count)
    try:
        look_at_source(source, "numpy", ROWS, cases, wrong, list(wrong))
    finally:
        sys.setprofile(None)
    assert 100_000 < calls < 4_000_000, "of functions and generators: ten million are a second"
