# framework: jax
"""The standard deviation is right, but these are the numbers of an `nn.Embed` inside your module: Flax hashes the
inner module's path into the key, so it draws different numbers. Declare the table with `self.param` in your own
module; then a slice `[:T]` replaces the lookup."""

import flax.linen as nn
import jax
import jax.numpy as jnp


class LearnedPos(nn.Module):
    max_T: int
    d_model: int

    @nn.compact
    def __call__(self, T):
        embed = nn.Embed(self.max_T, self.d_model, embedding_init=nn.initializers.normal(stddev=0.02))
        return embed(jnp.arange(T))


def learned_pos_embed_forward(seed, T, d_model):
    model = LearnedPos(max_T=32, d_model=d_model)
    variables = model.init(jax.random.PRNGKey(seed), T)
    return model.apply(variables, T).reshape(-1)
