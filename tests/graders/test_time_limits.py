"""Where a program was when its time was up: its own lines, never those of a hidden case, in words that hold."""

import re
import sys
from dataclasses import replace
from types import FrameType

import pytest

from graders.boxes import where
from graders.boxes.pool import Judge
from graders.boxes.where import NOWHERE, Where
from graders.exercise.definition import Exercise
from graders.inside.wire import WHERE_SIGNAL
from graders.reasons.source.place import line_of, sentence
from graders.reasons.source.program import read_program
from graders.verdict import CaseResult, Verdict

from .conftest import judged, make_exercise, unhurried

DOUBLED = make_exercise()
HIDDEN_LAST = """
import numpy as np

def sample_cases(rng):
    yield "three", {"x": np.array([1, 2, 3], np.float32)}

def hidden_cases(rng):
    yield "seven", {"x": np.arange(7, dtype=np.float32)}
"""
RIGHT = "def doubled(x):\n    return 2 * x\n"


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait longer for a box that the machine holds up than we let a student wait."""
    monkeypatch.setattr(where, "MOST_ROUNDS", 3000)


def busy(exercise: Exercise = DOUBLED, framework: str = "numpy") -> Exercise:
    """With a limit of processor time that an endless loop meets, and no other: a machine may stand still. JAX and
    PyTorch take some of it before the loop begins."""
    return replace(
        exercise, limits=replace(unhurried(exercise).limits, cpu_seconds=0.3 if framework == "numpy" else 0.6)
    )


def idle(exercise: Exercise = DOUBLED) -> Exercise:
    """With a limit of wall clock, for a program that takes no processor time."""
    return replace(exercise, limits=replace(unhurried(exercise).limits, wall_seconds=2.0))


def out_of_time(judge: Judge, source: str, exercise: Exercise, framework: str = "numpy") -> tuple[CaseResult, str]:
    """The first case, which ran out of time, and why. Loading may take too long on a machine that stands still."""
    for _ in range(4):
        result = judged(judge, exercise, source, framework)
        case = result.cases[0]
        assert result.verdict == Verdict.time_limit, result.summary
        assert case.error is not None
        if case.error.type == "TimeLimit" or "class Loads" in source:
            break
    return case, case.diagnosis or ""


def line(case: CaseResult) -> int | None:
    assert case.error is not None
    return case.error.line


HANDLED = """
import signal

def mine(*_): pass

for number in signal.valid_signals():
    try: signal.signal(number, mine)
    except (OSError, ValueError): pass
"""
# name: source, framework, the lines that may be marked, words of the sentence
BUSY = {
    "a loop whose name stays the same": (
        "def doubled(x):\n    i = 0\n    while i < len(x):\n        y = 2 * x[i]\n    return x\n",
        "numpy", {3, 4}, "The `while` loop of line 3 never ends once it begins: nothing in it changes `i < len(x)`.",
    ),
    "a loop that misses its end": (
        "def doubled(x):\n    n = 1\n    while n != 10:\n        n += 2\n        n -= 0\n    return x\n",
        "numpy", {3, 4, 5}, "the `while` loop of line 3. For this input, does `n != 10` ever stop being true?",
    ),
    "a `break` that is never reached": (
        "def doubled(x):\n    n = 1\n    while True:\n        n += 2\n        if n == 10: break\n    return x\n",
        "numpy", {3, 4, 5}, "the `while` loop of line 3. For this input, is a `break` or `return` in it ever reached?",
    ),
    "the second of two loops": (
        "def doubled(x):\n    i = 0\n    while i < 3:\n        i += 1\n    while i != 0:\n        i += 1\n"
        "        i += 1\n    return x\n",
        "numpy", {5, 6, 7}, "the `while` loop of line 5. For this input, does `i != 0` ever stop being true?",
    ),
    "a slow double loop": (
        "def doubled(x):\n    y = 0\n    for i in range(10**6):\n        for j in range(10**6):\n            y += j\n"
        "            y -= i\n    return x\n",
        "numpy", {4, 5, 6}, "the loop of line 4, which is inside the loop of line 3. Python takes their steps one at a",
    ),
    "a loop around a function of its own": (
        "def step(n):\n    m = n + 2\n    return m - 1\n\ndef doubled(x):\n    n = 1\n    while n != 0:\n"
        "        n = step(n)\n    return x\n",
        "numpy", {2, 3, 7, 8}, "the `while` loop of line 7",
    ),
    "recursion": (
        "def count(n):\n    for _ in range(2):\n        if n > 0: count(n - 1)\n\ndef doubled(x):\n    count(60)\n"
        "    return x\n",
        "numpy", None, "`count` in line 1 calls itself several times",
    ),
    "a loop that catches everything": (
        "def doubled(x):\n    while True:\n        try:\n            y = 2 * x\n        except BaseException:\n"
        "            continue\n",
        "numpy", {2, 3, 4, 6}, "The loop of line 2 never ends",
    ),
    "handlers of its own for every signal": (
        f"{HANDLED}\ndef doubled(x):\n    n = 1\n    while n != 10:\n        n += 2\n    return x\n",
        "numpy", {12, 13}, "the `while` loop of line 12",
    ),
    "a long call of NumPy": (
        "import numpy as np\n\ndef doubled(x):\n    m = np.ones((1600, 1600))\n    y = np.linalg.svd(m)\n"
        "    return y\n",
        "numpy", {5}, "still in line 5, `y = np.linalg.svd(m)`.",
    ),
    "one step of Python that takes for ever": (
        "def doubled(x):\n    y = 3 ** (10 ** 9)\n    return x\n",
        "numpy", {2}, "still in line 2, `y = 3 ** (10 ** 9)`.",
    ),
    "a long call of PyTorch": (
        "import torch\n\ndef doubled(x):\n    m = torch.ones((1600, 1600), dtype=torch.float64)\n"
        "    y = torch.linalg.svd(m)\n    return x\n",
        "torch", {5}, "still in line 5, `y = torch.linalg.svd(m)`.",
    ),
    # XLA adds up a constant's windows as it compiles, for seconds: what comes before takes a thousandth of that.
    "JAX that compiles": (
        "import jax, jax.numpy as jnp\nfrom jax import lax\n\n@jax.jit\ndef many(x):\n"
        "    sums = lax.reduce_window(jnp.ones(3000), 0.0, lax.add, (3000,), (1,), 'SAME')\n    return x + sums[0]\n\n"
        "def doubled(x):\n    return many(x)\n",
        "jax", {10}, "JAX was still compiling what line 10 calls.",
    ),
    "loading": (
        "class Loads: pass\nn = 1\nwhile n != 10:\n    n += 2\ndef doubled(x):\n    return 2 * x\n",
        "numpy", {3, 4}, "the `while` loop of line 3",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("source", "framework", "lines", "words"), BUSY.values(), ids=BUSY)
def test_the_line_is_told(judge: Judge, source: str, framework: str, lines: set[int] | None, words: str) -> None:
    case, diagnosis = out_of_time(judge, source, busy(framework=framework), framework)
    assert words in diagnosis, (line(case), diagnosis)
    assert lines is None or line(case) in lines, (line(case), diagnosis)
    assert case.error is not None
    assert "processor time" in (case.error.message or "")
    assert judged(judge, unhurried(DOUBLED), RIGHT, framework).verdict == Verdict.accepted


SLEEPS = {
    "a sleep": (
        "import time\n\ndef doubled(x):\n    time.sleep(3600)\n    return 2 * x\n", 4, "line 4, `time.sleep(3600)`."
    ),
    "a sleep with handlers of its own for every signal": (
        f"{HANDLED}\nimport time\ndef doubled(x):\n    time.sleep(3600)\n", 12, "line 12, `time.sleep(3600)`."
    ),
    "a sleep in a function of its own": (
        "import time\n\ndef wait():\n    time.sleep(3600)\n\ndef doubled(x):\n    wait()\n",
        4, "line 4, `time.sleep(3600)`, in `wait`.",
    ),
    "a lock that nobody opens": (
        "import threading\n\ndef doubled(x):\n    lock = threading.Lock()\n    lock.acquire()\n    lock.acquire()\n",
        6, "line 6, `lock.acquire()`.",
    ),
    "a sleep in a loop": (
        "import time\n\ndef doubled(x):\n    n = 1\n    while n > 0:\n        time.sleep(3600)\n        n -= 1\n",
        6, "line 6, in the `while` loop of line 5. Does that step take so long, or does `n > 0` never stop being true?",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("source", "marked", "words"), SLEEPS.values(), ids=SLEEPS)
def test_the_line_of_a_program_that_waits_is_told(judge: Judge, source: str, marked: int, words: str) -> None:
    case, diagnosis = out_of_time(judge, source, idle())
    assert (line(case), words in diagnosis) == (marked, True), diagnosis


def test_a_value_that_jax_still_computes_is_no_line_of_the_function(judge: Judge) -> None:
    source = (
        "import jax, jax.numpy as jnp\n\n@jax.jit\ndef long(x):\n"
        "    return jax.lax.fori_loop(0, 10**9, lambda n, y: y * 0.5 + n, x)\n\n\ndef doubled(x):\n"
        "    return long(x)\n"
    )
    case, diagnosis = out_of_time(judge, source, busy(framework="jax"), "jax")
    if line(case) is None:  # JAX may also compute it at once, in the line that calls it
        assert "your function had returned, but its value was not there yet. JAX computes it in the" in diagnosis
    else:
        assert "line 9" in diagnosis


# ------------------------------------------------------------------ a box that lies, or says nothing

SPINS = "    while n != 10:\n        n += 2\n    return x\n"
LIES = {
    "blocks the signal": "    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())\n",
    "turns the handler off": f"    import faulthandler; faulthandler.unregister({WHERE_SIGNAL})\n",
    "closes its channel for the handler": f"    import faulthandler; faulthandler.register({WHERE_SIGNAL}, file=2)\n",
}


@pytest.mark.parametrize("prepares", LIES.values(), ids=LIES)
def test_a_box_that_does_not_answer_is_killed_all_the_same(judge: Judge, prepares: str) -> None:
    source = f"import signal\n\ndef doubled(x):\n    n = 1\n{prepares}{SPINS}"
    case, diagnosis = out_of_time(judge, source, busy())
    assert line(case) is None
    assert "The only loop without a fixed number of passes is the `while` in line 6" in diagnosis


def test_a_forged_answer_names_only_lines_that_there_are(judge: Judge) -> None:
    forged = "".join(
        f'Stack (most recent call first):\n  File "submission.py", line {n} in doubled\n'
        '  File "/zygote.py", line 1 in <module>\n'
        for n in (0, 10**6, 9_999_999, -1)
    )
    source = (
        "import os, signal, threading\n\ndef doubled(x):\n"
        "    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())\n    threading.Event().wait(1.9)\n"
        f"    while True: os.write(3, {forged!r}.encode() * 50)\n"
    )
    result = judged(judge, idle(), source)
    assert result.verdict in (Verdict.time_limit, Verdict.runtime_error), "written too early, it ends the submission"
    assert all(case.error is None or case.error.line in (None, *range(1, 7)) for case in result.cases)
    assert judged(judge, unhurried(DOUBLED), RIGHT).verdict == Verdict.accepted


FRAME = b'  File "submission.py", line %d in f\n'
BOTTOM = (
    b'  File "/x/graders/inside/runner.py", line 75 in serve\n'
    b'  File "/x/graders/inside/zygote.py", line 9 in <module>\n'
)
HEAD = b"Stack (most recent call first):\n"


@pytest.mark.parametrize(
    ("text", "stacks"),
    [
        (HEAD + FRAME % 3 + FRAME % 9 + BOTTOM, ((3, 9),)),
        (b"half a value\x00\xff" + HEAD + FRAME % 3 + BOTTOM + HEAD + FRAME % 4 + BOTTOM, ((3,), (4,))),
        (HEAD + FRAME % 3 + BOTTOM + HEAD + FRAME % 4, ((3,),)),
        (HEAD + FRAME % 3 * 100 + b"  ...\n", ((3,) * 100,)),
        (HEAD + FRAME % 11 + FRAME % 10 + FRAME % 0 + BOTTOM, ((10,),)),
        (HEAD + b'  File "submission.py", line 99999999 in f\n' + BOTTOM, ()),
        (HEAD + b'  File "x/submission.py", line 3 in f\n' + BOTTOM, ()),
        (FRAME % 3 + BOTTOM, ()),
        (b"", ()),
        (HEAD * 1000, ()),
    ],
)
def test_only_whole_answers_and_lines_that_there_are_count(text: bytes, stacks: tuple[tuple[int, ...], ...]) -> None:
    assert where.read(text, 10).stacks == stacks


# ------------------------------------------------------------------ hidden cases


def test_of_a_hidden_case_no_line_is_told(judge: Judge) -> None:
    source = "import numpy as np\n\ndef doubled(x):\n    if len(x) != 3:\n        " + "\n        ".join(
        f"while x[{n}] != 10: pass" for n in range(3)
    )
    result = judged(judge, busy(make_exercise(cases_py=HIDDEN_LAST)), f"{source}\n    return 2 * x\n")
    sample, hidden, *_ = result.cases
    assert (sample.verdict, hidden.verdict) == (Verdict.accepted, Verdict.time_limit)
    assert hidden.error is not None
    assert (hidden.error.line, hidden.error.message) == (None, None)
    told = " ".join(filter(None, [result.diagnosis, result.summary, *(case.diagnosis for case in result.cases)]))
    assert not re.search(r"line \d", told), told


@pytest.mark.parametrize(("waits_for", "asked"), [(3, 1), (7, 0)], ids=["a sample case", "a hidden case"])
def test_a_box_with_a_hidden_input_is_never_asked(judge: Judge, waits_for: int, asked: int) -> None:
    source = f"def doubled(x):\n    while len(x) == {waits_for}: pass\n    return 2 * x\n"
    exercise, calls = busy(make_exercise(cases_py=HIDDEN_LAST)), 0

    def count(frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event == "call" and frame.f_code is where.ask.__code__

    sys.setprofile(count)
    try:
        result = judged(judge, exercise, source)
    finally:
        sys.setprofile(None)
    assert (result.verdict, calls) == (Verdict.time_limit, asked)


# ------------------------------------------------------------------ what the moments agree on

NESTED = """def helper(n):
    a = n + 1
    b = n + 2
    return a, b

def f(n):
    c = helper(n)
    d = helper(c)
    while n:
        n = helper(n)
        n = helper(n)
    for i in list(n):
        n = i
    return [i for i in d]
"""


@pytest.mark.parametrize(
    ("stacks", "marked", "words"),
    [
        ([(7,), (7,)], 7, "line 7, `c = helper(n)`."),
        ([(7,), (8,)], None, "lines 7 to 8."),
        ([(2, 7), (3, 7)], None, "lines 2 to 3, in `helper`."),
        ([(2, 7), (2, 8)], 2, "lines 7 to 8."),
        ([(2, 7), (7,), (3, 7)], 7, "line 7, `c = helper(n)`."),
        ([(10,), (11,), (9,)], 9, "the `while` loop of line 9. For this input, does `n` ever stop being true?"),
        ([(2, 10), (3, 10)], 10, "line 10, in the `while` loop of line 9."),
        ([(2, 10), (3, 11)], 9, "the `while` loop of line 9."),
        ([(12,), (12,)], 12, "line 12."),
        ([(13,), (13,)], 13, "line 13, in the loop of line 12."),
        ([(12,), (13,)], 12, "the loop of line 12."),
        ([(14, 14), (14, 14)], 14, "line 14, `return [i for i in d]`."),
        ([(2, 7), (13,), (8,)], None, "lines 7 to 13."),
    ],
)
def test_the_sentence_holds_for_every_moment(stacks: list[tuple[int, ...]], marked: int | None, words: str) -> None:
    program = read_program(NESTED, ["f"])
    assert program is not None
    told = Where(tuple(stacks))
    assert (line_of(program, told), words in (sentence(program, told, "numpy") or "")) == (marked, True), (
        line_of(program, told), sentence(program, told, "numpy"),
    )  # fmt: skip
    assert sentence(program, NOWHERE, "numpy") is None


@pytest.mark.parametrize(
    ("walked", "is_in_it"),
    [
        ("range(10**6)", True),
        ("n", True),
        ("range(slow(n))", False),
        ("range([k for k in n][0])", False),
        ("slow(n)", False),
        ("[k for k in n]", False),
    ],
)
def test_the_first_line_of_a_loop_is_in_it_unless_making_what_it_walks_through_may_take_time(
    walked: str, is_in_it: bool
) -> None:
    program = read_program(f"def f(n):\n    for i in n:\n        for j in {walked}:\n            i += j\n", ["f"])
    assert program is not None
    told = sentence(program, Where(((3,), (3,))), "numpy") or ""
    assert ("the loop of line 3, which is inside the loop of line 2." in told) == is_in_it, told
    assert ("line 3, in the loop of line 2." in told) != is_in_it, told
