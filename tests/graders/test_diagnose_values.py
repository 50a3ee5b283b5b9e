"""Python values and scripts: lists, pairs, texts and numbers that one slip explains, and when none is said."""

import re
from pathlib import Path

import pytest

from graders.boxes.pool import Judge
from graders.exercise.definition import Exercise
from graders.exercise.reader import read_exercise
from graders.reasons.alterations import alterations, same
from graders.verdict import SubmissionResult, Verdict

from .conftest import judged_by_numbers as judged
from .conftest import make_exercise

TESTS = Path(__file__).resolve().parents[1] / "exercises"


def python(parameters: str, returns: str, body: str, samples: list[str], hidden: list[str]) -> Exercise:
    """An exercise of plain Python: `body` is the reference's; samples and hidden cases are arguments of dict()."""
    names = ", ".join(re.findall(r"^(\w+) *=", parameters, re.MULTILINE))
    cases = [
        "\n".join(f"    yield 'case {n}', dict({inputs})" for n, inputs in enumerate(each)) or "    return iter(())"
        for each in (samples, hidden)
    ]
    return make_exercise(
        "plain",
        exercise_toml='title = "Plain"\nentry = "f"\nframeworks = ["python"]\n[signature]\n'
        f'{parameters}\nreturns = "{returns}"\n',
        starter_py=f"def f({names}):\n    return None\n",
        reference_py=f"def f({names}):\n{body}",
        cases_py=f"def sample_cases(rng):\n{cases[0]}\ndef hidden_cases(rng):\n{cases[1]}\n",
    )


ITEMS = python('x = "list[int]"', "list[int]", "    return [n * n + 2 for n in x if n > 1]\n",
               ["x=[5, 2, 9, 2, 0]", "x=[3, 8, 2, 3, 6]"], ["x=[7, 4, 4, 2]", "x=[]"])  # fmt: skip
PAIRS = python('x = "list[str]"', "list[tuple[int, str]]",
               "    return sorted([(n, word) for n, word in enumerate(x)], key=lambda pair: pair[1])\n",
               ["x=['sun', 'moon', 'air', 'star']", "x=['d', 'c', 'a']"], ["x=['q', 'p', 'r', 'a', 'b']"])  # fmt: skip
MEANS = python('x = "list[float]"', "float", "    return sum(x) / len(x)\n",
               ["x=[1.5, 2.25, 9.0]", "x=[4.0, 0.5]", "x=[7.5, 1.0, 2.0, 9.25]"], ["x=[3.75, 2.5, 1.0]"])  # fmt: skip
WORDS = python('x = "list[str]"', "str", "    return ' '.join(word.capitalize() for word in x)\n",
               ["x=['deep', 'sea']", "x=['a', 'long', 'way']"], ["x=['old', 'house']"])  # fmt: skip
FOUND = python('x = "list[int]"', "int | None", "    return next((n for n, item in enumerate(x) if item < 0), None)\n",
               ["x=[1, 2]", "x=[3, 4, 5]", "x=[7]"], ["x=[2, 9, -1]", "x=[]"])  # fmt: skip
BOTH = python('x = "list[int]"', "{low: int, order: list[int]}", "    return {'low': min(x), 'order': sorted(x)[1:]}\n",
              ["x=[4, 2, 9, 7]", "x=[8, 1, 3]"], ["x=[5, 6, 2, 8]"])  # fmt: skip
OTHER_ORDER = "Your items are the right ones, but in another order."
SQUARED = "    y = [n * n + 2 for n in x if n > 1]\n"

SLIPS = [
    (ITEMS, SQUARED + "    return y[::-1]\n", "Your items are in reverse order."),
    (ITEMS, SQUARED + "    return sorted(y)\n", "Your items are sorted: keep the order"),
    (ITEMS, SQUARED + "    return sorted(set(y), key=y.index)\n",
     "Items that occur several times are there only once."),
    (ITEMS, SQUARED + "    return y[1:]\n", "The first item is missing."),
    (ITEMS, SQUARED + "    return y[:-1]\n", "The last item is missing."),
    (ITEMS, SQUARED + "    return y[:1]\n", "Only the first item is there."),
    (ITEMS, SQUARED + "    return y[-1:]\n", "Only the last item is there"),
    (ITEMS, SQUARED + "    return [y]\n", "Your answer is one list too deep"),
    (ITEMS, SQUARED + "    return [[n] for n in y]\n", "Each of your items is in a list of its own."),
    (ITEMS, SQUARED + "    return list(enumerate(y))\n", "a pair of its place and itself"),
    (ITEMS, SQUARED + "    return [n + 1 for n in y]\n", "Each of your numbers is one too high."),
    (ITEMS, SQUARED + "    return [str(n) for n in y]\n", "Your items are text"),
    (ITEMS, SQUARED + "    return len(y)\n", "You return how many items there are"),
    (ITEMS, SQUARED + "    return y + [0]\n", "Your last item is one too many; the others are right."),
    (ITEMS, SQUARED + "    return y[2:] + y[:2]\n", "Your items are the right ones, but in another order."),
    (ITEMS, SQUARED + "    return y, len(y)\n", "Your answer holds the expected one as its first item"),
    (PAIRS, "    return list(enumerate(sorted(x)))\n", "The first part of each item is just 0, 1, 2, …"),
    (PAIRS, "    return [(n + 1, w) for n, w in sorted(enumerate(x), key=lambda p: p[1])]\n", "is one too high"),
    (PAIRS, "    return [(w, n) for n, w in sorted(enumerate(x), key=lambda p: p[1])]\n", "in reverse order"),
    (PAIRS, "    return [n for n, w in sorted(enumerate(x), key=lambda p: p[1])]\n",
     "Only the first part of each item"),
    (PAIRS, "    return [p for q in sorted(enumerate(x), key=lambda p: p[1]) for p in q]\n", "run together into one"),
    (PAIRS, "    return [(9 * n + 4, w) for n, w in sorted(enumerate(x), key=lambda p: p[1])]\n", "the rest is right"),
    (MEANS, "    return sum(x)\n", "the expected one times the length of `x`: a division by it is missing"),
    (MEANS, "    return int(sum(x) * (1 / len(x)))\n", None),  # cut, or rounded down: no number is below 0
    (MEANS, "    return str(sum(x) / len(x))\n", "The number is right, but it is text"),
    (MEANS, "    return -sum(x) / len(x)\n", "Your number has the wrong sign."),
    (WORDS, "    return ' '.join(x)\n", "Your text is right but for its capital letters."),
    (WORDS, "    return ''.join(word.capitalize() for word in x)\n", "Your text has no spaces."),
    (WORDS, "    return ''.join(word.capitalize() + ' ' for word in x)\n", "Your text ends with a space too many."),
    (FOUND, "    return next((n for n, item in enumerate(x) if item < 0), -1)\n",
     "Where there is no answer, you return -1"),
    (BOTH, "    return {'low': min(x), 'order': sorted(x)[:0:-1]}\n",
     "In result['order']: Your items are in reverse order."),
    (BOTH, "    return {'low': (min(x), 1), 'order': sorted(x)[1:]}\n",
     "In result['low']: Your answer holds the expected"),
    # near misses
    (ITEMS, SQUARED + "    return y[::-1] if len(y) == 4 else sorted(y)\n", "in another order"),
    (ITEMS, SQUARED + "    return [n + len(y) for n in y]\n", None),
    (ITEMS, SQUARED + "    return y[1:-1]\n", None),
    (PAIRS, "    return [(n + 1, w + w) for n, w in sorted(enumerate(x), key=lambda p: p[1])]\n", None),
    (MEANS, "    return sum(x) / (len(x) + 1)\n", None),
    (WORDS, "    return '-'.join(x)\n", None),
    (FOUND, "    return next((n for n, item in enumerate(x) if item < 0), 5)\n", None),
]  # fmt: skip


def told(result: SubmissionResult) -> set[str]:
    """What is told of any case."""
    assert result.verdict == Verdict.wrong_answer, result
    return {case.diagnosis for case in result.cases if case.diagnosis}


@pytest.mark.parametrize(("made", "lines", "says"), SLIPS)
def test_a_slip_that_explains_every_wrong_case_is_named(
    judge: Judge, made: Exercise, lines: str, says: str | None
) -> None:
    result = judged(judge, made, f"def f(x):\n{lines}", "python")
    if says is None:
        assert told(result) == set()
    else:
        assert len(told(result)) == 1, told(result)
        assert all(says in sentence for sentence in told(result))


def test_a_right_case_that_the_slip_would_change_contradicts(judge: Judge) -> None:
    body = "    return [n * n for n in x]\n"
    turned = "def f(x):\n    y = [n * n for n in x]\n    return y if len(y) == 2 else y[::-1]\n"
    for more, says in ((["x=[5]"], {"Your items are in reverse order."}), (["x=[5, 2]"], {OTHER_ORDER})):
        made = python('x = "list[int]"', "list[int]", body, ["x=[1, 2, 3, 7]", "x=[4, 3, 6]", *more], [])
        assert told(judged(judge, made, turned, "python")) == says


def test_shipped_exercises_are_told_too(judge: Judge) -> None:
    top = read_exercise(TESTS / "top-k-with-ties")
    check = "def top_k(scores, k):\n    if k < 0:\n        raise ValueError\n"
    lines = "    return list(enumerate(sorted(scores, reverse=True)))[:k]\n"
    assert "The first part of each item is just 0, 1, 2, …" in str(judged(judge, top, check + lines).diagnosis)
    merge = read_exercise(TESTS / "bpe-merge-step")
    source = (
        "from collections import Counter\n\ndef merge_step(words):\n"
        "    counts = Counter(pair for word in words for pair in zip(word, word[1:]))\n"
        "    return {'pair': counts.most_common(1)[0] if counts else None, 'words': words}\n"
    )
    text = "In result['pair']: Your answer holds the expected one as its first item: take that item alone."
    assert told(judged(judge, merge, source)) == {text}


STACK = make_exercise(
    "stack",
    exercise_toml='title = "Stack"\nentry = ["Stack"]\nframeworks = ["python"]\n',
    starter_py="class Stack:\n    pass\n",
    reference_py="class Stack:\n    def __init__(self):\n        self.items = []\n\n    def push(self, item):\n"
    "        self.items = [item, *self.items]\n",
    cases_py="""
def pushed(*items):
    return script("s = Stack()\\n" + "".join(f"s.push({item})\\n" for item in items) + "s.items")

def sample_cases(rng):
    yield "three", pushed(3, 1, 2)
    yield "four", pushed(4, 9, 5, 7)

def hidden_cases(rng):
    yield "five", pushed(5, 1, 8, 6, 2)
""",
)


@pytest.mark.parametrize(
    ("push", "says"),
    [
        ("self.items = [*self.items, item]", {"Your items are in reverse order."}),
        ("self.items = [item]", {"Only the first item is there."}),
        ("self.items = [item * item, *self.items]", set()),
    ],
)
def test_the_values_of_a_script_are_looked_at(judge: Judge, push: str, says: set[str]) -> None:
    source = "class Stack:\n    def __init__(self):\n        self.items = []\n\n    def push(self, item):\n"
    assert told(judged(judge, STACK, f"{source}        {push}\n")) == says


STRANGE: list[object] = [
    None, True, False, 0, 1, -1, 2.5, float("nan"), float("inf"), 10**400, "", "ab", [], [1, 2], (1, "a"), {},
    {1: 2}, {"a": [1]}, [[1], [2, 3]], [(1, 2.0), (3, 4.0)], {1, 2}, 3j, [None, "a", 1], [[[]]],
]  # fmt: skip


@pytest.mark.parametrize("expected", STRANGE, ids=range(len(STRANGE)))
def test_any_two_values_are_compared_without_an_error(expected: object) -> None:
    for yours in STRANGE:
        found = list(alterations(expected, yours, [("x", 3)]))
        assert len({each.key for each in found}) == len(found)
        for each in found:
            same(each.value, yours)
            assert each.text.endswith(".")


def test_a_dict_with_other_keys_is_told_which(judge: Judge) -> None:
    source = "def f(x):\n    return {'low': min(x), 'sorted': sorted(x)[1:]}\n"
    says = "Your dict has no `order`, but `sorted`, which nobody asks for."
    assert says in told(judged(judge, BOTH, source))
    right_keys = "def f(x):\n    return {'low': max(x) + 9, 'order': [9, 9, 9, 9]}\n"
    assert not [text for text in told(judged(judge, BOTH, right_keys)) if "has no" in text]


COUNTS = python('x = "list[str]"', "dict[str, int]", "    return {word: 2 * len(word) + 1 for word in x}\n",
                ["x=['deep', 'sea']", "x=['a', 'long', 'way']"], ["x=['old', 'house']"])  # fmt: skip


def test_keys_that_are_text_already_are_not_told_to_stay_what_they_are(judge: Judge) -> None:
    """Where the values are of another type, `float` for `int`, the keys have nothing to do with it."""
    source = "def f(x):\n    return {word: 2.0 * len(word) + 1 for word in x}\n"
    result = judged(judge, COUNTS, source)
    assert result.verdict == Verdict.wrong_answer
    assert "keys are text" not in (result.diagnosis or "")


DEFAULT = make_exercise(
    "with-a-default",
    exercise_toml="""title = "With a default"
entry = "f"
frameworks = ["numpy"]
[signature]
x = "float32[N]"
base = "float = 10.0"
returns = "float32[N]"
""",
    starter_py="def f(x, base=10.0):\n    return None\n",
    reference_py="import numpy as np\n\ndef f(x, base=10.0):\n    return np.float32(x / base + np.arange(len(x)))\n",
    cases_py="""import numpy as np

def sample_cases(rng):
    yield "the default", {"x": np.array([1, 2, 3, 5], np.float32)}
    yield "another", {"x": np.array([1, 2, 3, 5], np.float32), "base": 3.0}
    yield "a third", {"x": np.array([1, 2, 3, 5], np.float32), "base": 7.0}

def hidden_cases(rng):
    yield "drawn", {"x": rng.standard_normal(4).astype(np.float32), "base": round(float(rng.uniform(2, 9)), 2)}
""",
)


def test_an_argument_that_one_case_leaves_out_ends_no_diagnosis(judge: Judge) -> None:
    source = "import numpy as np\n\ndef f(x, base=10.0):\n    return np.float32(x / 10.0 + np.arange(len(x)))\n"
    result = judged(judge, DEFAULT, source)
    assert result.verdict == Verdict.wrong_answer
    assert "`base`" in (result.diagnosis or ""), "that it is never looked at"
