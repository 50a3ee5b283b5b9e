# framework: jax
import flax.linen as nn
import jax
import jax.numpy as jnp


class LearnedPos(nn.Module):
    max_T: int
    d_model: int

    @nn.compact
    def __call__(self, T):
        shape = (self.max_T, self.d_model)
        table = self.param("pos_embed", nn.initializers.normal(stddev=0.02), shape)  # (max_T, d_model)
        return table[:T]                                                         # (T, d_model)


def learned_pos_embed_forward(seed, T, d_model):
    rows, _ = LearnedPos(32, d_model).init_with_output(jax.random.key(seed), T)
    return jnp.ravel(rows)                                                       # (T*d_model,)
