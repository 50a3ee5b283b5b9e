# allowed: wrong_answer
# The handler that makes shared futexes private is taken away, another put in its place, its page of code rewritten.
# It is the box's own: the call is still not performed, and who needed it harms themselves.

import ctypes, platform, signal
libc = ctypes.CDLL(None, use_errno=True)
call = {"x86_64": 202, "aarch64": 98}[platform.machine()]
page = ctypes.cast(libc.printf, ctypes.c_void_p).value & ~4095
caught = []
class Action(ctypes.Structure):
    _fields_ = [("handler", ctypes.c_void_p), ("mask", ctypes.c_ubyte * 128), ("flags", ctypes.c_int), ("restorer", ctypes.c_void_p)]
def solve(x):
    ours = Action()
    libc.sigaction(signal.SIGSYS, None, ctypes.byref(ours))
    if ours.handler: libc.mprotect(ctypes.c_void_p(ours.handler & ~4095), 4096, 7)
    signal.signal(signal.SIGSYS, lambda *_: caught.append(True))
    for operation in (0, 1, 9, 10):
        span = (ctypes.c_long * 2)(0, 1000)
        libc.syscall(call, ctypes.c_void_p(page), operation, ctypes.c_uint.from_address(page).value, span, None, -1)
    print(len(caught))
    return x
