# framework: jax
# verdict: runtime_error
"""`model.init` calls your module once to find its parameters, so it needs what a call needs, after the key:
`model.init(jax.random.PRNGKey(seed), T)`."""

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
    variables = model.init(jax.random.PRNGKey(seed))
    return model.apply(variables, T).reshape(-1)
