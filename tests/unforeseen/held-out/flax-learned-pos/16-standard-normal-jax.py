# cause: jax.random.normal is used as the initializer, which draws with a standard deviation of 1, so all numbers are 50 times too large.
# names: jax\.random\.normal.{0,80}(initiali|standard deviation|stddev|1\b|one|too large)|(standard )?deviation (of |is |was )?(1\b|one)|(50|fifty) times (too )?(large|big|great)|unit (variance|normal)|standard normal|factor 0\.02|times 0\.02
import flax.linen as nn
import jax

MAX_T = 32


class LearnedPos(nn.Module):
    max_T: int
    d_model: int

    @nn.compact
    def __call__(self, T):
        pos_embed = self.param("pos_embed", jax.random.normal, (self.max_T, self.d_model))
        return pos_embed[:T, :]


def learned_pos_embed_forward(seed, T, d_model):
    model = LearnedPos(max_T=MAX_T, d_model=d_model)
    variables = model.init(jax.random.PRNGKey(seed), T)
    return model.apply(variables, T).reshape(-1)
