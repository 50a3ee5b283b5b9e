"""What the kernel tells in /proc, read on the trusted side, which reads it nowhere else.

attack: a thread's name, which a box chooses by `prctl` and these files quote: bytes that are no UTF-8, so that reading
        raises and the failure looks like ours; a carriage return and then a line such as the kernel's own, which
        Python's text files take for one; a parenthesis, blanks and digits, as the fields after a name are.
defence: bytes are read, and any of them have a character. A line ends where the kernel ends it; in a name it writes a
         line's end as `\\n` (status), or stands behind the last parenthesis with everything that it says itself (stat).
"""

import os
from pathlib import Path


def read(path: str | Path) -> str:
    """The file whole, as paths are read: what is no UTF-8 comes out as surrogates. Raises OSError."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    parts = []
    try:
        while part := os.read(descriptor, 1 << 16):
            parts.append(part)
    finally:
        os.close(descriptor)
    return os.fsdecode(b"".join(parts))


def lines(path: str | Path) -> list[str]:
    """Its lines, ended by newlines alone. Raises OSError."""
    text = read(path).removesuffix("\n")
    return text.split("\n") if text else []


def numbers(status: str) -> dict[str, int]:
    """By name, what /proc/PID/status says in numbers: sizes in KiB, `Threads`, and the first of several."""
    sizes = {}
    for line in status.split("\n"):
        name, colon, rest = line.partition(":")
        words = rest.split()
        if colon and name != "Name" and words and words[0].isascii() and words[0].isdecimal():
            sizes[name] = int(words[0])
    return sizes


def after_name(stat: str) -> list[str]:
    """The fields of /proc/PID/stat after the name: the state first, then the parent. Empty where there is none."""
    return stat.rpartition(")")[2].split()


def threads(pid: int) -> list[int]:
    """The threads of a process. Raises OSError."""
    return [int(thread.name) for thread in Path(f"/proc/{pid}/task").iterdir()]


def is_stopped(pid: int) -> bool:
    """Whether the process stands still by a signal or a debugger's hand; False where nobody can tell."""
    try:
        return after_name(read(f"/proc/{pid}/stat"))[:1] in (["T"], ["t"])
    except OSError:
        return False
