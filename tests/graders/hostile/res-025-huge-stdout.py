# allowed: output_limit, time_limit
# Huge stdout.
# Prints are read as they come, counted, kept up to a cap, and end the box over the limit.

def solve(x):
    while True: print("A" * 65536)
