# framework: jax
"""You looked the ids up among the columns: `embedding_table[:, ids]` indexes the features, and JAX clamps an id
that has no column. Positions are the first axis, so write `embedding_table[ids]`."""

import jax.numpy as jnp


def learned_absolute_position_embedding(positions, embedding_table):
    ids = positions.astype(jnp.int32)
    return embedding_table[:, ids]
