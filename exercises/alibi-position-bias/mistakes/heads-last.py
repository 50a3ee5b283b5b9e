# framework: jax
"""The axis of the heads comes last in your array. It is the first, `(heads, Q, K)`: multiply `slopes[:, None, None]`
with the distances."""

import jax.numpy as jnp


def alibi_position_bias(query_positions, key_positions, heads):
    slopes = 2.0 ** (-8 * jnp.arange(1, heads + 1) / heads)
    distance = query_positions[:, None] - key_positions
    bias = -slopes * distance[:, :, None]
    return jnp.where(distance[:, :, None] < 0, -jnp.inf, bias)
