# framework: jax
"""These are the numbers of an `nn.Embed` made in `setup` as `self.pos_embed`: a module inside yours has its own
path, from which Flax derives a different key. In `setup`, write `self.pos_embed = self.param("pos_embed",
nn.initializers.normal(stddev=0.02), (self.max_T, self.d_model))`."""

import flax.linen as nn
import jax
import jax.numpy as jnp


class LearnedPos(nn.Module):
    max_T: int
    d_model: int

    def setup(self):
        self.pos_embed = nn.Embed(self.max_T, self.d_model, embedding_init=nn.initializers.normal(stddev=0.02))

    def __call__(self, T):
        return self.pos_embed(jnp.arange(T))


def learned_pos_embed_forward(seed, T, d_model):
    model = LearnedPos(max_T=32, d_model=d_model)
    variables = model.init(jax.random.PRNGKey(seed), T)
    return model.apply(variables, T).reshape(-1)
