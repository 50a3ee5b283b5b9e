# framework: jax
import flax.linen as nn
import jax


class LearnedPos(nn.Module):
    max_T: int
    d_model: int

    def setup(self):
        self.pos_embed = self.param(
            "pos_embed", nn.initializers.normal(stddev=0.02), (self.max_T, self.d_model)
        )                                                       # (max_T, d_model)

    def __call__(self, T):
        return self.pos_embed[:T]                               # (T, d_model)


def learned_pos_embed_forward(seed, T, d_model):
    model = LearnedPos(max_T=32, d_model=d_model)
    params = model.init(jax.random.PRNGKey(seed), T)["params"]
    return model.bind({"params": params})(T).flatten()          # (T*d_model,)
