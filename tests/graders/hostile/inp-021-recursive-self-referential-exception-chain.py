# allowed: runtime_error
# Recursive / self-referential exception chain.
# The chain is not followed.

def solve(x):
    e = ValueError("a"); e.__context__ = e; e.__cause__ = e
    raise e
