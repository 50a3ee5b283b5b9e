# cause: jax.random.normal as the initializer has a standard deviation of 1; it must be 0.02.
# names: (standard deviation|stddev|sigma|scale|spread)\b.{0,25}(of )?(\b1\b|one\b|(is )?(wrong|too (large|big)|missing|another))|(50|fifty) times|too (large|big)|unscaled|not scaled|(multipl|times|scale)\w* .{0,20}(with|by)? ?0\.02|(wrong|another|different) (standard deviation|stddev|scale|spread)|unit (normal|variance)|standard normal|jax\.random\.normal.{0,60}(not an init|initiali[sz]er|1\b)
import flax.linen as nn
import jax


class LearnedPos(nn.Module):
    max_T: int
    d_model: int

    @nn.compact
    def __call__(self, T):
        pe = self.param("pos_embed", jax.random.normal, (self.max_T, self.d_model))
        return pe[:T]


def learned_pos_embed_forward(seed, T, d_model):
    model = LearnedPos(max_T=32, d_model=d_model)
    variables = model.init(jax.random.PRNGKey(seed), T)
    return model.apply(variables, T).reshape(-1)
