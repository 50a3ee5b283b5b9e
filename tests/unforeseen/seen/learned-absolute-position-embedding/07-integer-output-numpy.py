# cause: The output array was made with an integer dtype, so the fractions of the table are cut off.
# names: integer (array|output|result|buffer)|(output|result|buffer|zeros).{0,30}(integers?\b|int\b|whole numbers)|dtype=`?int|truncat|cut off|fractions?\b|decimals\b|digits after|rounded (down|towards|toward)|you return int|(is|are|return\w*|of|output|dtype|become) (of )?(the )?(dtype )?`?int(64|32)
import numpy as np


def learned_absolute_position_embedding(positions, embedding_table):
    N, T = positions.shape
    D = embedding_table.shape[-1]
    ids = positions.astype(int)
    result = np.zeros((N, T, D), dtype=int)
    for n in range(N):
        result[n] = embedding_table[ids[n]]
    return result
