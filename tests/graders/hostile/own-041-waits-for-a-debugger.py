# allowed: runtime_error
# breakpoint(), which asks a terminal that is not there.
# stdin is at its end, and the debugger leaves by an exception.

def solve(x):
    breakpoint()
    return x
