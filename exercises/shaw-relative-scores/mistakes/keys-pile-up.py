# framework: numpy
"""Only your first query is right: you add its vectors into the keys themselves, so the next query finds them changed.
Write `keys[h] + table[rows]` in place of `+=`."""

import numpy as np


def relative_scores(queries, keys, max_distance, table):
    heads, tokens, d = queries.shape
    out = np.zeros((heads, tokens, tokens), np.float32)
    for h in range(heads):
        for i in range(tokens):
            own = keys[h]
            own += table[np.clip(np.arange(tokens) - i, -max_distance, max_distance) + max_distance]
            out[h, i] = own @ queries[h, i]
    return out / np.float32(d**0.5)
