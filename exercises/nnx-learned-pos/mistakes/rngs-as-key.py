# framework: jax
# verdict: runtime_error
"""An initializer needs a single key, not the `nnx.Rngs` that keys are taken from. Take the next one:
`rngs.params()`."""

from flax import nnx


class LearnedPos(nnx.Module):
    def __init__(self, max_T, d_model, *, rngs):
        draw = nnx.initializers.normal(stddev=0.02)
        self.table = nnx.Param(draw(rngs, (max_T, d_model)))   # (max_T, d_model)

    def __call__(self, T):
        if T > self.table.shape[0]:
            raise ValueError(f"{T} positions, but the table has only {self.table.shape[0]} rows")
        return self.table[:T]                                           # (T, d_model)
