# cause: The return is missing in __call__, so the module gives back None.
# names: \bNone\b|(missing|forgot\w*|without|no|lacks?|add|left out|never|not|nothing).{0,30}\breturn|return\w*.{0,30}(missing|forgotten|left out|nothing|none)
import flax.linen as nn
import jax

MAX_T = 32  # rows in the table: the longest sequence


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
        pos_embed = pos_embed[:T]


def learned_pos_embed_forward(seed, T, d_model):
    model = LearnedPos(max_T=MAX_T, d_model=d_model)
    variables = model.init(jax.random.PRNGKey(seed), T)
    rows = model.apply(variables, T)
    return rows.reshape(-1)
