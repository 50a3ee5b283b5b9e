# framework: jax
# verdict: runtime_error
"""Your ids are still float32, and JAX indexes only with integers. Cast them first: `ids =
positions.astype(jnp.int32)`."""


def learned_absolute_position_embedding(positions, embedding_table):
    return embedding_table[positions]
