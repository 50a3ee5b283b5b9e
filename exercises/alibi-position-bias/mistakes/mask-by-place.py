# framework: jax
"""The distances are right, but you hide what lies above the diagonal of the array. Whether a key is in the future
depends on the positions, not on its place: put `-inf` where `key_positions` is larger than `query_positions[:,
None]`."""

import jax.numpy as jnp


def alibi_position_bias(query_positions, key_positions, heads):
    slopes = 2.0 ** (-8 * jnp.arange(1, heads + 1) / heads)
    distance = query_positions[:, None] - key_positions
    bias = -slopes[:, None, None] * distance
    return jnp.where(jnp.tril(jnp.ones(distance.shape)) == 0, -jnp.inf, bias)
