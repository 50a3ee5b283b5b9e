# cause: Rows are multiplied by sqrt(d_model), as token embeddings are in the paper; not asked for here.
# names: factor|times|sqrt|root|scale
import jax.numpy as jnp


def learned_absolute_position_embedding(positions, embedding_table):
    ids = positions.astype(jnp.int32)
    return embedding_table[ids] * jnp.sqrt(embedding_table.shape[1])
