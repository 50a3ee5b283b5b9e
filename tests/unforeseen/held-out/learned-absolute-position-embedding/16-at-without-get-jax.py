# cause: embedding_table.at[ids] is only a reference for an update and no array; it needs .get(), or plain indexing embedding_table[ids].
# names: \.at\[ids\]|\.get\(|not an array|no array|(helper|reference|update|ref)\b.{0,30}(not|no|instead|rather|object)|IndexUpdate|another type|plain index|an object
import jax
import jax.numpy as jnp


def learned_absolute_position_embedding(positions, embedding_table):
    ids = jnp.asarray(positions, dtype=jnp.int32)
    return embedding_table.at[ids]
