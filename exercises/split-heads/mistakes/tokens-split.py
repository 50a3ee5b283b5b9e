# framework: numpy
# verdict: runtime_error
"""`np.split` works on axis 0, the batch, unless you name another axis. The heads are cut from the features, so write
`axis=-1`."""

import numpy as np


def split_heads(x, H):
    return np.stack(np.split(x, H), axis=1)
