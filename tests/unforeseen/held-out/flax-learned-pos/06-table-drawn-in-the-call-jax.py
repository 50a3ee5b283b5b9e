# cause: The table is drawn with make_rng at every call and never declared with self.param, so apply, which is given no key, cannot draw it.
# names: make_rng|(draw|drew|made|creat|generat|sampl)\w*.{0,60}(every|each|at|in|when|inside|during).{0,20}(call|apply)|(not|never|isn't|is no).{0,20}(declared|parameter)|no (rng|key|random)|needs? (an? )?(rng|key)|rngs=|apply.{0,30}(no|without an?) (rng|key)|directly.{0,60}self\.param
import flax.linen as nn
import jax


class LearnedPos(nn.Module):
    max_T: int
    d_model: int

    @nn.compact
    def __call__(self, T):
        key = self.make_rng("params")
        init = nn.initializers.normal(stddev=0.02)
        pos_embed = init(key, (self.max_T, self.d_model))
        return pos_embed[:T]


def learned_pos_embed_forward(seed, T, d_model):
    model = LearnedPos(32, d_model)
    variables = model.init(jax.random.PRNGKey(seed), T)
    return model.apply(variables, T).reshape(-1)
