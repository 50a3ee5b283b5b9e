# framework: jax
"""The values are right, but they are floats, which cannot be used to look up rows of a table. Cast the far buckets
to int32."""

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
    growth = jnp.log(jnp.maximum(distance, exact) / exact) / jnp.log(max_distance / exact)
    far = exact + jnp.floor(growth * (num_buckets - exact))
    far = jnp.minimum(far, num_buckets - 1)
    return start + jnp.where(distance < exact, distance, far)
