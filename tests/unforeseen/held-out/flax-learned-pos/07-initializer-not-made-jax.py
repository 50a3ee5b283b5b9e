# cause: nn.initializers.normal only makes an initializer when it is called: without parentheses and stddev, self.param gets the factory and not an initializer.
# names: factory|(not|never|without being|forgot\w* to|has to be|must be|needs to be) (been )?call(ed)?\b|without.{0,20}parenthes|parenthes\w*.{0,40}(missing|initiali|normal|after)|(makes?|returns?|builds?|gives?|creates?) (an|the|your) initiali[sz]er|call `?nn\.initializers\.normal|normal`? itself
import jax
import flax.linen as nn


class LearnedPos(nn.Module):
    max_T: int
    d_model: int

    @nn.compact
    def __call__(self, T):
        pos_embed = self.param("pos_embed", nn.initializers.normal, (self.max_T, self.d_model))
        return pos_embed[:T]


def learned_pos_embed_forward(seed, T, d_model):
    model = LearnedPos(max_T=32, d_model=d_model)
    variables = model.init(jax.random.PRNGKey(seed), T)
    return model.apply(variables, T).reshape(-1)
