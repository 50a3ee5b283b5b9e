# allowed: runtime_error
# Run native code: write an ELF and exec it, or memfd + execveat.
# Neither a file without a name nor execution of one.

import os, ctypes
def solve(x):
    fd = os.memfd_create("e"); os.write(fd, open("/bin/echo", "rb").read())
    os.execve(fd, ["echo", "BREACH memfd exec"], {})
