# framework: jax
# verdict: runtime_error
"""`jnp.take` needs integer indices, and your ids are still float32. Cast them first: `jnp.take(embedding_table,
positions.astype(jnp.int32), axis=0)`."""

import jax.numpy as jnp


def learned_absolute_position_embedding(positions, embedding_table):
    return jnp.take(embedding_table, positions, axis=0)
