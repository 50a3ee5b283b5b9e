"""What the calls took in time and memory, as the kernel tells."""

import time

import pytest

from graders.boxes.pool import Judge
from graders.exercise.definition import Exercise
from graders.grade import Finished, Usage, grade
from tests.graders.conftest import make_exercise, unhurried

PLAIN = "def doubled(x):\n    return 2 * x\n"
# 40 MB for a moment: gone long before anybody looks
BRIEFLY = "import numpy as np\n\ndef doubled(x):\n    np.ones(5_000_000).sum()\n    return 2 * x\n"


def usage(judge: Judge, exercise: Exercise, source: str, framework: str = "numpy") -> Usage | None:
    *_, last = grade(exercise, source.encode(), framework, judge)
    assert isinstance(last, Finished)
    return last.usage


@pytest.mark.parametrize("framework", ["numpy", "torch"])
def test_memory_that_was_there_for_a_moment_is_seen(judge: Judge, framework: str) -> None:
    exercise = unhurried(make_exercise())
    plain, briefly = (usage(judge, exercise, source, framework) for source in (PLAIN, BRIEFLY))
    assert plain is not None
    assert plain.peak_mb is not None
    assert plain.peak_mb < 20  # the framework's own is not in it
    assert briefly is not None
    assert briefly.peak_mb is not None
    assert 30 < briefly.peak_mb < 70


def test_the_time_is_that_of_all_calls(judge: Judge) -> None:
    sleeps = "import time\n\ndef doubled(x):\n    time.sleep(0.05)\n    return 2 * x\n"
    found = usage(judge, make_exercise(), sleeps)  # three cases
    assert found is not None
    assert found.wall_ms >= 150


def test_what_did_not_come_to_an_end_has_none(judge: Judge) -> None:
    assert usage(judge, make_exercise(), "def doubled(x):\n    while True: pass\n") is None
    assert usage(judge, make_exercise(), "def doubled(") is None


def test_where_the_time_went_is_known_stage_by_stage(judge: Judge) -> None:
    sleeps = "import time\ntime.sleep(0.05)\n\ndef doubled(x):\n    time.sleep(0.02)\n    return 3 * x\n"
    began = time.monotonic()
    *_, last = grade(make_exercise(), sleeps.encode(), "numpy", judge)
    elapsed_ms = (time.monotonic() - began) * 1000
    assert isinstance(last, Finished)
    stages = last.stages
    assert stages.load >= 50
    assert len(stages.calls) == len(last.result.cases)
    assert min(stages.calls) >= 20
    parts = [stages.cases, stages.box, stages.load, stages.compare, stages.diagnose]
    assert all(part > 0 for part in parts)
    assert sum(parts) + sum(stages.calls) < elapsed_ms


def test_what_is_not_judged_has_taken_no_time(judge: Judge) -> None:
    *_, last = grade(make_exercise(), b"\0", "numpy", judge)
    assert isinstance(last, Finished)
    assert vars(last.stages) == {"cases": 0, "box": 0, "load": 0, "calls": [], "compare": 0, "diagnose": 0}
