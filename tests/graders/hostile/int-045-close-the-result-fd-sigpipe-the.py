# allowed: runtime_error
# Close the result fd / SIGPIPE the parent / fill the pipe and never read inputs.
# Without its channel it has no answer.

import os
os.closerange(3, 256)
def solve(x): return x
