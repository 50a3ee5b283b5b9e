# allowed: output_limit, memory_limit, wrong_answer
# Huge single line, no newline (SSE / line-reader buffering).
# Nothing of ours reads by lines.

import sys
def solve(x):
    sys.stdout.write("x" * (512 << 20)); sys.stdout.flush()
    return x
