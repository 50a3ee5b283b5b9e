# cause: The exponential is a power series cut off after 10 terms, which is far off for scores below -3.
# names: terms|series|range|more (passes|rounds|iterations)|too (few|early)|cut off|loop
import numpy as np


def exp(x):
    total = np.ones_like(x)
    term = np.ones_like(x)
    for n in range(1, 10):
        term = term * x / n
        total = total + term
    return total


def solve(x):
    shifted = x - x.max(axis=1, keepdims=True)
    e = exp(shifted)
    return e / e.sum(axis=1, keepdims=True)
