# cause: The ids are cast to int8, which ends at 127, so larger ids wrap around to other rows.
# names: \bint8|127|(?<!unsigned )8[- ]bits?|(larger|above|beyond|over|127|128|type|big).{0,40}(wrap|overflow)|too (small|narrow) (a |an )?(type|dtype|integer)|integer type|width
import numpy as np


def learned_absolute_position_embedding(positions, embedding_table):
    ids = positions.astype("int8")   # small ints are enough for positions
    return embedding_table[ids]
