"""`lectern doctor`: each wall up or down on this machine, why, and how to get it; then what tests and pages use."""

import shutil
import sys

from graders.boxes.keeper import JudgeUnavailable
from graders.boxes.pool import Judge
from graders.boxes.sandbox import ALTERNATIVES, MINIMUM, BoxLost

STOPS = {
    "uid": "acting with the server's rights",
    "user": "regaining rights inside the box",
    "pid": "seeing or signalling other processes",
    "mount": "reading any file but the interpreter's",
    "net": "the network",
    "ipc": "shared memory and queues with others",
    "uts": "renaming the host",
    "capabilities": "what root could do",
    "rlimits": "eating memory, files, threads",
    "interpreter": "nothing, but must be readable in a box",
    "landlock": "files and TCP, by the kernel's own hooks",
    "seccomp": "kernel calls that tensor code never needs",
    "cgroup": "memory that no limit of a process counts, at once",
    "watchdog": "memory and processor time between two limits (looks every 10 ms)",
}
REMEDIES = {
    "uid": "run the server as an ordinary user, or as root with the right to change uid",
    "user": "allow user namespaces: sysctl user.max_user_namespaces=15000 (Ubuntu: AppArmor, too)",
    "pid": "as for user",
    "mount": "as for user; Landlock keeps files away meanwhile",
    "net": "as for user; seccomp forbids sockets meanwhile",
    "ipc": "as for user; seccomp forbids these calls meanwhile",
    "uts": "as for user",
    "capabilities": "report this: dropping rights needs none",
    "rlimits": "report this: lowering limits needs no right",
    "interpreter": "allow user namespaces, run the server as an ordinary user, or use a Python outside root's home",
    "landlock": "Linux 5.13 or later with lsm=landlock; a mount namespace keeps files away meanwhile",
    "seccomp": "install libseccomp2 (Debian, Ubuntu) or libseccomp (Fedora, Alpine)",
    "cgroup": "run the server as a systemd service with Delegate=yes (or systemd-run --user --scope -p Delegate=yes "
    "./lectern serve), or as root on a cgroup v1 machine; limits and the watchdog hold memory meanwhile",
    "watchdog": "report this: it needs nothing",
}


def examine(judge: Judge, privacy: str = "") -> int:
    """Print the table. Returns 0 where the judge may run, 1 where it refuses to. `privacy`: of the data folder."""
    refusal: JudgeUnavailable | None = None
    with judge:
        try:
            judge.take("numpy").close()
        except JudgeUnavailable as error:
            refusal = error
        except BoxLost as error:
            _say(f"No box came up at all: {error}")
            return 1
        walls = judge.walls()
        groups = judge.groups.kind
    _say("Walls of a box:")
    for name, stops in STOPS.items():
        reason = walls.get(name, "not tried")
        state = "up  " if not reason else "DOWN"
        needed = " (required)" if name in MINIMUM else " (one of these required)" if name in ALTERNATIVES else ""
        kind = f" ({groups})" if name == "cgroup" and not reason else ""
        _say(f"  {state} {name:<13} stops {stops}{needed}{kind}")
        if reason:
            _say(f"       {'':<13} why: {reason}")
            _say(f"       {'':<13} remedy: {REMEDIES[name]}")
    _say("Around it:")
    for program, use in (("chromium", "the browser tests"), ("bwrap", "a peer in the benchmarks")):
        _say(f"  {'have' if shutil.which(program) else 'none'} {program:<13} for {use}")
    if privacy:
        _say(f"Data:\n  {privacy}")
    if refusal:
        _say(f"\nThe judge refuses to start. {refusal.message}\n{refusal.hint}")
        return 1
    _say("\nThe judge may run here.")
    return 0


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
