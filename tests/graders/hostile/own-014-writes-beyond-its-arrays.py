# allowed: runtime_error, wrong_answer, time_limit, memory_limit
# NumPy is made to write where no array of it is: a view with strides of its own choosing, an out= of it.
# It breaks its own process and no other.

import numpy as np
def solve(x):
    wide = np.lib.stride_tricks.as_strided(x, (1 << 24,), (8,), writeable=True)
    back = np.lib.stride_tricks.as_strided(x, (1 << 16,), (-8,), writeable=True)
    np.add(back, 1e300, out=back)
    np.multiply(wide, 0, out=wide)
    return x
