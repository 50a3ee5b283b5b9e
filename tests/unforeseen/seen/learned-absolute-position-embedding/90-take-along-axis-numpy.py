# cause: np.take_along_axis picks one number per id, from the token's own column, and not the whole row; index the table with the ids.
# names: take_along_axis|(single|one) (number|entry|element|value)s?\b|whole rows?|embedding_table\[|own column|same column
import numpy as np


def learned_absolute_position_embedding(positions, embedding_table):
    ids = positions.astype(np.int64)
    return np.take_along_axis(embedding_table, ids, axis=0)
