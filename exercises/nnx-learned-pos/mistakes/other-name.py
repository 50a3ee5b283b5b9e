# framework: jax
"""Your parameter is called `pos_embed`. Its name is how checkpoints and optimisers find it: call it `table`."""

from flax import nnx


class LearnedPos(nnx.Module):
    def __init__(self, max_T, d_model, *, rngs):
        draw = nnx.initializers.normal(stddev=0.02)
        self.pos_embed = nnx.Param(draw(rngs.params(), (max_T, d_model)))   # (max_T, d_model)

    def __call__(self, T):
        if T > self.pos_embed.shape[0]:
            raise ValueError(f"{T} positions, but the table has only {self.pos_embed.shape[0]} rows")
        return self.pos_embed[:T]                                           # (T, d_model)
