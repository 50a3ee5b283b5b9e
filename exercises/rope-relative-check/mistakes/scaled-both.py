# framework: jax
"""All of your numbers are too small by `sqrt(d)`. Scores are not scaled here: leave the division out on both sides."""

import jax.numpy as jnp


def rope_relative_check(q, k, rotated_q, rotated_k, base):
    T, d = rotated_q.shape
    scores = rotated_q @ rotated_k.T / d**0.5
    theta = base ** (-jnp.arange(0, d, 2) / d)
    spread, error = [], []
    for distance in range(-(T - 1), T):
        cos, sin = jnp.cos(distance * theta), jnp.sin(distance * theta)
        even, odd = k[0::2] * cos - k[1::2] * sin, k[0::2] * sin + k[1::2] * cos
        wanted = (q[0::2] @ even + q[1::2] @ odd) / d**0.5
        diagonal = jnp.diagonal(scores, distance)
        spread.append(diagonal.max() - diagonal.min())
        error.append(abs(diagonal - wanted).max())
    return {"spread": jnp.array(spread), "error": jnp.array(error)}
