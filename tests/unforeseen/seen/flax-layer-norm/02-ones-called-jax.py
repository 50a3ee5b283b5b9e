# cause: nn.initializers.ones is already an initializer and must be passed without calling it; ones() lacks the key and the shape.
# names: `?(ones|zeros)(\(\)|`)? .{0,40}(already|itself|is an initiali|needs|without|called|key and)|`?(ones|zeros)\(\)|already an initiali[sz]er|is an initiali[sz]er|parenthes|without call|(not|n't) (be )?call(ed)? (it|ones|zeros|them|here)|missing.{0,30}arguments?|(pass|give).{0,25}(as it is|itself|uncalled)
import flax.linen as nn
import jax.numpy as jnp


class LayerNorm(nn.Module):
    epsilon: float = 1e-6

    @nn.compact
    def __call__(self, x):
        n = x.shape[-1]
        scale = self.param("scale", nn.initializers.ones(), (n,))
        bias = self.param("bias", nn.initializers.zeros(), (n,))
        mean = x.mean(-1, keepdims=True)
        std = jnp.sqrt(x.var(-1, keepdims=True) + self.epsilon)
        return (x - mean) / std * scale + bias
