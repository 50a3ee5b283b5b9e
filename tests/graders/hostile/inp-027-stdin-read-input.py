# allowed: runtime_error
# stdin read / input().
# stdin is at its end.

def solve(x): return input("> ")
