"""What a box is: nothing of ours in it, nobody else beside it, and nothing left after it.

Each attack runs behind all walls, and again without namespaces, as where an ordinary container forbids them.
"""

import ctypes
import importlib.util
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from graders.boxes import proc, sandbox
from graders.boxes.keeper import JudgeUnavailable
from graders.boxes.pool import Judge
from graders.boxes.reply import Done
from graders.boxes.sandbox import Box, BoxLost
from graders.exercise.built import cases_of, mistakes_of
from graders.exercise.cases import request_of
from graders.exercise.definition import Exercise
from graders.exercise.runs import load
from graders.grade import Finished, grade
from graders.inside import walls
from graders.verdict import SubmissionResult, Verdict
from tests.conftest import note_taken, require_boxes
from tests.graders.ordinary_container import CONTAINER, HIDDEN_PYTHON
from tests.needs import missing
from tests.waiting import LIMIT_SECONDS, until, until_ended

from .conftest import (
    StoppedClock,
    differs_at_first,
    judged,
    make_exercise,
    uncached,
    unhurried,
    until_quiet,
    when_asked,
)

NAMESPACES = ("user", "pid", "mount", "net", "ipc", "uts")
SPARED = tuple(name for name in NAMESPACES if not (HIDDEN_PYTHON and name == "mount"))
IS_ROOT = os.getuid() == 0
RIGHT = "def doubled(x):\n    return 2 * x\n"


@pytest.fixture(scope="module")
def doubled() -> Exercise:
    """With time enough on a slow machine, or an attack that time ended would look like one that a wall stopped."""
    return unhurried(make_exercise())


@pytest.fixture(scope="module", params=["all walls", "no namespaces", "no landlock"])
def walled(request: pytest.FixtureRequest, judge: Judge) -> Iterator[Judge]:
    if request.param == "all walls":
        yield judge
        return
    off = SPARED if request.param == "no namespaces" else ("landlock",)
    with Judge(frameworks=["numpy"], parked={"numpy": 1}, off=off) as other:
        require_boxes(other)
        yield other


def prints(judge: Judge, exercise: Exercise, body: str) -> str:
    """What `body` prints inside a box, where it may read `breach(...)` out loud."""
    lines = "\n".join(f"    {line}" for line in body.strip().splitlines())
    result = judged(judge, exercise, f"def doubled(x):\n{lines}\n    return 2 * x\n", "numpy")
    assert result.cases[0].error is None, result.cases[0].error
    return result.cases[0].stdout or ""


def test_the_environment_holds_nothing_of_the_servers(
    judge: Judge, doubled: Exercise, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://secret")
    with Judge(frameworks=["numpy"], parked={"numpy": 1}) as fresh:
        said = prints(fresh, doubled, "import os; print(dict(os.environ))")
    assert "secret" not in said
    assert "LECTERN" not in said
    assert "'HOME': '/box'" in said


def test_four_descriptors_are_open_and_no_more(walled: Judge, doubled: Exercise) -> None:
    body = """
import os
for fd in range(64):
    try:
        os.fstat(fd)
        print(fd, end=' ')
    except OSError: pass
"""
    assert prints(walled, doubled, body).split() == ["0", "1", "2", "3"]


def test_files_of_the_host_cannot_be_read(walled: Judge, doubled: Exercise, tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    canary = tmp_path / "canary"
    canary.write_text("CANARY")
    canary.chmod(0o644)
    root = Path(__file__).resolve().parents[2]
    targets = [str(canary), "/etc/passwd", "/etc/shadow", "/proc/1/environ", "/proc/1/mem",
               str(root / "pyproject.toml"), str(root / "exercises"), "/root/.bashrc", "/var/log", "/home"]  # fmt: skip
    body = f"""
import os
for path in {targets!r}:
    try: print('BREACH', os.listdir(path) if os.path.isdir(path) else open(path, 'rb').read(20))
    except OSError: pass
print('done')
"""
    assert prints(walled, doubled, body).split() == ["done"]


def test_nothing_of_the_installation_can_be_written(walled: Judge, doubled: Exercise) -> None:
    body = """
import os, numpy, sys
for path in (os.path.dirname(numpy.__file__), sys.prefix, '/', '/etc', '/usr', '/proc'):
    try:
        open(path + '/planted.py', 'w').close()
        print('BREACH', path)
    except OSError: pass
print('done')
"""
    assert prints(walled, doubled, body).split() == ["done"]


# io_uring_setup, bpf, perf_event_open, userfaultfd, keyctl, init_module, kexec_load, unshare, ptrace, process_vm_readv,
# process_vm_writev, seccomp, open_by_handle_at, name_to_handle_at, clone3
CALLS = {
    "x86_64": (425, 321, 298, 323, 250, 175, 246, 272, 101, 310, 311, 317, 304, 303, 435),
    "aarch64": (425, 280, 241, 282, 219, 105, 104, 97, 117, 270, 271, 277, 265, 264, 435),
}


def test_no_socket_no_exec_no_child_no_signal_no_trace(walled: Judge, doubled: Exercise) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setblocking(False)
        body = f"""
import ctypes, fcntl, os, resource, socket, subprocess, mmap
libc = ctypes.CDLL(None, use_errno=True)
def tried(name, call):
    try:
        result = call()
        if result is None or not isinstance(result, int) or result >= 0: print('BREACH', name, result)
    except Exception as error: pass
tried('tcp', lambda: socket.create_connection(('127.0.0.1', {listener.getsockname()[1]}), 1))
for family in (socket.AF_UNIX, socket.AF_INET, socket.AF_INET6, 16, 17, 38, 40):
    tried(f'socket {{family}}', lambda: socket.socket(family, socket.SOCK_STREAM))
tried('exec', lambda: subprocess.run(['/bin/true']))
tried('fork', os.fork)
tried('vfork', libc.vfork)
tried('memfd', lambda: os.memfd_create('x'))
tried('kill', lambda: os.kill(os.getppid() or 1, 0))
tried('kill all', lambda: os.kill(-1, 9))
tried('ptrace', lambda: libc.ptrace(16, os.getppid(), 0, 0))
tried('mount', lambda: libc.mount(b'none', b'/box', b'tmpfs', 0, None))
tried('unshare', lambda: libc.unshare(0x10000000))
tried('setuid', lambda: os.setuid(0))
tried('chroot', lambda: os.chroot('/box'))
tried('chmod', lambda: os.chmod('/box', 0o777))
tried('shmget', lambda: libc.shmget(1, 4096, 0o1666))
tried('nice', lambda: os.nice(-5))
tried('signal by a pipe', lambda: fcntl.fcntl(0, fcntl.F_SETOWN, os.getppid()))
tried('which signal', lambda: fcntl.fcntl(0, fcntl.F_SETSIG, 9))
tried('signal by a limit', lambda: resource.setrlimit(resource.RLIMIT_CPU, (9, 9)))
tried('time of a file', lambda: os.utime('/box'))
for number in {CALLS[os.uname().machine]}:
    tried(f'syscall {{number}}', lambda: libc.syscall(number, 0, 0, 0, 0, 0, 0))
print('done')
"""
        assert prints(walled, doubled, body).split() == ["done"]
        with pytest.raises(BlockingIOError):
            listener.accept()


def test_the_32_bit_door_kills_the_process_that_knocks(walled: Judge, doubled: Exercise) -> None:
    source = """
import ctypes, mmap
def doubled(x):
    code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    code.write(b'\\xb8\\x14\\x00\\x00\\x00\\xcd\\x80\\xc3')  # mov eax, getpid; int 0x80; ret
    function = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))
    print('BREACH', function())
    return 2 * x
"""
    result = judged(walled, doubled, source, "numpy")
    assert result.verdict == Verdict.runtime_error
    assert "BREACH" not in str(result)


def test_what_one_submission_leaves_the_next_does_not_find(walled: Judge, doubled: Exercise) -> None:
    leave = """
import numpy, sys, builtins
for path in ('/box/left', '/tmp/left'):
    try: open(path, 'w').write('left')
    except OSError: pass
numpy.left = sys.left = builtins.left = True
"""
    find = """
import numpy, os, sys, builtins
print([hasattr(thing, 'left') for thing in (numpy, sys, builtins)],
      os.path.exists('/box/left'), os.path.exists('/tmp/left'))
"""
    prints(walled, doubled, leave)
    assert prints(walled, doubled, find).strip() == "[False, False, False] False False"


def test_boxes_share_a_root_that_is_read_only_and_no_folder_to_write(judge: Judge) -> None:
    """They copy the root of their zygote, which lives in it too."""
    if not IS_ROOT:
        pytest.skip("an ordinary user may not look into his own boxes")
    boxes = [judge.take("numpy") for _ in range(2)]
    try:
        if why := boxes[0].walls["mount"]:
            missing("walls", f"mount: {why}")
        mounts = [line.split() for line in Path(f"/proc/{boxes[0].pid}/mountinfo").read_text().splitlines()]
        writable = [fields[4] for fields in mounts if not fields[5].startswith("ro,")]
        assert writable == ["/box"]
        roots = [Path(f"/proc/{pid}/root") for pid in (*(box.pid for box in boxes), judge.zygotes()["numpy"])]
        (roots[0] / "box/left").write_text("left")
        assert [(root / "box/left").exists() for root in roots] == [True, False, False]
        shared = {(root / "proc/cpuinfo").stat().st_dev for root in roots}
        assert len(shared) == 1, "or this shows nothing"
        assert {(root / "etc/passwd").exists() for root in roots} == {False}
    finally:
        for box in boxes:
            box.close()


def test_threads_are_counted_where_no_limit_counts_them(doubled: Exercise) -> None:
    source = """
import threading
threading.stack_size(128 << 10)  # the least on aarch64
def doubled(x):
    for _ in range(1000): threading.Thread(target=threading.Event().wait, daemon=True).start()
    threading.Event().wait()
"""
    with Judge(frameworks=["numpy"], parked={"numpy": 1}, require_walls=False, off=("rlimits", "cgroup")) as judge:
        result = judged(judge, doubled, source, "numpy")
        assert result.verdict == Verdict.runtime_error
        assert "64 threads" in result.summary


def test_an_exercise_may_grant_fewer_threads(doubled: Exercise) -> None:
    source = """
import threading
def doubled(x):
    go_on = threading.Event()
    threads = [threading.Thread(target=go_on.wait, daemon=True) for _ in range(COUNT)]
    for thread in threads: thread.start()
    if COUNT == 3: go_on.set()  # more are stopped by others
    for thread in threads: thread.join()
    return 2 * x
"""
    few = replace(doubled, limits=replace(doubled.limits, threads=4))
    with Judge(frameworks=["numpy"], parked={"numpy": 1}, require_walls=False, off=("cgroup",)) as judge:
        assert judged(judge, few, source.replace("COUNT", "3"), "numpy").verdict == Verdict.accepted
        result = judged(judge, few, source.replace("COUNT", "9"), "numpy")
        assert result.verdict == Verdict.runtime_error
        assert "4 threads" in result.summary


def test_the_box_folder_is_small(judge: Judge, doubled: Exercise) -> None:
    body = """
import os
def fill():
    try:
        for n in range(10_000):
            with open(f'/box/{n}', 'wb') as file: file.write(b'x' * (1 << 20))
        print('BREACH')
    except OSError as error: print(n, error.strerror)
fill()
"""
    count, *why = prints(judge, doubled, body).split(maxsplit=1)
    assert int(count) <= 64, why


def test_a_server_that_is_root_gives_each_box_a_uid_that_owns_nothing(judge: Judge, doubled: Exercise) -> None:
    if os.getuid() != 0:
        pytest.skip("needs root: an ordinary user's boxes keep its uid")
    uids = {prints(judge, doubled, "import os; print(os.getuid(), os.geteuid(), os.getgroups())") for _ in range(2)}
    assert len(uids) == 2
    assert all(int(said.split()[0]) >= 61_000 for said in uids)


def test_honest_threads_and_files_work(walled: Judge, doubled: Exercise) -> None:
    source = """
from concurrent.futures import ThreadPoolExecutor
import tempfile, numpy as np
def doubled(x):
    with ThreadPoolExecutor(4) as pool:
        return np.array(list(pool.map(lambda value: value * 2, x)), np.float32)
"""
    assert judged(walled, doubled, source, "numpy").verdict == Verdict.accepted


@pytest.mark.parametrize("framework", ["numpy", "jax", "torch"])
def test_honest_submissions_of_every_framework_run_without_namespaces(gather: Exercise, framework: str) -> None:
    # cases and their mistakes may ask for any framework; a machine may lack one
    spared = replace(unhurried(gather), mistakes=())
    with Judge(frameworks=dict.fromkeys(["numpy", framework]), parked={}, off=SPARED) as judge:
        source = gather.files[f"solutions/{framework}.py"]
        assert judged(judge, spared, source, framework).verdict == Verdict.accepted


@pytest.mark.parametrize("missing", [("seccomp",), ("uid", "user"), ("rlimits",), ("landlock", *NAMESPACES)])
def test_below_the_minimum_the_judge_refuses_and_says_how_to_get_it(missing: tuple[str, ...]) -> None:
    if "uid" in missing and os.getuid() != 0:
        missing = ("seccomp", *missing)
    with Judge(frameworks=["numpy"], off=missing) as judge, pytest.raises(JudgeUnavailable) as refused:
        judge.take("numpy", 20)
    assert any(name in refused.value.message for name in missing)
    assert "doctor" in refused.value.hint


def test_a_python_that_only_root_may_enter_is_said_not_stumbled_over() -> None:
    if not HIDDEN_PYTHON:
        pytest.skip("this Python can be read by everyone")
    with Judge(frameworks=["numpy"], off=NAMESPACES) as judge, pytest.raises(JudgeUnavailable, match="only root may"):
        judge.take("numpy", 20)


def test_sandbox_off_runs_with_whatever_walls_there_are(doubled: Exercise) -> None:
    with Judge(frameworks=["numpy"], require_walls=False, off=("seccomp", "landlock")) as judge:
        assert judged(judge, doubled, RIGHT, "numpy").verdict == Verdict.accepted


def descendants(pid: int) -> set[int]:
    """Children, and theirs: zygotes, boxes. Any of them may end while it is looked at."""
    found: set[int] = set()
    with suppress(FileNotFoundError, ProcessLookupError):
        for children in Path(f"/proc/{pid}/task").glob("*/children"):
            with suppress(FileNotFoundError, ProcessLookupError):
                for child in map(int, children.read_text().split()):
                    found |= {child} | descendants(child)
    return found


def until_settled(judge: Judge, before: set[int]) -> None:
    """Until it has a zygote, the process that started it, and a parked box: a busy machine may still end others."""

    def processes() -> int:
        return len(descendants(os.getpid()) - before)

    until(lambda: processes() == 3 and judge.parked()["numpy"] == 1, lambda: f"{processes()} processes")


def test_after_it_no_process_no_descriptor_and_no_mount_is_left(judge: Judge) -> None:
    doubled = make_exercise()  # one that never ends is ended soon
    until_quiet(judge)
    before = descendants(os.getpid())
    with Judge(frameworks=["numpy"], parked={"numpy": 1}) as ending:
        require_boxes(ending)
        judged(ending, doubled, RIGHT, "numpy")
        until_settled(ending, before)
        descriptors, mounts = len(list(Path("/proc/self/fd").iterdir())), Path("/proc/self/mounts").read_text()
        for source in (RIGHT, "import os\nos._exit(1)", "import threading\ndef doubled(x):\n while True: pass") * 2:
            judged(ending, doubled, source, "numpy")
        until_settled(ending, before)
        assert len(list(Path("/proc/self/fd").iterdir())) == descriptors
        assert Path("/proc/self/mounts").read_text() == mounts
        ours = descendants(os.getpid()) - before
    until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in ours), ours)


# ------------------------------------------------------------------ each wall on its own
#
# An attack that it stops when all others are off, and that succeeds when it is off too. Everything an attack reaches is
# the test's own: a canary file, a listener, a sleeping process, a segment of shared memory. An ordinary user's
# namespaces come only with a user namespace ("the door"): for him the others are shown behind it, and what he never had
# (root's rights) is not shown at all.

SWITCHES = (*NAMESPACES, "uid", "landlock", "seccomp", "rlimits", "capabilities", "cgroup", "watchdog")


@dataclass(frozen=True)
class Canaries:
    """What attacks aim at, all of it ours."""

    readable: Path
    private: Path
    another_users: Path
    port: int
    sleeper: int
    segment: int


@pytest.fixture
def canaries(tmp_path: Path) -> Iterator[Canaries]:
    for folder in (tmp_path, *tmp_path.parents):
        if folder.stat().st_uid == os.getuid() and folder != Path("/tmp"):
            folder.chmod(folder.stat().st_mode | 0o055)
    files = []
    for name, mode in (("readable", 0o644), ("private", 0o600), ("another", 0o600)):
        files.append(tmp_path / name)
        files[-1].write_text("CANARY")
        files[-1].chmod(mode)
    if IS_ROOT:
        os.chown(files[2], 60_999, 60_999)
    sleeper = subprocess.Popen(["sleep", "60"])
    libc = ctypes.CDLL(None, use_errno=True)
    segment = libc.shmget(0, 4096, 0o1666)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield Canaries(files[0], files[1], files[2], listener.getsockname()[1], sleeper.pid, segment)
    libc.shmctl(segment, 0, None)
    sleeper.kill()
    sleeper.wait()


LIMITS = """
title = "Doubled"
entry = "doubled"
frameworks = ["numpy"]
[signature]
x = "float32[N]"
returns = "float32[N]"
[limits]
wall_seconds = 30
cpu_seconds = {}
memory_mb = 64
"""


@pytest.fixture(scope="module")
def burning() -> Exercise:
    return make_exercise(exercise_toml=LIMITS.format(0.2))


@pytest.fixture(scope="module")
def patient() -> Exercise:
    """What a busy machine does slowly stays within its limits."""
    return make_exercise(exercise_toml=LIMITS.format(30))


Behind = Callable[..., Judge]


def with_walls(*standing: str) -> Judge:
    """A judge of boxes behind these walls and no other that has a switch."""
    off = tuple(name for name in SWITCHES if name not in standing)
    return Judge(frameworks=["numpy"], parked={"numpy": 1}, require_walls=False, off=off)


@pytest.fixture(scope="module")
def behind() -> Iterator[Behind]:
    """`with_walls`, one for all tests: to start one takes longer than most attacks."""
    with ExitStack() as judges:

        @cache
        def kept(*standing: str) -> Judge:
            judge = judges.enter_context(with_walls(*standing))
            judge.take("numpy").close()
            return judge

        yield kept


def attacked(judge: Judge, exercise: Exercise, body: str) -> SubmissionResult:
    lines = "\n".join(f"        {line}" for line in body.strip().splitlines())
    source = (
        f"def doubled(x):\n    try:\n{lines}\n    except Exception as error: print(repr(error))\n    return 2 * x\n"
    )
    return judged(judge, exercise, source, "numpy")


Stops = Callable[..., SubmissionResult]


@pytest.fixture
def stops(behind: Behind) -> Stops:
    """What became of `body` behind `wall` alone; that it succeeds without is asserted on the way."""

    def stops(wall: str, exercise: Exercise, body: str, door: tuple[str, ...] = ()) -> SubmissionResult:
        assert attacked(behind(*door), exercise, body).cases[0].stdout == "BREACH\n", (
            "an attack that fails anyway shows nothing"
        )
        judge = behind(wall, *door)
        stand = judge.walls()
        if why := stand[wall]:
            missing("walls", f"{wall}: {why}")
        up = {name for name in SWITCHES if not stand[name]}
        assert up == {wall, *door}, "the others are off"
        result = attacked(judge, exercise, body)
        assert "BREACH" not in str(result)
        assert judged(judge, exercise, RIGHT, "numpy").verdict == Verdict.accepted
        return result

    return stops


DOOR = () if IS_ROOT else ("user",)
READS = "print('BREACH' if open({!r}).read() == 'CANARY' else '')"


def test_uid_keeps_what_only_the_server_may_read(stops: Stops, canaries: Canaries, doubled: Exercise) -> None:
    if not IS_ROOT:
        pytest.skip("an ordinary user's boxes keep its uid: that it is not root is the wall")
    result = stops("uid", doubled, READS.format(str(canaries.private)))
    assert "PermissionError" in str(result.cases[0].stdout)


def test_user_namespace_takes_the_rights_over_the_host_even_from_root(stops: Stops, doubled: Exercise) -> None:
    if not IS_ROOT:
        pytest.skip("an ordinary user has no such rights: for his boxes it is the door to the other namespaces")
    stops("user", doubled, "import os\nos.nice(-5)\nprint('BREACH')")


def test_capabilities_are_dropped_even_from_root(stops: Stops, canaries: Canaries, doubled: Exercise) -> None:
    if IS_ROOT:  # root without capabilities is a user like others: another's file is another's
        stops("capabilities", doubled, READS.format(str(canaries.another_users)))
    else:  # a user namespace begins with all capabilities in it
        body = "import ctypes\nprint('BREACH' if ctypes.CDLL(None).unshare(0x04000000) == 0 else 'refused')"
        stops("capabilities", doubled, body, DOOR)


def test_pid_namespace_hides_other_processes(stops: Stops, canaries: Canaries, doubled: Exercise) -> None:
    stops("pid", doubled, f"import os\nos.kill({canaries.sleeper}, 0)\nprint('BREACH')", DOOR)


@pytest.mark.parametrize("wall", ["mount", "landlock"])
def test_files_are_kept_by_a_mount_namespace_or_by_landlock(
    stops: Stops, canaries: Canaries, doubled: Exercise, wall: str
) -> None:
    door = DOOR if wall == "mount" else ()
    stops(wall, doubled, READS.format(str(canaries.readable)), door)
    stops(wall, doubled, f"open({str(canaries.readable)!r}, 'a').close()\nprint('BREACH')", door)
    planted = canaries.readable.parent / "planted"
    stops(wall, doubled, f"open({str(planted)!r}, 'w').close()\nprint('BREACH')", door)


def test_net_namespace_has_nobody_to_talk_to(stops: Stops, canaries: Canaries, doubled: Exercise) -> None:
    body = f"import socket\nsocket.create_connection(('127.0.0.1', {canaries.port}), 1).close()\nprint('BREACH')"
    stops("net", doubled, body, DOOR)


def test_landlock_connects_nowhere_either(stops: Stops, canaries: Canaries, doubled: Exercise) -> None:
    if walls.libc.syscall(walls.SYS_LANDLOCK, None, 0, 1) < 4:
        pytest.skip("this kernel's Landlock knows no network (ABI 4, Linux 6.7)")
    body = f"import socket\nsocket.create_connection(('127.0.0.1', {canaries.port}), 1).close()\nprint('BREACH')"
    stops("landlock", doubled, body)


def test_ipc_namespace_has_no_memory_of_others(stops: Stops, canaries: Canaries, doubled: Exercise) -> None:
    body = f"""
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
libc.shmat.restype = ctypes.c_ssize_t
print('BREACH' if libc.shmat({canaries.segment}, None, 0o10000) > 0 else 'refused')
"""
    stops("ipc", doubled, body, DOOR)


def test_uts_namespace_does_not_know_the_hosts_name(stops: Stops, doubled: Exercise) -> None:
    """Renaming the host is what it is there for; the test looks instead of renaming this one."""
    stops("uts", doubled, f"import os\nprint('BREACH' if os.uname().nodename == {os.uname().nodename!r} else '')", DOOR)


@pytest.mark.parametrize(
    "attempt",
    [
        "os.waitpid(os.fork() or os._exit(0), 0)",
        "subprocess.run(['/bin/true'], check=True)",
        "socket.socket(socket.AF_UNIX).close()",
        "os.close(os.memfd_create('x'))",
        "os.kill(os.getpid(), 0)",
        "os.mkfifo('/dev/shm/lectern-canary')",
        "mmap.mmap(-1, 1 << 20)",
        "resource.setrlimit(resource.RLIMIT_CPU, (99, 99))",
        "os.sched_setaffinity(0, os.sched_getaffinity(0))",
        "fcntl.flock(open(os.__file__), fcntl.LOCK_EX)",
        "fcntl.lockf(open(os.__file__), fcntl.LOCK_SH)",
        "os.statvfs(os.__file__)",
        "os.getsid(os.getppid() or 1)",
        "os.getpgid(os.getppid() or 1)",
        "time.clock_gettime(~os.getpid() << 3 | 2)",  # as it is asked of any process
        "os.pipe2(os.O_DIRECT)",
        "mmap.mmap(os.open(os.__file__, os.O_RDONLY), 0, mmap.MAP_PRIVATE, mmap.PROT_READ).madvise(20)",  # MADV_COLD
        "ctypes.CDLL(None).sysinfo(ctypes.create_string_buffer(128)) == 0 or 1 / 0",
    ],
)
def test_seccomp_refuses_calls_that_tensor_code_never_makes(stops: Stops, doubled: Exercise, attempt: str) -> None:
    try:
        imports = "import ctypes, fcntl, mmap, os, resource, socket, subprocess, time"
        stops("seccomp", doubled, f"{imports}\n{attempt}\nprint('BREACH')")
    finally:
        Path("/dev/shm/lectern-canary").unlink(missing_ok=True)


ABOUT_THE_PROCESSOR = [
    "/proc/cpuinfo",
    *(f"/sys/devices/system/cpu/{name}" for name in ("kernel_max", "possible", "present")),
]


def test_of_proc_and_sys_a_box_reads_what_describes_the_processor_and_no_more(walled: Judge, doubled: Exercise) -> None:
    """Not even of itself: smaps tells what others have mapped, mountinfo where the host keeps things."""
    body = """
import glob, os
names = '''smaps smaps_rollup pagemap numa_maps maps map_files mountinfo mounts mountstats cgroup cmdline environ stat
statm status timerslack_ns timens_offsets sched schedstat io oom_score oom_score_adj wchan stack syscall limits
personality fd fdinfo ns net task attr clear_refs comm coredump_filter cpuset auxv exe root cwd mem uid_map
setgroups'''.split()
own = [f'/proc/{who}/{name}' for who in ('self', 'thread-self', os.getpid(), 1, 2) for name in names]
host = '''meminfo stat loadavg uptime vmstat zoneinfo buddyinfo slabinfo pagetypeinfo interrupts softirqs schedstat
diskstats locks swaps sys/kernel/random/boot_id sys/fs/dentry-state sys/fs/inode-nr sys/fs/file-nr
sys/kernel/ns_last_pid mounts net net/dev pressure/cpu pressure/memory pressure/io sysvipc/shm version filesystems
cmdline kallsyms keys key-users'''.split()
cpu = [f'/sys/devices/system/cpu/{name}' for name in ('online', 'cpu0/cpufreq/scaling_cur_freq', 'kernel_max')]
listed = [path for top in ('/proc', '/sys') for path in glob.glob(top + '/**', recursive=True, include_hidden=True)]
for path in sorted({path.rstrip('/') for path in [*own, *(f'/proc/{name}' for name in host), *cpu, *listed]}):
    try:
        if not os.path.isdir(path): open(path, 'rb').read(1)
        elif path.startswith('/proc/') and os.listdir(path): pass
        else: continue
        print(path)
    except OSError: pass
"""
    assert set(prints(walled, doubled, body).split()) <= set(ABOUT_THE_PROCESSOR)


def test_what_describes_the_processor_is_no_file_of_the_kernels(judge: Judge, doubled: Exercise) -> None:
    """/proc/cpuinfo is live (how fast each processor runs now); a box has it as it was when its zygote began."""
    box = judge.take("numpy")
    box.close()
    if box.walls["mount"]:
        missing("walls", f"mount: {box.walls['mount']}")
    body = f"""
import os
for path in {ABOUT_THE_PROCESSOR!r}:
    if os.path.exists(path): print(os.stat(path).st_dev == os.stat('/').st_dev and len(open(path).read()) > 0)
"""
    said = prints(judge, doubled, body).splitlines()
    assert said
    assert set(said) == {"True"}


def test_reading_a_library_leaves_no_time_of_it(behind: Behind, doubled: Exercise) -> None:
    """A time of access is a bit that the next box reads. Where a file system keeps none, nothing is shown."""
    found = importlib.util.find_spec("numpy")
    assert found
    assert found.origin
    path = Path(found.origin).with_name("__config__.pyi")
    kept = path.stat()
    body = f"open({str(path)!r}).read()\nprint('read')"

    def is_left_behind(*standing: str) -> bool:
        judge = behind(*standing)
        stand = judge.walls()
        if down := [stand[name] for name in standing if stand[name]]:
            missing("walls", down[0])
        os.utime(path, ns=(1, kept.st_mtime_ns))
        assert attacked(judge, doubled, body).cases[0].stdout == "read\n"
        return path.stat().st_atime_ns != 1

    try:
        if not is_left_behind(*DOOR):
            pytest.skip("this file system keeps no times of access")
        assert not is_left_behind("mount", *DOOR)
    except PermissionError:
        pytest.skip("the installation is another's")
    finally:
        with suppress(PermissionError):
            os.utime(path, ns=(kept.st_atime_ns, kept.st_mtime_ns))


# ------------------------------------------------------------------ two boxes at once
#
# One box speaks, another listens, at the same time, through nothing but the machine that they share. Which numbers are
# spoken only the test knows; the listener prints what it heard.

SPOKEN = (1, 4, 5, 7)
BY_FUTEX = """
import ctypes, platform, threading, time
libc = ctypes.CDLL(None, use_errno=True)
CALL = {'x86_64': 202, 'aarch64': 98}[platform.machine()]
page = ctypes.cast(libc.printf, ctypes.c_void_p).value & ~4095  # of libc's file, the same in every box
def futex(n, operation, value):
    seconds = (ctypes.c_long * 2)(20, 0)
    return libc.syscall(CALL, ctypes.c_void_p(page + 4 * n), operation, value, seconds, None, -1)
"""
SAYS_BY_FUTEX = f"""{BY_FUTEX}
def wait(n): futex(n, 0, ctypes.c_uint.from_address(page + 4 * n).value)
threads = [threading.Thread(target=wait, args=(n,)) for n in SPOKEN]
for thread in threads: thread.start()
for thread in threads: thread.join()
"""
HEARS_BY_FUTEX = f"""{BY_FUTEX}
heard, until = set(), time.monotonic() + PATIENCE
while len(heard) < COUNT and time.monotonic() < until:
    heard |= {{n for n in range(8) if futex(n, 1, 1) > 0}}
    time.sleep(0.001)
print(*sorted(heard))
"""
BY_MAPPING = """
import glob, mmap, numpy, os, time
files = sorted(glob.glob(os.path.join(os.path.dirname(numpy.__file__), '*.pyi')))[:8]
def mapped(n):
    with open(files[n], 'rb') as file:
        kept = mmap.mmap(file.fileno(), 0, mmap.MAP_PRIVATE, mmap.PROT_READ)
    return kept, kept[0]
"""
SAYS_BY_MAPPING = f"{BY_MAPPING}kept = [mapped(n) for n in SPOKEN]\ntime.sleep(PATIENCE)\n"
HEARS_BY_MAPPING = f"""{BY_MAPPING}
def is_shared(n):
    kept = mapped(n)
    text = open('/proc/self/smaps').read().partition(files[n])[2]
    return int(text.partition('Shared_Clean:')[2].split()[0]) > 0
heard, until = set(), time.monotonic() + PATIENCE
while len(heard) < COUNT and time.monotonic() < until:
    heard = {{n for n in range(8) if is_shared(n)}}
    time.sleep(0.01)
print(*sorted(heard))
"""


def whispered(judge: Judge, exercise: Exercise, says: str, hears: str, seconds: int) -> str:
    """What one box heard of another."""

    def run(body: str) -> str:
        for name, value in (("SPOKEN", SPOKEN), ("COUNT", len(SPOKEN)), ("PATIENCE", seconds)):
            body = body.replace(name, str(value))
        lines = "\n".join(f"        {line}" for line in body.strip().splitlines())
        source = f"def doubled(x):\n    if x.size != 3: return 2 * x\n    try:\n{lines}\n"
        source += "    except OSError: print('nothing')\n    return 2 * x\n"
        result = judged(judge, exercise, source, "numpy")
        assert result.cases[0].error is None, result.cases[0].error
        return (result.cases[0].stdout or "").strip()

    judged(judge, exercise, RIGHT, "numpy")  # its cases are known
    with ThreadPoolExecutor(2) as both:
        said, heard = both.submit(run, says), both.submit(run, hears)
        said.result()
        return heard.result()


HEARD = " ".join(map(str, SPOKEN))


def keeps_apart(judge: Judge, behind: Behind, standing: tuple[str, ...] | None) -> Judge:
    """A judge of boxes behind these walls, or all of them. Skips where one cannot stand."""
    if standing is None:
        return judge
    keeping = behind(*standing)
    stand = keeping.walls()
    if down := [stand[name] for name in standing if stand[name]]:
        missing("walls", down[0])
    return keeping


@pytest.mark.parametrize("standing", [("seccomp",), None], ids=["seccomp alone", "all walls"])
def test_two_boxes_do_not_whisper_by_a_futex_on_a_librarys_page(
    judge: Judge, behind: Behind, patient: Exercise, standing: tuple[str, ...] | None
) -> None:
    keeping = keeps_apart(judge, behind, standing)
    assert whispered(behind(), patient, SAYS_BY_FUTEX, HEARS_BY_FUTEX, 20) == HEARD, "what fails anyway shows nothing"
    assert whispered(keeping, patient, SAYS_BY_FUTEX, HEARS_BY_FUTEX, 4) == ""


@pytest.mark.parametrize("standing", [("mount", *DOOR), ("landlock",), None], ids=["mount", "landlock", "all walls"])
def test_two_boxes_do_not_whisper_by_what_is_mapped(
    judge: Judge, behind: Behind, patient: Exercise, standing: tuple[str, ...] | None
) -> None:
    keeping = keeps_apart(judge, behind, standing)
    assert whispered(behind(), patient, SAYS_BY_MAPPING, HEARS_BY_MAPPING, 8) == HEARD, (
        "what fails anyway shows nothing"
    )
    assert whispered(keeping, patient, SAYS_BY_MAPPING, HEARS_BY_MAPPING, 2) == "nothing"


def test_rlimits_bound_memory_descriptors_and_files(stops: Stops, doubled: Exercise, burning: Exercise) -> None:
    result = stops("rlimits", burning, "kept = bytes(200 << 20)\nprint('BREACH')")
    assert "MemoryError" in str(result.cases[0].stdout)
    stops("rlimits", doubled, "import os\nkept = [os.dup(0) for _ in range(500)]\nprint('BREACH')")


TOUCHED = "kept = bytearray(b'x') * (400 << 20)\nprint('BREACH')"


def test_a_control_group_bounds_memory(stops: Stops, patient: Exercise) -> None:
    touched = "kept = bytearray(b'x') * (200 << 20)\nprint('BREACH')"
    assert stops("cgroup", patient, touched).verdict == Verdict.memory_limit


def test_the_watchdog_bounds_memory_and_processor_time(stops: Stops, patient: Exercise, burning: Exercise) -> None:
    # it looks every 10 ms, later on a machine that stands still; only the first case waits so long
    held = "import time\ntime.sleep(4 if len(x) == 3 else 0)\nprint('BREACH')"
    touched = f"kept = bytearray(b'x') * (100 << 20)\n{held}"
    assert stops("watchdog", patient, touched).verdict == Verdict.memory_limit
    shared = f"import mmap\nkept = mmap.mmap(-1, 100 << 20)\nkept.write(bytes(100 << 20))\n{held}"
    assert stops("watchdog", patient, shared).verdict == Verdict.memory_limit
    burns = (
        "import time\nbegan = time.process_time()\n"
        "while time.process_time() - began < (2 if len(x) == 3 else 0): pass\nprint('BREACH')"
    )
    assert stops("watchdog", burning, burns).verdict == Verdict.time_limit


def test_without_any_wall_there_is_still_nothing_of_the_servers_to_find(
    doubled: Exercise, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Environment and descriptors have no switch: they are not hidden from a box, a zygote never had them.

    That the attack could succeed is shown on an ordinary child of this process.
    """
    monkeypatch.setenv("LECTERN_CANARY", "secret")
    with (tmp_path / "database").open("w") as held:
        os.set_inheritable(held.fileno(), True)
        attack = f"""
import os
if 'LECTERN_CANARY' in os.environ: print('BREACH environment')
for fd in os.listdir('/proc/self/fd'):
    try:
        if os.readlink('/proc/self/fd/' + fd) == {held.name!r}: print('BREACH descriptor')
    except OSError: pass
"""
        child = subprocess.run(
            [sys.executable, "-c", attack], close_fds=False, capture_output=True, text=True, check=True
        )
        assert child.stdout.splitlines() == ["BREACH environment", "BREACH descriptor"]
        with with_walls() as judge:
            result = attacked(judge, doubled, attack)
    assert result.verdict == Verdict.accepted
    assert not result.cases[0].stdout


def test_every_test_that_the_sandboxs_page_names_exists() -> None:
    root = Path(__file__).resolve().parents[2]
    named = set(re.findall(r"`(test_\w+)`", (root / "docs/sandbox.md").read_text()))
    code = "".join(file.read_text() for file in (root / "tests").rglob("test_*.py"))
    assert len(named) > 15
    assert {name for name in named if f"def {name}(" not in code} == set()


# ------------------------------------------------------------------ inside an ordinary container


@pytest.mark.extra
def test_inside_an_ordinary_containers_rules_the_same_promises_hold(canaries: Canaries) -> None:
    attempts = (
        READS.format(str(canaries.readable)),
        "print('BREACH', __import__('os').listdir('/etc'))",
        f"__import__('socket').create_connection(('127.0.0.1', {canaries.port}), 1)\nprint('BREACH')",
        f"__import__('os').kill({canaries.sleeper}, 0)\nprint('BREACH')",
        "__import__('os').fork()\nprint('BREACH')",
        "open('/tmp/lectern-canary', 'w')\nprint('BREACH')",
        TOUCHED,
    )
    sources = [RIGHT]
    for body in attempts:
        lines = "\n".join(f"        {line}" for line in body.splitlines())
        sources.append(f"def doubled(x):\n    try:\n{lines}\n    except OSError: print('stopped')\n    return 2 * x\n")
    ran = subprocess.run(
        [sys.executable, "-c", CONTAINER, json.dumps([*sources, RIGHT])],
        cwd=Path(__file__).resolve().parents[2], capture_output=True, text=True, timeout=LIMIT_SECONDS,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    found = json.loads(ran.stdout)
    if HIDDEN_PYTHON:
        assert "only root may enter" in found["refused"]
        return
    standing = {name for name, reason in found["walls"].items() if not reason}
    assert not standing & set(walls.NAMESPACES), "a container has none"
    assert {"uid", "landlock", "seccomp", "rlimits", "capabilities", "watchdog"} <= standing
    assert found["judged"][0] == ["accepted", None]
    assert found["judged"][1:-2] == [["accepted", "stopped\n"]] * (len(attempts) - 1)
    assert found["judged"][-2][0] == "memory_limit"
    assert found["judged"][-1] == ["accepted", None]


# ------------------------------------------------------------------ faults of the judge itself


def test_a_box_killed_from_outside_mid_case_is_judged_again(
    judge: Judge, undrawn: Exercise, monkeypatch: pytest.MonkeyPatch
) -> None:
    undrawn = unhurried(undrawn)
    judged(judge, undrawn, RIGHT)  # its cases are known: the next box taken is the submission's
    boxes = note_taken(judge, monkeypatch)
    stays = RIGHT.replace("\n", "\n    while len(x) != 3: pass\n", 1)  # in the second of three cases
    first = differs_at_first(judge, monkeypatch, RIGHT, stays)
    with ThreadPoolExecutor(1) as student:
        answer = student.submit(judged, judge, undrawn, RIGHT)
        until(lambda: first and first[0].number == 3)
        os.kill(first[0].pid, signal.SIGKILL)
        assert answer.result().verdict == Verdict.accepted
    assert len(boxes) == 2


STAYS = """
import ctypes, os, signal, sys
numbers = os.open(f"/proc/{sys.argv[1]}/ns/pid", os.O_RDONLY)
assert ctypes.CDLL(None).setns(numbers, 0x20000000) == 0
child = os.fork()
if child == 0:
    signal.pause()
print("there", flush=True)
sys.stdin.read()
os.waitpid(child, 0)
"""


def test_a_killed_box_that_takes_long_to_end_is_no_fault_of_the_submission(
    judge: Judge, undrawn: Exercise, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a machine with much else to do, whose kernel ended it: it lets go of its memory and its channel first. Here
    it waits for a process that is numbered with it, and that nobody has waited for."""
    undrawn = unhurried(undrawn)
    question = request_of(undrawn, cases_of(judge, undrawn)[0].inputs)
    box = judge.take("numpy")
    if box.walls["pid"] or not IS_ROOT:
        box.close()
        pytest.skip("needs root, and a namespace of process numbers")
    source = "import time\ndef doubled(x):\n    time.sleep(3600)\n"
    assert isinstance(load(box, source, undrawn.entries, undrawn, "numpy").answer, Done)
    monkeypatch.setattr(sandbox, "time", clock := StoppedClock())
    looks: list[bool] = []
    are_all_ending = proc.are_all_ending

    def noted(pid: int) -> bool:
        looks.append(are_all_ending(pid))
        return looks[-1]

    monkeypatch.setattr(proc, "are_all_ending", noted)
    beside = subprocess.Popen(
        [sys.executable, "-c", STAYS, str(box.pid)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert beside.stdin
    assert beside.stdout
    with beside, ThreadPoolExecutor(1, thread_name_prefix="student") as student:
        assert beside.stdout.readline() == "there\n"
        answer = student.submit(box.ask, question, 20.0, undrawn.limits)
        until(lambda: box.number == 2)
        os.kill(box.pid, signal.SIGKILL)
        until(lambda: are_all_ending(box.pid))
        while not looks and not answer.done():
            clock.let_pass(3 * sandbox.EXIT_SECONDS, "student_0", answer)
        assert not answer.done(), "it is waited for longer than what ends by itself"
        beside.stdin.close()
        with pytest.raises(BoxLost):
            answer.result()
    box.close()


def test_three_boxes_killed_from_outside_are_our_failure_and_cost_the_student_nothing(
    judge: Judge, undrawn: Exercise, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, undrawn = "import time\ndef doubled(x):\n    time.sleep(3600)\n", unhurried(undrawn)
    judged(judge, undrawn, RIGHT)
    take = judge.take
    killers: list[threading.Thread] = []

    def doomed(framework: str, **wanted: Any) -> Box:
        box = take(framework, **wanted)
        killers.append(when_asked(box, lambda: os.kill(box.pid, signal.SIGKILL)))
        return box

    monkeypatch.setattr(judge, "take", doomed)
    *_, last = grade(undrawn, source.encode(), "numpy", judge)
    until_ended(*killers)
    assert len(killers) == 3
    assert isinstance(last, Finished)
    assert last.result.verdict == Verdict.internal_error
    assert "does not count against you" in last.result.summary


def test_a_zygote_killed_is_replaced_and_nothing_is_lost(doubled: Exercise, capfd: pytest.CaptureFixture[str]) -> None:
    with Judge(frameworks=["numpy"], parked={"numpy": 1}) as judge:
        require_boxes(judge)
        for _ in range(3):
            os.kill(judge.zygotes()["numpy"], signal.SIGKILL)
            assert judged(judge, doubled, RIGHT, "numpy").verdict == Verdict.accepted
            assert judged(judge, doubled, RIGHT, "numpy").verdict == Verdict.accepted
    assert "within" not in capfd.readouterr().err, "nobody waited until a box that never comes was given up"


def test_a_parked_box_that_died_is_not_handed_out(doubled: Exercise) -> None:
    with Judge(frameworks=["numpy"], parked={"numpy": 2}) as judge:
        require_boxes(judge)
        until_quiet(judge)
        parked = list(judge.keepers["numpy"].parked)
        for box in parked:
            os.kill(box.pid, signal.SIGKILL)
        until(lambda: not any(Path(f"/proc/{box.pid}").exists() for box in parked))
        assert judged(judge, doubled, RIGHT, "numpy").verdict == Verdict.accepted


def test_closing_the_judge_ends_a_box_in_use(undrawn: Exercise, monkeypatch: pytest.MonkeyPatch) -> None:
    undrawn = unhurried(undrawn)
    judge = Judge(frameworks=["numpy"], parked={"numpy": 1})
    require_boxes(judge)
    judged(judge, undrawn, RIGHT)
    boxes = note_taken(judge, monkeypatch)
    with ThreadPoolExecutor(1) as student:
        answer = student.submit(judged, judge, undrawn, "def doubled(x):\n    while True: pass\n", "numpy")
        until(lambda: boxes and boxes[0].number == 2)
        judge.close()
        with pytest.raises(BoxLost):  # or, had it come to its limit, a verdict
            answer.result()


MATRICES = {
    "numpy": "import numpy as np\na = np.ones((300, 300), np.float32)\n",
    "jax": "import jax.numpy as jnp\na = jnp.ones((300, 300))\n",
    "torch": "import torch\na = torch.ones(300, 300)\n",
}


@pytest.mark.parametrize("framework", MATRICES)
def test_matrix_products_run_quietly_in_every_framework(judge: Judge, doubled: Exercise, framework: str) -> None:
    """Libraries ask /proc/cpuinfo which instructions there are; where it is missing they complain in the prints."""
    source = MATRICES[framework] + "def doubled(x):\n    print(float((a @ a).sum()))\n    return 2 * x\n"
    assert judged(judge, unhurried(doubled), source, framework).cases[0].stdout == "27000000.0\n"


def test_a_box_killed_while_it_warms_leaves_nothing_open(monkeypatch: pytest.MonkeyPatch) -> None:
    with Judge(frameworks=["jax"], parked={"jax": 1}) as judge:
        require_boxes(judge, "jax")
        control = judge.keepers["jax"].control
        assert control
        box = Box(control, 61_000, os.getuid() == 0)
        pid_of = proc.pid_of

        def kill_as_it_comes(descriptor: int) -> int:
            os.kill(pid := pid_of(descriptor), signal.SIGKILL)
            return pid

        monkeypatch.setattr(proc, "pid_of", kill_as_it_comes)
        with pytest.raises(BoxLost):
            box.wait_ready()
        monkeypatch.undo()
        assert (box.channel.fileno(), box.status.fileno(), box.prints, box.pidfd) == (-1, -1, -1, -1)


def test_mistakes_that_lose_their_box_or_the_judge_leave_none_open(
    judge: Judge, monkeypatch: pytest.MonkeyPatch
) -> None:
    exits = "'''Told.'''\nimport os\ndef doubled(x): os._exit(1)\n"
    slow = "'''Told.'''\nimport time\ndef doubled(x):\n    time.sleep(3600)\n"
    boxes = note_taken(judge, monkeypatch)
    mistakes_of(judge, make_exercise(mistakes__exits_py=exits, reference_py=uncached(RIGHT)))
    assert len(boxes) >= 4
    assert {box.channel.fileno() for box in boxes} == {-1}

    lost = unhurried(make_exercise(mistakes__slow_py=slow, reference_py=uncached(RIGHT)))
    cases_of(judge, lost)
    boxes.clear()

    def kill_it() -> None:
        until(lambda: boxes)
        os.kill(boxes[0].pid, signal.SIGKILL)

    killer = threading.Thread(target=kill_it)
    killer.start()
    with pytest.raises(BoxLost):
        mistakes_of(judge, lost)
    until_ended(killer)
    assert [box.channel.fileno() for box in boxes] == [-1]


def test_a_second_thread_is_counted() -> None:
    """A zygote that has one forks nothing more: the copy would have its locks, and nobody who opens them."""
    tasks, go_on = os.open("/proc/self/task", os.O_PATH | os.O_DIRECTORY), threading.Event()
    try:
        before = walls.threads(tasks)
        assert before == len(list(Path("/proc/self/task").iterdir()))
        threads = [threading.Thread(target=go_on.wait) for _ in range(3)]
        for thread in threads:
            thread.start()
        assert walls.threads(tasks) == before + 3
    finally:
        go_on.set()
        os.close(tasks)
