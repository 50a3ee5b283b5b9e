"""Control groups: what the kernel counts for a box, whose death it then is, and that none is left behind.

The first tests need groups that can be made (root on v1, or a delegated v2 subtree); the last lay out another
machine's /proc and /sys as plain files, to show which place is chosen there.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from graders.boxes.cgroups import ControlGroup, ControlGroups, NoGroups, find
from graders.boxes.pool import Judge
from graders.boxes.reply import Done
from graders.boxes.warmth import Warmth
from graders.exercise.definition import Exercise
from graders.exercise.runs import load
from graders.grade import Finished, grade
from graders.verdict import Verdict
from tests.conftest import used_bytes
from tests.needs import missing
from tests.waiting import exit_code, until

from .conftest import judged, unhurried, until_quiet

RIGHT = "def doubled(x):\n    return 2 * x\n"
TOUCHES = "def doubled(x):\n    kept = bytearray(b'x') * (400 << 20)\n    return 2 * x\n"
ALONE = ("rlimits", "watchdog")  # what else would see the memory
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def grouped() -> Iterator[Judge]:
    """A judge whose boxes' memory only control groups bound."""
    with Judge(frameworks=["numpy"], parked={"numpy": 1}, require_walls=False, off=ALONE) as judge:
        box = judge.take("numpy")
        why = box.walls["cgroup"]
        box.close()
        if why:
            missing("walls", f"no control groups: {why}")
        yield judge


def ours() -> set[str]:
    """Every group of this process's judges; other servers on the machine have their own."""
    return {folder for folder, _, _ in os.walk("/sys/fs/cgroup") if f"/lectern-{os.getpid()}-" in folder}


@pytest.fixture
def patient(doubled: Exercise) -> Exercise:
    """With time to touch all of its memory on a busy machine."""
    limits = replace(doubled.limits, wall_seconds=30.0, cpu_seconds=20.0, total_seconds=60.0)
    return replace(doubled, limits=limits)


def test_the_kernel_ends_a_box_at_its_limit_and_that_is_the_submissions_doing(
    grouped: Judge, patient: Exercise
) -> None:
    result = judged(grouped, patient, TOUCHES, "numpy")
    assert result.verdict == Verdict.memory_limit
    assert "256 MB" in result.summary
    assert judged(grouped, patient, RIGHT, "numpy").verdict == Verdict.accepted


def test_files_in_the_box_are_memory_of_the_box(grouped: Judge, patient: Exercise) -> None:
    box = grouped.take("numpy")
    try:
        assert isinstance(box.group, ControlGroup)
        before = used_bytes(box.group)
        source = "open('/box/file', 'wb').write(b'x' * (40 << 20))\ndef doubled(x): return 2 * x"
        reply = load(box, source, patient.entries, patient, "numpy")
        assert reply.answer == Done()
        assert used_bytes(box.group) - before >= 40 << 20
    finally:
        box.close()


@pytest.mark.usefixtures("grouped")
def test_a_box_warmed_for_an_exercise_gets_the_limit_of_its_submission(patient: Exercise) -> None:
    with Judge(frameworks=["jax"], parked={"jax": 1}, require_walls=False, off=ALONE) as judge:
        box = judge.take("jax")
        try:
            box.warm(Warmth((), (), False))
            assert isinstance(box.group, ControlGroup)
            assert load(box, RIGHT, patient.entries, patient, "jax").answer == Done()
            name = "memory.max" if box.group.version == 2 else "memory.limit_in_bytes"
            limit = int((box.group.folders["memory"] / name).read_text())
            assert 256 << 20 < limit < 1 << 30
        finally:
            box.close()


def test_threads_are_counted_by_the_kernel_where_no_limit_and_no_watchdog_counts_them(
    grouped: Judge, undrawn: Exercise
) -> None:
    source = """
import threading
threading.stack_size(128 << 10)  # the least on aarch64
def doubled(x):
    for _ in range(200): threading.Thread(target=threading.Event().wait, daemon=True).start()
    return 2 * x
"""
    result = judged(grouped, unhurried(undrawn), source, "numpy")
    if "pids" not in grouped.groups.folders:
        pytest.skip("no pids controller here")
    assert result.verdict == Verdict.runtime_error
    assert "thread" in str(result.cases[0].error)
    with Judge(frameworks=["numpy"], parked={"numpy": 1}, require_walls=False, off=(*ALONE, "cgroup")) as bare:
        assert judged(bare, unhurried(undrawn), source, "numpy").verdict == Verdict.accepted


def test_a_box_that_dies_because_others_took_the_memory_is_judged_again(patient: Exercise) -> None:
    """A group above the boxes' runs out, as a container's does: not the submission's fault, so never memory_limit."""
    with Judge(frameworks=["numpy"], parked={"numpy": 1}, off=("watchdog",)) as judge:
        box = judge.take("numpy")
        box.close()
        if box.walls["cgroup"]:
            missing("walls", f"no control groups: {box.walls['cgroup']}")
        judged(judge, patient, RIGHT, "numpy")  # its expected outputs are known
        above = judge.groups.folders["memory"]
        name = "memory.max" if judge.groups.version == 2 else "memory.limit_in_bytes"
        (above / name).write_text(str(150 << 20))
        taking = "def doubled(x):\n    kept = bytearray(b'x') * (200 << 20)\n    return 2 * x\n"  # it may have 256
        *_, last = grade(patient, taking.encode(), "numpy", judge)
        assert isinstance(last, Finished)
        assert last.result.verdict == Verdict.internal_error
        (above / name).write_text("max" if judge.groups.version == 2 else "-1")
        assert judged(judge, patient, taking, "numpy").verdict == Verdict.accepted


def test_no_group_and_no_descriptor_is_left_however_a_box_ends(judge: Judge, grouped: Judge, doubled: Exercise) -> None:
    for other in (judge, grouped):
        until_quiet(other)  # it opens and closes nothing meanwhile
    before = ours()
    ends = (RIGHT, "import os\nos._exit(1)", "def doubled(x):\n while True: pass", TOUCHES)
    with Judge(frameworks=["numpy"], parked={"numpy": 1}, require_walls=False, off=ALONE) as ending:
        box = ending.take("numpy")
        box.close()
        if box.walls["cgroup"]:
            missing("walls", f"no control groups: {box.walls['cgroup']}")
        judged(ending, doubled, RIGHT, "numpy")
        until_quiet(ending)
        # The kernel lets go of a box's memory a little later. One group is the judge's, one the parked box's.
        until(lambda: sum("box-" in group for group in ours() - before) == len(ending.groups.folders), ours)
        descriptors, groups = len(list(Path("/proc/self/fd").iterdir())), ours() - before
        for source in ends:
            judged(ending, doubled, source, "numpy")
        until_quiet(ending)
        until(lambda: len(ours() - before) <= len(groups), ours)
        assert len(list(Path("/proc/self/fd").iterdir())) == descriptors
        assert len(ours() - before) == len(groups), "the judge's group and the parked box's, in each hierarchy"
        assert not (ours() - before) & {group for group in groups if "box-" in group}
        in_use = ending.take("numpy")
    until(lambda: ours() == before, ours)  # a box that has been killed may take its time
    in_use.close()


def test_what_a_killed_server_left_is_taken_away_and_what_a_living_one_has_is_not(grouped: Judge) -> None:
    program = """
import signal
from graders.boxes.cgroups import ControlGroups
groups = ControlGroups()
group = groups.make(8)
print(*group.folders.values(), flush=True)
signal.pause()
"""
    server = subprocess.Popen([sys.executable, "-c", program], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert server.stdout
    left = set(server.stdout.readline().split())
    assert left
    living = ours()
    assert all(Path(group).is_dir() for group in left)

    first = ControlGroups()
    first.make(8)
    assert all(Path(group).is_dir() for group in left), "its server lives"
    server.send_signal(signal.SIGKILL)
    exit_code(server)
    server.stdout.close()
    second = ControlGroups()
    assert isinstance(second.make(8), ControlGroup)
    assert not any(Path(group).parent.exists() for group in left)
    assert all(Path(group).is_dir() for group in living if "box-" not in group), "the session's judges have theirs"
    first.close()
    second.close()


def test_a_server_killed_while_it_judges_leaves_no_box_and_the_next_takes_its_groups_away(grouped: Judge) -> None:
    program = """
import signal
from graders.boxes.pool import Judge
judge = Judge(frameworks=["numpy"], parked={"numpy": 1})
box = judge.take("numpy")
print(box.pid, *box.group.folders.values(), flush=True)
signal.pause()
"""
    server = subprocess.Popen([sys.executable, "-c", program], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert server.stdout
    pid, *left = server.stdout.readline().split()
    server.send_signal(signal.SIGKILL)
    exit_code(server)
    server.stdout.close()
    until(lambda: not Path(f"/proc/{pid}").exists(), "its box goes on")

    def are_taken_away() -> bool:
        following = ControlGroups()
        following.make(8)
        following.close()
        return not any(Path(group).exists() for group in left)

    until(are_taken_away, left)


def test_without_groups_limits_and_the_watchdog_hold_the_same_promise(patient: Exercise) -> None:
    for off in (("cgroup",), ("cgroup", "watchdog"), ("cgroup", "rlimits")):
        with Judge(frameworks=["numpy"], parked={"numpy": 1}, require_walls=False, off=off) as judge:
            assert judged(judge, patient, TOUCHES, "numpy").verdict == Verdict.memory_limit
            assert judged(judge, patient, RIGHT, "numpy").verdict == Verdict.accepted


# ------------------------------------------------------------------ which place is chosen on another machine


def machine(root: Path, own: str, mounts: str, groups: dict[str, dict[str, str]]) -> Path:
    """/proc/self and hierarchies as files below `root`."""
    (root / "proc/self").mkdir(parents=True)
    (root / "proc/self/cgroup").write_text(own)
    (root / "proc/self/mountinfo").write_text(mounts)
    for path, files in groups.items():
        (root / path).mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            (root / path / name).write_text(text)
    return root


V2 = "30 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw\n"
DELEGATED = {"cgroup.controllers": "cpu memory pids\n", "cgroup.subtree_control": "memory pids\n", "cgroup.procs": ""}


def test_a_delegated_service_has_its_boxes_beside_the_server(tmp_path: Path) -> None:
    service = "sys/fs/cgroup/system.slice/lectern.service"
    groups = {service: DELEGATED, f"{service}/lectern-server": {**DELEGATED, "cgroup.procs": "77\n"}}
    root = machine(tmp_path, "0::/system.slice/lectern.service/lectern-server\n", V2, groups)
    version, places = find(root)
    assert version == 2
    assert places == {"memory": root / service, "pids": root / service}


def test_a_container_moves_its_own_processes_aside_first(tmp_path: Path) -> None:
    own = {**DELEGATED, "cgroup.procs": f"1\n{os.getpid()}\n", "cgroup.type": "domain\n"}
    groups = {"sys/fs/cgroup": own, "sys/fs/cgroup/lectern-server": {"cgroup.procs": ""}}
    root = machine(tmp_path, "0::/\n", V2, groups)
    _, places = find(root)
    assert places["memory"] == root / "sys/fs/cgroup"
    assert (root / "sys/fs/cgroup/lectern-server/cgroup.procs").read_text().strip().endswith(str(os.getpid()))


def test_other_programs_in_our_group_are_not_moved(tmp_path: Path) -> None:
    other = os.getpid() + 1
    own = {**DELEGATED, "cgroup.procs": f"{other}\n{os.getpid()}\n", "cgroup.type": "domain\n"}
    above = {**DELEGATED, "cgroup.procs": "1\n"}
    root = machine(tmp_path, "0::/session\n", V2, {"sys/fs/cgroup": above, "sys/fs/cgroup/session": own})
    (root / f"proc/{other}").mkdir()
    (root / f"proc/{other}/stat").write_text(f"{other} (shell) S 1 1 1")
    with pytest.raises(NoGroups, match="Delegate=yes"):
        find(root)
    assert not (root / "sys/fs/cgroup/session/lectern-server").exists()


def test_v2_without_the_memory_controller_falls_back_to_v1(tmp_path: Path) -> None:
    mounts = (
        "30 23 0:26 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n"
        "31 23 0:27 /docker/abc /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
        "32 23 0:28 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids\n"
    )
    groups = {
        "sys/fs/cgroup/unified": {"cgroup.controllers": "\n"},
        "sys/fs/cgroup/memory/lectern": {},
        "sys/fs/cgroup/pids": {},
    }
    root = machine(tmp_path, "5:memory:/docker/abc/lectern\n8:pids:/\n0::/\n", mounts, groups)
    version, places = find(root)
    assert version == 1
    # a container sees only its part of the hierarchy: the path is taken from there on
    assert places == {"memory": root / "sys/fs/cgroup/memory/lectern", "pids": root / "sys/fs/cgroup/pids"}


def test_a_machine_without_any_says_why_for_both_versions(tmp_path: Path) -> None:
    root = machine(tmp_path, "0::/\n", "22 1 0:20 / / rw - ext4 disk rw\n", {})
    with pytest.raises(NoGroups, match="v2: not mounted; v1: the memory controller is not mounted"):
        find(root)
    assert str(ControlGroups(root).make(8)).startswith("v2:")


def test_what_a_v2_group_says_is_read_as_the_kernel_writes_it(tmp_path: Path) -> None:
    group = ControlGroup(ControlGroups(off=True), {"memory": tmp_path / "box-0"}, 2, 64)
    for name in ("memory.max", "memory.swap.max", "memory.current", "memory.events.local"):
        (tmp_path / "box-0" / name).write_text("")
    group.limit(300 << 20)
    assert (tmp_path / "box-0/memory.max").read_text() == str(300 << 20)
    assert (tmp_path / "box-0/memory.swap.max").read_text() == "0"
    events = tmp_path / "box-0/memory.events.local"
    events.write_text("low 0\nhigh 0\nmax 12\noom 1\noom_kill 1\noom_group_kill 0\n")
    assert group.overstepped()
    events.write_text("low 0\nhigh 0\nmax 12\noom 0\noom_kill 1\noom_group_kill 0\n")
    assert not group.overstepped(), "killed, but at the limit of a group above"
    events.unlink()
    assert not group.overstepped()
