"""`lectern doctor`: each wall up or down on this machine, why, and how to get it; then what tests and pages use."""

import shutil
import sys
from collections.abc import Sequence

from graders.boxes.keeper import JudgeUnavailable
from graders.boxes.pool import Judge
from graders.boxes.sandbox import ALTERNATIVES, MINIMUM, BoxLost

STOPS = {
    "uid": "acting with the server's rights",
    "user": "regaining rights inside the box",
    "pid": "seeing or signalling other processes",
    "mount": "reading any file except the interpreter's",
    "net": "the network",
    "ipc": "sharing memory and queues with others",
    "uts": "renaming the host",
    "capabilities": "actions that only root may take",
    "rlimits": "using up memory, files, threads",
    "interpreter": "nothing, but must be readable in a box",
    "landlock": "access to files and TCP, within the kernel",
    "seccomp": "kernel calls that tensor code never needs",
    "cgroup": "memory that no process limit counts, immediately",
    "watchdog": "memory and processor time beyond the limits (checked every 10 ms)",
}
REMEDIES = {
    "uid": "run the server as an ordinary user, or as root with the right to change uid",
    "user": "allow user namespaces: sysctl user.max_user_namespaces=15000 (Ubuntu: also in AppArmor)",
    "pid": "the same as for user",
    "mount": "the same as for user; until then Landlock protects files",
    "net": "the same as for user; until then seccomp forbids sockets",
    "ipc": "the same as for user; until then seccomp forbids these calls",
    "uts": "the same as for user",
    "capabilities": "report this: dropping rights needs no rights",
    "rlimits": "report this: lowering limits needs no rights",
    "interpreter": "allow user namespaces, run the server as an ordinary user, or use a Python outside root's home",
    "landlock": "Linux 5.13 or later with lsm=landlock; until then a mount namespace protects files",
    "seccomp": "install libseccomp2 (Debian, Ubuntu) or libseccomp (Fedora, Alpine)",
    "cgroup": "run the server as a systemd service with Delegate=yes (or systemd-run --user --scope -p Delegate=yes "
    "./lectern serve), or as root on a cgroup v1 machine; until then limits and the watchdog bound memory",
    "watchdog": "report this: it needs no rights",
}


def examine(judge: Judge, privacy: str = "", retention: Sequence[object] = ()) -> int:
    """Print the table. Returns 0 where the judge may run, 1 where it refuses to. `privacy`: of the data folder;
    `retention`: what is deleted in time."""
    refusal: JudgeUnavailable | None = None
    with judge:
        try:
            judge.take("numpy").close()
        except JudgeUnavailable as error:
            refusal = error
        except BoxLost as error:
            _say(f"No box could be started: {error}")
            return 1
        walls = judge.walls()
        groups = judge.groups.description
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
    _say("Optional programs:")
    for program, use in (("chromium", "the browser tests"), ("bwrap", "a comparison in the benchmarks")):
        _say(f"  {'found  ' if shutil.which(program) else 'missing'} {program:<13} for {use}")
    if privacy:
        _say(f"Data:\n  {privacy}")
    if retention:
        _say("Retention:")
        for rule in retention:
            _say(f"  {rule}")
    if refusal:
        _say(f"\nThe judge refuses to start. {refusal.message}\n{refusal.hint}")
        return 1
    _say("\nThe judge can run here.")
    return 0


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
