"""A judge under the rules of an ordinary container, which refuses namespaces and mounts."""

import os
import sys

# A root server whose Python lies in root's own home cannot do without the mount namespace: it says so and refuses.
HIDDEN_PYTHON = os.getuid() == 0 and os.path.realpath(sys.executable).startswith("/root/")
CONTAINER = """
import ctypes, errno, os, struct, sys
from graders.inside import walls

# What Docker's default profile refuses without CAP_SYS_ADMIN, by the kernel's own means, for this process and all its
# children: there is no way back. clone's new-namespace flags; clone3 hides its flags and is answered ENOSYS.
library = walls.load_seccomp_library()
library.seccomp_load.argtypes = [ctypes.c_void_p]
context = library.seccomp_init(0x7FFF0000)
def refuse(name, number, *comparisons):
    given = (walls.Comparison * max(1, len(comparisons)))(*(walls.Comparison(*one) for one in comparisons))
    resolved = library.seccomp_syscall_resolve_name(name.encode())
    assert library.seccomp_rule_add_array(context, 0x50000 | number, resolved, len(comparisons), given) == 0, name
for name in ("unshare", "setns", "mount", "umount2", "pivot_root", "fsopen", "move_mount", "open_tree"):
    refuse(name, errno.EPERM)
refuse("clone3", errno.ENOSYS)
for flag in walls.NAMESPACES.values():
    refuse("clone", errno.EPERM, (0, 7, flag, flag))
SYS_ADMIN = 21
if os.getuid() == 0:
    walls.libc.prctl(walls.PR_CAPBSET_DROP, SYS_ADMIN, 0, 0, 0)
    with open("/proc/self/status") as status:
        held = int(next(line for line in status if line.startswith("CapEff")).split()[1], 16) & ~(1 << SYS_ADMIN)
    low, high = held & 0xFFFFFFFF, held >> 32
    data = struct.pack("=6I", low, low, 0, high, high, 0)
    assert walls.libc.syscall(walls.SYS_CAPSET[walls.MACHINE], struct.pack("=Ii", 0x20080522, 0), data) == 0
walls.libc.prctl(walls.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
assert library.seccomp_load(context) == 0
assert walls.libc.unshare(walls.CLONE_NEWUSER) == -1

import json, pathlib
from graders.grade import grade
from graders.boxes.keeper import JudgeUnavailable
from graders.boxes.pool import Judge
from tests.graders.conftest import make_exercise, unhurried
doubled = unhurried(make_exercise())
with Judge(frameworks=["numpy"], parked={"numpy": 1}) as judge:
    try:
        box = judge.take("numpy")
    except JudgeUnavailable as refused:
        print(json.dumps({"refused": refused.message}))
        raise SystemExit
    box.close()
    found = {"walls": box.walls}
    for source in json.loads(sys.argv[1]):
        *_, last = grade(doubled, source.encode(), "numpy", judge)
        found.setdefault("judged", []).append([last.result.verdict.value, last.result.cases[0].stdout])
print(json.dumps(found))
"""
