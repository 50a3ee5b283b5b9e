# cause: The standard deviation is 0.2, ten times too large.
# names: standard deviation|stddev|0\.2\b|times 10|spread
import flax.linen as nn
import jax


class LearnedPos(nn.Module):
    max_T: int
    d_model: int

    @nn.compact
    def __call__(self, T):
        pos = self.param("pos_embed", nn.initializers.normal(stddev=0.2), (self.max_T, self.d_model))
        return pos[:T]


def learned_pos_embed_forward(seed, T, d_model):
    model = LearnedPos(32, d_model)
    variables = model.init(jax.random.PRNGKey(seed), T)
    return model.apply(variables, T).reshape(-1)
