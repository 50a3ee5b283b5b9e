# framework: numpy
# verdict: runtime_error
"""Your ids are still float32, and NumPy indexes only with integers. Cast them first: `ids =
positions.astype(np.int64)`."""


def learned_absolute_position_embedding(positions, embedding_table):
    return embedding_table[positions]
