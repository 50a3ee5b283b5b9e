# framework: jax
"""You looked the ids up among the columns, as `embedding_table[:, ids]` does: axis 1 holds the features, and JAX
clamps an id that has no column. Positions are axis 0, so write `embedding_table[ids]`."""

import jax.numpy as jnp


def learned_absolute_position_embedding(positions, embedding_table):
    ids = positions.astype(jnp.int32)
    return embedding_table[:, ids]
