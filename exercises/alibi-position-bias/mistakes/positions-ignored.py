# framework: jax
"""You measure distances in places of the arrays, 0, 1, 2, …. Queries and keys have positions of their own, which may
start anywhere and skip: subtract `key_positions` from `query_positions[:, None]`."""

import jax.numpy as jnp


def alibi_position_bias(query_positions, key_positions, heads):
    slopes = 2.0 ** (-8 * jnp.arange(1, heads + 1) / heads)
    distance = jnp.arange(len(query_positions))[:, None] - jnp.arange(len(key_positions))
    bias = -slopes[:, None, None] * distance
    return jnp.where(distance < 0, -jnp.inf, bias)
