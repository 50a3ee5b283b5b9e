# framework: jax
"""Your bias is the slope times the position of the key, and the position of the query has no part in it. A softmax over
the keys would cancel the difference, but this bias has to be right itself: it measures how far the key is behind the
query, so it is 0 at the query's own position and below 0 before it."""

import jax.numpy as jnp


def alibi_position_bias(query_positions, key_positions, heads):
    slopes = 2.0 ** (-8 * jnp.arange(1, heads + 1) / heads)
    bias = slopes[:, None, None] * key_positions
    return jnp.where(key_positions > query_positions[:, None], -jnp.inf, bias)
