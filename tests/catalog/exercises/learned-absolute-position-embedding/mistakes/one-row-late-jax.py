# framework: jax
"""You took each id one row too late; past the end of the table JAX takes the last row. The ids count from zero already,
so leave out the `+ 1`: row 0 belongs to position 0."""

import jax.numpy as jnp


def learned_absolute_position_embedding(positions, embedding_table):
    ids = positions.astype(jnp.int32)
    return embedding_table[ids + 1]
