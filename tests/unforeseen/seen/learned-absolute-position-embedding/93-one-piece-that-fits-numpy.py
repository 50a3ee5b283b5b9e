# cause: Each sentence gets a piece of consecutive rows that starts at its first id, moved so that it fits into the table, but ids may repeat, skip or run backwards; look each one up.
# names: consecutive|follow one another|one piece|slice|(each|every) (one|id).{0,40}look|look (each|every)|repeat|skip|count\w* up
import numpy as np


def learned_absolute_position_embedding(positions, embedding_table):
    N, T = positions.shape
    out = np.zeros((N, T, embedding_table.shape[1]), dtype=np.float32)
    for n in range(N):
        start = int(min(positions[n, 0], len(embedding_table) - T))
        start = max(start, 0)
        piece = embedding_table[start:start + T]
        out[n, :len(piece)] = piece
    return out
