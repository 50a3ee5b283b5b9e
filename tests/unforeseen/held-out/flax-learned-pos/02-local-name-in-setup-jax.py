# cause: In setup the parameter is stored in a local variable, not in self.pos_embed, so __call__ does not find it.
# names: \blocal\b|(missing|forgot\w*|left out|lacks?|without|not|in front|store\w*|keep|assign\w*|put|add)\b.{0,25}`?\bself\b(?!\.param)|\battribute
import flax.linen as nn
import jax

MAX_T = 32  # rows in the table: the longest sequence


class LearnedPos(nn.Module):
    max_T: int
    d_model: int

    def setup(self):
        pos_embed = self.param(
            "pos_embed", nn.initializers.normal(stddev=0.02), (self.max_T, self.d_model)
        )

    def __call__(self, T):
        return self.pos_embed[:T]


def learned_pos_embed_forward(seed, T, d_model):
    model = LearnedPos(max_T=MAX_T, d_model=d_model)
    variables = model.init(jax.random.PRNGKey(seed), T)
    out = model.apply(variables, T)
    return out.reshape(-1)
