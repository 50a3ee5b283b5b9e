# cause: positions are ignored: arange(T) is used for every sentence.
# names: positions|depend
import jax.numpy as jnp


def learned_absolute_position_embedding(positions, embedding_table):
    N, T = positions.shape
    rows = embedding_table[jnp.arange(T)]
    return jnp.broadcast_to(rows, (N, T, embedding_table.shape[1]))
