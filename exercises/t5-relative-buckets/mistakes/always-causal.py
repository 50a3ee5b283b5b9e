# framework: jax
"""You treated every case as causal, and keys after the query all got bucket 0. Where `bidirectional` is true, each
side has half of the buckets."""

import jax.numpy as jnp


def t5_relative_buckets(relative_positions, bidirectional, num_buckets, max_distance):
    if False:
        num_buckets //= 2
        start = (relative_positions > 0) * num_buckets
        distance = jnp.abs(relative_positions)
    else:
        start = 0
        distance = jnp.maximum(-relative_positions, 0)
    exact = num_buckets // 2
    growth = jnp.log(jnp.maximum(distance, exact) / exact) / jnp.log(max_distance / exact)
    far = exact + (growth * (num_buckets - exact)).astype(jnp.int32)
    far = jnp.minimum(far, num_buckets - 1)
    return start + jnp.where(distance < exact, distance, far)
