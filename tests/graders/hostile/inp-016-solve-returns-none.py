# allowed: wrong_answer, runtime_error
# solve returns None.
# None is not an array.

def solve(x): x + 1
