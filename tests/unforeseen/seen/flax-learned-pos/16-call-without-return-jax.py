# cause: __call__ computes the rows but does not return them, so apply gives None.
# names: (no|without|missing|forg\w+|lacks?|needs?|add) .{0,12}`?return|(not|never|n't) return|returns? (`?none\b|nothing)|(is|was|gives?|got|gave|hands?( back)?) `?none\b|nonetype
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
        rows = pos_embed[:T]


def learned_pos_embed_forward(seed, T, d_model):
    model = LearnedPos(max_T=32, d_model=d_model)
    variables = model.init(jax.random.PRNGKey(seed), T)
    rows = model.apply(variables, T)
    return rows.reshape(-1)
