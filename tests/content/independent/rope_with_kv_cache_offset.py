"""Follows Su et al. 2021 (arXiv:2104.09864), section 3.2.2, as a complex multiplication: each new token is visited by
itself, in float64, and turned by e^(i * position * theta); its position is the number of keys cached by then."""

import cmath

import numpy as np


def expected(q, k, cached_keys, base):
    N, H, T, d = q.shape
    queries = np.zeros((N, H, T, d))
    keys = cached_keys.astype(np.float64)
    for t in range(T):
        position = keys.shape[2]
        key = np.zeros((N, H, 1, d))
        for n, h, i in np.ndindex(N, H, d // 2):
            turn = cmath.exp(1j * position * base ** (-2 * i / d))
            for source, target in ((q[n, h, t], queries[n, h, t]), (k[n, h, t], key[n, h, 0])):
                turned = complex(source[2 * i], source[2 * i + 1]) * turn
                target[2 * i], target[2 * i + 1] = turned.real, turned.imag
        keys = np.concatenate([keys, key], axis=2)
    return queries.astype(np.float32), keys.astype(np.float32)
