# framework: jax
"""You hide keys at the query's own position, too. A token sees itself, with the bias 0: only keys after the query are
`-inf`."""

import jax.numpy as jnp


def alibi_position_bias(query_positions, key_positions, heads):
    slopes = 2.0 ** (-8 * jnp.arange(1, heads + 1) / heads)
    distance = query_positions[:, None] - key_positions
    bias = -slopes[:, None, None] * distance
    return jnp.where(distance <= 0, -jnp.inf, bias)
