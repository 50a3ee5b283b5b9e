# framework: jax
"""Your buckets widen too slowly, because the logarithm of `max_distance` is not divided by `e`. Both logarithms are
relative to `e`: `log(n / e) / log(max_distance / e)`."""

import jax.numpy as jnp


def t5_relative_buckets(relative_positions, bidirectional, num_buckets, max_distance):
    if bidirectional:
        num_buckets //= 2
        start = (relative_positions > 0) * num_buckets
        distance = jnp.abs(relative_positions)
    else:
        start = 0
        distance = jnp.maximum(-relative_positions, 0)
    exact = num_buckets // 2
    growth = jnp.log(jnp.maximum(distance, exact) / exact) / jnp.log(max_distance)
    far = exact + (growth * (num_buckets - exact)).astype(jnp.int32)
    far = jnp.minimum(far, num_buckets - 1)
    return start + jnp.where(distance < exact, distance, far)
