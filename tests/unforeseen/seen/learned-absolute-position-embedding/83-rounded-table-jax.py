# cause: The rows are rounded to two decimal places.
# names: round|decimal
import jax.numpy as jnp


def learned_absolute_position_embedding(positions, embedding_table):
    ids = jnp.asarray(positions, dtype=jnp.int32)
    rows = jnp.take(embedding_table, ids, axis=0)
    return jnp.round(rows, 2)
