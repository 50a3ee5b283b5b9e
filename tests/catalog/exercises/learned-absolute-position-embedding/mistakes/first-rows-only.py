# framework: numpy
"""You return the first `T` rows of the table, without looking at the ids and without a sentence axis. Index
with the ids themselves, `embedding_table[ids]`, which keeps their shape `(N, T)` in front."""


def learned_absolute_position_embedding(positions, embedding_table):
    T = positions.shape[1]
    return embedding_table[:T]
