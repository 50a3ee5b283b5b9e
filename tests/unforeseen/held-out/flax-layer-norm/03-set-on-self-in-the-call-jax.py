# cause: In a method marked @nn.compact the parameters cannot be set on self, which is frozen outside setup; keep them in local variables.
# names: frozen|(set|assign|stor|attribut|put|keep|write)\w*.{0,50}\bself\b|self\.(scale|bias)|local (name|variable)|immutable|outside.{0,20}setup|only in `?setup|attribute
import flax.linen as nn
import jax.numpy as jnp


class LayerNorm(nn.Module):
    epsilon: float = 1e-6

    @nn.compact
    def __call__(self, x):
        self.scale = self.param("scale", nn.initializers.ones, (x.shape[-1],))
        self.bias = self.param("bias", nn.initializers.zeros, (x.shape[-1],))
        mu = x.mean(-1, keepdims=True)
        sigma2 = ((x - mu) ** 2).mean(-1, keepdims=True)
        return (x - mu) / jnp.sqrt(sigma2 + self.epsilon) * self.scale + self.bias
