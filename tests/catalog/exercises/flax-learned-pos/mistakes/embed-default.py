# framework: jax
"""These are the numbers that `nn.Embed` draws with its own default initializer, which has its own path inside your
module. Declare the table yourself: `self.param("pos_embed", nn.initializers.normal(stddev=0.02), (32,
d_model))`."""

import flax.linen as nn
import jax
import jax.numpy as jnp


class LearnedPos(nn.Module):
    max_T: int
    d_model: int

    @nn.compact
    def __call__(self, T):
        return nn.Embed(self.max_T, self.d_model)(jnp.arange(T))


def learned_pos_embed_forward(seed, T, d_model):
    model = LearnedPos(max_T=32, d_model=d_model)
    variables = model.init(jax.random.PRNGKey(seed), T)
    return model.apply(variables, T).reshape(-1)
