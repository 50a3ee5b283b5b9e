# framework: jax
"""JAX cuts a slice to the rows that exist, so 40 positions quietly become 6 rows. Compare `T` with `max_T`, and raise
a `ValueError`."""

from flax import nnx


class LearnedPos(nnx.Module):
    def __init__(self, max_T, d_model, *, rngs):
        draw = nnx.initializers.normal(stddev=0.02)
        self.table = nnx.Param(draw(rngs.params(), (max_T, d_model)))   # (max_T, d_model)

    def __call__(self, T):
        return self.table[:T]                                           # (T, d_model)
