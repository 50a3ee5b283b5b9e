# allowed: time_limit
# Its threads are named in bytes that are no text, as /proc then quotes them, and it never answers.
# The judge reads bytes: this is the submission's time, and no failure of ours.

import ctypes, threading, time
libc = ctypes.CDLL(None)
def named(name):
    libc.prctl(15, name, 0, 0, 0)
    time.sleep(60)
def solve(x):
    for name in (b"\xff\xfe", b"\xed\xa0\x80", b"\xc0\xaf", b"\x80" * 15):
        threading.Thread(target=named, args=(name,), daemon=True).start()
    named(b"\xff\xfe\xfd")
