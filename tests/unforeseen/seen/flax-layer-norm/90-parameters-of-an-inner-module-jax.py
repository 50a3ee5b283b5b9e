# cause: scale and bias belong to a module inside the layer, so their path is params, Affine_0, scale; declare them in LayerNorm itself.
# names: inner|inside|nested|another module|other module|sub-?module|path|Affine|(itself|directly).{0,40}declar|declar.{0,60}(itself|directly|LayerNorm)|belong
import flax.linen as nn
import jax.numpy as jnp


class Affine(nn.Module):
    @nn.compact
    def __call__(self, x):
        scale = self.param("scale", nn.initializers.ones, (x.shape[-1],))
        bias = self.param("bias", nn.initializers.zeros, (x.shape[-1],))
        return x * scale + bias


class LayerNorm(nn.Module):
    epsilon: float = 1e-6

    @nn.compact
    def __call__(self, x):
        mean = x.mean(-1, keepdims=True)
        var = jnp.mean((x - mean) ** 2, axis=-1, keepdims=True)
        return Affine()((x - mean) / jnp.sqrt(var + self.epsilon))
