# allowed: wrong_answer, runtime_error
# Masked array / matrix / recarray / DataFrame / list / generator.
# A mask is not trusted to say what counts.

import numpy as np
def solve(x):
    return np.ma.masked_all(np.shape(x))
