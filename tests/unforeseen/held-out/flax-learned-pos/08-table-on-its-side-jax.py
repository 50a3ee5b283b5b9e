# cause: The parameter has the shape (d_model, max_T) and is turned over later, so the same random stream lands in other places of the table.
# names: (param\w*|table|declar\w*|pos_embed|shape)\b.{0,60}(transposed|sideways|on its side|\((self\.)?d_model, ?(self\.)?max_T\))|\((self\.)?d_model, ?(self\.)?max_T\)|shape.{0,40}(swapped|turned|wrong way|way round|exchanged)|(swap|turned|wrong way)\w*.{0,30}(shape|axes|dimensions)|shape.{0,30}\(max_T, d_model\)
import flax.linen as nn
import jax

MAX_T = 32


class LearnedPos(nn.Module):
    max_T: int
    d_model: int

    @nn.compact
    def __call__(self, T):
        # one column per position
        pos_embed = self.param(
            "pos_embed",
            nn.initializers.normal(stddev=0.02),
            (self.d_model, self.max_T),
        )
        return pos_embed[:, :T].T          # (T, d_model)


def learned_pos_embed_forward(seed, T, d_model):
    model = LearnedPos(max_T=MAX_T, d_model=d_model)
    variables = model.init(jax.random.PRNGKey(seed), T)
    return model.apply(variables, T).reshape(-1)
