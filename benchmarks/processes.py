"""Processes as the kernel shows them: what is below one, and what of it is still alive. For benchmarks and tests."""

import errno
import random
import socket
from contextlib import suppress
from pathlib import Path

LOWEST_PORT = 10_000  # that `free_port` tries; those below may be a service's of this machine

Process = tuple[int, str]  # its id, and the time it began: an id alone may be given again


def descendants(pid: int) -> set[Process]:
    """Every process below this one."""
    parents: dict[int, list[Process]] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal() and (seen := _status(int(folder.name))):
            parents.setdefault(seen[0], []).append((int(folder.name), seen[1]))
    found, left = set(), [pid]
    while left:
        children = parents.get(left.pop(), [])
        found.update(children)
        left.extend(child for child, _ in children)
    return found


def alive(processes: set[Process]) -> set[Process]:
    """Those of them that have not ended. A zombie has."""
    return {(pid, began) for pid, began in processes if (seen := _status(pid)) and seen[1] == began}


def children(pid: int) -> list[int]:
    """The processes that this one has started and that have not ended."""
    return [child for child, _ in descendants(pid) if (seen := _status(child)) and seen[0] == pid]


def free_port() -> int:
    """A port of this machine on which nothing listens, for a server that is about to begin. It is none of those that
    the kernel gives to connections and to who asks for any: one of these might be another's by then."""
    given_from = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    for _ in range(100):
        port = random.randrange(LOWEST_PORT, given_from) if given_from > LOWEST_PORT else 0
        with suppress(OSError), socket.create_server(("127.0.0.1", port)) as probe:
            return int(probe.getsockname()[1])
    raise OSError(errno.EADDRINUSE, "no port is free")


def _status(pid: int) -> tuple[int, str] | None:
    """(parent, time it began); None when it is gone, or only a zombie."""
    try:
        # bytes: a process names itself, and a hostile one with what is no text
        fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b") ")[2].decode("ascii").split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return None if fields[0] == "Z" else (int(fields[1]), fields[19])
