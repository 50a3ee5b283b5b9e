# cause: A Linen module has no __init__ of its own as in PyTorch: its settings are dataclass fields and its parameters are made in setup or under @nn.compact.
# names: __init__|constructor|dataclass|(class|annotated|module) fields?|as in pytorch|like (in )?pytorch|pytorch[- ]style|outside.{0,20}(setup|compact)
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
