# allowed: runtime_error
# Exception groups nested 10 000 deep.
# As before.

def solve(x):
    e = ValueError("x")
    for _ in range(10000): e = ExceptionGroup("g", [e])
    raise e
