from flax import linen as nn
import jax.numpy as jnp


class LayerNorm(nn.Module):
    epsilon: float = 1e-6

    @nn.compact
    def __call__(self, x):
        scale = self.param("scale", lambda key, shape: jnp.ones(shape), x.shape[-1:])
        bias = self.param("bias", lambda key, shape: jnp.zeros(shape), x.shape[-1:])
        mean, variance = jnp.mean(x, -1, keepdims=True), jnp.var(x, -1, keepdims=True)
        return scale * ((x - mean) / (variance + self.epsilon) ** 0.5) + bias
