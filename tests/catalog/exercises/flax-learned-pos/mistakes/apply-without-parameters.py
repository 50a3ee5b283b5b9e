# framework: jax
# verdict: runtime_error
"""`model.apply` was given no parameters. Pass it what `model.init(key, T)` returned: `model.apply(variables, T)`."""

import flax.linen as nn
import jax


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
    model = LearnedPos(max_T=32, d_model=d_model)
    variables = {"params": {}}
    return model.apply(variables, T).reshape(-1)
