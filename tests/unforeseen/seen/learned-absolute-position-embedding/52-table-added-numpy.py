# cause: position ids are added to the row (out = table[id] + id)
# names: added|sum|positions|off by|difference
import numpy as np


def learned_absolute_position_embedding(positions, embedding_table):
    ids = positions.astype(int)
    return embedding_table[ids] + positions[..., None]
