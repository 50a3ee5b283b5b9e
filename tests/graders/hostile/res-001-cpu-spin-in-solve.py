# allowed: time_limit
# CPU spin in solve.
# The watchdog's deadline ends it from outside.

def solve(x):
    while True: pass
