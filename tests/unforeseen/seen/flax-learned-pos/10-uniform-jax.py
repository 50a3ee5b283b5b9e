# cause: The table is drawn from a uniform distribution, but a normal one with standard deviation 0.02 is asked for.
# names: uniform|(other|another|wrong|different|not the) distribution|not (drawn from a |from a |a )?normal
import flax.linen as nn
import jax
import jax.numpy as jnp


class LearnedPos(nn.Module):
    max_T: int
    d_model: int

    @nn.compact
    def __call__(self, T):
        pos_embed = self.param("pos_embed", nn.initializers.uniform(scale=0.02), (self.max_T, self.d_model))
        return pos_embed[:T]


def learned_pos_embed_forward(seed, T, d_model):
    net = LearnedPos(max_T=32, d_model=d_model)
    variables = net.init(jax.random.PRNGKey(seed), T)
    emb = net.apply(variables, T)
    return jnp.reshape(emb, (-1,))
