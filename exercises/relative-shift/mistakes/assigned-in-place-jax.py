# framework: jax
# verdict: runtime_error
"""JAX arrays cannot be assigned to. Write `out = out.at[…].set(…)`, or gather with an array of columns."""

import jax.numpy as jnp


def relative_shift(scores):
    H, T, K = scores.shape
    out = jnp.zeros_like(scores)
    for i in range(T):
        out[:, i, : K - (T - 1 - i)] = scores[:, i, T - 1 - i :]
    return out
