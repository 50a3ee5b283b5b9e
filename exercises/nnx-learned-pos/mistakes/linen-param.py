# framework: jax
# verdict: runtime_error
"""`self.param(name, initializer, shape)` is Flax Linen. In NNX you draw the numbers yourself and store them as an attribute:
`self.table = nnx.Param(initializer(rngs.params(), shape))`."""

from flax import nnx


class LearnedPos(nnx.Module):
    def __init__(self, max_T, d_model, *, rngs):
        self.max_T = max_T
        self.table = self.param("table", nnx.initializers.normal(stddev=0.02), (max_T, d_model))

    def __call__(self, T):
        if T > self.max_T:
            raise ValueError(f"{T} positions, but the table has only {self.max_T} rows")
        return self.table[:T]
