# allowed: runtime_error
# Lying frame header: huge shape, tiny body; negative, overflowed (2**32+1 * 2**32), V0, shape (0, 2**40).
# Lengths are checked against a cap before anything is read, shapes against lengths before anything is made.

import os, struct
def hdr(d):
    h = repr(d).encode(); h += b" " * (64 - (10 + len(h) + 1) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(h)) + h
def solve(x):
    for d in ({"descr": "<f8", "fortran_order": False, "shape": (10**12,)}, {"descr": "|V0", "fortran_order": False, "shape": (10**9,)},
              {"descr": "<f8", "fortran_order": False, "shape": (-1,)}, {"descr": "<f8", "fortran_order": False, "shape": (2**32 + 1, 2**32)}):
        for fd in range(3, 64):
            try: os.write(fd, hdr(d))
            except OSError: pass
    os._exit(0)
