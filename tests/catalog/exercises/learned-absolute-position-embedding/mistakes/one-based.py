# framework: numpy
"""You took each id one row too early, and `-1` wrapped around to the last row. The ids count from zero already,
so leave out the `- 1`."""

import numpy as np


def learned_absolute_position_embedding(positions, embedding_table):
    ids = positions.astype(np.int64)
    return embedding_table[ids - 1]
