# cause: init and apply are called on the class LearnedPos itself, but a module must first be made with its fields: model = LearnedPos(max_T=32, d_model=d_model).
# names: \bclass\b.{0,60}(itself|not|instance|object|rather)|(on|of) the class|instance|instantiat|(make|create|build)\w* (a|an|the|your|one) .{0,15}\b(module|object|instance|model)\b|= LearnedPos\(|module must.{0,10} be made
import flax.linen as nn
import jax

MAX_T = 32


class LearnedPos(nn.Module):
    max_T: int
    d_model: int

    @nn.compact
    def __call__(self, T):
        pos_embed = self.param("pos_embed", nn.initializers.normal(stddev=0.02), (self.max_T, self.d_model))
        return pos_embed[:T]


def learned_pos_embed_forward(seed, T, d_model):
    variables = LearnedPos.init(jax.random.PRNGKey(seed), T)
    return LearnedPos.apply(variables, T).reshape(-1)
