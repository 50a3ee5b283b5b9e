# cause: Each sentence gets a slice of consecutive rows that starts at its first id, but ids may repeat, skip or run backwards, so each one must be looked up.
# names: slice|consecutive|contiguous|first (id|position)\b|first token's (id|position)|count(s|ing)? up|(start|begin)s? (at|from|with)|one after (the other|another)|in a row
import jax
import jax.numpy as jnp
from jax import lax


def learned_absolute_position_embedding(positions, embedding_table):
    N, T = positions.shape
    d_model = embedding_table.shape[1]
    starts = positions[:, 0].astype(jnp.int32)

    def rows(start):
        return lax.dynamic_slice(embedding_table, (start, 0), (T, d_model))

    return jax.vmap(rows)(starts)       # (N, T, d_model)
