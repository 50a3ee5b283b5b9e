import numpy as np


def alibi_slopes(n_heads: int) -> np.ndarray:
    """The slopes of all heads, head 1 first.

    returns: (n_heads,) float32
    """
    # 1. p, the largest power of two that is at most n_heads.
    # 2. The p slopes 2 ** (-8 * h / p).
    # 3. The 1st, 3rd, 5th, ... slope for 2 * p, n_heads - p of them.
    raise NotImplementedError("write steps 1 to 3")
