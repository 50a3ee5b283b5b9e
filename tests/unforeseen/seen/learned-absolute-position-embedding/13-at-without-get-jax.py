# cause: embedding_table.at[ids] is only a helper for updates and no array; index directly, embedding_table[ids], or add .get().
# names: \.at\b`?.{0,60}(\.get|helper|read|only for updat|not an? (jax )?array|no array|without)|\.get\b|IndexUpdate|(leave|drop|remove|without) (out )?(the )?`?\.at\b|table\.at
import jax.numpy as jnp


def learned_absolute_position_embedding(positions, embedding_table):
    idx = positions.astype(jnp.int32)
    return embedding_table.at[idx]
