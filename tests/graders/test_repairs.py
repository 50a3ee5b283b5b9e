"""The change that makes a wrong submission right: each kind on a real submission, and silence where none does."""

import re

import pytest

from graders.boxes.pool import Judge
from graders.exercise.definition import Exercise
from graders.reasons.repairs.edits import edits
from graders.reasons.repairs.removals import removals
from graders.reasons.repairs.sentences import SENTENCES
from graders.reasons.source.program import read_program
from graders.verdict import SubmissionResult, Verdict

from .conftest import judged, make_exercise

ARRAYS = """
title = "Made for one test"
entry = "f"
frameworks = ["numpy"]
[signature]
x = "float32[N, C]"
returns = "{returns}"
[limits]
wall_seconds = 4
"""
LISTS = """
title = "Made for one test"
entry = "f"
frameworks = ["python"]
raises = ["ValueError"]
[signature]
numbers = "list[int]"
k = "int"
returns = "{returns}"
[limits]
wall_seconds = 4
"""
CLASSES = """
title = "Made for one test"
entry = ["Counter"]
frameworks = ["python"]
"""


DRAWN = "    yield 'a', draw(rng, 3, 4)\n    yield 'b', draw(rng, 4, 5)\n"
HIDDEN = "    yield 'c', draw(rng, 5, 6)\n    yield 'd', draw(rng, 6, 3)\n"
LISTED = "    yield 'a', {'numbers': [5, 3, 9, 1, 3], 'k': 3}\n    yield 'b', {'numbers': [2, 8, 4, 4], 'k': 2}\n"


def arrays(reference: str, returns: str = "float32[N, C]", cases: str = HIDDEN, samples: str = DRAWN) -> Exercise:
    return make_exercise(
        "made", exercise_toml=ARRAYS.format(returns=returns), starter_py="def f(x):\n    return None\n",
        reference_py=f"import numpy as np\n\n{reference}",
        cases_py="import numpy as np\n\ndef draw(rng, *shape):\n"
        "    return {'x': rng.normal(size=shape).astype(np.float32)}\n"
        f"def sample_cases(rng):\n{samples}def hidden_cases(rng):\n{cases}",
    )  # fmt: skip


def lists(reference: str, returns: str = "list[int]", hidden: str = "", samples: str = LISTED) -> Exercise:
    hidden = (
        hidden or "    yield 'c', {'numbers': [8, 3, 3, 7, 6], 'k': 3}\n    yield 'd', {'numbers': [6, 9], 'k': 4}\n"
    )
    return make_exercise(
        "made", exercise_toml=LISTS.format(returns=returns), starter_py="def f(numbers, k):\n    return None\n",
        reference_py=reference,
        cases_py=f"def sample_cases(rng):\n{samples}def hidden_cases(rng):\n{hidden}",
    )  # fmt: skip


def classes() -> Exercise:
    uses = "a = Counter()\\nb = Counter()\\na.add(number)\\na.add(number)\\nb.add(number)\\n[a.count, b.count, a.total]"
    return make_exercise(
        "made", exercise_toml=CLASSES, starter_py="class Counter:\n    pass\n", reference_py=COUNTER,
        cases_py=f"def sample_cases(rng):\n    yield 'a', script('{uses}', number=3)\n"
        f"def hidden_cases(rng):\n    yield 'b', script('{uses}', number=7)\n",
    )  # fmt: skip


COUNTER = (
    "class Counter:\n    def __init__(self):\n        self.count = 0\n        self.total = 0\n"
    "    def add(self, number):\n        self.count = self.count + 1\n        self.total += number\n"
)
SHARES = "def f(x):\n    e = np.exp(x)\n    return e / e.sum(axis=1, keepdims=True)\n"
ABOVE = "def f(numbers, k):\n    return [n for n in numbers if n > k]\n"
EACH = "def f(numbers, k):\n    return [n * k for n in numbers]\n"
RUNS = (
    "def f(numbers, k):\n    out = []\n    for n in range(len(numbers)):\n        out.append(numbers[n] * k)\n"
    "    return out\n"
)
TOTAL = (
    "def f(numbers, k):\n    total = 0\n    for n in numbers:\n        total = total + n * k + n // k\n"
    "    return total\n"
)
GROWING = (
    "def f(numbers, k):\n    out, row = [], []\n    for n in numbers:\n        row.append(n)\n"
    "        out.append(list(row))\n    return out\n"
)
NORMAL = "def f(x):\n    return (x - x.mean(axis=1, keepdims=True)) / x.std(axis=1, keepdims=True)\n"
EVEN = (
    "def f(numbers, k):\n    for n in list(numbers):\n        if n % 2:\n            numbers.remove(n)\n"
    "    return numbers\n"
)
CHECKED = "def f(numbers, k):\n    if k > 3:\n        raise ValueError('too large')\n    return numbers[:k]\n"
BOTH = "def f(numbers, k):\n    return [n for n in numbers if n > k and n % 3]\n"
GRAM = "def f(x):\n    return x @ x.T\n"
SOFTMAX = "def f(x):\n    e = np.exp(x - x.max(axis=1, keepdims=True))\n    return e / e.sum(axis=1, keepdims=True)\n"
MEAN_SQUARE = (
    "def f(x):\n    y = x / np.sqrt((x ** 2).sum(axis=1, keepdims=True))\n    return y + (x ** 2).mean(axis=0)\n"
)

# kind, exercise, framework, what of its reference is replaced, by what, words of the sample's sentence
KINDS: list[tuple[str, Exercise, str, str, str]] = [
    ("shared", lists(GROWING, "list[list[int]]"), "out.append(list(row))", "out.append(row)", "`row` in line 5"),
    ("shared_rows", lists("def f(numbers, k):\n    out = [[0 for _ in range(2)] for _ in range(len(numbers))]\n"
     "    for n in range(len(numbers)):\n        out[n][0] = numbers[n]\n    return out\n", "list[list[int]]"),
     "[[0 for _ in range(2)] for _ in range(len(numbers))]", "[[0, 0] * 1] * len(numbers)",
     "the same row several times"),
    ("input_changed", lists("def f(numbers, k):\n    kept = list(numbers)\n    numbers.sort()\n"
     "    return [kept[n] * numbers[0] for n in range(k) if n < len(kept)]\n"), "kept = list(numbers)",
     "kept = numbers; k = 0 + k", ""),
    ("self_missing", classes(), "self.count = self.count + 1", "count = self.count + 1", "write `self.count`"),
    ("class_for_self", classes(), "self.count = self.count + 1", "Counter.count = self.count + 1", ""),
    ("axis", arrays(SHARES), "axis=1, keepdims", "axis=0, keepdims", "`e.sum(axis=0, keepdims=True)` in line 5"),
    ("axes", arrays(NORMAL), "axis=1", "axis=0", ""),
    ("axis_missing", arrays(SHARES), "axis=1, keepdims=True", "", "takes all axes together"),
    ("exchanged", arrays("def f(x):\n    return np.subtract(x * x, np.tanh(x))\n"), "x * x, np.tanh(x)",
     "np.tanh(x), x * x", "wrong order"),
    ("operands", arrays("def f(x):\n    return np.tanh(x * x - x)\n"), "x * x - x", "x - x * x",
     "the wrong way round"),
    ("transposed", arrays("def f(x):\n    return x.T @ x + x.T @ np.sqrt(x * x)\n", "float32[C, C]"), "", "", ""),
    ("equality", lists(ABOVE), "n > k", "n >= k", "With `n > k` your answer is right"),
    ("comparison", lists(ABOVE), "n > k", "n < k", "With `n > k` your answer is right"),
    ("and_or", lists(BOTH), " and ", " or ", "joins its conditions with the wrong word"),
    ("condition_extra", lists(ABOVE), "n > k", "n > k and n < 8", "asks for too much"),
    ("negation", lists("def f(numbers, k):\n    return [n for n in numbers if n % 2]\n"), "if n % 2", "if not n % 2",
     "the wrong way round"),
    ("range_early", lists(RUNS), "range(len(numbers))", "range(len(numbers) - 1)", "ends one too early"),
    ("range_start", lists("def f(numbers, k):\n    return [n * n + k for n in range(0, len(numbers))]\n"),
     "range(0,", "range(2,", "starts at the wrong number"),
    ("slice", lists("def f(numbers, k):\n    return sorted(numbers)[1:k]\n"), "1:k", "1:k + 1", "off by one"),
    ("index", lists("def f(numbers, k):\n    return [n + numbers[1] for n in numbers]\n"), "[1]", "[0]", "off by one"),
    ("operator", lists(EACH), "n * k", "n / k", "has the wrong operator"),
    ("last_for_sum", lists(TOTAL, "int"), "total = total + n * k + n // k", "total = n * k + n // k", "add to it"),
    ("sign", arrays("def f(x):\n    return np.exp(x * x * 0.1)\n"), "x * x * 0.1", "-x * x * 0.1", "one too many"),
    ("function", lists("def f(numbers, k):\n    return [max(n, k) for n in numbers]\n"), "max(", "min(",
     "is the wrong function"),
    ("keyword", lists("def f(numbers, k):\n    return sorted(numbers, reverse=True)[:k]\n"), "reverse=True",
     "reverse=False", "missing or wrong"),
    ("keyword_extra", lists("def f(numbers, k):\n    return sorted(numbers)[:k]\n"), "sorted(numbers)",
     "sorted(numbers, key=lambda n: n % 4)", "one too many"),
    ("constant", lists("def f(numbers, k):\n    return [n * n + 1 for n in numbers]\n"), "n + 1", "n + 4 - 2", ""),
    ("term_extra", lists(EACH), "n * k", "n * k + n * n", "has a term too many"),
    ("factor_extra", lists(EACH), "n * k", "n * k * k", "a factor or a divisor too many"),
    ("call_extra", lists(EACH), "in numbers", "in sorted(numbers)", "should not be called"),
    ("statement_extra", lists(RUNS), "    return out", "    out.reverse()\n    return out", "should not be there"),
    ("guard_extra", lists(EACH), "    return", "    if numbers[0] > 4:\n        return []\n    return",
     "it should go on"),
    ("made_in_loop", lists(GROWING, "list[list[int]]"), "    for n in numbers:\n",
     "    for n in numbers:\n        row = []\n", "put it above the loop"),
    ("exception", lists(CHECKED), "ValueError", "KeyError", "another exception"),
    ("walked_copy", lists(EVEN), "list(numbers)", "numbers", "walk over a copy"),
    ("overflow", arrays(SOFTMAX + "\n"), "x - x.max(axis=1, keepdims=True)", "300 * x - 299 * x", ""),
    ("name", lists("def f(numbers, k):\n    total = sum(numbers)\n    largest = max(numbers)\n"
     "    return [n + largest for n in numbers] + [total]\n"), "n + largest", "n + total", "is the wrong name"),
]  # fmt: skip
MOMENTS = (
    "def f(x):\n    m = x.mean(axis=1, keepdims=True)\n    return ((x - m) ** 2).mean(axis=1, keepdims=True) + 0 * x\n"
)
ROOT = "def f(x):\n    y = x * x + 1\n    for _ in range(40):\n        y = (y + (x * x + 1) / y) / 2\n    return y\n"
SCALED = "def f(x):\n    s = x * x / x.shape[1]\n    return np.tanh(s) + x\n"
PLACED = "def f(numbers, k):\n    return [place for place, n in enumerate(numbers)][::-1]\n"
KINDS += [
    ("cancellation", arrays(MOMENTS.replace("x.mean", "(1e4 + x).mean").replace("((x -", "((1e4 + x -")),
     "((1e4 + x - m) ** 2).mean(axis=1, keepdims=True)",
     "((1e4 + x) ** 2).mean(axis=1, keepdims=True) - m ** 2", "subtracts two nearly equal numbers"),
    ("short_constant", arrays("import math\n\ndef f(x):\n    return x * math.pi\n"), "math.pi", "3.14",
     "`3.14` in line 6 holds too few digits"),
    ("short_constant", arrays("def f(x):\n    return x * 3.141592653589793\n"), "3.141592653589793", "3.14",
     "With `3.141592653589793` your answer is right"),
    ("small_constant", arrays("def f(x):\n    return x * x / (x * x + 1e-3)\n"), "1e-3", "1e-6", "With `1e-3`"),
    ("stops_early", arrays("def f(x):\n    y = x * x + 1\n    while True:\n        z = (y + (x * x + 1) / y) / 2\n"
     "        if abs(z - y).max() < 1e-6:\n            return z\n        y = z\n"), "1e-6", "1e-1",
     "stops before the answer is exact enough"),
    ("few_rounds", arrays(ROOT), "range(40)", "range(2)", "gives too few rounds"),
    ("slice_end", lists("def f(numbers, k):\n    return numbers[:k]\n"), "[:k]", "[-k:]", "takes the wrong end"),
    ("slice_short", arrays("def f(x):\n    return x / np.abs(x).sum(axis=1, keepdims=True)\n"), "np.abs(x).sum",
     "np.abs(x)[:, 1:].sum", "leaves out what belongs to it"),
    ("reshape_for_swap", arrays("def f(x):\n    return x.T * 2\n", "float32[C, N]"), "x.T",
     "x.reshape(x.shape[1], x.shape[0])", "does not swap the axes"),
    ("function_missing", arrays("def f(x):\n    y = np.exp(x)\n    return y / y.sum(axis=1, keepdims=True)\n"),
     "np.exp(x)", "x + 0", "A function is missing in line 4"),
    ("factor_place", arrays(SCALED), "x * x / x.shape[1]\n    return np.tanh(s) + x",
     "x * x\n    return np.tanh(s) / x.shape[1] + x", "belongs to another step"),
    ("statements_order", lists("def f(numbers, k):\n    out, total = [], 0\n    for n in numbers:\n"
     "        total += n\n        out.append(total)\n    return out\n"), "total += n\n        out.append(total)",
     "out.append(total)\n        total += n", "are in the wrong order"),
    ("first_of_equal", lists(PLACED), "[place for place, n in enumerate(numbers)][::-1]",
     "[numbers.index(n) for n in numbers][::-1]", "finds the first of several equal values"),
]  # fmt: skip
BRANCHES = (
    "        if numbers[n] == 3:\n            out.append(0)\n        else:\n            out.append(numbers[n] * k)"
)
BUFFER = "def f(x):\n    out = np.zeros(x.shape, dtype=np.float32)\n    out += np.tanh(x)\n    return out\n"
BEST = (
    "def f(numbers, k):\n    best = numbers[0]\n    for n in numbers:\n        if n > best:\n            best = n\n"
    "    return [best, k, best + k, best * k]\n"
)
IN_PLACE = (
    "def f(numbers, k):\n    out = list(numbers)\n    for place, n in enumerate(out):\n        out[place] = n * k\n"
    "    return out\n"
)
# where a number is changed only to put something out of force, that something is told
KINDS += [
    ("call_extra", arrays("def f(x):\n    return 3 * x\n"), "3 * x", "np.maximum(3 * x, -1.0)",
     "`np.maximum(3 * x, -1.0)` in line 4 should not be called here"),
    ("call_extra", arrays("def f(x):\n    return 3 * x\n"), "3 * x", "np.round(3 * x, 4)",
     "`np.round(3 * x, 4)` in line 4 should not be called here"),
    ("power_extra", lists(EACH), "n * k", "(n * k) ** 2", "The power `(n * k) ** 2` in line 2 should not be taken"),
    ("filter_extra", lists(EACH), "in numbers", "in numbers if n != 3",
     "The condition `if n != 3` in line 2 should not be there"),
    ("if_extra", lists(RUNS), "        out.append(", "        if numbers[n] == 3:\n            continue\n"
     "        out.append(", "`if numbers[n] == 3` in line 4, with what stands under it, should not be there"),
    ("choice_extra", lists(EACH), "n * k", "n * k if n != 3 else 0 * k",
     "The condition of `n * k if n != 3 else 0 * k` in line 2 should not be there"),
    ("if_for_else", lists(RUNS), "        out.append(numbers[n] * k)", BRANCHES,
     "`if numbers[n] == 3` in line 4 should not be there: what stands under its `else` is right"),
    ("if_always", lists(RUNS), "        out.append(numbers[n] * k)",
     "        if numbers[n] != 3:\n            out.append(numbers[n] * k)\n        else:\n            out.append(0)",
     "`if numbers[n] != 3` in line 4 should not be asked"),
    ("statement_extra", arrays("def f(x):\n    y = np.tanh(x)\n    return y\n"), "    return y",
     "    y[x > 0.5] = 0\n    return y", "`y[x > 0.5] = 0` in line 5 should not be there"),
    ("shape_axis", arrays("def f(x):\n    return x + np.tanh(x) * x.shape[1]\n"), "x.shape[1]", "x.shape[0]",
     "`x.shape[0]` in line 4 is the size of the wrong axis. With `x.shape[1]` your answer is right."),
    ("dtype_given", arrays(BUFFER), "dtype=np.float32", "dtype=np.float64",
     "`np.zeros(x.shape, dtype=np.float64)` in line 4 makes an array of the wrong dtype"),
    ("dtype_default_double", arrays(BUFFER), ", dtype=np.float32", "",
     "`np.zeros(x.shape)` in line 4 is given no dtype, and so it is float64"),
    ("scalar_dtype", arrays("def f(x):\n    return x / np.float32(np.sqrt(2.0))\n"), "np.float32(np.sqrt(2.0))",
     "np.sqrt(2.0)", "`np.sqrt(2.0)` in line 4 is float64, and so is what is computed with it"),
    ("start_high", lists(BEST), "numbers[0]", "100", "`best` starts too high in line 2"),
    ("start_low", lists(BEST.replace(">", "<")), "numbers[0]", "0", "`best` starts too low in line 2"),
    ("loop_name", lists(IN_PLACE), "for place, n in enumerate(out):\n        out[place] = n * k",
     "for n in out:\n        n = n * k",
     "`n = n * k` in line 4 only gives the loop's own name a new value, and writes nothing into `out`"),
    ("first_item", lists("def f(numbers, k):\n    top = max((n, k) for n in numbers)[0]\n"
     "    return [top, k, top + k, k]\n"),
     "numbers)[0]", "numbers)",
     "in line 2 gives, only the first item is needed"),
    ("paired_indices", arrays("def f(x):\n    order = np.argsort(x[0])\n    return x[:, order]\n"), "x[:, order]",
     "x[order, order]", "`x[order, order]` in line 5 takes one number for each pair of indices"),
    ("gathered", arrays("def f(x):\n    ids = np.argsort(x[:, 0])\n    return x[ids]\n"), "x[ids]",
     "np.take_along_axis(x, ids, axis=0)", "takes one number for each index, and whole rows are needed"),
    ("function_missing", arrays("def f(x):\n    top = x.max(axis=1, keepdims=True)\n"
     "    return x - (top + np.log(np.sum(np.exp(x - top), axis=1, keepdims=True)))\n"),
     "np.log(np.sum(np.exp(x - top), axis=1, keepdims=True))", "np.sum(np.exp(x - top), axis=1, keepdims=True)",
     "A function is missing in line 5"),
    ("few_rounds", arrays(ROOT.replace("def f(x):", "def f(x, rounds=40):").replace("range(40)", "range(rounds)")),
     "rounds=40", "rounds=2", "`range(rounds)` in line 5 gives too few rounds"),
    ("few_rounds", arrays(ROOT.replace("    for _ in range(40):\n", "    n = 0\n    while n < 40:\n        n += 1\n")),
     "n < 40", "n < 2", "`n < 2` in line 6 gives too few rounds"),
]  # fmt: skip
TOLD = [entry for entry in KINDS if entry[-1]]


def wrong_source(exercise: Exercise, old: str, new: str) -> str:
    source = exercise.reference.text
    assert old in source
    return source.replace(old, new)


def first_sentence(result: SubmissionResult) -> str:
    return next((case.diagnosis or "" for case in result.cases if case.verdict != Verdict.accepted), "")


@pytest.mark.parametrize(("kind", "exercise", "old", "new", "words"), TOLD, ids=[kind for kind, *_ in TOLD])
def test_the_change_that_makes_it_right_is_told(
    judge: Judge, kind: str, exercise: Exercise, old: str, new: str, words: str
) -> None:
    result = judged(judge, exercise, wrong_source(exercise, old, new))
    assert result.verdict != Verdict.accepted
    assert words in first_sentence(result), (first_sentence(result), [case.error for case in result.cases])


def test_a_change_at_several_places_names_them_all(judge: Judge) -> None:
    reference = "def f(x):\n    low = x.max(1, keepdims=True) - 1\n    return x + low * x.max(1, keepdims=True)\n"
    exercise = arrays(reference)
    source = wrong_source(exercise, "x.max(", "x.min(")
    assert source.count("x.min(") == 2
    sentence = first_sentence(judged(judge, exercise, source))
    assert "in lines 4 and 5 is the wrong function" in sentence


def test_no_argument_is_proposed_to_be_written_into(judge: Judge) -> None:
    """That the answer is right in the argument's dtype does not make the argument the right place for it."""
    exercise = arrays("def f(x):\n    return x / x.sum(axis=1, keepdims=True)\n")
    source = (
        "import numpy as np\n\ndef f(x):\n    out = np.zeros(x.shape, dtype=int)\n    for n in range(len(x)):\n"
        "        out[n] = x[n] / x[n].sum()\n    return out\n"
    )
    assert "`out`" not in first_sentence(judged(judge, exercise, source))


SAMPLES_RIGHT = "    yield 'c', {'numbers': [4, 4], 'k': 8}\n    yield 'd', {'numbers': [], 'k': 1}\n"


def test_for_a_hidden_case_the_sentence_is_one_of_ours(judge: Judge) -> None:
    """No line, no number and no code: only the class of the change, with operators of Python's."""
    exercise = lists(ABOVE.replace("n > k", "n + 4 >= k"), hidden=SAMPLES_RIGHT)
    source = ABOVE.replace("n > k", "n + 4 > k")
    result = judged(judge, exercise, source)
    assert [case.verdict for case in result.cases[:2]] == [Verdict.accepted] * 2
    (sentence,) = {case.diagnosis for case in result.cases if case.diagnosis}
    assert "two equal values" in sentence
    assert "`>` where `>=` belongs" in sentence
    assert not re.search(r"\bline\b|\d|\bn\b", sentence), sentence


def test_the_inputs_that_go_wrong_are_described(judge: Judge) -> None:
    hidden = "".join(f"    yield 'h{n}', {{'numbers': {list(range(n))}, 'k': 2}}\n" for n in (0, 4, 5))
    exercise = lists("def f(numbers, k):\n    return [n * k for n in numbers] or [k]\n", hidden=hidden)
    source = "def f(numbers, k):\n    many = len(numbers)\n    return [n * k for n in numbers] or [many ** 2 - 3, k]\n"
    sentence = next(case.diagnosis for case in judged(judge, exercise, source).cases if case.diagnosis)
    assert sentence.startswith("Your answer is wrong in just those cases in which `numbers` is empty")


EDGE = "Your answer is wrong in just those cases"


def test_sizes_that_happen_to_differ_are_no_cause(judge: Judge) -> None:
    """Where all wrong cases have two sizes that differ and all right ones have not, and the fault is another."""
    sizes = [(3, 3), (4, 4), (2, 2), (5, 5), (6, 6), (7, 8), (3, 9), (8, 5), (9, 2)]
    drawn = [f"    yield 'c{n}', draw(rng, {rows}, {columns})\n" for n, (rows, columns) in enumerate(sizes)]
    exercise = arrays("def f(x):\n    return np.sort(x)\n", cases="".join(drawn), samples=drawn[0])
    source = "import numpy as np\n\ndef f(x):\n    return np.sort(x) + np.cos(x) * x[0, 0] * (len({*x.shape}) - 1)\n"
    assert not [case for case in judged(judge, exercise, source).cases if EDGE in (case.diagnosis or "")]


@pytest.mark.parametrize(("wrong", "is_said"), [(range(4), True), (range(3), False)], ids=["four wrong", "three"])
def test_what_many_inputs_have_needs_many_cases(judge: Judge, wrong: range, is_said: bool) -> None:
    several = "".join(f"    yield 'w{n}', {{'numbers': [{n}, 7, 7], 'k': 3}}\n" for n in wrong)
    single = "".join(f"    yield 'r{n}', {{'numbers': [{n}, 7, 8], 'k': 3}}\n" for n in range(3))
    samples = "    yield 'a', {'numbers': [5, 9, 1], 'k': 3}\n    yield 'b', {'numbers': [2, 8, 4], 'k': 2}\n"
    exercise = lists(EACH, hidden=single + several, samples=samples)
    source = (
        "def f(numbers, k):\n    odd = (len(numbers) - len({*numbers})) ** 3\n"
        "    return [n * k + odd * (n + 5) ** k % 91 for n in numbers]\n"
    )
    told = [case.diagnosis for case in judged(judge, exercise, source).cases if EDGE in (case.diagnosis or "")]
    assert bool(told) == is_said, told


NEAR: list[tuple[str, Exercise, str]] = [
    ("two faults at once", lists(ABOVE), "def f(numbers, k):\n    return [n + 2 * k for n in numbers if n >= k]\n"),
    ("another task", arrays(SHARES), "import numpy as np\n\ndef f(x):\n    return np.cos(x) + 3 * x.min()\n"),
    ("right on the samples alone after a change", lists(EACH, hidden="    yield 'c', {'numbers': [7, 9], 'k': 5}\n"),
     "def f(numbers, k):\n    return [n * k + (k > 4) * sum(numbers) ** 2 + (k < 4) for n in numbers]\n"),
]  # fmt: skip


SAME = "def f(numbers, k):\n    return [n * k for n in numbers]\n"
NEAR += [
    ("a lookup by value, and another fault", lists(PLACED),
     "def f(numbers, k):\n    return [numbers.index(n) + 2 * k for n in numbers]\n"),
    ("a short constant that is right, and another fault", arrays("def f(x):\n    return x * 3.14\n"),
     "import numpy as np\n\ndef f(x):\n    return np.sort(x * 3.14) ** 2\n"),
    ("few rounds that are enough, and another fault", arrays(ROOT),
     "import numpy as np\n" + ROOT.replace("range(40)", "range(50)").replace("return y", "return y[::-1] - 1")),
    ("two moments far from no zero, and another fault", arrays(MOMENTS),
     "import numpy as np\n\ndef f(x):\n    m = x.mean(axis=1, keepdims=True)\n"
     "    return ((x ** 2).mean(axis=1, keepdims=True) - m ** 2) ** 3 + np.cos(x)\n"),
    ("a reshape where numbers are only regrouped, and another fault", arrays("def f(x):\n    return x.T * 2\n",
     "float32[C, N]"), "import numpy as np\n\ndef f(x):\n    return np.tanh(x.reshape(x.shape[1], x.shape[0])) * 7\n"),
]  # fmt: skip


@pytest.mark.parametrize(("about", "exercise", "source"), NEAR, ids=[about for about, *_ in NEAR])
def test_nothing_is_told_where_no_change_makes_every_case_right(
    judge: Judge, about: str, exercise: Exercise, source: str
) -> None:
    result = judged(judge, exercise, source)
    assert result.verdict != Verdict.accepted
    of_repairs = re.compile(
        "your answer is right|too few rounds|too few digits|first of several|nearly equal|swap the axes"
    )
    assert not [case.diagnosis for case in result.cases if of_repairs.search(case.diagnosis or "")]


# A second fault, of three steps: whatever the first is, no change of it alone makes the answer right
AGAIN = {
    "x": "\n\nonce = f\n\n\ndef f(x):\n    y = once(x)\n    return np.cos(3 * y) + y.sum() + 7\n",
    "numbers, k": "\n\nonce = f\n\n\ndef f(numbers, k):\n    y = once(numbers, k)\n    return [*y, *y, *y[:1]]\n",
}
TWICE = [
    entry for entry in TOLD if "def f(x)" in entry[1].reference.text or "def f(numbers, k)" in entry[1].reference.text
]


@pytest.mark.parametrize(("kind", "exercise", "old", "new", "words"), TWICE, ids=[kind for kind, *_ in TWICE])
def test_the_same_change_is_not_told_where_it_does_not_make_the_answer_right(
    judge: Judge, kind: str, exercise: Exercise, old: str, new: str, words: str
) -> None:
    arguments = "x" if "def f(x)" in exercise.reference.text else "numbers, k"
    result = judged(judge, exercise, wrong_source(exercise, old, new) + AGAIN[arguments])
    assert result.verdict != Verdict.accepted
    assert not [case.diagnosis for case in result.cases if words in (case.diagnosis or "")]


def test_a_changed_program_that_never_ends_costs_a_sentence_and_no_verdict(judge: Judge) -> None:
    source = (
        "def f(numbers, k):\n    while len(numbers) > k:\n        numbers.pop()\n    out = []\n"
        "    todo = [1]\n    for n in todo:\n        out.append(n)\n        if len(out) < 3:\n"
        "            todo.append(n)\n    return out\n"
    )
    assert judged(judge, lists(EACH), source).verdict == Verdict.wrong_answer


def test_no_changed_program_finds_what_another_has_written(judge: Judge) -> None:
    exercise = arrays("def f(x):\n    return np.tanh(x)\n")
    source = "import numpy as np\n\ndef f(x):\n    np.multiply(x, 3, out=x)\n    return np.tanh(x)\n"
    assert "With `np.multiply(x, 3)` your answer is right." in first_sentence(judged(judge, exercise, source))


def test_a_right_program_is_not_changed(judge: Judge) -> None:
    exercise = lists(EACH)
    source = (
        "import sys\nloaded = sys.modules.setdefault('times', [])\nloaded.append(1)\nassert len(loaded) < 2\n" + EACH
    )
    assert judged(judge, exercise, source).verdict == Verdict.accepted


def test_every_edit_leaves_a_program_and_its_lines() -> None:
    for _, exercise, old, new, _words in KINDS:
        program = read_program(
            exercise.reference.text.replace(old, new) if old else exercise.reference.text, exercise.entries
        )
        assert program is not None
        for edit in edits(program, exercise.frameworks[0]):
            compile(edit.applied(program), "edited", "exec")
            assert edit.kind in SENTENCES


# kind, exercise, what of its reference is replaced, by what, and what must not be said
OTHERWISE: list[tuple[str, Exercise, str, str, str]] = [
    ("a term that belongs there", lists("def f(numbers, k):\n    return [n * k + 2 for n in numbers]\n"), "+ 2", "+ 3",
     "should not"),
    ("a clip that belongs there", arrays("def f(x):\n    return np.clip(3 * x, -2, 2)\n"), "-2, 2", "-1, 2",
     "should not"),
    ("a condition that belongs there", lists("def f(numbers, k):\n    return [n for n in numbers if n != 9]\n"),
     "!= 9", "!= 8", "should not"),
    ("a start that is only added to", lists("def f(numbers, k):\n    total = 0\n    for n in numbers:\n"
     "        total += n\n    return [total, k, total * k]\n"), "total = 0", "total = 1", "starts too"),
    ("a dtype that no array is made with", arrays("def f(x):\n    return 3 * x\n"), "3 * x",
     "(3 * x).astype(np.float64)", "makes an array|is given no dtype"),
    ("a loop's name that is read", lists(IN_PLACE), "out[place] = n * k", "n = n + 1\n        out[place] = n * k",
     "the loop's own name"),
    ("an index of no shape", lists("def f(numbers, k):\n    return [n + numbers[1] for n in numbers]\n"), "[1]", "[0]",
     "size of"),
    ("rounds that are numbered", lists("def f(numbers, k):\n    return [n * i for i in range(3) for n in numbers]\n"),
     "range(3)", "range(2)", "too few rounds"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("about", "exercise", "old", "new", "unsaid"), OTHERWISE, ids=[about for about, *_ in OTHERWISE]
)
def test_what_belongs_there_is_not_told_to_be_left_out(
    judge: Judge, about: str, exercise: Exercise, old: str, new: str, unsaid: str
) -> None:
    result = judged(judge, exercise, wrong_source(exercise, old, new))
    assert result.verdict != Verdict.accepted
    assert not re.search(unsaid, " ".join(case.diagnosis or "" for case in result.cases)), first_sentence(result)


def test_the_step_of_a_while_loop_is_not_taken_away() -> None:
    """Without it nearly no loop ends, and each such program takes the time of many others."""
    counted = "def f(x):\n    i = 0\n    while i < 9:\n        i += 1\n        x += 1\n    return x\n"
    found = kinds_of(counted, "python")
    told = {old for kind in ("statement_extra", "operator", "sum_for_last") for old, _ in found.get(kind, set())}
    assert "x += 1" in told
    assert "i += 1" not in told


def test_of_a_call_only_the_condition_that_it_is_in_is_taken_away() -> None:
    """`word == 2` for `len(word) == 2` is never true, and the call is not what is wrong."""
    source = "def f(x):\n    if len(x) == 2:\n        x = x + x\n    return sorted(x) + [1]\n"
    program = read_program(source, ["f"])
    assert program is not None
    calls = {edit.old: edit for edit in edits(program, "python") if edit.kind == "call_extra"}
    assert [(edit.kind, edit.old) for edit in removals(program, calls["len(x)"])] == [("if_extra", "if len(x) == 2")]
    assert removals(program, calls["sorted(x)"]) == []


def test_a_tensor_without_a_dtype_is_single() -> None:
    found = kinds_of("import torch\ndef f(x):\n    return torch.zeros(len(x))\n", "torch")
    assert found["dtype_default_single"] == {("torch.zeros(len(x))", "torch.zeros(len(x), dtype=torch.float64)")}
    assert "dtype_default_single" not in kinds_of("import torch\ndef f(x):\n    return torch.zeros_like(x)\n", "torch")


TIES = "    yield 'c', {'numbers': [7, 6, 9], 'k': 3}\n    yield 'd', {'numbers': [6, 9], 'k': 4}\n" + "".join(
    f"    yield 'h{n}', {{'numbers': {list(range(n, n + 3))}, 'k': 2}}\n" for n in range(3)
)
BY_VALUE = "def f(numbers, k):\n    places = {}\n    for n, x in enumerate(numbers):\n        places[x] = n\n"


def test_values_under_equal_keys_are_told_where_just_those_cases_are_wrong(judge: Judge) -> None:
    exercise = lists("def f(numbers, k):\n    return [n for n, _ in enumerate(numbers)]\n", hidden=TIES)
    wrong = BY_VALUE + "    return [places[x] for x in numbers]\n"
    assert "keys of which some are equal" in first_sentence(judged(judge, exercise, wrong))
    beside = BY_VALUE + "    return [n * (len(numbers) != 3) for n, _ in enumerate(numbers)]\n"  # wrong without ties
    sentences = [case.diagnosis or "" for case in judged(judge, exercise, beside).cases]
    assert not [sentence for sentence in sentences if "equal" in sentence]


ONCE = (
    "def f(numbers, k):\n    kept = {}\n    for n in numbers:\n        if n not in kept:\n            kept[n] = n * k\n"
)


def test_a_key_that_is_kept_once_is_told_where_just_those_cases_are_wrong(judge: Judge) -> None:
    exercise = lists(EACH, hidden=TIES)
    told = "leaves out what has the same key as something before it"
    assert told in first_sentence(judged(judge, exercise, ONCE + "    return list(kept.values())\n"))
    counted = ONCE + "        kept[n] += 0\n    return list(kept.values())\n"  # changed where the key is there already
    assert told not in first_sentence(judged(judge, exercise, counted))
    beside = ONCE + "    return [n * k + len(kept) * (len(numbers) == 3) for n in numbers]\n"  # wrong without ties
    assert told not in first_sentence(judged(judge, exercise, beside))


def test_a_set_that_drops_what_is_equal_is_told(judge: Judge) -> None:
    exercise = lists("def f(numbers, k):\n    return [sum(numbers) * k + max(numbers)]\n", hidden=TIES)
    source = "def f(numbers, k):\n    few = [*set(numbers)]\n    return [sum(few) * k + max(few)]\n"
    result = judged(judge, exercise, source)
    assert any("equal" in (case.diagnosis or "") or "`set" in (case.diagnosis or "") for case in result.cases)


def test_a_change_that_helps_by_chance_is_not_told_in_part(judge: Judge) -> None:
    """All samples are right with another number, and a hidden case is not: what the number should be stays unknown."""
    exercise = lists(EACH, hidden="    yield 'c', {'numbers': [7, 9], 'k': 9}\n")
    source = "def f(numbers, k):\n    return [n * k + (k < 5) * 4 + (k > 5) for n in numbers]\n"
    assert not [case for case in judged(judge, exercise, source).cases if "all samples" in (case.diagnosis or "")]


def test_a_known_mistake_is_tried_with_what_may_stand_beside_it_alone() -> None:
    program = read_program("def f(x):\n    x.sort(axis=0)\n    x.round(2)\n    return x / 3.14\n", ["f"])
    assert program is not None
    assert {edit.kind for edit in edits(program, "numpy", of_what_is_meant=True)} <= {
        "dropped",
        "shared",
        "input_changed",
        "loop_name",
    }
    assert len(edits(program, "numpy")) > len(edits(program, "numpy", of_what_is_meant=True))


def kinds_of(source: str, framework: str = "numpy") -> dict[str, set[tuple[str, str]]]:
    """What is tried, by kind: each with the old and the new text."""
    program = read_program(source, ["f"])
    assert program is not None
    found: dict[str, set[tuple[str, str]]] = {}
    for edit in edits(program, framework):
        found.setdefault(edit.kind, set()).add((edit.old, edit.new))
    return found


def test_another_name_is_tried_only_if_it_is_read_nowhere_and_may_stand_there() -> None:
    body = "    low = min(x)\n    high = max(x)\n    step = lambda n: n + 1\n"
    assert kinds_of(f"def f(x):\n{body}    return [low, n - low]\n", "python")["name"] >= {("low", "high")}
    assert "name" not in kinds_of(f"def f(x):\n{body}    return [low, high - low]\n", "python")  # both are read
    assert "name" not in kinds_of(f"def f(x):\n{body}    return low - 1\n", "python")  # and then `low` would not be
    called = kinds_of(f"def f(x):\n{body}    return [step(low), step(3)]\n", "python").get("name", set())
    assert not [pair for pair in called if "step" in pair]


def test_a_function_is_tried_where_a_function_stands() -> None:
    """Not for a value of that name, nor for a function or an attribute of the student's own."""
    assert ("np.sum", "np.mean") in kinds_of("import numpy as np\ndef f(x):\n    return np.sum(x)\n")["function"]
    assert ("x.sum", "x.mean") in kinds_of("def f(x):\n    return x.sum()\n")["function"]
    value = "import numpy as np\ndef f(x):\n    max = x.copy()\n    return np.sqrt(max)\n"
    assert "function" not in kinds_of(value)
    assert "function" not in kinds_of("def max(x):\n    return x\n\ndef f(x):\n    return max(x)\n")
    assert "function" not in kinds_of("def f(box):\n    return box.max\n")


@pytest.mark.parametrize(
    ("body", "is_tried"),
    [("np.exp(x)", True), ("softmax(x) * x", False), ("np.exp(x) * x.sum(1)", False), ("x.mean(1)", False)],
)
def test_what_is_divided_already_is_not_to_be_divided_by_its_sum(body: str, is_tried: bool) -> None:
    tried = kinds_of(f"import numpy as np\ndef f(x):\n    y = {body}\n    return y\n").get("step_missing", set())
    assert any(".sum(" in new for _, new in tried) == is_tried


def test_a_small_number_is_not_made_smaller() -> None:
    tried = kinds_of("def f(x):\n    return x / (x * x + 1e-4)\n")
    numbers = [float(new) for kind in ("constant", "small_constant") for old, new in tried[kind] if old == "0.0001"]
    assert numbers
    assert min(numbers) > 1e-4


@pytest.mark.parametrize(("test", "is_tried"), [("n not in seen", False), ("n > 0", True)])
def test_what_a_condition_looks_through_is_not_to_be_emptied(test: str, is_tried: bool) -> None:
    source = f"def f(numbers):\n    seen = []\n    for n in numbers:\n        if {test}:\n            seen.append(n)\n"
    program = read_program(source, ["f"])
    assert program is not None
    assert ("not_reset" in {edit.kind for edit in edits(program, "python")}) == is_tried
