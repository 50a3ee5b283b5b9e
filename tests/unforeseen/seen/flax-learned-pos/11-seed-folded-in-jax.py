# cause: The key is PRNGKey(0) with the seed folded in, which is another key than PRNGKey(seed) and draws other numbers.
# names: \bfold|(is|with|from|made|makes?|use|used|pass(ed)?|took|takes?|not the same|the) (an? |the )?(other|another|different|wrong) (prng )?key|PRNGKey\(seed\)`? (as it is|unchanged|directly|and nothing)|(not|other than|another key than|instead of|rather than) .{0,20}PRNGKey\(seed\)|root key|PRNGKey\(0\)
import flax.linen as nn
import jax

root = jax.random.PRNGKey(0)


class LearnedPos(nn.Module):
    max_T: int
    d_model: int

    @nn.compact
    def __call__(self, T):
        w = self.param("pos_embed", nn.initializers.normal(stddev=0.02), (self.max_T, self.d_model))
        return w[:T]


def learned_pos_embed_forward(seed, T, d_model):
    key = jax.random.fold_in(root, seed)
    model = LearnedPos(max_T=32, d_model=d_model)
    variables = model.init(key, T)
    return model.apply(variables, T).reshape(-1)
