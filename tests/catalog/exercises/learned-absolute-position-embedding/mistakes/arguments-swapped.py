# framework: numpy
# verdict: runtime_error
"""You index the ids with the numbers of the table, as if the table were the first argument. It is the second: write
`(positions, embedding_table)` after `def`, and `embedding_table[ids]` where you index."""

import numpy as np


def learned_absolute_position_embedding(embedding_table, positions):
    return embedding_table[positions.astype(np.int64)]
