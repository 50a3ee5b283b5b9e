# cause: The largest absolute value is subtracted rather than the largest score, so a row of very negative scores underflows to 0/0.
# names: absolute|\babs\b|np\.abs|magnitude|ignor\w+ the sign|without (its|their|the) signs?
import numpy as np


def solve(x):
    scale = np.abs(x).max(axis=-1, keepdims=True)   # never overflows
    z = np.exp(x - scale)
    return z / z.sum(axis=-1, keepdims=True)
