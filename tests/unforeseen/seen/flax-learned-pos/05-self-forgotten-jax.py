# cause: max_T and d_model are fields of the module and need self in front: self.max_T, self.d_model.
# names: (needs?|without|missing|forg\w+|lacks?|add|in front|put|write|with|no) .{0,15}`?self\b(?!\.(param|pos_embed))|(write|use|needs?|say|are|is) `?self\.(max_T|d_model)|`?self`? (is missing|in front)|(name|variable) .{0,40}(not defined|unknown|undefined)|(max_T|d_model).{0,25}(not defined|unknown|undefined|fields? of the|attributes? of)
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
            (max_T, d_model),
        )
        return pos_embed[:T]


def learned_pos_embed_forward(seed, T, d_model):
    model = LearnedPos(max_T=32, d_model=d_model)
    variables = model.init(jax.random.PRNGKey(seed), T)
    y = model.apply(variables, T)
    return y.reshape(-1)
