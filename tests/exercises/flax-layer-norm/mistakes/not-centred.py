"""The mean is not subtracted before you divide."""

import flax.linen as nn
import jax.numpy as jnp


class LayerNorm(nn.Module):
    epsilon: float = 1e-6

    @nn.compact
    def __call__(self, x):
        size = x.shape[-1]
        scale = self.param("scale", nn.initializers.ones, (size,))
        bias = self.param("bias", nn.initializers.zeros, (size,))
        centred = x - x.mean(axis=-1, keepdims=True)
        variance = (centred**2).mean(axis=-1, keepdims=True)
        return x / jnp.sqrt(variance + self.epsilon) * scale + bias
