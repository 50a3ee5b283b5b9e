"""The allow-list of kernel calls: honest submissions need no more, the dangerous ones are not on it, on either machine.

The filter of the other machine cannot be loaded here; it is built all the same, and a small interpreter of the
kernel's packet-filter language asks it call by call.
"""

import ctypes
import re
import shutil
import struct
import subprocess
from pathlib import Path
from typing import Any

import pytest

from graders.boxes.pool import Judge
from graders.inside import walls
from graders.inside.wire import WHERE_SIGNAL
from graders.verdict import Verdict
from tests.conftest import note_taken, require_boxes
from tests.needs import missing
from tests.waiting import exit_code, until

from .conftest import judged, make_exercise

ALLOW, EPERM, ENOSYS, KILL, DONE = 0x7FFF0000, 0x00050001, 0x00050026, 0x80000000, 0x00050000
TRAP = 0x00030000
MACHINES = tuple(walls.ARCHITECTURES)
MAP_SHARED, MAP_STACK, CLONE_VM, CLONE_THREAD = 1, 0x20000, 0x100, 0x10000

# By family: what no tensor code needs. None of them may be allowed with any arguments.
NEVER = """
    socket socketpair connect bind listen accept accept4 sendto sendmsg sendmmsg recvfrom recvmsg recvmmsg
    execve execveat fork vfork
    ptrace process_vm_readv process_vm_writev process_madvise kcmp pidfd_getfd pidfd_open pidfd_send_signal
    kill tkill tgkill rt_sigqueueinfo rt_tgsigqueueinfo timer_create signalfd signalfd4 mq_notify
    mount umount2 pivot_root chroot fsopen fsconfig fsmount fspick move_mount open_tree mount_setattr setns unshare
    add_key request_key keyctl
    io_uring_setup io_uring_enter io_uring_register io_setup io_submit
    userfaultfd bpf perf_event_open memfd_create memfd_secret seccomp landlock_create_ruleset
    chmod fchmod fchmodat fchmodat2 chown fchown lchown fchownat
    setxattr lsetxattr fsetxattr getxattr listxattr removexattr utimensat utimes futimesat
    link linkat symlink symlinkat mknod mknodat open_by_handle_at name_to_handle_at truncate fallocate
    setuid setgid setreuid setregid setresuid setresgid setgroups setfsuid setfsgid capset personality setpgid setsid
    shmget shmat shmctl semget msgget mq_open remap_file_pages mlock mlock2 mlockall splice tee vmsplice
    mbind set_mempolicy migrate_pages move_pages sched_setaffinity sched_setscheduler sched_setattr setpriority
    ioprio_set reboot kexec_load init_module finit_module delete_module swapon swapoff
    sethostname setdomainname settimeofday clock_settime clock_adjtime adjtimex
    flock sync syncfs sync_file_range readahead mincore cachestat
    sysinfo statfs fstatfs ustat copy_file_range get_robust_list set_tid_address futex_waitv getpriority ioprio_get
    acct quotactl syslog vhangup iopl ioperm modify_ldt inotify_init1 fanotify_init openat2 clone3 setrlimit
""".split()  # noqa: SIM905

# Calls that aarch64 never had, and what its libc makes of them instead.
MODERN = {
    "alarm": "setitimer", "access": "faccessat", "dup2": "dup3", "epoll_create": "epoll_create1",
    "epoll_wait": "epoll_pwait", "getdents": "getdents64", "getpgrp": "getpgid", "lstat": "newfstatat",
    "mkdir": "mkdirat", "pipe": "pipe2", "poll": "ppoll", "readlink": "readlinkat",
    "rename": "renameat", "rmdir": "unlinkat", "select": "pselect6", "stat": "newfstatat", "time": "gettimeofday",
    "unlink": "unlinkat",
}  # fmt: skip


@pytest.fixture(scope="module")
def library() -> Any:
    found = walls.load_seccomp_library()
    if found is None:
        missing("sandbox", "libseccomp.so.2 is missing")
    return found


class Filter:
    """A compiled filter and the machine that it is for."""

    def __init__(self, library: Any, machine: str, traps: bool = True) -> None:
        program = walls.seccomp_program(library, machine, traps)
        assert program
        self.library, self.architecture = library, walls.ARCHITECTURES[machine]
        self.instructions = list(struct.iter_unpack("=HBBI", program))

    def number(self, name: str) -> int:
        return int(self.library.seccomp_syscall_resolve_name_arch(self.architecture, name.encode()))

    def has(self, name: str) -> bool:
        return self.number(name) >= 0

    def __call__(self, name: str, *arguments: int) -> int:
        return self.ask(self.number(name), *arguments)

    def ask(self, number: int, *arguments: int, architecture: int | None = None) -> int:
        """What the kernel would do with the call: classic BPF over struct seccomp_data."""
        data = struct.pack(
            "=iIQ6Q", number, self.architecture if architecture is None else architecture, 0,
            *arguments, *[0] * (6 - len(arguments)),
        )  # fmt: skip
        accumulator, at = 0, 0
        while True:
            code, if_true, if_false, k = self.instructions[at]
            at += 1
            if code == 0x20:  # load a word of the data
                accumulator = struct.unpack_from("=I", data, k)[0]
            elif code == 0x54:  # and
                accumulator &= k
            elif code == 0x05:  # jump
                at += k
            elif code in (0x15, 0x25, 0x35, 0x45):
                true = {0x15: accumulator == k, 0x25: accumulator > k, 0x35: accumulator >= k}.get(
                    code, bool(accumulator & k)
                )
                at += if_true if true else if_false
            elif code == 0x06:  # return
                return int(k)
            else:
                raise AssertionError(f"instruction {code:#x} is unknown here")


@pytest.fixture(params=MACHINES)
def filtered(request: pytest.FixtureRequest, library: Any) -> Filter:
    return Filter(library, request.param)


def test_every_call_on_the_list_is_allowed_or_has_a_modern_equivalent_that_is(filtered: Filter) -> None:
    for name in walls.ALLOWED:
        if filtered.has(name):
            assert filtered(name) == ALLOW, name
        else:
            assert filtered.has(MODERN[name]), name
            assert filtered(MODERN[name]) == ALLOW, name
    assert len(set(walls.ALLOWED)) == len(walls.ALLOWED)


def test_the_dangerous_calls_are_refused(filtered: Filter, library: Any) -> None:
    assert not set(NEVER) & set(walls.ALLOWED)
    for name in NEVER:
        known = [
            library.seccomp_syscall_resolve_name_arch(walls.ARCHITECTURES[machine], name.encode())
            for machine in MACHINES
        ]
        assert max(known) >= 0 or name == "fchmodat2", f"{name}: misspelt, or newer than this libseccomp"
        if filtered.has(name):
            assert filtered(name) == (ENOSYS if name in walls.MISSING else EPERM), name


def test_whatever_is_not_named_is_refused(filtered: Filter) -> None:
    allowed = {filtered.number(name) for name in walls.ALLOWED}
    ruled = {filtered.number(name) for name in (*walls.RULED, *walls.ANSWERED)}
    for number in set(range(1024)) - allowed - ruled:
        assert filtered.ask(number) in (EPERM, ENOSYS), number


def test_other_doors_into_the_kernel_kill(filtered: Filter) -> None:
    for architecture in (0x40000003, 0x40000028, 0xC000003E, 0xC00000B7):  # i386, arm, x86-64, aarch64
        if architecture != filtered.architecture:
            assert filtered.ask(0, architecture=architecture) == KILL
    if filtered.architecture == walls.ARCHITECTURES["x86_64"]:
        assert filtered.ask(0x40000000 | 1) == KILL, "x32's write"


def test_arguments_have_rules(filtered: Filter) -> None:
    thread = walls.CLONE_OF_A_THREAD
    assert thread & CLONE_THREAD
    assert filtered("clone", thread) == filtered("clone", thread | walls.CLONE_DETACHED) == ALLOW, "glibc's, musl's"
    new = [thread | flag for flag in walls.NAMESPACES.values()]
    for flags in (0, 17, CLONE_VM, CLONE_THREAD | CLONE_VM, walls.CLONE_NEWUSER, 0x4000 | CLONE_VM | 17, *new,
                  thread | 17, thread | 0x80, thread | 0x1000, thread | 0x2000, thread | 0x80000000, thread | 1 << 33,
                  thread ^ CLONE_VM, thread ^ CLONE_THREAD):  # fmt: skip
        assert filtered("clone", flags) == EPERM, hex(flags)
    private, anonymous = walls.MAP_PRIVATE, walls.MAP_ANONYMOUS
    for flags in (private | anonymous, private, MAP_SHARED, private | anonymous | MAP_STACK):
        assert filtered("mmap", 0, 4096, 3, flags) == ALLOW, "shared only of a file, which is bounded"
    for flags in (MAP_SHARED | anonymous, private | anonymous | walls.MAP_GROWSDOWN):
        assert filtered("mmap", 0, 4096, 3, flags) == EPERM, flags
    assert filtered("prlimit64", 0, 7, 0, 1 << 20) == ALLOW, "to read"
    assert filtered("prlimit64", 0, 2, 1 << 20, 0) == ALLOW, "RLIMIT_DATA, by the runner"
    assert filtered("prlimit64", 0, 0, 1 << 20, 0) == EPERM, "RLIMIT_CPU, whose signal would look like ours"
    assert filtered("prlimit64", 1, 7, 0, 1 << 20) == EPERM, "another process"
    for name in walls.ANSWERED:
        assert filtered(name) == DONE, name
    direct = {0xC000003E: 0o40000, 0xC00000B7: 0o200000}[filtered.architecture]  # past the cache, from the host's disk
    assert filtered("openat", 0, 0, 0o2 | direct) == EPERM
    assert filtered("fcntl", 0, 4, 0o4000) == ALLOW, "O_NONBLOCK"
    assert filtered("fcntl", 0, 4, 0o4000 | direct) == EPERM
    if filtered.has("open"):
        assert filtered("open", 0, direct) == EPERM
    for command in (5, 6, 7, 36, 37, 38):
        assert filtered("fcntl", 0, command) == EPERM, "a lock, which another box sees"
    for command, answer in ((1, ALLOW), (3, ALLOW), (8, EPERM), (10, EPERM), (15, EPERM), (1024, EPERM), (1033, EPERM)):
        assert filtered("fcntl", 0, command) == answer, command
    for option, answer in ((15, ALLOW), (1, EPERM), (4, EPERM), (22, EPERM), (38, EPERM), (0x59616D61, EPERM)):
        assert filtered("prctl", option) == answer, option
    for number in range(1, 65):
        for above in ABOVE:
            expected = DONE if number == WHERE_SIGNAL else ALLOW
            assert filtered("rt_sigaction", number | above) == expected, "no program handles the judge's own signal"
    for request, answer in ((0x5401, ALLOW), (0x5413, ALLOW), (0x5412, EPERM), (0x541C, EPERM), (0x40086602, EPERM)):
        assert filtered("ioctl", 0, request) == answer, hex(request)


# What stands above an int is nothing to the kernel, and must be nothing to the filter.
ABOVE = (0, 1 << 32, 0xFFFFFFFF << 32)


def test_no_shared_futex_is_performed(filtered: Filter) -> None:
    """Private ones are, but those that hand priorities on; shared waits and wakes go to the handler (futexes.py)."""
    performed, of_priorities = {0, 1, 3, 4, 5, 9, 10}, {6, 7, 8, 11, 12, 13}
    for command in range(128):
        for realtime in (0, 256):
            for above in ABOVE:
                shared = filtered("futex", 0, command | realtime | above)
                private = filtered("futex", 0, command | realtime | 128 | above)
                assert (private == ALLOW) == (command in performed), command
                assert (shared == TRAP) == (command in (0, 1, 9, 10)), command
                assert shared != ALLOW
                if command in of_priorities:
                    assert private == shared == ENOSYS, "glibc then makes no such lock"
    assert filtered("futex", 0, 128 | 512) == EPERM, "a bit that has no meaning yet"


def test_where_traps_are_not_caught_a_shared_futex_is_answered_at_once(library: Any) -> None:
    for machine in MACHINES:
        filtered = Filter(library, machine, traps=False)
        for command in (0, 1, 9, 10, 256 | 9):
            assert filtered("futex", 0, command) == DONE
            assert filtered("futex", 0, command | 128) == ALLOW


def test_advice_is_of_ones_own_memory(filtered: Filter) -> None:
    performed, answered = {0, 4, 8, 14, 15}, {1, 2, 3, 10, 11, 16, 17}
    for advice in range(128):
        for above in ABOVE:
            answer = ALLOW if advice in performed else DONE if advice in answered else EPERM
            assert filtered("madvise", 0, 4096, advice | above) == answer, advice


def test_pipes_carry_bytes_and_a_name_is_changed_for_another(filtered: Filter) -> None:
    cloexec, nonblock, direct, notification = 0o2000000, 0o4000, {0xC000003E: 0o40000, 0xC00000B7: 0o200000}, 0o200
    for flags in (0, cloexec, nonblock, cloexec | nonblock):
        assert filtered("pipe2", 0, flags) == ALLOW
    for flags in (direct[filtered.architecture], notification, cloexec | notification, 0o10000):
        assert filtered("pipe2", 0, flags) == EPERM, oct(flags)
    assert [filtered("renameat2", 0, 0, 0, 0, flags) for flags in range(8)] == [ALLOW, ALLOW, *[EPERM] * 6]
    assert filtered("mremap", 0, 0, 0, 1) == ALLOW
    assert filtered("mremap", 0, 0, 0, 8) == EPERM


def test_no_other_process_is_asked_about(filtered: Filter) -> None:
    for name in ("getsid", "getpgid", "sched_getaffinity"):
        for above in ABOVE:
            assert filtered(name, 0 | above) == ALLOW
            assert filtered(name, 1 | above) == filtered(name, 12345 | above) == EPERM
    for name in ("sched_getscheduler", "sched_getparam"):
        assert filtered(name, 1) == DONE, "answered, whosever it is"
    for name in ("clock_gettime", "clock_getres", "clock_nanosleep"):
        for clock in range(12):
            assert filtered(name, clock) == ALLOW
        for pid in (1, 77, 4_000_000):
            for kind in (2, 3, 6):  # processor time of a process, a device, a thread
                assert filtered(name, ~pid << 3 & 0xFFFFFFFF | kind) == EPERM
                assert filtered(name, (~pid << 3 | kind) & (1 << 64) - 1) == EPERM
    assert filtered("get_mempolicy", 0, 0, 0, 0, 0) == ALLOW
    assert filtered("get_mempolicy", 0, 0, 0, 0, 3) == EPERM, "the node of a page"


def test_the_two_calls_that_are_made_by_number_have_each_machines_own(library: Any) -> None:
    for name, numbers in (("pivot_root", walls.SYS_PIVOT_ROOT), ("capset", walls.SYS_CAPSET)):
        for machine, number in numbers.items():
            token = walls.ARCHITECTURES[machine]
            assert library.seccomp_syscall_resolve_name_arch(token, name.encode()) == number
    assert set(walls.SYS_PIVOT_ROOT) == set(walls.SYS_CAPSET) == set(walls.ARCHITECTURES)


def test_this_machines_filter_is_what_libseccomp_would_load(library: Any) -> None:
    """Naming the machine changes nothing: the table of the other one is made the same way as ours."""
    assert walls.seccomp_program(library) == walls.seccomp_program(library, walls.MACHINE)
    assert ctypes.sizeof(walls.Comparison) == 24  # struct scmp_arg_cmp


# ------------------------------------------------------------------ honest submissions

PYTHON = """
import os, shutil, tempfile, threading, time
from concurrent.futures import ThreadPoolExecutor
import numpy as np

def plain():
    a = np.random.default_rng(0).standard_normal((200, 200)).astype(np.float32)
    for made in (a @ a, np.linalg.svd(a[:50, :50]), np.linalg.inv(a), np.fft.fft2(a), np.einsum('ij,jk', a, a)): pass
    np.sort(np.zeros(8 << 20)); os.urandom(8); os.cpu_count(); time.sleep(0.001)
    with ThreadPoolExecutor(4) as pool: list(pool.map(lambda _: (a @ a).sum(), range(8)))
    threading.Event().wait(0.01)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'a.npy')
        np.save(path, a)
        assert (np.load(path, mmap_mode='r') == a).all()
        os.rename(path, path + '2'); shutil.copyfile(path + '2', path); os.listdir(folder); os.remove(path)
    with tempfile.TemporaryFile() as file: file.write(b'x'); file.seek(0); file.truncate(0)
"""
HONEST = {
    "numpy": PYTHON + "\ndef doubled(x):\n    plain()\n    return 2 * x\n",
    "jax": PYTHON
    + """
import jax, jax.numpy as jnp, flax.linen as nn
def doubled(x):
    plain()
    a = jax.random.normal(jax.random.PRNGKey(0), (64, 64))
    jnp.linalg.svd(a); jnp.linalg.inv(a); jnp.fft.fft2(a); jax.vmap(jnp.sort)(a); jax.grad(lambda v: (v @ v).sum())(a)
    jax.jit(lambda v: jax.lax.scan(lambda c, r: (c + r, c), v[0], v)[0])(a).block_until_ready()
    model = nn.Dense(8)
    model.apply(model.init(jax.random.PRNGKey(1), a), a).block_until_ready()
    return 2 * x
""",
    "torch": PYTHON
    + """
import torch
def doubled(x):
    plain()
    a = torch.randn(64, 64, requires_grad=True)
    (a @ a).sum().backward(); torch.linalg.svd(a); torch.linalg.inv(a); torch.fft.fft2(a)
    model = torch.nn.Sequential(torch.nn.Linear(64, 8), torch.nn.ReLU())
    step = torch.optim.Adam(model.parameters())
    model(a.detach()).sum().backward(); step.step()
    torch.nn.Conv2d(1, 4, 3)(a[None, None]); torch.save(model.state_dict(), '/box/m.pt'); torch.load('/box/m.pt')
    torch.set_num_threads(4); torch.arange(10 ** 6).float().sin().sum()
    return 2 * x
""",
}
# What honest submissions ask for and do without: thread starts fall back to clone, OpenBLAS's memory stays where the
# kernel puts it, and where a processor has matrix tiles (AMX) nobody gets leave to use them: XLA and oneDNN then take
# the instructions that they take on every other processor.
DONE_WITHOUT = {"clone3", "mbind", "arch_prctl"}
ROOMY = make_exercise(
    exercise_toml="""
title = "Doubled"
entry = "doubled"
frameworks = ["numpy", "jax", "torch"]
[signature]
x = "float32[N]"
returns = "float32[N]"
[limits]
wall_seconds = 60
total_seconds = 100
memory_mb = 2048
"""
)


@pytest.mark.parametrize("framework", HONEST)
def test_honest_submissions_run_behind_the_list(judge: Judge, framework: str) -> None:
    result = judged(judge, ROOMY, HONEST[framework], framework)
    assert result.verdict == Verdict.accepted, result.cases[0].error
    assert not result.cases[0].stdout, "no library complains"


@pytest.mark.extra
@pytest.mark.parametrize("framework", HONEST)
def test_what_honest_submissions_are_refused_is_written_down(
    framework: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """strace sees each call of a box, its threads' too: none of them is refused but those done without."""
    if not shutil.which("strace"):
        missing("services", "strace is not installed")
    with Judge(tmp_path / "cache", frameworks={"numpy", framework}, parked={}) as judge:
        require_boxes(judge, framework)
        result = judged(judge, ROOMY, "def doubled(x):\n    return 2 * x\n", framework)  # its cases are known
        assert result.verdict == Verdict.accepted
        tracer = subprocess.Popen(
            ["strace", "-ff", "-o", str(tmp_path / "calls"), "-p", str(judge.zygotes()[framework])],
            stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert tracer.stderr
        if "attached" not in tracer.stderr.readline():
            exit_code(tracer)
            tracer.stderr.close()
            missing("walls", "this user may not trace")
        boxes = note_taken(judge, monkeypatch)

        def is_watched() -> bool:
            """Not one that was forked before there was anyone to watch."""
            result = judged(judge, ROOMY, HONEST[framework], framework)
            assert result.verdict == Verdict.accepted, result.cases[0].error
            return (tmp_path / f"calls.{boxes[-1].pid}").exists()

        until(is_watched)
    exit_code(tracer)
    tracer.stderr.close()

    seen: set[str] = set()
    refused: set[str] = set()
    for file in tmp_path.glob("calls.*"):
        text = file.read_text(errors="replace")
        if "PR_SET_SECCOMP" in text:
            text = text[text.index("PR_SET_SECCOMP") :]
        elif "unshare(" in text or "recvmsg(" in text:
            continue  # the zygote
        for line in text.splitlines():
            if call := re.match(r"(\w+)\(", line):
                seen.add(call[1])
                if "= -1 EPERM" in line or "= -1 ENOSYS" in line:
                    refused.add(call[1])
    assert {"futex", "write", "clone"} <= seen, "the box was watched"
    assert refused <= DONE_WITHOUT
    assert seen <= {*walls.ALLOWED, *walls.ANSWERED, *walls.RULED, *DONE_WITHOUT}
