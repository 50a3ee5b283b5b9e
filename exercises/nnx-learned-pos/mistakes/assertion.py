# framework: jax
# verdict: runtime_error
"""A failed `assert` is an AssertionError, and vanishes when Python runs with `-O`. Write `raise ValueError(…)`."""

from flax import nnx


class LearnedPos(nnx.Module):
    def __init__(self, max_T, d_model, *, rngs):
        draw = nnx.initializers.normal(stddev=0.02)
        self.table = nnx.Param(draw(rngs.params(), (max_T, d_model)))   # (max_T, d_model)

    def __call__(self, T):
        assert T <= self.table.shape[0], "too many positions"
        return self.table[:T]                                           # (T, d_model)
