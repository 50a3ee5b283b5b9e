# framework: jax
# verdict: runtime_error
"""Under `jax.jit` the argument `T` is a tracer, and a slice needs a length that is known when the code is
compiled. Call `model.apply(variables, T)` without `jit`, or declare it static: `jax.jit(model.apply,
static_argnums=1)`."""

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
    variables = model.init(jax.random.PRNGKey(seed), T)
    return jax.jit(model.apply)(variables, T).reshape(-1)
