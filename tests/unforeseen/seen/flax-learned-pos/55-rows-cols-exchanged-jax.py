# cause: the shape is (d_model, max_T)
# names: exchanged|swapped|shape|transpos|turned
import flax.linen as nn
import jax


class LearnedPos(nn.Module):
    max_T: int
    d_model: int

    @nn.compact
    def __call__(self, T):
        table = self.param("pos_embed", nn.initializers.normal(stddev=0.02), (self.d_model, self.max_T))
        return table.T[:T]


def learned_pos_embed_forward(seed, T, d_model):
    model = LearnedPos(32, d_model)
    variables = model.init(jax.random.PRNGKey(seed), T)
    return model.apply(variables, T).reshape(-1)
