"""A real judge for the whole session: three zygotes, real walls. Without walls the group is skipped, and says so."""

import os
import re
import signal
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from graders.boxes.pool import Judge
from graders.boxes.reply import Reply
from graders.boxes.sandbox import Box
from graders.exercise.definition import Exercise
from graders.exercise.fresh import Stock
from graders.exercise.reader import exercise_from_files, read_exercise
from graders.grade import Finished, grade
from graders.reasons.repairs.sentences import HINTED, SENTENCES, WITH
from graders.reasons.source.look import ORIGIN
from graders.verdict import SubmissionResult
from tests.conftest import require_boxes
from tests.waiting import LIMIT_SECONDS, until

FIXED = """
import numpy as np

def sample_cases(rng):
    yield "three", {"x": np.array([1, 2, 3], np.float32)}

def hidden_cases(rng):
    yield "four", {"x": np.array([4, 3, 2, 1], np.float32)}
    yield "one", {"x": np.array([0.1], np.float32)}
"""
STOCK = Stock(batch=8)  # fresh cases of all tests: two boxes for eight submissions
EXERCISES = Path(__file__).resolve().parents[1] / "catalog" / "exercises"


@pytest.fixture(scope="session")
def judge(plain_environment: None) -> Iterator[Judge]:
    """With the cache that all servers of this run share: what ships is prepared there, and JAX's programs compiled."""
    with Judge(Path(os.environ["LECTERN_CACHE"]), parked={"numpy": 2, "jax": 1, "torch": 1}) as judge:
        require_boxes(judge)
        yield judge


@pytest.fixture(scope="session")
def gather() -> Exercise:
    return read_exercise(EXERCISES / "learned-absolute-position-embedding")


@pytest.fixture(autouse=True)
def _diagnosing_never_fails(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """A failure there is logged and costs the student a sentence only; here it fails the test."""
    yield
    failed = [record.exc_text for record in caplog.get_records("call") if record.name == "lectern.diagnosis"]
    assert not failed, failed


@pytest.fixture(scope="session")
def flax() -> Exercise:
    return read_exercise(EXERCISES / "flax-learned-pos")


DOUBLED_FILES = {
    "exercise.toml": """
title = "Doubled"
entry = "doubled"
frameworks = ["numpy", "jax", "torch"]
[signature]
x = "float32[N]"
returns = "float32[N]"
[limits]
wall_seconds = 2
memory_mb = 256
output_kb = 64
""",
    "statement.md": "Double it.",
    "starter.py": "def doubled(x):\n    return None\n",
    "reference.py": "def doubled(x):\n    return 2 * x\n",
    "cases.py": """
import numpy as np

def sample_cases(rng):
    yield "three", {"x": np.array([1, 2, 3], np.float32)}

def hidden_cases(rng):
    yield "secretly four", {"x": rng.standard_normal(4).astype(np.float32)}
    yield "secretly one", {"x": np.array([0.1], np.float32)}
""",
}


def make_exercise(slug: str = "doubled", **files: str) -> Exercise:
    """A small exercise: `doubled(x: float32[N]) -> float32[N]`, with short limits. Keys name files: `reference_py`."""
    changed = {_file_name(name): text for name, text in files.items()}
    return exercise_from_files(slug, {name: text.encode() for name, text in {**DOUBLED_FILES, **changed}.items()})


@pytest.fixture(scope="session")
def doubled() -> Exercise:
    return make_exercise()


@pytest.fixture(scope="session")
def undrawn() -> Exercise:
    """One whose hidden cases are fixed, so that no box is taken to draw fresh ones."""
    return make_exercise(cases_py=FIXED)


def unhurried(exercise: Exercise) -> Exercise:
    """The same with time enough on a machine that stands still for moments: for what is not about limits of time."""
    return replace(exercise, limits=replace(exercise.limits, wall_seconds=20.0, cpu_seconds=20.0, total_seconds=60.0))


def uncached(source: str) -> str:
    """The same source, but no cache has seen it, also of an earlier run."""
    return f"# {uuid.uuid4()}\n{source}"


def judged(judge: Judge, exercise: Exercise, source: str | bytes, framework: str | None = None) -> SubmissionResult:
    data = source if isinstance(source, bytes) else source.encode()
    *_, last = grade(exercise, data, framework, judge, stock=STOCK)
    assert isinstance(last, Finished)
    return last.result


def until_quiet(judge: Judge) -> None:
    """Wait until no box is in use, and none is on its way: each keeper that has begun has all that it wants."""
    until(
        lambda: judge.is_idle() and all(len(judge.keepers[name].parked) >= judge.keepers[name].size
                                        for name in judge.zygotes()),
        judge.parked,
    )  # fmt: skip


def when_asked(box: Box, act: Callable[[], None], number: int = 2) -> threading.Thread:
    """Act once this box is asked its question of this number; the first is to load. Join the thread that waits."""

    def wait() -> None:
        until(lambda: box.number >= number, f"the box was asked {box.number} questions")
        act()

    thread = threading.Thread(target=wait, name="when-asked")
    thread.start()
    return thread


def differs_at_first(
    judge: Judge, monkeypatch: pytest.MonkeyPatch, part: str, instead: str, seconds: float | None = None
) -> list[Box]:
    """The first box that loads a source with `part` in it finds `instead` there, and has `seconds` for each question:
    for what becomes of one box alone, while those after it do their work. Returns the list that it comes into."""
    first: list[Box] = []
    take = judge.take

    def taken(*arguments: Any, **options: Any) -> Box:
        box = take(*arguments, **options)
        ask = box.ask

        def asked(request: Mapping[str, Any], limit: float, *more: Any, **named: Any) -> Reply:
            if not first and request["op"] == "load" and part in request["source"]:
                first.append(box)
                request = {**request, "source": request["source"].replace(part, instead)}
            return ask(request, seconds if seconds is not None and box in first else limit, *more, **named)

        monkeypatch.setattr(box, "ask", asked)
        return box

    monkeypatch.setattr(judge, "take", taken)
    return first


@contextmanager
def ends() -> Iterator[None]:
    """Fail where this takes longer than LIMIT_SECONDS. A signal ends it, also within a regular expression, which lets
    no other thread go on."""

    def give_up(*_: object) -> None:
        pytest.fail(f"it goes on after {LIMIT_SECONDS:g} s")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, LIMIT_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class StoppedClock:
    """In the place of the module `time`: no time passes but what a test lets pass, or a thread sleeps."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.looks = Counter[str]()  # by the thread's name
        self.clock_gettime = time.clock_gettime

    def monotonic(self) -> float:
        self.looks[threading.current_thread().name] += 1
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds

    def let_pass(self, seconds: float, thread: str, answer: "Future[Any]") -> None:
        """Return once that thread has seen it, which looks again and again, or has its answer."""
        self.now += seconds
        enough = self.looks[thread] + 6
        until(lambda: self.looks[thread] >= enough or answer.done(), f"{thread} does not look at the clock")


def _file_name(key: str) -> str:
    for ending in ("py", "toml", "md"):
        if key.endswith(f"_{ending}"):
            key = key.removesuffix(f"_{ending}") + f".{ending}"
    return key.replace("__", "/")


def judged_by_numbers(*arguments: Any, **options: Any) -> SubmissionResult:
    """`judged`, with the diagnoses as they are where no change to the source makes it right."""
    result = judged(*arguments, **options)
    cases = tuple(replace(case, diagnosis=_without_repair(case.diagnosis)) for case in result.cases)
    return replace(result, diagnosis=_without_repair(result.diagnosis), cases=cases)


def _without_repair(sentence: str | None) -> str | None:
    of_numbers = (sentence or "").partition(f" {ORIGIN} ")[0]
    return None if not of_numbers or _REPAIR.fullmatch(of_numbers) else of_numbers


def _pattern(text: str) -> str:
    return re.sub(r"\\{\w+\\}", ".+?", re.escape(text))


_TEXTS = [*(text for texts in SENTENCES.values() for text in texts), *HINTED.values()]
_IN_PARTS = [text.replace(WITH, "") for text in _TEXTS] + [WITH.strip(), "With {new} all samples are right."]
_REPAIR = re.compile(
    f"(?:(?:{'|'.join(map(_pattern, _IN_PARTS))}| |Your answer is wrong in just those cases.*?\\.|Line .+?:)+)"
)
