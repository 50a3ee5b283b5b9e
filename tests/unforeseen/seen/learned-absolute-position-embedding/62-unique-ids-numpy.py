# cause: np.unique sorts and drops repeated ids; the inverse should be used.
# names: repeat|unique|shape|T
import numpy as np


def learned_absolute_position_embedding(positions, embedding_table):
    out = []
    for row in positions:
        ids = np.sort(row.astype(int))
        out.append(embedding_table[ids])
    return np.stack(out)
