# cause: The table is the kernel of an nn.Dense inside the module; a submodule has its own path, so Flax draws other numbers. Declare it with self.param in the module itself.
# names: \bdense\b|(sub|inner|nested).?modules?\b|(module|layer) (inside|within|in) (yours|your|the|it)|own path|path.{0,30}(other|different|another|own|longer)|(other|different|another) path|layer inside|kernel
import flax.linen as nn
import jax
import jax.numpy as jnp


class LearnedPos(nn.Module):
    max_T: int
    d_model: int

    @nn.compact
    def __call__(self, T):
        # an embedding is a linear layer on one hot vectors
        one_hot = jax.nn.one_hot(jnp.arange(T), self.max_T)
        return nn.Dense(
            self.d_model,
            use_bias=False,
            kernel_init=nn.initializers.normal(stddev=0.02),
            name="pos_embed",
        )(one_hot)


def learned_pos_embed_forward(seed, T, d_model):
    model = LearnedPos(max_T=32, d_model=d_model)
    variables = model.init(jax.random.PRNGKey(seed), T)
    return model.apply(variables, T).reshape(-1)
