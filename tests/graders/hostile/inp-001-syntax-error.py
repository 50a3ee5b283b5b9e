# allowed: invalid_submission
# Syntax error.
# Compiled in the box, told with its line.

def solve(x)
    return x
