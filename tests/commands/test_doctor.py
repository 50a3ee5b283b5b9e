"""`lectern doctor` on a machine that lacks walls: which, why, and how to get them."""

import pytest

from app.doctor import REMEDIES, STOPS, examine
from graders.boxes.pool import Judge
from graders.boxes.sandbox import ALTERNATIVES, MINIMUM
from tests.needs import missing


def test_each_wall_that_is_down_is_said_with_its_reason_and_its_remedy(capsys: pytest.CaptureFixture[str]) -> None:
    off = ("seccomp", "uts", "cgroup", "watchdog")
    code = examine(Judge(frameworks=["numpy"], parked={"numpy": 1}, off=off))
    lines = capsys.readouterr().out.splitlines()
    for name in off:
        [at] = [number for number, line in enumerate(lines) if line.split()[:2] == ["DOWN", name]]
        assert lines[at + 1].split() == ["why:", "switched", "off"]
        assert lines[at + 2].strip() == f"remedy: {REMEDIES[name]}"
    assert "(required)" in next(line for line in lines if line.split()[:2] == ["DOWN", "seccomp"])
    assert any(line.startswith("The judge refuses to start.") and "seccomp" in line for line in lines)
    assert code == 1


def test_what_is_not_required_may_be_missing(capsys: pytest.CaptureFixture[str]) -> None:
    code = examine(Judge(frameworks=["numpy"], parked={"numpy": 1}, off=("cgroup", "uts", "ipc")))
    output = capsys.readouterr().out
    if "The judge refuses" in output:
        missing("walls", "this machine lacks others")
    assert code == 0
    assert output.count("DOWN") >= 3


def test_every_wall_that_a_box_reports_has_a_line(judge_walls: set[str]) -> None:
    assert judge_walls == set(STOPS) == set(REMEDIES)
    assert {*MINIMUM, *ALTERNATIVES} <= set(STOPS)


@pytest.fixture
def judge_walls() -> set[str]:
    with Judge(frameworks=["numpy"], parked={"numpy": 1}, require_walls=False) as judge:
        judge.take("numpy").close()
        return set(judge.walls())
