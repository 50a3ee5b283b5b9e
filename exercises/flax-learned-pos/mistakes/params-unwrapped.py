# framework: jax
# verdict: runtime_error
"""`model.apply` takes the whole dictionary that `model.init` returned, `{"params": {"pos_embed": …}}`. You passed what is
inside `"params"`: leave it wrapped."""

import flax.linen as nn
import jax


class LearnedPos(nn.Module):
    max_T: int
    d_model: int

    @nn.compact
    def __call__(self, T):
        table = self.param("pos_embed", nn.initializers.normal(stddev=0.02), (self.max_T, self.d_model))
        return table[:T]


def learned_pos_embed_forward(seed, T, d_model):
    model = LearnedPos(max_T=32, d_model=d_model)
    variables = model.init(jax.random.PRNGKey(seed), T)
    return model.apply(variables["params"], T).reshape(-1)
