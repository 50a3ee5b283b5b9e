# cause: The running maximum starts at 0 and not at -inf, so in a row of negative scores it stays 0, and far below zero everything underflows to 0/0.
# names: (start|begin|initiali[sz]|set)\w*.{0,40}(\b0\b|zero|-inf|x\[|first)|maximum.{0,40}(is|stays|remains|at least|never (below|less)|not below) (0|zero)|max\w*\(0|(0|zero) (counts|takes part|is counted|is included)
import numpy as np


def solve(x):
    """online softmax, like FlashAttention"""
    N, C = x.shape
    out = np.empty((N, C))
    for n in range(N):
        m, total = 0.0, 0.0
        for c in range(C):
            m_new = max(m, x[n, c])
            total = total * np.exp(m - m_new) + np.exp(x[n, c] - m_new)
            m = m_new
        for c in range(C):
            out[n, c] = np.exp(x[n, c] - m) / total
    return out
