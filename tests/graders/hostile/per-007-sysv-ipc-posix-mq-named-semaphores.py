# allowed: wrong_answer, runtime_error
# SysV IPC / POSIX mq / named semaphores.
# Refused; the namespace is the box's own besides. (Its first call looks: later ones would find their own.)

import ctypes
_calls = 0
def solve(x):
    l = ctypes.CDLL(None, use_errno=True)
    i = l.shmget(0x1234, 4096, 0o3000 | 0o666)
    global _calls; _calls += 1
    if _calls == 1 and ctypes.get_errno() == 17: print("BREACH: one was there")
    print("shm", i)
    return x
