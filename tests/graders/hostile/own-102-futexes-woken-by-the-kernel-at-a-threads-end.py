# allowed: wrong_answer
# A robust list whose locks lie in libc's file, and a thread whose word to clear does: the kernel wakes both at its end.
# The list is not taken; nobody ever waits for either, since no shared wait is performed.

import ctypes, platform, threading
libc = ctypes.CDLL(None, use_errno=True)
robust, clear = {"x86_64": (273, 218), "aarch64": (99, 96)}[platform.machine()]
page = ctypes.cast(libc.printf, ctypes.c_void_p).value & ~4095
class Head(ctypes.Structure):
    _fields_ = [("next", ctypes.c_void_p), ("offset", ctypes.c_long), ("pending", ctypes.c_void_p)]
head = Head(page, 0, page + 64)
def ends():
    if libc.syscall(robust, ctypes.byref(head), 24): print("robust list", ctypes.get_errno())
    if libc.syscall(clear, ctypes.c_void_p(page)) >= 0: print("BREACH set_tid_address")
def solve(x):
    for _ in range(8):
        thread = threading.Thread(target=ends)
        thread.start(); thread.join()
    return x
