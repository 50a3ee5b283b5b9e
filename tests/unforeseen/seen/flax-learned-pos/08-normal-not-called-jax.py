# cause: nn.initializers.normal is a function that makes an initializer and must be called, normal(stddev=0.02); passed as it is, the parameter becomes a function.
# names: normal.{0,40}(must|has to|needs? to|should|is|was)( be)? (not )?(call|a function|itself no|no init|not an init)\w*|(not|never|n't|without) (be(en|ing)? )?call(ed|ing)?(?! by)\b.{0,30}(normal|init|stddev|with)?|call(ed)? `?(nn\.initializers\.)?normal|makes? an initiali[sz]er|parenthes|(parameter|table|result|pos_embed).{0,40}function|function.{0,40}(not subscript|not an array)|(table|parameter) is a function|returns? (an initiali[sz]er|a function)
import flax.linen as nn
import jax
from flax.linen.initializers import normal


class LearnedPos(nn.Module):
    max_T: int
    d_model: int

    @nn.compact
    def __call__(self, T):
        pos_embed = self.param("pos_embed", normal, (self.max_T, self.d_model))
        return pos_embed[:T]


def learned_pos_embed_forward(seed, T, d_model):
    model = LearnedPos(max_T=32, d_model=d_model)
    variables = model.init(jax.random.PRNGKey(seed), T)
    return model.apply(variables, T).reshape(-1)
