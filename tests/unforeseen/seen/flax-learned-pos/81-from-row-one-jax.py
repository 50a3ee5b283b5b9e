# cause: Rows 1 to T are taken, table[1:T + 1], not the first T.
# names: first T|too (late|high)|one place|row after|off by one|1:T\]
import flax.linen as nn
import jax


class LearnedPos(nn.Module):
    max_T: int
    d_model: int

    def setup(self):
        self.pos_embed = self.param("pos_embed", nn.initializers.normal(stddev=0.02), (self.max_T, self.d_model))

    def __call__(self, T):
        return self.pos_embed[1:T + 1]


def learned_pos_embed_forward(seed, T, d_model):
    model = LearnedPos(max_T=32, d_model=d_model)
    params = model.init(jax.random.PRNGKey(seed), T)
    return model.apply(params, T).flatten()
