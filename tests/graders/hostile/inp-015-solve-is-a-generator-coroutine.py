# allowed: runtime_error, wrong_answer
# solve is a generator / coroutine.
# A generator is not an array.

def solve(x):
    yield x
