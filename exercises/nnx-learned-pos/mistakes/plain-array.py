# framework: jax
"""Your module has no `nnx.Param`: an array by itself is not found by `nnx.state(module, nnx.Param)`, so no optimiser
trains it. Wrap it: `self.table = nnx.Param(…)`."""

from flax import nnx


class LearnedPos(nnx.Module):
    def __init__(self, max_T, d_model, *, rngs):
        draw = nnx.initializers.normal(stddev=0.02)
        self.table = draw(rngs.params(), (max_T, d_model))

    def __call__(self, T):
        if T > self.table.shape[0]:
            raise ValueError(f"{T} positions, but the table has only {self.table.shape[0]} rows")
        return self.table[:T]                                           # (T, d_model)
