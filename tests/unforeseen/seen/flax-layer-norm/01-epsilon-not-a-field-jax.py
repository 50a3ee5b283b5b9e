# cause: epsilon has no type annotation, so it is an ordinary class attribute and not a field of the module; LayerNorm(epsilon=...) is refused. Write epsilon: float = 1e-6.
# names: annotat|(not|no|n't|never|isn't) (declared as )?a(n)? (dataclass |module )?field|(no|without a) (dataclass )?field\b|epsilon: ?float|type hint|unexpected keyword|`?epsilon=|(can ?not|can't) be (given|set|passed)|class attribute|__init__
import flax.linen as nn
import jax.numpy as jnp


class LayerNorm(nn.Module):
    epsilon = 1e-6

    @nn.compact
    def __call__(self, x):
        dim = x.shape[-1]
        gamma = self.param("scale", nn.initializers.ones, (dim,))
        beta = self.param("bias", nn.initializers.zeros, (dim,))
        mu = jnp.mean(x, axis=-1, keepdims=True)
        var = jnp.var(x, axis=-1, keepdims=True)
        return gamma * (x - mu) / jnp.sqrt(var + self.epsilon) + beta
