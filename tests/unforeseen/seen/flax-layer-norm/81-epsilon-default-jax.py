# cause: epsilon defaults to 1e-3, and the statement says 1e-6.
# names: 1e-0?3|0\.001|1e-0?6|epsilon|default
import flax.linen as nn
import jax.numpy as jnp


class LayerNorm(nn.Module):
    epsilon: float = 1e-3

    @nn.compact
    def __call__(self, x):
        d = x.shape[-1]
        scale = self.param("scale", nn.initializers.ones, (d,))
        bias = self.param("bias", nn.initializers.zeros, (d,))
        mean = x.mean(-1, keepdims=True)
        var = ((x - mean) ** 2).mean(-1, keepdims=True)
        y = (x - mean) / jnp.sqrt(var + self.epsilon)
        return y * scale + bias
