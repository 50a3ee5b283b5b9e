# framework: jax
"""Right for points far apart, wrong for points close together: `|a|^2 + |b|^2 - 2ab` is a small difference of large
numbers in float32. Take the differences first, and square those."""

import jax.numpy as jnp


def pairwise_distances(a, b):
    squares = (a**2).sum(axis=1)[:, None] + (b**2).sum(axis=1) - 2 * a @ b.T
    return jnp.sqrt(jnp.maximum(squares, 0))
