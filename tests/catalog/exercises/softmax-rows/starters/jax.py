import jax
import jax.numpy as jnp


def solve(x: jax.Array) -> jax.Array:
    """Turn each row of scores into weights that sum to one.

    x:       (N, C) float64
    returns: (N, C) float64
    """
    raise NotImplementedError("return the softmax of every row")
