# framework: jax
import flax.linen as nn
import jax
import jax.numpy as jnp


class LearnedPos(nn.Module):
    T: int
    d_model: int
    max_T: int = 32

    @nn.compact
    def __call__(self):
        pos_embed = self.param("pos_embed", nn.initializers.normal(0.02), (self.max_T, self.d_model))
        return jnp.take(pos_embed, jnp.arange(self.T), axis=0)  # (T, d_model)


def learned_pos_embed_forward(seed, T, d_model):
    model = LearnedPos(T, d_model)
    variables = jax.jit(model.init)(jax.random.PRNGKey(seed))
    return jax.jit(model.apply)(variables).reshape(T * d_model)
