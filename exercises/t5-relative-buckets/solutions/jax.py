# framework: jax
import jax.numpy as jnp


def t5_relative_buckets(relative_positions, bidirectional, num_buckets, max_distance):
    if bidirectional:
        num_buckets //= 2
        start = jnp.where(relative_positions > 0, num_buckets, 0)
        distance = jnp.abs(relative_positions)
    else:
        start, distance = 0, jnp.maximum(-relative_positions, 0)
    exact = num_buckets // 2
    growth = jnp.log(jnp.maximum(distance, exact) / exact) / jnp.log(max_distance / exact)
    far = exact + (growth * (num_buckets - exact)).astype(jnp.int32)
    return start + jnp.where(distance < exact, distance, jnp.minimum(far, num_buckets - 1))
