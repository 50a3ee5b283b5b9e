# framework: jax
"""The past is right, but keys in the future have a bias above zero, so that they would win. Causal attention must not
see them: put `-inf` where the key's position is larger than the query's."""

import jax.numpy as jnp


def alibi_position_bias(query_positions, key_positions, heads):
    slopes = 2.0 ** (-8 * jnp.arange(1, heads + 1) / heads)
    distance = query_positions[:, None] - key_positions
    bias = -slopes[:, None, None] * distance
    return bias
