# cause: The variance is computed as the mean of the squares minus the square of the mean, which in float32 loses nearly all digits when x is far from zero.
# names: (mean|average|sum) of (the )?squares|square of (the|its) mean|cancel|far (from|away)|los(es?|t|ing).{0,30}(digits|precision|accuracy)|\bE\[x|(centre|center|subtract)\w* .{0,20}(first|before (squaring|you square))|(digits|precision|accuracy).{0,30}lost|numerical(ly)? (un)?stab|large (mean|offset|numbers)
import flax.linen as nn
import jax.numpy as jnp


class LayerNorm(nn.Module):
    epsilon: float = 1e-6

    @nn.compact
    def __call__(self, x):
        features = x.shape[-1]
        scale = self.param("scale", nn.initializers.ones, (features,))
        bias = self.param("bias", nn.initializers.zeros, (features,))
        mean = jnp.mean(x, axis=-1, keepdims=True)
        mean2 = jnp.mean(x * x, axis=-1, keepdims=True)
        var = mean2 - mean * mean       # Var[x] = E[x^2] - E[x]^2, one pass
        y = (x - mean) / jnp.sqrt(var + self.epsilon)
        return y * scale + bias
