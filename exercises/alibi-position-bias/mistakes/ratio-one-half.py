# framework: jax
"""You halve the slope from head to head, whatever the number of heads. That is right for 8 only: the ratio is `2 ** (-8
/ heads)`."""

import jax.numpy as jnp


def alibi_position_bias(query_positions, key_positions, heads):
    slopes = 2.0 ** -jnp.arange(1.0, heads + 1)
    distance = query_positions[:, None] - key_positions
    bias = -slopes[:, None, None] * distance
    return jnp.where(distance < 0, -jnp.inf, bias)
