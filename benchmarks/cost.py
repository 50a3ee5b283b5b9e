"""What a submission costs in processor time, part by part: it decides how many machines a class needs.

The kernel's own counts are read before and after many submissions, so nothing is measured on their way. A server says
in `GET /metrics` what each of its threads has used. A zygote waits for all that it forks: what its children used, boxes
that make fresh cases among them, is counted when they have ended. What the kernel does in threads of its own, such as
taking namespaces away, is nobody's and is not in it.
"""

import os
import re
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import httpx

ROOT = Path(__file__).resolve().parent.parent
Spent = dict[str, float]  # milliseconds by part
STAFF = "bench@example.org"
CPUCLOCK_SCHED = 2  # of linux/posix-timers.h
SETTLE_SECONDS = 3.0  # until the boxes of the last submissions are replaced, and counted
# Threads of the server, by name → the part that they are
THREADS = {
    "MainThread": "event loop",
    "AnyIO worker thread": "taking in",
    "worker": "workers",
    "lectern-batches": "batches, stages",
    "lectern-stages": "batches, stages",
    "stocker": "fresh cases",
    "cgroups": "boxes' keepers",
}
PARTS = ("event loop", "taking in", "workers", "batches, stages", "fresh cases", "boxes' keepers", "others")
BELOW = ("zygotes", "boxes")


@dataclass(frozen=True)
class Cores:
    """Seconds of all cores together since the machine began."""

    count: int
    used: float
    stolen: float  # a virtual machine wanted them, and its host gave them to others
    at: float

    @classmethod
    def read(cls) -> "Cores":
        fields = [int(each) for each in Path("/proc/stat").read_text().splitlines()[0].split()[1:9]]
        user, nice, system, _idle, _waiting, interrupts, soft, stolen = fields
        ticks = os.sysconf("SC_CLK_TCK")
        used = (user + nice + system + interrupts + soft) / ticks
        return cls(len(os.sched_getaffinity(0)), used, stolen / ticks, time.monotonic())

    def free_since(self, before: "Cores", own_seconds: float) -> float:
        """The share of a core that was left to who used `own_seconds` of them: others on this machine took some, and
        its host took some while it wanted them."""
        used, stolen = self.used - before.used, self.stolen - before.stolen
        others = max(0.0, used - own_seconds) / (self.count * (self.at - before.at))
        return max(0.05, (1 - others) * (used / (used + stolen) if used else 1.0))


def staff_token(environment: Mapping[str, str]) -> str:
    """A token by which the server with this environment shows its metrics."""
    command = [sys.executable, "-P", "-m", "app", "users"]
    for rest in (["add", STAFF, "--role", "instructor", "--password-stdin"], ["token", STAFF]):
        done = subprocess.run(
            [*command, *rest], env=environment, cwd=ROOT, input="a staple, a horse\n", capture_output=True, text=True
        )
        if done.returncode:
            raise SystemExit(f"no account for {STAFF}: {done.stderr[-1000:]}")
    return done.stdout.strip()


def by_part(pid: int, url: str, token: str) -> Spent:
    """Milliseconds of processor time so far. `all` is the server's own clock and its zygotes': parts add up to it."""
    text = metrics(url, token)
    found = below(pid)
    for name, seconds in re.findall(r'^lectern_thread_cpu_seconds\{thread="([^"]*)"\} (\S+)$', text, re.MULTILINE):
        part = "boxes' keepers" if name.startswith("keeper-") else THREADS.get(name, "others")
        found[part] += float(seconds) * 1000
    own = _clock_ms(pid)
    found["others"] += own - sum(found[part] for part in PARTS)  # threads that came and went unseen, too
    found["all"] = own + sum(found[part] for part in BELOW)
    return found


def metrics(url: str, token: str) -> str:
    return httpx.get(f"{url}/metrics", headers={"Authorization": f"Bearer {token}"}).raise_for_status().text


def below(pid: int) -> Spent:
    """Milliseconds that a server's zygotes have used so far, and their boxes that have ended."""
    found: Spent = defaultdict(float)
    for started in _children(pid):
        if not _is_zygote(started):
            continue
        for zygote in (started, *_children(started)):  # the one that was started forks the one that forks boxes
            try:
                fields = Path(f"/proc/{zygote}/stat").read_text().rpartition(")")[2].split()
                found["zygotes"] += _clock_ms(zygote)
            except OSError:
                continue
            found["boxes"] += sum(map(int, fields[13:15])) * 1000 / os.sysconf("SC_CLK_TCK")
    return found


def apart(pid: int) -> Spent:
    """Milliseconds of a server, of its zygotes, and of their boxes that have ended."""
    return {"server": _clock_ms(pid), **below(pid)}


def in_all(pid: int) -> float:
    """The same together."""
    return sum(apart(pid).values())


def settle() -> None:
    time.sleep(SETTLE_SECONDS)


def heading() -> list[str]:
    names = [f"server: {part}" for part in PARTS] + list(BELOW)
    return [
        f"| processor time of a submission, ms | all | {' | '.join(names)} |",
        f"|---|--:|{'--:|' * len(names)}",
    ]


def line(name: str, before: Spent, after: Spent, submissions: int) -> str:
    each = {part: (after[part] - before[part]) / submissions for part in ("all", *PARTS, *BELOW)}
    return f"| {name} | {' | '.join(f'{each[part]:.1f}' for part in each)} |"


def _children(pid: int) -> list[int]:
    found: list[int] = []
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            found += map(int, children.read_text().split())
        except OSError:
            continue
    return found


def _is_zygote(pid: int) -> bool:
    try:
        command = Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False
    return b"zygote.py" in command and b'"fill"' not in command


def _clock_ms(pid: int) -> float:
    """Of all threads of a process, those that have ended too: `clock_getcpuclockid(3)`."""
    return time.clock_gettime((~pid << 3) | CPUCLOCK_SCHED) * 1000
