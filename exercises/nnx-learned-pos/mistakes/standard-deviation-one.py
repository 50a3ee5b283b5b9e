# framework: jax
"""Your numbers are fifty times too large: they have a standard deviation of 1. Use
`nnx.initializers.normal(stddev=0.02)`, or multiply by 0.02."""

import jax
from flax import nnx


class LearnedPos(nnx.Module):
    def __init__(self, max_T, d_model, *, rngs):
        self.table = nnx.Param(jax.random.normal(rngs.params(), (max_T, d_model)))   # (max_T, d_model)

    def __call__(self, T):
        if T > self.table.shape[0]:
            raise ValueError(f"{T} positions, but the table has only {self.table.shape[0]} rows")
        return self.table[:T]                                           # (T, d_model)
