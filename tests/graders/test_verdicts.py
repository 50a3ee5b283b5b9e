"""What a submission does, and what it is judged: through real boxes, with the positive control after each."""

import time
from dataclasses import replace

import pytest

from graders.boxes.pool import Judge
from graders.exercise.built import cases_of
from graders.exercise.definition import Exercise
from graders.exercise.fresh import FRESH
from graders.grade import Began, CaseFinished, Finished, grade
from graders.verdict import Verdict, worst

from .conftest import judged, make_exercise, unhurried

RIGHT = "def doubled(x):\n    return 2 * x\n"

MAP = (
    "import ctypes\nlibc = ctypes.CDLL(None)\nlibc.mmap.restype = ctypes.c_void_p\n"
    "libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t] + [ctypes.c_int] * 3 + [ctypes.c_long]\n"
)
ATTACKS: dict[str, tuple[str | bytes, set[str]]] = {
    "exits": ("import os\ndef doubled(x): os._exit(0)", {"runtime_error"}),
    "exits the polite way": ("import sys\ndef doubled(x): sys.exit(0)", {"runtime_error"}),
    "exits while loading": ("import os\nos._exit(3)", {"runtime_error"}),
    "loops for ever": ("def doubled(x):\n    while True: pass", {"time_limit"}),
    "loops while loading": ("while True: pass", {"time_limit"}),
    "sleeps": ("import time\ndef doubled(x): time.sleep(3600)", {"time_limit"}),
    "wants 10 GB at once": ("def doubled(x): return bytearray(10 << 30)", {"memory_limit"}),
    "takes memory bit by bit, ignoring MemoryError": (
        "def doubled(x):\n    kept = []\n    while True:\n        try: kept.append(bytearray(1 << 20))\n"
        "        except MemoryError: pass",
        {"memory_limit"},
    ),
    "takes shared memory, and gives it back to the map but not to the kernel": (
        "import mmap\ndef doubled(x):\n    m = mmap.mmap(-1, 1 << 30)\n    for at in range(0, 1 << 30, 16 << 20):\n"
        "        m[at:at + (16 << 20)] = b'x' * (16 << 20)\n        m.madvise(mmap.MADV_DONTNEED, at, 16 << 20)",
        {"runtime_error"},
    ),
    "takes a stack, which RLIMIT_DATA does not count": (
        "import mmap\ndef doubled(x):\n    mmap.mmap(-1, 1 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x100)",
        {"runtime_error"},
    ),
    "takes a terabyte of addresses": (
        f"{MAP}def doubled(x):\n    start = libc.mmap(None, 1 << 40, 1, 0x4022, -1, 0)\n"
        "    assert start == (1 << 64) - 1, 'BREACH'\n    raise MemoryError",
        {"memory_limit"},
    ),
    "has its own processor limit kill it": (
        "import resource\ndef doubled(x):\n    resource.setrlimit(resource.RLIMIT_CPU, (1, 1))\n    while True: pass",
        {"runtime_error"},
    ),
    "has a pipe kill it": (
        "import fcntl, os\ndef doubled(x):\n    r, w = os.pipe()\n    fcntl.fcntl(r, fcntl.F_SETOWN, os.getpid())\n"
        "    fcntl.fcntl(r, fcntl.F_SETSIG, 9)\n    fcntl.fcntl(r, fcntl.F_SETFL, os.O_ASYNC)\n    os.write(w, b'x')",
        {"runtime_error"},
    ),
    "has a name that is no text, which the kernel's account of it quotes": (
        "import ctypes, time\ndef doubled(x):\n    ctypes.CDLL(None).prctl(15, b'\\xff\\xfe\\xff', 0, 0, 0)\n"
        "    time.sleep(0.05)\n    return x",
        {"wrong_answer"},
    ),
    "ends its first thread, whose account is the one that is watched": (
        "import ctypes, threading, time\ndef doubled(x):\n    threading.Thread(target=time.sleep, args=(99,)).start()\n"
        "    ctypes.CDLL(None).syscall({'x86_64': 60}.get(__import__('platform').machine(), 93), 0)",
        {"runtime_error"},
    ),
    "is a fork bomb": ("import os\ndef doubled(x):\n    while True: os.fork()", {"runtime_error", "time_limit"}),
    "is a stubborn fork bomb": (
        "import os\ndef doubled(x):\n    while True:\n        try: os.fork()\n        except OSError: pass",
        {"time_limit"},
    ),
    "is a thread bomb": (
        "import threading, time\ndef doubled(x):\n"
        "    while True: threading.Thread(target=time.sleep, args=(999,), daemon=True).start()",
        {"runtime_error"},
    ),
    "returns what equals everything": (
        "class Yes:\n    def __eq__(self, other): return True\n    def __array__(self, *a, **k): return 1 / 0\n"
        "def doubled(x): return Yes()",
        {"wrong_answer"},
    ),
    "returns an array whose class equals everything": (
        "import numpy as np\nclass Yes(np.ndarray):\n    def __eq__(self, other): return True\n"
        "    def __sub__(self, other): return 0 * self\n"
        "def doubled(x): return np.zeros_like(x).view(Yes)",
        {"wrong_answer"},
    ),
    "patches the comparison it cannot reach": (
        "import numpy as np\nnp.allclose = np.array_equal = lambda *a, **k: True\ndef doubled(x): return x",
        {"wrong_answer"},
    ),
    "forges a reply on every descriptor": (
        "import os\ndef doubled(x):\n    for fd in range(3, 64):\n"
        "        try: os.write(fd, b'\\0\\0\\0\\x16\\0\\0\\0\\0{\"d\":{\"verdict\":true}}' + b' ')\n"
        "        except OSError: pass\n    return x",
        {"runtime_error"},
    ),
    "closes the channel": ("import os\nos.closerange(3, 256)\ndef doubled(x): return x", {"runtime_error"}),
    "closes the channel and sleeps": (
        "import os, time\ndef doubled(x):\n    os.closerange(3, 256)\n    time.sleep(99)",
        {"runtime_error"},
    ),
    "prints without end": ("def doubled(x):\n    while True: print('x' * 1000)", {"output_limit"}),
    "returns too much": ("import numpy as np\ndef doubled(x): return np.ones(10**6, np.float32)", {"output_limit"}),
    "crashes": ("import ctypes\ndef doubled(x): ctypes.string_at(0)", {"runtime_error"}),
    "kills itself": ("import os, signal\ndef doubled(x): os.kill(os.getpid(), signal.SIGKILL)", {"runtime_error"}),
    "recurses": ("def doubled(x): return doubled(x)", {"runtime_error"}),
    "raises what is no Exception": ("def doubled(x): raise KeyboardInterrupt", {"runtime_error"}),
    "raises what cannot be printed": (
        "class E(Exception):\n    def __str__(self): raise ValueError\ndef doubled(x): raise E",
        {"runtime_error"},
    ),
    "reads stdin": ("def doubled(x): return input()", {"runtime_error"}),
    "returns nothing": ("def doubled(x): 2 * x", {"wrong_answer"}),
    "returns a list": ("def doubled(x): return list(2 * x)", {"wrong_answer"}),
    "returns another dtype": ("def doubled(x): return (2 * x).astype('float64')", {"wrong_answer"}),
    "returns half precision": ("def doubled(x): return (2 * x).astype('float16').astype('float32')", {"wrong_answer"}),
    "returns NaN": ("def doubled(x): return x * float('nan')", {"wrong_answer"}),
    "returns a column": ("def doubled(x): return 2 * x[:, None]", {"wrong_answer"}),
    "returns a complex array": ("def doubled(x): return 2 * x + 0j", {"wrong_answer"}),
    "returns an object array": ("def doubled(x): return (2 * x).astype(object)", {"wrong_answer"}),
    "returns a generator": ("def doubled(x): yield 2 * x", {"wrong_answer"}),
    "changes its answer after returning it": (
        "import threading\nimport numpy as np\nreturned = threading.Event()\ndef doubled(x):\n"
        "    global returned\n    returned.set()  # the last answer has been, or there would be no other question\n"
        "    out, returned = np.zeros_like(x), threading.Event()\n"
        "    def late(returned=returned):\n        returned.wait(); out[...] = 2 * x\n"
        "    threading.Thread(target=late, daemon=True).start()\n    return out",
        {"wrong_answer"},
    ),
    "knows the sample by heart": (
        "import numpy as np\ndef doubled(x): return np.array([2, 4, 6], np.float32)",
        {"wrong_answer"},
    ),
    "does not parse": ("def doubled(x) return x", {"invalid_submission"}),
    "is nested too deep": ("x = " + "(" * 5000 + ")" * 5000, {"invalid_submission"}),
    "is empty": ("", {"invalid_submission"}),
    "has no entry point": ("def tripled(x): return 3 * x", {"invalid_submission"}),
    "takes two arguments": ("def doubled(x, y): return 2 * x", {"invalid_submission"}),
    "is not UTF-8": (b"\xff\xfe", {"invalid_submission"}),
    "holds a NUL": (b"x = 1\0\n", {"invalid_submission"}),
    "is too long": (b"#" * 70_000, {"invalid_submission"}),
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_what_misbehaves_gets_its_verdict_and_the_next_submission_is_accepted_at_once(
    judge: Judge, doubled: Exercise, attack: str, capfd: pytest.CaptureFixture[str]
) -> None:
    source, allowed = ATTACKS[attack]
    result = judged(judge, doubled if "time_limit" in allowed else unhurried(doubled), source, "numpy")
    assert result.verdict in allowed, result
    assert result.score == 0
    assert result.summary
    assert judged(judge, unhurried(doubled), RIGHT, "numpy").verdict == Verdict.accepted
    assert "trying again" not in capfd.readouterr().err, "a keeper says so when it has waited for a box in vain"


def test_tables_of_pages_are_memory_too(judge: Judge) -> None:
    exercise = make_exercise(
        exercise_toml=make_exercise().files["exercise.toml"].decode().replace("memory_mb = 256", "memory_mb = 100")
    )
    exercise = unhurried(exercise)
    source = (
        f"{MAP}def doubled(x):\n    start = libc.mmap(None, 60 << 30, 1, 0x4022, -1, 0)\n"
        "    for at in range(start, start + (60 << 30), 2 << 20): ctypes.c_char.from_address(at).value\n"
        "    import time; time.sleep(0.1)\n    return 2 * x\n"
    )
    assert judged(judge, exercise, RIGHT, "numpy").verdict == Verdict.accepted
    assert judged(judge, exercise, source, "numpy").verdict == Verdict.memory_limit


MISPLACED = {
    "class A:\n    def doubled(self, x):\n        return 2 * x\n": (
        "line 2 defines one inside the class A. Move it out, to the left margin, and remove `self` from its arguments."
    ),
    "def main():\n    def doubled(x):\n        return 2 * x\n    return doubled\nmain()\n": (
        "line 2 defines one inside the function main. Move it out, to the left margin."
    ),
    "x = 1\nif __name__ == '__main__':\n    y = 2\n    def doubled(x):\n        return 2 * x\n": (
        'line 4 defines one under `if __name__ == "__main__":`, which is true only when a file is run by itself. Move '
        "it out, to the left margin."
    ),
    "if False:\n    def doubled(x):\n        return 2 * x\n": (
        "line 2 defines one under `if`, in a part that was not run. Move it out, to the left margin."
    ),
    "try:\n    1 / 0\n    def doubled(x):\n        return 2 * x\nexcept ZeroDivisionError:\n    pass\n": (
        "line 3 defines one under `try`, in a part that was not run. Move it out, to the left margin."
    ),
    "if 1:\n    class A:\n        def b(self): pass\n        @staticmethod\n        def doubled(x): return 2 * x\n": (
        "line 5 defines one inside the class A. Move it out, to the left margin."
    ),
}


@pytest.mark.parametrize("source", MISPLACED)
def test_a_function_that_does_not_stand_at_the_top_level_is_said_to_be_there(
    judge: Judge, doubled: Exercise, source: str
) -> None:
    result = judged(judge, doubled, source, "numpy")
    assert result.verdict == Verdict.invalid_submission
    assert result.summary == f"There is no function doubled(x) at the top level: {MISPLACED[source]}"
    assert result.cases[0].error is not None
    assert f"line {result.cases[0].error.line} defines" in result.summary


def test_a_function_that_is_nowhere_or_was_taken_away_is_only_missing(judge: Judge, doubled: Exercise) -> None:
    for source in ("def tripled(x): return 3 * x", "def doubled(x): return 2 * x\ndel doubled", "doubled = 2"):
        result = judged(judge, doubled, source, "numpy")
        assert result.verdict == Verdict.invalid_submission
        assert result.summary.startswith("There is no function doubled(x).")


# What a student may write to the channel in the runner's place: `n` is the number of the question.
FORGED = {
    "a text for an exception": "say({'n': n, 'raised': 'boo'})",
    "an array for an exception": "say({'n': n, 'raised': np.arange(3)})",
    "an array for a number": "say({'n': np.arange(3)})",
    "an array for whether there is a value": "say({'n': n, 'value': np.arange(3)})",
    "a line of a thousand digits": "say({'n': n, 'raised': {'type': 'E', 'line': 1 << 4000}})",
    "a megabyte for a type": "say({'n': n, 'raised': {'type': 'E' * 900_000}})",
    "a megabyte for what it returned": "say({'n': n, 'odd': 'E' * 900_000})",
    "nothing at all": "say({'n': n})",
    "a shape of nothing times 2**62": "frame(text('0'), blob('F64', [0, 1 << 62], b''))",
    "a shape that half precision has room for": (
        "say({'n': n, 'value': True}); frame(text('0').replace(b'{\"l\":[', b'').replace(b']}', b''), "
        "blob('BF16', [0, 1 << 61], b''))"
    ),
    "an array named nineteen thousand times": (
        "say({'n': n, 'value': True}); frame(text(*['0'] * 19_000), blob('F32', [768], b'abc?' * 768))"
    ),
    "seven terabytes": "os.write(3, struct.pack('>II', 0xffffffff, 0xffffffff))",
    "a value byte by byte, after a long envelope": (
        "say({'n': n, 'value': True, 'odd': 'z' * 900_000}); os.write(3, struct.pack('>II', 9000, 0))\n"
        "    for _ in range(9000): os.write(3, b' ')"
    ),
}
FORGE = """
import json, os, struct, time
import numpy as np
from graders.inside import wire
n = 1
def say(message):
    frame = wire.encode(message)
    while frame: frame = frame[os.write(3, frame):]
def frame(text, blob):
    os.write(3, struct.pack('>II', len(text), len(blob)) + text + blob)
def text(*names):
    return json.dumps({'d': {'v': {'l': [{'a': name} for name in names]}}}).encode()
def blob(dtype, shape, data):
    header = json.dumps({'0': {'dtype': dtype, 'shape': shape, 'data_offsets': [0, len(data)]}}).encode()
    return struct.pack('<Q', len(header)) + header + data
def doubled(x):
    global n
    n += 1
    FORGED
    time.sleep(0.5)
"""


@pytest.mark.parametrize("forged", FORGED)
def test_what_a_student_writes_in_the_runners_place_costs_us_no_time_no_room_and_no_exception(
    judge: Judge, doubled: Exercise, forged: str
) -> None:
    doubled = unhurried(doubled)
    judged(judge, doubled, RIGHT, "numpy")
    began = time.thread_time()
    result = judged(judge, doubled, FORGE.replace("FORGED", FORGED[forged]), "numpy")
    assert result.verdict in ("runtime_error", "wrong_answer")
    assert time.thread_time() - began < 5
    assert len(str(result)) < 60_000
    assert judged(judge, doubled, RIGHT, "numpy").verdict == Verdict.accepted


@pytest.mark.parametrize(
    "problem",
    [
        "7",
        "{'kind': 'missing', 'defined': 5}",
        "{'kind': 'syntax', 'line': 1 << 8000}",
        "{'kind': 'misplaced', 'type': '{0.x}', 'message': '{1}' * 900}",
    ],
)
def test_a_problem_of_ones_own_making_is_no_reply_either(judge: Judge, doubled: Exercise, problem: str) -> None:
    source = f"import os\nfrom graders.inside import wire\nos.write(3, wire.encode({{'n': 1, 'problem': {problem}}}))\n"
    assert judged(judge, doubled, source, "numpy").verdict in ("runtime_error", "invalid_submission")


@pytest.mark.parametrize("framework", ["numpy", "jax", "torch"])
def test_right_answers_are_accepted_in_every_framework(judge: Judge, gather: Exercise, framework: str) -> None:
    source = gather.files[f"solutions/{framework}.py"]
    assert judged(judge, gather, source, framework).verdict == Verdict.accepted


def test_arrays_arrive_as_the_frameworks_own(judge: Judge, doubled: Exercise) -> None:
    for framework, kind in (("numpy", "numpy.ndarray"), ("jax", "jax.Array"), ("torch", "torch.Tensor")):
        module = kind.split(".")[0]
        source = f"import {module}\ndef doubled(x):\n    assert isinstance(x, {kind}), type(x)\n    return 2 * x\n"
        assert judged(judge, unhurried(doubled), source, framework).verdict == Verdict.accepted


def test_the_flax_reference_is_accepted_with_its_hidden_cases_numbered(judge: Judge, flax: Exercise) -> None:
    result = judged(judge, flax, flax.reference.text)
    assert result.verdict == Verdict.accepted
    hidden = sum(not case.sample for case in cases_of(judge, flax)) + FRESH
    assert [case.name for case in result.cases if not case.sample] == [f"hidden {n + 1}" for n in range(hidden)]


def test_a_reference_that_raises_is_ours_and_not_the_students(judge: Judge) -> None:
    broken = make_exercise(reference_py="def doubled(x):\n    raise ValueError('oops')\n")
    *_, last = grade(broken, RIGHT.encode(), "numpy", judge)
    assert isinstance(last, Finished)
    assert last.result.verdict == Verdict.internal_error
    assert last.result.summary == "We could not grade this. It does not count against you."
    assert last.reason is not None
    assert "reference.py:2" in last.reason
    assert "ValueError" in last.reason


def test_hidden_cases_leave_no_value_no_print_and_no_message(judge: Judge, doubled: Exercise) -> None:
    source = "def doubled(x):\n    print('saw', x)\n    if len(x) == 4: raise ValueError(str(x))\n    return x\n"
    result = judged(judge, doubled, source)
    sample, raised, wrong, *_ = result.cases
    assert sample.stdout is not None
    assert "saw" in sample.stdout
    assert raised.verdict == Verdict.runtime_error
    assert raised.error is not None
    assert (raised.error.type, raised.error.message, raised.error.line) == ("ValueError", None, None)
    for case in result.cases[1:]:
        assert case.stdout is None
        assert case.expected is None
        assert case.actual is None
        assert case.inputs is None
    assert (wrong.verdict, wrong.public()["mismatch"]) == (Verdict.wrong_answer, None)  # only the first speaks
    _, first, *_ = judged(judge, doubled, "def doubled(x):\n    return x if len(x) == 4 else 2 * x\n").cases
    assert first.public()["mismatch"] == {
        "step": "closeness", "text": None, "expected": None, "actual": None, "index": None,
    }  # fmt: skip
    assert "secretly" not in str([case.row() for case in result.cases])


@pytest.mark.parametrize(
    "way",
    [
        "raise type('saw' + str(x[0]), (Exception,), {})",
        "raise type('saw', (Exception,), {})(str(x[0]))",
        "return type('saw' + str(x[0]), (), {})()",
        "return 2 * x * SECRET",
        "exec(compile('\\n' * 10_000 + 'raise ValueError', 'submission.py', 'exec'))",
        "exec(compile('def saw_' + str(SECRET).replace('.', '_') + '(): 1/0', 'submission.py', 'exec'), globals())\n"
        "    [f for name, f in globals().items() if name.startswith('saw_')][0]()",
        "import os; os.write(3, wire.encode({'n': 3, 'raised': {'type': str(SECRET), 'traceback': str(SECRET)}}))",
        "import os; os.write(3, wire.encode({str(SECRET): 1}))",
    ],
)
def test_a_hidden_input_leaves_by_no_other_way_than_prints_either(judge: Judge, way: str) -> None:
    exercise = make_exercise(
        cases_py="import numpy as np\ndef sample_cases(rng):\n    yield 'one', {'x': np.ones(2, np.float32)}\n"
        "def hidden_cases(rng):\n    yield 'two', {'x': np.array([7.654321, 3], np.float32)}\n"
    )
    source = (
        "from graders.inside import wire\ndef doubled(x):\n    if x[0] == 1: return 2 * x\n"
        f"    SECRET = float(str(x[0]))\n    {way}\n"
    )
    result = judged(judge, exercise, source, "numpy")
    assert [case.verdict == Verdict.accepted for case in result.cases] == [True, False]
    assert "7.65" not in str(result)
    assert "7_65" not in str(result)
    assert result.cases[1].error is None or (result.cases[1].error.line or 0) <= 6


def test_a_hidden_cases_exception_keeps_a_name_that_was_there_before_it(judge: Judge, doubled: Exercise) -> None:
    expected = {
        "class Odd(ValueError): pass\ndef doubled(x): raise Odd": "Odd",
        "import numpy as np\ndef doubled(x): np.linalg.inv(np.zeros((2, 2)))": "LinAlgError",
        "def doubled(x): raise type('a b', (Exception,), {})": "Exception",
    }
    for source, name in expected.items():
        error = judged(judge, doubled, source, "numpy").cases[1].error
        assert error is not None
        assert (error.type, error.message, error.traceback) == (name, None, None)


def test_a_sample_case_says_where_it_differs_and_by_how_much(judge: Judge, doubled: Exercise) -> None:
    result = judged(judge, doubled, "def doubled(x):\n    y = 2 * x\n    y[1] = 7\n    return y\n")
    case = result.cases[0]
    assert case.mismatch is not None
    assert case.mismatch.index == (1,)
    assert (case.mismatch.expected, case.mismatch.actual) == ("4.0", "7.0")
    assert "expected 4.0, yours is 7.0" in result.summary
    assert case.expected is not None
    assert case.expected.text == "[2., 4., 6.]"


def test_a_traceback_is_cut_to_the_students_own_lines(judge: Judge, doubled: Exercise) -> None:
    source = (
        "import numpy as np\n\ndef inner(x):\n    return np.concatenate(x)\n\ndef doubled(x):\n    return inner(3)\n"
    )
    error = judged(judge, doubled, source).cases[0].error
    assert error is not None
    assert error.line == 4
    assert error.traceback == (
        "line 7, in doubled\n    return inner(3)\nline 4, in inner\n    return np.concatenate(x)"
    )


def test_prints_are_capped_and_it_says_so(judge: Judge, doubled: Exercise) -> None:
    stdout = judged(judge, doubled, "def doubled(x):\n    print('y' * 20_000)\n    return 2 * x\n").cases[0].stdout
    assert stdout is not None
    assert len(stdout) < 9_000
    assert "more was printed" in stdout


PRINTS = "print('y' * 20_000, flush=True)"
CUT = "… more was printed; only the beginning is kept."


@pytest.mark.parametrize(
    ("source", "verdict"),
    [
        (f"def doubled(x):\n    {PRINTS}\n    return 2 * x\n", Verdict.accepted),
        (f"def doubled(x):\n    {PRINTS}\n    return 1 / 0\n", Verdict.runtime_error),
        (f"import os\ndef doubled(x):\n    {PRINTS}\n    os._exit(3)\n", Verdict.runtime_error),
        (f"def doubled(x):\n    {PRINTS}\n    while True: pass\n", Verdict.time_limit),
        (f"import os\n{PRINTS}\nos._exit(3)\n", Verdict.runtime_error),
        (f"{PRINTS}\ndef doubled(x):\n    print('and on')\n    return 2 * x\n", Verdict.accepted),
    ],
    ids=["returns", "raises", "exits", "never ends", "exits while loading", "prints while loading"],
)
def test_prints_that_were_cut_say_so_however_it_ends(
    judge: Judge, undrawn: Exercise, source: str, verdict: Verdict
) -> None:
    case = judged(judge, undrawn, source).cases[0]
    assert (case.verdict, case.stdout is not None) == (verdict, True)
    lines = (case.stdout or "").splitlines()
    assert lines[:2] == ["y" * 8192, CUT]
    assert lines[2:] == (["and on"] if "and on" in source else [])


def test_prints_that_fit_say_nothing_of_a_cut(judge: Judge, undrawn: Exercise) -> None:
    source = f"print('loaded')\ndef doubled(x):\n    print('{'y' * 8191}')\n    return 2 * x\n"
    assert judged(judge, undrawn, source).cases[0].stdout == "loaded\n" + "y" * 8191 + "\n"


def test_after_a_lost_box_later_cases_are_not_judged(judge: Judge, doubled: Exercise) -> None:
    source = "n = 0\ndef doubled(x):\n    global n\n    n += 1\n    while n == 2: pass\n    return 2 * x\n"
    result = judged(judge, doubled, source)
    assert [case.verdict for case in result.cases] == [Verdict.accepted, Verdict.time_limit, None, *[None] * FRESH]
    assert result.verdict == Verdict.time_limit


@pytest.mark.parametrize("sleeps", ["while loading", "in each case"])
def test_all_cases_together_with_loading_have_their_time(judge: Judge, undrawn: Exercise, sleeps: str) -> None:
    limits = replace(undrawn.limits, wall_seconds=20.0, cpu_seconds=20.0, total_seconds=1.0)
    loading, calls = (1.2, 0.1) if sleeps == "while loading" else (0.0, 0.6)
    source = f"import time\ntime.sleep({loading})\ndef doubled(x):\n    time.sleep({calls})\n    return 2 * x\n"
    result = judged(judge, replace(undrawn, limits=limits), source)
    assert result.verdict == Verdict.time_limit
    if sleeps == "while loading":
        assert result.cases[0].error is not None
        assert result.cases[0].error.message == "All cases together took more than 1 s of wall-clock time."
        assert {case.verdict for case in result.cases[1:]} == {None}


def test_a_case_that_takes_longer_than_a_case_may_is_not_said_to_be_all_together(
    judge: Judge, undrawn: Exercise
) -> None:
    limits = replace(undrawn.limits, wall_seconds=0.5, total_seconds=60.0)
    source = "import time\ndef doubled(x):\n    time.sleep(5)\n    return 2 * x\n"
    result = judged(judge, replace(undrawn, limits=limits), source)
    assert result.verdict == Verdict.time_limit
    assert result.cases[0].error is not None
    assert "All cases" not in (result.cases[0].error.message or "")
    assert "0.5 s" in (result.cases[0].error.message or "")


def test_all_cases_are_judged_after_a_wrong_one(judge: Judge, doubled: Exercise) -> None:
    source = "def doubled(x):\n    return 3 * x if len(x) == 3 else 2 * x\n"
    verdicts = [case.verdict for case in judged(judge, doubled, source).cases]
    assert verdicts == [Verdict.wrong_answer, Verdict.accepted, Verdict.accepted, *[Verdict.accepted] * FRESH]


def test_credit_by_cases_is_the_share_that_is_right(judge: Judge) -> None:
    base = make_exercise()
    toml = base.files["exercise.toml"].decode().replace('entry = "doubled"', 'entry = "doubled"\ncredit = "cases"')
    exercise = make_exercise(exercise_toml=toml)
    result = judged(judge, exercise, "def doubled(x):\n    return 3 * x if len(x) == 3 else 2 * x\n")
    assert result.score == pytest.approx((2 + FRESH) / (3 + FRESH))
    assert result.verdict == Verdict.wrong_answer


def test_a_run_judges_the_samples_or_ones_own_input(judge: Judge, doubled: Exercise) -> None:
    events = list(grade(doubled, RIGHT.encode(), "numpy", judge, "run"))
    assert [type(event) for event in events] == [Began, CaseFinished, Finished]
    own = list(grade(doubled, RIGHT.encode(), "numpy", judge, "run", {"x": "[0.5, 1]"}))[-1]
    assert isinstance(own, Finished)
    assert own.result.verdict == Verdict.accepted
    assert own.result.cases[0].name == "your input"
    for given, says in (
        ({"x": "__import__('os')"}, "literal"),
        ({"x": "[[1], [2, 3]]"}, "nested lists"),
        ({"y": "[1]"}, "no input 'y'"),
        ({}, "missing"),
        ({"x": "[[1.0]]"}, "float32[N]"),
    ):
        last = list(grade(doubled, RIGHT.encode(), "numpy", judge, "run", given))[-1]
        assert isinstance(last, Finished)
        assert last.result.verdict == Verdict.invalid_submission
        assert says in last.result.summary


def test_an_input_that_no_author_thought_of_is_said_and_raises_nothing(judge: Judge) -> None:
    base = make_exercise()
    exercise = make_exercise(
        exercise_toml=base.files["exercise.toml"]
        .decode()
        .replace('x = "float32[N]"', 'x = "float32[N]"\nby = "float"'),
        reference_py="def doubled(x, by):\n    return by * x if len(x) > 1 else None\n",
        starter_py="def doubled(x, by):\n    return None\n",
        cases_py="import numpy as np\ndef sample_cases(rng):\n    yield 'a', {'x': np.ones(2, np.float32), 'by': 2.0}\n"
        "def hidden_cases(rng):\n    yield 'b', {'x': np.ones(3, np.float32), 'by': 3.0}\n",
    )
    source = b"def doubled(x, by):\n    return by * x\n"
    for given, says in (
        ({"x": "[1, 2]", "by": "1" + "0" * 400}, "too large"),
        ({"x": "[1]", "by": "2"}, "no answer for this input"),
    ):
        last = list(grade(exercise, source, "numpy", judge, "run", given))[-1]
        assert isinstance(last, Finished)
        assert last.result.verdict == Verdict.invalid_submission
        assert says in last.result.summary


def test_the_worst_verdict_is_the_submissions() -> None:
    assert worst([Verdict.accepted, None]) == Verdict.accepted
    assert worst([Verdict.accepted, Verdict.wrong_answer, Verdict.runtime_error]) == Verdict.runtime_error
    assert worst([Verdict.time_limit, Verdict.wrong_answer]) == Verdict.time_limit
    assert worst([]) == Verdict.internal_error
