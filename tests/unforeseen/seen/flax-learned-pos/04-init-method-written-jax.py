# cause: The module defines its own __init__, as in PyTorch; a Linen module is a dataclass, so declare max_T and d_model as fields and the table in setup or a compact method.
# names: __init__|dataclass|constructor|(declare|write|as|settings|made).{0,40}fields?\b(?! are given)|class attributes?|annotat
import flax.linen as nn
import jax


class LearnedPos(nn.Module):
    def __init__(self, max_T, d_model):
        super().__init__()
        self.max_T = max_T
        self.d_model = d_model
        self.pos_embed = self.param("pos_embed", nn.initializers.normal(stddev=0.02), (max_T, d_model))

    def __call__(self, T):
        return self.pos_embed[:T]


def learned_pos_embed_forward(seed, T, d_model):
    model = LearnedPos(32, d_model)
    variables = model.init(jax.random.PRNGKey(seed), T)
    return model.apply(variables, T).reshape(-1)
