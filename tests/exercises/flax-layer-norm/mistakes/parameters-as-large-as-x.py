# verdict: runtime_error
"""The parameters have a number for each number of `x`. They need one for each place of the last axis: `(x.shape[-1],)`."""

import flax.linen as nn
import jax.numpy as jnp


class LayerNorm(nn.Module):
    epsilon: float = 1e-6

    @nn.compact
    def __call__(self, x):
        size = x.shape
        scale = self.param("scale", nn.initializers.ones, size)
        bias = self.param("bias", nn.initializers.zeros, size)
        centred = x - x.mean(axis=-1, keepdims=True)
        variance = (centred**2).mean(axis=-1, keepdims=True)
        return centred / jnp.sqrt(variance + self.epsilon) * scale + bias
