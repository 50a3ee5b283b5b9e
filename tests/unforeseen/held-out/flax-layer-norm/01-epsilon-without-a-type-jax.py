# cause: epsilon = 1e-6 without a type annotation is no dataclass field, so LayerNorm(epsilon=...) is not accepted.
# names: annotat|\btype\b.{0,40}(missing|epsilon|hint|without|field)|(without|missing|no|its) (a )?type\b|epsilon: float|: float|dataclass|(not|no|isn't|becomes?|make it|into|as) (a |an )?field|(unexpected|not accept|does not (take|accept|know)).{0,40}epsilon|keyword argument
import flax.linen as nn
import jax.numpy as jnp


class LayerNorm(nn.Module):
    epsilon = 1e-6

    @nn.compact
    def __call__(self, x):
        d = x.shape[-1]
        scale = self.param("scale", nn.initializers.ones, (d,))
        bias = self.param("bias", nn.initializers.zeros, (d,))
        mu = jnp.mean(x, axis=-1, keepdims=True)
        var = jnp.var(x, axis=-1, keepdims=True)
        return (x - mu) / jnp.sqrt(var + self.epsilon) * scale + bias
