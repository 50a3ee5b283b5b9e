# cause: The variance is E[x^2] - E[x]^2, in which nearly all digits of float32 cancel where x is far from zero; take the mean of the squared differences.
# names: cancel|lose[s]? digits|digits are lost|squared? (difference|deviation)|subtract the mean first|nearly equal|far from (zero|0)
import flax.linen as nn
import jax.numpy as jnp


class LayerNorm(nn.Module):
    epsilon: float = 1e-6

    @nn.compact
    def __call__(self, x):
        d = x.shape[-1]
        gamma = self.param("scale", nn.initializers.ones, (d,))
        beta = self.param("bias", nn.initializers.zeros, (d,))
        mu = jnp.mean(x, axis=-1, keepdims=True)
        second = jnp.mean(jnp.square(x), axis=-1, keepdims=True)
        sigma2 = second - jnp.square(mu)
        return gamma * (x - mu) / jnp.sqrt(sigma2 + self.epsilon) + beta
