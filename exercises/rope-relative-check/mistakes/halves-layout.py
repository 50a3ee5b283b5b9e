# framework: jax
"""`spread` is right, but `error` expects the halves layout. Here neighbours are a pair: columns `2i` and `2i + 1`, that
is `k[0::2]` and `k[1::2]`."""

import jax.numpy as jnp


def rope_relative_check(q, k, rotated_q, rotated_k, base):
    T, d = rotated_q.shape
    scores = rotated_q @ rotated_k.T
    theta = base ** (-jnp.arange(0, d, 2) / d)
    spread, error = [], []
    for distance in range(-(T - 1), T):
        cos, sin = jnp.cos(distance * theta), jnp.sin(distance * theta)
        even, odd = k[: d // 2] * cos - k[d // 2 :] * sin, k[: d // 2] * sin + k[d // 2 :] * cos
        wanted = q[: d // 2] @ even + q[d // 2 :] @ odd
        diagonal = jnp.diagonal(scores, distance)
        spread.append(diagonal.max() - diagonal.min())
        error.append(abs(diagonal - wanted).max())
    return {"spread": jnp.array(spread), "error": jnp.array(error)}
