# cause: nn.Parameter belongs to PyTorch; flax.linen has no such thing, parameters are declared with self.param.
# names: nn\.parameter|(belongs to|name (of|from)|from|a) (py)?torch|no attribute|has no `?(nn\.)?parameter|(no|not a) `?nn\.Param\b|other library|(not|n't) (exist|have)
import flax.linen as nn
import jax


class LearnedPos(nn.Module):
    max_T: int
    d_model: int

    def setup(self):
        self.pos_embed = nn.Parameter(
            0.02 * jax.random.normal(self.make_rng("params"), (self.max_T, self.d_model))
        )

    def __call__(self, T):
        return self.pos_embed[:T]


def learned_pos_embed_forward(seed, T, d_model):
    model = LearnedPos(max_T=32, d_model=d_model)
    variables = model.init(jax.random.PRNGKey(seed), T)
    return model.apply(variables, T).reshape(-1)
