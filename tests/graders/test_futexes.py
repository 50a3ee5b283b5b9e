"""Shared futexes in a box: no call of another box's comes through, and what honest libraries wait for still comes."""

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from graders.boxes.pool import Judge
from graders.exercise.definition import Exercise
from graders.inside import futexes
from graders.verdict import Verdict

from .conftest import judged, unhurried


@pytest.mark.parametrize("machine", futexes.CODE)
def test_the_code_is_what_its_lines_assemble_to(machine: str, tmp_path: Path) -> None:
    if not shutil.which("llvm-mc") or not shutil.which("llvm-objcopy"):
        pytest.skip("llvm-mc is not installed")
    lines = [line.split("    # ")[0].rstrip() for line in futexes.ASSEMBLY[machine].splitlines()]
    dialect = [".intel_syntax noprefix"] if machine == "x86_64" else []
    (tmp_path / "handler.s").write_text("\n".join([*dialect, *lines, ".quad 0", ""]))
    target = ["-filetype=obj", f"-triple={machine}-linux-gnu", "-o", str(tmp_path / "handler.o")]
    subprocess.run(["llvm-mc", *target, str(tmp_path / "handler.s")], check=True)
    section = ["-O", "binary", "--only-section=.text"]
    subprocess.run(["llvm-objcopy", *section, str(tmp_path / "handler.o"), str(tmp_path / "handler.bin")], check=True)
    assert (tmp_path / "handler.bin").read_bytes()[:-8].hex() == futexes.CODE[machine]
    assert len(futexes.CODE[machine]) % 16 == 0, "the pause behind it is aligned"


LIBC = """
import ctypes, platform, threading, time
libc = ctypes.CDLL(None, use_errno=True)
FUTEX = {"x86_64": 202, "aarch64": 98}[platform.machine()]
def futex(word, operation, value, span=None):
    return libc.syscall(FUTEX, ctypes.byref(word), operation, value, span, None, -1)
"""


def test_a_shared_wait_ends_by_a_shared_wake_and_sleeps_until_then(judge: Judge, doubled: Exercise) -> None:
    """As std::future does it, and pthread barriers that are shared: wait, look, wait again; store, wake."""
    source = f"""{LIBC}
def doubled(x):
    for wait, wake in ((0, 1), (9, 10), (9 | 256, 1)):
        word, woken = ctypes.c_int(0), []
        def waits():
            while word.value == 0: futex(word, wait, 0)
            woken.append(True)
        thread = threading.Thread(target=waits)
        thread.start()
        time.sleep(0.3)  # until it waits: an emulated processor translates its way there first
        spent = time.process_time()
        time.sleep(0.5)
        spent = time.process_time() - spent
        assert not woken
        assert spent < 0.25, f"it spins: {{spent}}"
        word.value = 1
        futex(word, wake, 1)
        thread.join()
    assert futex(ctypes.c_int(5), 0, 4) <= 0, "another value than said"
    return 2 * x
"""
    result = judged(judge, unhurried(doubled), source, "numpy")
    assert result.verdict == Verdict.accepted, [case.error for case in result.cases]


def test_a_thread_can_be_joined_though_the_kernel_wakes_whom_it_does_not_find(judge: Judge, doubled: Exercise) -> None:
    """pthread_join waits by a shared futex, which the kernel wakes at the thread's end."""
    source = f"""{LIBC}
START = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)
def doubled(x):
    ended = []
    @START
    def runs(_):
        time.sleep(1.0)
        ended.append(True)
    thread = ctypes.c_ulong()
    assert libc.pthread_create(ctypes.byref(thread), None, runs, None) == 0
    spent = time.process_time()
    assert libc.pthread_join(thread, None) == 0
    assert time.process_time() - spent < 0.5, "it spins"
    assert ended
    return 2 * x
"""
    result = judged(judge, unhurried(doubled), source, "numpy")
    assert result.verdict == Verdict.accepted, [case.error for case in result.cases]


COMPILES = """
import jax, jax.numpy as jnp, time
def doubled(x):
    began = time.process_time()
    for n in (3, 4, 5, 6):
        jax.jit(lambda a: jnp.linalg.svd(jnp.sort(jnp.tanh(a @ a.T))))(jnp.ones((n, n + 1)))[0].block_until_ready()
    print(time.process_time() - began)
    return 2 * x
"""


@pytest.mark.extra
def test_jax_waits_for_its_compiler_without_spinning(judge: Judge, doubled: Exercise) -> None:
    """Beside a box in which the kernel performs shared futexes: an emulated processor is slow in both."""
    with Judge(frameworks=["numpy", "jax"], parked={"jax": 1}, require_walls=False, off=("seccomp",)) as bare:
        performed, trapped = processor_seconds(bare, doubled), processor_seconds(judge, doubled)
        if trapped >= 1.6 * performed + 0.5:  # once more, since other work makes a processor slower
            performed = min(performed, processor_seconds(bare, doubled))
            trapped = min(trapped, processor_seconds(judge, doubled))
    assert trapped < 1.6 * performed + 0.5, (trapped, performed)


def processor_seconds(judge: Judge, exercise: Exercise) -> float:
    """What the first call needs, its compiler's threads included."""
    limits = replace(exercise.limits, wall_seconds=600.0, cpu_seconds=600.0, total_seconds=1200.0)
    result = judged(judge, replace(exercise, limits=limits), COMPILES, "jax")
    assert result.verdict == Verdict.accepted, result.cases[0].error
    return float(result.cases[0].stdout or "")


def test_locks_of_priorities_say_that_there_are_none(judge: Judge, doubled: Exercise) -> None:
    source = f"""{LIBC}
def doubled(x):
    kind, lock = ctypes.create_string_buffer(64), ctypes.create_string_buffer(128)
    libc.pthread_mutexattr_init(kind)
    libc.pthread_mutexattr_setprotocol(kind, 1)
    assert libc.pthread_mutex_init(lock, kind) == 95  # ENOTSUP
    return 2 * x
"""
    result = judged(judge, unhurried(doubled), source, "numpy")
    assert result.verdict == Verdict.accepted, result.cases[0].error
