"""Shared futexes, made private: seccomp hands each such call to this process's handler instead of performing it.

attack: the kernel finds a shared futex by the file and the offset of its page, and a library's pages are the same in
        every box. One box waits on a futex; another wakes it and learns how many it woke. This carries thousands of
        bits a second, through every namespace.
defence: only private futexes are performed, which the kernel finds by a process's own memory. A box is one process, so
        for an honest library's shared futex a private one does the same work (libstdc++ waits for every future by
        one, and XLA for each program that it compiles). The filter traps shared waits and wakes; the handler makes
        the private call instead, and returns its result.

When a thread ends, the kernel itself wakes a shared futex, for pthread_join. That wakes nobody here. So a wait lasts
for PAUSE at most and then ends without a reason, as any wait may: its caller looks again, and waits again. The other
words that the kernel wakes (the robust list, that of CLONE_CHILD_CLEARTID) carry nothing either: no box waits for them.

The handler is native code, since a waiting thread may not hold Python's lock. It belongs to the box: a student who
removes it harms only their own program.
"""

import ctypes
import mmap
import platform
import signal
import struct

PAUSE = 2_000_000  # nanoseconds
WAIT, WAKE, WAIT_BITSET, WAKE_BITSET, REQUEUE, CMP_REQUEUE, WAKE_OP = 0, 1, 9, 10, 3, 4, 5
PRIVATE, CLOCK_REALTIME = 128, 256  # bits beside the operation

# tests/graders/test_futexes.py assembles these lines where it can, and compares.
ASSEMBLY = {
    "x86_64": """
    push rbx
    mov rbx, rdx                # void handler(int signal, siginfo_t *info, ucontext_t *registers)
    mov rdi, [rbx + 104]        # the futex
    mov edx, [rbx + 136]        # the value it has, or how many to wake
    mov esi, [rbx + 112]        # the operation: WAIT 0, WAKE 1, WAIT_BITSET 9, WAKE_BITSET 10
    mov eax, esi
    shr eax, 3
    xor esi, eax
    and esi, 1                  # WAIT 0, WAKE 1, of all bits
    or esi, 128                 # and private
    lea r10, [rip + pause]
    mov eax, 202                # futex
    syscall
    xor ecx, ecx
    test rax, rax
    cmovs rax, rcx              # no errors: woken for no reason
    mov [rbx + 144], rax
    pop rbx
    ret
    .balign 8
pause:
""",
    "aarch64": """
    mov x9, x2
    ldr x0, [x9, #184]
    ldr w2, [x9, #200]
    ldr w1, [x9, #192]
    eor w1, w1, w1, lsr #3
    and w1, w1, #1
    orr w1, w1, #128
    adr x3, pause
    mov x8, #98
    svc #0
    cmp x0, #0
    csel x0, xzr, x0, lt
    str x0, [x9, #184]
    ret
    .balign 8
pause:
""",
}
CODE = {
    "x86_64": "534889d3488b7b688b93880000008b737089f0c1e80331c683e60181ce800000004c8d1520000000b8ca0000000f0531"
    "c94885c0480f48c1488983900000005bc30f1f8000000000",
    "aarch64": "e90302aa205d40f922c940b921c140b9210c414a2100001221001932e3000010480c80d2010000d41f0000f1e0b3809a"
    "205d00f9c0035fd6",
}


class _Action(ctypes.Structure):
    """struct sigaction of glibc and musl."""

    _fields_ = (
        ("handler", ctypes.c_void_p),
        ("mask", ctypes.c_ubyte * 128),
        ("flags", ctypes.c_int),
        ("restorer", ctypes.c_void_p),
    )


def catch(libc: ctypes.CDLL) -> bool:
    """Install the handler for the calls that the filter traps, in this process and all that it forks.

    False where there is no code for this machine, or none may be made executable. Then shared futexes return at once,
    and a library that waits by one asks again and again.
    """
    code = bytes.fromhex(CODE.get(platform.machine(), "")) + struct.pack("@qq", 0, PAUSE)
    try:
        page = mmap.mmap(-1, mmap.PAGESIZE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, mmap.PROT_READ | mmap.PROT_WRITE)
    except OSError:
        return False
    page.write(code)
    address = ctypes.addressof(ctypes.c_char.from_buffer(page))
    _kept.append(page)
    readable_code = mmap.PROT_READ | mmap.PROT_EXEC
    if platform.machine() not in CODE or libc.mprotect(ctypes.c_void_p(address), mmap.PAGESIZE, readable_code) != 0:
        return False
    action = _Action(handler=address, flags=0x4 | 0x1000_0000)  # SA_SIGINFO, SA_RESTART
    return bool(libc.sigaction(signal.SIGSYS, ctypes.byref(action), None) == 0)


_kept: list[mmap.mmap] = []  # as long as the process
