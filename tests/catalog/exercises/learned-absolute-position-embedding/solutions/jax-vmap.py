# framework: jax
import jax
import jax.numpy as jnp


@jax.jit
def learned_absolute_position_embedding(positions, embedding_table):
    def row(position):                                      # () -> (d_model,)
        return jax.lax.dynamic_index_in_dim(embedding_table, position, axis=0, keepdims=False)

    return jax.vmap(jax.vmap(row))(positions.astype(jnp.int32))     # (N, T, d_model)
