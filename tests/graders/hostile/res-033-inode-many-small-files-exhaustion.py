# allowed: runtime_error, time_limit
# Inode / many-small-files exhaustion.
# The box's folder has an end of its own: 4,096 inodes.

def solve(x):
    i = 0
    while True:
        open(f"/tmp/{i}", "w").close(); i += 1
