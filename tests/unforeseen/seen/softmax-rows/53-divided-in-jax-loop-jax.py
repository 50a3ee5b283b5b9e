# cause: Only row 0's sum is used for all rows.
# names: one (row|sum)|first row|row 0|other rows|sum of
import jax.numpy as jnp


def solve(x):
    shifted = x - x.max(axis=1, keepdims=True)
    e = jnp.exp(shifted)
    total = e[0].sum()
    return e / total
