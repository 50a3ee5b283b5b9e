"""Work for authors goes to workers that can do it; what an exercise may ask for is decided where it is published."""

import re
from pathlib import Path
from typing import Any

import pytest

from app.queue.elsewhere import Elsewhere
from app.queue.exercises import packed
from app.queue.messages import Beat, Capabilities
from app.queue.nats import Broker
from app.queue.roster import Roster
from app.queue.tasks import Tasks
from app.queue.taskwork import Taskwork
from app.queue.workbench import Request
from app.settings import Settings
from graders.boxes.keeper import JudgeUnavailable
from graders.boxes.pool import Judge
from graders.exercise.built import Shelf
from graders.exercise.definition import Exercise
from graders.exercise.limits import CEILINGS
from graders.exercise.reader import require_ceilings
from tests.broker import Server
from tests.graders.conftest import make_exercise


def large() -> Exercise:
    toml = make_exercise().files["exercise.toml"].decode()
    return make_exercise(exercise_toml=re.sub(r"memory_mb = \d+", "memory_mb = 2048", toml))


def asked_of(broker: Server, tmp_path: Path, *workers: Capabilities) -> Elsewhere:
    roster = Roster()
    for number, capabilities in enumerate(workers):
        roster.heard(f"any.{number}", Beat((), capabilities, 1, 1, does_tasks=True))
    return Elsewhere(Tasks(Broker(broker.url("nobody"), "test"), roster), Shelf(tmp_path), CEILINGS)


@pytest.mark.parametrize("small", [Capabilities((), 1024), Capabilities(("torch",))])
def test_what_a_worker_cannot_do_is_not_asked_of_it(broker: Server, tmp_path: Path, small: Capabilities) -> None:
    """A small machine would call an author's exercise broken because it is small."""
    exercise, elsewhere = large(), asked_of(broker, tmp_path, small)
    with pytest.raises(JudgeUnavailable, match="numpy, jax, torch, 2048 MB of memory"):
        elsewhere.build(exercise)
    with pytest.raises(JudgeUnavailable, match="numpy, jax, torch, 2048 MB of memory"):
        elsewhere.admission_faults(exercise)
    with pytest.raises(JudgeUnavailable, match="numpy, jax, torch, 2048 MB of memory"):
        elsewhere.check("exercise", exercise.slug, exercise.stored, set(), lambda line: None, lambda: False)


def test_a_check_asks_for_what_may_be_asked_for_where_it_is_published(tmp_path: Path) -> None:
    toml = make_exercise().files["exercise.toml"].decode().replace("wall_seconds = 2", "wall_seconds = 60")
    exercise = make_exercise(exercise_toml=toml)
    asked = {"kind": "exercise", "slug": exercise.slug, "siblings": []}

    def check(fields: dict[str, Any]) -> str:
        work = Taskwork(judge, 1, CEILINGS, None)
        found, _ = work.check(Request(fields, packed(exercise.files), lambda line: None, lambda: True))
        return str(found["faults"])

    with Judge(frameworks=["numpy"]) as judge:
        assert "this server allows at most 30" in check(asked), "a web process of an earlier release does not say"
        ceilings = {**vars(CEILINGS), "wall_seconds": 45.0, "cpu_seconds": 90.0}
        assert "this server allows at most 45" in check({**asked, "ceilings": ceilings})


def test_a_worker_bounds_only_what_it_was_told_to(monkeypatch: pytest.MonkeyPatch) -> None:
    exercise = make_exercise(
        exercise_toml=make_exercise().files["exercise.toml"].decode().replace("wall_seconds = 2", "wall_seconds = 60")
    )
    require_ceilings(exercise, Settings().ceilings_of_worker)
    assert Settings().ceilings_of_worker.memory_mb == CEILINGS.memory_mb, "which it announces"
    monkeypatch.setenv("LECTERN_MAX_WALL_SECONDS", "45")
    with pytest.raises(Exception, match="at most 45"):
        require_ceilings(exercise, Settings().ceilings_of_worker)
