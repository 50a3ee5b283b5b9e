# cause: The exponentials are divided by the Euclidean length of the row, so the squares sum to 1 and not the weights; divide by the sum.
# names: euclid|\bl2\b|linalg\.norm|\bnorm\b|squares?\b|squared|length of (the|each|a) (row|vector)|unit (length|vector)
import numpy as np

def solve(x):
    e = np.exp(x - np.max(x, axis=1, keepdims=True))
    # normalize
    return e / np.linalg.norm(e, axis=1, keepdims=True)
