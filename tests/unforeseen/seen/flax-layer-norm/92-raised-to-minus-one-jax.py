# cause: jnp.maximum raises normalised values below -1 to -1; nothing is to be limited, so leave it out.
# names: maximum|clip|raised|limit|cut off|bound
import flax.linen as nn
import jax.numpy as jnp


class LayerNorm(nn.Module):
    epsilon: float = 1e-6

    @nn.compact
    def __call__(self, x):
        scale = self.param("scale", nn.initializers.ones, (x.shape[-1],))
        bias = self.param("bias", nn.initializers.zeros, (x.shape[-1],))
        mean = jnp.mean(x, axis=-1, keepdims=True)
        var = jnp.var(x, axis=-1, keepdims=True)
        y = jnp.maximum((x - mean) / jnp.sqrt(var + self.epsilon), -1.0)
        return y * scale + bias
