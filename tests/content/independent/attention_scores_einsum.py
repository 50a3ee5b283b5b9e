"""Vaswani et al. 2017, "Attention Is All You Need", section 3.2.1: the dot products of the query with all keys, divided
by the root of d_k. One pair at a time, by plain loops in float64."""

import math

import numpy as np


def expected(q, k):
    (B, T, H, d), S = q.shape, k.shape[1]
    out = np.zeros((B, H, T, S))
    for b in range(B):
        for h in range(H):
            for t in range(T):
                for s in range(S):
                    products = [float(q[b, t, h, i]) * float(k[b, s, h, i]) for i in range(d)]
                    out[b, h, t, s] = math.fsum(products) / math.sqrt(d)
    return out.astype(np.float32)
