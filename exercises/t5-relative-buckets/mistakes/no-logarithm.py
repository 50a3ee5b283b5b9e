# framework: jax
"""Your buckets hold one distance each until they run out, and all the rest is in the last. Only the first half is
like that; in the second, buckets widen with the logarithm of the distance."""

import jax.numpy as jnp


def t5_relative_buckets(relative_positions, bidirectional, num_buckets, max_distance):
    if bidirectional:
        num_buckets //= 2
        start = (relative_positions > 0) * num_buckets
        distance = jnp.abs(relative_positions)
    else:
        start = 0
        distance = jnp.maximum(-relative_positions, 0)
    return start + jnp.minimum(distance, num_buckets - 1)
