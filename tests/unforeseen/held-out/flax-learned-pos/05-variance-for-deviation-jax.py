# cause: The variance 0.02**2 is passed as the standard deviation, so all numbers are 50 times too small.
# names: varianc|0\.0004|0\.02 ?(\*\*|\^) ?2|squared?\b|(50|fifty) times (too )?small|fiftieth|0\.02².{0,40}(stddev|standard)
import flax.linen as nn
import jax

MAX_T = 32


class LearnedPos(nn.Module):
    max_T: int
    d_model: int

    @nn.compact
    def __call__(self, T):
        # P ~ N(0, 0.02^2)
        pos_embed = self.param(
            "pos_embed",
            nn.initializers.normal(0.02 ** 2),
            (self.max_T, self.d_model),
        )
        return pos_embed[:T]


def learned_pos_embed_forward(seed, T, d_model):
    model = LearnedPos(max_T=MAX_T, d_model=d_model)
    key = jax.random.PRNGKey(seed)
    variables = model.init(key, T)
    y = model.apply(variables, T)
    return y.reshape(T * d_model)
