"""What the kernel tells in /proc. The trusted side reads it here and nowhere else.

attack: choose a thread's name by `prctl`, which these files quote. Bytes that are not UTF-8 make reading raise, and
        the failure looks like ours. A carriage return and then a line like the kernel's own look like two lines to
        Python's text files. A parenthesis, blanks and digits look like the fields after a name.
defence: files are read as bytes, and every byte has a character. Only a newline ends a line: in a name the kernel
         writes it as `\\n` (status). In stat everything that the kernel adds comes after the last parenthesis.
"""

import errno
import os
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

FLAGS, PENDING = 5, 27  # among the fields of stat after name and state
EXITING, SIGNALED = 0x4, 0x400  # PF_EXITING and PF_SIGNALED, since the first Linux
KILLED = 1 << 8  # SIGKILL, among a thread's pending signals


def read(path: str | Path) -> str:
    """The whole file, decoded like a path: bytes that are not UTF-8 become surrogates. Raises OSError."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    parts = []
    try:
        while part := os.read(descriptor, 1 << 16):
            parts.append(part)
    finally:
        os.close(descriptor)
    return os.fsdecode(b"".join(parts))


def lines(path: str | Path) -> list[str]:
    """The lines of a file, ended by newlines only. Raises OSError."""
    text = read(path).removesuffix("\n")
    return text.split("\n") if text else []


def numbers(status: str, names: Iterable[str]) -> dict[str, int]:
    """Those of the numbers in /proc/PID/status that have these names: sizes in KiB, `Threads`. Of several on one line,
    the first."""
    return {name: int(number) for name, number in _lines_of(frozenset(names)).findall(status)}


@cache
def _lines_of(names: frozenset[str]) -> re.Pattern[str]:
    """A program chooses what follows `Name`, which is no number."""
    return re.compile(f"^({'|'.join(sorted(names - {'Name'}))}):[ \t]+([0-9]+)(?![^ \t\n])", re.MULTILINE)


def after_name(stat: str) -> list[str]:
    """The fields of /proc/PID/stat after the name: state, parent and so on. Empty where there are none."""
    return stat.rpartition(")")[2].split()


def pid_of(pidfd: int) -> int:
    """The number of a process that has one in another namespace too. Raises OSError where it has ended."""
    for line in lines(f"/proc/self/fdinfo/{pidfd}"):
        name, _, number = line.partition(":")
        if name == "Pid" and int(number) > 0:
            return int(number)
    raise ProcessLookupError(errno.ESRCH, os.strerror(errno.ESRCH))


def threads(pid: int) -> list[int]:
    """The threads of a process. Raises OSError."""
    return [int(thread.name) for thread in Path(f"/proc/{pid}/task").iterdir()]


def is_stopped(pid: int) -> bool:
    """Whether a signal or a debugger has stopped the process; False where that cannot be told."""
    return _state(pid) in ("T", "t")


def is_ready_or_stopped(pid: int) -> bool:
    """Whether it is the machine that its first thread waits for: a processor, a disk, or to be continued."""
    return _state(pid) in ("R", "D", "T", "t")


def first_thread_seconds(pid: int) -> float:
    """Return the processor time of a process's first thread, in seconds, to the kernel's tick; 0.0 if it has ended."""
    try:
        fields = after_name(read(f"/proc/{pid}/task/{pid}/stat"))
    except OSError:
        return 0.0
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


def is_ending(pid: int) -> bool:
    """Whether it has ended, or the kernel is about to end it: killed, it first waits for those that it takes along."""
    return _is_ending(f"/proc/{pid}")


def are_all_ending(pid: int) -> bool:
    """As `is_ending`, of each of its threads: one that goes on when the first has ended makes it False."""
    try:
        return all(_is_ending(f"/proc/{pid}/task/{thread}") for thread in threads(pid))
    except OSError:
        return True


def _is_ending(folder: str) -> bool:
    """What is killed has the signal pending until it runs, and is then marked: asked in this order, it is seen once."""
    try:
        _, *before = after_name(read(f"{folder}/stat"))
        if int(before[PENDING]) & KILLED:
            return True
        state, *fields = after_name(read(f"{folder}/stat"))
        return state in ("Z", "X") or bool(int(fields[FLAGS]) & (EXITING | SIGNALED))
    except (OSError, ValueError, IndexError):
        return True


def _state(pid: int) -> str:
    try:
        return (after_name(read(f"/proc/{pid}/stat")) or [""])[0]
    except OSError:
        return ""
