# cause: The last T rows are taken, table[-T:], not the first.
# names: last T|first T|:T\]|from the end|-T|minus
import flax.linen as nn
import jax


class Positions(nn.Module):
    max_T: int
    d_model: int

    @nn.compact
    def __call__(self, T):
        table = self.param("pos_embed", nn.initializers.normal(0.02), (self.max_T, self.d_model))
        return table[-T:]


def learned_pos_embed_forward(seed, T, d_model):
    model = Positions(32, d_model)
    variables = model.init(jax.random.PRNGKey(seed), T)
    return model.apply(variables, T).ravel()
