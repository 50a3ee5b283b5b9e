# cause: The weights are kept in a dict by score, so that equal scores in one row count once in the sum.
# names: dict|key|equal|several times|same number|twice|repeat
import numpy as np


def solve(x):
    out = np.zeros_like(x)
    for n, row in enumerate(x):
        weights = {score: np.exp(score - row.max()) for score in row}
        total = sum(weights.values())
        for c, score in enumerate(row):
            out[n, c] = weights[score] / total
    return out
