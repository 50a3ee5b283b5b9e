# cause: The table is drawn in float16, which gives other and much coarser numbers than float32, and casting them afterwards does not bring them back.
# names: float16|half[- ]?precision|16[- ]bit|precision|dtype|bfloat
import flax.linen as nn
import jax
import jax.numpy as jnp


class LearnedPos(nn.Module):
    max_T: int
    d_model: int
    param_dtype: jnp.dtype = jnp.float16

    @nn.compact
    def __call__(self, T):
        init = nn.initializers.normal(stddev=0.02)
        pos_embed = self.param("pos_embed", init, (self.max_T, self.d_model), self.param_dtype)
        return pos_embed[:T].astype(jnp.float32)


def learned_pos_embed_forward(seed, T, d_model):
    model = LearnedPos(max_T=32, d_model=d_model)
    variables = model.init(jax.random.PRNGKey(seed), T)
    return model.apply(variables, T).reshape(-1)
