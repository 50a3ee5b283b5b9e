# cause: model.apply gets variables["params"], the inner dictionary, but expects the whole one with the key "params" in it.
# names: \[["']params["']\]|inner (dict|mapping|one|part|level)|whole (dict|thing)|\{["']params["']: |(dict\w*|collection).{0,60}params|["']params["'].{0,40}(dict|collection|key|level|wrap|layer)|one level|everything that `?(model\.)?init|unpack
import flax.linen as nn
import jax

MAX_T = 32


class LearnedPos(nn.Module):
    max_T: int
    d_model: int

    @nn.compact
    def __call__(self, T):
        table = self.param("pos_embed", nn.initializers.normal(stddev=0.02), (self.max_T, self.d_model))
        return table[:T]


def learned_pos_embed_forward(seed, T, d_model):
    model = LearnedPos(max_T=MAX_T, d_model=d_model)
    params = model.init(jax.random.PRNGKey(seed), T)["params"]
    return model.apply(params, T).reshape(-1)
