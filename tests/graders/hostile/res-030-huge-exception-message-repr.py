# allowed: runtime_error, output_limit, memory_limit
# limits: wall_seconds=5
# Huge exception message / repr.
# The message is made in the box, within its memory, and cut there. (32 MB of it for each of sixteen cases.)

class Big(Exception):
    def __str__(self): return "Z" * (32 << 20)
    __repr__ = __str__
def solve(x):
    raise Big()
