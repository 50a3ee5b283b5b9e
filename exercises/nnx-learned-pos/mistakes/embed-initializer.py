# framework: jax
"""These are the numbers of the initializer that `nnx.Embed` uses by itself, whose size depends on `d_model`. Here
every table has a standard deviation of 0.02: `nnx.initializers.normal(stddev=0.02)`."""

from flax import nnx


class LearnedPos(nnx.Module):
    def __init__(self, max_T, d_model, *, rngs):
        draw = nnx.initializers.variance_scaling(1.0, "fan_in", "normal", out_axis=0)
        self.table = nnx.Param(draw(rngs.params(), (max_T, d_model)))   # (max_T, d_model)

    def __call__(self, T):
        if T > self.table.shape[0]:
            raise ValueError(f"{T} positions, but the table has only {self.table.shape[0]} rows")
        return self.table[:T]                                           # (T, d_model)
