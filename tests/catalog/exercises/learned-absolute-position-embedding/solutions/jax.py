# framework: jax
import jax.numpy as jnp


def learned_absolute_position_embedding(positions, embedding_table):
    return embedding_table[positions.astype(jnp.int32)]     # (N, T, d_model)
