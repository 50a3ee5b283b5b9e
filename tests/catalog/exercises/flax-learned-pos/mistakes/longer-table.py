# framework: jax
"""Your numbers are right, but the table has 512 rows, and `max_T` is 32. That is what other models use: here each of the
rows that are never read would be a row to store."""

import flax.linen as nn
import jax


class LearnedPos(nn.Module):
    max_T: int
    d_model: int

    @nn.compact
    def __call__(self, T):
        table = self.param("pos_embed", nn.initializers.normal(stddev=0.02), (self.max_T, self.d_model))
        return table[:T]


def learned_pos_embed_forward(seed, T, d_model):
    model = LearnedPos(max_T=512, d_model=d_model)
    variables = model.init(jax.random.PRNGKey(seed), T)
    return model.apply(variables, T).reshape(-1)
