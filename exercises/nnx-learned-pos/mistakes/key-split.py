# framework: jax
"""You split the key of `rngs.params()` before drawing. Every call gives a new key already, so use it as it is."""

import jax
from flax import nnx


class LearnedPos(nnx.Module):
    def __init__(self, max_T, d_model, *, rngs):
        draw = nnx.initializers.normal(stddev=0.02)
        self.table = nnx.Param(draw(jax.random.split(rngs.params())[0], (max_T, d_model)))   # (max_T, d_model)

    def __call__(self, T):
        if T > self.table.shape[0]:
            raise ValueError(f"{T} positions, but the table has only {self.table.shape[0]} rows")
        return self.table[:T]                                           # (T, d_model)
