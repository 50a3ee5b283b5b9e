# framework: jax
"""Your rows do not come from `table`: with another table the module returns the same numbers as before. Draw once, in
`__init__`, and in `__call__` read `self.table`."""

from flax import nnx


class LearnedPos(nnx.Module):
    def __init__(self, max_T, d_model, *, rngs):
        draw = nnx.initializers.normal(stddev=0.02)
        self.table = nnx.Param(draw(rngs.params(), (max_T, d_model)))
        self.start = nnx.data(self.table[...])

    def __call__(self, T):
        if T > self.table.shape[0]:
            raise ValueError(f"{T} positions, but the table has only {self.table.shape[0]} rows")
        return self.start[:T]
