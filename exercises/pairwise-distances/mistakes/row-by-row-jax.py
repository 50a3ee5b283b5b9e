# framework: jax
# verdict: runtime_error
"""`a - b` lines up the rows of `a` with the rows of `b`, which fails unless there are as many, and pairs row n only with
row n. Insert an axis, `a[:, None, :] - b[None, :, :]`, so that every row meets every other."""

import jax.numpy as jnp


def pairwise_distances(a, b):
    return jnp.sqrt(((a - b) ** 2).sum(axis=-1))
