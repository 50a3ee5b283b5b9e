# framework: numpy
# verdict: runtime_error
"""Your pieces do not all have the same length, as when head h takes the numbers from `h * H` to `(h + 1) * H`. Each piece
is `d = D // H` numbers long: from `h * d` to `(h + 1) * d`."""

import numpy as np


def split_heads(x, H):
    return np.stack([x[:, :, h * H : (h + 1) * H] for h in range(H)], axis=1)
