# cause: The parameter belongs to a module inside the module that is initialised, and its longer path gives it another key and other numbers.
# names: ^(?![\s\S]*nn\.Embed)[\s\S]*(\bpath\b|inner module|nested|submodule|sub-module|(module|class) (inside|within|in) (a|an|the|your|another)\b|(outer|wrapp\w*|parent|another) (module|class)|two modules|wrapped)
import flax.linen as nn
import jax

MAX_T = 32


class PositionTable(nn.Module):
    max_T: int
    d_model: int

    @nn.compact
    def __call__(self, T):
        pos_embed = self.param("pos_embed", nn.initializers.normal(stddev=0.02), (self.max_T, self.d_model))
        return pos_embed[:T]


class LearnedPos(nn.Module):
    max_T: int
    d_model: int

    def setup(self):
        self.positions = PositionTable(self.max_T, self.d_model)

    def __call__(self, T):
        return self.positions(T)


def learned_pos_embed_forward(seed, T, d_model):
    net = LearnedPos(MAX_T, d_model)
    variables = net.init(jax.random.PRNGKey(seed), T)
    return net.apply(variables, T).ravel()
