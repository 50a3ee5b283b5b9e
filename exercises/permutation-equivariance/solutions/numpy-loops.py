# framework: numpy
import math

import numpy as np


def attend(z, w_q, w_k, w_v):
    q, k, v = z @ w_q, z @ w_k, z @ w_v
    out = np.zeros_like(v)
    for t in range(len(z)):
        scores = [float(q[t] @ k[s]) / math.sqrt(q.shape[1]) for s in range(len(z))]
        shares = [math.exp(score - max(scores)) for score in scores]
        for s in range(len(z)):
            out[t] += shares[s] / sum(shares) * v[s]
    return out


def order_gap(x, positions, w_q, w_k, w_v, permutation):
    shuffled = np.stack([x[source] for source in permutation])
    in_order = x
    if positions is not None:
        shuffled = shuffled + positions
        in_order = x + positions
    output = attend(shuffled, w_q, w_k, w_v)
    answers = attend(in_order, w_q, w_k, w_v)
    gap = 0.0
    for place, source in enumerate(permutation):
        gap = max(gap, float(np.abs(output[place] - answers[source]).max()))
    return output, gap
