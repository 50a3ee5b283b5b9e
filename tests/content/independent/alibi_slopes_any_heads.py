"""Follows the authors' `get_slopes` (github.com/ofirpress/attention_with_linear_biases, fairseq/models/transformer.py):
a start that is also the ratio, and the slopes for twice the power made in full, every second one taken. In float64."""

import math

import numpy as np


def expected(n_heads, heads=None):
    slopes = np.array(get_slopes(n_heads), dtype=np.float32)
    return slopes if heads is None else [n_heads, slopes[heads]]


def get_slopes(n):
    power = 1
    while 2 * power <= n:
        power *= 2
    if power == n:
        start = math.pow(2, -math.pow(2, -(math.log2(n) - 3)))
        return [math.pow(start, i + 1) for i in range(n)]
    return get_slopes(power) + get_slopes(2 * power)[0::2][: n - power]
