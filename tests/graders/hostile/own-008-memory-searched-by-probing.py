# allowed: wrong_answer, time_limit
# All of its own memory is searched, where /proc is closed by asking the kernel which addresses it can read.
# write() tells a bad address by EFAULT, so that no map is needed: from each known address it feels its way outwards.
# A box's memory has never held a case's name, the reference, an expected value or what the server's memory holds.

import ctypes, gc, os, re, sys
import numpy as np
needle = re.compile(rb"CANARY[-]7f3[a]")   # a class, so that the needle does not match itself
libc = ctypes.CDLL(None, use_errno=True)
reader, writer = os.pipe()
def readable(address):
    got = libc.write(writer, ctypes.c_void_p(address), 1)
    if got == 1: os.read(reader, 1)
    return got == 1
starts = {id(object()), id(np), id(sys), ctypes.cast(libc.write, ctypes.c_void_p).value, ctypes.addressof(ctypes.c_int()),
          np.ones(8).ctypes.data, np.ones(1 << 20).ctypes.data, *(id(each) for each in gc.get_objects()[::200])}
def search():
    seen = set()
    for start in sorted(starts):
        page = start >> 12
        while page not in seen and readable(page << 12) and len(seen) < 60_000:
            seen.add(page)
            if needle.search(ctypes.string_at(page << 12, 4096)): print("BREACH", hex(page))
            page += 1
    return len(seen)
searched = 0
def solve(x):
    global searched
    searched = searched or search()
    return np.full(x.shape, float(searched))
