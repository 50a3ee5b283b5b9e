# framework: jax
"""Past the end you return the last row again, so the model could not tell those positions apart. Raise a `ValueError`
if `T > max_T`."""

import jax.numpy as jnp
from flax import nnx


class LearnedPos(nnx.Module):
    def __init__(self, max_T, d_model, *, rngs):
        draw = nnx.initializers.normal(stddev=0.02)
        self.table = nnx.Param(draw(rngs.params(), (max_T, d_model)))   # (max_T, d_model)

    def __call__(self, T):
        return self.table[jnp.arange(T)]
