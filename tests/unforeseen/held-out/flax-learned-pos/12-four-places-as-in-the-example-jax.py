# cause: The numbers are rounded to four places as in the printed example, but all digits are needed.
# names: ^(?![\s\S]*(float16|half precision|bfloat16))[\s\S]*(round|decimals?\b|(4|four) (places|digits))
import flax.linen as nn
import jax
import jax.numpy as jnp

MAX_T = 32


class LearnedPos(nn.Module):
    max_T: int
    d_model: int

    @nn.compact
    def __call__(self, T):
        pos_embed = self.param(
            "pos_embed",
            nn.initializers.normal(stddev=0.02),
            (self.max_T, self.d_model),
        )
        return pos_embed[:T]


def learned_pos_embed_forward(seed, T, d_model):
    model = LearnedPos(max_T=MAX_T, d_model=d_model)
    variables = model.init(jax.random.PRNGKey(seed), T)
    rows = model.apply(variables, T)
    return jnp.round(rows.reshape(-1), 4)
