# allowed: wrong_answer
# The machine's free memory and load, and how full its disks are: live numbers, which another box can change.
# Calls that tell them are not there; nor is the one by which a file is copied on the host's disk without being read.

import ctypes, os, shutil
libc = ctypes.CDLL(None, use_errno=True)
def solve(x):
    if libc.sysinfo(ctypes.create_string_buffer(256)) == 0: print("BREACH sysinfo")
    for path in (os.__file__, os.path.dirname(os.__file__), "/", "/box", "/dev/null", "/proc/cpuinfo"):
        for ask in (os.statvfs, shutil.disk_usage):
            try: print("BREACH", path, ask(path))
            except OSError: pass
    try: os.getloadavg(); print("BREACH load")
    except OSError: pass
    source = os.open(os.__file__, os.O_RDONLY)
    try: print("BREACH", os.fstatvfs(source))
    except OSError: pass
    try: print("BREACH", os.copy_file_range(source, os.open("/box/copy", os.O_CREAT | os.O_WRONLY), 4096))
    except OSError: pass
    return x
