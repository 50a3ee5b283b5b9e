# cause: The difference is divided by sqrt(std), a root too many: std already is a root.
# names: sqrt|root|`std`|var
import flax.linen as nn
import jax.numpy as jnp


class LayerNorm(nn.Module):
    epsilon: float = 1e-6

    @nn.compact
    def __call__(self, x):
        scale = self.param("scale", nn.initializers.ones, (x.shape[-1],))
        bias = self.param("bias", nn.initializers.zeros, (x.shape[-1],))
        mean = x.mean(axis=-1, keepdims=True)
        spread = x.std(axis=-1, keepdims=True)
        return (x - mean) / jnp.sqrt(spread + self.epsilon) * scale + bias
