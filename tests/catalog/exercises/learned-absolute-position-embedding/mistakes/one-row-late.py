# framework: numpy
# verdict: runtime_error
"""You took each id one row too late. The ids count from zero already, so leave out the `+ 1`: row 0 belongs to
position 0."""

import numpy as np


def learned_absolute_position_embedding(positions, embedding_table):
    ids = positions.astype(np.int64)
    return embedding_table[ids + 1]
