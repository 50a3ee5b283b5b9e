# cause: The standard deviation given is 0.02 squared, the variance; the argument stddev wants 0.02 itself.
# names: varian|squar|0\.0004|4e-0?4|\*\* ?2|(50|fifty) times (too )?(small|less)|too small|(is|are|has|have) .{0,20}(standard deviation|stddev|scale) (of )?(0\.0004|wrong)|(standard deviation|stddev|scale|spread).{0,30}(too small|is (wrong|not|another|different)|another|different)|(wrong|another|different) (standard deviation|stddev|scale|spread)|(fiftieth|1/50|2 ?%)
import flax.linen as nn
import jax


class LearnedPos(nn.Module):
    max_T: int
    d_model: int
    sigma: float = 0.02

    def setup(self):
        # N(0, sigma^2)
        self.pos_embed = self.param(
            "pos_embed",
            nn.initializers.normal(self.sigma ** 2),
            (self.max_T, self.d_model),
        )

    def __call__(self, T):
        return self.pos_embed[:T]


def learned_pos_embed_forward(seed, T, d_model):
    model = LearnedPos(max_T=32, d_model=d_model)
    params = model.init(jax.random.PRNGKey(seed), T)
    return model.apply(params, T).flatten()
