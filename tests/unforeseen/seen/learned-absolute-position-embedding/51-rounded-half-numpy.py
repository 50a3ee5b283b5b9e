# cause: The ids are cast to int8, which wraps above 127, so that ids of a long table are wrong or negative.
# names: int8|whole number type|256|127|too small
import numpy as np


def learned_absolute_position_embedding(positions, embedding_table):
    return embedding_table[positions.astype(np.int8)]
