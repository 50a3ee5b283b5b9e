"""A learned position embedding as a Flax module: one parameter, a row for each position, the first T of them returned."""

import flax.linen as nn
import jax

MAX_T = 32  # rows in the table: the longest sequence the module can place


class LearnedPos(nn.Module):
    max_T: int
    d_model: int

    @nn.compact
    def __call__(self, T):
        pos_embed = self.param(
            "pos_embed",
            nn.initializers.normal(stddev=0.02),
            (self.max_T, self.d_model),
        )                                           # (max_T, d_model)
        return pos_embed[:T]                        # (T, d_model)


def learned_pos_embed_forward(seed, T, d_model):
    """The first T rows of a freshly initialised table, one row after another: (T*d_model,).

    >>> learned_pos_embed_forward(0, 4, 3).shape
    (12,)
    """
    model = LearnedPos(max_T=MAX_T, d_model=d_model)
    variables = model.init(jax.random.PRNGKey(seed), T)     # {"params": {"pos_embed": (max_T, d_model)}}
    return model.apply(variables, T).reshape(-1)            # (T, d_model) -> (T*d_model,)
