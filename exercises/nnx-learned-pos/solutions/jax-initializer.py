# framework: jax
from flax import nnx
from jax import lax


class LearnedPos(nnx.Module):
    def __init__(self, max_T, d_model, rngs):
        shape = (max_T, d_model)
        self.table = nnx.Param(nnx.initializers.normal(0.02)(rngs.params(), shape, "float32"))

    def __call__(self, T):
        table = self.table.get_value()
        if not T <= len(table):
            raise ValueError("too many positions")
        return lax.slice_in_dim(table, 0, T)                        # (T, d_model)
