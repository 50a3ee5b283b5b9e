# cause: pos_embed[-T:] takes the last T rows of the table; the first T rows are pos_embed[:T].
# names: last (`?T`?|rows|`?T`? rows|few|\d+)|from the end|end of the table|\[-T|-T:|minus sign|negative (index|slice|start)|bottom|wrong end
import flax.linen as nn
import jax

MAX_T = 32


class LearnedPos(nn.Module):
    max_T: int
    d_model: int

    @nn.compact
    def __call__(self, T):
        emb = self.param("pos_embed", nn.initializers.normal(0.02), (self.max_T, self.d_model))
        return emb[-T:]


def learned_pos_embed_forward(seed, T, d_model):
    model = LearnedPos(max_T=MAX_T, d_model=d_model)
    variables = model.init(jax.random.PRNGKey(seed), T)
    return model.apply(variables, T).flatten()
