# framework: jax
import jax
import jax.numpy as jnp


@jax.jit
def relative_shift(scores):
    H, T, K = scores.shape
    queries = jnp.arange(T)[:, None]                                        # (T, 1)
    columns = jnp.arange(K) + T - 1 - queries                               # (T, K)
    return scores.at[:, queries, columns].get(mode="fill", fill_value=0.0)  # (H, T, K)
