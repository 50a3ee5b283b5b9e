# framework: jax
"""In the future your bias is finite: minus the slope times about 2.1 billion, the largest int32. An array of whole
numbers cannot hold an infinity, and JAX puts the largest number in its place without an error. Hide the future in the
finished bias, which is float."""

import jax.numpy as jnp


def alibi_position_bias(query_positions, key_positions, heads):
    slopes = 2.0 ** (-8 * jnp.arange(1, heads + 1) / heads)
    distance = query_positions[:, None] - key_positions
    return -slopes[:, None, None] * distance.at[distance < 0].set(jnp.inf)
