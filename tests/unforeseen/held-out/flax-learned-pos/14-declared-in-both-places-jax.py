# cause: The parameter pos_embed is declared twice, in setup and again in the compact __call__; choose one of them.
# names: (declar|param|name|pos_embed|made|defin)\w*.{0,60}(twice|in both|two places|second time|already|again)|(twice|both|two places).{0,40}(declar|setup|compact|param|name)|in use|either.{0,60}setup|not both|mix\w*.{0,30}(setup|compact)
import flax.linen as nn
import jax

MAX_T = 32


class LearnedPos(nn.Module):
    max_T: int
    d_model: int

    def setup(self):
        self.table = self.param(
            "pos_embed", nn.initializers.normal(stddev=0.02), (self.max_T, self.d_model)
        )

    @nn.compact
    def __call__(self, T):
        pos_embed = self.param(
            "pos_embed", nn.initializers.normal(stddev=0.02), (self.max_T, self.d_model)
        )
        return pos_embed[:T]


def learned_pos_embed_forward(seed, T, d_model):
    model = LearnedPos(max_T=MAX_T, d_model=d_model)
    variables = model.init(jax.random.PRNGKey(seed), T)
    return model.apply(variables, T).reshape(-1)
