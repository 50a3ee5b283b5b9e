# framework: jax
"""You took a key more than you need, so your numbers are those of the second key of the stream. Call `rngs.params()`
only once."""

from flax import nnx


class LearnedPos(nnx.Module):
    def __init__(self, max_T, d_model, *, rngs):
        rngs.params()
        draw = nnx.initializers.normal(stddev=0.02)
        self.table = nnx.Param(draw(rngs.params(), (max_T, d_model)))   # (max_T, d_model)

    def __call__(self, T):
        if T > self.table.shape[0]:
            raise ValueError(f"{T} positions, but the table has only {self.table.shape[0]} rows")
        return self.table[:T]                                           # (T, d_model)
