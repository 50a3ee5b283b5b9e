# allowed: memory_limit, output_limit, wrong_answer, runtime_error
# An array of eight terabytes that takes eight bytes: one number, with strides of zero.
# It is made whole in the box, whose memory ends before.

import numpy as np
def solve(x): return np.broadcast_to(np.float64(1), (1 << 20, 1 << 20))
