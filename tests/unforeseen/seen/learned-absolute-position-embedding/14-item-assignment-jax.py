# cause: JAX arrays cannot be changed in place, so out[n, t] = ... is an error; use out = out.at[n, t].set(...) or index with all ids at once.
# names: in.?place|immutable|item assignment|\.at\[.{0,20}\.set|(can ?not|can't|n't|never|not) be (changed|modified|assigned|written)|read.?only
import jax.numpy as jnp


def learned_absolute_position_embedding(positions, embedding_table):
    N, T = positions.shape
    max_len, d_model = embedding_table.shape
    out = jnp.zeros((N, T, d_model), dtype=jnp.float32)
    for n in range(N):
        for t in range(T):
            out[n, t] = embedding_table[int(positions[n, t])]
    return out
