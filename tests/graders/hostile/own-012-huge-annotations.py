# allowed: invalid_submission, memory_limit, time_limit
# A signature that does not fit and whose text is hundreds of megabytes.
# It is made in the box and cut there.

class Huge:
    def __repr__(self): return "A" * (200 << 20)
def solve(x: Huge(), y: Huge(), z: Huge() = Huge()): return x
