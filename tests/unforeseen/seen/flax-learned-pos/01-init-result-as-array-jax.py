# cause: model.init returns a dictionary of parameters, not the module's output; pass it to model.apply and flatten what that returns.
# names: (returns?|gives?|is|got|have|makes?) (you )?(a|the) (nested |frozen )*dict|'dict'|dict\w* (of|has no|and no)|`?init(\(|`)?.{0,30}(returns?|gives?|makes?) (only |just )?(a |the |you )?(dict|parameters|variables|params|numbers)|(not|never|n't|without) (call\w* `?(model\.)?apply|applied|apply|run the)|(parameters|variables),? (and )?not (the|its|an) (output|rows|array)|FrozenDict|apply.{0,40}(missing|forgotten|left out)
import flax.linen as nn
import jax

MAX_T = 32


class LearnedPos(nn.Module):
    max_T: int
    d_model: int

    @nn.compact
    def __call__(self, T):
        pos_embed = self.param("pos_embed", nn.initializers.normal(stddev=0.02), (self.max_T, self.d_model))
        return pos_embed[:T]


def learned_pos_embed_forward(seed, T, d_model):
    model = LearnedPos(max_T=MAX_T, d_model=d_model)
    rows = model.init(jax.random.PRNGKey(seed), T)
    return rows.reshape(-1)
