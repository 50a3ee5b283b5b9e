# cause: The parameter pos_embed is declared twice, once in setup and once in the compact method; keep one of them.
# names: (declar|defin|made|creat|registered)\w* (it )?(twice|two times|again|a second)|(twice|two times|second time).{0,60}(pos_embed|param|declar|name|defin)|already|(duplicate|same) name|name .{0,20}(in use|taken|twice)|both (in|`?setup)|setup.{0,30}(and|or) .{0,40}compact.{0,40}(not both|one of)|not both|only one of|keep one
import flax.linen as nn
import jax


class LearnedPos(nn.Module):
    max_T: int
    d_model: int

    def setup(self):
        self.pos_embed = self.param(
            "pos_embed", nn.initializers.normal(stddev=0.02), (self.max_T, self.d_model)
        )

    @nn.compact
    def __call__(self, T):
        pos_embed = self.param(
            "pos_embed", nn.initializers.normal(stddev=0.02), (self.max_T, self.d_model)
        )
        return pos_embed[:T]


def learned_pos_embed_forward(seed, T, d_model):
    model = LearnedPos(max_T=32, d_model=d_model)
    variables = model.init(jax.random.PRNGKey(seed), T)
    return model.apply(variables, T).reshape(-1)
