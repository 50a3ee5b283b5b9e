# allowed: wrong_answer
# Calls that take a process's number and say whether there is one: sessions, groups, clocks, scheduling.
# They take 0, or are answered without looking.

import ctypes, os, time
libc = ctypes.CDLL(None, use_errno=True)
def solve(x):
    for pid in (*range(1, 200), os.getpid(), 4_000_000):
        for ask in (os.getsid, os.getpgid, os.sched_getaffinity, lambda pid: os.getpriority(os.PRIO_PROCESS, pid),
                    lambda pid: time.clock_gettime(~pid << 3 | 2), lambda pid: os.kill(pid, 0), os.pidfd_open):
            try: print("BREACH", pid, ask(pid))
            except OSError: pass
    if len({os.sched_getscheduler(pid) for pid in (0, 1, 2, 3, 1 << 30)}) > 1: print("BREACH scheduler")
    return x
