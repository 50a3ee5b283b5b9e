# cause: JAX arrays are immutable, so out[n, t] = ... is not possible; use out = out.at[n, t].set(...) or index with all ids at once.
# names: immutable|item assignment|in[- ]?place|\.set\(|(cannot|can't|not|never) .{0,20}(assigned|chang|written to|modif|overwr)|assign\w* (to|into)
import jax
import jax.numpy as jnp


def learned_absolute_position_embedding(
    positions: jax.Array, embedding_table: jax.Array
) -> jax.Array:
    N, T = positions.shape
    out = jnp.zeros((N, T, embedding_table.shape[1]))
    for n in range(N):
        for t in range(T):
            out[n, t] = embedding_table[int(positions[n, t])]
    return out
