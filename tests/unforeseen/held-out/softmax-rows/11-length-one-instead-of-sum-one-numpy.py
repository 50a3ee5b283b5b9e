# cause: The exponentials are divided by their Euclidean length, so the squares of a row sum to 1 and not the weights themselves.
# names: \bnorm\b|np\.linalg|euclid|\bl2\b|squares (of|sum|to)|sum of (the )?squares|unit length|length (1|one)\b|vector('s)? length
import numpy as np

def solve(x):
    x = x - x.max(axis=1, keepdims=True)
    e = np.exp(x)
    # normalise each row
    return e / np.linalg.norm(e, axis=1, keepdims=True)
