# framework: jax
"""You split the key before `init`, and a split key draws different numbers. Splitting is a good habit when a key is
used twice; here it is used once, so pass `jax.random.PRNGKey(seed)` itself."""

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
    key, init_key = jax.random.split(jax.random.PRNGKey(seed))
    model = LearnedPos(max_T=32, d_model=d_model)
    variables = model.init(init_key, T)
    return model.apply(variables, T).reshape(-1)
