# framework: jax
# verdict: invalid_submission
"""This is a module of Flax Linen: it declares parameters with `self.param` and holds no numbers. Write a class that
inherits from `nnx.Module`."""

import flax.linen as nn


class LearnedPos(nn.Module):
    max_T: int
    d_model: int

    @nn.compact
    def __call__(self, T):
        table = self.param("table", nn.initializers.normal(stddev=0.02), (self.max_T, self.d_model))
        return table[:T]
