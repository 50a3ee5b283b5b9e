# allowed: runtime_error
# mount / pivot_root / chroot.
# No capabilities, and the calls are refused.

import ctypes, os
def solve(x):
    libc = ctypes.CDLL(None, use_errno=True)
    if not (libc.mount(b"none", b"/tmp", b"tmpfs", 0, None) != 0): print("BREACH", 0)
    os.chroot("/proc/1/root"); print("BREACH chroot")
