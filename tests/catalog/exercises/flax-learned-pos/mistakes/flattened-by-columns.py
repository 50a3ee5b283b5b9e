# framework: jax
"""The numbers are right but their order is not: you laid the columns end to end. Flatten row by row, all of position
0 first: `.reshape(-1)` without a transpose and without `order="F"`."""

import flax.linen as nn
import jax


class LearnedPos(nn.Module):
    max_T: int
    d_model: int

    @nn.compact
    def __call__(self, T):
        pos_embed = self.param(
            "pos_embed",
            nn.initializers.normal(stddev=0.02),
            (self.max_T, self.d_model),
        )
        return pos_embed[:T]


def learned_pos_embed_forward(seed, T, d_model):
    model = LearnedPos(max_T=32, d_model=d_model)
    variables = model.init(jax.random.PRNGKey(seed), T)
    return model.apply(variables, T).ravel(order="F")
