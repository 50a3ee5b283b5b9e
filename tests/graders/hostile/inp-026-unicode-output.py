# allowed: wrong_answer
# Unicode output: invalid UTF-8, RTL, emoji, control, lone CR.
# Prints are decoded with replacement, and hold no NUL.

import sys
def solve(x):
    sys.stdout.buffer.write(b"\xff\xfe\x00\x80" * 1000 + "\u202e\U0001f600\r\x07".encode()); sys.stdout.flush()
    return x
