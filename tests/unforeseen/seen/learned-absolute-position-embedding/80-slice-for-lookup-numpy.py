# cause: Each sentence gets a consecutive piece of the table that begins at its first id, table[first:first + T], and not the row of each id.
# names: consecutive|slice|one after another|each (id|sentence)|from (its|the) first|:|follow one another
import numpy as np


def learned_absolute_position_embedding(positions, embedding_table):
    N, T = positions.shape
    max_len, d_model = embedding_table.shape
    out = np.zeros((N, T, d_model), dtype=embedding_table.dtype)
    for n in range(N):
        first = int(positions[n, 0])
        rows = embedding_table[first:first + T]
        out[n, :len(rows)] = rows
    return out
