# cause: The table is drawn with make_rng at every call instead of being declared with self.param, so nothing is stored and apply has no key for it.
# names: make_rng|apply\b.{0,40}(no|without|not given|needs a) (key|rng|prng|random)|(not|never|n't|nothing) (is )?(stored|kept|saved)|not (a parameter|declared)|(drawn|draw|random|new numbers).{0,40}(each|every|again|at every|in `?apply)|needs prng|instead of .{0,30}self\.param|InvalidRng
import flax.linen as nn
import jax


class LearnedPos(nn.Module):
    max_T: int
    d_model: int

    @nn.compact
    def __call__(self, T):
        init = nn.initializers.normal(stddev=0.02)
        key = self.make_rng("params")
        pos_embed = init(key, (self.max_T, self.d_model))
        return pos_embed[:T]


def learned_pos_embed_forward(seed, T, d_model):
    model = LearnedPos(max_T=32, d_model=d_model)
    variables = model.init(jax.random.PRNGKey(seed), T)
    return model.apply(variables, T).reshape(-1)
