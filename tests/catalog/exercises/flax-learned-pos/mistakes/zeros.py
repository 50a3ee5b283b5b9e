# framework: jax
"""Every number is zero. The table starts as small random numbers, so pass `nn.initializers.normal(stddev=0.02)` to
`self.param`."""

import flax.linen as nn
import jax


class LearnedPos(nn.Module):
    max_T: int
    d_model: int

    @nn.compact
    def __call__(self, T):
        pos_embed = self.param(
            "pos_embed",
            nn.initializers.zeros,
            (self.max_T, self.d_model),
        )
        return pos_embed[:T]


def learned_pos_embed_forward(seed, T, d_model):
    model = LearnedPos(max_T=32, d_model=d_model)
    variables = model.init(jax.random.PRNGKey(seed), T)
    return model.apply(variables, T).reshape(-1)
