# framework: jax
"""Your numbers are right, but the parameter is called `table`. Its name is how checkpoints and optimisers find it:
call it `pos_embed`."""

import flax.linen as nn
import jax


class LearnedPos(nn.Module):
    max_T: int
    d_model: int

    @nn.compact
    def __call__(self, T):
        table = self.param("table", nn.initializers.normal(stddev=0.02), (self.max_T, self.d_model))
        return table[:T]


def learned_pos_embed_forward(seed, T, d_model):
    model = LearnedPos(max_T=32, d_model=d_model)
    variables = model.init(jax.random.PRNGKey(seed), T)
    return model.apply(variables, T).reshape(-1)
