# framework: jax
"""Your numbers are right, but the table has only as many rows as this text has positions, so a longer text would need
another table. Give it `max_T` rows, and return the first `T` of them."""

import flax.linen as nn
import jax


class LearnedPos(nn.Module):
    max_T: int
    d_model: int

    @nn.compact
    def __call__(self, T):
        table = self.param("pos_embed", nn.initializers.normal(stddev=0.02), (T, self.d_model))
        return table[:T]


def learned_pos_embed_forward(seed, T, d_model):
    model = LearnedPos(max_T=32, d_model=d_model)
    variables = model.init(jax.random.PRNGKey(seed), T)
    return model.apply(variables, T).reshape(-1)
