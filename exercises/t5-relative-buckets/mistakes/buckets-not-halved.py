# framework: jax
"""In the bidirectional case each side has only half of the buckets, but you gave each side all of them. Halve
`num_buckets` before you compute anything with it."""

import jax.numpy as jnp


def t5_relative_buckets(relative_positions, bidirectional, num_buckets, max_distance):
    if bidirectional:
        start = (relative_positions > 0) * (num_buckets // 2)
        distance = jnp.abs(relative_positions)
    else:
        start = 0
        distance = jnp.maximum(-relative_positions, 0)
    exact = num_buckets // 2
    growth = jnp.log(jnp.maximum(distance, exact) / exact) / jnp.log(max_distance / exact)
    far = exact + (growth * (num_buckets - exact)).astype(jnp.int32)
    far = jnp.minimum(far, num_buckets - 1)
    return start + jnp.where(distance < exact, distance, far)
