# allowed: runtime_error, wrong_answer
# Sparse 8 EiB file + copy-out.
# RLIMIT_FSIZE; and no file leaves a box.

def solve(x):
    with open("/tmp/out.npy", "wb") as f: f.truncate(1 << 60)
    return x
