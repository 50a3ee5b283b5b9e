# cause: The parameter is declared in bfloat16, which keeps two or three digits; the default float32 is asked for.
# names: bfloat16|half(-| )?precision|16.?bit|float16|float32|\bprecision
import flax.linen as nn
import jax
import jax.numpy as jnp


class LearnedPos(nn.Module):
    max_T: int
    d_model: int
    param_dtype: jnp.dtype = jnp.bfloat16

    @nn.compact
    def __call__(self, T):
        pos_embed = self.param(
            "pos_embed",
            nn.initializers.normal(stddev=0.02),
            (self.max_T, self.d_model),
            self.param_dtype,
        )
        return pos_embed[:T]


def learned_pos_embed_forward(seed, T, d_model):
    model = LearnedPos(max_T=32, d_model=d_model)
    variables = model.init(jax.random.PRNGKey(seed), T)
    return model.apply(variables, T).reshape(-1)
