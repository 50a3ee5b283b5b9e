"""Follows Su et al. 2021 (arXiv:2104.09864), section 3.2: the score that a distance should have comes from rotating
query and key to absolute positions, pair by pair, with Python's complex numbers; all pairs of positions are visited in
a plain loop."""

import cmath

import numpy as np


def expected(q, k, rotated_q, rotated_k, base):
    T, d = rotated_q.shape
    found = {distance: [] for distance in range(1 - T, T)}
    for m in range(T):
        for n in range(T):
            found[n - m].append(sum(float(a) * float(b) for a, b in zip(rotated_q[m], rotated_k[n], strict=True)))
    spread, error = [], []
    for distance, scores in found.items():
        wanted = 0.0
        for i in range(d // 2):
            theta = base ** (-2 * i / d)
            at_query = complex(q[2 * i], q[2 * i + 1]) * cmath.exp(1j * T * theta)
            at_key = complex(k[2 * i], k[2 * i + 1]) * cmath.exp(1j * (T + distance) * theta)
            wanted += (at_query.conjugate() * at_key).real
        spread.append(max(scores) - min(scores))
        error.append(max(abs(score - wanted) for score in scores))
    return {"spread": np.array(spread), "error": np.array(error)}
