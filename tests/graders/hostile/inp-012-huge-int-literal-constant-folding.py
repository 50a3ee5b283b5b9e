# allowed: time_limit, runtime_error, invalid_submission
# Huge int literal / constant folding.
# What it takes is its own time and memory.

x = 10 ** 10 ** 7
y = "a" * (1 << 40) if False else 0
def solve(v): return str(x)
